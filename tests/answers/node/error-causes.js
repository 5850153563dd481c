// Each failure of a poll has the one before as its cause.
const rounds = require('./rounds');

class PollError extends Error {
  constructor(n, cause) {
    super(`poll ${n} failed`, { cause });
    this.request = { url: `https://example.org/poll/${n}`, headers: { accept: 'application/json', n: `${n}` }, tries: [n, n, n] };
  }
}
class Poller {
  constructor() { this.lastError = null; this.n = 0; }
  poll() {
    try {
      throw new Error('connection refused');
    } catch {
      this.lastError = new PollError(this.n++, this.lastError);
    }
  }
}
const statusPoller = new Poller();

rounds(async () => {
  for (let i = 0; i < 500; i++) statusPoller.poll();
});
