// A cache of rendered pages that never forgets one.
const { write, text } = require('./write.js');
class RenderedPage {
  constructor(url) { this.url = url; this.html = text('<p>' + url + '</p>', 1600); this.at = new Date(); }
}
class PageCache {
  constructor() { this.pages = new Map(); }
  get(url) {
    let page = this.pages.get(url);
    if (!page) this.pages.set(url, page = new RenderedPage(url));
    return page;
  }
}
const pageCache = new PageCache();
for (let i = 0; i < 900; i++) pageCache.get('/product?id=' + i);
write();
process.on('exit', () => pageCache.pages.size);
