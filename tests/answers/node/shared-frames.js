// Frames of a camera in memory that is shared with workers stay in a list.
const rounds = require('./rounds');

class Frame { constructor(n) { this.n = n; this.pixels = new Uint8Array(new SharedArrayBuffer(16384)); } }
class FrameStore {
  constructor() { this.byCamera = new Map(); }
  add(camera, n) { if (!this.byCamera.has(camera)) this.byCamera.set(camera, { name: camera, frames: [] }); this.byCamera.get(camera).frames.push(new Frame(n)); }
}
module.exports.frameStore = new FrameStore();
rounds(round => { for (let n = 0; n < 80; n++) module.exports.frameStore.add('door', round * 80 + n); });
