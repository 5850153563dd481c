#!/usr/bin/env bash
# Reads snapshots that heap-to wrote with JSON.parse, by V8's own description of the format in their head: numbers of nodes
# and edges, bytes, ends of edges and names are in range, and are those of the dump.
# usage: tests/with-json.sh [DUMP...]; more dumps to try
# TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
dumps=()
for dump; do dumps+=("$(realpath "$dump")"); done
needs node
tools dev "${TOOLS:-}"
workplace

cat > "$work/read.js" << 'JS'
const { snapshot, nodes, edges, strings } = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
const { node_fields: nf, edge_fields: ef, node_types: nt, edge_types: et } = snapshot.meta;
const assert = (holds, what) => { if (!holds) { console.log(`NO ${what}`); process.exit(1); } };
assert(nodes.length === snapshot.node_count * nf.length, 'node_count');
assert(edges.length === snapshot.edge_count * ef.length, 'edge_count');
const [type, name, size, count] = ['type', 'name', 'self_size', 'edge_count'].map((field) => nf.indexOf(field));
let bytes = 0, from = 0;
for (let at = 0; at < nodes.length; at += nf.length) {
  assert(nt[type][nodes[at + type]] !== undefined, `type of node ${at}`);
  assert(typeof strings[nodes[at + name]] === 'string', `name of node ${at}`);
  bytes += nodes[at + size];
  from += nodes[at + count];
}
assert(from === snapshot.edge_count, 'edges of all nodes');
const [kind, label, to] = ['type', 'name_or_index', 'to_node'].map((field) => ef.indexOf(field));
for (let at = 0; at < edges.length; at += ef.length) {
  const word = et[kind][edges[at + kind]];
  assert(word !== undefined, `type of edge ${at}`);
  assert(edges[at + to] % nf.length === 0 && edges[at + to] < nodes.length, `end of edge ${at}`);
  assert(word === 'element' || word === 'hidden' || typeof strings[edges[at + label]] === 'string', `name of edge ${at}`);
}
console.log(snapshot.node_count, snapshot.edge_count, bytes);
JS

failed=0
for dump in "$data"/v8/*.zst "$data"/v8/edge/{traces-scopes,escapes}.heapsnapshot "${dumps[@]}"; do
  name=$(basename "$dump")
  # Of one type of its nodes this version of V8 itself says nothing in the head.
  [ "$name" != old-node6.heapsnapshot.zst ] || continue
  heap-cat "$dump" > "$work/a.ndjson"
  heap-to v8 -o "$work/x.heapsnapshot" "$work/a.ndjson" 2> "$work/said"
  found=$(node "$work/read.js" "$work/x.heapsnapshot") || true
  end=$(tail -n 1 "$work/a.ndjson" | sed 's/.*nodes=\([0-9]*\) edges=\([0-9]*\) .*/\1 \2/')
  wanted="$end $(heap-sum --tsv "$work/a.ndjson" | tail -n +2 | cut -f 3 | awk '{ sum += $1 } END { printf "%d", sum }')"
  if [ "$found" = "$wanted" ]; then
    echo "ok $name: nodes, edges, bytes $found"
  else
    echo "NO $name: JSON.parse says $found; wanted $wanted"
    failed=1
  fi
done
exit "$failed"
