// Settings that come anew from the server are put over the old ones by the prototype, so that none of the old ones go.
const rounds = require('./rounds');

const defaults = { theme: 'light', pageSize: 50, features: { search: true, export: false } };
class SettingsService {
  constructor() { this.current = Object.create(defaults); this.version = 0; }
  apply(changes) {
    this.current = Object.assign(Object.create(this.current), changes, { version: ++this.version });
    return this.current;
  }
  get(name) { return this.current[name]; }
}
const settings = new SettingsService();
async function fetchChanges(round, n) {
  return { features: { search: n % 2 === 0, export: true }, limits: [n, n + 1, round], banner: `Message ${n} of hour ${round}`, pageSize: n % 100 };
}
rounds(async round => { for (let n = 0; n < 900; n++) { settings.apply(await fetchChanges(round, n)); settings.get('pageSize'); } });
