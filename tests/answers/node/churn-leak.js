// Of 600 requests in flight at once nine of ten are answered.
const rounds = require('./rounds');
class Pending { constructor(id) { this.id = id; this.options = { retries: 3, id }; } }
const pending = new Map(); let id = 0;
rounds(async () => { for (let b = 0; b < 4; b++) { const first = id; for (let i = 0; i < 1000; i++) { id++; pending.set(id, new Pending(id)); } for (let i = first + 1; i <= id; i++) if (i % 10) pending.delete(i); } });
