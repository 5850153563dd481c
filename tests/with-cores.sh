#!/bin/sh
# Cores of Node 18 to 26 of a program that says what it holds, beside the snapshot of the same moment: objects by class,
# edges, texts, frames, arguments, retained sizes, what is open; frames of C++ beside those that gdb finds, lines of
# compiled code and places in WebAssembly beside V8's own; classes on top of those of the language, buffers that may grow.
# Each core as a snapshot in the code of Chrome DevTools. The same of a process that runs, which must go on, also if the
# tool is killed; the stream of a stopped process is that of its core.
# usage: tests/with-cores.sh [FOLDER]; the folder of the built tools. Needs Linux, Node 20 or later, npm, gdb, the
# network the first time, and a kernel that writes cores into the working directory (core_pattern `core`).
# CACHE=FOLDER keeps what npm installs; VERSIONS='22 24' tries fewer.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs node npm gcore gdb
tools release "${1-}"
workplace
[ "$(cat /proc/sys/kernel/core_pattern)" = core ] || fail 'cores do not go to the working directory: see core_pattern'
for version in ${VERSIONS:-18 20 22 24 26}; do
  packages "node$version" "node$version@npm:node@$version"
done
devtools
ulimit -c unlimited
failed=0
classes='Ship Tug Crate Log Storm Buoy Bare Broad'

wrong() { # WORD...
  echo "NO $version: $*"
  failed=1
}
compare() { # STREAM FOLDER
  # shellcheck disable=SC2086
  node "$root/tests/core/compare.js" "$1" "$2/main.heapsnapshot" "$2/expected.json" $classes || failed=1
}
# Retained sizes of the program's classes, within 2 % of the snapshot's.
retained() { # CORE FOLDER
  heap-sum --sort retained --json "$2/main.heapsnapshot" > "$2/wanted"
  heap-sum --sort retained --json "$1" > "$2/rows"
  # shellcheck disable=SC2086
  node "$root/tests/core/retained.js" "$2/wanted" "$2/rows" $classes || failed=1
}
# DevTools shows of a core what heap-sum does.
shown() { # CORE FOLDER
  heap-to v8 -o "$2/x.heapsnapshot" "$1" 2> "$2/said" || wrong "heap-to: $(cat "$2/said")"
  in_devtools "node $version" "$2/x.heapsnapshot" || failed=1
  # shellcheck disable=SC2086
  node "$root/tests/core/shown.js" "$work/shown" "$2/rows" $classes || failed=1
  rm -f "$2/x.heapsnapshot"
}
# Frames of C++ are those that gdb finds.
natives() { # NODE CORE FOLDER
  gdb -batch -nx -iex 'set debuginfod enabled off' -iex 'set auto-load off' -x "$root/tests/core/frames.py" "$1" "$2" \
    > "$3/gdb" 2> /dev/null || true
  node "$root/tests/core/natives.js" "$3/stream" "$3/gdb" || failed=1
}
# Classes and buffers of kin.js are those of its snapshot.
kin() { # LABEL DUMP FOLDER
  heap-cat "$3/x.heapsnapshot" > "$3/snapshot"
  heap-cat "$2" > "$3/stream"
  node "$root/tests/core/kin.js" "node $version, $1" "$3/snapshot" "$3/stream" || failed=1
}
# Runs the program until it waits; sets $pid.
start() { # NODE FOLDER
  rm -f "$2/out"
  "$1" --expose-gc "$root/tests/core/harbour.js" "$2" 300 wait > "$2/out" &
  until grep -q READY "$2/out" 2> /dev/null; do sleep 0.2; done
  pid=$(sed -n 's/READY //p' "$2/out")
}
state() { sed -n 's/^State:.\(.\).*/\1/p' "/proc/$pid/status"; }
# Waits until it is in a state; a thread that was let go takes a moment until it sleeps again.
comes_to() { # STATE
  for _ in $(seq 100); do
    [ "$(state)" != "$1" ] || return 0
    sleep 0.05
  done
  wrong "the process is in state $(state)"
}

for version in ${VERSIONS:-18 20 22 24 26}; do
  binary=$cache/node_modules/node$version/bin/node
  folder=$work/$version
  mkdir "$folder"
  (cd "$folder" && "$binary" --expose-gc "$root/tests/core/harbour.js" . 300 abort > /dev/null 2>&1) || true
  core=$(find "$folder" -name 'core*' | head -n 1)
  [ -n "$core" ] || fail "node $version left no core"
  heap-cat --executable "$binary" "$core" > "$folder/stream"
  compare "$folder/stream" "$folder"
  retained "$core" "$folder"
  shown "$core" "$folder"
  heap-check "$core" > "$folder/check" || wrong "heap-check: $(head -n 3 "$folder/check")"
  heap-show --stack --table "$core" > "$folder/stack"
  grep -q '^  new Captain(Ship @[0-9]*, "full ahead") harbour.js:63:108$' "$folder/stack" ||
    wrong "stack: $(head -n 12 "$folder/stack")"
  natives "$binary" "$core" "$folder"
  rm -f "$core"
  mkdir "$folder/open"
  (cd "$folder/open" && "$binary" "$root/tests/core/open.js" truth > /dev/null 2>&1) || true
  heap-show --handles "$folder"/open/core* > "$folder/open/rows"
  node "$root/tests/core/opened.js" "$folder/open/truth" "$folder/open/rows" || wrong 'what is open'
  rm -rf "$folder/open"

  # Lines of each compiler's code are those of V8's own trace, which Node 18 does not write.
  for flag in --no-opt --always-sparkplug --no-maglev --stack-trace-limit=10; do
    [ "$version" != 18 ] || break
    mkdir "$folder/tiers"
    (cd "$folder/tiers" && "$binary" "$flag" "$root/tests/core/tiers.js" > trace 2>&1) || true
    heap-show --stack "$folder"/tiers/core* > "$folder/tiers/rows"
    echo "node $version $flag:"
    node "$root/tests/core/traced.js" "$folder/tiers/rows" "$folder/tiers/trace" || failed=1
    rm -rf "$folder/tiers"
  done

  # Functions of WebAssembly are those of the program's own trace: fresh, and after calls enough to be inlined.
  for times in 1 300000; do
    for names in '' bare; do
      mkdir "$folder/wasm"
      (cd "$folder/wasm" && "$binary" "$root/tests/core/wasm.js" trace "$times" $names > /dev/null 2>&1) || true
      heap-show --stack "$folder"/wasm/core* > "$folder/wasm/rows"
      node "$root/tests/core/traced.js" "$folder/wasm/rows" "$folder/wasm/trace" wasm || failed=1
      rm -rf "$folder/wasm"
    done
  done
  "$binary" "$root/tests/core/wasm.js" spin > "$folder/spinning" &
  pid=$!
  until grep -qs READY "$folder/spinning"; do sleep 0.2; done
  sleep 0.5
  heap-show --stack "pid:$pid" | grep '"function":"pier.spin"' | grep -q 'wasm-function\[4\]' ||
    wrong 'a thread in a loop of WebAssembly'
  kill "$pid"
  wait "$pid" 2> /dev/null || true

  # Programs that ran hot: edges, retained sizes and what holds most, beside the snapshot of the same moment.
  for hot in 'embedded Piece Service' 'router Route Reply Router' 'inventory Item Shelf Hall' 'parser Leaf Call Trees'; do
    # shellcheck disable=SC2086
    set -- $hot
    program=$1
    shift
    mkdir "$folder/hot"
    (cd "$folder/hot" && "$binary" --expose-gc --allow-natives-syntax "$root/tests/core/hot/$program.js" x.heapsnapshot \
      > /dev/null 2>&1) || true
    node "$root/tests/core/hot.js" "node $version, $program" "$folder"/hot/core* "$folder/hot/x.heapsnapshot" "$@" || failed=1
    rm -rf "$folder/hot"
  done

  # Classes on top of those of the language, and buffers that reserve more than they have.
  mkdir "$folder/kin"
  (cd "$folder/kin" && "$binary" --expose-gc "$root/tests/data/core/kin.js" 2 x.heapsnapshot > /dev/null 2>&1) || true
  kin "core" "$folder"/kin/core* "$folder/kin"
  rm -f "$folder"/kin/core*
  "$binary" --expose-gc "$root/tests/data/core/kin.js" 2 "$folder/kin/x.heapsnapshot" wait > "$folder/kin/out" &
  pid=$!
  until grep -qs READY "$folder/kin/out"; do sleep 0.2; done
  kin "process" "pid:$pid" "$folder/kin"
  kill "$pid"
  wait "$pid" 2> /dev/null || true
  rm -rf "$folder/kin"

  start "$binary" "$folder"
  heap-cat "pid:$pid" > "$folder/stream"
  compare "$folder/stream" "$folder"
  # It goes on, whenever the tool is killed.
  for delay in 0.01 0.02 0.04 0.06 0.08 0.1 0.15 0.2; do
    heap-cat "pid:$pid" > /dev/null 2>&1 &
    tool=$!
    sleep "$delay"
    kill -9 "$tool" 2> /dev/null || true
    wait "$tool" 2> /dev/null || true
    comes_to S
  done
  # One that is stopped stays so, and nothing in it changes between two readings.
  kill -STOP "$pid"
  comes_to T
  heap-cat "pid:$pid" > "$folder/stream" || wrong 'a stopped process is not read'
  comes_to T
  gcore -o "$folder/gcore" "$pid" > /dev/null 2>&1
  heap-cat --executable "$binary" "$folder/gcore.$pid" > "$folder/dead"
  rm -f "$folder/gcore.$pid"
  # The metadata differ, and with them the end mark.
  for file in stream dead; do
    sed '/"type":"metadata"/d' "$folder/$file" > "$folder/$file.records"
  done
  cmp "$folder/stream.records" "$folder/dead.records" || wrong 'process and core differ'
  kill -CONT "$pid"
  kill "$pid"
  wait "$pid" 2> /dev/null || true
  rm -rf "$folder"
done
exit "$failed"
