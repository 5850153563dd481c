// Every round throws half of the rows away and loads as many new ones.
const rounds = require('./rounds');

class Row {
  constructor(n) {
    this.cells = [n, `row ${n}`, { n }];
  }
}
const table = { rows: new Map() };
for (let i = 0; i < 4000; i++) table.rows.set(i, new Row(i));
let next = 4000;

rounds(() => {
  const old = [...table.rows.keys()].slice(0, 2000);
  for (const key of old) table.rows.delete(key);
  for (let i = 0; i < 2000; i++) table.rows.set(next, new Row(next++));
});
