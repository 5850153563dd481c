#!/usr/bin/env bash
# Reads snapshots that heap-to wrote with JSON.parse, by V8's own description of the format in their head, and compares each
# node (identifier, type, name, bytes) and its edges (type, name, identifier of the end) with the dump they come from, read
# in the same way.
# usage: tests/with-json.sh [DUMP...]; more dumps to try
# TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
dumps=()
for dump; do dumps+=("$(realpath "$dump")"); done
needs node zstd
tools dev "${TOOLS:-}"
workplace

cat > "$work/compare.js" << 'JS'
// A text for each node, with its edges.
function objects(file) {
  const { snapshot, nodes, edges, strings } = JSON.parse(require('fs').readFileSync(file, 'utf8'));
  const { node_fields: nf, edge_fields: ef, node_types: nt, edge_types: et } = snapshot.meta;
  const [type, name, id, size, count] = ['type', 'name', 'id', 'self_size', 'edge_count'].map((field) => nf.indexOf(field));
  const [kind, label, to] = ['type', 'name_or_index', 'to_node'].map((field) => ef.indexOf(field));
  const all = [];
  let edge = 0, bytes = 0;
  for (let at = 0; at < nodes.length; at += nf.length) {
    const texts = [nodes[at + id], nt[type][nodes[at + type]], strings[nodes[at + name]], nodes[at + size]];
    bytes += nodes[at + size];
    for (const end = edge + nodes[at + count] * ef.length; edge < end; edge += ef.length) {
      const word = et[kind][edges[edge + kind]], key = edges[edge + label];
      const text = word === 'element' || word === 'hidden' ? key : strings[key];
      texts.push([word, text, nodes[edges[edge + to] + id]].join('\t'));
    }
    all.push(texts.join('\n'));
  }
  const { node_count, edge_count } = snapshot;
  if (node_count !== all.length || edge_count * ef.length !== edge) console.log(`NO ${file}: counts in its head`);
  return { all, said: `${all.length} ${edge_count} ${bytes}` };
}
const [dump, written] = process.argv.slice(2).map(objects);
const odd = dump.all.findIndex((text, at) => text !== written.all[at]);
const short = (text) => JSON.stringify(text ?? 'nothing').slice(0, 150);
if (odd >= 0) console.log(`NO node ${odd}: ${short(written.all[odd])}; in the dump ${short(dump.all[odd])}`);
else if (dump.said !== written.said) console.log(`NO ${written.said}; in the dump ${dump.said}`);
else console.log(written.said);
JS

failed=0
for dump in "$data"/v8/*.zst "$data"/v8/edge/{traces-scopes,escapes}.heapsnapshot "${dumps[@]}"; do
  name=$(basename "$dump")
  case $name in
    *.zst) zstd -dqcf "$dump" > "$work/a.heapsnapshot" ;;
    *) cp "$dump" "$work/a.heapsnapshot" ;;
  esac
  heap-cat "$work/a.heapsnapshot" > "$work/a.ndjson"
  heap-to v8 -o "$work/x.heapsnapshot" "$work/a.ndjson" 2> "$work/said"
  found=$(node "$work/compare.js" "$work/a.heapsnapshot" "$work/x.heapsnapshot") || found="NO answer"
  case $found in
    *NO*) echo "NO $name: $found"; failed=1 ;;
    *) echo "ok $name: nodes, edges, bytes $found" ;;
  esac
done
exit "$failed"
