heap-check: sound or not.

Silence and 0: nothing found.

  $ heap-check x.heapsnapshot
  $ heap-check --info x.heapsnapshot
  {"type":"heap.check","rule":"checked","file":"x.heapsnapshot","text":"11 nodes, 11 edges, 17 strings"}
  $ heap-cat x.heapsnapshot | heap-check
  $ heap-dom x.heapsnapshot | heap-names | heap-check

A stream that lost a node and its end.

  $ heap-cat x.heapsnapshot | grep -v '"identifier":6171,\|heap.end' > cut.ndjson
  $ heap-check cut.ndjson
  {"type":"heap.check","rule":"missing-end","file":"cut.ndjson","text":"no heap.end after 10 nodes, 11 edges and 17 strings"}
  {"type":"heap.check","rule":"dangling-edge","identifier":6163,"line":78,"file":"cut.ndjson","text":"an edge from @6163 ends at @6171, which is no node"}
  {"type":"heap.check","rule":"total","line":11,"file":"cut.ndjson","text":"node_count says 11, there are 10"}
  [1]
  $ heap-check --table cut.ndjson
  rule           identifier  text
  missing-end                no heap.end after 10 nodes, 11 edges and 17 strings
  dangling-edge       @6163  an edge from @6163 ends at @6171, which is no node
  total                      node_count says 11, there are 10
  … --wide adds line, file
  [1]
  $ heap-check --ignore missing-end --rule missing-end cut.ndjson
  $ heap-check --rule missing-end --rule dangling-edge --csv cut.ndjson
  rule,identifier,line,byte,file,snapshot,text
  missing-end,,,,cut.ndjson,,"no heap.end after 10 nodes, 11 edges and 17 strings"
  dangling-edge,6163,78,,cut.ndjson,,"an edge from @6163 ends at @6171, which is no node"
  [1]
  $ heap-check -q cut.ndjson
  [1]
  $ heap-check -n 0 cut.ndjson
  {"type":"heap.check","rule":"missing-end","file":"cut.ndjson","text":"1 of this kind"}
  {"type":"heap.check","rule":"dangling-edge","file":"cut.ndjson","text":"1 of this kind"}
  {"type":"heap.check","rule":"total","file":"cut.ndjson","text":"1 of this kind"}
  [1]

Without the graph.

  $ heap-check --quick --info x.heapsnapshot
  {"type":"heap.check","rule":"checked","file":"x.heapsnapshot","text":"11 nodes, 11 edges, 17 strings"}

A dump that is damaged: a row and a message, and the other FILE is checked all the same.

  $ head -c 1100 x.heapsnapshot > cut.heapsnapshot
  $ heap-check cut.heapsnapshot cut.ndjson
  {"type":"heap.check","rule":"damaged","byte":1100,"file":"cut.heapsnapshot","text":"edges: record 5: ends early"}
  heap-check: cut.heapsnapshot: byte 1100: edges: record 5: ends early
  {"type":"heap.check","rule":"missing-end","file":"cut.ndjson","text":"no heap.end after 10 nodes, 11 edges and 17 strings"}
  {"type":"heap.check","rule":"dangling-edge","identifier":6163,"line":78,"file":"cut.ndjson","text":"an edge from @6163 ends at @6171, which is no node"}
  {"type":"heap.check","rule":"total","line":11,"file":"cut.ndjson","text":"node_count says 11, there are 10"}
  [2]
  $ heap-check -q nosuch x.heapsnapshot
  heap-check: nosuch: no such file or directory
  [2]
  $ heap-check --rule nonsense x.heapsnapshot
  heap-check: invalid value 'nonsense' for --rule: expected the name of a rule, as heap-check(1) lists them; try 'heap-check --help'
  [2]

Several snapshots; a MoarVM file whose writer was stopped.

  $ heap-check --snapshot all data/moarvm/*.mvmheap
  {"type":"heap.check","rule":"damaged","byte":2941,"file":"data/moarvm/v3-cut-in-column.mvmheap","snapshot":"1","text":"column reftrget ends early; snapshot 1: rows without a name in the tables: 2"}
  heap-check: data/moarvm/v3-cut-in-column.mvmheap: byte 2941: column reftrget ends early; snapshot 1: rows without a name in the tables: 2
  {"type":"heap.check","rule":"damaged","byte":4097,"file":"data/moarvm/v3-cut-in-toc.mvmheap","snapshot":"1","text":"block toc ends early"}
  heap-check: data/moarvm/v3-cut-in-toc.mvmheap: byte 4097: block toc ends early
  {"type":"heap.check","rule":"missing-end","file":"data/moarvm/v3-killed-between.mvmheap","text":"the dump has no end: its writer was stopped before it would have written more"}
  [2]
  $ heap-check data/dart/*.gz data/memory-infra/*
  {"type":"heap.check","rule":"left-out","identifier":1,"file":"data/memory-infra/quirks-v1.json","text":"chrome.skipped: 3"}
  {"type":"heap.check","rule":"source-warning","file":"data/memory-infra/quirks-v1.json","text":"process 7: typeNames given more than once, the first counts"}
  {"type":"heap.check","rule":"source-warning","file":"data/memory-infra/quirks-v1.json","text":"process 7: allocator winheap has no entries, left out"}
  [1]

A binary file that was copied as text says so, and what people take for a dump has a name.

  $ gzip -dc data/java/android.hprof.gz | sed 's/$/\r/' | heap-sum > out
  heap-sum: byte 13152: the record at byte 356, with tag 0x11, ends early: all line feeds in it follow a carriage return, so it was copied as text: copy it again, as binary
  [2]
  $ jcmd() { printf '4711:\n num     #instances         #bytes  class name (module)\n'; }; jcmd | heap-sum
  heap-sum: byte 0: neither a record stream nor a dump that is known, but a histogram of classes (jmap -histo): it has sums and no objects, which heap-dump PID or jcmd PID GC.heap_dump gives
  [2]
  $ heap-sum data/java/Shop.java
  heap-sum: data/java/Shop.java: byte 0: neither a record stream nor a dump that is known
  [2]
