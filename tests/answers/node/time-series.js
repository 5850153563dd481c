// Samples are written to one array of numbers, which is copied into a larger one when it is full.
const rounds = require('./rounds');

class Series {
  constructor() { this.values = new Float64Array(1024); this.length = 0; }
  add(value) {
    if (this.length === this.values.length) {
      const more = new Float64Array(this.length + 20480);
      more.set(this.values);
      this.values = more;
    }
    this.values[this.length++] = value;
  }
}
const loadSeries = new Series();
rounds(round => {
  for (let n = 0; n < 60000; n++) loadSeries.add(n / (round + 1));
});
