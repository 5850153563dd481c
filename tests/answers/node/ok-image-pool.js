// Pictures are made smaller by a pool of workers: more jobs in each round, and all are done before the dump.
const path = require('path');
const { isMainThread } = require('worker_threads');

if (!isMainThread) {
  module.exports = ({ pixels, width }) => {
    const source = new Uint8Array(pixels);
    const half = new Uint8Array(source.length / 4);
    for (let i = 0; i < half.length; i++) {
      const x = i % (width / 2), y = Math.floor(i / (width / 2));
      half[i] = source[2 * y * width + 2 * x];
    }
    return half;
  };
} else {
  const { EventEmitter } = require('events');
  const Piscina = require('piscina');
  const rounds = require('./rounds');

  class Thumbnails extends EventEmitter {
    constructor() {
      super();
      this.pool = new Piscina({ filename: path.resolve(__filename), minThreads: 2, maxThreads: 3, idleTimeout: 60_000 });
      this.byName = new Map();
      this.timings = new Float64Array(512);
      this.done = 0;
    }

    async make(name, width) {
      const pixels = new Uint8Array(width * width).map((_, i) => i * 7);
      const started = performance.now();
      const thumbnail = await this.pool.run({ pixels: pixels.buffer, width }, { transferList: [pixels.buffer] });
      this.timings[this.done++ % this.timings.length] = performance.now() - started;
      // The newest hundred stay.
      this.byName.set(name, thumbnail);
      if (this.byName.size > 100) this.byName.delete(this.byName.keys().next().value);
      this.emit('made', name);
      return thumbnail;
    }
  }

  const thumbnails = new Thumbnails();
  const perMinute = [];
  let made = 0;
  thumbnails.on('made', () => { made++; });
  setInterval(() => { perMinute.push(made); made = 0; if (perMinute.length > 30) perMinute.shift(); }, 20);
  let n = 0;
  rounds(async round => {
    await Promise.all(Array.from({ length: 80 + 60 * round }, () => thumbnails.make(`picture-${n++}.png`, 64)));
  });
}
