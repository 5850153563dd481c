// Pages are read in windows of jsdom that are closed when they have been read; the last four are kept.
const rounds = require('./rounds');
const { JSDOM } = require('jsdom');

class Previews {
  constructor() { this.recent = []; }
  open(html) {
    const dom = new JSDOM(html, { runScripts: 'outside-only' });
    dom.window.eval('setInterval(() => document.title += ".", 60000)');
    this.recent.push(dom);
    if (this.recent.length > 4) this.recent.shift().window.close();
    return dom.window.document.querySelectorAll('li').length;
  }
}
const previews = new Previews();
rounds(round => { for (let n = 0; n < 9; n++) previews.open(`<ul>${`<li>item ${round}</li>`.repeat(10 + n)}</ul>`); });
