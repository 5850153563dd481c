#!/usr/bin/env bash
# Converts a generated fleet of dumps as a Spark job, each executor its own files, and asks Spark: are the sums those of
# heap-sum, and are the planted leaks found? A local cluster of two workers; one dump is damaged.
# usage: tests/with-spark.sh [COUNT]; dumps of the fleet, 1000 if not given, 300 at least: an outlier needs equals
# TOOLS=FOLDER has the tools built already, CACHE=FOLDER keeps PySpark (400 MB). Needs Java 17, python3 and, the first time,
# the network.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs java
tools dev "${TOOLS:-}"
workplace
pypi pyspark
fleet=$work/fleet
count=${1:-1000}
[ "$count" -ge 300 ] || fail "a fleet of $count dumps has no outliers"
python3 "$root/tests/fleet/make.py" "$fleet" "$count"
truncate -s 2000 "$fleet/program=mail/version=1/pod=1/3.heapsnapshot"
export PYSPARK_PYTHON=$cache/python/bin/python3
cd "$work"
python3 "$root/tests/fleet/spark.py" "$fleet" "$work/set" 2> "$work/log" || { tail -n 40 "$work/log"; exit 1; }
