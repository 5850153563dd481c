// Configuration is loaded again by removing it from require.cache. The parent keeps each copy in its list of children.
const rounds = require('./rounds');
const fs = require('fs');
const path = require('path');
const os = require('os');

const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'rules-')), 'pricing-rules.js');
fs.writeFileSync(file, `
class Rule { constructor(n) { this.n = n; this.when = 'country-' + n; this.then = { discount: n / 100, notes: ['a' + n, 'b' + n] }; } }
module.exports = { rules: Array.from({ length: 200 }, (_, n) => new Rule(n)), loaded: Date.now() };
`);
function pricing() {
  delete require.cache[require.resolve(file)];
  return require(file);
}

rounds(async () => {
  for (let i = 0; i < 25; i++) {
    pricing().rules.find(rule => rule.n === i);
    await new Promise(setImmediate);
  }
});
