// A pool of objects that are used again and again.
const rounds = require('./rounds');

class Matrix {
  cells = new Array(80).fill(1.5);
}
const free = Array.from({ length: 1500 }, () => new Matrix());
function borrow(use) {
  const matrix = free.pop();
  use(matrix);
  free.push(matrix);
}

rounds(round => {
  for (let i = 0; i < 20_000; i++) borrow(matrix => matrix.cells[i % 80] = round);
});
