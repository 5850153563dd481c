// An import of rows goes through stages with bounded queues; the dumps are taken in the middle of it.
const rounds = require('./rounds');

class Row { constructor(n) { this.n = n; this.fields = [`name ${n}`, n / 3, { source: 'csv' }]; } }
class Stage {
  constructor(limit) { this.queue = []; this.limit = limit; this.done = 0; }
  offer(row) { if (this.queue.length >= this.limit) return false; this.queue.push(row); return true; }
}
const parsed = new Stage(800), checked = new Stage(800);
let n = 0;
const steps = [5000, 6200, 5600, 7000];
rounds(round => {
  for (let i = 0; i < steps[round]; i++) {
    if (parsed.offer(new Row(n))) n++;
    if (i % 3 && parsed.queue.length && checked.offer(parsed.queue[0])) parsed.queue.shift();
    if (i % 5 && checked.queue.length) { checked.queue.shift(); checked.done++; }
  }
});
