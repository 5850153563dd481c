// Pages are rendered into a cache of at most 8,000, which is filled by a half when the last dump is taken; requests under way become more.
const { LRUCache } = require('lru-cache');
const rounds = require('./rounds');

class Page {
  constructor(path) { this.path = path; this.html = `<h1>${path}</h1><p>${'text '.repeat(8)}${path}</p>`; this.links = [path + '/next', path + '/prices']; }
}
class PageServer {
  constructor() { this.pages = new LRUCache({ max: 8000 }); this.underway = new Map(); this.hits = 0; }
  begin(number, path) { this.underway.set(number, { path, started: number }); }
  end() {
    const [number, { path }] = this.underway.entries().next().value;
    this.underway.delete(number);
    let page = this.pages.get(path);
    if (page) this.hits++;
    else this.pages.set(path, page = new Page(path));
    return page.html;
  }
}
const server = new PageServer();
const together = [30, 60, 90, 120];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1500; n++) {
    server.begin(last++, `/articles/${(n % 3 ? last : n % 100)}`);
    while (server.underway.size > together[round]) server.end();
    if (n % 100 === 0) await new Promise(done => setImmediate(done));
  }
});
