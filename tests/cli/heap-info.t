heap-info: what a file is.

  $ heap-info x.ndjson
  {"type":"heap.info","file":"x.ndjson","format":"records","version":"1","producer":"test 1.0","source":"test","identifier":"index","order":"strings nodes edges","nodes":103,"edges":102,"strings":8,"size":4024,"complete":true}

  $ heap-info --table x.ndjson
  file        x.ndjson
  format      records
  version     1
  producer    test 1.0
  source      test
  identifier  index
  order       strings nodes edges
  nodes       103
  edges       102
  strings     8
  size        3.9K
  complete    true

  $ heap-info --table x.ndjson x.heapsnapshot app.dartheap app.mvmheap
  file            format             snapshots  nodes  edges   size  version
  x.ndjson        records                         103    102   3.9K  1
  x.heapsnapshot  v8.heapsnapshot                  11     11
  app.dartheap    dart.heapsnapshot              1142  17510   615K  2021
  app.mvmheap     moarvm.mvmheap             2     17     35  64.8K  3
  … --wide adds producer, complete, source, identifier, order, strings, trace_fun…
  $ heap-info --table --wide x.heapsnapshot app.dartheap
  file            format             nodes  edges  size  version  producer                          trace_function_count  node_fields  node_types  edge_fields  isolate  heap_capacity  external  classes
  x.heapsnapshot  v8.heapsnapshot       11     11                 V8, about 12.4 to 13.0 (Node 22)                     0            7          15            3
  app.dartheap    dart.heapsnapshot   1142  17510  615K  2021     Dart VM                                                                                       main              6.4M      4.0K     1201
  $ heap-info x.heapsnapshot.zst | jq -r .format
  v8.heapsnapshot

  $ heap-info < x.ndjson.zst | jq -c '[.format, .nodes, .file]'
  ["records",103,null]

A stream without its end.

  $ heap-cat x.heapsnapshot | head -n 40 | heap-info | jq .complete
  heap-info: line 41: the stream was cut off: the end mark that its head promises is missing
  false

On real dumps.

  $ ln -s data/v8/* .
  $ heap-info leak-3.heapsnapshot.zst
  {"type":"heap.info","file":"leak-3.heapsnapshot.zst","format":"v8.heapsnapshot","producer":"V8, about 11.3 to 11.5 (Node 20)","node_count":65050,"edge_count":256265,"trace_function_count":0,"node_fields":7,"node_types":16,"edge_fields":3,"nodes":65050,"edges":256265}
  $ heap-info --tsv dom.heapsnapshot.zst old-node6.heapsnapshot.zst bun-jsc.heapsnapshot.zst | cut -f1,3
  file	producer
  dom.heapsnapshot.zst	V8, about 15.6 or later
  old-node6.heapsnapshot.zst	V8, about 5.1 to 6.2 (Node 6, 8)
  bun-jsc.heapsnapshot.zst	JavaScriptCore (Bun)
  $ heap-info --list data/moarvm/v3.mvmheap | cut -d, -f3-5
  "snapshot":0,"elapsed_us":4,"total_heap_size":6000066967
  "snapshot":1,"elapsed_us":5,"total_heap_size":6000067203
  $ heap-info --list data/moarvm/v3-cut-in-column.mvmheap | grep -o '"snapshot":.,\|"whole":.*'
  heap-info: data/moarvm/v3-cut-in-column.mvmheap: byte 2941: column reftrget ends early
  "snapshot":0,
  "snapshot":1,
  "whole":false,"complete":false}
  $ head -c 100 data/moarvm/v3.mvmheap | heap-info --list
  heap-info: byte 100: block filemeta ends early
  [2]
  $ heap-info --tsv < leak-1.heapsnapshot.zst | cut -f1,2
  format	producer
  v8.heapsnapshot	V8, about 11.3 to 11.5 (Node 20)
  $ heap-info --tsv nothing.here leak-1.heapsnapshot.zst | cut -f1,2
  heap-info: nothing.here: no such file or directory
  file	format
  leak-1.heapsnapshot.zst	v8.heapsnapshot
  $ heap-cat leak-1.heapsnapshot.zst | head -n 1000 | heap-info | grep -o '"complete":.*'
  heap-info: line 1001: the stream was cut off: the end mark that its head promises is missing
  "complete":false,"damage":"line 1001: the stream was cut off: the end mark that its head promises is missing"}

A file that cannot be read has no row, and no empty one.

  $ echo x > x.txt
  $ heap-info --table x.txt
  heap-info: x.txt: byte 0: neither a record stream nor a dump that is known
  [2]
