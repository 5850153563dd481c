#!/usr/bin/env bash
# Asks Go's pprof about heap profiles: has heap-sum --retained the same functions with the same bytes, flat and cumulative, for
# each value in bytes? And has heap-sum --by location the same lines? Of a difference, what came less what went is compared.
# usage: tests/with-pprof.sh [PROFILE...]; more profiles to try
# TOOLS=FOLDER has the tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
profiles=()
for profile; do profiles+=("$(realpath "$profile")"); done
needs go jq
tools dev "${TOOLS:-}"
workplace

# FLAT CUMULATIVE FUNCTION, as pprof prints them with options.
theirs() { # PROFILE VALUE OPTION...
  local profile=$1 value=$2
  shift 2
  go tool pprof -top -nodecount=100000 -nodefraction=0 -edgefraction=0 -unit=B -sample_index="$value" "$@" "$profile" \
    2> /dev/null | sed '1,/ flat  flat%/d; s/ (inline)$//; s/ (partial-inline)$//' |
    awk '{ flat = $1; cum = $4; sub(/B$/, "", flat); sub(/B$/, "", cum); $1 = $2 = $3 = $4 = $5 = ""; sub(/^ +/, "")
           if (cum + 0 != 0) print flat + 0, cum + 0, $0 }' | LC_ALL=C sort
}

# Rows of heap-sum as one for each value of KEY. A difference is two snapshots, and what went is in the first.
rows() { # KEY PROFILE OPTION...
  local key=$1 profile=$2 went=/dev/null
  shift 2
  if heap-cat --only metadata "$profile" | grep '"profile.delta","value":"true"' > "$work/delta"; then
    heap-sum --snapshot 0 -n all --json "$@" "$profile" > "$work/went"
    went=$work/went
  fi
  heap-sum -n all --json "$@" "$profile" | jq -c --arg key "$key" --slurpfile went "$went" -s '
    [.[], ($went[] | .size *= -1 | .retained |= -(. // 0))] | group_by(.[$key])[] |
    {key: .[0][$key], size: map(.size) | add, retained: map(.retained // 0) | add}'
}

failed=0 tried=0
for profile in "$data"/pprof/*.pb.gz "${profiles[@]}"; do
  name=$(basename "$profile")
  for value in $(heap-cat "$profile" | jq -r 'select(.key=="pprof.sample_types").value|fromjson[]|select(.[1]=="bytes")[0]'); do
    tried=$((tried + 1))
    theirs "$profile" "$value" > "$work/theirs"
    rows class "$profile" --retained --value "$value" --where 'subtype != heap.root' |
      jq -r 'select(.retained != 0) | "\(.size) \(.retained) \(.key)"' | LC_ALL=C sort > "$work/ours"
    if ! diff "$work/theirs" "$work/ours" > "$work/diff" || ! [ -s "$work/ours" ]; then
      echo "$name, $value: functions differ"; head -n 20 "$work/diff"; failed=1
    fi
    theirs "$profile" "$value" -lines | awk '{ print $1 }' | grep -v '^0$' | LC_ALL=C sort > "$work/theirs"
    rows location "$profile" --by location --value "$value" |
      jq -r 'select(.size != 0).size' | LC_ALL=C sort > "$work/ours"
    if ! diff "$work/theirs" "$work/ours" > "$work/diff"; then
      echo "$name, $value: lines differ"; head -n 20 "$work/diff"; failed=1
    fi
  done
done
echo "$tried values of profiles compared"
[ "$tried" -gt 0 ] || failed=1
exit $failed
