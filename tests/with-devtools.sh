#!/usr/bin/env bash
# Loads snapshots that heap-to wrote into the code that Chrome DevTools runs in its worker, and compares what that
# makes of them with heap-dom and heap-sum --devtools. Needs Node 20 or later, npm and the network the first time.
# usage: tests/with-devtools.sh [DUMP...]; more dumps to try
# CACHE=FOLDER keeps what npm installs; TOOLS=FOLDER has the tools built already.
set -euo pipefail
shopt -s lastpipe # so that what fails at the end of a pipeline is remembered
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
dumps=()
for dump; do dumps+=("$(realpath "$dump")"); done
needs node npm
tools dev "${TOOLS:-}"
workplace
packages chrome-devtools-frontend chrome-devtools-frontend@1.0.1705227 esbuild@0.28

cat > "$cache/load.mjs" <<'JS'
// Loads snapshots as the worker of DevTools does, and prints what it shows of each: one line of JSON.
import * as Worker from 'chrome-devtools-frontend/front_end/entrypoints/heap_snapshot_worker/heap_snapshot_worker.js';
import * as Model from 'chrome-devtools-frontend/front_end/models/heap_snapshot/heap_snapshot.js';
import { createHash } from 'node:crypto';
import fs from 'node:fs';

Promise.withResolvers ??= () => {
  let resolve, reject;
  const promise = new Promise((a, b) => { [resolve, reject] = [a, b]; });
  return {promise, resolve, reject};
};
for (const file of process.argv.slice(2)) {
  const loader = new Worker.HeapSnapshotLoader.HeapSnapshotLoader({sendEvent() {}});
  const input = fs.createReadStream(file, {encoding: 'utf8', highWaterMark: 1 << 22});
  for await (const chunk of input) {
    loader.write(chunk);
    await new Promise(setImmediate);
  }
  loader.close();
  const channel = new MessageChannel();
  new Worker.HeapSnapshot.SecondaryInitManager(channel.port2);
  const snapshot = await loader.buildSnapshot(channel.port1);
  channel.port1.close();
  const root = snapshot.rootNode();
  const groups = snapshot.aggregatesWithFilter(new Model.HeapSnapshotModel.NodeFilter());
  const classes = Object.entries(groups).map(([key, g]) =>
    [key, g.name, g.count, g.self, g.maxRet, g.distance]);
  const numbers = new Map();
  for (let i = 0, node = snapshot.createNode(0), width = snapshot.nodeFieldCount; i < snapshot.nodeCount; i++) {
    node.nodeIndex = i * width;
    numbers.set(node.id(), [node.selfSize(), node.retainedSize(), node.distance()]);
  }
  const each = [...numbers].sort(([a], [b]) => a - b);
  console.log(JSON.stringify({
    nodes: snapshot.nodeCount, edges: snapshot.edgeCount ?? null, total: snapshot.totalSize,
    each: createHash('sha256').update(JSON.stringify(each)).digest('hex'),
    root: root.retainedSize(), classes,
  }));
}
JS
cat > "$cache/compare.mjs" <<'JS'
// Compares DevTools' line with the rows of heap-sum --devtools and heap-dom's figure for the root.
import fs from 'node:fs';
const [name, shownFile, rowsFile, root] = process.argv.slice(2);
const shown = JSON.parse(fs.readFileSync(shownFile, 'utf8'));
const rows = fs.readFileSync(rowsFile, 'utf8').split('\n').filter(Boolean).map(l => JSON.parse(l));
const wanted = new Map(rows.map(r => [r.key, [r.class, r.count, r.size, r.retained, r.distance]]));
const found = new Map(shown.classes.map(([key, ...rest]) => [key, rest]));
let differences = 0;
const differ = what => { if (++differences <= 5) console.log(`  ${what}`); };
if (shown.root !== Number(root)) differ(`root: DevTools ${shown.root}, heap-dom ${root}`);
for (const key of new Set([...wanted.keys(), ...found.keys()])) {
  const [a, b] = [wanted.get(key), found.get(key)];
  if (JSON.stringify(a) !== JSON.stringify(b)) differ(`class ${key}: heap-sum ${JSON.stringify(a)}, DevTools ${JSON.stringify(b)}`);
}
console.log(`${differences ? 'NO' : 'ok'} ${name}: ${shown.nodes} nodes, root retains ${shown.root}, ${found.size} classes`);
process.exit(differences ? 1 : 0);
JS
# Its own build makes this list of languages; none is needed here.
cat > "$cache/node_modules/chrome-devtools-frontend/front_end/core/i18n/locales.js" <<'JS'
export const LOCALES = ['en-US'];
export const BUNDLED_LOCALES = ['en-US'];
export const DEFAULT_LOCALE = 'en-US';
export const REMOTE_FETCH_PATTERN = '';
export const LOCAL_FETCH_PATTERN = '';
JS
(cd "$cache" && node_modules/.bin/esbuild load.mjs --bundle --platform=node --format=esm --log-level=error \
  --loader:.css=empty --outfile=bundle.mjs)

failed=0
check() { # NAME FILE
  if ! node --max-old-space-size=6000 "$cache/bundle.mjs" "$2" > "$work/shown" 2> "$work/err"; then
    echo "NO $1: does not load: $(head -n 3 "$work/err")"
    failed=1
    return
  fi
  heap-sum --devtools --json "$2" > "$work/rows"
  top=$(root_size "$2")
  node "$cache/compare.mjs" "$1" "$work/shown" "$work/rows" "$top" || failed=1
}
write() { # NAME OPTIONS...; the stream comes in
  local name=$1
  shift
  heap-to v8 "$@" -o "$work/x.heapsnapshot" 2> "$work/said" || { echo "NO $name: $(cat "$work/said")"; failed=1; return; }
  check "$name" "$work/x.heapsnapshot"
}
# What DevTools makes of each node is the same before and after: id, size, retained size, distance.
same() { # NAME; the figures are in shown.*
  local each
  each=$(cat "$work"/shown.* | grep -o '"each":"[0-9a-f]*"' | sort -u | wc -l)
  [ "$each" = 1 ] || { echo "NO $1: $each different figures of its nodes"; failed=1; }
  rm -f "$work"/shown.*
}
node "$root/tests/redact/plant.js" "$work/planted.heapsnapshot" "$work/texts"
for dump in "$work/planted.heapsnapshot" "$data/v8/varied.heapsnapshot.zst" "$data/v8/dom.heapsnapshot.zst"; do
  name=$(basename "$dump")
  n=0
  for flags in '' --labels --names --all; do
    # shellcheck disable=SC2086
    heap-redact $flags "$dump" | write "$name, redacted $flags"
    cp "$work/shown" "$work/shown.$((n += 1))"
  done
  heap-cat "$dump" | write "$name"
  cp "$work/shown" "$work/shown.0"
  same "$name, redacted"
done
# Sizes of quirks-v1.json are beyond the 32 bits in which DevTools keeps them.
for dump in "$data"/v8/*.zst "$data"/v8/edge/{random-6,root-last,orphans-cycles}.heapsnapshot \
  "$data"/moarvm/*.mvmheap "$data"/dart/*.gz "$data"/memory-infra/[^q]*.json* "${dumps[@]}"; do
  [ -e "$dump" ] || continue
  name=$(basename "$dump")
  # Damaged dumps are among them; what stands whole in them has to load.
  { heap-cat "$dump" 2> /dev/null || true; } > "$work/all.ndjson"
  write "$name" < "$work/all.ndjson"
  write "$name --layout newest" --layout newest < "$work/all.ndjson"
  heap-dom "$work/all.ndjson" | write "$name, annotated"
  heap-filter --min-size 100 "$work/all.ndjson" | write "$name, objects of 100 bytes and more"
  heap-filter -v --type Array "$work/all.ndjson" | write "$name, without arrays"
done
exit "$failed"
