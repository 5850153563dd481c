// A cache that is full and in order: what is new pushes out what is old.
const rounds = require('./rounds');

class Article {
  constructor(n) {
    this.paragraphs = new Array(60).fill(n);
  }
}
const articles = new Map();
function read(n) {
  if (!articles.has(n)) articles.set(n, new Article(n));
  if (articles.size > 2000) articles.delete(articles.keys().next().value);
}

rounds(round => {
  for (let i = 0; i < 4100; i++) read(round * 1500 + i);
});
