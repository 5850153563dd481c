// Each job listens for the signal that asks the process to write its state, and does not stop listening when it is done.
import rounds from './rounds.js';

class Progress {
  constructor(total) {
    this.total = total;
    this.done = 0;
    this.samples = [];
  }
  step(n) {
    this.done++;
    if (n % 5 === 0) this.samples.push({ n, share: this.done / this.total });
  }
}

class IndexJob {
  constructor(name, documents) {
    this.name = name;
    this.documents = documents;
    this.words = new Map();
    this.progress = new Progress(documents.length);
  }
  report() { return `${this.name}: ${this.progress.done} of ${this.progress.total}, ${this.words.size} words`; }
  async run() {
    Deno.addSignalListener('SIGUSR1', () => console.error(this.report()));
    for (const [n, text] of this.documents.entries()) {
      for (const word of text.split(' ')) this.words.set(word, (this.words.get(word) ?? 0) + 1);
      this.progress.step(n);
      if (n % 10 === 9) await Promise.resolve();
    }
    return this.words.size;
  }
}

class Scheduler {
  constructor(limit) {
    this.limit = limit;
    this.running = new Set();
    this.history = [];
  }
  async run(job) {
    while (this.running.size >= this.limit) await Promise.race(this.running);
    const running = job.run().then(words => {
      this.history.push({ name: job.name, words });
      if (this.history.length > 40) this.history.shift();
    }).finally(() => this.running.delete(running));
    this.running.add(running);
    return running;
  }
}

const scheduler = new Scheduler(4);
rounds(async round => {
  const all = [];
  for (let n = 0; n < 200; n++) {
    const documents = Array.from({ length: 20 }, (_, i) => `document ${i} of job ${round} ${n} says word${i % 7}`);
    all.push(scheduler.run(new IndexJob(`index-${round}-${n}`, documents)));
  }
  await Promise.all(all);
});
