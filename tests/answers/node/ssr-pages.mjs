// Pages rendered on the server are kept by route and search, as a framework's incremental cache that knows no bound.
import rounds from './rounds.js';

class CachedPage {
  constructor(html, data) { this.html = html; this.data = data; this.revalidate = false; }
}
class IncrementalCache {
  constructor() { this.memory = new Map(); }
  async get(key, make) {
    let hit = this.memory.get(key);
    if (!hit) this.memory.set(key, hit = await make());
    return hit;
  }
}
globalThis[Symbol.for('shop.requestHandler')] = { cache: new IncrementalCache(), routes: ['/', '/search'] };
async function handle(url) {
  const { cache } = globalThis[Symbol.for('shop.requestHandler')];
  return cache.get(url.pathname + url.search, async () => {
    const items = await Promise.all(Array.from({ length: 5 }, async (_, n) => ({ id: n, title: `${url.search} ${n}` })));
    return new CachedPage(`<ul>${items.map(i => `<li>${i.title}`).join('')}</ul>`, items);
  });
}
rounds(async round => {
  for (let n = 0; n < 900; n++) await handle(new URL(`http://shop/search?q=${round}-${n}`));
});
