// Two copies of a library share a list by a global symbol; spans that ended are not taken out.
const rounds = require('./rounds');

const key = Symbol.for('acme.tracing');
globalThis[key] = globalThis[key] || { openSpans: [], sampled: 0 };
class TraceSpan {
  constructor(name) { this.name = name; this.started = process.hrtime(); this.tags = { kind: 'server', name }; }
  end() { this.ended = process.hrtime(); }
}
function trace(name, work) {
  const span = new TraceSpan(name);
  globalThis[key].openSpans.push(span);
  work();
  span.end();
}

rounds(async round => {
  for (let i = 0; i < 1200; i++) trace(`GET /${round}/${i}`, () => i * 2);
});
