// Compares DevTools' line with the rows of heap-sum --devtools and heap-dom's figure for the root.
import fs from 'node:fs';
const [name, shownFile, rowsFile, root] = process.argv.slice(2);
const shown = JSON.parse(fs.readFileSync(shownFile, 'utf8'));
const rows = fs.readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean).map(l => JSON.parse(l));
const wanted = new Map(rows.map(r => [r.key, [r.class, r.count, r.size, r.retained, r.distance]]));
const found = new Map(shown.classes.map(([key, ...rest]) => [key, rest]));
let differences = 0;
const differ = what => { if (++differences <= 5) console.log(`  ${what}`); };
if (shown.root !== Number(root)) differ(`root: DevTools ${shown.root}, heap-dom ${root}`);
for (const key of new Set([...wanted.keys(), ...found.keys()])) {
  const [a, b] = [wanted.get(key), found.get(key)];
  if (JSON.stringify(a) !== JSON.stringify(b)) differ(`class ${key}: heap-sum ${JSON.stringify(a)}, DevTools ${JSON.stringify(b)}`);
}
console.log(`${differences ? 'NO' : 'ok'} ${name}: ${shown.nodes} nodes, root retains ${shown.root}, ${found.size} classes`);
process.exit(differences ? 1 : 0);
