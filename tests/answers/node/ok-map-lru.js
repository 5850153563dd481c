// Articles are cached in a Map of at most 6,000, by taking out and putting back what is asked for; it fills up for hours. Orders come and go.
const rounds = require('./rounds');

class Lru {
  constructor(limit) { this.limit = limit; this.entries = new Map(); }
  get(key, load) {
    let value = this.entries.get(key);
    if (value === undefined) value = load(key);
    else this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value);
    return value;
  }
}
class Article {
  constructor(id) { this.id = id; this.title = `Article ${id}`; this.texts = { short: `about ${id}`, long: `more about ${id}`.repeat(2) }; }
}
const articles = new Lru(6000);
const orders = new Map();
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1600; n++) {
    const id = n % 2 ? last : n % 400;
    orders.set(last++, { article: articles.get(id, key => new Article(key)), count: n % 5 });
    while (orders.size > 50 + 40 * round) orders.delete(orders.keys().next().value);
    if (n % 200 === 0) await new Promise(done => setImmediate(done));
  }
});
