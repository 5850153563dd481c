// Reports are written one after the other, by a lock with a name. One writer waits for a disk for ever, and never gives the lock back.
const rounds = require('./rounds');

class Report {
  constructor(id) { this.id = id; this.rows = Array.from({ length: 10 }, (_, n) => ({ day: n, sum: n * 17, text: `row ${n} of ${id}` })); }
}
async function write(report, disk) {
  await navigator.locks.request('reports', async () => {
    await disk;
    report.written = true;
  });
}
const full = new Promise(() => {});
rounds(round => { for (let n = 0; n < 300; n++) write(new Report(`report-${round}-${n}`), full); });
