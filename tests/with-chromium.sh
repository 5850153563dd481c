#!/usr/bin/env bash
# Opens pieces of snapshots, as heap-walk and heap-to write them, in the Memory panel of DevTools in a headless
# Chromium, the way its "Load profile" button does, and compares what the panel says with heap-dom and heap-cat.
# Needs chromium, Node 20 or later, npm and the network the first time.
# usage: tests/with-chromium.sh [SNAPSHOT...]; more snapshots to open
# CACHE=FOLDER keeps what npm installs; TOOLS=FOLDER has the tools built already; PICTURES=FOLDER gets screenshots.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
snapshots=()
for snapshot; do snapshots+=("$(realpath "$snapshot")"); done
needs chromium node npm
tools dev "${TOOLS:-}"
workplace
packages puppeteer-core puppeteer-core@24

cat > "$cache/open.mjs" <<'JS'
// Opens a snapshot in the Memory panel; prints what the panel says of it: one line of JSON.
import puppeteer from 'puppeteer-core';
import fs from 'node:fs';
const [chromium, profile, file, picture] = process.argv.slice(2);
const browser = await puppeteer.launch({executablePath: chromium, protocolTimeout: 600000,
  args: ['--no-sandbox', '--disable-gpu', '--remote-allow-origins=*', `--user-data-dir=${profile}`]});
try {
  const page = await browser.newPage();
  // The browser serves its own front end beside the debugging port.
  const front = `http://${new URL(browser.wsEndpoint()).host}/devtools`;
  await page.goto(`${front}/devtools_app.html`, {waitUntil: 'load'});
  await page.evaluate(() => { globalThis.parts = []; });
  for await (const part of fs.createReadStream(file, {encoding: 'utf8', highWaterMark: 1 << 22}))
    await page.evaluate(part => { globalThis.parts.push(part); }, part);
  const said = await page.evaluate(async front => {
    const {HeapProfilerPanel} = await import(`${front}/panels/profiler/profiler.js`);
    const {ViewManager} = await import(`${front}/ui/legacy/legacy.js`);
    await ViewManager.ViewManager.instance().showView('heap-profiler');
    const panel = HeapProfilerPanel.HeapProfilerPanel.instance();
    const error = await panel.loadFromFile(new File(globalThis.parts, 'piece.heapsnapshot'));
    if (error) return {error: String(error)};
    const type = panel.findProfileTypeByExtension('piece.heapsnapshot');
    const profile = type.getProfiles()[0];
    const snapshot = await profile.loadPromise;
    panel.showProfile(profile);
    await new Promise(resolve => setTimeout(resolve, 2000));
    return {nodes: snapshot.staticData.nodeCount, total: snapshot.totalSize};
  }, front);
  if (picture) await page.screenshot({path: picture});
  console.log(JSON.stringify(said));
} finally {
  await browser.close();
}
JS

failed=0
open() { # NAME FILE
  local said wanted
  said=$(cd "$cache" && timeout 300 node open.mjs "$(command -v chromium)" "$work/profile" "$2" \
    "${PICTURES:+$(realpath "$PICTURES")/$1.png}" 2> "$work/err") || said=$(head -n 3 "$work/err")
  wanted=$(heap-dom "$2" | sed -n '/"type":"node","subtype":[0-9]*,"identifier":1,/s/.*"retained":\([0-9]*\).*/\1/p')
  wanted="{\"nodes\":$(heap-cat --only node "$2" | grep -c '"type":"node"'),\"total\":$wanted}"
  if [ "$said" = "$wanted" ]; then
    echo "ok $1: $said"
  else
    echo "NO $1: the panel says $said; wanted $wanted"
    failed=1
  fi
}
walk() { # NAME CLASS DUMP
  heap-walk --class "$2" --depth 3 "$3" | heap-to v8 -o "$work/piece.heapsnapshot" 2> /dev/null
  open "$1" "$work/piece.heapsnapshot"
}
walk session Session "$data/v8/leak-3.heapsnapshot.zst"
walk dart _GrowableList "$data"/dart/*.gz
for dump in "$data/moarvm/v3.mvmheap" "$data/v8/dom.heapsnapshot.zst"; do
  heap-to v8 -o "$work/whole.heapsnapshot" "$dump" 2> /dev/null
  open "$(basename "$dump")" "$work/whole.heapsnapshot"
done
for snapshot in "${snapshots[@]}"; do
  open "$(basename "$snapshot")" "$snapshot"
done
exit "$failed"
