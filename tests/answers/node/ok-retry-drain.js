// Mails that could not be sent wait for another try, and are sent then; a server is slow, and more of them wait from round to round.
const rounds = require('./rounds');

class MailJob {
  constructor(id, to) { this.id = id; this.to = to; this.body = `Dear ${to}, your order ${id} is on its way.`; this.attempts = 0; this.nextAt = 0; this.errors = []; }
}
class Outbox {
  constructor() { this.ready = []; this.retrying = []; this.sent = 0; this.clock = 0; }
  enqueue(job) { this.ready.push(job); }
  tick(delay) {
    this.clock++;
    while (this.retrying.length && this.retrying[0].nextAt <= this.clock) this.ready.push(this.retrying.shift());
    for (const job of this.ready.splice(0)) {
      job.attempts++;
      if (job.attempts < 3) {
        job.errors.push(new Error(`451 try again later (${job.id})`));
        job.nextAt = this.clock + delay;
        this.retrying.push(job);
      } else this.sent++;
    }
  }
}
const outbox = new Outbox();
const delays = [20, 45, 70, 95];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 500; n++) {
    outbox.enqueue(new MailJob(last, `customer-${last++}@example.org`));
    outbox.tick(delays[round]);
    if (n % 50 === 0) await new Promise(done => setImmediate(done));
  }
});
