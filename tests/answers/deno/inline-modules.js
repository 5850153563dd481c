// Formulas of customers are modules that are written as addresses of data and imported. A module that was imported once is there for good.
import rounds from './rounds.js';

class Formulas {
  constructor() { this.done = 0; }
  async value(customer, formula, x) {
    const text = `// of ${customer}
      const steps = ${JSON.stringify(Array.from({ length: 30 }, (_, n) => `step ${n} of ${customer}`))};
      export const value = x => steps.length * x + ${formula};`;
    const module = await import(`data:text/javascript,${encodeURIComponent(text)}`);
    this.done++;
    return module.value(x);
  }
}
const formulas = new Formulas();
let sum = 0;
rounds(async round => {
  for (let n = 0; n < 100; n++) sum += await formulas.value(`customer ${n}, ${round}`, `${n} / 3`, round);
});
