// Events of partners are cleaned of what is personal before they go on; the fields stand anywhere, so a path has a wildcard (davidmarkclements/fast-redact#63).
const fastRedact = require('fast-redact');
const rounds = require('./rounds');

const clean = fastRedact({ paths: ['email', 'phone', '*.email', '*.phone'], serialize: false, censor: '[gone]' });

class Forwarder {
  constructor() { this.sent = 0; this.bytes = 0; this.last = []; }
  forward(event) {
    const text = JSON.stringify(clean(event));
    this.bytes += text.length;
    this.sent++;
    this.last.push(text.slice(0, 40));
    if (this.last.length > 50) this.last.shift();
  }
}

const forwarder = new Forwarder();
const eventOf = n => ({
  id: `event-${n}`,
  kind: n % 3 ? 'booked' : 'cancelled',
  guest: { name: `Guest ${n}`, email: `guest${n}@example.org`, phone: `+49 30 ${n}`, notes: Array.from({ length: 6 }, (_, i) => `note ${i} of ${n}`) },
  room: { number: n % 80, floor: n % 6, beds: 2 },
});
let last = 0;
rounds(() => {
  for (let i = 0; i < 1200; i++) forwarder.forward(eventOf(last++));
});
