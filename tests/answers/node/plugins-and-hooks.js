// Thirty large plugins that stay, and ever more small hooks.
const rounds = require('./rounds');
class Plugin { constructor(n) { this.name = `plugin ${n}`; this.tables = Array.from({ length: 400 }, (_, i) => ({ i, n, k: `k${i}` })); } }
class Hook { constructor(id) { this.id = id; this.when = { phase: 'after', id }; } }
const registry = { entries: new Map() };
for (let i = 0; i < 30; i++) registry.entries.set(`plugin:${i}`, new Plugin(i));
let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++) registry.entries.set(`hook:${n}`, new Hook(n++)); });
