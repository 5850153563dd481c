// Timers that are set and cleared all the time, and some that run.
const rounds = require('./rounds');

class Field {
  constructor(n) { this.n = n; this.value = ''; }
  type(text) { this.value = text; clearTimeout(this.timer); this.timer = setTimeout(() => this.save(), 20); }
  save() { this.saved = this.value; this.timer = null; }
}
const fields = Array.from({ length: 50 }, (_, n) => new Field(n));
setInterval(() => fields[0].type('tick'), 15).unref();
rounds(async round => {
  for (let i = 0; i < 3000; i++) {
    fields[i % 50].type(`text ${round} ${i}`);
    if (i % 500 === 0) await new Promise(resolve => setTimeout(resolve, 5));
  }
});
