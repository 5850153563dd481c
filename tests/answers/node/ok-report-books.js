// Reports are made as workbooks of exceljs. The last three stay to be fetched, and a job that is done frees its rows. Reports are of different length.
const rounds = require('./rounds');
const ExcelJS = require('exceljs');
const { EventEmitter } = require('events');

class ReportJob extends EventEmitter {
  constructor(id, from, rows) {
    super();
    this.id = id;
    this.from = from;
    this.rows = rows;
    this.progress = [];
  }
  async make() {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet(`Sales ${this.from}`);
    sheet.columns = ['day', 'shop', 'article', 'count', 'sum'].map(key => ({ header: key, key, width: 12 }));
    for (const [n, row] of this.rows.entries()) {
      sheet.addRow(row);
      if (n % 50 === 49) { this.progress.push(n); this.emit('progress', n); }
    }
    sheet.getRow(1).font = { bold: true };
    const bytes = await book.xlsx.writeBuffer();
    this.rows = null;
    this.emit('done', bytes.length);
    return bytes;
  }
}

class ReportDesk {
  static KEPT = 3;
  constructor() {
    this.finished = new Map();
    this.running = new Set();
    this.bytes = 0;
  }
  async order(id, from, rows) {
    const job = new ReportJob(id, from, rows);
    this.running.add(job);
    const onProgress = n => { this.last = n; };
    job.on('progress', onProgress);
    job.once('done', length => { this.bytes += length; });
    try {
      this.finished.set(id, { from, bytes: await job.make(), at: Date.now() });
      while (this.finished.size > ReportDesk.KEPT) this.finished.delete(this.finished.keys().next().value);
    } finally {
      job.off('progress', onProgress);
      this.running.delete(job);
    }
  }
  fetch(id) { return this.finished.get(id)?.bytes; }
}

const salesOf = (round, report, length) => Array.from({ length }, (_, n) => ({
  day: `2026-${1 + n % 12}-${1 + n % 28}`, shop: `shop ${n % 9}`, article: `article ${round}-${report}-${n}`, count: n % 7, sum: n * 1.19,
}));
const desk = new ReportDesk();
const lengths = [150, 320, 240, 400];
rounds(async round => {
  for (let n = 0; n < 8; n++) {
    await desk.order(`${round}-${n}`, `Q${n % 4 + 1}`, salesOf(round, n, lengths[round] + n % 3 * 40));
    if (n > 0) desk.fetch(`${round}-${n - 1}`);
  }
});
