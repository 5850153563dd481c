// Messages are sent again until they are acknowledged; those to devices that have gone are never. Load rises, acknowledged ones go, and a ring has the last 300 lines.
const rounds = require('./rounds');

class Outgoing {
  constructor(id, device) { this.id = id; this.device = device; this.tries = 1; this.body = { text: `message ${id}`, parts: Array.from({ length: 4 }, (_, n) => `part ${n} of ${id}`) }; }
}
class Broker {
  constructor() { this.unacked = new Map(); this.underway = []; this.lines = []; this.done = 0; }
  send(id, device) {
    const message = new Outgoing(id, device);
    this.unacked.set(id, message);
    this.lines.push(`sent ${id} to ${device}`);
    if (this.lines.length > 300) this.lines.shift();
    if (device % 6) this.underway.push(id);
  }
  settle(most) {
    while (this.underway.length > most) { this.unacked.delete(this.underway.shift()); this.done++; }
  }
}
const broker = new Broker();
const together = [50, 100, 150, 200];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1500; n++) {
    broker.send(last++, n % 120);
    broker.settle(together[round]);
    if (n % 300 === 0) await Bun.sleep(0);
  }
});
