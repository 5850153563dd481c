// Batches are worked off by p-map with the signal that ends the process; each run adds a listener that stays (sindresorhus/p-map#75). Load rises, results go through a window.
import pMap from 'p-map';
import rounds from './rounds.js';

const ending = new AbortController();

class Pipeline {
  constructor(signal) { this.signal = signal; this.window = []; this.done = 0; this.prices = new Map(); }
  loadPrices(round) { this.prices = new Map(Array.from({ length: 400 }, (_, n) => [`a${n}`, { cents: n * 10 + round, note: `price ${n} of round ${round}` }])); }
  async run(batch) {
    const results = await pMap(batch, async item => ({ item, cents: this.prices.get(item)?.cents ?? 0, text: `item ${item} of batch ${this.done}` }), { concurrency: 4, signal: this.signal });
    this.done++;
    this.window.push(...results);
    while (this.window.length > 500) this.window.shift();
  }
}
const pipeline = new Pipeline(ending.signal);
const load = [200, 260, 320, 380];
rounds(async round => {
  pipeline.loadPrices(round);
  for (let n = 0; n < load[round]; n++) await pipeline.run(Array.from({ length: 12 }, (_, i) => `a${(n + i) % 400}`));
});
