// When a device was last seen is a number by a number. Devices get a new number each day.
const rounds = require('./rounds');

class Presence {
  constructor() { this.lastSeen = new Map(); }
  beat(device) { this.lastSeen.set(device, device % 86400); }
}
const presence = new Presence();
rounds(round => {
  for (let n = 0; n < 40000; n++) presence.beat(round * 40000 + n);
});
