// A full cache of bounded size, of an object with keys in order.
const rounds = require('./rounds');

class Article {
  constructor(id) { this.id = id; this.text = `article ${id} `.repeat(20); this.tags = [`a${id}`, `b${id}`]; }
}
const articles = [];
rounds(round => {
  for (let n = 0; n < 4000; n++) {
    articles.push(new Article(round * 4000 + n));
    if (articles.length > 1500) articles.shift();
  }
});
