// Identifiers of events are kept for ten minutes, in a bucket for each; busy minutes and quiet ones take turns.
const rounds = require('./rounds');

class SeenWindow {
  constructor(minutes) { this.minutes = minutes; this.buckets = new Map(); this.now = 0; }
  tick() {
    this.now++;
    for (const minute of this.buckets.keys()) if (minute <= this.now - this.minutes) this.buckets.delete(minute);
  }
  first(id) {
    for (const ids of this.buckets.values()) if (ids.has(id)) return false;
    if (!this.buckets.has(this.now)) this.buckets.set(this.now, new Set());
    this.buckets.get(this.now).add(id);
    return true;
  }
}
class PaymentEvents {
  constructor() { this.seen = new SeenWindow(10); this.booked = 0; }
  minute(round, minute) {
    this.seen.tick();
    const busy = [300, 420, 380, 460, 350, 440, 310, 400, 330, 430, 370][(minute * 7 + round * 3) % 11];
    for (let n = 0; n < busy; n++) if (this.seen.first(`payment-${round}-${minute}-${n}`)) this.booked++;
  }
}
const payments = new PaymentEvents();
rounds(round => { for (let minute = 0; minute < 23; minute++) payments.minute(round, minute); });
