// A cache of 200 documents, full from the beginning; later ones are larger.
const rounds = require('./rounds');
class Doc { constructor(id, size) { this.id = id; this.blocks = Array.from({ length: size }, (_, i) => ({ i, id })); } }
class Lru { constructor(max) { this.max = max; this.map = new Map(); } get(k, make) { let v = this.map.get(k); if (v) { this.map.delete(k); } else { v = make(); if (this.map.size >= this.max) this.map.delete(this.map.keys().next().value); } this.map.set(k, v); return v; } }
const documents = new Lru(200); let n = 0;
rounds(async round => { for (let i = 0; i < 400; i++, n++) { documents.get(`d${n}`, () => new Doc(n, 20 + 8 * round)); documents.get(`d${Math.max(0, n - 50)}`, () => new Doc(n, 20)); } });
