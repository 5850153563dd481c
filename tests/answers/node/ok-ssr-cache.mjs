// A cache of rendered pages that is bounded by their size, full since the first round.
import rounds from './rounds.js';

class Page { constructor(url) { this.url = url; this.html = `<h1>${url}</h1>`.repeat(1 + (url.length % 7)); this.parts = [url, this.html.length]; } }
class SizedCache {
  constructor(most) { this.most = most; this.size = 0; this.pages = new Map(); }
  get(url) {
    let page = this.pages.get(url);
    if (page) this.pages.delete(url); else { page = new Page(url); this.size += page.html.length; }
    this.pages.set(url, page);
    while (this.size > this.most) { const [old, gone] = this.pages.entries().next().value; this.pages.delete(old); this.size -= gone.html.length; }
    return page;
  }
}
const cache = new SizedCache(150_000);
rounds(round => { for (let n = 0; n < 6000; n++) cache.get(`/shop/${(round * 6000 + n) * 37 % 5003}`); });
