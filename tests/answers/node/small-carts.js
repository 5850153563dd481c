// A large catalogue is there from the beginning. Carts of guests stay in a list of a service of it.
const rounds = require('./rounds');

class Product {
  constructor(n) { this.sku = `sku-${n}`; this.title = `Product ${n} of the catalogue`; this.sizes = Array.from({ length: 10 }, (_, m) => ({ m, price: n + m })); }
}
class GuestCart {
  constructor(n) { this.id = `guest-${n}`; this.lines = [{ sku: `sku-${n}`, amount: 1 + n % 3 }, { sku: `sku-${n + 1}`, amount: 1 }]; }
}
class Shop {
  products = new Map();
  carts = { guests: [], members: new Map() };
  constructor() { for (let n = 0; n < 24000; n++) this.products.set(`sku-${n}`, new Product(n)); }
  openGuestCart(n) { this.carts.guests.push(new GuestCart(n)); }
}
const shop = new Shop();
let n = 0;
rounds(async () => {
  for (let i = 0; i < 900; i++) shop.openGuestCart(n++);
});
