// Each request has a unit of work with an identity map, which ends with it; more requests are under way from round to round. Settings are
// memoized by shop, of which there are 50.
const rounds = require('./rounds');

const memoize = load => {
  const known = new Map();
  return key => {
    if (!known.has(key)) known.set(key, load(key));
    return known.get(key);
  };
};
const settingsOf = memoize(shop => ({ shop, currency: shop % 2 ? 'EUR' : 'CHF', texts: Array.from({ length: 20 }, (_, n) => `text ${n} of shop ${shop}`) }));
class Entity {
  constructor(table, id) { this.table = table; this.id = id; this.fields = { title: `${table} ${id}`, changed: false }; }
}
class UnitOfWork {
  constructor() { this.identities = new Map(); this.dirty = []; }
  load(table, id) {
    const key = `${table}/${id}`;
    if (!this.identities.has(key)) this.identities.set(key, new Entity(table, id));
    return this.identities.get(key);
  }
}
const underway = new Set();
async function handle(number, finished) {
  const unit = new UnitOfWork();
  const request = { number, unit, settings: settingsOf(number * 7 % 50) };
  underway.add(request);
  try {
    for (let n = 0; n < 8; n++) unit.dirty.push(unit.load('lines', number * 8 + n));
    unit.load('orders', number);
    await finished;
    for (const entity of unit.dirty) entity.fields.changed = true;
  } finally {
    underway.delete(request);
  }
}
const waiting = [];
const together = [40, 80, 120, 160];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 800; n++) {
    const finished = Promise.withResolvers ? Promise.withResolvers() : (() => { let resolve; const promise = new Promise(done => { resolve = done; }); return { promise, resolve }; })();
    handle(last++, finished.promise);
    waiting.push(finished.resolve);
    while (waiting.length > together[round]) waiting.shift()();
    if (n % 40 === 0) await new Promise(done => setImmediate(done));
  }
});
