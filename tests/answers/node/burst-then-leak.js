// A list that an import once filled and emptied; what comes now stays.
const rounds = require('./rounds');
class Mail { constructor(n) { this.n = n; this.to = `user${n}@shop`; } }
const outbox = { pending: new Array(3000).fill(null), used: 0 };
outbox.pending.length = 3000;
let n = 0;
rounds(async () => { for (let i = 0; i < 300; i++) outbox.pending[outbox.used++] = new Mail(n++); });
