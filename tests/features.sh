#!/usr/bin/env bash
# Builds heap-tools with a part of its formats, and asks each build for what it has and for what it has not: the first is read,
# the second is said to be left out. The first combination is built as for release, and timed.
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
needs jq
failed=0
no() { echo "NO $*"; failed=1; }
export CARGO_TARGET_DIR=$work/target
SECONDS=0
cargo build --quiet --release --locked -p heap-tools --bin heap-tools --no-default-features --features "${combinations[0]}"
slim=$CARGO_TARGET_DIR/release/heap-tools
echo "a program for ${combinations[0]}: $SECONDS s, $(stat -c %s "$slim") bytes"
reads() { "$slim" sum --json "$1" > /dev/null || no "$1 is not read"; }
lacks() { # FORMAT WORD...
  format=$1
  shift
  "$slim" "$@" > "$work/out" 2> "$work/err" && no "$* has status 0"
  grep -q "this program was built without $format" "$work/err" || no "$*: $(cat "$work/err")"
}
reads "$data/v8/leak-3.heapsnapshot.zst"
reads "$data/java/shop.hprof.zst"
reads "$data/draft/app.ndjson"
lacks sqlite sum "$data/sqlite/draft.db"
lacks parquet sum "$data/parquet"
lacks mdb sum "$data/mdb/kinds.mdbv8heap"
lacks core sum "$data/core/shop-node22.core.zst"
lacks core sum pid:1
lacks moarvm sum "$data/moarvm/v3.mvmheap"
lacks dart sum "$data/dart/kinds-pruned.dartheap.gz"
lacks pprof sum "$data/pprof/delta.pb.gz"
lacks webkit sum "$data/webkit/inspector.json"
lacks ruby sum "$data/ruby/cache-1.json.gz"
lacks memory-infra sum "$data/memory-infra/quirks-v2.json"
lacks ruby sum --format ruby "$data/ruby/cache-1.json.gz"
lacks parquet to parquet -o "$work/set" "$data/v8/leak-3.heapsnapshot.zst"
lacks folded to folded "$data/v8/leak-3.heapsnapshot.zst"
"$slim" --help > /dev/null && "$slim" sum --help | grep -q 'mdb_v8' && no "--help names a format that was left out"
[ "$failed" = 0 ] || fail "failed"
