// A batch that is dumped in its middle, at more rows each time.
const rounds = require('./rounds');
class Row { constructor(n) { this.n = n; this.cols = [`a${n}`, `b${n}`]; } }
const job = { rows: [], totals: new Map() }; let n = 0;
rounds(async round => { job.rows = []; for (let i = 0; i < 600 + 200 * round; i++) { const row = new Row(n++); job.rows.push(row); const k = `k${n % 50}`; job.totals.set(k, (job.totals.get(k) || 0) + 1); } });
