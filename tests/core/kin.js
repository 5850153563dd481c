'use strict';
// Compares classes and buffers of tests/data/core/kin.js in a core with those in the snapshot of the same moment.
// usage: node kin.js LABEL SNAPSHOT STREAM; both as records of heap-cat
const fs = require('fs');
const [label, ...files] = process.argv.slice(2);
// V8 counts no byte of a shared buffer that can grow; a core has the length that it was given.
const GROWABLE = { growable: 70005, further: 70006 };

function read(file) {
  const texts = new Map(), kinds = new Map(), links = new Map(), nodes = new Map(), edges = new Map();
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (!line) continue;
    const r = JSON.parse(line);
    if (r.type === 'string') texts.set(r.stringid, r.data);
    else if (r.type === 'node_type') kinds.set(r.nodetypeid, r.name);
    else if (r.type === 'edge_type') links.set(r.edgetypeid, r.name);
    else if (r.type === 'node') nodes.set(r.identifier, r);
    else if (r.type === 'edge' && r.dest !== undefined) {
      if (!edges.has(r.source)) edges.set(r.source, []);
      edges.get(r.source).push(r);
    }
  }
  const out = (id, kind) => (edges.get(id) || []).filter((e) => links.get(e.subtype) === kind);
  const at = (id, name, kind = 'object property') => out(id, kind).find((e) => texts.get(e.label) === name)?.dest;
  const node = (id) => nodes.get(id);
  const called = (id) => texts.get(node(id)?.heap?.class) ?? `(${kinds.get(node(id)?.subtype)})`;
  const kin = [...nodes.keys()].find((id) => at(id, 'held') && at(id, 'buffers'));
  const held = new Map(), buffers = new Map();
  for (const e of out(at(kin, 'held'), 'object property')) {
    const name = texts.get(e.label), counts = {};
    if (name === '__proto__') continue;
    for (const { dest } of out(e.dest, 'array element')) counts[called(dest)] = (counts[called(dest)] || 0) + 1;
    held.set(name, JSON.stringify(counts));
  }
  for (const e of out(at(kin, 'buffers'), 'object property')) {
    const store = at(e.dest, 'backing_store', 'v8.internal');
    if (/Array?Buffer$/.test(called(e.dest))) buffers.set(texts.get(e.label), node(store)?.heap?.size ?? 0);
  }
  return { held, buffers };
}
const [snapshot, core] = files.map(read);
for (const [name, size] of Object.entries(GROWABLE)) if (snapshot.buffers.has(name)) snapshot.buffers.set(name, size);
// Snapshots have proxies among what is V8's own.
if (core.held.has('Proxy')) core.held.set('Proxy', core.held.get('Proxy').replace('Proxy', '(v8.hidden)'));
let wrong = 0;
for (const what of ['held', 'buffers']) {
  for (const name of new Set([...snapshot[what].keys(), ...core[what].keys()])) {
    const [x, y] = [snapshot[what].get(name), core[what].get(name)];
    if (x !== y) wrong++, console.log(`  ${what} ${name}: snapshot ${x}, core ${y}`);
  }
}
if (snapshot.held.size < 90 || snapshot.buffers.size < 9) wrong++;
console.log(`${wrong ? 'NO' : 'ok'} ${label}: ${snapshot.held.size} lists of classes, ${snapshot.buffers.size} buffers`);
if (process.env.LIST) for (const [k, v] of snapshot.held) console.log(k, v);
process.exit(wrong ? 1 : 0);
