// Each call has a signal that combines its own with that of the process; listeners on it keep it.
const rounds = require('./rounds');

const processEnd = new AbortController();
class Download {
  constructor(n) {
    this.n = n;
    this.parts = new Array(50).fill(n);
    const signal = AbortSignal.any([processEnd.signal, new AbortController().signal]);
    signal.addEventListener('abort', () => this.cancel());
  }
  cancel() { this.parts.length = 0; }
}

let n = 0;
rounds(async () => {
  for (let i = 0; i < 300; i++) new Download(n++);
  await new Promise(setImmediate);
});
