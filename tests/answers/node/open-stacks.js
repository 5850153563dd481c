// An Error with its stack for each open handle, of which one in four is never closed.
const rounds = require('./rounds');
class Tracker { constructor() { this.open = new Map(); this.next = 0; } opened(path) { const id = ++this.next; this.open.set(id, new Error(`opened ${path} here`)); return id; } closed(id) { this.open.delete(id); } }
const tracker = new Tracker(); let n = 0;
function work(n) { const id = tracker.opened(`/data/${n}.csv`); if (n % 4) tracker.closed(id); }
rounds(async () => { for (let i = 0; i < 600; i++) work(n++); });
