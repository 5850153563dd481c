// A pool of frames, up to the most that were needed at once.
const rounds = require('./rounds');
class Frame { constructor() { this.bytes = Buffer.alloc(8192); this.owner = null; } }
class FramePool { constructor() { this.free = []; this.made = 0; } take() { return this.free.pop() || (this.made++, new Frame()); } give(f) { f.owner = null; this.free.push(f); } }
const pool = new FramePool();
const peak = [40, 70, 79, 80];
rounds(async round => { for (let t = 0; t < 20; t++) { const used = Array.from({ length: peak[round] }, () => pool.take()); for (const f of used) f.owner = { id: t }; used.forEach(f => pool.give(f)); } });
