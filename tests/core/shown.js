'use strict';
// Compares how many objects of classes Chrome DevTools shows with rows of heap-sum. Its sizes have in them what only one
// object has, such as elements.
// usage: node shown.js SHOWN ROWS CLASS...; SHOWN is what tests/devtools/load.mjs prints
const fs = require('fs');
const [shownFile, rowsFile, ...classes] = process.argv.slice(2);
const shown = JSON.parse(fs.readFileSync(shownFile, 'utf8'));
const rows = fs.readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
let wrong = 0;
for (const name of classes) {
  const row = rows.find((r) => r.class === name);
  // Key, name, number of objects.
  const group = shown.classes.find((c) => c[1] === name);
  const [core, seen] = [row?.count, group?.[2]];
  if (core === undefined || core !== seen) { console.log(`  class ${name}: ${core} in the core, ${seen} in DevTools`); wrong = 1; }
}
process.exit(wrong);
