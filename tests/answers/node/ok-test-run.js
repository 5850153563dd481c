// A runner of tests: a registry of modules for each file, which is gone when the file is done; only results stay as counts.
const rounds = require('./rounds');
const vm = require('vm');

class Registry { constructor() { this.modules = new Map(); } require(name) { if (!this.modules.has(name)) this.modules.set(name, { exports: { name, list: Array(50).fill(name) } }); return this.modules.get(name).exports; } }
const totals = { passed: 0, failed: 0, slowest: [] };
rounds(round => {
  for (let n = 0; n < 20 + 6 * (round % 2); n++) {
    const context = vm.createContext({ registry: new Registry(), n });
    totals.passed += vm.runInContext("registry.require('app').list.length > 0 ? 1 : 0", context);
    totals.slowest.push(n); totals.slowest.sort((a, b) => b - a).splice(5);
  }
});
