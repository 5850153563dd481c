#!/bin/sh
# Secrets planted in a real heap, by node: values, names of properties, slices, concatenations, joins, keys of maps,
# symbols, regular expressions, messages, functions. Looks for runs of their characters in what heap-redact gives.
# Arguments: the folder of the built tools; without it they are built.
set -eu
cd "$(dirname "$0")/.."
command -v node >/dev/null || { echo "with-node.sh: node is not installed" >&2; exit 2; }
bin=${1-}
[ -n "$bin" ] || { cargo build --locked --release --bins; bin=${CARGO_TARGET_DIR:-target}/release; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
node tests/redact/plant.js "$folder/planted.heapsnapshot"

retained() { "$bin/heap-dom" "$@" | "$bin/heap-cat" --only node | grep -o '"identifier":-*[0-9]*\|"retained":[0-9]*' | cksum; }
before=$(retained "$folder/planted.heapsnapshot")
for flags in --labels '--labels --names' --all; do
  # shellcheck disable=SC2086
  "$bin/heap-redact" $flags "$folder/planted.heapsnapshot" > "$folder/out"
  node tests/redact/runs.js "$folder/planted.heapsnapshot" "$folder/out" "$flags"
  [ "$(retained "$folder/out")" = "$before" ] || { echo "with-node.sh: retained sizes differ with $flags" >&2; exit 1; }
done
