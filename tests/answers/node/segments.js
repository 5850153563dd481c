// A log in segments of 700 entries, none of which is ever dropped.
const rounds = require('./rounds');
class LogEntry { constructor(n) { this.n = n; this.message = `message ${n} of the service`; } }
class Segment { constructor(base) { this.base = base; this.entries = []; } }
class Log { constructor() { this.segments = [new Segment(0)]; this.next = 0; } append() { let s = this.segments[this.segments.length - 1]; if (s.entries.length === 700) this.segments.push(s = new Segment(this.next)); s.entries.push(new LogEntry(this.next++)); } }
const log = new Log();
rounds(async () => { for (let i = 0; i < 500; i++) log.append(); });
