#!/bin/bash
# Producers killed at any moment, in front of every tool: tests/cut-streams.sh [--bin FOLDER] [PIPELINES] [DUMP]
# Each pipeline gets SIGKILL into its producer after a random time. Where the stream was cut, the consumer must say so
# with status 2, and write no end mark of its own. Prints a row for each consumer; status 1 if any pipeline ended in
# silence.
set -u
. "$(dirname "$0")/lib.sh"
folder=
[ "${1:-}" != --bin ] || { folder=$2; shift 2; }
pipelines=${1:-500}
dump=${2:-$data/v8/leak-3.heapsnapshot.zst}
tools release "$folder"
workplace
cd "$work" || exit 2
mkfifo first second
RANDOM=${SEED:-1}

producers=(heap-cat heap-filter heap-names heap-dom heap-redact "heap-walk --class Session" "heap-cat --only metadata,type,node_type,node"
  "heap-filter --class O*" "heap-walk --type Map")
consumers=(heap-cat "heap-check" "heap-diff --classes --all base" heap-dom heap-filter "heap-grep -e session" heap-info heap-names
  "heap-path --class Session" heap-redact "heap-show --class Session" heap-strings heap-sum "heap-sum --retained" heap-suspects
  "heap-to v8" "heap-to sqlite -o out.db" heap-top heap-tree heap-trend heap-view "heap-walk --class Session")
heap-cat "$data/v8/leak-1.heapsnapshot.zst" > base

# How long each producer takes, in milliseconds.
declare -a takes
for i in "${!producers[@]}"; do
  from=$(date +%s%3N)
  ${producers[i]} "$dump" > /dev/null
  takes[i]=$(($(date +%s%3N) - from + 10))
done

silent=0 cut=0 whole=0 empty=0
declare -A cuts empties wholes
for ((n = 0; n < pipelines; n++)); do
  p=$((RANDOM % ${#producers[@]}))
  consumer=${consumers[n % ${#consumers[@]}]}
  rm -f out.db copy
  ${producers[p]} "$dump" > first 2> /dev/null &
  producer=$!
  # What went through, to see later whether it was cut.
  tee copy < first > second &
  copier=$!
  $consumer - < second > out 2> err &
  reader=$!
  # At any time, or soon after the first bytes have come: some tools write late, and then fast.
  most=${takes[p]}
  if ((n % 4)); then
    most=$((most / 4 + 1))
    until [ -s copy ] || ! kill -0 $producer 2> /dev/null; do sleep 0.005; done
  fi
  time=$((RANDOM % most))
  sleep "$(printf '%d.%03d' $((time / 1000)) $((time % 1000)))"
  kill -9 $producer 2> /dev/null
  wait $producer 2> /dev/null
  wait $copier
  wait $reader
  status=$?
  if [ ! -s copy ]; then
    empty=$((empty + 1)) empties[$consumer]=$((${empties[$consumer]:-0} + 1))
  elif tail -n 1 copy | grep -q '"heap.end","value":"nodes'; then
    whole=$((whole + 1)) wholes[$consumer]=$((${wholes[$consumer]:-0} + 1))
    continue
  else
    cut=$((cut + 1)) cuts[$consumer]=$((${cuts[$consumer]:-0} + 1))
  fi
  if [ $status -ne 2 ] || [ ! -s err ] ||
    tail -n 1 out | grep -aq '"heap.end","value":"nodes'; then
    silent=$((silent + 1))
    echo "${producers[p]} | $consumer: status $status, $(wc -l < copy) lines: $(head -n 1 err)" >&2
  fi
done
printf '%-28s %6s %6s %6s\n' consumer cut empty whole
for consumer in "${consumers[@]}"; do
  printf '%-28s %6d %6d %6d\n' "$consumer" "${cuts[$consumer]:-0}" "${empties[$consumer]:-0}" "${wholes[$consumer]:-0}"
done
echo "$pipelines pipelines: $cut streams cut, $empty empty, $whole whole; $silent ended in silence"
[ $silent = 0 ]
