// Pages are rendered by React as streams. Reviews come from a service that sometimes answers nobody; nobody aborts those pages.
const rounds = require('./rounds');
const React = require('react');
const { renderToPipeableStream } = require('react-dom/server');
const { Writable } = require('stream');
const h = React.createElement;

class ReviewService {
  constructor() { this.waiting = new Map(); this.settled = new Map(); }
  load(sku) {
    if (this.settled.has(sku)) return this.settled.get(sku);
    const found = this.answers(sku)
      ? Promise.resolve([{ stars: 5, text: `good ${sku}` }, { stars: 3, text: `so so ${sku}` }])
      : new Promise(resolve => this.waiting.set(sku, { sku, resolve, asked: Date.now() }));
    this.settled.set(sku, found);
    if (this.settled.size > 60) this.settled.delete(this.settled.keys().next().value);
    return found;
  }
  answers(sku) { return sku.charCodeAt(sku.length - 1) % 4 !== 0; }
}
const reviews = new ReviewService();
function Reviews({ sku }) {
  return h('ul', null, React.use(reviews.load(sku)).map((review, n) => h('li', { key: n }, review.stars, ' ', review.text)));
}
function Product({ sku, related }) {
  return h('html', null, h('body', null, h('h1', null, sku),
    h('nav', null, related.map(other => h('a', { key: other, href: `/p/${other}` }, other))),
    h(React.Suspense, { fallback: h('p', null, 'reviews come') }, h(Reviews, { sku }))));
}
class Response extends Writable {
  constructor(url) { super(); this.url = url; this.bytes = 0; this.headers = { 'content-type': 'text/html', etag: `"${url}"` }; }
  _write(chunk, encoding, done) { this.bytes += chunk.length; done(); }
}
class ShopServer {
  constructor() { this.served = 0; this.errors = 0; this.latest = []; }
  get(sku, related) {
    return new Promise(resolve => {
      const response = new Response(`/p/${sku}`);
      const { pipe } = renderToPipeableStream(h(Product, { sku, related }), {
        onShellReady: () => { pipe(response); setImmediate(resolve); },
        onError: () => this.errors++,
      });
      response.on('finish', () => this.served++);
      this.latest.push(response.url);
      if (this.latest.length > 100) this.latest.shift();
    });
  }
}
const shop = new ShopServer();
rounds(async round => { for (let n = 0; n < 240; n++) await shop.get(`sku-${round}-${n}`, Array.from({ length: 10 }, (_, i) => `sku-${round}-${n + i}`)); });
