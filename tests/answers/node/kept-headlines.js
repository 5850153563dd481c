// The headlines of pages are kept for a newsletter as what the search found on the page, and each has its whole page with it.
const rounds = require('./rounds');
const cheerio = require('cheerio');

class Newsletter {
  constructor() { this.headlines = []; }
  add(html) {
    const $ = cheerio.load(html);
    const headline = $('h1').first();
    if (headline.text().length > 5) this.headlines.push(headline);
  }
  subjects() { return this.headlines.map(headline => headline.text()); }
}
const newsletter = new Newsletter();
function page(id) {
  const paragraphs = Array.from({ length: 12 }, (_, n) => `<p class="part">Part ${n} of article ${id} says <b>more</b> than before.</p>`);
  return `<html><body><header><h1>Article ${id}</h1></header><main>${paragraphs.join('')}</main></body></html>`;
}
rounds(round => { for (let n = 0; n < 100; n++) newsletter.add(page(`${round}-${n}`)); });
