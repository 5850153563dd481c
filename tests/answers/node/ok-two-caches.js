// Two caches with limits: users come by chance, and each cache still fills up a little while the dumps are taken.
const rounds = require('./rounds');

class Bounded {
  constructor(limit) { this.limit = limit; this.map = new Map(); }
  get(key, make) {
    let value = this.map.get(key);
    if (value !== undefined) { this.map.delete(key); this.map.set(key, value); return value; }
    this.map.set(key, value = make(key));
    if (this.map.size > this.limit) this.map.delete(this.map.keys().next().value);
    return value;
  }
}
const users = new Bounded(500);
const rights = new Bounded(800);
let seed = 5;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
rounds(async () => {
  for (let i = 0; i < 900; i++) {
    const id = Math.floor(random() * 700);
    users.get(id, id => ({ id, name: `user ${id}`, mail: `user-${id}@example.org`, roles: [id % 3, id % 5] }));
    rights.get(`${id}/${Math.floor(random() * 2)}`, key => ({ key, allowed: new Set([key, `${key}/read`]) }));
    if (i % 50 === 0) await new Promise(setImmediate);
  }
});
