// A function remembers its results by arguments that hardly ever come again.
const rounds = require('./rounds');

function memoize(compute) {
  const remembered = {};
  return (...args) => {
    const key = JSON.stringify(args);
    return remembered[key] ??= compute(...args);
  };
}
const quote = memoize((product, second) => ({ product, second, lines: [product, second, product + second] }));

rounds(round => {
  for (let i = 0; i < 1500; i++) quote(`p${i % 10}`, round * 10_000 + i);
});
