// A gateway in its first minutes: routes compile their serializers when first asked, metrics get their labels, connections to
// the services behind open, answers are cached up to a limit, and each round has more load than the one before.
const http = require('http');
const { Writable } = require('stream');
const { AsyncLocalStorage } = require('async_hooks');
const fastify = require('fastify');
const pino = require('pino');
const { Pool } = require('undici');
const { LRUCache } = require('lru-cache');
const { Registry, Histogram, Counter, Gauge } = require('prom-client');
const rounds = require('./rounds');

const registry = new Registry();
const durations = new Histogram({ name: 'http_seconds', help: 'h', labelNames: ['route', 'method', 'status'], registers: [registry] });
const upstreamCalls = new Counter({ name: 'upstream_total', help: 'h', labelNames: ['service', 'status'], registers: [registry] });
new Gauge({ name: 'cached', help: 'h', registers: [registry], collect() { this.set(cache.size); } });

const cache = new LRUCache({ max: 400, ttl: 60_000 });
const context = new AsyncLocalStorage();
const log = pino({ level: 'info', mixin: () => ({ request: context.getStore()?.id }) }, new Writable({ write(chunk, encoding, done) { done(); } }));

// The services behind, on a port of this machine.
const services = http.createServer((request, response) => {
  const [, service, id] = request.url.split('/');
  response.statusCode = Number(id) % 17 === 16 ? 404 : 200;
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ service, id, title: `${service} ${id}`, tags: ['a', 'b'], stock: Number(id) % 9 }));
});

function gateway(pool) {
  const app = fastify({ logger: false });
  app.decorateRequest('started', 0);
  app.addHook('onRequest', (request, reply, done) => {
    request.started = performance.now();
    context.run({ id: request.id, user: request.headers['x-user'] }, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    durations.observe({ route: request.routeOptions.url, method: request.method, status: reply.statusCode }, (performance.now() - request.started) / 1000);
    log.info({ url: request.url }, 'answered');
  });
  for (const service of ['stock', 'prices', 'reviews', 'images', 'customers', 'baskets', 'orders', 'search', 'mails', 'banners']) {
    app.get(`/${service}/:id`, {
      schema: { response: { 200: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' }, stock: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } } } } },
    }, async (request, reply) => {
      const key = request.url;
      const known = cache.get(key);
      if (known) return known;
      const answer = await pool.request({ path: key, method: 'GET' });
      const body = await answer.body.json();
      upstreamCalls.inc({ service, status: answer.statusCode });
      if (answer.statusCode !== 200) return reply.code(answer.statusCode).send({ error: 'not found' });
      cache.set(key, body);
      return body;
    });
  }
  app.get('/metrics', async () => registry.metrics());
  return app;
}

const names = ['stock', 'prices', 'reviews', 'images', 'customers', 'baskets', 'orders', 'search', 'mails', 'banners'];
let app, asked = 0;
rounds(async round => {
  if (!app) {
    await new Promise(done => services.listen(0, done));
    app = gateway(new Pool(`http://localhost:${services.address().port}`, { connections: 8 }));
  }
  const load = 300 + 200 * round;
  for (let i = 0; i < load; i += 10) {
    // The later routes are asked for seldom, some in the third round for the first time.
    await Promise.all(Array.from({ length: 10 }, (_, j) => {
      const name = names[Math.floor(Math.min(names.length - 1, (asked++ * 7919 % 1000) / 1000 * (4 + 2 * round)))];
      return app.inject({ url: `/${name}/${Math.floor((asked * 104729 % 1000) ** 2 / 10000)}`, headers: { 'x-user': `u${asked % 50}` } });
    }));
    if (i % 100 === 0) await app.inject('/metrics');
  }
});
