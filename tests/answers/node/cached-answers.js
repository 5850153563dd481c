// Prices are asked for by axios with a cache around it, whose memory has no limit; each question has the time in its address.
const rounds = require('./rounds');
const axios = require('axios');
const { setupCache } = require('axios-cache-interceptor');

const adapter = async config => ({
  data: { url: config.url, prices: Array.from({ length: 10 }, (_, n) => ({ place: `place ${n}`, cents: 100 + n })) },
  status: 200, statusText: 'OK', headers: { 'content-type': 'application/json' }, config,
});
const exchange = setupCache(axios.create({ baseURL: 'http://prices.example', adapter }), { ttl: 3600000, interpretHeader: false });
class Ticker {
  constructor(client) { this.client = client; this.last = 0; }
  async ask(symbol, at) {
    const { data } = await this.client.get(`/price/${symbol}`, { params: { at } });
    this.last = data.prices[0].cents;
  }
}
const ticker = new Ticker(exchange);
rounds(async round => { for (let n = 0; n < 250; n++) await ticker.ask(['AIR', 'BMW', 'ENI'][n % 3], round * 1000 + n); });
