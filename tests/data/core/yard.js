'use strict';
// A yard that dies while it is busy: code of each compiler on the stack, what optimized code names, calls that wait,
// errors, timers, a server. Run with --expose-gc --allow-natives-syntax.
const net = require('net');
class Box { constructor(i) { this.i = i; } }
class Rack { constructor() { this.boxes = []; } add(i) { this.boxes.push(new Box(i)); } }
const rack = new Rack();
function fill(n) { for (let k = 0; k < n; k++) rack.add(k); }
for (let round = 0; round < 50; round++) { fill(500); rack.boxes.length = 0; }
%PrepareFunctionForOptimization(fill); fill(200); %OptimizeFunctionOnNextCall(fill); fill(300);
globalThis.fill = fill;
let full = false;

function stop(why) {
  if (!full) return 1;
  if (process.argv[2]) require('fs').writeFileSync(process.argv[2], new Error(why).stack);
  if (global.gc) global.gc();
  process.abort();
}
function crate(n) {
  const one = n + 1;

  return one + stop('full');
}
function shelf(n) {
  let sum = n;
  sum += crate(n);
  return sum;
}
function aisle(n) {
  let sum = 0;
  sum += n;

  sum += shelf(n) * 2;
  return sum;
}
function hall(n) {
  const half = n / 2;
  return half +
    aisle(n);
}
// Interpreted, baseline, and optimized with `aisle` in `hall`.
%NeverOptimizeFunction(stop); %NeverOptimizeFunction(crate); %NeverOptimizeFunction(shelf);
%PrepareFunctionForOptimization(aisle); %PrepareFunctionForOptimization(hall);
for (let i = 0; i < 30; i++) hall(i);
%CompileBaseline(crate); %CompileBaseline(shelf);
for (let i = 0; i < 30; i++) hall(i);
%OptimizeFunctionOnNextCall(hall);
hall(1);

class YardError extends TypeError { constructor(text, code) { super(text); this.code = code; } }
function fail(i) { return new YardError('box ' + i + ' is lost', i); }
globalThis.errors = [fail(0), fail(1)];
globalThis.read = fail(2); globalThis.read.stack;

const gate = new Promise(() => { });
async function load(id) { const label = 'truck-' + id; await gate; return label; }
async function drive(id) { const speed = { kmh: 10 * id }; const done = await load(id); return done + speed.kmh; }
async function dispatch(id) { return await drive(id); }
globalThis.trucks = [1, 2, 3].map((id) => dispatch(id));

globalThis.timer = setTimeout(function lateShift() { }, 86400000);
const server = net.createServer(function onVisitor() { });
server.listen(0, '127.0.0.1', () => setTimeout(function close() { full = true; hall(41); }, 5));
