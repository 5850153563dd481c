// Totals of baskets are atoms of a family of jotai. The family is asked with a new object each time, and so makes, and keeps, an atom for each basket.
const rounds = require('./rounds');
const { atom, createStore } = require('jotai/vanilla');
const { atomFamily } = require('jotai/vanilla/utils');

const rates = atom({ book: 1.07, game: 1.19 });
const basketTotal = atomFamily(basket => atom(get => {
  const rate = get(rates);
  return { lines: basket.lines.map(line => ({ ...line, gross: line.net * rate[line.kind] })), customer: basket.customer };
}));
const store = createStore();

function checkout(customer) {
  const lines = Array.from({ length: 4 }, (_, n) => ({ kind: n % 2 ? 'book' : 'game', net: n * 10, title: `article ${n}` }));
  const total = store.get(basketTotal({ customer, lines }));
  return total.lines.reduce((sum, { gross }) => sum + gross, 0);
}
rounds(round => { for (let n = 0; n < 1000; n++) checkout(`customer-${round}-${n}`); });
