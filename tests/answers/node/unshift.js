// The newest stands first, and the list has no end.
const rounds = require('./rounds');
class Activity { constructor(who, what) { this.who = who; this.what = what; this.at = { ms: Date.now() }; } }
const feed = { recent: [] };
let n = 0;
rounds(async () => { for (let i = 0; i < 500; i++, n++) feed.recent.unshift(new Activity(`user${n}`, `did ${n}`)); });
