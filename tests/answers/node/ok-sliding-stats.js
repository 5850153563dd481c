// Statistics of the last 60 minutes, by minute, route and status; the process is 40 minutes old when the last dump is taken.
const EventEmitter = require('events');
const rounds = require('./rounds');

class Minute {
  constructor(start) { this.start = start; this.byRoute = {}; }
  add(route, status, ms) {
    const row = this.byRoute[route] ??= { count: 0, errors: 0, slowest: 0, samples: [] };
    row.count++;
    if (status >= 500) row.errors++;
    row.slowest = Math.max(row.slowest, ms);
    if (row.samples.length < 16) row.samples.push(ms);
  }
}
function createStats(events, keepMinutes) {
  let minutes = [];
  events.on('request', ({ at, route, status, ms }) => {
    const start = at - at % 60;
    let minute = minutes[minutes.length - 1];
    if (!minute || minute.start !== start) {
      minute = new Minute(start);
      minutes.push(minute);
      minutes = minutes.filter(({ start: from }) => from > start - keepMinutes * 60);
    }
    minute.add(route, status, ms);
  });
  return { total: () => minutes.reduce((sum, { byRoute }) => sum + Object.values(byRoute).reduce((all, row) => all + row.count, 0), 0) };
}
const events = new EventEmitter();
const stats = createStats(events, 60);
let at = 0;
rounds(async () => {
  for (let n = 0; n < 6000; n++) {
    at += 0.1;
    events.emit('request', { at: Math.floor(at), route: `/route-${n % 40}`, status: n % 97 ? 200 : 500, ms: n * 7 % 130 });
  }
  stats.total();
});
