// An audit log that is one object for the whole program, and is never written out.
const rounds = require('./rounds');

class AuditEntry {
  constructor(who, what) {
    this.who = who;
    this.what = what;
    this.at = [1, 2, 3].map(x => x * who);
  }
}
class AuditLog {
  entries = [];
  write(who, what) {
    this.entries.push(new AuditEntry(who, what));
  }
}
module.exports.audit = new AuditLog();

rounds(round => {
  for (let i = 0; i < 1500; i++) module.exports.audit.write(i, `login ${round} ${i}`);
});
