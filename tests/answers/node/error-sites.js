// A tracer of slow calls keeps the call sites of each, with their functions and receivers.
const rounds = require('./rounds');

const sitesOf = () => {
  const before = Error.prepareStackTrace;
  Error.prepareStackTrace = (_, sites) => sites;
  const { stack } = new Error();
  Error.prepareStackTrace = before;
  return stack;
};
class SlowCalls {
  constructor() { this.calls = []; }
  note(name, ms) { if (ms > 3) this.calls.push({ name, ms, sites: sitesOf() }); }
}
const slowCalls = new SlowCalls();
class OrderQuery {
  constructor(id) { this.id = id; this.columns = Array.from({ length: 15 }, (_, i) => `${id}.${i}`); }
  run(ms) { slowCalls.note(this.id, ms); }
}
rounds(round => {
  for (let n = 0; n < 1000; n++) new OrderQuery(`order-${round}-${n}`).run(n % 10);
});
