// Tokens are valid for a while and are swept after; with the load more of them are valid at once. The keys to check them are read anew each round.
const crypto = require('crypto');
const rounds = require('./rounds');

const tokens = new Map();
const keys = { current: [] };
let clock = 0;
const issue = (user, lifetime) => {
  const token = crypto.createHash('sha1').update(`${user} ${clock}`).digest('base64');
  tokens.set(token, { user, scopes: ['read', user % 3 ? 'write' : 'admin'], expires: clock + lifetime });
  return token;
};
const check = token => {
  const found = tokens.get(token);
  return found !== undefined && found.expires > clock;
};
const sweep = () => {
  for (const [token, { expires }] of tokens) if (expires <= clock) tokens.delete(token);
};
let last = 0;
rounds(async round => {
  keys.current = Array.from({ length: 20 }, (_, n) => ({ kid: `key-${round}-${n}`, secret: crypto.createHash('sha256').update(`${round} ${n}`).digest('hex') }));
  const perTick = 2 + 2 * round;
  for (let tick = 0; tick < 400; tick++) {
    clock++;
    for (let n = 0; n < perTick; n++) if (!check(issue(last++, 100))) throw new Error('not valid');
    if (tick % 20 === 19) sweep();
  }
});
