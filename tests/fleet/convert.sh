#!/usr/bin/env bash
# Converts a fleet that make.py wrote: a call for each process, whose keys are tags.
# usage: convert.sh FLEET OUTPUT. Ends with status 2 if a dump is damaged; the others are converted.
set -uo pipefail
status=0
out=$(realpath -m "$2")
cd "$1" || exit 2
while IFS= read -r process; do
  tags=()
  for tag in ${process//\// }; do tags+=(--tag "$tag"); done
  (cd "$process" && heap-to parquet -o "$out" "${tags[@]}" *.heapsnapshot) || status=2
done < <(find . -mindepth 3 -maxdepth 3 -type d -printf '%P\n' | LC_ALL=C sort)
exit "$status"
