#!/usr/bin/env bash
# Uses the pages that heap-view writes, in a headless Chromium: clicks, keys, search, sorting, colours, printing. No
# request may leave a page, nothing may violate its content security policy, and names of the heap stay text.
# Then it looks at the pages of ten leaks, ten healthy programs, profiles, other machines and damaged dumps, and at still
# pictures, in light and dark, 1600 and 390 pixels wide: holder, growth and count of a leak stand on the first screen;
# no text is cut, overlaps or lacks contrast; nothing is wider than the window.
# Needs chromium, Node 20 or later, npm and the network the first time.
# usage: tests/with-page.sh
# CACHE=FOLDER keeps what npm installs; TOOLS=FOLDER has the tools built already; PICTURES=FOLDER gets screenshots.
# ANSWERS=FOLDER: the cache of tests/answers/run, whose dumps are looked at, too.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs chromium node npm zstd
tools dev "${TOOLS:-}"
workplace
packages puppeteer-core puppeteer-core@24

heap-view -o "$work/single.html" "$data/v8/leak-3.heapsnapshot.zst"
heap-view -o "$work/growth.html" "$data"/v8/leak-[123].heapsnapshot.zst
heap-view -o "$work/orders.html" "$data"/pprof/orders-[123].pb.gz
zstd -dq "$data/v8/leak-3.heapsnapshot.zst" -o "$work/cut.heapsnapshot"
truncate -s 3000000 "$work/cut.heapsnapshot"
heap-view -o "$work/damaged.html" "$work/cut.heapsnapshot" 2> /dev/null || [ $? -eq 2 ]
heap-view --svg treemap "$data/v8/leak-3.heapsnapshot.zst" > "$work/treemap.svg"
{
  echo '{"type":"metadata","key":"version_major","value":"1"}'
  echo '{"type":"metadata","key":"heap.root","value":"1"}'
  echo '{"type":"node_type","nodetypeid":2,"name":"object","table_name":"object"}'
  echo '{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"data":"string"}}'
  echo '{"type":"edge_type","edgetypeid":1,"name":"object property"}'
  echo '{"type":"string","stringid":1,"data":"<script>alert(1)</script>"}'
  echo '{"type":"string","stringid":2,"data":"</script><img src=x onerror=alert(2)><!--"}'
  echo '{"type":"node","subtype":2,"identifier":1,"heap":{"size":16,"class":1}}'
  for id in 3 5 7; do
    echo "{\"type\":\"node\",\"subtype\":2,\"identifier\":$id,\"heap\":{\"size\":4000,\"class\":1}}"
    echo "{\"type\":\"edge\",\"subtype\":1,\"source\":1,\"dest\":$id,\"label\":2}"
  done
  for id in 9 11; do
    echo "{\"type\":\"node\",\"subtype\":3,\"identifier\":$id,\"data\":2,\"heap\":{\"size\":4000,\"name\":2}}"
    echo "{\"type\":\"edge\",\"subtype\":1,\"source\":3,\"dest\":$id,\"label\":2}"
  done
} | heap-view -o "$work/hostile.html"

cp "$root"/tests/page/*.mjs "$cache"
(cd "$cache" && node check.mjs "$(command -v chromium)" "$work/profile" "$work/single.html" "$work/growth.html" \
  "$work/hostile.html" "$work/treemap.svg" "$root/crates/heap-toolbox/src/view/drawn/assets/view.js" \
  "$work/orders.html" "$work/damaged.html")

# Adds a page to those that are looked at.
page() { # KIND NAME FILE...
  set -- "$1" "$work/pages/$2.html" "${@:3}"
  heap-view --no-progress -o "$2" "${@:3}" 2> /dev/null || [ "$1" = damaged ]
  echo "$1 $2" >> "$work/pages/list"
}
# Adds the page of a program of tests/answers, whose dumps are there.
program() { # NAME FILE...
  case $1 in
    *-ok-* | *-ok_* | *-Ok*) page healthy "$@" ;;
    *) page "leak $1" "$@" ;;
  esac
}

mkdir "$work/pages" "$work/dumps"
for name in map-cache set-static listener-bus closure-chain weakmap-tenants buffers two-leaks interval promise-waiting \
  bound-methods ok-lru-full ok-pool ok-exchange ok-table ok-batch ok-ring-log ok-streams ok-jit-warm ok-http ok-intl; do
  (cd "$root/tests/answers/node" && node --hash-seed=1 --random-seed=1 "$name.js" "$work/dumps/node20-$name")
  program "node20-$name" "$work/dumps/node20-$name"-[123].heapsnapshot
done
if [ -n "${ANSWERS:-}" ]; then
  for made in "$ANSWERS"/dumps/*.made; do
    base=${made%.made}
    program "${base##*/}" "$base"-[1-9].*
  done
fi
page heap several "$data"/v8/leak-[123].heapsnapshot.zst
page heap java "$data/java/shop.hprof.zst"
page heap android "$data/java/android.hprof.gz"
page heap openj9 "$data/java/small.phd"
page heap core "$data/core/shop-node24.core.zst"
page heap dart "$data/dart/kinds-pruned.dartheap.gz"
page heap raku "$data/moarvm/v3.mvmheap"
page heap ruby "$data"/ruby/cache-[12].json.gz
page heap sizeless "$data/draft/app.ndjson"
page profile orders "$data"/pprof/orders-[123].pb.gz
page profile sessions "$data/pprof/go-sessions.pb.gz"
page profile jemalloc "$data/pprof/jemalloc.heap"
page profile sampling "$data/memory-infra/alloc-sampling-node20.heapprofile"
page profile trace56 "$data/memory-infra/chromium-056-v1.json.gz"
page profile trace150 "$data/memory-infra/chromium-150-v2-excerpt.json.gz"
page damaged cut-v8 "$work/cut.heapsnapshot"
page damaged cut-raku "$data/moarvm/v3-cut-in-column.mvmheap"
page damaged cut-ruby "$data/ruby/cut-in-line.json"
for picture in treemap flame; do
  heap-view --svg "$picture" "$data/v8/leak-3.heapsnapshot.zst" > "$work/pages/$picture.svg"
  heap-view --svg "$picture" "$data/pprof/orders-3.pb.gz" > "$work/pages/profile-$picture.svg"
  printf 'svg %s\n' "$work/pages/$picture.svg" "$work/pages/profile-$picture.svg" >> "$work/pages/list"
done
pictures=${PICTURES:+$(realpath "$PICTURES")}
(cd "$cache" && node look.mjs "$(command -v chromium)" "$work/profile" "$root/tests/answers/truth.json" \
  ${pictures:+"$pictures"} < "$work/pages/list")
