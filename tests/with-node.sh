#!/bin/sh
# Secrets planted in a real heap, by node: values, names of properties, slices, concatenations, joins, keys and values
# of maps, sets and WeakMaps, symbols, regular expressions, messages, functions. No run of six characters of any may be in
# what heap-redact gives, but for names that are to stay; and retained sizes and distances are those of before, also once
# heap-to has written V8's format of it. (with-devtools.sh shows the same heap to Chrome DevTools.)
# Arguments: the folder of the built tools; without it they are built.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs node
tools release "${1-}"
workplace
cd "$root"
planted=$work/planted.heapsnapshot
node tests/redact/plant.js "$planted" "$work/texts"

figures() {
  heap-dom "$1" | heap-cat --only node |
    grep -o '"identifier":-*[0-9]*\|"retained":[0-9]*\|"distance":[0-9]*' | cksum
}
before=$(figures "$planted")
check() { # FLAGS [KIND...]
  flags=$1
  shift
  # shellcheck disable=SC2086
  heap-redact $flags "$planted" > "$work/out"
  heap-to v8 -o "$work/out.heapsnapshot" "$work/out"
  for file in out out.heapsnapshot; do
    node tests/redact/runs.js "$work/texts" "$work/$file" "heap-redact $flags, $file" "$@"
    [ "$(figures "$work/$file")" = "$before" ] || fail "sizes differ with $flags in $file"
  done
}
node tests/redact/runs.js "$work/texts" "$planted" planted > "$work/said" && fail "nothing is planted"
# In the snapshot itself there is something left of nearly all of them.
[ "$(grep -c 'this is left' "$work/said")" -ge 36 ] || { cat "$work/said" >&2; exit 1; }
check '' property 'nested property' getter symbol function class
check --labels symbol function class getter
check '--labels --names'
check --all
