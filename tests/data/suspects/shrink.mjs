// Makes a dump small enough to keep: heap-dom x.heapsnapshot | node shrink.mjs BYTES CLASS,... [all] | heap-to v8 -o y.heapsnapshot
//
// A subtree of the dominator tree that retains fewer BYTES becomes one node, its root, which takes over the sizes and the
// outgoing edges of the others. All ways into such a subtree lead through its root, so what is left has the dominators and
// retained sizes of the whole dump. What retains little hangs below its dominator at once, unless
// it is on the way to what retains much. Objects of the named classes stay apart from what holds them.
import { createInterface } from 'node:readline';
const [limit, keep] = [Number(process.argv[2]), new Set(process.argv[3].split(','))];
const [large, all] = [Math.max(8192, limit), process.argv[4] === 'all'];
const head = [], strings = new Map(), nodes = new Map(), edges = [], rest = [];
const subtypes = new Map(), weak = new Set(), roots = [];
const id = (x) => BigInt(x);
for await (const line of createInterface({ input: process.stdin })) {
  const r = JSON.parse(line);
  if (r.type === 'string') strings.set(r.stringid, { line, data: r.data });
  else if (r.type === 'node') nodes.set(id(r.identifier), { r, line, into: null });
  else if (r.type === 'edge') edges.push({ r, line });
  else if (r.type === 'v8.location') rest.push({ r, line });
  else if (r.type === 'metadata' && (r.key === 'heap.end' || r.key === 'heap.pipeline')) continue;
  else if (/^(metadata|type|node_type|edge_type)$/.test(r.type)) head.push(line);
  if (r.type === 'node_type') subtypes.set(r.nodetypeid, r.name);
  if (r.type === 'edge_type' && r.heap?.retains === 'no') weak.add(r.edgetypeid);
  if (r.type === 'metadata' && r.key === 'heap.root') roots.push(id(r.value));
}
const named = (n) => keep.has(strings.get(n.r.heap.class)?.data);
const name = (n) => n && (strings.get(n.r.heap.class)?.data ?? `(${subtypes.get(n.r.subtype)})`);
const up = (n) => { const idom = n.r.heap.idom; return idom === undefined ? undefined : nodes.get(id(idom)); };
// What an object of a named class is somewhere below stays.
for (const n of nodes.values()) {
  if (keep.has(name(n))) for (let m = up(n); m && !m.stays; m = up(m)) m.stays = true;
}
// Strings of an object of a named class are told apart.
const whole = new Set();
for (const n of nodes.values()) if (keep.has(name(up(n)))) whole.add(n);
// The topmost node of the small subtree that a node is in.
const small = (m) => m && !m.stays && m.r.heap.retained < limit;
const top = (n) => {
  const path = [n];
  let m = n;
  for (let above = up(m); m.into === null && small(above); above = up(m)) path.push(m = above);
  const to = m.into ?? m;
  for (const p of path) p.into = to;
  return to;
};
for (const n of nodes.values()) { const t = top(n); if (t !== n) (t.more ??= []).push(n); }
const used = new Set(), lines = [];
const use = (...ids) => ids.forEach((s) => s !== undefined && used.add(s));
const seen = new Set();
const outEdges = [];
for (const e of edges) {
  const source = nodes.get(id(e.r.source));
  const dest = Number(e.r.dest) % 2 ? nodes.get(id(e.r.dest)) : null;
  if (!source || !dest) continue;
  const [s, d] = [source.into, dest.into];
  if (s === source && d === dest) { outEdges.push(e.r); continue; }
  if (s === d) continue;
  const key = `${s.r.identifier} ${d.r.identifier} ${e.r.subtype}`;
  if (seen.has(key)) continue;
  seen.add(key);
  const r = { ...e.r, source: s.r.identifier, dest: d.r.identifier };
  if (s !== source && Number(r.label) < 0) delete r.label;
  outEdges.push(r);
}
// The first ways to nodes that retain much.
const next = new Map(), from = new Map(), ways = new Set();
for (const r of outEdges) if (!weak.has(r.subtype)) (next.get(r.source) ?? next.set(r.source, []).get(r.source)).push(r.dest);
const queue = roots.map((root) => nodes.get(root)?.into.r.identifier);
queue.forEach((root) => from.set(root, null));
for (let i = 0; i < queue.length; i++) {
  for (const to of next.get(queue[i]) ?? []) if (!from.has(to)) { from.set(to, queue[i]); queue.push(to); }
}
for (const n of nodes.values()) {
  if (n.into === n && n.r.heap.retained >= 20 * large) for (let at = n.r.identifier; at && !ways.has(at); at = from.get(at)) ways.add(at);
}
// What retains little, is on no such way and is of no named class hangs below its dominator, by the edge between the two if there is one.
const above = new Map();
for (const n of nodes.values()) {
  const to = up(n)?.into;
  if (n.into === n && to && n.r.heap.retained < large && !ways.has(n.r.identifier) && !named(n)) above.set(n.r.identifier, { to: to.r.identifier, edge: null });
}
const kept = [];
for (const r of outEdges) {
  const place = above.get(r.dest);
  if (!place) kept.push(r);
  else if (place.to === r.source) place.edge = r;
  else place.edge ??= r;
}
for (const { to, edge } of above.values()) if (edge) kept.push({ ...edge, source: to });
// Leaves below one dominator that have no class, or with 'all' the same, become as few as their size allows.
const leads = new Set(kept.map((r) => r.source)), open = new Map(), gone = new Set();
for (const n of nodes.values()) {
  const place = above.get(n.r.identifier);
  if (n.into !== n || !place || leads.has(n.r.identifier) || whole.has(n)) continue;
  if (n.r.heap.class !== undefined && !all || keep.has(name(n))) continue;
  const key = `${place.to} ${n.r.subtype} ${n.r.heap.class}`;
  const first = open.get(key);
  if (first && first.sum + n.r.heap.retained < limit) {
    (first.more ??= []).push(n, ...(n.more ?? []));
    first.sum += n.r.heap.retained;
    gone.add(n.r.identifier);
  } else {
    open.set(key, n);
    n.sum = n.r.heap.retained;
  }
}
const out = [];
for (const n of nodes.values()) {
  if (n.into !== n || gone.has(n.r.identifier)) continue;
  const r = structuredClone(n.r);
  for (const m of n.more ?? []) {
    r.heap.size = (r.heap.size ?? 0) + (m.r.heap.size ?? 0);
    if (m.r.heap.external) r.heap.external = (r.heap.external ?? 0) + m.r.heap.external;
  }
  for (const key of ['retained', 'idom', 'distance', 'reachable']) delete r.heap[key];
  for (const key of ['s1', 's2', 'source']) if (key in r && !(nodes.get(id(r[key]))?.into === nodes.get(id(r[key])))) delete r[key];
  if ('metadata' in r && nodes.get(id(r.metadata))?.into !== nodes.get(id(r.metadata))) delete r.metadata;
  use(r.data, r.heap.class, r.heap.name, typeof r.name === 'number' ? r.name : undefined);
  out.push(r);
}
for (const r of kept) if (!gone.has(r.dest)) use(r.label);
const print = (x) => lines.push(x);
head.forEach(print);
for (const [s, { line }] of strings) if (used.has(s)) print(line);
for (const r of out) print(JSON.stringify(r));
for (const r of kept) if (!gone.has(r.dest)) print(JSON.stringify(r));
for (const { r, line } of rest) {
  const n = nodes.get(id(r.object));
  if (n?.into === n && !gone.has(r.object)) print(line);
}
process.stdout.write(lines.join('\n') + '\n');
