// Each session opens a channel to other workers, to learn of its user's changes, and never closes it.
const rounds = require('./rounds');

class UserSession {
  constructor(user) {
    this.user = user;
    this.rights = Array.from({ length: 20 }, (_, i) => `${user} may ${i}`);
    this.channel = new BroadcastChannel(`user:${user}`);
    this.channel.onmessage = event => { this.changed = event.data; };
    this.channel.unref();
  }
}
rounds(async round => {
  for (let n = 0; n < 200; n++) new UserSession(`u${round}-${n}`);
  await new Promise(done => setTimeout(done, 20));
});
