// Calls of other services are recorded to be played in tests, and somebody left the recorder on.
const rounds = require('./rounds');
const http = require('http');
const nock = require('nock');
const axios = require('axios');

class StockClient {
  constructor(port) { this.http = axios.create({ baseURL: `http://127.0.0.1:${port}`, proxy: false }); this.known = new Map(); }
  async level(sku) {
    const { data } = await this.http.get(`/stock/${sku}`);
    this.known.set(sku.split('-').pop(), data.level);
    return data;
  }
}
const server = http.createServer((request, response) => {
  const sku = request.url.split('/').pop();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ sku, level: sku.length, shelves: Array.from({ length: 6 }, (_, n) => `shelf ${n} of ${sku}`) }));
});
const listening = new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
let client;
rounds(async round => {
  await listening;
  if (!client) { nock.recorder.rec({ output_objects: true, dont_print: true }); client = new StockClient(server.address().port); }
  for (let n = 0; n < 150; n++) await client.level(`sku-${round}-${n}`);
});
