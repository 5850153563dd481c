// Some hundred calls wait for their answers at any time, a little more or less in each round.
const rounds = require('./rounds');

class Call {
  constructor(id) { this.id = id; this.body = { id, rows: Array.from({ length: 8 }, (_, n) => n / 3) }; this.done = new Promise(resolve => { this.resolve = resolve; }); }
}
const waiting = new Map();
let last = 0;
rounds(async round => {
  const wanted = [380, 430, 400, 445][round];
  for (let n = 0; n < 1500; n++) {
    const call = new Call(++last);
    waiting.set(call.id, call);
    call.done.then(() => waiting.delete(call.id));
    while (waiting.size > wanted) { waiting.values().next().value.resolve(n); await null; await null; }
  }
});
