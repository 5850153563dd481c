// A worker answers tasks by their number. Those of one kind it never answers, and their promises wait.
const rounds = require('./rounds');
const { Worker } = require('worker_threads');

const code = `const { parentPort } = require('worker_threads');
parentPort.on('message', ({ id, kind }) => { if (kind !== 'preview') parentPort.postMessage({ id, ok: true }); });`;
class RenderTask {
  constructor(id, kind) { this.id = id; this.kind = kind; this.layers = Array.from({ length: 12 }, (_, n) => ({ n, name: `layer ${n}` })); }
}
class RenderPool {
  #worker = new Worker(code, { eval: true });
  #tasks = new Map();
  #id = 0;
  constructor() {
    this.#worker.on('message', ({ id }) => { this.#tasks.get(id)?.resolve(); this.#tasks.delete(id); });
  }
  run(kind) {
    const task = new RenderTask(++this.#id, kind);
    return new Promise(resolve => { this.#tasks.set(task.id, { task, resolve }); this.#worker.postMessage({ id: task.id, kind }); });
  }
}
const pool = new RenderPool();
rounds(async () => {
  for (let i = 0; i < 500; i++) {
    pool.run('preview');
    await pool.run('page');
  }
});
