// Each conversion races with the promise that the service stops. That promise stays open as long as the service runs, and what waits for it keeps its conversion.
const rounds = require('./rounds');

class Service {
  constructor() {
    this.stopping = new Promise(resolve => { this.stop = resolve; });
    this.converted = 0;
    this.kinds = new Map();
  }
  count(kind) { this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1); }
}

class Picture {
  constructor(name, width, height) {
    this.name = name;
    this.width = width;
    this.height = height;
    this.histogram = Array.from({ length: 64 }, (_, n) => n * width % 255);
  }
}

class Converter {
  constructor(service, limit) {
    this.service = service;
    this.limit = limit;
    this.running = 0;
    this.queue = [];
  }
  async convert(picture, kind) {
    if (this.running >= this.limit) await new Promise(resolve => this.queue.push(resolve));
    this.running++;
    try {
      const stopped = this.service.stopping.then(() => ({ name: picture.name, stopped: true }));
      const result = await Promise.race([this.scale(picture), stopped]);
      if (!result.stopped) { this.service.converted++; this.service.count(kind); }
      return result;
    } finally {
      this.running--;
      this.queue.shift()?.();
    }
  }
  async scale(picture) {
    await Bun.sleep(0);
    const bright = picture.histogram.reduce((sum, value) => sum + value, 0) / picture.histogram.length;
    return { name: picture.name, width: picture.width / 2, height: picture.height / 2, bright };
  }
}

const service = new Service();
const converter = new Converter(service, 16);
const kinds = ['jpeg', 'png', 'webp'];
rounds(async round => {
  for (let n = 0; n < 480; n += 24) {
    await Promise.all(Array.from({ length: 24 }, (_, i) => converter.convert(new Picture(`picture ${round}-${n + i}`, 640 + n, 480 + i), kinds[i % 3])));
  }
});
