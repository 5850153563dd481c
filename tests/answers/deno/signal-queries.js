// Queries listen to the signal of the whole program, and do not stop when they are done.
import rounds from './rounds.js';

class Query {
  constructor(text) { this.text = text; this.rows = Array.from({ length: 8 }, (_, n) => ({ id: n, text })); }
  cancel() { this.rows.length = 0; }
}
const shutdown = new AbortController();
async function run(text) {
  const query = new Query(text);
  shutdown.signal.addEventListener('abort', () => query.cancel(), { once: true });
  await null;
  return query.rows.length;
}
rounds(async round => {
  for (let n = 0; n < 600; n++) await run(`select ${round}-${n}`);
});
