// A Set of the 120 jobs under way, all others at each dump; later ones are larger.
const rounds = require('./rounds');
class Job { constructor(id, k) { this.id = id; this.steps = Array.from({ length: k }, (_, i) => ({ i, s: `s${i}` })); } }
const running = new Set(); let n = 0;
rounds(async round => { running.clear(); for (let i = 0; i < 120; i++) running.add(new Job(n++, 20 + 10 * round)); });
