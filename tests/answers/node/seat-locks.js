// Seats are locked by words in shared memory. A booking waits for its seat without blocking; the worker that had the seats ended and wakes nobody.
const rounds = require('./rounds');

class SeatLocks {
  constructor(seats) { this.words = new Int32Array(new SharedArrayBuffer(4 * seats)).fill(1); }
  async take(seat) {
    for (;;) {
      if (Atomics.compareExchange(this.words, seat, 0, 1) === 0) return;
      const { async, value } = Atomics.waitAsync(this.words, seat, 1);
      if (async) await value;
    }
  }
}
class Booking {
  constructor(id, seat) { this.id = id; this.seat = seat; this.guests = Array.from({ length: 4 }, (_, n) => ({ name: `guest ${n} of ${id}`, age: 20 + n })); }
}
const locks = new SeatLocks(120);
async function book(booking) {
  await locks.take(booking.seat);
  booking.paid = true;
}
rounds(round => { for (let n = 0; n < 400; n++) book(new Booking(`booking-${round}-${n}`, n % 120)); });
