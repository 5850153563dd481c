// Workers answer tasks; what waits for an answer is forgotten when it comes.
const rounds = require('./rounds');
const { Worker } = require('worker_threads');

const code = `const { parentPort } = require('worker_threads'); parentPort.on('message', m => parentPort.postMessage({ id: m.id, sum: m.data.reduce((a, b) => a + b, 0) }));`;
class Pool {
  constructor(size) {
    this.waiting = new Map();
    this.id = 0;
    this.workers = Array.from({ length: size }, () => {
      const worker = new Worker(code, { eval: true });
      worker.on('message', ({ id, sum }) => { this.waiting.get(id)(sum); this.waiting.delete(id); });
      return worker;
    });
  }
  run(data) {
    return new Promise(resolve => { this.waiting.set(++this.id, resolve); this.workers[this.id % this.workers.length].postMessage({ id: this.id, data }); });
  }
}
let pool;
rounds(async round => {
  if (round === 1) return;
  pool ??= new Pool(3);
  for (let i = 0; i < 300; i++) await Promise.all([pool.run([1, 2, 3]), pool.run(new Array(100).fill(i))]);
});
