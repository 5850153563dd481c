'use strict';
// A mill that dies in code of Maglev, with calls that it has inlined, and with functions that alone have their compiled code.
// Node 24 and later. Run with --expose-gc --allow-natives-syntax.
let full = false;
function stop(why) {
  if (!full) return 1;
  if (process.argv[2]) require('fs').writeFileSync(process.argv[2], new Error(why).stack);
  if (global.gc) global.gc();
  process.abort();
}
function press(n) {
  let sum = n + 1;
  sum += stop('full');
  return sum;
}
function sift(n) {
  const twice = n * 2;

  return twice + press(twice);
}
class Sack {
  constructor(n) {
    this.flour =
      sift(n);
  }
}
function grind(n) {
  return new Sack(n).flour;
}
function each(list) {
  let sum = 0;
  list.forEach((n) => {
    sum += grind(n);
  });
  return sum;
}
function turn(n) {
  let sum = n;
  for (let i = 0; i < 3; i++)
    sum += each([n, i]);
  return sum;
}
%NeverOptimizeFunction(stop);
%NeverOptimizeFunction(each);
for (const f of [press, sift, grind, turn]) %PrepareFunctionForOptimization(f);
for (let i = 0; i < 50; i++) turn(i);
for (const f of [press, sift, grind, turn]) %OptimizeMaglevOnNextCall(f);
turn(1);

class Stone { constructor(i) { const turns = [i]; this.spin = function spin(k) { turns.push(k); return turns.length > 1; }; } }
globalThis.stones = [0, 1].map((i) => new Stone(i));
const { spin } = stones[0];
%PrepareFunctionForOptimization(spin);
for (let i = 0; i < 50; i++) spin(i);
%OptimizeMaglevOnNextCall(spin);
spin(1);

setTimeout(function close() { full = true; turn(7); }, 5);
