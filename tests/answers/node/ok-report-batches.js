// Each round a report of the month is made: rows are read page by page, grouped and written. The dump is taken in the middle of the work, later in it
// from round to round; what the report before had is gone.
const { Readable } = require('stream');
const rounds = require('./rounds');

class Row {
  constructor(month, n) { this.month = month; this.customer = `customer ${n % 400}`; this.cents = n * 13 % 9000; this.note = `order ${month}-${n}`; }
}
class MonthlyReport {
  constructor(month) { this.month = month; this.rows = []; this.byCustomer = new Map(); this.pages = 0; }
  add(rows) {
    this.pages++;
    for (const row of rows) {
      this.rows.push(row);
      const all = this.byCustomer.get(row.customer) ?? { customer: row.customer, rows: [], cents: 0 };
      all.rows.push(row);
      all.cents += row.cents;
      this.byCustomer.set(row.customer, all);
    }
  }
}
function* pagesOf(month) {
  for (let page = 0; page < 40; page++) yield Array.from({ length: 100 }, (_, n) => new Row(month, page * 100 + n));
}
const reporter = { running: null, source: null, finished: [] };
const until = [8, 16, 24, 32];
rounds(async round => {
  if (reporter.running) {
    for await (const rows of reporter.source) reporter.running.add(rows);
    reporter.finished.push({ month: reporter.running.month, pages: reporter.running.pages });
  }
  reporter.running = new MonthlyReport(round);
  reporter.source = Readable.from(pagesOf(round), { highWaterMark: 1 })[Symbol.asyncIterator]();
  for (let page = 0; page < until[round]; page++) reporter.running.add((await reporter.source.next()).value);
  reporter.source = { [Symbol.asyncIterator]: (source => () => source)(reporter.source) };
});
