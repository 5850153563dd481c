// Pages that a server renders are kept by their whole address.
const rounds = require('./rounds');

class RenderedPage {
  constructor(url) { this.url = url; this.blocks = Array.from({ length: 6 }, (_, n) => ({ html: `<p>${url} ${n}</p>` })); }
}
class Renderer {
  constructor() { this.pages = {}; }
  render(url) { return this.pages[url] ??= new RenderedPage(url); }
}
const renderer = new Renderer();
rounds(round => {
  for (let n = 0; n < 1200; n++) renderer.render(`/shop?utm=${round}-${n}`);
});
