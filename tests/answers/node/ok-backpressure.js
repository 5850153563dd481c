// Rows go from a source through a slow step into a store. At any time some hundred wait in the streams between, never more than their marks allow.
const rounds = require('./rounds');
const { Readable, Transform, Writable } = require('stream');

class Row { constructor(id) { this.id = id; this.cells = Array.from({ length: 10 }, (_, n) => `cell ${n} of ${id}`); } }
class Stages {
  constructor() {
    this.waiting = [];
    this.stored = 0;
    this.source = new Readable({ objectMode: true, highWaterMark: 400, read() {} });
    this.step = new Transform({ objectMode: true, highWaterMark: 200, transform: (row, _, done) => done(null, { ...row, sum: row.cells.length }) });
    this.store = new Writable({ objectMode: true, highWaterMark: 100, write: (row, _, done) => this.waiting.push(() => { this.stored += row.sum; done(); }) });
    this.source.pipe(this.step).pipe(this.store);
  }
  feed(count, name) { for (let n = 0; n < count; n++) this.source.push(new Row(`${name}-${n}`)); }
  async drain(left) {
    while (this.open() > left) {
      this.waiting.shift()?.();
      await new Promise(setImmediate);
    }
  }
  open() { return this.source.readableLength + this.step.readableLength + this.step.writableLength + this.store.writableLength; }
}
const stages = new Stages();
const left = [500, 150, 650, 400];
rounds(async round => {
  for (let lot = 0; lot < 4; lot++) {
    stages.feed(300, `row-${round}-${lot}`);
    await stages.drain(lot < 3 ? 100 : left[round]);
    if (lot === 3 && stages.open() < left[round]) { stages.feed(left[round] - stages.open(), `rest-${round}`); await new Promise(setImmediate); }
  }
});
