// A circuit breaker is made for each call; its window of figures moves by a timer that nobody stops.
const rounds = require('./rounds');
const EventEmitter = require('events');

class RollingWindow extends EventEmitter {
  constructor(buckets) {
    super();
    this.window = Array.from({ length: buckets }, () => ({ fires: 0, failures: 0, latencies: [] }));
    this.rotation = setInterval(() => { this.window.pop(); this.window.unshift({ fires: 0, failures: 0, latencies: [] }); }, 60000);
    this.rotation.unref();
  }
}
class CircuitBreaker extends EventEmitter {
  constructor(action) { super(); this.action = action; this.status = new RollingWindow(10); this.status.on('snapshot', s => this.emit('snapshot', s)); }
  async fire(...args) { this.status.window[0].fires++; return this.action(...args); }
}
const charge = async amount => amount * 1.19;
rounds(async round => { for (let n = 0; n < 300; n++) await new CircuitBreaker(charge).fire(n + round); });
