// Files are imported through streams with back-pressure: unzipped, parsed, checked and written in batches, the next file larger.
const { Readable, Transform, Writable, pipeline } = require('stream');
const zlib = require('zlib');
const { promisify } = require('util');
const { parse } = require('csv-parse');
const winston = require('winston');
const rounds = require('./rounds');

const run = promisify(pipeline);
const log = winston.createLogger({
  level: 'info', format: winston.format.combine(winston.format.timestamp(), winston.format.json()),
  transports: [new winston.transports.Stream({ stream: new Writable({ write(chunk, encoding, done) { done(); } }) })],
});

class Check extends Transform {
  constructor(rules) {
    super({ objectMode: true, highWaterMark: 32 });
    this.rules = rules;
    this.wrong = new Map();
  }

  _transform(record, encoding, done) {
    for (const [column, rule] of this.rules) {
      if (rule.test(record[column])) continue;
      this.wrong.set(column, (this.wrong.get(column) ?? 0) + 1);
      return done();
    }
    done(null, record);
  }
}

class Batches extends Writable {
  constructor(table, size) {
    super({ objectMode: true, highWaterMark: 64 });
    this.table = table;
    this.size = size;
    this.batch = [];
  }

  _write(record, encoding, done) {
    this.batch.push(record);
    if (this.batch.length < this.size) return done();
    this.flush(done);
  }

  _final(done) { this.flush(done); }

  flush(done) {
    setImmediate(() => { this.table.write(this.batch); this.batch = []; done(); });
  }
}

class Table {
  constructor() { this.rows = 0; this.bySku = new Map(); }
  write(batch) {
    this.rows += batch.length;
    // There are six hundred articles; a later line replaces an earlier one.
    for (const record of batch) this.bySku.set(record.sku, { stock: Number(record.stock), price: Number(record.price) });
  }
}

const line = n => `sku-${n * 7 % 600};${n % 13 === 0 ? 'many' : n % 90};${n % 100}.50;"Chair, oak ${n % 20}"\n`;
const table = new Table();
const rules = new Map([['stock', /^\d+$/], ['price', /^\d+\.\d\d$/]]);

async function importFile(name, lines) {
  const packed = zlib.gzipSync(`sku;stock;price;title\n${Array.from({ length: lines }, (_, n) => line(n)).join('')}`);
  const check = new Check(rules);
  await run(Readable.from([packed.subarray(0, 1000), packed.subarray(1000)]), zlib.createGunzip(), parse({ columns: true, delimiter: ';' }), check, new Batches(table, 100));
  log.info('imported', { name, rows: table.rows, wrong: Object.fromEntries(check.wrong) });
}

let file = 0;
rounds(async round => {
  for (let i = 0; i < 3; i++) await importFile(`stock-${file++}.csv.gz`, 2000 + 1500 * round);
});
