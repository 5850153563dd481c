// Each export gets a signal that ends after a day, and listens to it; an export that is done does not stop listening.
const rounds = require('./rounds');

class ReportExport {
  constructor(id) { this.id = id; this.rows = Array.from({ length: 16 }, (_, i) => `${id},${i}`); }
  run() {
    const signal = AbortSignal.timeout(86_400_000);
    signal.addEventListener('abort', () => { this.aborted = true; });
    return this.rows.length;
  }
}
rounds(round => {
  for (let n = 0; n < 500; n++) new ReportExport(`report-${round}-${n}`).run();
});
