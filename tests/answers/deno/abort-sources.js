// Each query listens at the signal of the application's end, and goes on listening when it is done.
import rounds from './rounds.js';

const shutdown = new AbortController();
class KvQuery {
  constructor(key) { this.key = key; this.rows = Array.from({ length: 12 }, (_, i) => ({ key, i })); }
  run(signal) { signal.addEventListener('abort', () => this.cancel()); return this.rows.length; }
  cancel() { this.rows.length = 0; }
}
let n = 0;
rounds(() => { for (let i = 0; i < 900; i++) new KvQuery(`user-${n++}`).run(shutdown.signal); });
