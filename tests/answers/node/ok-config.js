// A large configuration with compiled rules is read once; requests only use it.
const rounds = require('./rounds');

class Rule { constructor(n) { this.name = `rule-${n}`; this.pattern = new RegExp(`^/api/${n}/[a-z]+$`); this.limits = { a: n, b: n + 1, c: [n, n, n] }; } }
const config = { rules: Array.from({ length: 6000 }, (_, n) => new Rule(n)), texts: Object.fromEntries(Array.from({ length: 4000 }, (_, n) => [`key.${n}`, `Text number ${n}`])) };
let n = 0;
rounds(async () => {
  let hits = 0;
  for (let i = 0; i < 3000; i++) {
    const request = { path: `/api/${n++ % 6000}/list`, headers: { id: n } };
    if (config.rules[n % 6000].pattern.test(request.path)) hits++;
    await null;
  }
  return hits;
});
