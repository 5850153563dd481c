// A worker computes thumbnails, and leaves out those that were cancelled; the caller's side waits for their answers for ever.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const rounds = require('./rounds');

if (!isMainThread) {
  const cancelled = new Set();
  parentPort.on('message', message => {
    if (message.cancel !== undefined) cancelled.add(message.cancel);
    else setImmediate(() => {
      if (cancelled.delete(message.id)) return;
      parentPort.postMessage({ id: message.id, pixels: message.width * message.height });
    });
  });
} else {
  class ThumbnailWorker {
    #nextId = 1;
    #calls = new Map();
    constructor() {
      this.worker = new Worker(__filename, { execArgv: [] });
      this.worker.on('message', ({ id, pixels }) => {
        this.#calls.get(id).resolve(pixels);
        this.#calls.delete(id);
      });
    }
    render(image, signal) {
      const id = this.#nextId++;
      return new Promise((resolve, reject) => {
        this.#calls.set(id, { image, resolve, reject, queuedAt: performance.now() });
        this.worker.postMessage({ id, width: image.width, height: image.height });
        signal?.addEventListener('abort', () => this.worker.postMessage({ cancel: id }), { once: true });
      });
    }
  }
  const thumbnails = new ThumbnailWorker();
  const album = new Map();
  let last = 0;
  rounds(async () => {
    for (let n = 0; n < 200; n++) {
      const done = [];
      for (let i = 0; i < 6; i++) {
        const image = { name: `image-${last++}.png`, width: 640, height: 480, exif: { camera: `camera ${i}`, taken: last } };
        if (i % 3) done.push(thumbnails.render(image).then(pixels => album.set(image.name, pixels)));
        else {
          const abort = new AbortController();
          thumbnails.render(image, abort.signal);
          abort.abort();
        }
      }
      await Promise.all(done);
      while (album.size > 400) album.delete(album.keys().next().value);
    }
  });
}
