// Work that comes in batches and is done at the end of each.
const rounds = require('./rounds');

class Invoice {
  constructor(n) {
    this.lines = Array.from({ length: 10 }, (_, i) => ({ n, i }));
  }
}
let queue = [];
let totals = 0;

rounds(async round => {
  for (let i = 0; i < 5000; i++) queue.push(new Invoice(round * 5000 + i));
  await new Promise(resolve => setTimeout(resolve, 5));
  for (const invoice of queue) totals += invoice.lines.length;
  queue = [];
});
