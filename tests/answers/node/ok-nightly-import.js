// An import reads more lines each night: they go through a stream in batches, a batch is written when it is full, what cannot be written is kept
// for a second try (at most 250), and a report has a sum per warehouse.
const { Readable, Transform, Writable } = require('stream');
const { pipeline } = require('stream/promises');
const rounds = require('./rounds');

class Batches extends Transform {
  constructor(most) { super({ objectMode: true }); this.most = most; this.batch = []; }
  _transform(row, _, done) {
    this.batch.push(row);
    if (this.batch.length >= this.most) { this.push(this.batch); this.batch = []; }
    done();
  }
  _flush(done) { if (this.batch.length) this.push(this.batch); done(); }
}
class Warehouse {
  constructor() { this.stock = new Map(); this.again = []; this.sums = new Map(); }
  write(batch, night) {
    for (const row of batch) {
      if (row.number % 17 === 0) this.again.push({ row, night });
      else this.stock.set(row.article, { count: row.count, row: row.number, night });
      this.sums.set(row.place, (this.sums.get(row.place) ?? 0) + row.count);
    }
    while (this.again.length > 250) this.again.shift();
  }
}
const warehouse = new Warehouse();
const nights = [];
let last = 0;
function* rowsOf(count) { for (let n = 0; n < count; n++) yield { number: last++, article: `article ${n % 1200}`, count: n % 40, place: `place ${n % 60}`, note: `row ${n} of the night` }; }
rounds(async round => {
  const latest = [];
  await pipeline(Readable.from(rowsOf(3000 + 1500 * round)), new Batches(200), new Writable({
    objectMode: true,
    write(batch, _, done) { warehouse.write(batch, round); latest.push(batch); if (latest.length > 1 + 2 * round) latest.shift(); done(); },
  }));
  nights.push({ night: round, latest });
  if (nights.length > 1) nights.shift();
});
