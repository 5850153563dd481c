#!/usr/bin/env bash
# Opens what heap-to writes as folded stacks and pprof profiles in the programs that it is for: inferno, the importer of
# speedscope in a headless Chromium, and pprof. The totals of each are those of heap-sum.
# Needs cargo, chromium, go, jq, Node 20 or later, npm and the network the first time.
# usage: tests/with-flames.sh [DUMP...]; more dumps to open
# CACHE=FOLDER keeps what npm and cargo install; TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
dumps=("$data/v8/leak-3.heapsnapshot.zst" "$data/moarvm/v3.mvmheap" "$data/dart/kinds-pruned.dartheap.gz"
  "$data/java/shop.hprof.zst" "$data/memory-infra/seed-example-v2.json" "$data/pprof/go-sessions.pb.gz")
for dump; do dumps+=("$(realpath "$dump")"); done
needs cargo chromium go jq node npm
tools dev "${TOOLS:-}"
workplace
packages speedscope puppeteer-core@24 speedscope@1
[ -x "$cache/bin/inferno-flamegraph" ] ||
  cargo install --quiet --root "$cache" --locked --no-default-features --features cli --bin inferno-flamegraph inferno
PATH=$PATH:$cache/bin

cat > "$cache/speedscope.mjs" <<'JS'
// Gives files to speedscope's page as its "Browse" button does, and prints what each profile in it adds up to: a line of
// JSON for each file. What the page exports says so.
import puppeteer from 'puppeteer-core';
import {pathToFileURL} from 'node:url';
const [chromium, profile, ...files] = process.argv.slice(2);
const browser = await puppeteer.launch({executablePath: chromium, args: ['--no-sandbox', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', `--user-data-dir=${profile}`]});
try {
  for (const file of files) {
    const page = await browser.newPage();
    page.on('dialog', dialog => dialog.dismiss());
    await page.evaluateOnNewDocument(() => {
      globalThis.blobs = [];
      const make = URL.createObjectURL;
      URL.createObjectURL = blob => (globalThis.blobs.push(blob), make.call(URL, blob));
      HTMLAnchorElement.prototype.click = () => {};
    });
    await page.goto(pathToFileURL('node_modules/speedscope/dist/release/index.html').href);
    const input = await page.waitForSelector('input[type=file]');
    await input.uploadFile(file);
    await page.waitForFunction(() => document.body.innerText.includes('Left Heavy'), {timeout: 60000});
    await page.keyboard.down('Control');
    await page.keyboard.press('s');
    await page.keyboard.up('Control');
    const text = await page.waitForFunction(() => globalThis.blobs.at(-1)?.text(), {timeout: 60000});
    const {profiles} = JSON.parse(await text.jsonValue());
    const sum = ({name, type, weights, startValue, endValue}) =>
      [name, type === 'sampled' ? weights.reduce((a, b) => a + b, 0) : endValue - startValue];
    console.log(JSON.stringify(profiles.map(sum)));
    await page.close();
  }
} finally {
  await browser.close();
}
JS

failed=0
same() { # WHAT FOUND WANTED
  if [ "$2" = "$3" ]; then echo "ok $1: $2"; else failed=1; echo "NO $1: $2; heap-sum says $3"; fi
}
for dump in "${dumps[@]}"; do
  name=$(basename "$dump")
  read -r count size < <(heap-sum "$dump" | jq -s -r '[(map(.count) | add), (map(.size) | add)] | @tsv')
  heap-to folded -o "$work/x.folded" "$dump"
  heap-to pprof -o "$work/x.pb.gz" "$dump"
  heap-to folded --count -o "$work/count.folded" "$dump" 2> /dev/null || true
  all=$(inferno-flamegraph --countname bytes "$work/x.folded" | grep -o '<title>all ([0-9,]* bytes' | tr -dc 0-9)
  same "$name inferno, bytes" "$all" "$size"
  all=$(inferno-flamegraph --countname objects "$work/count.folded" | grep -o '<title>all ([0-9,]* objects' | tr -dc 0-9)
  same "$name inferno, objects" "$all" "$count"
  all() { (cd "$work" && go tool pprof -top -nodecount=1 "$@" x.pb.gz 2> /dev/null) | sed -n 's/.* of \([0-9]*\)B\? total.*/\1/p'; }
  same "$name pprof, objects" "$(all -sample_index=inuse_objects)" "$count"
  same "$name pprof, bytes" "$(all -sample_index=inuse_space -unit=B)" "$size"
  { read -r folded; read -r pprof; } < <(cd "$cache" &&
    node speedscope.mjs "$(command -v chromium)" "$work/profile" "$work/x.folded" "$work/x.pb.gz")
  same "$name speedscope, folded" "$(jq -r '.[0][1]' <<< "$folded")" "$size"
  same "$name speedscope, pprof" "$(jq -r '.[0][1]' <<< "$pprof")" "$size"
done
exit "$failed"
