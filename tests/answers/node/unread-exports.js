// Exports are written to streams that nobody reads, since the client has gone.
const rounds = require('./rounds');
const { PassThrough } = require('stream');

class ExportJob {
  constructor(id) { this.id = id; this.output = new PassThrough({ highWaterMark: 1 << 20 }); }
  run() { for (let n = 0; n < 20; n++) this.output.write(Buffer.from(`${this.id},row ${n},${'x'.repeat(80)}\n`)); }
}
class ExportService {
  #open = new Map();
  start(id) { const job = new ExportJob(id); this.#open.set(id, job); job.output.once('end', () => this.#open.delete(id)); job.run(); return job; }
}
const exportsOfShop = new ExportService();
rounds(round => { for (let n = 0; n < 120; n++) exportsOfShop.start(`export-${round}-${n}`); });
