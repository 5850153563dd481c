// Users sign in by the provider of their tenant. A way to sign in is registered by a name for each attempt, to have the tenant's settings of now.
const rounds = require('./rounds');
const passport = require('passport');

class ProviderStrategy extends passport.Strategy {
  constructor(settings, verify) { super(); this.name = 'provider'; this.settings = settings; this.verify = verify; }
  authenticate(request) {
    if (request.ticket) this.verify(request.ticket, user => this.success(user));
    else this.redirect(`${this.settings.address}?back=${this.settings.back}`);
  }
}
class SignIn {
  constructor() { this.attempts = 0; }
  begin(tenant, request, response) {
    const settings = { tenant, address: `https://${tenant}.example/login`, back: 'https://shop.example/in', scopes: ['mail', 'name', `groups of ${tenant}`] };
    const name = `${tenant}-${++this.attempts}`;
    passport.use(name, new ProviderStrategy(settings, (ticket, done) => done({ tenant, ticket })));
    passport.authenticate(name, { session: false }, () => response.done++)(request, response, () => {});
  }
}
const signIn = new SignIn();
const response = { done: 0, statusCode: 0, setHeader() {}, end() {} };
rounds(() => { for (let n = 0; n < 700; n++) signIn.begin(`tenant-${n % 60}`, { ticket: `ticket ${n}`, logIn() {} }, response); });
