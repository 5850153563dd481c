// Who looks at a document is in a set, which stays when the last one has gone; a table of countries is much larger.
const rounds = require('./rounds');

class Presence {
  constructor() { this.viewers = new Map(); }
  enter(document, user) {
    let users = this.viewers.get(document);
    if (!users) this.viewers.set(document, users = new Set());
    users.add(user);
    return () => users.delete(user);
  }
}
const geo = { zones: Array.from({ length: 9000 }, (_, n) => ({ code: `zone-${n}`, west: n / 7, east: n / 5, names: [`north ${n}`, `south ${n}`] })) };
const server = { presence: new Presence(), geo, started: Date.now() };
rounds(round => {
  for (let n = 0; n < 1600; n++) {
    const leave = server.presence.enter(`document-${round}-${n}`, { name: `user ${n}`, zone: geo.zones[n] });
    server.presence.enter(`document-${round}-${n}`, geo.zones[1])();
    leave();
  }
});
