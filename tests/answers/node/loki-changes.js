// Baskets are in a database in memory (LokiJS), which was made with its log of changes, to send them to a second shop one day. Nobody sends them, and nobody empties the log. Baskets themselves are removed.
const rounds = require('./rounds');
const Loki = require('lokijs');

const database = new Loki('shop.db', { adapter: new Loki.LokiMemoryAdapter(), autosave: false });
const articles = database.addCollection('articles', { unique: ['number'], indices: ['shelf'] });
const baskets = database.addCollection('baskets', { unique: ['visitor'], disableChangesApi: false, disableDeltaChangesApi: true });
for (let n = 0; n < 1500; n++) articles.insert({ number: n, shelf: n % 40, title: `article ${n}`, words: [`w${n % 90}`, `v${n % 70}`] });

class BasketService {
  constructor(articles, baskets) {
    this.articles = articles;
    this.baskets = baskets;
    this.settled = 0;
    this.busy = this.baskets.addDynamicView('busy');
    this.busy.applyFind({ count: { $gt: 3 } });
  }
  put(visitor, number) {
    const article = this.articles.by('number', number);
    const basket = this.baskets.by('visitor', visitor) ?? this.baskets.insert({ visitor, lines: [], count: 0 });
    basket.lines.push({ number, title: article.title });
    basket.count++;
    this.baskets.update(basket);
  }
  settle(visitor) {
    const basket = this.baskets.by('visitor', visitor);
    this.settled += basket.count;
    this.baskets.remove(basket);
  }
  onShelf(shelf) { return this.articles.chain().find({ shelf }).simplesort('number').limit(10).data(); }
}

const service = new BasketService(articles, baskets);
rounds(round => {
  for (let n = 0; n < 120; n++) {
    const visitor = `visitor ${round}-${n}`;
    for (let i = 0; i < 4; i++) service.put(visitor, (n * 13 + i * 7) % 1500);
    service.onShelf(n % 40);
    service.settle(visitor);
  }
});
