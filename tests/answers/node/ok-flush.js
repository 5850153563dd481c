// Events are written in lots of 1000: the list is sometimes long, and sometimes short.
const rounds = require('./rounds');

class AnalyticsEvent { constructor(n) { this.name = `event-${n}`; this.properties = { page: `/p/${n}`, ms: n * 1.5 }; } }
class Batcher {
  constructor() { this.pending = []; this.written = 0; }
  add(event) {
    this.pending.push(event);
    if (this.pending.length >= 1000) { this.written += this.pending.length; this.pending = []; }
  }
}
const batcher = new Batcher();
let n = 0;
rounds(async round => {
  for (let i = 0; i < [2600, 2100, 1450, 1750][round]; i++) batcher.add(new AnalyticsEvent(n++));
});
