// Marks of the performance timeline are never cleared.
const rounds = require('./rounds');
const { performance } = require('perf_hooks');

class Details {
  constructor(n) {
    this.path = `/api/items/${n}`;
    this.phases = new Array(16).fill(n);
  }
}

rounds(round => {
  for (let i = 0; i < 600; i++) performance.mark(`request-${round}-${i}`, { detail: new Details(i) });
});
