// Each job listens to a signal of the process.
const rounds = require('./rounds');

process.setMaxListeners(0);
class Job {
  constructor(n) {
    this.parts = Array.from({ length: 12 }, (_, i) => ({ n, i }));
    process.on('SIGHUP', () => this.parts.length = 0);
  }
}

rounds(round => {
  for (let i = 0; i < 400; i++) new Job(round + i);
});
