// A table in segments, compacted between the dumps.
const rounds = require('./rounds');
class Cell { constructor(key, value, seq) { this.key = key; this.value = value; this.seq = seq; } }
class Lsm {
  constructor() { this.memtable = new Map(); this.segments = []; this.seq = 0; }
  put(k, v) { this.memtable.set(k, new Cell(k, v, ++this.seq)); if (this.memtable.size >= 400) this.flush(); }
  flush() { this.segments.push([...this.memtable.values()].sort((a, b) => (a.key < b.key ? -1 : 1))); this.memtable = new Map(); }
  compact() { const all = new Map(); for (const s of this.segments) for (const c of s) all.set(c.key, c); this.segments = [[...all.values()].sort((a, b) => (a.key < b.key ? -1 : 1))]; }
}
const db = new Lsm(); let n = 0;
rounds(async round => { for (let i = 0; i < 4000; i++, n++) db.put(`key-${(n * 7919) % 1500}`, `value ${n}`); db.compact(); for (let i = 0; i < 400 * (round + 1); i++, n++) db.put(`key-${(n * 7919) % 1500}`, `value ${n}`); });
