// Each connection listens to a store of zustand for the prices that it shows, and does not stop when it goes.
const rounds = require('./rounds');
const { createStore } = require('zustand/vanilla');

const prices = createStore(set => ({
  bySku: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`sku-${n}`, 1000 + n])),
  change: (sku, cents) => set(state => ({ bySku: { ...state.bySku, [sku]: cents } })),
}));
class PriceFeed {
  #sent = 0;
  constructor(client, skus) { this.client = client; this.skus = skus; this.last = skus.map(sku => ({ sku, cents: prices.getState().bySku[sku] })); }
  open() { prices.subscribe((state, before) => { if (this.skus.some(sku => state.bySku[sku] !== before.bySku[sku])) this.send(state); }); }
  send(state) { this.#sent++; this.last = this.skus.map(sku => ({ sku, cents: state.bySku[sku] })); }
  get sent() { return this.#sent; }
}
class FeedServer {
  constructor() { this.connections = new Set(); this.sent = 0; }
  connect(client, skus) { const feed = new PriceFeed(client, skus); feed.open(); this.connections.add(feed); return feed; }
  close(feed) { this.connections.delete(feed); this.sent += feed.sent; }
}
const feeds = new FeedServer();
rounds(round => {
  for (let n = 0; n < 400; n++) {
    const feed = feeds.connect(`client-${round}-${n}`, Array.from({ length: 8 }, (_, i) => `sku-${(n + i * 5) % 50}`));
    if (n % 40 === 0) prices.getState().change(`sku-${n % 50}`, round * 1000 + n);
    feeds.close(feed);
  }
});
