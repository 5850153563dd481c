// Weeks, their days, and what was done: no week ever goes.
const rounds = require('./rounds');
class Entry { constructor(n) { this.n = n; this.note = `entry ${n}`; } }
class Journal { constructor() { this.weeks = new Map(); } add(day, entry) { const w = Math.floor(day / 7); let days = this.weeks.get(w); if (!days) this.weeks.set(w, days = new Map()); let list = days.get(day); if (!list) days.set(day, list = []); list.push(entry); } }
const journal = new Journal();
let day = 0, n = 0;
rounds(async () => { for (let d = 0; d < 5; d++, day++) for (let i = 0; i < 200; i++) journal.add(day, new Entry(n++)); });
