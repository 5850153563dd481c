// A client that caches answers in a store which is an EventEmitter (sindresorhus/got#792).
const EventEmitter = require('events');
const http = require('http');
const got = require('got');
const rounds = require('./rounds');

class DiskStore extends EventEmitter {
  constructor() {
    super();
    this.entries = new Map();
  }
  async get(key) { return this.entries.get(key); }
  async set(key, value) { this.entries.set(key, value); }
  async delete(key) { return this.entries.delete(key); }
}

const server = http.createServer((request, response) => {
  response.setHeader('Cache-Control', 'max-age=300');
  response.end(JSON.stringify({ sku: request.url.slice(1), price: 12 }));
});
const answers = new DiskStore();

rounds(async () => {
  if (!server.listening) await new Promise(done => server.listen(0, done));
  for (let i = 0; i < 300; i++)
    await got(`http://localhost:${server.address().port}/${i % 20}`, { cache: answers, responseType: 'json' });
});
