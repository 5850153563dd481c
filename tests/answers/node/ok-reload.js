// Prices are loaded anew each round, into a new map: the old one goes.
const rounds = require('./rounds');

class Price { constructor(n, round) { this.sku = `sku-${n}`; this.amount = n * 0.99 + round; this.currency = 'EUR'; this.tiers = [{ from: 1, off: 0 }, { from: 10, off: n % 5 }]; } }
class PriceList {
  load(round) {
    const bySku = new Map();
    for (let i = 0; i < [6000, 6010, 6040, 6025][round]; i++) bySku.set(`sku-${i}`, new Price(i, round));
    this.bySku = bySku;
  }
}
const priceList = new PriceList();
rounds(async round => { priceList.load(round); });
