// A cache of 100 avatars takes the oldest out of its table, and leaves it in its list.
const rounds = require('./rounds');

class AvatarCache {
  constructor(limit) { this.limit = limit; this.byUser = new Map(); this.newest = null; }
  put(user, avatar) {
    const entry = { user, avatar, older: this.newest };
    this.newest = entry;
    this.byUser.set(user, entry);
    if (this.byUser.size > this.limit) this.byUser.delete(this.byUser.keys().next().value);
  }
}
class Avatar {
  constructor(user) { this.initials = user.slice(0, 2); this.pixels = Array.from({ length: 20 }, (_, n) => n / 7); }
}
const avatars = new AvatarCache(100);
rounds(async round => {
  for (let n = 0; n < 700; n++) avatars.put(`user-${round}-${n}`, new Avatar(`user-${round}-${n}`));
});
