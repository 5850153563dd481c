// Deliveries that fail wait for another time, thrice at most; a few hundred wait, more after a bad hour and fewer after a good one.
const rounds = require('./rounds');

class Delivery {
  #tries = 0;
  constructor(id) { this.id = id; this.body = { id, lines: Array.from({ length: 8 }, (_, n) => `line ${n} of ${id}`) }; this.timer = null; }
  tried() { return ++this.#tries; }
}
class Deliveries {
  constructor() { this.waiting = new Map(); this.sent = 0; this.lost = 0; }
  send(delivery, works) {
    if (works) { this.sent++; this.forget(delivery); return; }
    if (delivery.tried() > 3) { this.lost++; this.forget(delivery); return; }
    clearTimeout(delivery.timer);
    delivery.timer = setTimeout(() => this.send(delivery, true), 3600000);
    this.waiting.set(delivery.id, delivery);
  }
  forget(delivery) { clearTimeout(delivery.timer); this.waiting.delete(delivery.id); }
  again(works) { for (const delivery of [...this.waiting.values()]) this.send(delivery, works(delivery)); }
}
const deliveries = new Deliveries();
rounds(round => {
  deliveries.again(() => true);
  const bad = [300, 520, 340, 470][round];
  for (let n = 0; n < 900; n++) deliveries.send(new Delivery(`delivery-${round}-${n}`), n >= bad);
  deliveries.again(delivery => delivery.id.endsWith('7'));
});
