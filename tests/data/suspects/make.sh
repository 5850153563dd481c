#!/bin/sh
# Makes the dumps of this folder: make.sh NAME...; without a name all. Needs node, raku, java and zstd, and the tools in PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tmp=/tmp/app # in the names of modules
mkdir "$tmp"
trap 'rm -rf "$tmp"' EXIT
cp "$here"/* "$tmp"
cd "$tmp"

# node NAME CLASSES [NODE]
node_dump() {
  env -i "$(command -v "${3:-node}")" "$1.js" "$1.heapsnapshot" > /dev/null
  heap-dom "$1.heapsnapshot" | node shrink.mjs 3000 "$2" | heap-to v8 -o small.heapsnapshot 2> /dev/null
  zstd -q -19 -f small.heapsnapshot -o "$here/$1.heapsnapshot.zst"
}
# raku_dump NAME CLASSES [AS [ARGUMENT]]
raku_dump() {
  raku "$1.raku" "$1.mvmheap" ${4:-} > /dev/null
  heap-dom "$1.mvmheap" | node shrink.mjs 200000 "$2" all | zstd -q -19 > "$here/raku-${3:-$1}.zst"
}
java_dump() {
  javac "$1.java"
  java -Xshare:off -XX:+UseSerialGC -Xmx64m -cp . "$1" > out & pid=$!
  until grep -q READY out; do sleep 1; done
  jcmd $pid GC.heap_dump "$tmp/$1.hprof" > /dev/null
  kill $pid
  heap-dom "$1.hprof" | node shrink.mjs 12000 "$2" all | zstd -q -19 > "$here/java-$1.zst"
}
dump() {
  case $1 in
  listener) node_dump listener Connection ;;
  cache) node_dump cache RenderedPage ;;
  closure-chain) node_dump closure-chain Object ;;
  timer) node_dump timer Timeout,Job "${NODE18:-node}" ;;
  promise) node_dump promise Reply,Promise "${NODE24:-node}" ;;
  map-of-maps) node_dump map-of-maps Map ;;
  queue) node_dump queue Task ;;
  history) node_dump history Step "${NODE18:-node}" ;;
  duplicates) node_dump duplicates 'Array,Object,(string_flat)' ;;
  sparse) node_dump sparse 'Visitor,Array,Object,(v8.array)' ;;
  growing)
    env -i "$(command -v node)" growing-cache.js growing-N.heapsnapshot > /dev/null
    for i in 1 2 3; do
      heap-dom growing-$i.heapsnapshot | node shrink.mjs 3000 Session | heap-to v8 -o small.heapsnapshot 2> /dev/null
      zstd -q -19 -f small.heapsnapshot -o "$here/growing-$i.heapsnapshot.zst"
    done ;;
  visits) raku_dump visits Visit ;;
  few-visits) raku_dump visits Visit few-visits 330 ;;
  Listeners) java_dump Listeners 'Listeners$View' ;;
  Locals) java_dump Locals 'byte[]' ;;
  Keys) java_dump Keys 'Keys$Profile' ;;
  *) echo "make.sh: $1: no such program" >&2; exit 2 ;;
  esac
}
for name in ${*:-listener cache closure-chain timer promise map-of-maps queue history duplicates sparse growing visits few-visits Listeners Locals Keys}; do
  dump "$name"
done
