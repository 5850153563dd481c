// A cache of two generations: when the young one has 800 entries it becomes the old one, and the old one goes.
const rounds = require('./rounds');

class TwoGenerations {
  constructor(limit) { this.limit = limit; this.young = new Map(); this.old = new Map(); }
  put(key, value) {
    this.young.set(key, value);
    if (this.young.size >= this.limit) { this.old = this.young; this.young = new Map(); }
  }
}
const translations = new TwoGenerations(800);
rounds(async round => {
  for (let n = 0; n < 1900; n++) translations.put(`text-${round}-${n}`, { text: `translated ${round}-${n}`, uses: n % 3 });
});
