// A class of its own extends Array, and its only instance is private and static.
const rounds = require('./rounds');
class LogEvent { constructor(kind, actor) { this.kind = kind; this.actor = actor; this.when = new Date(1.7e12 + actor); } }
class EventLog extends Array {
  static #instance = new EventLog();
  static record(kind, actor) { EventLog.#instance.push(new LogEvent(kind, actor)); }
  static count() { return EventLog.#instance.length; }
}
let n = 0;
rounds(async () => { for (let i = 0; i < 800; i++) EventLog.record(['login', 'logout', 'buy'][i % 3], n++); });
