#!/usr/bin/env bash
# Holds the sizes of the release programs against what they are now, with little room: 12.67 MB for heap-tools, which
# holds all tools, and half a megabyte for each of those that start it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
tools=${CARGO_TARGET_DIR:-$root/target}/release
failed=0
for source in "$root"/bin/heap-*; do
  name=$(basename "$source" .rs)
  size=$(stat -c %s "$tools/$name")
  bound=500000
  [ "$name" != heap-tools ] || { bound=12680000 && echo "heap-tools: $size bytes"; }
  [ "$size" -le "$bound" ] || { echo "NO $name: $size bytes"; failed=1; }
done
exit "$failed"
