// The last 20 versions of a plan, each a little larger.
const rounds = require('./rounds');
class Task { constructor(n, v) { this.n = n; this.v = v; this.title = `task ${n}`; } }
const plans = { versions: new Map() }; let v = 0;
rounds(async round => { for (let i = 0; i < 30; i++, v++) { plans.versions.set(v, Array.from({ length: 40 + 10 * round }, (_, n) => new Task(n, v))); if (plans.versions.size > 20) plans.versions.delete(v - 20); } });
