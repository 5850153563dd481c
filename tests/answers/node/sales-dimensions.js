// Sales are looked at by a dimension that is made for each report, and sorts all of them. Nobody disposes of the dimensions.
const rounds = require('./rounds');
const crossfilter = require('crossfilter2');

const sales = crossfilter(Array.from({ length: 4000 }, (_, n) => ({ day: n % 365, shop: n % 23, sum: (n * 7919) % 997 })));

function report(least) {
  const bySum = sales.dimension(sale => sale.sum);
  bySum.filterRange([least, 1000]);
  const top = bySum.top(10);
  bySum.filterAll();
  return top;
}
rounds(round => { for (let n = 0; n < 12; n++) report(500 + round * 12 + n); });
