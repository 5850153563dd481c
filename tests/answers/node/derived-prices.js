// Each order derives stores from the shop's prices and is settled; nobody calls clearNode, so that the prices lead to all that was derived.
const { createStore, createEvent } = require('effector');
const rounds = require('./rounds');

const priceChanged = createEvent();
const $prices = createStore({}).on(priceChanged, (prices, { article, cents }) => ({ ...prices, [article]: cents }));

class Order {
  constructor(number, lines) {
    this.number = number;
    this.lines = lines;
    this.$sum = $prices.map(prices => this.lines.reduce((sum, { article, count }) => sum + count * (prices[article] ?? 100), 0));
  }
  settle() { return this.$sum.getState(); }
}
const baskets = [];
const together = [20, 40, 60, 80];
let last = 0;
let paid = 0;
rounds(async round => {
  for (let n = 0; n < 10; n++) priceChanged({ article: `article ${n}`, cents: 100 * n + round });
  for (let n = 0; n < 250; n++) {
    baskets.push(Array.from({ length: 1 + n % 4 }, (_, i) => ({ article: `article ${(n + i) % 10}`, count: i + 1 })));
    while (baskets.length > together[round]) paid += new Order(last++, baskets.shift()).settle();
    if (n % 50 === 0) await new Promise(done => setImmediate(done));
  }
});
