'use strict';
// A crew of two: the main thread waits for events and dies while a worker computes.
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  class Captain { constructor(i) { this.i = i; } }
  globalThis.captains = Array.from({ length: 30 }, (_, i) => new Captain(i));
  const worker = new Worker(__filename);
  worker.on('message', () => setTimeout(function abandon() { process.kill(process.pid, 'SIGABRT'); }, 300));
} else {
  class Sailor { constructor(i) { this.i = i; } }
  globalThis.sailors = Array.from({ length: 12 }, (_, i) => new Sailor(i));
  setTimeout(function row() {
    (function pull(side, sailor) { for (let i = 0; ; i++) if (i < 0) break; })('port', globalThis.sailors[3]);
  }, 20);
  parentPort.postMessage('ready');
}
