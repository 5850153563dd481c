#!/bin/sh
# Faults that take minutes: thousands of pipelines, packed files that expand without end, strings of a gigabyte,
# chains of ten million links. Arguments: the folder of the built tools; without it they are built. PIPELINES=N.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
tools release "${1-}"
workplace
mkdir "$work/tmp"
export TMPDIR="$work/tmp"
cd "$work"

begin() { echo "=== $*"; }

head_lines() {
  cat <<'EOF'
{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.identifier","value":"index"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"node_type","nodetypeid":2,"name":"object"}
{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"data":"string"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"string","stringid":1,"data":"next"}
EOF
}

begin "pipelines in a loop"
{ head_lines; echo '{"type":"node","subtype":2,"identifier":1,"heap":{"size":8,"class":1}}'; } > small.ndjson
n=0
while [ "$n" -lt "${PIPELINES:-10000}" ]; do
  heap-cat small.ndjson | heap-redact | heap-sum > /dev/null || fail "pipeline $n"
  n=$((n + 1))
done
[ -z "$(ls -A tmp)" ] || fail "files are left: $(ls -A tmp)"

begin "a packed file that expands a thousand times"
if command -v zstd > /dev/null; then
  { head_lines; yes '{"type":"metadata","key":"a","value":"b"}' | head -n 30000000; } | zstd -q -3 > bomb.zst
  status=0; heap-sum bomb.zst 2> message || status=$?
  if [ "$status" != 2 ] || ! grep -q 'refused without --no-limit' message; then
    fail "the bomb was taken: $status $(cat message)"
  fi
  heap-sum --no-limit bomb.zst > /dev/null || fail "--no-limit does not lift the bound"
fi

begin "a string of a gigabyte"
{
  head_lines
  printf '{"type":"string","stringid":2,"data":"'
  head -c 1000000000 /dev/zero | tr '\0' 'x'
  printf '"}\n{"type":"node","subtype":3,"identifier":3,"data":2,"heap":{"size":8}}\n'
} > string.ndjson
for tool in heap-sum heap-strings "heap-grep -c y" heap-redact; do
  # shellcheck disable=SC2086
  $tool string.ndjson > out || fail "$tool: $?"
done
[ "$(wc -c < out)" -ge 1000000000 ] || fail "heap-redact lost the string"
rm -f string.ndjson out

begin "a chain of ten million links"
{
  head_lines
  awk 'BEGIN {
    for (i = 0; i < 10000000; i++) printf "{\"type\":\"node\",\"subtype\":2,\"identifier\":%d,\"heap\":{\"size\":8,\"class\":1}}\n", 2 * i + 1
    for (i = 1; i < 10000000; i++) printf "{\"type\":\"edge\",\"subtype\":1,\"source\":%d,\"dest\":%d,\"label\":1}\n", 2 * i - 1, 2 * i + 1
  }'
} > chain.ndjson
found=$(heap-dom chain.ndjson | heap-top --key retained -n 1)
case $found in *'"retained":80000000'*) ;; *) fail "the head retains $found" ;; esac
heap-sum --retained chain.ndjson > /dev/null
heap-path --id 19999999 chain.ndjson | tail -c 200 > /dev/null
heap-walk --id 1 chain.ndjson | tail -n 1 | grep -q nodes=10000000 || fail "heap-walk loses links"
heap-redact --all chain.ndjson | tail -n 1 | grep -q nodes=10000000 || fail "heap-redact loses links"
echo "=== done"
