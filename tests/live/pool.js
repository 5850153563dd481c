// Three workers with 100, 200 and 300 objects; the first ends, and a fourth begins after the second second. Prints READY.
const { Worker } = require('node:worker_threads');
const source = (n) => `class Barrel${n} {}
  globalThis.all = [];
  for (let i = 0; i < ${n}00; i++) all.push(new Barrel${n}());
  require('node:worker_threads').parentPort.on('message', () => process.exit());`;
const begin = (n) => new Worker(source(n), { eval: true, name: `pool-${n}` });
const first = begin(1);
begin(2);
begin(3);
setTimeout(() => first.postMessage('end'), 500);
first.on('exit', () => { console.log('READY'); setTimeout(() => begin(4), 2000); });
