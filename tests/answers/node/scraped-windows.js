// Prices are read from pages of shops in windows of jsdom, whose scripts have timers; the windows are never closed.
const rounds = require('./rounds');
const { JSDOM } = require('jsdom');

class ShopPage {
  constructor(html) { this.dom = new JSDOM(html, { runScripts: 'outside-only', pretendToBeVisual: false }); }
  hydrate() {
    this.dom.window.eval(`
      document.querySelector('.price').textContent = Number(document.body.dataset.cents) / 100;
      setInterval(() => document.querySelector('.clock').textContent = Date.now(), 60000);
    `);
  }
  price() { return Number(this.dom.window.document.querySelector('.price').textContent); }
}
class PriceScraper {
  constructor() { this.prices = {}; }
  read(shop, cents) {
    const page = new ShopPage(`<body data-cents="${cents}"><i class="clock"></i>${'<p>words</p>'.repeat(20)}<b class="price"></b></body>`);
    page.hydrate();
    this.prices[shop] = page.price();
  }
}
const scraper = new PriceScraper();
rounds(round => { for (let n = 0; n < 8; n++) scraper.read(`shop-${n}`, round * 1000 + n); });
