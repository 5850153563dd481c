// A shop of some size: express, sessions, metrics, a cache of pages, a log ring, checks by zod. Whoever watches an order listens to an event of that order's name, and nobody stops.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const session = require('express-session');
const { EventEmitter } = require('events');
const { LRUCache } = require('lru-cache');
const prometheus = require('prom-client');
const pino = require('pino');
const { z } = require('zod');

class LogRing {
  constructor(most) { this.most = most; this.lines = []; this.next = 0; }
  write(line) { if (this.lines.length < this.most) this.lines.push(line); else this.lines[this.next++ % this.most] = line; }
}
class OrderStatus {
  constructor(id, user) { this.id = id; this.user = user; this.steps = [{ at: 0, text: `${id} was placed by ${user}` }]; this.state = 'placed'; }
  move(state) { this.state = state; this.steps.push({ at: this.steps.length, text: `${this.id} is ${state}` }); }
}
class OrderDesk {
  constructor(bus, journal) { this.bus = bus; this.journal = journal; this.open = new Map(); }
  place(user, lines) {
    const order = new OrderStatus(`order-${++OrderDesk.count}`, user);
    order.lines = lines;
    this.open.set(order.id, order);
    return order;
  }
  ship(order) {
    order.move('packed');
    this.bus.emit(`order:${order.id}:packed`, order);
    order.move('shipped');
    this.bus.emit(`order:${order.id}:shipped`, order);
    this.open.delete(order.id);
    this.journal.write({ id: order.id, steps: order.steps.length });
  }
}
OrderDesk.count = 0;
class Tracker {
  constructor(bus) { this.bus = bus; this.notified = 0; }
  watch(order, request) {
    const view = { order, agent: request.get('user-agent'), path: request.path, seen: [] };
    this.bus.on(`order:${order.id}:packed`, ({ state }) => view.seen.push(state));
    this.bus.on(`order:${order.id}:shipped`, ({ state }) => { view.seen.push(state); this.notified++; });
  }
}

const log = new LogRing(500);
const logger = pino({ level: 'info' }, { write: line => log.write(line) });
const bus = new EventEmitter();
const desk = new OrderDesk(bus, new LogRing(300));
const tracker = new Tracker(bus);
const pages = new LRUCache({ max: 200 });
const registry = new prometheus.Registry();
const timings = new prometheus.Histogram({ name: 'shop_seconds', help: 'time', labelNames: ['route', 'status'], registers: [registry] });
const Order = z.object({ user: z.string().min(1), lines: z.array(z.object({ sku: z.string(), count: z.number().int().positive() })).min(1) });

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.use(session({ secret: 'words', resave: false, saveUninitialized: false, store: new session.MemoryStore() }));
app.use((request, response, next) => {
  const stop = timings.startTimer();
  response.on('finish', () => { stop({ route: request.route?.path ?? 'none', status: response.statusCode }); logger.info({ path: request.path, status: response.statusCode }, 'answered'); });
  next();
});
app.get('/pages/:name', (request, response) => {
  let page = pages.get(request.params.name);
  if (!page) pages.set(request.params.name, page = `<h1>${request.params.name}</h1>${`<p>words of ${request.params.name}</p>`.repeat(8)}`);
  response.send(page);
});
app.post('/orders', (request, response) => {
  const { user, lines } = Order.parse(request.body);
  const order = desk.place(user, lines);
  tracker.watch(order, request);
  setImmediate(() => desk.ship(order));
  response.status(201).json({ id: order.id });
});
app.use((error, request, response, next) => response.status(400).json({ error: error.name }));

const server = http.createServer(app);
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const listening = new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const ask = (method, path, body) => new Promise((resolve, reject) => {
  const text = body && JSON.stringify(body);
  const request = http.request({ agent, port: server.address().port, host: '127.0.0.1', method, path, headers: { 'user-agent': 'shop-app/2', ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }) } },
    response => { response.resume(); response.on('end', resolve); });
  request.on('error', reject);
  request.end(text);
});
rounds(async round => {
  await listening;
  for (let n = 0; n < 300; n++) {
    await ask('GET', `/pages/page-${(n * 7 + round * 90) % 400}`);
    await ask('POST', '/orders', { user: `user-${n % 40}`, lines: [{ sku: `sku-${n}`, count: 1 + n % 3 }, ...['bag', 'card', 'ribbon', 'stamp'].map(sku => ({ sku, count: 1 }))] });
    if (n % 50 === 0) await ask('POST', '/orders', { user: '' });
  }
});
