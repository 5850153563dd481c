// Calls are limited for each address by a limiter of its own, and a group keeps them without a time to live.
const rounds = require('./rounds');
const Bottleneck = require('bottleneck');

class LoginThrottle {
  constructor() { this.perAddress = new Bottleneck.Group({ maxConcurrent: 1, minTime: 0, timeout: 86400000 }); }
  check(address, user) { return this.perAddress.key(address).schedule(async () => user.length > 3); }
}
class AuthService {
  constructor(throttle) { this.throttle = throttle; }
  async login(address, user) { return (await this.throttle.check(address, user)) ? { user, at: address } : null; }
}
const auth = new AuthService(new LoginThrottle());
rounds(async round => { for (let n = 0; n < 150; n++) await auth.login(`10.${round}.${n >> 8}.${n & 255}`, `user-${n}`); });
