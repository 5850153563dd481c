// The same records are in a map and in an array.
const rounds = require('./rounds');

class Reading {
  constructor(n) {
    this.sensor = `s${n % 7}`;
    this.values = [n, n + 1, n + 2, n + 3];
  }
}
const readingsById = new Map();
const readingsByTime = [];

rounds(round => {
  for (let i = 0; i < 1200; i++) {
    const reading = new Reading(round * 1200 + i);
    readingsById.set(round * 1200 + i, reading);
    readingsByTime.push(reading);
  }
});
