// One-time links live for a minute in a store of Keyv. What has expired is removed when somebody asks for it, and nobody asks for old links.
const rounds = require('./rounds');
const { Keyv } = require('keyv');

const realNow = Date.now;
let minutes = 0;
Date.now = () => realNow() + minutes * 60000;

const links = new Keyv({ namespace: 'login-links', ttl: 60000 });
class LoginLinks {
  constructor(store) { this.store = store; this.used = 0; }
  async send(user, n) {
    const token = `token-${user}-${(n * 7919) % 100003}`;
    await this.store.set(token, { user, address: `${user}@example.org`, device: `device ${n % 90}`, sent: Date.now() });
    return token;
  }
  async open(token) { if (await this.store.get(token)) { this.used++; await this.store.delete(token); } }
}
const logins = new LoginLinks(links);
rounds(async round => {
  for (let n = 0; n < 1200; n++) {
    const token = await logins.send(`user-${round}-${n}`, n);
    if (n % 4 === 0) await logins.open(token);
    if (n % 100 === 99) minutes++;
  }
});
