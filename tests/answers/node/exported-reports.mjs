// A module exports the reports that it has begun; only those that succeed are taken out.
import rounds from './rounds.js';

class Report {
  constructor(number) {
    this.number = number;
    this.pages = Array.from({ length: 5 }, (_, page) => ({ page, title: `page ${page} of report ${number}` }));
  }
}
export const begunReports = new Map();
export function begin(number) { begunReports.set(number, new Report(number)); }
export function end(number, succeeded) { if (succeeded) begunReports.delete(number); }

let last = 0;
rounds(async () => {
  for (let n = 0; n < 900; n++) {
    begin(++last);
    end(last, last % 3 === 0);
  }
});
