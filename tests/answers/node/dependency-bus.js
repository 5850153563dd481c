// Each view subscribes at a bus that a package brought, minified, and never leaves.
const rounds = require('./rounds');
const { Bus } = require('lite-bus');

class BasketView {
  constructor(user) { this.user = user; this.lines = Array.from({ length: 15 }, (_, n) => ({ n, sku: `sku-${n}-${user}` })); }
  open() { Bus.on('prices', change => this.show(change)); }
  show(change) { this.last = change; }
}
let n = 0;
rounds(async () => {
  for (let i = 0; i < 500; i++) new BasketView(n++).open();
});
