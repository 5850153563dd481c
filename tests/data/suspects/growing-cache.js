// A large table that is meant to be there, and a small list of sessions that grows with each request: three snapshots.
const { write, text } = require('./write.js');
const words = [];
for (let i = 0; i < 700; i++) words.push({ word: 'word ' + i, text: text('meaning ' + i, 1200) });
class Session { constructor(id) { this.id = id; this.form = text('field ' + id, 400); } }
class Registry { constructor() { this.open = new Map(); } }
const registry = new Registry();
globalThis.app = { dictionary: words, registry };
const out = process.argv[2];
let next = 0;
for (let round = 1; round <= 3; round++) {
  for (let i = 0; i < 100; i++) registry.open.set(next, new Session(next++));
  process.argv[2] = out.replace('N', round);
  write();
}
