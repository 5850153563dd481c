// A buffer that is written at 1000 rows; more of them wait at each dump.
const rounds = require('./rounds');
class Dirty { constructor(id) { this.id = id; this.patch = { name: `n${id}`, at: id }; } }
class Writer { constructor() { this.dirty = new Map(); this.flushed = 0; } mark(id) { this.dirty.set(id, new Dirty(id)); if (this.dirty.size >= 1000) { this.flushed += this.dirty.size; this.dirty.clear(); } } }
const writer = new Writer(); let n = 0;
rounds(async () => { for (let i = 0; i < 3250; i++) writer.mark(`row${n++}`); });
