// Calls of a core beside the trace that V8 wrote when the process died: traced.js ROWS TRACE. Prints how many frames have the
// line and column of the trace, by tier, and each that has not. With `wasm` behind: only functions of WebAssembly, by their
// names and places.
'use strict';
const fs = require('fs');
const [rows, trace] = process.argv.slice(2, 4).map((file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean));
const calls = rows.map((row) => JSON.parse(row)).filter((row) => row.script_name && !['native', 'gap'].includes(row.tier));
if (process.argv[4]) {
  const spelt = calls.filter((row) => row.tier === 'wasm').map((row) => row.function.startsWith('wasm-function') ? row.script_name : `${row.function} (${row.script_name})`);
  const wanted = trace.filter((line) => line.includes('wasm://')).map((line) => line.trim().replace(/^at /, ''));
  const right = wanted.length > 0 && spelt.join('\n') === wanted.join('\n');
  console.log(right ? `wasm ${spelt.length} of ${wanted.length}` : `NO ${wanted.join(', ')}: ${spelt.join(', ')}`);
  process.exit(right ? 0 : 1);
}
const place = /^\s*\d+: .*?\(?((?:file:|node:|\/)[^()]*):(\d+):(\d+)\)?$/;
const wanted = trace.map((line) => place.exec(line)).filter(Boolean);
const tiers = new Map();
let failed = wanted.length < 5;
wanted.forEach(([line, , row, column], i) => {
  const call = calls[i] ?? {};
  const right = call.line === Number(row) && call.column === Number(column);
  const [good, all] = tiers.get(call.tier) ?? [0, 0];
  tiers.set(call.tier, [good + right, all + 1]);
  if (right) return;
  failed = true;
  console.log(`NO ${line.trim()}: ${call.function} ${call.line}:${call.column}`);
});
console.log([...tiers].sort().map(([tier, [good, all]]) => `${tier} ${good} of ${all}`).join(', '));
process.exit(failed ? 1 : 0);
