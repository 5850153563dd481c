'use strict';
// A process that is never idle for long, to see for how long it was stopped. usage: node pause.js OBJECTS FOLDER
// Each line on standard input is a command: `gap` prints the longest pause in milliseconds and the peak of memory in MB
// since the last command; `snapshot` writes FOLDER/x.heapsnapshot.
const v8 = require('v8'), fs = require('fs');
class Ship { constructor(n) { this.n = n; this.name = 'ship ' + n; this.at = { x: n, y: n + 0.5 }; this.log = [n, 'left port', null]; } }
globalThis.keep = Array.from({ length: Number(process.argv[2]) }, (_, i) => new Ship(i));
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1]) / 1024;
const reset = () => { try { fs.writeFileSync('/proc/self/clear_refs', '5'); } catch {} };
let last = process.hrtime.bigint(), gap = 0;
const tick = () => { const now = process.hrtime.bigint(); gap = Math.max(gap, Number(now - last) / 1e6); last = now; };
setInterval(tick, 1);
process.stdin.setEncoding('utf8').on('data', (text) => {
  for (const command of text.split('\n')) {
    tick();
    if (command === 'gap') { console.log(JSON.stringify({ gap: Math.round(gap), peak: Math.round(peak()), heap: Math.round(v8.getHeapStatistics().used_heap_size / 1e6) })); gap = 0; reset(); tick(); gap = 0; }
    if (command === 'snapshot') v8.writeHeapSnapshot(process.argv[3] + '/x.heapsnapshot');
  }
});
process.stdin.on('end', () => process.exit());
setTimeout(() => console.log('READY ' + process.pid), 500);
