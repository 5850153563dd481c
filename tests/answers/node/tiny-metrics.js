// The package that behind-modules.js uses.
class Cell {
  constructor(labels) {
    this.labels = labels;
    this.value = 0;
    this.buckets = new Array(12).fill(0);
  }
  inc() {
    this.value++;
  }
}
class Counter {
  cellsByLabel = new Map();
  with(labels) {
    const key = JSON.stringify(labels);
    if (!this.cellsByLabel.has(key)) this.cellsByLabel.set(key, new Cell(labels));
    return this.cellsByLabel.get(key);
  }
}
const registry = {};
exports.counter = name => registry[name] ??= new Counter();
