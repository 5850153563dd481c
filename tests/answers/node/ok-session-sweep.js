// Sessions live for a while after the last request and a sweep takes them out; a cache of articles goes by age and number; each request has
// a DataLoader of its own. The clock is the program's, and more people come from round to round.
const DataLoader = require('dataloader');
const { LRUCache } = require('lru-cache');
const rounds = require('./rounds');

class Clock { constructor() { this.seconds = 0; } now() { return this.seconds; } }
const clock = new Clock();
class SessionStore {
  constructor(clock, ttl) { this.clock = clock; this.ttl = ttl; this.sessions = new Map(); }
  open(id) {
    const session = { id, cookie: { path: '/', until: this.clock.now() + this.ttl }, user: { name: `user ${id}`, roles: ['reader'] }, basket: [] };
    this.sessions.set(id, session);
    return session;
  }
  get(id) {
    const session = this.sessions.get(id);
    if (session) session.cookie.until = this.clock.now() + this.ttl;
    return session;
  }
  sweep() { for (const [id, { cookie }] of this.sessions) if (cookie.until < this.clock.now()) this.sessions.delete(id); }
}
const sessions = new SessionStore(clock, 100);
const articles = new LRUCache({ max: 500, ttl: 60_000 });
const load = async ids => ids.map(id => {
  const known = articles.get(id);
  if (known) return known;
  const article = { id, title: `article ${id}`, price: id * 3, tags: ['wood', `shelf ${id % 7}`] };
  articles.set(id, article);
  return article;
});
async function request(session, ids) {
  const loader = new DataLoader(load);
  const found = await Promise.all(ids.map(id => loader.load(id)));
  session.basket.push({ at: clock.now(), sum: found.reduce((sum, { price }) => sum + price, 0) });
}
const perSecond = [3, 6, 9, 12];
let last = 0;
rounds(async round => {
  for (let second = 0; second < 250; second++) {
    clock.seconds++;
    for (let n = 0; n < perSecond[round]; n++) {
      const session = sessions.open(`s${last++}`);
      await request(session, [last % 900, (last * 7) % 900]);
      await request(sessions.get(session.id), [last % 30]);
    }
    sessions.sweep();
  }
});
