// Measurements are collected until there are 4000, and written then. A dump sees any height of the saw's teeth.
const rounds = require('./rounds');

class Measurement { constructor(n) { this.n = n; this.at = Date.now(); this.name = `measurement ${n}`; } }
class Collector {
  open = [];
  written = 0;
  add(measurement) { if (this.open.push(measurement) >= 4000) { this.written += this.open.length; this.open = []; } }
}
const collector = new Collector();
const load = [2500, 3500, 2900, 1400];

rounds(round => { for (let i = 0; i < load[round]; i++) collector.add(new Measurement(i)); });
