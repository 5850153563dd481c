// A pool of three workers makes previews; each is replaced when it has done forty tasks.
const rounds = require('./rounds');
const { Worker } = require('worker_threads');

const code = `const { parentPort } = require('worker_threads');
parentPort.on('message', ({ id, text }) => parentPort.postMessage({ id, html: text.replace(/\\w+/g, word => '<b>' + word + '</b>') }));`;
class PreviewPool {
  constructor(size) { this.waiting = new Map(); this.slots = Array.from({ length: size }, () => this.start()); this.next = 0; }
  start() {
    const slot = { worker: new Worker(code, { eval: true }), done: 0 };
    slot.worker.on('message', ({ id, html }) => { this.waiting.get(id)(html); this.waiting.delete(id); });
    return slot;
  }
  async preview(text) {
    const id = ++this.next;
    const slot = this.slots[id % this.slots.length];
    const html = await new Promise(resolve => { this.waiting.set(id, resolve); slot.worker.postMessage({ id, text }); });
    if (++slot.done === 40) {
      this.slots[this.slots.indexOf(slot)] = this.start();
      slot.worker.removeAllListeners('message');
      await slot.worker.terminate();
    }
    return html;
  }
}
const pool = new PreviewPool(3);
rounds(async round => { for (let n = 0; n < 250; n++) await pool.preview(`text ${n} of round ${round}`.repeat(20)); });
