// A logger of its own name is asked for each upload; the library keeps all names.
const rounds = require('./rounds');
const log = require('loglevel');

const methodFactory = log.methodFactory;
log.methodFactory = (method, level, name) => {
  const write = methodFactory(method, level, name);
  const lines = [];
  return (...words) => { lines.push(`[${String(name)}] ${words.join(' ')}`); if (level > 5) write(...words); };
};
log.setLevel('info', false);
class Upload {
  constructor(id) { this.id = id; this.log = log.getLogger(`upload:${id}`); }
  part(n) { this.log.info('part', n, 'of', this.id, 'arrived'); }
  end() { this.log.warn('all parts of', this.id); }
}
class UploadService {
  constructor() { this.done = 0; }
  receive(id) {
    const upload = new Upload(id);
    for (let n = 0; n < 5; n++) upload.part(n);
    upload.end();
    this.done++;
  }
}
const uploads = new UploadService();
rounds(round => { for (let n = 0; n < 200; n++) uploads.receive(`${round}-${n}`); });
