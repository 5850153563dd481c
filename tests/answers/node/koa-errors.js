// Each request adds a listener for errors to the application.
const rounds = require('./rounds');
const http = require('http');
const Koa = require('koa');

const shop = new Koa();
shop.setMaxListeners(0);
shop.use(async ctx => {
  const trail = [`${ctx.method} ${ctx.url}`];
  ctx.app.on('error', error => { trail.push(error.message); ctx.set('x-trail', trail.join()); });
  ctx.body = { ok: true };
});
const server = shop.listen(0);
server.keepAliveTimeout = 60000;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => {
  http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject);
});

let n = 0;
rounds(async () => {
  for (let i = 0; i < 250; i++) await get(`/cart/${n++}`);
});
