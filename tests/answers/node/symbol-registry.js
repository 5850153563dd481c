// Locks are taken by symbols of the global registry, one for each resource; the registry never forgets one.
const rounds = require('./rounds');

class LockTable {
  constructor() { this.held = new Set(); }
  with(resource, work) {
    const key = Symbol.for(`lock:${resource}`);
    this.held.add(key);
    try { return work(); } finally { this.held.delete(key); }
  }
}
const locks = new LockTable();
rounds(round => { for (let n = 0; n < 6000; n++) locks.with(`invoice/${round}/${n}`, () => n); });
