// A static list of finished jobs that nobody shortens.
const rounds = require('./rounds');

class Job {
  constructor(name) { this.name = name; this.log = [`started ${name}`, `ended ${name}`]; }
}
class Scheduler {
  static finished = [];
  run(name) { const job = new Job(name); Scheduler.finished.push(job); }
}
const scheduler = new Scheduler();
rounds(round => {
  for (let n = 0; n < 1500; n++) scheduler.run(`job-${round}-${n}`);
});
