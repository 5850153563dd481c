#!/usr/bin/env bash
# The static program of tests/ship/static in roots that hold nothing but it: every dump of tests/data from standard input
# and as a file, the commands of README, heap-tools install, a process that runs. Whatever it says is what the ordinary
# build says.
# usage: tests/with-static.sh [PROGRAM]; without it tests/ship/static builds one. Needs Linux and root (chroot, unshare),
# file and node. TOOLS=FOLDER has the ordinary tools built already.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs chroot unshare file
tools dev "${TOOLS:-}"
workplace
[ "$(id -u)" = 0 ] || fail "chroot needs root"
program=${1:-}
if [ -z "$program" ]; then
  "$root/tests/ship/static"
  program=$root/target/static/heap-tools
fi
file "$program" | grep -q 'static.*linked' || fail "$program is not static: $(file "$program")"
size=$(stat -c %s "$program")
failed=0
no() { echo "NO $*"; failed=1; }
[ "$size" -le 9100000 ] || no "$size bytes are more than 9.1 MB"

# One file and nothing else: not even a folder for temporary files, /proc or /dev.
empty=$work/empty
mkdir "$empty"
cp "$program" "$empty/heap-tools"
alone() { chroot "$empty" /heap-tools "$@"; }

count=0
for dump in $(find "$data" -type f | sort); do
  case $dump in
    *.md | *.py | *.js | *.mjs | *.go | *.java | *.rb | *.raku | *.sh | */visits.dart) continue ;;
    */expected* | */parquet/*) continue ;;
  esac
  for command in 'info --json' 'sum --json' 'cat'; do
    # shellcheck disable=SC2086 # a tool and its option
    heap-tools $command < "$dump" > "$work/here" 2> "$work/here.err" && here=0 || here=$?
    # shellcheck disable=SC2086
    alone $command < "$dump" > "$work/there" 2> "$work/there.err" && there=0 || there=$?
    if [ "$here" != "$there" ] || ! cmp -s "$work/here" "$work/there" || ! cmp -s "$work/here.err" "$work/there.err"; then
      no "$command < ${dump#"$data/"}: status $there, $here outside; $(head -n 1 "$work/there.err")"
    fi
    count=$((count + 1))
  done
done
echo "$count commands on standard input of dumps, in an empty root"

# The data beside it, as files: an SQLite file is read in place, a data set is a folder.
mkdir "$empty/data"
cp -r "$data/." "$empty/data/"
for dump in sqlite/draft.db parquet v8/leak-3.heapsnapshot.zst java/shop.hprof.zst core/shop-node22.core.zst; do
  (cd "$work" && heap-tools sum --json "$data/$dump") > "$work/here"
  alone sum --json "data/$dump" > "$work/there" || no "$dump: $?"
  cmp -s "$work/here" "$work/there" || no "$dump as a file"
done
# What README says first, from the folder of the snapshots.
cd "$data/v8"
commands() {
  sh=$1
  leak='leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst'
  while read -r line; do
    # shellcheck disable=SC2086
    echo "\$ $line" && $sh $line 2>&1 || echo "status $?"
  done <<EOF
suspects --table -n 3 $leak
sum --table --sort retained -n 6 leak-3.heapsnapshot.zst
path --table --id @83263 leak-3.heapsnapshot.zst
path --class Session --merge class --table leak-3.heapsnapshot.zst
diff --table leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst
diff --leaked --table $leak
trend --table -n 5 $leak
top --table -n 5 --key retained leak-3.heapsnapshot.zst
strings --table -n 5 leak-3.heapsnapshot.zst
tree --table leak-3.heapsnapshot.zst
check leak-3.heapsnapshot.zst
to folded leak-3.heapsnapshot.zst
to sqlite -o /tmp/of-leak.db leak-3.heapsnapshot.zst
EOF
}
in_data() { chroot "$empty" /heap-tools "$@"; }
mkdir -p "$empty/tmp"
commands heap-tools > "$work/here"
cp "$data"/v8/*.zst "$empty/" && commands in_data > "$work/there"
rm -f /tmp/of-leak.db
cmp "$work/here" "$work/there" || no "the commands of README"
grep -c '^\$' "$work/there" | sed 's/$/ commands of README/'
grep -q '^status' "$work/there" && no "a command of README: $(grep -B 1 '^status' "$work/there")"
cd "$work"

# It installs itself there, and goes again.
(cd "$empty" && find . | sort) > "$work/before"
alone install --prefix /usr/local > "$work/said" || no "install: $?"
for tool in heap-sum heap-suspects; do
  chroot "$empty" "/usr/local/bin/$tool" --version > /dev/null || no "$tool in the root"
done
[ -s "$empty/usr/local/share/man/man1/heap-sum.1" ] || no "no page"
alone uninstall --prefix /usr/local > /dev/null || no "uninstall: $?"
(cd "$empty" && find . | sort) | diff "$work/before" - || no "uninstall leaves something"
echo "install and uninstall"

# A process: it needs /proc, and says so.
if command -v node > /dev/null; then
  node -e 'class Parcel { constructor(i) { this.i = i } }; global.kept = Array.from({length: 700}, (_, i) => new Parcel(i));
    console.log("up"); setInterval(() => {}, 1000)' > "$work/up" &
  child=$!
  trap 'kill "$child"; rm -rf "$work"' EXIT
  until grep -qs up "$work/up"; do sleep 0.1; done
  alone sum "pid:$child" > "$work/out" 2>&1 && no "pid: without /proc: $(cat "$work/out")"
  grep -q '/proc is not mounted' "$work/out" || no "pid: without /proc: $(cat "$work/out")"
  mkdir "$empty/proc"
  unshare -m sh -c "mount --bind /proc '$empty/proc' && chroot '$empty' /heap-tools sum --class Parcel pid:$child" > "$work/out"
  grep -q '"class":"Parcel","count":700' "$work/out" || no "pid: $(cat "$work/out")"
  kill -0 "$child" || no "the process is gone"
  echo "with /proc: $(grep -o '"class":"Parcel","count":[0-9]*' "$work/out")"
fi

echo "$size bytes"
[ "$failed" = 0 ] || fail "failed"
