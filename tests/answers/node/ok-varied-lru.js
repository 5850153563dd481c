// A cache of 800 places as a ring of links; pages in it are of very different size, so that its bytes go up and down.
const rounds = require('./rounds');

class Link { constructor(key, page) { this.key = key; this.page = page; this.next = this.prev = this; } }
class PageCache {
  constructor(limit) { this.limit = limit; this.links = new Map(); this.ring = new Link(); }
  get(key, make) {
    let link = this.links.get(key);
    if (link) { link.prev.next = link.next; link.next.prev = link.prev; } else this.links.set(key, link = new Link(key, make(key)));
    link.next = this.ring.next; link.prev = this.ring; link.next.prev = this.ring.next = link;
    if (this.links.size > this.limit) {
      const last = this.ring.prev;
      last.prev.next = this.ring; this.ring.prev = last.prev;
      this.links.delete(last.key);
    }
    return link.page;
  }
}
const pageCache = new PageCache(800);
let seed = 7;
const random = n => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
rounds(round => {
  const blocks = [6, 9, 5, 8][round];
  for (let n = 0; n < 5000; n++) pageCache.get(`page-${random(3000)}`, key => Array.from({ length: 1 + random(blocks * 2) }, (_, i) => `${key} ${i}`));
});
