// Each upload is watched until it is whole, and the watch of its file is never ended.
const rounds = require('./rounds');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Upload {
  constructor(name, size) { this.name = name; this.size = size; this.parts = Array.from({ length: 20 }, (_, n) => ({ n, name, done: false })); }
  changed(stat) { if (stat.size >= this.size) this.whole = true; }
}
class IngestFolder {
  constructor(folder) { this.folder = folder; }
  expect(name, size) {
    const upload = new Upload(name, size);
    const file = path.join(this.folder, name);
    fs.watchFile(file, { interval: 3600000, persistent: false }, stat => upload.changed(stat));
    return upload;
  }
}
const ingest = new IngestFolder(fs.mkdtempSync(path.join(os.tmpdir(), 'ingest-')));
process.on('exit', () => fs.rmSync(ingest.folder, { recursive: true }));
rounds(round => { for (let n = 0; n < 300; n++) ingest.expect(`upload-${round}-${n}.csv`, 4096); });
