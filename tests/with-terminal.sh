#!/usr/bin/env bash
# Reports on a pseudo terminal of 80 columns and 24 lines, of large dumps too: nothing wraps, nothing scrolls away. Makes a
# snapshot of 100 MB if no DUMP is given, which needs Node 20 or later.
# usage: tests/with-terminal.sh [DUMP...]
# RECORDINGS=FOLDER keeps what each command shows.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
workplace
if [ $# = 0 ]; then
  needs node
  node "$root/tests/bench/make-v8.mjs" 100M "$work/100M.heapsnapshot" > "$work/made"
  set -- "$work/100M.heapsnapshot"
fi
for dump; do
  DUMPS=${DUMPS:+$DUMPS:}$(realpath "$dump")
done
export DUMPS
if [ -n "${RECORDINGS:-}" ]; then
  mkdir -p "$RECORDINGS"
  RECORDINGS=$(realpath "$RECORDINGS")
  export RECORDINGS
fi
cd "$root"
cargo test --locked --test it no_report_wraps_or_scrolls
