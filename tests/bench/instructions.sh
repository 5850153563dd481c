#!/usr/bin/env bash
# Counts the instructions of the main paths and holds them against instructions.txt, with a wide bound: a lost fast path
# shows on the noisiest machine. Needs valgrind. usage: tests/bench/instructions.sh [--write]
# BOUND=PERCENT a path may cost more, 30 by default; what costs much less should be written down with --write.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v valgrind > /dev/null || { echo "instructions.sh: valgrind is not installed" >&2; exit 2; }
tools=${CARGO_TARGET_DIR:-$root/target}/release
data=$root/tests/data
list=$root/tests/bench/instructions.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name, then the command
paths=(
  "v8-to-stream heap-cat $work/v8"
  "v8-sum heap-sum $work/v8"
  "v8-retained heap-sum --sort retained $work/v8"
  "v8-path heap-path --id @83263 $work/v8"
  "stream-copy heap-cat $work/stream"
  "stream-filter heap-filter --type Array $work/stream"
  "stream-sum heap-sum $work/stream"
  "stream-dominators heap-dom $work/stream"
  "stream-names heap-names $work/stream"
  "moarvm-to-stream heap-cat $work/moarvm"
  "moarvm-sum heap-sum $work/moarvm"
  "dart-to-stream heap-cat $work/dart"
  "dart-sum heap-sum $work/dart"
  "trace-to-stream heap-cat $work/trace"
  "to-v8 heap-to v8 $work/stream"
)

(cd "$root" && cargo build --release --locked --bin heap-tools)

zstd -dqc "$data/v8/leak-3.heapsnapshot.zst" > "$work/v8"
"$tools/heap-tools" cat "$work/v8" > "$work/stream"
"$tools/heap-tools" to moarvm -o "$work/moarvm" "$work/v8" 2> /dev/null
"$tools/heap-tools" to dart -o "$work/dart" "$work/v8" 2> /dev/null
gzip -dc "$data/memory-infra/chromium-150-v2-excerpt.json.gz" > "$work/trace"

# Counts one path: its name, its tool, and the arguments.
count() {
  read -r name tool arguments <<< "$1"
  # shellcheck disable=SC2086 # the arguments are words
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/$name.log" "$tools/heap-tools" "$tool" $arguments > /dev/null
  sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/$name.log" > "$work/$name.count"
}
export -f count
export work tools
printf '%s\0' "${paths[@]}" | xargs -0 -P "$(nproc)" -I{} bash -euo pipefail -c 'count "$1"' - {}

failed=0
for path in "${paths[@]}"; do
  name=${path%% *}
  count=$(cat "$work/$name.count")
  [ -n "$count" ] || { echo "instructions.sh: $name: no count: $(tail -n 1 "$work/$name.log")" >&2; exit 2; }
  echo "$name $count" >> "$work/counts"
  [ "${1:-}" = --write ] && continue
  known=$(awk -v name="$name" '$1 == name { print $2 }' "$list")
  [ -n "$known" ] || { echo "NO $name: not in instructions.txt"; failed=1; continue; }
  percent=$((count * 100 / known))
  if [ "$percent" -gt $((100 + ${BOUND:-30})) ]; then
    echo "NO $name: $count instructions, $percent % of $known"
    failed=1
  else
    echo "ok $name: $count instructions, $percent % of $known"
  fi
done
if [ "${1:-}" = --write ]; then
  { echo "# Instructions of the main paths on dumps in tests/data, counted and checked by instructions.sh."; cat "$work/counts"; } > "$list"
  cat "$list"
fi
exit "$failed"
