// Each export waits with a callback for the end of the log that it writes to; the log ends when the program does.
const rounds = require('./rounds');
const { Writable, finished } = require('stream');

class AuditLog extends Writable {
  constructor() { super({ highWaterMark: 1 << 20 }); this.bytes = 0; this.setMaxListeners(0); }
  _write(chunk, encoding, done) { this.bytes += chunk.length; done(); }
}
const auditLog = new AuditLog();

class CsvExport {
  constructor(id, user) { this.id = id; this.user = user; this.lines = Array.from({ length: 10 }, (_, n) => `${id};${user};${n}`); }
  run(log) {
    finished(log, error => { this.failed = Boolean(error); });
    for (const line of this.lines) log.write(line + '\n');
  }
}
rounds(async round => {
  for (let n = 0; n < 500; n++) new CsvExport(`${round}-${n}`, `user-${n % 40}`).run(auditLog);
  await new Promise(resolve => setImmediate(resolve));
});
