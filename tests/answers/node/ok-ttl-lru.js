// A cache with a limit and a time to live, as a list and a map. It is full from the beginning; all is exchanged.
const rounds = require('./rounds');

class Entry { constructor(key, value) { this.key = key; this.value = value; this.until = Date.now() + 60e3; this.older = this.newer = null; } }
class TtlCache {
  #byKey = new Map();
  #newest = null;
  #oldest = null;
  constructor(limit) { this.limit = limit; }
  set(key, value) {
    const entry = new Entry(key, value);
    this.#byKey.set(key, entry);
    entry.older = this.#newest;
    if (this.#newest) this.#newest.newer = entry; else this.#oldest = entry;
    this.#newest = entry;
    if (this.#byKey.size > this.limit) {
      const old = this.#oldest;
      this.#byKey.delete(old.key);
      this.#oldest = old.newer;
      this.#oldest.older = null;
    }
  }
}
const profiles = new TtlCache(1000);

rounds(round => {
  for (let i = 0; i < 1600; i++) profiles.set(`user-${round}-${i}`, { name: `name ${i}`, friends: new Array(20).fill(i) });
});
