// Five dumps of a service: traffic is high, low and high again; counters by hour are kept for a day.
const rounds = require('./rounds');

class Hour { constructor(n) { this.n = n; this.byRoute = new Map(); } }
const hours = [];
class Visit { constructor(n) { this.n = n; this.route = `/r${n % 25}`; this.steps = [n, n + 1]; } }
let active = [];
const load = [400, 1500, 300, 1900, 350, 1700];
let hour = 0;
rounds(round => {
  active = Array.from({ length: load[round] }, (_, n) => new Visit(n));
  for (let n = 0; n < 24; n++) {
    hours.push(new Hour(hour++));
    if (hours.length > 24) hours.shift();
    for (const visit of active) hours.at(-1).byRoute.set(visit.route, visit.n);
  }
});
