// Looks for planted texts in FILE, and for the longest run of their characters there.
// Usage: node runs.js PLANTED FILE LABEL; fails if a run is longer than chance allows.
'use strict';
const fs = require('fs');
const [planted, file, label] = process.argv.slice(2);
const marks = /Zanzibar|quixotic|walrus|ada@example/;
const texts = JSON.parse(fs.readFileSync(planted)).strings.filter((text) => text.length < 1000 && marks.test(text));
const words = ['Zanzibar', 'quixotic', 'walrus', 'quixotic_walrus', 'ada@example'];
if (texts.length < 10) throw new Error(`only ${texts.length} texts are planted`);
const out = fs.readFileSync(file, 'latin1');
let longest = '';
for (const text of [...texts, ...words]) {
  for (let at = 0; at < text.length; at++) {
    while (at + longest.length < text.length) {
      const run = text.slice(at, at + longest.length + 1);
      // The words of the sentence around are nobody's secret.
      if (!words.some((word) => word.includes(run)) || !out.includes(run)) break;
      longest = run;
    }
  }
}
// The output has a few million characters of tokens from an alphabet of 64: five in a row are chance, seven are not.
console.log(`${label}: ${texts.length} texts, longest run left: ${JSON.stringify(longest)}`);
if (longest.length > 6) process.exit(1);
