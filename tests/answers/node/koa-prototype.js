// A list for the trail of a request was put on the prototype of all contexts.
const rounds = require('./rounds');
const http = require('http');
const Koa = require('koa');

class TrailStep {
  constructor(path, what) { this.path = path; this.what = what; this.at = process.hrtime(); this.tags = { area: 'shop', level: 1 }; }
}
const app = new Koa();
app.context.trail = [];
app.use(async (ctx, next) => { ctx.trail.push(new TrailStep(ctx.path, 'enter')); await next(); ctx.trail.push(new TrailStep(ctx.path, 'leave')); });
app.use(ctx => { ctx.trail.push(new TrailStep(ctx.path, 'answer')); ctx.body = 'ok'; });
const server = app.listen(0);
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
const get = path => new Promise((resolve, reject) => http.get({ port: server.address().port, path, agent }, r => r.resume().on('end', resolve)).on('error', reject));
rounds(async round => { for (let n = 0; n < 700; n++) await get(`/basket/${round}/${n}`); });
