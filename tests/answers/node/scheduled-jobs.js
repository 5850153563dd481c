// Each booking has a job of node-schedule that reminds of it in spring. Bookings are cancelled, their jobs are not.
const rounds = require('./rounds');
const schedule = require('node-schedule');

class Booking {
  constructor(id, room) {
    this.id = id;
    this.room = room;
    this.guests = [{ name: `first guest of ${id}`, bed: 1 }, { name: `second guest of ${id}`, bed: 2 }];
  }
  remind() { return `${this.room} is yours, ${this.guests[0].name}`; }
}
class Reception {
  constructor() { this.bookings = new Map(); this.reminded = 0; }
  book(id, room) {
    const booking = new Booking(id, room);
    this.bookings.set(id, booking);
    schedule.scheduleJob(`remind-${id}`, new Date(Date.now() + 20 * 86400000), () => { booking.remind(); this.reminded++; });
  }
  cancel(id) { this.bookings.delete(id); }
}
const reception = new Reception();
rounds(round => {
  for (let n = 0; n < 250; n++) {
    const id = `b-${round}-${n}`;
    reception.book(id, `room ${n % 40}`);
    if (n % 10) reception.cancel(id);
  }
});
