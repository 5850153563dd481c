// Each test starts a server of its own that answers for the shop, and does not close it.
const rounds = require('./rounds');
const http = require('http');

class MockShop {
  constructor(test) {
    this.test = test;
    this.recorded = Array.from({ length: 40 }, (_, n) => ({ path: `/products/${n}`, test }));
    this.server = http.createServer((request, response) => this.answer(request, response));
  }
  answer(request, response) { this.recorded.push({ path: request.url }); response.end('{}'); }
  start() { return new Promise(resolve => this.server.listen(0, resolve)); }
}
rounds(async round => { for (let n = 0; n < 60; n++) await new MockShop(`test ${round}-${n}`).start(); });
