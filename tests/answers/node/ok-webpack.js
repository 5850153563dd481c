// webpack builds the same program again and again, with its cache in memory.
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
write(0);
const compiler = webpack({
  context: folder, mode: 'development', devtool: false, entry: './index.js', cache: { type: 'memory', maxGenerations: 1 },
  output: { path: path.join(folder, 'out') },
});

rounds(async round => {
  for (let i = 0; i < (round ? 4 : 12); i++) {
    write(i % 4);
    await new Promise((resolve, reject) => compiler.run(error => error ? reject(error) : resolve()));
  }
});
