// Each job is added to a domain that reports its errors, and never taken out.
const rounds = require('./rounds');
const domain = require('domain');
const EventEmitter = require('events');

const reporting = domain.create();
reporting.on('error', () => {});
class ResizeJob extends EventEmitter {
  constructor(id) { super(); this.id = id; this.steps = ['load', 'resize', 'store'].map(step => ({ step, id })); }
  run() { for (const { step } of this.steps) this.emit(step, this.id); this.emit('done'); }
}
rounds(async round => {
  for (let n = 0; n < 900; n++) {
    const job = new ResizeJob(`image-${round}-${n}`);
    reporting.add(job);
    job.run();
  }
});
