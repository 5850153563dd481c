#!/bin/sh
# Fresh dumps of programs of ours by the JDK at hand, with several collectors, references of 4 and 8 bytes, alignments of
# 8 and 16, live objects only and garbage too, packed by the virtual machine, at the end of memory. Of each: heap-sum's
# objects of every class are those of the class histogram of that process, and so are their bytes but for classes with
# padding that a dump does not show; heap-check finds nothing; written by heap-to and read again it is the same, values
# of primitive fields included; hprof-slurp, where it is installed, reads both. Of two hundred objects of a dump that a
# seeded draw names, what heap-dom says they retain is what no root reaches without them.
# Arguments: the folder of the built tools; without it they are built.
set -eu
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs java javac jcmd awk
tools release "${1-}"
workplace
cd "$work"
javac -d . "$root/tests/java/Crowd.java" "$root/tests/data/java/Shop.java" 2> javac.log || { cat javac.log >&2; exit 1; }

# A class histogram as CSV in our names, sorted.
histogram() {
  awk '
    $1 ~ /^[0-9]+:$/ {
      name = $4; dims = ""
      sub(/\/0x[0-9a-f]+$/, "", name); sub(/\/0x[0-9a-f]+;$/, ";", name)
      while (sub(/^\[/, "", name)) dims = dims "[]"
      if (dims != "") {
        # What fills gaps is an array of int to a dump, whatever a histogram calls it.
        if (name == "Ljdk.internal.vm.FillerElement;") name = "int"
        else if (name ~ /^L/) { sub(/^L/, "", name); sub(/;$/, "", name) }
        else name = word[name]
      }
      count[name dims] += $2; size[name dims] += $3
    }
    BEGIN {
      word["Z"] = "boolean"; word["C"] = "char"; word["F"] = "float"; word["D"] = "double"
      word["B"] = "byte"; word["S"] = "short"; word["I"] = "int"; word["J"] = "long"
    }
    END { for (name in count) print name "," count[name] "," size[name] }
  ' "$1" | sort
}

# Objects and bytes of a dump by class. Roots and frames are nodes of ours.
sums() {
  heap-sum --csv "$1" | sed 1d | cut -d, -f1-3 | grep -v '^(heap\.' | sort
}

# Everything that a dump has, without what depends on who wrote it.
all() {
  heap-cat --java-values --only node,edge,string,java.field "$1" | heap-names | grep -v '"key":"generator"' | sort | cksum
}

check() { # NAME DUMP HISTOGRAM...
  checked=$1
  file=$2
  shift 2
  sums "$file" > sums
  # Objects may come and go between a histogram and the dump: the row of either will do.
  for rows; do histogram "$rows"; done | sort -u > histograms
  # Threads and pools have padding of 256 bytes: @Contended fields.
  awk -F, '
    FNR == NR { counts[$1, $2] = 1; bytes[$1, $2, $3] = 1; next }
    !(($1, $2) in counts) { print $1 ": " $2 " objects"; bad = 1; next }
    !(($1, $2, $3) in bytes) && $1 !~ /(Thread|ReferenceHandler)$|ForkJoinPool/ { print $1 ": " $3 " bytes"; bad = 1 }
    END { exit bad }
  ' histograms sums > wrong || { cat wrong >&2; fail "$checked: not what the histogram says"; }
  # No class is missing that was there before and after.
  for rows; do histogram "$rows" | cut -d, -f1; done | sort | uniq -d > classes
  cut -d, -f1 sums | sort > found
  missing=$(comm -23 classes found)
  [ -z "$missing" ] || fail "$checked: no rows for $missing"
  again "$checked" "$file"
}

again() { # NAME DUMP
  heap-check "$2" > faults || { cat faults >&2; fail "$1: heap-check finds faults"; }
  heap-to hprof --java-values -o again.hprof "$2"
  [ "$(all "$2")" = "$(all again.hprof)" ] || fail "$1: not the same when it is written again"
  if command -v hprof-slurp > /dev/null; then
    case $2 in
      *.gz) ;;
      *) hprof-slurp "$2" > /dev/null 2>&1 || fail "$1: hprof-slurp" ;;
    esac
    hprof-slurp again.hprof > /dev/null 2>&1 || fail "$1: hprof-slurp refuses what heap-to wrote"
  fi
  echo "$1: $(heap-cat --only metadata "$2" | sed -n 's/.*"java.layout","value":"\(.*\)"}/\1/p'), $(sums "$2" | awk -F, '{ n += $2; b += $3 } END { print n " objects, " b " bytes" }')"
}

# Takes objects away, one at a time, and compares what roots reach then with what heap-dom says.
removal() { # NAME DUMP
  heap-dom "$2" > dom.ndjson
  awk '
    function field(name,  text) {
      if (!match($0, "\"" name "\":\"?-?[0-9]+")) return "none"
      text = substr($0, RSTART, RLENGTH); sub(/^.*:"?/, "", text); return text
    }
    function reached(without,  bytes, depth, node, e, next_one) {
      split("", seen); if (without >= 0) seen[without] = 1
      bytes = 0; depth = 0
      for (e = 0; e < root_count; e++) stack[depth++] = number[root[e]]
      while (depth > 0) {
        node = stack[--depth]
        if (node in seen) continue
        seen[node] = 1; bytes += size[node]
        for (e = first[node]; e > 0; e = follows[e]) if (!(target[e] in seen)) stack[depth++] = target[e]
      }
      return bytes
    }
    /^{"type":"metadata","key":"heap.root"/ { root[root_count++] = field("value") }
    /^{"type":"node",/ {
      number[field("identifier")] = nodes; size[nodes] = field("size"); retained[nodes] = field("retained"); nodes++
    }
    /^{"type":"edge",/ {
      from = field("source"); to = field("dest")
      if ((from in number) && (to in number)) {
        edges++; target[edges] = number[to]; follows[edges] = first[number[from]]; first[number[from]] = edges
      }
    }
    END {
      srand(28); all = reached(-1)
      for (draw = 0; draw < 200; draw++) {
        node = int(rand() * nodes); gone = all - reached(node)
        if (retained[node] == "none" ? gone != 0 : retained[node] != gone) {
          print "node " node " retains " retained[node] ", and without it " gone " bytes go"; bad = 1
        }
        more += gone > size[node]
      }
      if (more < 10) { print "only " more " of the objects have anything below them"; bad = 1 }
      exit bad
    }
  ' dom.ndjson > wrong || { cat wrong >&2; fail "$1: retained sizes are not what goes"; }
  echo "$1: 200 objects retain what goes with them"
}

run() { # NAME FLAGS
  name=$1
  rm -f out
  # shellcheck disable=SC2086
  java -Xshare:off -Xmx256m $2 Crowd . > out 2> err &
  pid=$!
  while ! grep -qs READY out; do
    kill -0 $pid 2> /dev/null || { cat err >&2; fail "$name: java ends early"; }
    sleep 0.2
  done
  for kind in all live packed; do
    rm -f dump.hprof dump.hprof.gz
    dump=dump.hprof
    flags=
    case $kind in
      all) flags=-all ;;
      packed) flags=-gz=1; dump=dump.hprof.gz ;;
    esac
    # Before the first histogram nothing is collected. Garbage grows with each request, so it is not compared with one.
    [ "$kind" = all ] || jcmd $pid GC.class_histogram > before
    # shellcheck disable=SC2086
    jcmd $pid GC.heap_dump $flags "$work/$dump" > /dev/null
    jcmd $pid GC.class_histogram > after
    if [ "$kind" = all ]; then
      again "$name, all" "$dump"
    else
      check "$name, $kind" "$dump" before after
    fi
  done
  kill $pid
  wait $pid 2> /dev/null || true
}

run serial "-XX:+UseSerialGC"
run parallel "-XX:+UseParallelGC -XX:ObjectAlignmentInBytes=16"
run "G1, references of 8 bytes" "-XX:+UseG1GC -XX:-UseCompressedOops"
run "G1" "-XX:+UseG1GC"
run Z "-XX:+UseZGC"

rm -f dump.hprof
java -Xshare:off -Xmx64m -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpPath=dump.hprof Crowd . full > out 2> err || true
again "end of memory" dump.hprof

rm -f out
java -Xshare:off Shop . > out 2> err &
pid=$!
while ! grep -qs READY out; do
  kill -0 $pid 2> /dev/null || { cat err >&2; fail "Shop: java ends early"; }
  sleep 0.2
done
jcmd $pid GC.class_histogram > /dev/null
rm -f dump.hprof
jcmd $pid GC.class_histogram > before
jcmd $pid GC.heap_dump "$work/dump.hprof" > /dev/null
jcmd $pid GC.class_histogram > after
kill $pid
check Shop dump.hprof before after
removal Shop dump.hprof
