// Templates are compiled when they are first asked for: most in the first round, a few later; answers are dropped.
const rounds = require('./rounds');

class Template {
  constructor(name) { this.name = name; this.parts = Array.from({ length: 20 }, (_, i) => `${name}-${i}`); this.render = values => this.parts.map(part => part + values[part.length % 3]).join(''); }
}
const templates = new Map();
const get = name => { if (!templates.has(name)) templates.set(name, new Template(name)); return templates.get(name); };
const known = [60, 64, 66, 67];
let last = '';
rounds(round => { for (let n = 0; n < 3000; n++) last = get(`t${n % known[round]}`).render(['a', 'b', String(n)]); });
