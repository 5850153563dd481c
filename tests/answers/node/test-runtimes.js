// A runner of tests makes a registry of modules for each file; hooks of a framework inside keep what they close over.
const rounds = require('./rounds');

class ModuleRegistry {
  constructor(file) { this.modules = new Map(); this.file = file; }
  require(name) {
    if (!this.modules.has(name)) this.modules.set(name, { id: name, loaded: true, exports: { name, table: Array.from({ length: 12 }, (_, n) => `${this.file} ${name} ${n}`) } });
    return this.modules.get(name).exports;
  }
}
const circus = { afterAll: [], describe: null };
function runFile(file) {
  const registry = new ModuleRegistry(file);
  for (const name of ['app', 'db', 'mail']) registry.require(name);
  circus.afterAll.push(function closeServer() { registry.modules.clear(); });
}
rounds(round => { for (let n = 0; n < 250; n++) runFile(`test/${round}/${n}.test.js`); });
