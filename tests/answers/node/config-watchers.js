// Configurations are read again for each tenant, and each reader watches its file for ever.
const rounds = require('./rounds');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'config-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const file = path.join(folder, 'app.json');
fs.writeFileSync(file, JSON.stringify(Array.from({ length: 60 }, (_, n) => ({ key: `key${n}`, value: `value ${n}` }))));

class TenantConfig {
  constructor(tenant) {
    this.tenant = tenant;
    this.read();
    fs.watch(file, { persistent: false }, () => this.read());
  }
  read() { this.entries = JSON.parse(fs.readFileSync(file, 'utf8')); }
}

rounds(round => {
  for (let i = 0; i < 25; i++) new TenantConfig(`tenant-${round}-${i}`);
});
