// Counters and histograms of a fastify server, by method, route pattern and status: their labels are few, but not all routes are asked for at
// first. Connections to the store are pooled, and more are open with the load.
const Fastify = require('fastify');
const client = require('prom-client');
const genericPool = require('generic-pool');
const rounds = require('./rounds');

class Connection {
  constructor(number) { this.number = number; this.statements = new Map(); this.buffer = Buffer.alloc(2048); }
  run(text) { this.statements.set(text, (this.statements.get(text) ?? 0) + 1); return text.length; }
}
let connections = 0;
const pool = genericPool.createPool({ create: async () => new Connection(connections++), destroy: async () => {} }, { min: 2, max: 60 });
const register = new client.Registry();
const seconds = new client.Histogram({ name: 'seconds', help: 'Seconds', labelNames: ['method', 'route', 'status'], registers: [register] });
const size = new client.Summary({ name: 'bytes', help: 'Bytes', labelNames: ['route'], registers: [register], maxAgeSeconds: 600, ageBuckets: 3 });

const app = Fastify();
app.addHook('onResponse', async (request, reply) => {
  const route = request.routeOptions.url ?? 'none';
  seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  size.observe({ route }, 200 + route.length);
});
for (let n = 0; n < 60; n++) {
  app.get(`/things-${n}/:id`, async request => {
    const connection = await pool.acquire();
    try {
      await new Promise(done => setImmediate(done));
      return { length: connection.run(`select * from things_${n} where id = ?`), id: request.params.id };
    } finally {
      await pool.release(connection);
    }
  });
}
const asked = [20, 34, 46, 56];
const together = [4, 12, 20, 28];
rounds(async round => {
  for (let n = 0; n < 600; n += together[round]) {
    await Promise.all(Array.from({ length: together[round] }, (_, i) => app.inject({ url: `/things-${(n + i) % asked[round]}/${n}` })));
  }
});
