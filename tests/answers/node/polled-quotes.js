// Quotes are asked for with a timeout of ten minutes, which nobody takes back when the answer is there (unjs/ofetch#361).
const http = require('http');
const { createFetch } = require('ofetch');
const rounds = require('./rounds');

const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ symbol: request.url.slice(1), cents: request.url.length * 100 }));
});

class Quotes {
  constructor(base) { this.ask = createFetch({ defaults: { baseURL: base, timeout: 600_000, retry: 0 } }); this.latest = new Map(); }
  async poll(symbol) {
    const quote = await this.ask(`/${symbol}`, { query: { at: this.latest.size } });
    this.latest.set(symbol, quote.cents);
  }
}
let quotes;
rounds(async round => {
  if (!server.listening) {
    await new Promise(done => server.listen(0, '127.0.0.1', done));
    quotes = new Quotes(`http://127.0.0.1:${server.address().port}`);
  }
  for (let i = 0; i < 300; i += 5) await Promise.all(Array.from({ length: 5 }, (_, k) => quotes.poll(`s${(i + k) % 60}`)));
});
