// A limiter has the times of the last minute for each address. Old times are taken out when the address comes again; most never do.
// The load rises from round to round.
const Fastify = require('fastify');
const rounds = require('./rounds');

class SlidingWindowLimiter {
  constructor(limit, windowMs, now) { this.limit = limit; this.windowMs = windowMs; this.now = now; this.hits = new Map(); }
  allow(ip) {
    const now = this.now();
    const times = (this.hits.get(ip) ?? []).filter(time => time > now - this.windowMs);
    if (times.length >= this.limit) return false;
    times.push(now);
    this.hits.set(ip, times);
    return true;
  }
}
let clock = 0;
const limiter = new SlidingWindowLimiter(20, 60_000, () => clock);
const app = Fastify();
const answers = [];
app.addHook('onRequest', async (request, reply) => {
  if (!limiter.allow(request.headers['x-forwarded-for'])) return reply.code(429).send({ error: 'slow down' });
});
app.get('/search', async request => {
  const answer = { query: request.query.q, found: [1, 2, 3] };
  answers.push(answer);
  if (answers.length > 200) answers.shift();
  return answer;
});
let last = 0;
rounds(async round => {
  const load = 700 + 150 * round;
  for (let n = 0; n < load; n++) {
    clock += 50;
    const address = n % 6 ? last++ : n % 30;
    const headers = { 'x-forwarded-for': `${10 + (address >> 16)}.${(address >> 8) & 255}.${address & 255}.${address % 200}` };
    await app.inject({ url: `/search?q=word${n % 50}`, headers });
    if (n % 50 === 0) await new Promise(done => setImmediate(done));
  }
});
