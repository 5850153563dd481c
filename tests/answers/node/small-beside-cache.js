// A small leak beside a large cache that is full and in order.
const rounds = require('./rounds');

class Document {
  constructor(n) {
    this.n = n;
    this.lines = new Array(100).fill(n);
  }
}
class Failure {
  constructor(n) {
    this.n = n;
    this.attempts = [n, n, n, n];
  }
}
const documents = new Map();
const failures = [];
function read(n) {
  documents.set(n, new Document(n));
  if (documents.size > 2500) documents.delete(documents.keys().next().value);
}

rounds(round => {
  for (let i = 0; i < 3000; i++) read(round * 3000 + i);
  for (let i = 0; i < 700; i++) failures.push(new Failure(i));
});
