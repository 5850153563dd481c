// Calls are limited by user and document. The limiter counts without an end of time, so each pair that ever came has a record for good.
const rounds = require('./rounds');
const { RateLimiterMemory } = require('rate-limiter-flexible');

class ExportGuard {
  constructor() { this.perDocument = new RateLimiterMemory({ keyPrefix: 'export', points: 20, duration: 0 }); this.refused = 0; }
  async allow(user, document) {
    try { await this.perDocument.consume(`${user}/${document}`); } catch { this.refused++; }
  }
}
const exportGuard = new ExportGuard();
rounds(async round => {
  for (let n = 0; n < 1500; n++) await exportGuard.allow(`user-${n % 40}`, `document-${round}-${n}.pdf`);
});
