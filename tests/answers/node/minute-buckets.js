// Counters by minute, in an object with numbers as keys; old minutes stay.
const rounds = require('./rounds');

class RateLimiter {
  constructor() { this.hits = {}; }
  allow(minute, address) {
    const bucket = this.hits[minute] ||= Object.create(null);
    bucket[address] = (bucket[address] || 0) + 1;
    return bucket[address] < 100;
  }
}
const limiter = new RateLimiter();

let minute = 28000000;
rounds(async () => {
  for (let i = 0; i < 60; i++, minute++) for (let n = 0; n < 80; n++) limiter.allow(minute, `10.0.${i % 4}.${n}`);
});
