// A test runner runs each file in a context with modules of its own; results keep a function of each.
const rounds = require('./rounds');
const vm = require('vm');

const source = `
  const cases = [];
  function test(name, body) { cases.push({ name, body, history: new Array(50).fill(name) }); }
  test('adds', () => 1 + 1); test('lists', () => [1, 2].map(n => n * 2)); test('text', () => 'a'.repeat(3));
  module.exports = { cases, run: () => cases.map(c => c.body()) };
`;
class ModuleRegistry {
  constructor() { this.modules = new Map(); this.context = vm.createContext({ console, process: { env: {} } }); }
  load(name) {
    const module = { exports: {} };
    vm.runInContext(`(function (module, exports) {${source}})`, this.context, { filename: name })(module, module.exports);
    this.modules.set(name, module);
    return module.exports;
  }
}
const testResults = [];
function runFile(name) {
  const tests = new ModuleRegistry().load(name);
  tests.run();
  testResults.push({ name, passed: tests.cases.length, retry: () => tests.run() });
}

let n = 0;
rounds(async () => {
  for (let i = 0; i < 6; i++) runFile(`test-${n++}.js`);
  await new Promise(setImmediate);
});
