// Permissions that are remembered for a second (sindresorhus/memoize#14).
const mem = require('mem');
const rounds = require('./rounds');

const lookUp = async token => ({ token, scopes: ['read', 'write'], subject: token.slice(6) });
const permissions = mem(lookUp, { maxAge: 100 });

const sleep = time => new Promise(done => setTimeout(done, time));
let logins = 0;
rounds(async () => {
  for (let i = 0; i < 2000; i++) {
    const token = `Bearer session-${++logins}`;
    await permissions(token);
    await permissions(token);
  }
  await sleep(400);
});
