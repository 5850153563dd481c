// A pool of two threads answers questions; each answer settles a promise that a map keeps till then.
const rounds = require('./rounds');
const { Worker } = require('worker_threads');

const asked = new Map();
const pool = [0, 1].map(() => {
  const worker = new Worker(`const { parentPort } = require('worker_threads'); parentPort.on('message', ({ id, text }) => parentPort.postMessage({ id, words: text.split(' ') }));`, { eval: true });
  worker.on('message', ({ id, words }) => { asked.get(id)(words); asked.delete(id); });
  return worker;
});
let n = 0;
const ask = text => new Promise(resolve => { asked.set(++n, resolve); pool[n % 2].postMessage({ id: n, text }); });
rounds(async () => {
  for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 10 }, (_, k) => ask(`a question ${i} with words ${k}`)));
});
