// A shop in its first hour: sessions become more and end, a cache of pages fills up to its limit, templates compile when first used. The journal of visits
// is written every ten minutes, but those of visitors without a session are put back each time.
const rounds = require('./rounds');

class Sessions {
  constructor() { this.open = new Map(); }
  start(id) { this.open.set(id, { id, basket: [], seen: new Set(), since: Date.now() }); }
  end(id) { this.open.delete(id); }
}
class PageCache {
  constructor(most) { this.most = most; this.pages = new Map(); }
  get(path, make) {
    let page = this.pages.get(path);
    if (page) this.pages.delete(path);
    else page = { path, html: make(path), tags: [`t${path.length}`] };
    this.pages.set(path, page);
    if (this.pages.size > this.most) this.pages.delete(this.pages.keys().next().value);
    return page;
  }
}
class Journal {
  constructor() { this.waiting = []; this.written = 0; }
  note(visit) { this.waiting.push(visit); }
  flush() {
    const again = [];
    for (const visit of this.waiting) {
      if (visit.session) this.written++;
      else again.push(visit);
    }
    this.waiting = again;
  }
}
const sessions = new Sessions();
const cache = new PageCache(1200);
const journal = new Journal();
const templates = new Map();
const order = [];
const together = [100, 200, 300, 400];
let last = 0;
rounds(round => {
  for (let n = 0; n < 2000; n++) {
    const id = `s${last++}`;
    const path = `/articles/${(n * 17 + round * 400) % 2400}`;
    const kind = `kind ${n % (8 + 4 * round)}`;
    if (!templates.has(kind)) templates.set(kind, new Function('path', `return '<h1>${kind}</h1>' + path.repeat(3);`));
    cache.get(path, templates.get(kind));
    if (n % 5 === 0) journal.note({ path, at: last, agent: `crawler ${n % 50}` });
    else {
      sessions.start(id);
      order.push(id);
      journal.note({ path, at: last, session: id });
    }
    while (order.length > together[round]) sessions.end(order.shift());
    if (n % 500 === 499) journal.flush();
  }
});
