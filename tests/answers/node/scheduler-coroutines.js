// Generators that wait for a signal that is never given.
const rounds = require('./rounds');
class Loop {
  constructor() { this.waiting = new Map(); this.ready = []; }
  spawn(generator) { this.ready.push(generator); }
  run() { let g; while ((g = this.ready.shift())) { const { value, done } = g.next(); if (!done) { if (!this.waiting.has(value)) this.waiting.set(value, []); this.waiting.get(value).push(g); } } }
  signal(name) { this.ready.push(...(this.waiting.get(name) || [])); this.waiting.delete(name); }
}
const loop = new Loop();
function* checkout(order) { const basket = { order, lines: [order, order + 1] }; yield 'stock'; basket.reserved = true; yield 'payment'; basket.paid = true; }
let n = 0;
rounds(async () => { for (let i = 0; i < 300; i++) loop.spawn(checkout(n++)); loop.run(); loop.signal('stock'); loop.run(); });
