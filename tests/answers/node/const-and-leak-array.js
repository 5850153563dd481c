// Six hundred rules that stay, and ever more overrides behind them.
const rounds = require('./rounds');
class Rule { constructor(n) { this.n = n; this.o = { n }; } }
class Override { constructor(id) { this.id = id; this.when = { user: id }; } }
const policy = { rules: [] };
for (let i = 0; i < 600; i++) policy.rules.push(new Rule(i));
let n = 0;
rounds(async () => { for (let i = 0; i < 200; i++) policy.rules.push(new Override(n++)); });
