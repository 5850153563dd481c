// A plugin of webpack keeps each compilation to compare it with the next, in watch mode.
const rounds = require('./rounds');
const fs = require('fs');
const path = require('path');
const webpack = require('webpack');

const folder = `${process.argv[2]}.src`;
fs.mkdirSync(folder, { recursive: true });
const write = n => {
  for (let i = 0; i < 5; i++) fs.writeFileSync(path.join(folder, `part${i}.js`), `export const value${i} = ${n + i};\n`);
  fs.writeFileSync(path.join(folder, 'index.js'), [0, 1, 2, 3, 4].map(i => `import { value${i} } from './part${i}.js';\nconsole.log(value${i});\n`).join(''));
};
class SizeReport {
  compilations = [];
  apply(compiler) {
    compiler.hooks.done.tap('SizeReport', stats => this.compilations.push(stats.compilation));
  }
}
write(0);
const compiler = webpack({
  context: folder, mode: 'development', devtool: false, entry: './index.js', cache: false,
  output: { path: path.join(folder, 'out') }, plugins: [new SizeReport()],
});

rounds(async round => {
  for (let i = 0; i < (round ? 2 : 3); i++) {
    write(round * 10 + i);
    await new Promise((resolve, reject) => compiler.run(error => error ? reject(error) : resolve()));
  }
});
