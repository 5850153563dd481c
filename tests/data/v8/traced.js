'use strict';
// A leak that is recorded as "Allocations on timeline" of Chrome DevTools with stacks: node traced.js OUT
const fs = require('fs');
const inspector = require('inspector');
const link = new inspector.Session();
link.connect();
const post = (m, p) => new Promise((res, rej) => link.post(m, p, (e, r) => (e ? rej(e) : res(r))));
const chunks = [];
link.on('HeapProfiler.addHeapSnapshotChunk', (m) => chunks.push(m.params.chunk));

class Visit { constructor(user) { this.user = user; } }
const visits = new Map();
globalThis.app = { visits };
function open(user) { return new Visit({ name: 'user-' + user }); }
function login(n) { visits.set(n, open(n)); }
function again(depth, n) { return depth === 0 ? login(n) : again(depth - 1, n); }
const notes = globalThis.notes = [];
const note = [(n) => { notes.push([n, 'from a function without a name']); }][0];

(async () => {
  await post('HeapProfiler.enable');
  await post('HeapProfiler.startTrackingHeapObjects', { trackAllocations: true });
  for (let n = 0; n < 200; n++) again(n % 4, n);
  for (let n = 0; n < 50; n++) note(n);
  setTimeout(() => notes.push({ late: true }), 1);
  await new Promise((f) => setTimeout(f, 60));
  await post('HeapProfiler.stopTrackingHeapObjects', { reportProgress: false });
  fs.writeFileSync(process.argv[2], chunks.join(''));
  process.exit(0);
})();
