// A reminder gets the booking as argument of its timer, and waits for two weeks; bookings that were cancelled wait with it.
const rounds = require('./rounds');

class Booking {
  #guests;
  constructor(id) {
    this.id = id;
    this.#guests = Array.from({ length: 6 }, (_, n) => ({ name: `guest ${n} of ${id}`, table: n }));
    this.cancelled = false;
  }
  cancel() { this.cancelled = true; }
  get guests() { return this.#guests; }
}
class Restaurant {
  constructor() { this.open = new Map(); this.reminded = 0; }
  book(id) {
    const booking = new Booking(id);
    this.open.set(id, booking);
    setTimeout(sendReminder, 14 * 86400000, booking, 'two weeks');
    return booking;
  }
  cancel(id) { this.open.get(id).cancel(); this.open.delete(id); }
}
function sendReminder(booking, when) { if (!booking.cancelled) restaurant.reminded += booking.guests.length + when.length; }
const restaurant = new Restaurant();
rounds(round => { for (let n = 0; n < 800; n++) { restaurant.book(`booking-${round}-${n}`); restaurant.cancel(`booking-${round}-${n}`); } });
