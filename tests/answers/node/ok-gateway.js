// A gateway in front of three services: calls are limited by user in windows; each service has a breaker, and a pool of connections that grows with the load to its limit.
const rounds = require('./rounds');
const http = require('http');
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const CircuitBreaker = require('opossum');
const genericPool = require('generic-pool');

class Connection {
  constructor(service, number) {
    this.service = service;
    this.number = number;
    this.scratch = Buffer.alloc(4096);
    this.answers = 0;
  }
  async call(path) {
    await new Promise(resolve => setTimeout(resolve, 1 + this.answers++ % 3));
    if (path.endsWith('17')) throw new Error(`${this.service} does not know ${path}`);
    return { path, rows: Array.from({ length: 20 }, (_, n) => ({ n, text: `${path} ${n}` })) };
  }
}

class Backend {
  constructor(name) {
    this.name = name;
    this.made = 0;
    this.pool = genericPool.createPool({
      create: async () => new Connection(name, this.made++),
      destroy: async () => {},
    }, { min: 2, max: 16 });
    this.breaker = new CircuitBreaker(path => this.pool.use(connection => connection.call(path)), {
      timeout: 2000, errorThresholdPercentage: 80, resetTimeout: 200, rollingCountTimeout: 1000, rollingCountBuckets: 10, name,
    });
    this.breaker.fallback(path => ({ path, rows: [] }));
  }
  ask(path) { return this.breaker.fire(path); }
}

const backends = Object.fromEntries(['orders', 'stock', 'prices'].map(name => [name, new Backend(name)]));
const counts = { served: 0, limited: 0 };
const app = express();
app.use(rateLimit({
  windowMs: 400, limit: 30, standardHeaders: 'draft-7', legacyHeaders: false, keyGenerator: req => req.get('x-user'),
  handler: (req, res) => { counts.limited++; res.status(429).end(); },
}));
app.get('/:service/:id', async (req, res, next) => {
  try {
    const answer = await backends[req.params.service].ask(`/${req.params.service}/${req.params.id}`);
    counts.served++;
    res.json(answer);
  } catch (error) {
    next(error);
  }
});

const server = app.listen(0);
const agent = new http.Agent({ keepAlive: true, maxSockets: 48 });
const get = (path, user) => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent, headers: { 'x-user': user } }, res => res.resume().on('end', resolve))
    .on('error', reject);
});

const load = [{ clients: 12, users: 60 }, { clients: 20, users: 200 }, { clients: 36, users: 140 }, { clients: 48, users: 260 }];
rounds(async round => {
  const { clients, users } = load[round];
  const names = Object.keys(backends);
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let n = 0; n < 25; n++) {
      await get(`/${names[(client + n) % 3]}/${client * 25 + n}`, `user-${round}-${(client * 25 + n) % users}`);
    }
  }));
});
