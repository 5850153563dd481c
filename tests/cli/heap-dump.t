heap-dump: a dump of a process that runs. Here is what it refuses before it speaks to anybody; the tests of heap-live have
servers, and with-live.sh real processes.

  $ heap-dump 
  heap-dump: of which process? Say its number; --list has those that can be dumped; try 'heap-dump --help'
  [2]
  $ heap-dump 1 2
  heap-dump: one process at a time; try 'heap-dump --help'
  [2]
  $ heap-dump node -o x
  heap-dump: 'node' is neither the number of a process nor an address: 1234, ws://…, http://…; --list has the numbers
  [2]
  $ heap-dump 999999999 -o x
  heap-dump: no process 999999999
  [2]
  $ heap-dump https://localhost:9229 -o x
  heap-dump: no TLS: forward the port, as with ssh -L 9229:localhost:9229 HOST, or use curl
  [2]
  $ heap-dump http://192.0.2.1:9229 -o x
  heap-dump: 192.0.2.1:9229 is not this machine, and nothing on the way is encrypted: --remote allows it
  [2]
  $ heap-dump http://127.0.0.1:1 | cat
  heap-dump: 127.0.0.1:1: connection refused
  $ heap-dump --count 2 -o x 1
  heap-dump: several dumps need names that differ: -o FILE with %n or %t; try 'heap-dump --help'
  [2]
  $ heap-dump --count 0 -o x%n 1
  heap-dump: invalid value '0' for --count: expected a number from 1 on; try 'heap-dump --help'
  [2]
  $ heap-dump --every 1d -o x%n 1
  heap-dump: invalid value '1d' for --every: expected a time such as 10s, 500ms or 2m; try 'heap-dump --help'
  [2]
  $ heap-dump --every 2s -o x%n 1
  heap-dump: --every is for several dumps: say --count N; try 'heap-dump --help'
  [2]
  $ heap-dump --count 2 1 | cat
  heap-dump: --count and --every need -o FILE; try 'heap-dump --help'
  $ heap-dump --worker all 1 | cat
  heap-dump: --worker all needs -o FILE with %w; try 'heap-dump --help'
  $ heap-dump --worker all -o x%n --count 2 1
  heap-dump: several dumps need names that differ: -o FILE with %w; try 'heap-dump --help'
  [2]
  $ heap-dump --worker= -o x 1
  heap-dump: invalid value '' for --worker: expected a number, a part of a title, or all; try 'heap-dump --help'
  [2]
  $ heap-dump --parallel 0 -o x 1
  heap-dump: invalid value '0' for --parallel: expected a number from 1 to 1024; try 'heap-dump --help'
  [2]
  $ heap-dump --memory --numbers -o x 1
  heap-dump: --memory takes no other option than -o: it reads, and asks nobody; try 'heap-dump --help'
  [2]
  $ heap-dump --memory -o x http://localhost:9229
  heap-dump: --memory needs the number of a process; try 'heap-dump --help'
  [2]
  $ heap-dump --list 1
  heap-dump: --list takes no process; try 'heap-dump --help'
  [2]

A process that runs no virtual machine gets no signal, and the next dump of a series is not tried once it has ended.

  $ sleep 100 & echo $! > sleeper
  $ heap-dump $(cat sleeper) 2>&1 | sed 's/process [0-9]* ([a-z]*)/process N/'
  heap-dump: process N runs no virtual machine that heap-dump knows: node, java, deno, bun, chromium, dart, go
  $ kill $(cat sleeper) && echo alive
  alive

No file is left of a dump that failed, and what had its name stays.

  $ echo kept > old; heap-dump http://127.0.0.1:1 -o old; cat old
  heap-dump: 127.0.0.1:1: connection refused
  kept
  $ ls x*
  x.heapsnapshot
  x.heapsnapshot.gz
  x.heapsnapshot.zst
  x.ndjson
  x.ndjson.zst
