// A catalogue is loaded anew each time, and the shop sells twice as much the last time. There are two dumps.
const rounds = require('./rounds');

class Product { constructor(n) { this.sku = `sku-${n}`; this.tags = [`t${n % 7}`, `u${n % 11}`]; } }
let catalogue = new Map();
rounds(round => {
  const next = new Map();
  for (let n = 0; n < [2000, 2000, 4000][round]; n++) next.set(`sku-${n}`, new Product(n));
  catalogue = next;
});
