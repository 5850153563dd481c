// The last 12,000 events stand in a ring that is not full yet; a second ring has the errors.
const rounds = require('./rounds');

class Ring {
  #slots;
  #next = 0;
  constructor(size) { this.#slots = new Array(size).fill(null); }
  add(event) { this.#slots[this.#next++ % this.#slots.length] = event; }
  *[Symbol.iterator]() { yield* this.#slots.filter(Boolean); }
}
const recorder = { events: new Ring(12000), errors: new Ring(500) };
let last = 0;
rounds(async () => {
  for (let n = 0; n < 2800; n++) {
    const event = { number: last++, kind: n % 30 ? 'info' : 'error', text: `event ${last} of ${n % 12}` };
    recorder.events.add(event);
    if (event.kind === 'error') recorder.errors.add(event);
  }
});
