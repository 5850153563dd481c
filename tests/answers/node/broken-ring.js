// A ring of the last 200 events of each of five machines; its index is never taken modulo its size.
const rounds = require('./rounds');

class MachineEvent { constructor(n) { this.n = n; this.readings = [n, n * 2, n * 3, n * 4]; this.text = `event ${n}`; } }
class EventRing {
  #size = 200;
  #next = 0;
  slots = new Array(200);
  add(event) { this.slots[this.#next++ || this.#size] = event; }
}
class Plant {
  machines = Array.from({ length: 5 }, (_, n) => ({ name: `machine-${n}`, ring: new EventRing() }));
}
const plant = new Plant();
let n = 0;
rounds(async () => {
  for (let i = 0; i < 2500; i++) plant.machines[i % 5].ring.add(new MachineEvent(n++));
});
