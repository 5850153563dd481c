'use strict';
// Dies in JavaScript that three functions of WebAssembly have led to, and writes its own trace: wasm.js TRACE [TIMES [bare]].
// TIMES: after how many calls, which makes V8 compile them again; `bare`: without names. `wasm.js spin` computes for ever.
const [to, times = 1, bare] = process.argv.slice(2);
const text = (s) => [s.length, ...Buffer.from(s)];
const section = (id, body) => [id, body.length, ...body];
const body = (code) => [code.length + 1, 0, ...code];
const part = (id, body) => [id, body.length, ...body];
const names = ['out', 'inner', 'middle', 'outer', 'spin'];
const bytes = [
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7f]),
  // A memory, a table and a global from elsewhere are counted apart from functions.
  ...section(2, [2, ...text('env'), ...text('words'), 2, 0, 1, ...text('env'), ...text('out'), 0, 0]),
  ...section(3, [4, 0, 0, 0, 0]),
  ...section(7, [2, ...text('run'), 0, 3, ...text('spin'), 0, 4]),
  ...section(10, [4,
    ...body([0x20, 0, 0x28, 2, 0, 0x20, 0, 0x6a, 0x10, 0, 0x0b]), // out(words[n] + n)
    ...body([0x20, 0, 0x10, 1, 0x41, 2, 0x6a, 0x0b]), // inner(n) + 2
    ...body([0x41, 7, 0x20, 0, 0x36, 2, 64, 0x20, 0, 0x10, 2, 0x0b]), // words[71] = n; middle(n)
    ...body([0x03, 0x40, 0x0c, 0, 0x0b, 0x20, 0, 0x0b])]), // loop
  ...(bare ? [] : section(0, [...text('name'), ...part(0, text('pier')),
    ...part(1, [names.length, ...names.flatMap((name, i) => [i, ...text(name)])])])),
];
let count = 0;
function out(n) {
  if (++count < times) return n;
  require('fs').writeFileSync(to, new Error('here').stack);
  process.abort();
}
const words = new WebAssembly.Memory({ initial: 1 });
const pier = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)), { env: { out, words } }).exports;
if (to === 'spin') {
  console.log('READY', process.pid);
  pier.spin(1);
}
for (let i = 0; i < times; i++) pier.run(i % 100);
