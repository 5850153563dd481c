// Histograms of routes, whose buckets come when they are first needed, and a window of the last minutes.
const rounds = require('./rounds');

class Histogram { constructor() { this.buckets = new Map(); } add(ms) { const b = Math.min(20, Math.floor(Math.log2(ms + 1))); this.buckets.set(b, (this.buckets.get(b) ?? 0) + 1); } }
const routes = new Map();
const minutes = [];
let seed = 7;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
rounds(() => {
  for (let n = 0; n < 15000; n++) {
    const route = `/route/${n % 150}`;
    if (!routes.has(route)) routes.set(route, new Histogram());
    routes.get(route).add(Math.floor(random() ** 3 * 4000));
    if (n % 100 === 0) { minutes.push({ n, slow: Array.from({ length: 5 }, () => random()) }); if (minutes.length > 120) minutes.shift(); }
  }
});
