// A cache of 300 pages is full; the list of what was asked for last, by which it drops pages, is never cut.
const rounds = require('./rounds');

class Page { constructor(url) { this.url = url; this.blocks = Array.from({ length: 30 }, (_, n) => ({ n, html: `<p>${n} of ${url}</p>` })); } }
class PageCache {
  constructor(limit) { this.limit = limit; this.pages = new Map(); this.accessOrder = []; }
  get(url) {
    this.accessOrder.push(url);
    let page = this.pages.get(url);
    if (!page) {
      if (this.pages.size >= this.limit) this.evict();
      this.pages.set(url, page = new Page(url));
    }
    return page;
  }
  evict() {
    for (const url of this.accessOrder) if (this.pages.delete(url)) return;
  }
}
const cache = new PageCache(300);
async function handle(request) {
  const url = new URL(request.url, 'http://shop.example');
  return cache.get(`${url.pathname}?page=${url.searchParams.get('page')}`).blocks.length;
}
rounds(async () => { for (let n = 0; n < 9000; n++) await handle({ url: `/articles/${n % 290}?page=${n % 3}&session=${n}` }); });
