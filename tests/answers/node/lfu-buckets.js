// What is evicted from a cache by use stays in the bucket of its number of uses.
const rounds = require('./rounds');
class LfuCache {
  constructor(limit) { this.limit = limit; this.byKey = new Map(); this.buckets = new Map(); }
  put(key, value) {
    if (this.byKey.size >= this.limit) { const oldest = this.byKey.keys().next().value; this.byKey.delete(oldest); }
    const entry = { key, value, uses: 1 };
    this.byKey.set(key, entry);
    this.bucket(1).add(entry);
  }
  get(key) {
    const entry = this.byKey.get(key);
    if (!entry) return undefined;
    this.bucket(entry.uses).delete(entry);
    this.bucket(++entry.uses).add(entry);
    return entry.value;
  }
  bucket(uses) { let set = this.buckets.get(uses); if (!set) this.buckets.set(uses, set = new Set()); return set; }
}
class Report { constructor(id) { this.id = id; this.rows = [id, id * 2, id * 3]; this.title = `report ${id}`; } }
const reports = new LfuCache(300);
let n = 0;
rounds(async () => { for (let i = 0; i < 700; i++, n++) { reports.put(`r${n}`, new Report(n)); reports.get(`r${n - n % 7}`); } });
