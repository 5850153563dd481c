// A request races against an hour of patience, whose timer nobody clears.
const rounds = require('./rounds');
const timers = require('timers/promises');

class Lookup { constructor(key) { this.key = key; this.rows = Array.from({ length: 10 }, (_, n) => ({ key, n })); } }
async function withPatience(work, lookup) {
  const late = timers.setTimeout(3600_000, lookup, { ref: false }).then(lost => { throw new Error(lost.key); });
  late.catch(() => {});
  return Promise.race([work, late]);
}
rounds(async round => {
  for (let n = 0; n < 600; n++) { const lookup = new Lookup(`${round}-${n}`); await withPatience(Promise.resolve(lookup.rows.length), lookup); }
});
