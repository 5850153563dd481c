// A worker polls a queue by an async function that returns the call of itself. No call ever ends, so that the promise of each is kept by that of the one after it.
const rounds = require('./rounds');

class JobQueue {
  constructor() {
    this.jobs = [];
    this.waiting = [];
  }
  put(job) {
    const waits = this.waiting.shift();
    if (waits) waits(job); else this.jobs.push(job);
  }
  take() {
    if (this.jobs.length) return Promise.resolve(this.jobs.shift());
    return new Promise(resolve => this.waiting.push(resolve));
  }
}

class Parcel {
  constructor(number) {
    this.number = number;
    this.to = `street ${number % 90}, town ${number % 7}`;
    this.weights = Array.from({ length: 10 }, (_, n) => number * n % 31);
  }
}

class PollWorker {
  constructor(name, queue, stock) {
    this.name = name;
    this.queue = queue;
    this.stock = stock;
    this.handled = 0;
    this.errors = 0;
  }
  start() {
    this.poll().catch(error => { this.errors++; this.lastError = error; });
  }
  async poll() {
    const parcel = await this.queue.take();
    const started = process.hrtime.bigint();
    try {
      await this.handle(parcel);
      this.stock.set(parcel.number % 50, { at: started, weight: parcel.weights[1] });
    } catch (error) {
      this.errors++;
    }
    return this.poll();
  }
  async handle(parcel) {
    if (parcel.number % 41 === 0) throw new Error(`nobody lives in ${parcel.to}`);
    this.handled++;
    await new Promise(resolve => setImmediate(resolve));
  }
}

const queue = new JobQueue();
const stock = new Map();
const workers = ['north', 'south'].map(name => new PollWorker(name, queue, stock));
for (const worker of workers) worker.start();
let number = 0;
rounds(async () => {
  for (let n = 0; n < 900; n++) {
    queue.put(new Parcel(number++));
    if (n % 100 === 99) await new Promise(resolve => setTimeout(resolve, 2));
  }
  while (queue.waiting.length < workers.length) await new Promise(resolve => setTimeout(resolve, 1));
});
