#!/usr/bin/env bash
# Loads snapshots that heap-to wrote into memlab, and compares retained sizes and classes with heap-dom and heap-sum.
# Needs Node, npm and the network the first time.
# usage: tests/with-memlab.sh [DUMP...]; more dumps to try
# CACHE=FOLDER keeps what npm installs; TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
dumps=()
for dump; do dumps+=("$(realpath "$dump")"); done
needs node npm
tools dev "${TOOLS:-}"
workplace
export TMPDIR=$work # where memlab leaves a folder
# Its browser is of no use here.
PUPPETEER_SKIP_DOWNLOAD=1 packages @memlab/heap-analysis --ignore-scripts @memlab/core@2.0.5 @memlab/heap-analysis@2.0.5

cat > "$cache/compare.js" <<'JS'
// Loads a snapshot with memlab; compares the root's retained size and every class with what the tools say.
const {getFullHeapFromFile} = require('@memlab/heap-analysis');
const {config} = require('@memlab/core');
const fs = require('fs');
const [name, file, rowsFile, root] = process.argv.slice(2);
const draft = {string: 'string_flat', code: 'code', closure: 'closure', regexp: 'regular_expression',
  number: 'heap_number', 'concatenated string': 'string_cons', 'sliced string': 'string_sliced'};
// What it takes for detached, memlab renames.
const plain = name => name.replace(/^(Detached )+/, '');
const group = node => ['object', 'native', 'wasm object'].includes(node.type) ? plain(node.name)
  : `(${draft[node.type] ?? 'v8.' + node.type.replaceAll(' ', '_')})`;
(async () => {
  config.muteConsole = true;
  const heap = await getFullHeapFromFile(file);
  const found = new Map();
  let first = null, nodes = 0;
  heap.nodes.forEach(node => {
    first ??= node;
    nodes++;
    const g = found.get(group(node)) ?? [0, 0];
    g[0]++;
    g[1] += node.self_size;
    found.set(group(node), g);
  });
  let differences = 0;
  const differ = what => { if (++differences <= 5) console.log(`  ${what}`); };
  const rows = fs.readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean).map(l => JSON.parse(l));
  const wanted = new Map();
  for (const {class: name, count, size} of rows) {
    const [n, bytes] = wanted.get(plain(name)) ?? [0, 0];
    wanted.set(plain(name), [n + count, bytes + size]);
  }
  if (first.retainedSize !== Number(root)) differ(`root: memlab ${first.retainedSize}, heap-dom ${root}`);
  for (const key of new Set([...wanted.keys(), ...found.keys()])) {
    const [a, b] = [wanted.get(key), found.get(key)].map(x => JSON.stringify(x));
    if (a !== b) differ(`class ${key}: heap-sum ${a}, memlab ${b}`);
  }
  console.log(`${differences ? 'NO' : 'ok'} ${name}: ${nodes} nodes, root retains ${first.retainedSize}, ${found.size} classes`);
  process.exit(differences ? 1 : 0);
})().catch(error => { console.log(`NO ${name}: ${error}`); process.exit(1); });
JS

failed=0
write() { # NAME OPTIONS...; the stream comes in
  local name=$1 file=$work/x.heapsnapshot top
  shift
  heap-to v8 "$@" -o "$file" 2> "$work/said" || { echo "NO $name: $(cat "$work/said")"; failed=1; return; }
  heap-sum --json "$file" > "$work/rows"
  top=$(root_size "$file")
  (cd "$cache" && node --max-old-space-size=6000 compare.js "$name" "$file" "$work/rows" "$top") 2> "$work/err" ||
    { failed=1; head -n 3 "$work/err"; }
}
for dump in "$data"/v8/{varied,dom,leak-1}.heapsnapshot.zst "$data"/v8/edge/random-6.heapsnapshot \
  "$data"/moarvm/v3.mvmheap "$data"/dart/*.gz "$data"/memory-infra/{chromium*,seed-example-v2.json} "${dumps[@]}"; do
  [ -e "$dump" ] || continue
  name=$(basename "$dump")
  { heap-cat "$dump" 2> /dev/null || true; } > "$work/all.ndjson"
  write "$name" < "$work/all.ndjson"
  write "$name --layout newest" --layout newest < "$work/all.ndjson"
  heap-dom "$work/all.ndjson" | write "$name, annotated"
  heap-filter --min-size 100 "$work/all.ndjson" | write "$name, objects of 100 bytes and more"
done
exit "$failed"
