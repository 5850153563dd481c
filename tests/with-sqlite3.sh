#!/usr/bin/env bash
# Asks the sqlite3 program about databases that heap-to wrote: are they sound, do the queries of the manual page
# answer, and do the sums agree with heap-sum?
# usage: tests/with-sqlite3.sh [DUMP...]; more dumps to try
# TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
dumps=()
for dump; do dumps+=("$(realpath "$dump")"); done
needs sqlite3
tools dev "${TOOLS:-}"
workplace

failed=0
for dump in "$data"/v8/{bun,dom,leak-3,old,varied}*.zst "$data"/v8/edge/{traces-scopes,big-numbers,escapes}.heapsnapshot "$data"/moarvm/v3.mvmheap \
  "$data"/dart/*.gz "$data"/memory-infra/chromium* "${dumps[@]}"; do
  name=$(basename "$dump")
  rm -f "$work/app.db"
  heap-dom "$dump" > "$work/a.ndjson"
  heap-to sqlite -o "$work/app.db" "$work/a.ndjson"
  said=
  check() { # WHAT FOUND WANTED
    if [ "$2" != "$3" ]; then
      said+="  $1: sqlite3 says ${2:0:200}; wanted ${3:0:200}"$'\n'
      failed=1
    fi
  }
  check integrity_check "$(sqlite3 "$work/app.db" 'pragma integrity_check')" ok
  # The manual page's queries, as they stand there.
  queries=0
  while IFS= read -r command; do
    queries=$((queries + 1))
    (cd "$work" && sh -c "$command") > "$work/answer" 2> "$work/err" ||
      { check "$command" "$(cat "$work/err")" 'an answer'; }
  done < <(sed -n 's/^\.Dl \$ .*\(sqlite3 app\.db .*\)/\1/p' "$root/man/heap-to.1" | sed 's/\\(dq/"/g; s/\\-/-/g')
  [ "$queries" -ge 3 ] || check queries "$queries" 'at least 3'
  # A condition on the class goes from its name to its nodes, and no table is gone over.
  plan=$(sqlite3 "$work/app.db" "explain query plan select count(*), sum(size) from objects where class = 'Account'")
  check 'plan of a class' "$(grep -o 'SEARCH n USING INDEX node_heap_class\|SCAN.*' <<< "$plan")" \
    'SEARCH n USING INDEX node_heap_class'
  # Nodes that stand for no object, or for several, heap-sum counts otherwise: sums of bytes are the same for all.
  found=$(sqlite3 -separator $'\t' "$work/app.db" \
    'select class, coalesce(sum(size), 0) from objects group by 1' | LC_ALL=C sort)
  # Cumulative cells are rows of their own, which heap-sum would take.
  wanted=$(heap-cat "$dump" | grep -v '^{"type":"chrome.cell"' | heap-sum --tsv | tail -n +2 | cut -f 1,3 | LC_ALL=C sort)
  # What has blanks or control characters in it, both spell in their own way.
  plain() { grep -vP '[\\"\x00-\x08\x0b-\x1f]' <<< "$1" || true; }
  check 'sizes by class' "$(plain "$found" | md5sum)" "$(plain "$wanted" | md5sum)"
  counts=$(sqlite3 -separator ' ' "$work/app.db" 'select (select count(*) from node), (select count(*) from edge),
    (select count(*) from strings)')
  end=$(tail -n 1 "$work/a.ndjson" | sed 's/.*nodes=\([0-9]*\) edges=\([0-9]*\) strings=\([0-9]*\).*/\1 \2 \3/')
  check counts "$counts" "$end"
  # Sums that say where each edge begins and ends, whatever their order.
  found=$(sqlite3 -separator ' ' "$work/app.db" 'select count(*), sum(edgetypeid), sum(source % 99991),
    coalesce(sum(dest % 99991), 0), sum(abs(source % 99991) * abs(coalesce(dest, 0) % 99991) % 9973) from edge')
  wanted=$(sed -n 's/^{"type":"edge","subtype":\([0-9]*\),"source":\(-\?[0-9]*\)\(,"dest":\(-\?[0-9]*\)\)\?.*/\1 \2 \4/p' \
    "$work/a.ndjson" | awk 'function abs(n) { return n < 0 ? -n : n }
    { from = $2 % 99991; to = $3 % 99991; types += $1; sources += from; ends += to; both += abs(from) * abs(to) % 9973 }
    END { printf "%d %.0f %.0f %.0f %.0f", NR, types, sources, ends, both }')
  check edges "$found" "$wanted"
  # The way back.
  check stream "$(heap-cat "$work/app.db" | md5sum)" "$(md5sum < "$work/a.ndjson")"
  printf '%s%s %s: nodes, edges, strings %s, %s queries\n' "$said" "$([ -z "$said" ] && echo ok || echo NO)" \
    "$name" "$counts" "$queries"
done
exit "$failed"
