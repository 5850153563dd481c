#!/bin/sh
# Secrets planted in a real heap, by node: values, names of properties, slices, concatenations, joins, keys and values
# of maps, sets and WeakMaps, symbols, regular expressions, messages, functions. No run of six characters of any may be in
# what heap-redact gives, but for names that are to stay; and retained sizes and distances are those of before, also once
# heap-to has written V8's format of it. (with-devtools.sh shows the same heap to Chrome DevTools.)
# Arguments: the folder of the built tools; without it they are built.
set -eu
cd "$(dirname "$0")/.."
command -v node >/dev/null || { echo "with-node.sh: node is not installed" >&2; exit 2; }
bin=${1-}
[ -n "$bin" ] || { cargo build --locked --release --bins; bin=${CARGO_TARGET_DIR:-target}/release; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
planted=$folder/planted.heapsnapshot
node tests/redact/plant.js "$planted" "$folder/texts"

told() {
  "$bin/heap-dom" "$1" | "$bin/heap-cat" --only node |
    grep -o '"identifier":-*[0-9]*\|"retained":[0-9]*\|"distance":[0-9]*' | cksum
}
before=$(told "$planted")
check() { # FLAGS [KIND...]
  flags=$1
  shift
  # shellcheck disable=SC2086
  "$bin/heap-redact" $flags "$planted" > "$folder/out"
  "$bin/heap-to" v8 -o "$folder/out.heapsnapshot" "$folder/out"
  for file in out out.heapsnapshot; do
    node tests/redact/runs.js "$folder/texts" "$folder/$file" "heap-redact $flags, $file" "$@"
    [ "$(told "$folder/$file")" = "$before" ] || { echo "with-node.sh: sizes differ with $flags in $file" >&2; exit 1; }
  done
}
node tests/redact/runs.js "$folder/texts" "$planted" planted > "$folder/said" && { echo "with-node.sh: nothing is planted" >&2; exit 1; }
# In the snapshot itself there is something left of nearly all of them.
[ "$(grep -c 'this is left' "$folder/said")" -ge 36 ] || { cat "$folder/said" >&2; exit 1; }
check '' property 'nested property' getter symbol function class
check --labels symbol function class getter
check '--labels --names'
check --all
