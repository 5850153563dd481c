// Each script of a customer runs in a context of its own, and the contexts are kept.
const rounds = require('./rounds');
const vm = require('vm');

const sandboxes = new Map();
function runScript(customer, code) {
  const sandbox = vm.createContext({ customer });
  sandboxes.set(customer, sandbox);
  return vm.runInContext(code, sandbox);
}

rounds(round => {
  for (let i = 0; i < 2; i++) runScript(`c${round}-${i}`, 'var total = [1, 2, 3].map(x => x * 2); total.length');
});
