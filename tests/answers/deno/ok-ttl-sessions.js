// Sessions end after a while of silence, and a walk over them takes out those that did. How many people are there differs from hour to hour.
import rounds from './rounds.js';

class Sessions {
  constructor(silence) { this.silence = silence; this.byId = new Map(); this.clock = 0; this.ended = 0; }
  touch(id) {
    let session = this.byId.get(id);
    if (!session) this.byId.set(id, session = { id, user: `user of ${id}`, basket: Array.from({ length: 8 }, (_, n) => ({ n, article: `article ${n} of ${id}` })) });
    session.last = this.clock++;
  }
  sweep() {
    for (const [id, session] of this.byId) if (this.clock - session.last > this.silence) { this.byId.delete(id); this.ended++; }
  }
}
const sessions = new Sessions(1000);
const people = [400, 650, 480, 720];
rounds(round => {
  for (let n = 0; n < 6000; n++) {
    sessions.touch(`session-${round}-${(n * 7) % people[round]}`);
    if (n % 500 === 499) sessions.sweep();
  }
});
