// Pages are in a cache of 200. An index says which pages have which tag, to throw them out together; a page that falls out of the cache stays in the index.
import rounds from './rounds.js';

class PageCache {
  constructor(most) { this.most = most; this.pages = new Map(); this.keysByTag = new Map(); }
  put(key, html, tags) {
    this.pages.set(key, { key, html, tags });
    for (const tag of tags) {
      let keys = this.keysByTag.get(tag);
      if (!keys) this.keysByTag.set(tag, keys = new Set());
      keys.add(key);
    }
    if (this.pages.size > this.most) this.pages.delete(this.pages.keys().next().value);
  }
  dropTag(tag) {
    for (const key of this.keysByTag.get(tag) ?? []) this.pages.delete(key);
    this.keysByTag.delete(tag);
  }
}
const cache = new PageCache(200);
rounds(round => {
  for (let n = 0; n < 1500; n++) cache.put(`/article/${round}-${n}?from=search`, `<h1>article ${n}</h1>`, ['articles', `author-${n % 12}`, `section-${n % 5}`]);
  cache.dropTag('front');
});
