'use strict';
// A program that ran hot, out of its core and its snapshot: edges of the program's objects by kind and strength, retained
// sizes of its classes within 0.5 %, and what holds most. usage: hot.js NAME CORE SNAPSHOT CLASS... (with the tools on PATH)
const { execFileSync } = require('child_process');
const [name, core, snapshot, ...classes] = process.argv.slice(2);
const LIMIT = 0.005;
const run = (tool, ...words) => execFileSync(tool, words, { encoding: 'utf8', maxBuffer: 1 << 30 }).split('\n').filter(Boolean);
const rows = (tool, ...words) => run(tool, ...words).map((line) => JSON.parse(line));
const bump = (map, key) => map.set(key, (map.get(key) || 0) + 1);

// V8's own references have other names in a core.
const inner = (type) => ['v8.internal', 'v8.hidden', 'v8.value', 'v8.key', 'v8.weak'].includes(type.name);

// Edges between nodes that touch an object of the program: who refers, to what, how.
function edges(file) {
  const strings = new Map(), nodeTypes = {}, edgeTypes = {}, nodes = new Map(), counts = new Map();
  const found = [];
  for (const r of rows('heap-cat', file)) {
    if (r.type === 'string') strings.set(r.stringid, r.data);
    else if (r.type === 'node_type') nodeTypes[r.nodetypeid] = r.name;
    else if (r.type === 'edge_type') edgeTypes[r.edgetypeid] = [inner(r) ? 'inner' : r.name, r.heap?.retains === 'no' ? 'weak' : 'strong'];
    else if (r.type === 'node') nodes.set(r.identifier, { type: nodeTypes[r.subtype], class: r.heap?.class });
    else if (r.type === 'edge') found.push(r);
  }
  const own = (node) => classes.includes(strings.get(node.class));
  for (const edge of found) {
    const [from, to] = [nodes.get(edge.source), nodes.get(edge.dest)];
    if (!from || !to || !own(from) && !own(to)) continue;
    // Roots are found in other ways; snapshots leave fields out that nothing is in.
    if (/synthetic|heap\.(root|thread|frame)/.test(from.type) || /number|oddball/.test(to.type)) continue;
    const kind = (node) => own(node) ? strings.get(node.class) : 'others';
    bump(counts, `${kind(from)} -> ${kind(to)}: ${edgeTypes[edge.subtype].join(', ')}`);
  }
  return counts;
}
const retained = (file) => new Map(rows('heap-sum', '--sort', 'retained', '--json', file).map((r) => [r.class, r.retained]));
const holder = (file) => {
  const row = rows('heap-suspects', '--json', file)[0] ?? {};
  const most = row.holds?.[0];
  return `${row.class} holds ${most?.count} ${most?.class}`;
};

let wrong = 0;
const [a, b] = [edges(snapshot), edges(core)];
let all = 0, off = 0;
for (const key of new Set([...a.keys(), ...b.keys()])) {
  const [x, y] = [a.get(key) || 0, b.get(key) || 0];
  all += x;
  off += Math.abs(x - y);
  if (x !== y) console.log(`  edges ${key}: in the snapshot ${x}, in the core ${y}`);
}
const [sizes, sizesOfCore] = [retained(snapshot), retained(core)];
const parts = classes.map((c) => Math.abs(sizesOfCore.get(c) - sizes.get(c)) / sizes.get(c));
const worst = Math.max(...parts);
classes.forEach((c, i) => { if (!(parts[i] <= LIMIT)) console.log(`  class ${c}: retained size in the snapshot ${sizes.get(c)}, in the core ${sizesOfCore.get(c)}`); });
wrong |= !(worst <= LIMIT);
const [wanted, holds] = [holder(snapshot), holder(core)];
wrong |= wanted !== holds;
console.log(`${wrong ? 'NO' : 'ok'} ${name}: ${all} edges, ${off} differ; retained sizes of ${classes.length} classes within ${(100 * worst).toFixed(2)} %; ` +
  (wanted === holds ? holds : `the snapshot says ${wanted}, the core ${holds}`));
process.exit(wrong ? 1 : 0);
