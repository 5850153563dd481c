// A queue of p-queue lets two tasks run at once; two that never end stop it, and all others wait.
const rounds = require('./rounds');
const { default: PQueue } = require('p-queue');

const resizeQueue = new PQueue({ concurrency: 2 });
class ResizeJob {
  constructor(n) { this.source = `s3://photos/${n}.jpg`; this.sizes = [100, 200, 400, 800].map(width => ({ width, name: `${n}-${width}` })); }
  async run() { if (this.source.endsWith('/5.jpg') || this.source.endsWith('/9.jpg')) await new Promise(() => {}); return this.sizes; }
}

let n = 0;
rounds(async () => {
  for (let i = 0; i < 500; i++) {
    const job = new ResizeJob(n++);
    resizeQueue.add(() => job.run());
    if (i % 50 === 0) await new Promise(setImmediate);
  }
});
