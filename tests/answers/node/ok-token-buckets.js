// Calls are limited by a bucket of tokens for each address. Full buckets are swept every few hundred calls; how many addresses come differs from hour to hour.
const rounds = require('./rounds');

class Bucket {
  constructor(now) { this.tokens = 10; this.at = now; this.recent = []; }
  take(now) {
    this.tokens = Math.min(10, this.tokens + (now - this.at) * 0.5);
    this.at = now;
    this.recent.push(now);
    if (this.recent.length > 5) this.recent.shift();
    if (this.tokens < 1) return false;
    this.tokens--;
    return true;
  }
}
class Limiter {
  constructor() { this.buckets = new Map(); this.now = 0; this.calls = 0; this.refused = 0; }
  call(address) {
    this.now++;
    let bucket = this.buckets.get(address);
    if (!bucket) this.buckets.set(address, bucket = new Bucket(this.now));
    if (!bucket.take(this.now)) this.refused++;
    if (++this.calls % 400 === 0) this.sweep();
  }
  sweep() { for (const [address, bucket] of this.buckets) if (this.now - bucket.at > 1500) this.buckets.delete(address); }
}
const limiter = new Limiter();
const load = [2600, 3900, 3300, 5100];
rounds(round => {
  for (let n = 0; n < load[round]; n++) {
    const address = n % 3 ? `10.${round}.${n >> 8}.${n & 255}` : `172.16.0.${n % 60}`;
    limiter.call(address);
  }
});
