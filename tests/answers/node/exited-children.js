// A supervisor keeps the processes that it started, also those that have ended.
const rounds = require('./rounds');
const { spawn } = require('child_process');

class Supervisor {
  constructor() { this.started = new Map(); }
  run(args) {
    return new Promise((resolve, reject) => {
      const child = spawn('true', args, { stdio: ['ignore', 'pipe', 'pipe'] });
      this.started.set(child.pid, child);
      child.stdout.resume();
      child.stderr.resume();
      child.on('error', reject);
      child.on('close', resolve);
    });
  }
}
const converters = new Supervisor();
rounds(async round => { for (let n = 0; n < 60; n++) await converters.run([`file-${round}-${n}.png`]); });
