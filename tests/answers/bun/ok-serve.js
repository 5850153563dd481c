// A shop is served by Bun.serve: sessions end after a while, a ring has the last 400 lines of the log, prices are read anew each round, and baskets are settled in lots. Load goes up and down.
const rounds = require('./rounds');

class Sessions {
  constructor(life) {
    this.life = life;
    this.byId = new Map();
  }
  get(id, now) {
    let session = this.byId.get(id);
    if (!session) this.byId.set(id, session = { id, basket: [], at: now });
    session.at = now;
    return session;
  }
  sweep(now) {
    for (const [id, session] of this.byId) if (session.at < now - this.life) this.byId.delete(id);
  }
}

class LogRing {
  constructor(size) {
    this.lines = new Array(size);
    this.next = 0;
  }
  add(line) { this.lines[this.next++ % this.lines.length] = line; }
}

class Settlement {
  constructor() {
    this.waiting = [];
    this.settled = 0;
  }
  add(basket) {
    this.waiting.push(basket);
    if (this.waiting.length >= 150) { this.settled += this.waiting.length; this.waiting = []; }
  }
}

const sessions = new Sessions(600);
const log = new LogRing(400);
const settlement = new Settlement();
let prices = new Map();
let clock = 0;
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    const url = new URL(request.url);
    const session = sessions.get(request.headers.get('x-session'), clock++);
    log.add({ path: url.pathname, at: clock, user: session.id });
    if (url.pathname.startsWith('/buy/')) {
      const article = url.pathname.slice(5);
      session.basket.push({ article, price: prices.get(article) ?? 1 });
      if (session.basket.length === 5) settlement.add(session.basket.splice(0));
      return Response.json({ count: session.basket.length });
    }
    if (url.pathname === '/slow') await Bun.sleep(Number(url.searchParams.get('ms')));
    return new Response(`${session.basket.length} in the basket`);
  },
});

const loadPrices = round => new Map(Array.from({ length: 500 }, (_, n) => [`a${n}`, { cents: n * 10 + round, text: `price ${round}/${n}` }]));
const ask = (path, session) => fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'x-session': session } }).then(answer => answer.text());
const visitors = [80, 220, 130, 270];
rounds(async round => {
  prices = loadPrices(round);
  for (let n = 0; n < 1000; n += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, i) => ask(`/buy/a${(n + i) % 500}`, `s-${round}-${(n + i) % visitors[round]}`)));
    if (n % 100 === 0) sessions.sweep(clock);
  }
  await ask('/slow?ms=2', 'watch');
});
