#!/usr/bin/env bash
# Builds heap-tools with a part of its formats, and asks each build for what it has and for what it has not: the first is read,
# the second is said to be left out. The first combination is built as README says, and timed.
# usage: tests/features.sh [check]; `check` has clippy look at each, and nothing more
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
workplace
cd "$root"
combinations=('v8,java' '' 'export,parquet,pprof')
if [ "${1:-}" = check ]; then
  for features in "${combinations[@]}"; do
    echo "features: ${features:-none}"
    cargo clippy --quiet --locked -p heap-tools --bin heap-tools --no-default-features --features "$features" -- -D warnings
  done
  exit
fi
needs zstd
failed=0
no() { echo "NO $*"; failed=1; }
export CARGO_TARGET_DIR=$work/target
SECONDS=0
cargo build --quiet --profile quick --locked -p heap-tools --bin heap-tools --no-default-features --features "${combinations[0]}"
slim=$CARGO_TARGET_DIR/quick/heap-tools
echo "a program for ${combinations[0]}: $SECONDS s, $(stat -c %s "$slim") bytes"
reads() { "$slim" sum --json "$1" > /dev/null || no "$1 is not read"; }
plain() { zstd -dqf "$data/$1" -o "$work/${1##*/}.plain" && echo "$work/${1##*/}.plain"; }
lacks() { # FORMAT WORD...
  format=$1
  shift
  "$slim" "$@" > "$work/out" 2> "$work/err" && no "$* has status 0"
  grep -q "this program was built without $format" "$work/err" || no "$*: $(cat "$work/err")"
}
reads "$(plain v8/leak-3.heapsnapshot.zst)"
reads "$(plain java/shop.hprof.zst)"
reads "$data/draft/app.ndjson"
lacks sqlite sum "$data/sqlite/draft.db"
lacks parquet sum "$data/parquet"
lacks mdb sum "$data/mdb/kinds.mdbv8heap"
lacks core sum "$(plain core/shop-node22.core.zst)"
lacks zstd sum "$data/v8/leak-3.heapsnapshot.zst"
lacks zst to zst "$data/draft/app.ndjson"
lacks core sum pid:1
lacks moarvm sum "$data/moarvm/v3.mvmheap"
lacks dart sum "$data/dart/kinds-pruned.dartheap.gz"
lacks pprof sum "$data/pprof/delta.pb.gz"
lacks webkit sum "$data/webkit/inspector.json"
lacks ruby sum "$data/ruby/cache-1.json.gz"
lacks memory-infra sum "$data/memory-infra/quirks-v2.json"
lacks ruby sum --format ruby "$data/ruby/cache-1.json.gz"
lacks parquet to parquet -o "$work/set" "$data/draft/app.ndjson"
lacks folded to folded "$data/draft/app.ndjson"
"$slim" --help > /dev/null && "$slim" sum --help | grep -q 'mdb_v8' && no "--help names a format that was left out"
[ "$failed" = 0 ] || fail "failed"
