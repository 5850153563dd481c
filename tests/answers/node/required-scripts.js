// Reports are written by scripts of customers. Each run of a script is a file of its own in a folder for the time being, which is loaded and removed again.
const rounds = require('./rounds');
const fs = require('fs');
const os = require('os');
const path = require('path');

class ScriptRunner {
  constructor() { this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scripts-')); this.runs = 0; }
  run(text, order) {
    const file = path.join(this.folder, `run-${++this.runs}.js`);
    fs.writeFileSync(file, text);
    const script = require(file);
    fs.unlinkSync(file);
    return script.render(order);
  }
}
const runner = new ScriptRunner();
const script = customer => `
const names = ${JSON.stringify(Array.from({ length: 40 }, (_, n) => `column ${n} of ${customer}`))};
exports.render = order => names.map(name => name + ': ' + order[name]).join();
`;
rounds(round => {
  for (let n = 0; n < 150; n++) runner.run(script(`customer-${n}`), { total: n * round });
  if (round === 3) setTimeout(() => fs.rmdirSync(runner.folder), 20);
});
