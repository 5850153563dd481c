// The last 500 lines of the log are kept, in a list that is cut.
const rounds = require('./rounds');

class LogLine { constructor(n) { this.at = 1700000000000 + n; this.level = n % 9 ? 'info' : 'warn'; this.text = `request ${n} done`; this.data = { n, route: `/r/${n % 13}` }; } }
const recent = [];
function log(n) {
  recent.push(new LogLine(n));
  if (recent.length > 500) recent.shift();
}
let n = 0;
rounds(async () => { for (let i = 0; i < 1300; i++) log(n++); });
