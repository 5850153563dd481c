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
devtools

failed=0
# Whether the dump at hand is a damaged one: what stands whole in it has to load, which heap-to writes only with --partial,
# and tools end with status 2.
damaged=
check() { # NAME FILE
  in_devtools "$1" "$2" || failed=1
}
write() { # NAME OPTIONS...; the stream comes in
  local name=$1
  shift
  rm -f "$work/x.heapsnapshot"
  heap-to v8 ${damaged:+--partial} "$@" -o "$work/x.heapsnapshot" 2> "$work/said" || [ -n "$damaged" ] ||
    { echo "NO $name: $(cat "$work/said")"; failed=1; return; }
  check "$name" "$work/x.heapsnapshot"
}
# What a tool makes of the dump at hand.
part() { # TOOL OPTIONS...
  "$@" "$work/all.ndjson" 2> "$work/warned" || [ -n "$damaged" ]
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
  damaged=
  heap-cat "$dump" > "$work/all.ndjson" 2> /dev/null || damaged=1
  write "$name" < "$work/all.ndjson"
  write "$name --layout newest" --layout newest < "$work/all.ndjson"
  part heap-dom | write "$name, annotated"
  part heap-filter --min-size 100 | write "$name, objects of 100 bytes and more"
  part heap-filter -v --type Array | write "$name, without arrays"
done
exit "$failed"
