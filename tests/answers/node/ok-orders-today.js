// The orders of the day are in memory until the shop closes and writes them; dumps are taken in the afternoon.
const rounds = require('./rounds');

class Order {
  constructor(number, customer) { this.number = number; this.customer = customer; this.lines = [{ article: `article ${number % 60}`, count: 1 + number % 3 }]; this.state = 'open'; }
}
class Day {
  constructor(date) { this.date = date; this.orders = new Map(); this.totals = {}; }
  add(order) {
    this.orders.set(order.number, order);
    this.totals[order.customer] = (this.totals[order.customer] ?? 0) + order.lines.length;
  }
  close() { return [...this.orders.values()].filter(order => order.state === 'open').length; }
}
const shop = { today: new Day(0), closed: [] };
let last = 0;
let hour = 8;
rounds(async () => {
  for (let n = 0; n < 900; n++) shop.today.add(new Order(last++, `customer ${n % 120}`));
  hour += 3;
  if (hour >= 24) {
    shop.closed.push({ date: shop.today.date, open: shop.today.close() });
    shop.today = new Day(shop.today.date + 1);
    hour = 8;
  }
});
