// What the audit keeps is as much as what a cache of the start gives back.
const rounds = require('./rounds');
class AuditLine { constructor(n) { this.n = n; this.text = `user ${n} looked at page ${n}`; } }
const audit = { lines: [] };
const startup = { chunks: Array.from({ length: 40 }, (_, c) => Array.from({ length: 400 }, (_, i) => ({ c, i, s: `row ${c}/${i}` }))) };
let n = 0;
rounds(async () => { for (let i = 0; i < 1000; i++) audit.lines.push(new AuditLine(n++)); startup.chunks.splice(0, 6); });
