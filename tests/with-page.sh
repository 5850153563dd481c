#!/usr/bin/env bash
# Uses the pages that heap-view writes, in a headless Chromium: clicks, keys, search, sorting, colours, printing; cards of
# suspects, names that fit, 390 pixels, profiles, damaged dumps. No
# request may leave a page, nothing may violate its content security policy, and names of the heap stay text.
# Needs chromium, Node 20 or later, npm and the network the first time.
# usage: tests/with-page.sh
# CACHE=FOLDER keeps what npm installs; TOOLS=FOLDER has the tools built already; PICTURES=FOLDER gets screenshots.
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

cp "$root/tests/page/check.mjs" "$cache/check.mjs"
pictures=${PICTURES:+$(realpath "$PICTURES")}
(cd "$cache" && node check.mjs "$(command -v chromium)" "$work/profile" "$work/single.html" "$work/growth.html" \
  "$work/hostile.html" "$work/treemap.svg" "$root/crates/heap-toolbox/src/view/drawn/assets/view.js" \
  "$work/orders.html" "$work/damaged.html" ${pictures:+"$pictures"})
