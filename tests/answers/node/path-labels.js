// A middleware of koa observes durations by the path as it was asked for, with the number of the article in it: each article has a label.
const Koa = require('koa');
const http = require('http');
const client = require('prom-client');
const rounds = require('./rounds');

const register = new client.Registry();
const durations = new client.Histogram({ name: 'http_request_seconds', help: 'Seconds', labelNames: ['method', 'path', 'status'], registers: [register] });
const inFlight = new client.Gauge({ name: 'http_requests_in_flight', help: 'Requests', registers: [register] });

const app = new Koa();
app.use(async (ctx, next) => {
  inFlight.inc();
  const end = durations.startTimer({ method: ctx.method, path: ctx.path });
  try {
    await next();
  } finally {
    inFlight.dec();
    end({ status: ctx.status });
  }
});
app.use(async ctx => {
  if (ctx.path === '/metrics') ctx.body = await register.metrics();
  else ctx.body = { path: ctx.path, at: Date.now() };
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
const get = (port, path) => new Promise((done, failed) => {
  http.get({ port, path, agent }, response => response.resume().on('end', done)).on('error', failed);
});
let last = 1000;
const server = app.listen(0, () => rounds(async round => {
  const { port } = server.address();
  for (let n = 0; n < 350; n++) {
    await get(port, `/articles/${last++}`);
    await get(port, `/shops/${n % 10}`);
  }
  await get(port, '/metrics');
}));
