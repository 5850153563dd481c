// A queue whose result of each step has that of the one before.
const rounds = require('./rounds');
class StepResult { constructor(previous, n) { this.previous = previous; this.n = n; this.log = `step ${n}`; } }
class Serial { constructor() { this.tail = Promise.resolve(null); } run(n) { return this.tail = this.tail.then(previous => new StepResult(previous, n)); } }
const serial = new Serial(); let n = 0;
rounds(async () => { for (let i = 0; i < 400; i++) serial.run(n++); await serial.tail; });
