// A shop of some size: sessions end, the cache of pages is full, logs are a ring, parts are loaded when first needed, watchers stop. Load changes from round to round.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const { EventEmitter } = require('events');
const { LRUCache } = require('lru-cache');
const prometheus = require('prom-client');
const pino = require('pino');

class LogRing {
  constructor(most) { this.most = most; this.lines = []; this.next = 0; }
  write(line) { if (this.lines.length < this.most) this.lines.push(line); else this.lines[this.next++ % this.most] = line; }
}
class Sessions {
  constructor(ttl) { this.ttl = ttl; this.now = 0; this.byUser = new Map(); }
  open(user) {
    this.now++;
    for (const [key, one] of this.byUser) { if (one.until > this.now) break; this.byUser.delete(key); }
    this.byUser.delete(user);
    const one = { user, until: this.now + this.ttl, visits: Array.from({ length: 5 }, (_, n) => ({ n, path: `/${user}/${n}` })) };
    this.byUser.set(user, one);
    return one;
  }
}
class Watchers {
  constructor(bus) { this.bus = bus; this.seen = 0; }
  async watch(order) {
    const moved = () => this.seen++;
    this.bus.on(`order:${order}`, moved);
    try { await null; this.bus.emit(`order:${order}`); } finally { this.bus.off(`order:${order}`, moved); }
  }
}
const log = new LogRing(400);
const logger = pino({ level: 'info' }, { write: line => log.write(line) });
const sessions = new Sessions(150);
const watchers = new Watchers(new EventEmitter());
const pages = new LRUCache({ max: 150 });
const registry = new prometheus.Registry();
const requests = new prometheus.Counter({ name: 'shop_requests', help: 'count', labelNames: ['route', 'status'], registers: [registry] });
const lazy = { zod: null, invoice: null, mail: null };

const app = express();
app.use((request, response, next) => {
  sessions.open(request.get('x-user'));
  response.on('finish', () => { requests.inc({ route: request.route?.path ?? 'none', status: response.statusCode }); logger.info({ path: request.path }, 'answered'); });
  next();
});
app.get('/pages/:name', (request, response) => {
  let page = pages.get(request.params.name);
  if (!page) pages.set(request.params.name, page = `<p>words of ${request.params.name}</p>`.repeat(10));
  response.send(page);
});
app.get('/orders/:id', async (request, response) => { await watchers.watch(request.params.id); response.json({ id: request.params.id }); });
app.get('/lazy/:part', (request, response) => {
  if (request.params.part === 'zod') lazy.zod ??= require('zod');
  if (request.params.part === 'invoice') lazy.invoice ??= require('handlebars').compile('<p>{{name}} {{#each lines}}<i>{{this}}</i>{{/each}}</p>');
  if (request.params.part === 'mail') lazy.mail ??= require('i18next').createInstance();
  response.json({ part: request.params.part });
});

const server = http.createServer(app);
const agent = new http.Agent({ keepAlive: true, maxSockets: 6 });
const listening = new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const ask = (path, user) => new Promise((resolve, reject) => {
  http.get({ agent, port: server.address().port, host: '127.0.0.1', path, headers: { 'x-user': user } }, response => { response.resume(); response.on('end', resolve); }).on('error', reject);
});
rounds(async round => {
  await listening;
  const count = [250, 420, 300, 380][round];
  for (let n = 0; n < count; n++) {
    await Promise.all([ask(`/pages/page-${(n * 7 + round * 90) % 400}`, `user-${round}-${n % 200}`), ask(`/orders/${round}-${n}`, `user-${round}-${n % 90}`)]);
  }
  await ask(`/lazy/${['none', 'zod', 'invoice', 'mail'][round]}`, 'user');
});
