'use strict';
// Compares what heap-show --handles says is open with what open.js and Node itself said.
// usage: node opened.js TRUTH ROWS
const fs = require('fs');
const [truth, rows] = process.argv.slice(2).map((file) => fs.readFileSync(file, 'utf8'));
const { counts, handles } = JSON.parse(truth);
const found = rows.trim().split('\n').map((line) => JSON.parse(line));
let wrong = 0;
const same = (what, a, b) => {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  console.log(`  ${what}: ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
  wrong = 1;
};
const of = (kind) => found.filter((row) => row.kind === kind);
const ends = (list) => list.map(([fd, peer]) => `${fd} ${peer ?? ''}`).sort();
for (const [kind, name] of [['socket', 'Socket'], ['server', 'Server']]) {
  const wanted = handles.filter((handle) => handle[0] === name);
  same(kind, ends(of(kind).map((row) => [row.fd, kind === 'socket' ? row.peer : null])), ends(wanted.map((h) => h.slice(1))));
}
const orders = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'POST' : 'GET') + ' /order/' + i).sort();
same('requests', of('request').map((row) => row.what).sort(), orders);
same('client requests', of('client request').map((row) => row.what.replace('127.0.0.1', '')).sort(), orders);
// The timer that runs is on no list any more.
same('timers', of('timer').filter((row) => !row.unref).length, counts.Timeout - 1);
const named = (name) => of('timer').filter((row) => row.callback && row.callback.startsWith(name + ' (open.js:'));
same('callbacks', ['sendReport', 'pollQueue', 'rarely'].map((name) => named(name).length), [10, 4, 1]);
same('due', named('sendReport').map((row) => row.after).sort(), Array.from({ length: 10 }, (_, i) => 60000 + i * 1000));
process.exit(wrong);
