// A ring made with room for 4000 fills up.
const rounds = require('./rounds');
class Trace { constructor(n) { this.n = n; this.span = { id: n, name: `span ${n}` }; } }
class TraceRing { constructor(size) { this.items = new Array(size).fill(undefined); this.at = 0; } add(t) { this.items[this.at++ % this.items.length] = t; } }
const ring = new TraceRing(4000); let n = 0;
rounds(async () => { for (let i = 0; i < 1000; i++) ring.add(new Trace(n++)); });
