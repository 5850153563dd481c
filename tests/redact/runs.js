// Looks for runs of six characters of planted texts anywhere in FILE.
// Usage: node runs.js PLANTED FILE LABEL [KIND...]; the texts of these kinds may stay. Fails if another one is there.
'use strict';
const fs = require('fs');
const [planted, file, label, ...stay] = process.argv.slice(2);
const texts = JSON.parse(fs.readFileSync(planted));
const out = fs.readFileSync(file, 'utf8');
const found = {};
for (const [kind, text] of Object.entries(texts)) {
  for (let at = 0; at + 6 <= text.length; at++) {
    const run = text.slice(at, at + 6);
    if (out.includes(run)) (found[kind] ??= []).push(run);
  }
}
const wrong = Object.entries(found).filter(([kind]) => !stay.includes(kind));
const named = Object.keys(found).filter((kind) => stay.includes(kind));
console.log(`${label}: ${Object.keys(texts).length} texts are planted; names that stay: ${named.join(', ') || 'none'}`);
for (const [kind, runs] of wrong) console.log(`${label}: of the ${kind} this is left: ${runs.join(' ')}`);
if (wrong.length) process.exit(1);
