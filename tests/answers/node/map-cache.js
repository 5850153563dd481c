// Pages are cached by their whole address, and each has a number of its own in the query.
const rounds = require('./rounds');

class RenderedPage {
  constructor(url) {
    this.url = url;
    this.words = url.split('/');
    this.html = ['<h1>', url, '</h1>'];
  }
}
const renderedPages = new Map();

function render(url) {
  if (!renderedPages.has(url)) renderedPages.set(url, new RenderedPage(url));
  return renderedPages.get(url);
}

rounds(round => {
  for (let i = 0; i < 700; i++) render(`/shop/item/${i % 20}?utm=${round}-${i}`);
});
