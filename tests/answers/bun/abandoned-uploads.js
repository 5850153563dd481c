// Uploads come in parts, and are put together when the last part is there. Some never get their last part.
const rounds = require('./rounds');

class Upload {
  #parts = [];
  constructor(id, wanted) { this.id = id; this.wanted = wanted; this.headers = { name: `${id}.bin`, kind: 'application/octet-stream', user: `user of ${id}` }; }
  add(bytes) { this.#parts.push({ at: this.#parts.length, bytes }); return this.#parts.length === this.wanted; }
  join() { return this.#parts.reduce((sum, part) => sum + part.bytes.length, 0); }
}
class UploadService {
  constructor() { this.underway = new Map(); this.stored = 0; }
  part(id, wanted, bytes) {
    let upload = this.underway.get(id);
    if (!upload) this.underway.set(id, upload = new Upload(id, wanted));
    if (upload.add(bytes)) { this.stored += upload.join(); this.underway.delete(id); }
  }
}
const uploads = new UploadService();
rounds(round => {
  for (let n = 0; n < 400; n++) {
    const last = n % 2 ? 4 : 3;
    for (let part = 0; part < last; part++) uploads.part(`upload-${round}-${n}`, 4, new Uint8Array(256).fill(part));
  }
});
