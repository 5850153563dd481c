// Pages are built as strings by a function h; it knows by an object which strings are its own and need no escaping (developit/vhtml#20).
const h = require('vhtml');
const rounds = require('./rounds');

const Price = ({ cents }) => h('b', { class: 'price' }, (cents / 100).toFixed(2));
const Row = ({ article }) => h('li', { id: article.id }, h('a', { href: `/a/${article.id}` }, article.title), h(Price, { cents: article.cents }));
const Page = ({ visitor, articles }) => h('main', null,
  h('h1', null, `Good day, ${visitor}`),
  h('ul', null, articles.map(article => h(Row, { article }))),
  h('footer', null, `page of ${visitor}`));

class Shop {
  constructor(count) { this.articles = Array.from({ length: count }, (_, n) => ({ id: `a${n}`, title: `Chair <${n}>`, cents: 4900 + n })); this.served = 0; }
  serve(visitor, from) {
    const page = h(Page, { visitor, articles: this.articles.slice(from, from + 8) });
    this.served++;
    return Buffer.byteLength(page);
  }
}
const shop = new Shop(60);
let visitors = 0;
let bytes = 0;
rounds(() => {
  for (let i = 0; i < 900; i++) bytes += shop.serve(`visitor ${visitors++}`, i % 50);
});
