// Latencies of the last minutes, in slots that are used again.
import rounds from './rounds.js';

class Slot { constructor() { this.reset(); } reset() { this.count = 0; this.sum = 0; this.worst = []; } }
const slots = Array.from({ length: 600 }, () => new Slot());
let clock = 0;
rounds(() => {
  for (let n = 0; n < 9000; n++) {
    const slot = slots[Math.floor(clock / 10) % slots.length];
    if (clock++ % 10 === 0) slot.reset();
    slot.count++;
    slot.worst.push({ at: clock, route: `/r/${n % 40}` });
    if (slot.worst.length > 5) slot.worst.shift();
  }
});
