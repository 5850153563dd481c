// Private fields as they are compiled for old machines: a WeakMap for each. The jobs that were done stay in one.
const rounds = require('./rounds');

function _classPrivateFieldInitSpec(object, map, value) { if (map.has(object)) throw new TypeError('twice'); map.set(object, value); }
function _classPrivateFieldGet(map, object) { return map.get(object); }
var _running = new WeakMap(), _settled = new WeakMap(), _limit = new WeakMap();
class Dispatcher {
  constructor(limit) {
    _classPrivateFieldInitSpec(this, _running, { writable: true, value: new Set() }.value);
    _classPrivateFieldInitSpec(this, _settled, []);
    _classPrivateFieldInitSpec(this, _limit, limit);
  }
  async dispatch(job) {
    _classPrivateFieldGet(_running, this).add(job);
    try { return await job.run(); } finally {
      _classPrivateFieldGet(_running, this).delete(job);
      _classPrivateFieldGet(_settled, this).push(job);
    }
  }
}
class ThumbnailJob {
  constructor(file) { this.file = file; this.sizes = [64, 128, 256].map(width => ({ width, file: `${file}@${width}` })); }
  async run() { return this.sizes.length; }
}
const dispatcher = new Dispatcher(4);
rounds(async round => { for (let n = 0; n < 700; n++) await dispatcher.dispatch(new ThumbnailJob(`image-${round}-${n}.png`)); });
