// Jobs run in domains, which are entered and not left when a job ends early; the stack of domains is emptied with each turn.
const rounds = require('./rounds');
const domain = require('domain');

class ImportJob {
  constructor(id) { this.id = id; this.rows = Array.from({ length: 40 }, (_, i) => ({ id, i })); }
  valid() { return this.rows.length > 1000; }
}
function start(job) {
  const guard = domain.create();
  guard.job = job;
  guard.on('error', () => {});
  guard.enter();
  if (!job.valid()) return;
  guard.exit();
}
let id = 0;
rounds(() => { for (let n = 0; n < 200; n++) start(new ImportJob(id++)); });
