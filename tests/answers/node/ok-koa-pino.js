// A koa server that logs with a child of pino for each request.
const rounds = require('./rounds');
const http = require('http');
const { Writable } = require('stream');
const Koa = require('koa');
const pino = require('pino');

const log = pino({ level: 'info' }, new Writable({ write(chunk, encoding, done) { done(); } }));
const app = new Koa();
app.use(async (ctx, next) => { ctx.log = log.child({ url: ctx.url }); await next(); ctx.log.info({ status: ctx.status }, 'done'); });
app.use(async ctx => { ctx.body = { hello: ctx.url }; });
const server = app.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});
let n = 0;
rounds(async () => {
  for (let i = 0; i < 100; i++) await Promise.all([1, 2, 3, 4, 5].map(() => get(`/${n++}`)));
});
