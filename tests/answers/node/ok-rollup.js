// A watcher builds a bundle anew each round, from the graph of modules of the build before.
const rounds = require('./rounds');
const { rollup } = require('rollup');

const names = Array.from({ length: 60 }, (_, n) => `part${n}`);
let generation = 0;
const files = {
  name: 'files',
  resolveId: id => id,
  load: id => id === 'main'
    ? names.map(name => `export * from '${name}';`).join('\n')
    : `export const ${id} = ${JSON.stringify(`${id} of ${generation}`)}; export function use_${id}(n) { return ${id}.length + n * 3; }`,
};
let cache;

rounds(async round => {
  generation = round;
  const bundle = await rollup({ input: 'main', plugins: [files], cache, treeshake: false });
  cache = bundle.cache;
  await bundle.generate({ format: 'es' });
  await bundle.close();
});
