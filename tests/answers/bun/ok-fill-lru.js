// Users are cached up to 6,000, of which fewer are known yet; answers are in a ring, and jobs under way become more.
const rounds = require('./rounds');

class User {
  constructor(id) { this.id = id; this.name = `user ${id}`; this.rights = ['read', id % 4 ? 'write' : 'admin']; }
}
class UserCache {
  constructor(limit) { this.limit = limit; this.users = new Map(); }
  get(id) {
    const user = this.users.get(id) ?? new User(id);
    this.users.delete(id);
    this.users.set(id, user);
    if (this.users.size > this.limit) this.users.delete(this.users.keys().next().value);
    return user;
  }
}
const cache = new UserCache(6000);
const ring = new Array(300);
const jobs = new Map();
const together = [50, 100, 150, 200];
let last = 0;
rounds(async round => {
  for (let n = 0; n < 1200; n++) {
    const user = cache.get(n % 2 ? last : n % 300);
    ring[last % 300] = { for: user.name, at: last };
    jobs.set(last, { number: last, user, steps: [`read ${last}`, `write ${last}`] });
    last++;
    while (jobs.size > together[round]) jobs.delete(jobs.keys().next().value);
    if (n % 200 === 0) await Bun.sleep(0);
  }
});
