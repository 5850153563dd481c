'use strict';
// Compares retained sizes of classes: rows of heap-sum for a snapshot, and for the core of the same moment.
// usage: node retained.js WANTED ROWS CLASS...
const fs = require('fs');
const [wantedFile, rowsFile, ...classes] = process.argv.slice(2);
const LIMIT = 0.02;
const read = (file) => new Map(fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)).map((r) => [r.class, r.retained]));
const [wanted, rows] = [wantedFile, rowsFile].map(read);
let wrong = 0;
const off = [];
for (const name of classes) {
  const [a, b] = [wanted.get(name), rows.get(name)];
  if (a !== b) off.push(`${name} ${a}/${b}`);
  if (!a || !b || Math.abs(a - b) > a * LIMIT) { console.log(`  class ${name}: retained size in the snapshot ${a}, in the core ${b}`); wrong = 1; }
}
console.log(`${wrong ? 'NO' : 'ok'} retained sizes of ${classes.length} classes: ${off.length ? off.join(', ') : 'equal'}`);
process.exit(wrong);
