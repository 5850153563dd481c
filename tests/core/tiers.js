'use strict';
// Dies nine calls deep after calls enough to have compiled code: closures, a getter, a generator, callbacks of built-in
// functions. `tiers.js TIMES`: how many calls, 20000 if not said.
let die = 0;
function end(tag) {
  if (die) { process.abort(); }
  return tag.length;
}
class Ledger {
  #rows = [3, 1, 2];
  get total() {
    return this.#rows.map((row) => row +
      end('row')).reduce((a, b) => a + b, 0);
  }
  static of(n) { const l = new Ledger(); l.n = n; return l; }
}
function* numbers(n) {
  for (let i = 0; i < n; i++) {
    yield Ledger.of(i).total;
  }
}
const add = (a, b = end('default')) => a + b;
function collect(n) {
  let sum = 0;
  try {
    for (const x of numbers(n)) {
      sum = add(sum, x);
    }
  } finally {
    sum += 0;
  }
  return sum;
}
const outer = { nested: { method(n) { return collect(n) + collect(1); } } };
function drive(times) {
  let all = 0;
  for (let i = 0; i < times; i++) all += outer.nested.method(2);
  return all;
}
drive(Number(process.argv[2] || 20000));
die = 1;
drive(1);
