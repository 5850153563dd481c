// Threads that have ended stay in the list of a pool.
const rounds = require('./rounds');
const { Worker } = require('worker_threads');

class ThumbnailPool {
  constructor() { this.workers = []; }
  run(name) {
    return new Promise((resolve, reject) => {
      const worker = new Worker(`require('worker_threads').parentPort.postMessage('done ' + ${JSON.stringify(name)})`, { eval: true });
      this.workers.push(worker);
      worker.on('exit', resolve);
      worker.on('error', reject);
    });
  }
}
const thumbnails = new ThumbnailPool();

let n = 0;
rounds(async () => {
  for (let i = 0; i < 20; i++) await thumbnails.run(`image-${n++}`);
});
