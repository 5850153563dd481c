// Handlers loaded when first asked for: eight a round, 12K each.
const rounds = require('./rounds');
class Handler { constructor(n) { this.n = n; this.schema = Array.from({ length: 150 }, (_, i) => ({ i, n })); } }
const handlers = new Map(); const all = Array.from({ length: 60 }, (_, i) => i);
rounds(async round => { for (const n of all.slice(0, 8 * (round + 1))) if (!handlers.has(n)) handlers.set(n, new Handler(n)); });
