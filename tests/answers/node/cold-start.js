// The first dump is of a program that has not served anything yet. Then it loads its routes, and keeps every token.
const rounds = require('./rounds');

class LoginToken {
  constructor(user) { this.user = user; this.rights = Array.from({ length: 8 }, (_, n) => `right-${n}-${user}`); this.issued = Date.now(); }
}
let app;
let n = 0;
function start() {
  const express = require('express');
  const application = express();
  const tokensByValue = new Map();
  application.post('/login', (req, res) => {
    const token = new LoginToken(n);
    tokensByValue.set(`token-${n++}`, token);
    res.json({ user: token.user });
  });
  return new Promise(resolve => { const server = application.listen(0, () => resolve(server)); });
}
rounds(async round => {
  if (round < 2) return;
  const server = await (app ??= start());
  for (let i = 0; i < 700; i++) {
    await (await fetch(`http://localhost:${server.address().port}/login`, { method: 'POST' })).json();
  }
});
