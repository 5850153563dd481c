#!/usr/bin/env bash
# Converts a generated fleet of dumps to a data set and asks DuckDB: are the sums those of heap-sum, and are the planted leaks
# found? One dump is damaged. Then dumps come back as their streams, writers are killed, and reports of a gate are parsed.
# usage: tests/with-duckdb.sh [COUNT]; dumps of the fleet, 1000 if not given, 300 at least: an outlier needs equals
# TOOLS=FOLDER has the tools built already, CACHE=FOLDER keeps DuckDB. Needs python3 and, the first time, the network.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
tools dev "${TOOLS:-}"
workplace
pypi duckdb
count=${1:-1000}
[ "$count" -ge 300 ] || fail "a fleet of $count dumps has no outliers"
fleet=$work/fleet
python3 "$root/tests/fleet/make.py" "$fleet" "$count"
damaged=$fleet/program=mail/version=1/pod=1/3.heapsnapshot
truncate -s 2000 "$damaged"

status=0
"$root/tests/fleet/convert.sh" "$fleet" "$work/set" 2> "$work/messages" || status=$?
[ "$status" = 2 ] || fail "status $status with a damaged dump"
grep -q '^heap-to: 3.heapsnapshot: byte 2000: ' "$work/messages" || fail "the damaged dump is not named"
[ "$(wc -l < "$work/messages")" = 1 ] || fail "more is said: $(cat "$work/messages")"
PYTHONPATH=$root/tests/fleet python3 "$root/tests/fleet/duck.py" "$work/set" "$fleet" "$damaged"

# The way back, for some of the dumps, and sums by tag from the data set itself.
some=$work/set/metadata/program=web/version=2/pod=1
for folder in "$some"/*; do
  name=${folder##*dump=}
  heap-cat "$folder" | grep -v '"generator"' > "$work/found"
  heap-cat "$fleet/program=web/version=2/pod=1/$name" | grep -v '"generator"' | cmp - "$work/found"
done
heap-sum --by tag.pod,class --class CacheEntry -n 1 "$work/set/nodes/program=web/version=2" | grep -q '"tag.pod":"1"' ||
  fail "heap-sum --by tag.pod does not find the pod"
# A writer that is killed, at any time: what has metadata is complete, and the same call again mends the rest.
one=$fleet/program=api/version=1/pod=1
whole=$(cd "$one" && heap-sum 1.heapsnapshot 2.heapsnapshot 4.heapsnapshot 5.heapsnapshot)
killed=0
for try in $(seq 40); do
  rm -rf "$work/killed"
  (cd "$one" && exec heap-to parquet -o "$work/killed" {1,2,4,5}.heapsnapshot) &
  writer=$!
  sleep "$(printf '0.%03d' $((try * try / 8)))"
  kill -KILL "$writer" 2> /dev/null || true
  wait "$writer" 2> /dev/null || killed=$((killed + 1))
  for folder in "$work"/killed/metadata/dump=*/part-0.parquet; do
    [ -e "$folder" ] || continue
    name=$(basename "$(dirname "$folder")")
    heap-cat "$(dirname "$folder")" | grep -v '"generator"' > "$work/found"
    heap-cat "$one/${name#dump=}" | grep -v '"generator"' | cmp - "$work/found"
  done
  (cd "$one" && heap-to parquet -o "$work/killed" {1,2,4,5}.heapsnapshot)
  [ "$(heap-sum "$work/killed")" = "$whole" ] || fail "after a kill and a second run the sums differ"
done
[ "$killed" -gt 0 ] || fail "no writer was killed in time"
echo "ok: $killed of 40 writers killed"
# A second run adds partitions, and other keys are refused.
(cd "$one" && heap-to parquet -o "$work/set" --tag program='a/b=c%
d' --tag version=1 --tag pod=1 1.heapsnapshot)
found=$(python3 "$root/tests/fleet/tag.py" "$work/set")
[ "$found" = "[(1,)]" ] || fail "the odd tag is not found: $found"
if heap-to parquet -o "$work/set" --tag host=1 "$one/1.heapsnapshot" 2> /dev/null; then fail "other keys were taken"; fi
echo "ok: back to streams, odd tags, other keys"
python3 "$root/tests/fleet/junit.py" "$work"
