'use strict';
// Compares the stream of a core with the snapshot and the calls of the same moment.
// usage: node compare.js STREAM SNAPSHOT EXPECTED CLASS...; prints a line for each difference, then a summary
const fs = require('fs'), readline = require('readline');
const [streamFile, snapshotFile, expectedFile, ...own] = process.argv.slice(2);
const LIMIT = 0.005; // of all objects, by class
const CUT = 1024;    // units at which snapshots cut strings
let wrong = 0;
const say = (what) => { if (++wrong <= 20) console.log('  ' + what); };
const bump = (map, key, by = 1) => map.set(key, (map.get(key) || 0) + by);
const isOwn = new Set(own);

// Both sides become the same: nodes { kind, name }, edges { from, to, label }.
function fromSnapshot(file) {
  const s = JSON.parse(fs.readFileSync(file, 'utf8')), meta = s.snapshot.meta;
  const fields = meta.node_fields, width = fields.length, at = (f) => fields.indexOf(f), types = meta.node_types[0];
  const ewidth = meta.edge_fields.length, etypes = meta.edge_types[0];
  const nodes = [], edges = [];
  let next = 0;
  for (let i = 0; i < s.nodes.length; i += width) {
    const type = types[s.nodes[i + at('type')]], name = s.strings[s.nodes[i + at('name')]];
    const kind = { object: 'object', closure: 'object', regexp: 'object', string: 'string', 'concatenated string': 'string', 'sliced string': 'string', number: 'number', symbol: 'symbol', bigint: 'bigint' }[type] || 'internal';
    const named = type === 'closure' ? 'Function' : type === 'regexp' ? 'RegExp' : kind === 'string' ? (type === 'string' ? name : null) : name;
    nodes.push({ kind, name: named, type, edges: [] });
  }
  for (let n = 0, i = 0; n < nodes.length; n++) {
    const many = s.nodes[n * width + at('edge_count')];
    for (let k = 0; k < many; k++, i += ewidth) {
      const type = etypes[s.edges[i]], to = nodes[s.edges[i + 2] / width];
      nodes[n].edges.push({ type, label: type === 'element' || type === 'hidden' ? String(s.edges[i + 1]) : s.strings[s.edges[i + 1]], to });
    }
  }
  return nodes;
}
async function fromStream(file) {
  const strings = new Map(), names = {}, edgeNames = {}, byId = new Map(), nodes = [], frames = [];
  const lines = readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
  for await (const line of lines) {
    const r = JSON.parse(line);
    if (r.type === 'node_type') names[r.nodetypeid] = r.name;
    else if (r.type === 'edge_type') edgeNames[r.edgetypeid] = r.name;
    else if (r.type === 'string') strings.set(r.stringid, r.heap && r.heap.utf16 ? String.fromCharCode(...r.heap.utf16.match(/..../g).map((h) => parseInt(h, 16))) : r.data);
    else if (r.type === 'node') {
      const type = names[r.subtype], heap = r.heap || {};
      let kind = { array: 'object', object: 'object', closure: 'object', regular_expression: 'object', date: 'object', string_flat: 'string', string_cons: 'string', string_sliced: 'string', heap_number: 'number', 'v8.symbol': 'symbol', 'v8.bigint': 'bigint', 'heap.frame': 'frame' }[type] || 'internal';
      const node = { kind, type, r, name: type === 'closure' ? 'Function' : type === 'regular_expression' ? 'RegExp' : kind === 'object' ? strings.get(heap.class) : kind === 'string' ? (type === 'string_flat' ? strings.get(r.data) : null) : strings.get(heap.name), edges: [] };
      byId.set(r.identifier, node); nodes.push(node);
      if (kind === 'frame') frames.push(node);
    } else if (r.type === 'edge') {
      const from = byId.get(r.source), label = r.label < 0 ? String(-r.label - 1) : strings.get(r.label);
      const to = r.dest === undefined ? { kind: 'number', value: r.heap.value } : r.dest % 2 === 0 ? { kind: 'number', value: r.dest / 2 } : byId.get(r.dest);
      if (from && to) from.edges.push({ type: edgeNames[r.subtype], label, to });
    }
  }
  return { nodes, frames, strings };
}
const whole = (node, strings) => { // the text of a string of a core
  if (node.type === 'string_flat') return node.name;
  const get = (label) => node.edges.find((e) => e.label === label)?.to;
  if (node.type === 'string_sliced') return whole(get('parent'), strings)?.slice(node.r.offset, node.r.offset + node.r.length);
  const todo = [node]; let out = '';
  while (todo.length) {
    const n = todo.pop();
    if (n.type !== 'string_cons') { out += whole(n, strings); continue; }
    for (const l of ['second', 'first']) { const half = n.edges.find((e) => e.label === l)?.to; if (half) todo.push(half); }
  }
  return out;
};
(async () => {
  const snapshot = fromSnapshot(snapshotFile), core = await fromStream(streamFile);
  const expected = JSON.parse(fs.readFileSync(expectedFile, 'utf8'));

  // Snapshots write what is no UTF-8 as question marks, in more than one way: such texts are compared by the rest.
  const cut = (text) => text === null || text === undefined ? '' : text.slice(0, CUT).replace(/[^\0-\xff]|\?+/gu, '').replace(/[\ud800-\udfff\ufffd]/g, '');

  // Counts by class.
  const count = (nodes) => { const m = new Map(); for (const n of nodes) if (n.kind === 'object' && !n.name?.startsWith('system / ')) bump(m, n.name); return m; };
  const a = count(snapshot), b = count(core.nodes);
  let all = 0, off = 0; const offs = [];
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const [x, y] = [a.get(key) || 0, b.get(key) || 0];
    all += x; off += Math.abs(x - y);
    if (x !== y) offs.push(`${key} ${x}/${y}`);
    if (isOwn.has(key) && x !== y) say(`class ${key}: snapshot ${x}, core ${y}`);
  }
  for (const name of own) if (!a.get(name)) say(`class ${name}: not in the snapshot`);
  if (off > all * LIMIT) say(`classes: ${off} of ${all} objects differ: ${offs.slice(0, 12).join(', ')}`);

  // Property edges and elements of the program's objects, and of what they hold in arrays and plain objects.
  
  const dest = (n) => n.kind === 'string' ? (n.type === 'string' || n.type === 'string_flat' ? 'text ' + cut(n.name) : n.kind) : n.kind === 'object' ? n.name : n.kind;
  const edges = (nodes, types) => {
    const m = new Map();
    for (const n of nodes) if (n.kind === 'object' && isOwn.has(n.name)) for (const e of n.edges) {
      if (types.includes(e.type) && e.to.kind !== 'number') bump(m, `${n.name} ${e.label} ${dest(e.to)}`);
    }
    return m;
  };
  const p = edges(snapshot, ['property', 'element']), q = edges(core.nodes, ['object property', 'array element']);
  let total = 0;
  for (const key of new Set([...p.keys(), ...q.keys()])) {
    total += p.get(key) || 0;
    if (p.get(key) !== q.get(key)) say(`edge ${key}: snapshot ${p.get(key) || 0}, core ${q.get(key) || 0}`);
  }

  // Every text of the snapshot is in the core; and the long ones are whole there.
  const texts = (nodes) => { const m = new Map(); for (const n of nodes) if (n.kind === 'string' && (n.type === 'string' || n.type === 'string_flat') && n.name !== undefined && n.name !== null) bump(m, cut(n.name)); return m; };
  const s = texts(snapshot), t = texts(core.nodes);
  let lost = 0, strings = 0;
  const lostTexts = [];
  for (const [text, n] of s) { strings += n; const d = Math.max(0, n - (t.get(text) || 0)); lost += d; if (d) lostTexts.push(text.slice(0, 40)); }
  if (lost > strings * LIMIT) say(`strings: ${lost} of ${strings} of the snapshot are not in the core: ${lostTexts.slice(0, 5).map((x) => JSON.stringify(x))}`);

  // Frames of JavaScript, innermost first, and their arguments.
  core.frames = core.frames.filter((f) => !['native', 'gap'].includes(f.r.v8 && f.r.v8.tier));
  const shown = core.frames.map((f) => ({ name: core.strings.get(f.r.function) || null, file: (core.strings.get(f.r.script_name) || '').split('/').pop(), line: f.r.line ?? null, column: f.r.column ?? null, construct: !!(f.r.v8 && f.r.v8.construct), tier: f.r.v8 && f.r.v8.tier }));
  // The innermost line has moved on: the program took its trace a few lines before it stopped.
  const moved = (f) => `${f.name || ''} ${f.file}${f.construct ? ' new' : ''}`;
  const place = (f) => `${moved(f)}${f.file ? `:${f.line}:${f.column}` : ''}`;
  let optimized = 0; // their places are not looked for
  const said = expected.frames.map((f) => ({ ...f, construct: f.construct ?? f.ctor, name: f.name ?? f.fn, column: f.column ?? f.col }));
  const first = shown.findIndex((f) => f.name === said[0].name && f.file === said[0].file);
  if (first < 0) say(`frames: ${said[0].name} is not there`);
  const mine = first < 0 ? [] : shown.slice(first);
  said.forEach((f, i) => {
    const compiled = mine[i] && mine[i].line === null && mine[i].tier !== 'interpreted';
    if (compiled && f.file) optimized++;
    const [x, y] = i && !compiled ? [place(f), mine[i] && place(mine[i])] : [moved(f), mine[i] && moved(mine[i])];
    if (x !== y) say(`frame ${i}: said ${x}, core ${y}`);
  });
  if (mine.length !== said.length) say(`frames: said ${said.length}, core ${mine.length}`);
  const value = (n) => n.kind === 'number' ? (Object.is(n.value ?? n.r?.value, -0) ? '-0' : String(n.value ?? n.r.value)) : n.kind === 'string' ? JSON.stringify(whole(n, core.strings)) :
    n.kind === 'bigint' ? n.r.value + 'n' : n.kind === 'object' ? (n.name === 'Function' ? 'function ' + (core.strings.get(n.r.heap.name) ?? '') : '@' + n.name) : n.name;
  const calls = (expected.calls || expected.args.map(([name, values]) => ({ name, values: values.map(String) }))).slice().reverse();
  const loose = !expected.calls;
  let at = 0, values = 0;
  for (const frame of core.frames.slice(Math.max(first, 0))) {
    const name = core.strings.get(frame.r.function);
    if (!calls[at] || (name || '').replace(/^get /, '') !== calls[at].name) continue;
    let got = frame.edges.filter((e) => e.type === 'heap.argument').map((e) => value(e.to));
    if (loose) got = got.map((v) => v.replace(/^"(.*)"$/s, '$1').replace(/^@/, ''));
    values += got.length;
    if (JSON.stringify(got) !== JSON.stringify(calls[at].values)) say(`arguments of ${name}: said ${calls[at].values}, core ${got}`);
    at++;
  }
  if (at !== calls.length) say(`calls: ${calls.length} made, ${at} found on the stack`);
  console.log(`${wrong ? 'NO' : 'ok'} ${expected.node}: ${own.length} own classes, ${total} of their edges, ${strings} strings (${lost} not there), ${mine.length} frames (${optimized} optimized, without a line), ${values} arguments; of all ${all} objects ${off} differ (${(off / all * 100).toFixed(2)} %): ${offs.slice(0, 12).join(', ')}`);
  process.exit(wrong ? 1 : 0);
})();
