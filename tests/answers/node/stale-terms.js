// Articles of a shop change all day and are replaced in an index for searching. The index was told not to tidy up, so words of old versions stay in it.
const rounds = require('./rounds');
const MiniSearch = require('minisearch');

class ArticleSearch {
  constructor() {
    this.index = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'], autoVacuum: false });
    this.versions = new Map();
  }
  put(id, title, text) {
    const document = { id, title, text };
    if (this.versions.has(id)) this.index.replace(document); else this.index.add(document);
    this.versions.set(id, (this.versions.get(id) ?? 0) + 1);
  }
  find(words) { return this.index.search(words, { prefix: true }).slice(0, 3); }
}
const articles = new ArticleSearch();
let batch = 0;
rounds(() => {
  for (let pass = 0; pass < 4; pass++, batch++) {
    for (let n = 0; n < 150; n++) {
      const words = Array.from({ length: 8 }, (_, w) => `lot${(batch * 7919 + n * 104729 + w * 1299709) % 9999991}`);
      articles.put(`article-${n}`, `lamp ${n}`, words.join(' '));
    }
  }
  articles.find('lamp');
});
