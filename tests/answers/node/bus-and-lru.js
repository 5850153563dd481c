// Two leaks: a cache that evicts by a key that it does not have, and listeners at a bus.
const rounds = require('./rounds');
const { EventEmitter } = require('events');

class RecentlyUsed {
  constructor(limit) { this.limit = limit; this.map = new Map(); this.order = []; }
  set(key, value) {
    this.map.set(key, value);
    this.order.push(key);
    if (this.order.length > this.limit) this.map.delete(`${this.order.shift()}:old`);
  }
}
class Avatar { constructor(n) { this.user = n; this.pixels = Array.from({ length: 48 }, (_, x) => x * n + 0.5); } }
class Subscription { constructor(n) { this.topic = `topic-${n % 7}`; this.seen = new Set([n, n + 1, n + 2]); } }
const avatars = new RecentlyUsed(100);
const appBus = new EventEmitter().setMaxListeners(0);
let n = 0;
rounds(async () => {
  for (let i = 0; i < 600; i++, n++) {
    avatars.set(`user-${n}`, new Avatar(n));
    const subscription = new Subscription(n);
    appBus.on('saved', document => subscription.seen.add(document));
  }
});
