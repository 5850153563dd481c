heap-to: a heap in another format.

A snapshot comes out as it went in, byte for byte.

  $ ln -s data/v8/* .
  $ heap-to v8 -o out.heapsnapshot edge/random-6.heapsnapshot
  $ cmp out.heapsnapshot edge/random-6.heapsnapshot
  $ heap-cat varied.heapsnapshot.zst | heap-to v8 > out.heapsnapshot
  $ heap-cat varied.heapsnapshot.zst > a.ndjson
  $ heap-cat out.heapsnapshot | cmp - a.ndjson

A reader that goes away is no error, a full disk is one.

  $ set -o pipefail; heap-to v8 varied.heapsnapshot.zst | head -c 12
  {"snapshot": (no-eol)
  $ heap-to v8 varied.heapsnapshot.zst > /dev/full
  heap-to: write: no space left on device
  [2]
  $ heap-to v8 -o /dev/full varied.heapsnapshot.zst
  heap-to: write: /dev/full: no space left on device
  [2]

A part has a root of its own where the root is gone, and holds all there is.

  $ heap-filter --class Session leak-3.heapsnapshot.zst | heap-to v8 -o part.heapsnapshot
  heap-to: warning: the root is not among the nodes: one was made
  heap-to: warning: nodes that lost what held them: 1200, now held by (filtered)
  $ heap-sum part.heapsnapshot
  {"type":"heap.sum","class":"Session","count":1200,"size":67200}
  {"type":"heap.sum","class":"(v8.synthetic)","count":2,"size":0}
  $ heap-dom part.heapsnapshot | heap-top --key retained -n 2
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"","size":0,"retained":67200}
  {"type":"heap.top","identifier":127643,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"(filtered)","size":0,"retained":67200}
  $ heap-filter -v --class Session leak-3.heapsnapshot.zst | heap-to v8 | heap-dom | heap-top --key retained -n 2
  heap-to: warning: nodes that lost what held them: 3601, now held by (filtered)
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"","size":0,"retained":4194151}
  {"type":"heap.top","identifier":6049,"subtype":"object","class":"global","size":40,"retained":3004691}
  $ heap-walk --class Session --depth 1 leak-3.heapsnapshot.zst | heap-to v8 -o piece.heapsnapshot
  heap-to: warning: the root is not among the nodes: one was made
  heap-to: warning: nodes that lost what held them: 1200, now held by (filtered)
  $ heap-path --class Session --merge class --table piece.heapsnapshot
  count       %   size  example  path
   1200  100.0%  65.6K           (v8.synthetic)
   1200  100.0%  65.6K           [1]  (v8.synthetic) (filtered)
   1200  100.0%  65.6K   @83263  [1…1200]  Session

Annotations go along as fields that V8 does not know.

  $ heap-dom x.heapsnapshot | heap-to v8 -o annotated.heapsnapshot
  heap-to: warning: v8 holds no heap.idom fields: 10 left out
  $ heap-top --key v8.retained_size -n 2 annotated.heapsnapshot
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"","size":0,"v8.retained_size":16776}
  {"type":"heap.top","identifier":3,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"(GC roots)","size":0,"v8.retained_size":16776}

The newest layout for tools that know no other.

  $ heap-to v8 --layout newest old-node6.heapsnapshot.zst | heap-sum --by subtype -n 3
  {"type":"heap.sum","subtype":"code","count":2968,"size":863792}
  {"type":"heap.sum","subtype":"v8.array","count":4307,"size":760816}
  {"type":"heap.sum","subtype":"string_flat","count":6243,"size":666568}
  $ heap-sum --by subtype -n 3 old-node6.heapsnapshot.zst
  {"type":"heap.sum","subtype":"code","count":2968,"size":863792}
  {"type":"heap.sum","subtype":"v8.array","count":4307,"size":760816}
  {"type":"heap.sum","subtype":"string_flat","count":6243,"size":666568}
  $ heap-to v8 --layout oldest x.heapsnapshot
  heap-to: invalid value 'oldest' for --layout: expected original or newest; try 'heap-to --help'
  [2]
  $ heap-to ndjson --layout newest x.heapsnapshot
  heap-to: --layout is no option for ndjson; try 'heap-to --help'
  [2]

Other sources: what a snapshot cannot hold is said.

  $ heap-to v8 -o moar.heapsnapshot app.mvmheap
  heap-to: warning: nodes that no root reaches: 1, now held by (unreachable)
  heap-to: warning: v8 holds no such fields, left out: moar.type 7, moar.frame 3, moar.index 2
  heap-to: warning: v8 holds no such records, left out: moar.type 6, moar.static_frame 3, moar.highscore 160
  heap-to: warning: v8 holds no metadata of other sources: 17 left out
  $ heap-sum --sort size -n 4 moar.heapsnapshot
  {"type":"heap.sum","class":"(external)","count":6,"size":6000000836}
  {"type":"heap.sum","class":"größe ✓","count":1,"size":65535}
  {"type":"heap.sum","class":"(code)","count":3,"size":504}
  {"type":"heap.sum","class":"(v8.object_shape)","count":1,"size":168}
  $ heap-dom moar.heapsnapshot | heap-top --key retained -n 1
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"moar.root","size":0,"retained":6000067203}
  $ heap-to v8 --strict app.heapprofile 2>&1 > /dev/null | tail -n 3
  heap-to: warning: v8 holds no such fields, left out: v8.node_id 65, v8.script_id 65, heap.count 100, script_name 108, line 92, column 92
  heap-to: warning: v8 holds no metadata of other sources: 1 left out
  [2]
  $ heap-to v8 trace.json 2>said | heap-sum --csv
  class,count,size
  T,9,698
  W,9,461
  V,9,340
  U,8,39
  (code),8,0
  (v8.synthetic),1,0
  $ heap-sum --csv trace.json
  class,count,size
  T,9,698
  W,9,461
  V,9,340
  U,8,39
  (heap.frame),0,0
  (heap.root),0,0

One snapshot of several has to be picked.

  $ heap-to v8 --snapshot all app.mvmheap 2>&1 > /dev/null | grep several
  heap-to: app.mvmheap: a V8 snapshot holds one heap, and there are several: --snapshot N picks one
  [2]
  $ heap-to v8 app.mvmheap@0 2>said | heap-sum --csv -n 1
  class,count,size
  (external),4,6000000816

The stream itself, packed or not.

  $ heap-to ndjson x.heapsnapshot | head -n 2
  {"type":"metadata","key":"version_major","value":"1"}
  {"type":"metadata","key":"heap.end","value":"expected"}
  $ heap-to zst -o x.ndjson.zst x.heapsnapshot && heap-sum --csv -n 1 x.ndjson.zst
  class,count,size
  Session,1,16384
  $ heap-cat x.heapsnapshot | heap-to zst | heap-cat | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=11 edges=11 strings=17"}

Stacks for flame graphs add up to the heap.

  $ heap-to folded x.heapsnapshot | sort
  (root);(v8.synthetic);(closure) 64
  (root);(v8.synthetic);Array 48
  (root);(v8.synthetic);Array;(string_flat) 24
  (root);(v8.synthetic);Array;Account 192
  (root);(v8.synthetic);Array;Account;(string_flat) 24
  (root);(v8.synthetic);Array;Account;Owner 40
  (root);(v8.synthetic);Session 16384
  $ heap-to folded leak-3.heapsnapshot.zst | awk '{ sum += $NF } END { print sum }'
  4261351
  $ heap-sum --csv leak-3.heapsnapshot.zst | awk -F, 'NR > 1 { sum += $NF } END { print sum }'
  4261351
  $ heap-to folded --count leak-3.heapsnapshot.zst | awk '{ sum += $NF } END { print sum }'
  65050
  $ heap-to folded --cut total=10% --depth 3 leak-3.heapsnapshot.zst
  (root);<other> 5968
  (root);global 40
  (root);global;<other> 1044935
  (root);global;Object 5024
  (root);global;Object;<other> 1694364
  (root);global;(closure) 99016
  (root);global;(closure);<other> 900920
  (root);(v8.synthetic) 2568
  (root);(v8.synthetic);<other> 39292
  (root);(v8.synthetic);(v8.synthetic);<other> 469224
  $ heap-to folded data/memory-infra/seed-example-v2.json
  (root);BrMain;MsgLp;T 307
  (root);BrMain;MsgLp;V 281
  (root);BrMain;MsgLp;W 11
  (root);BrMain;MsgLp;U 2
  (root);BrMain;Init;T 151
  (root);BrMain;Init;W 83
  (root);BrMain;Init;U 5
  (root);BrMain;Init;V 3
  (root);BrMain;V 13
  (root);BrMain;U 11
  (root);BrMain;T 7
  (root);BrMain;W 2
  (root);RdMain;RTask;W 337
  (root);RdMain;RTask;T 211
  (root);RdMain;RTask;V 5
  (root);RdMain;RTask;U 3
  (root);RdMain;FnB;T 13
  (root);RdMain;FnB;W 5
  (root);RdMain;FnB;U 3
  (root);RdMain;FnB;V 2
  (root);RdMain;FnA;W 11
  (root);RdMain;FnA;V 7
  (root);RdMain;FnA;T 2
  (root);RdMain;V 17
  (root);RdMain;U 7
  (root);RdMain;T 3
  (root);RdMain;W 2
  (root);ColdFn;V 7
  (root);ColdFn;U 5
  (root);ColdFn;W 3
  (root);ColdFn;T 2
  (root);W 7
  (root);V 5
  (root);U 3
  (root);T 2
  $ heap-to folded --depth 0 x.heapsnapshot
  heap-to: --depth takes a number from 1 on
  [2]
  $ heap-to folded leak-3.heapsnapshot.zst > /dev/full
  heap-to: write: no space left on device
  [2]

A profile of Go, what it holds, and the same values in the profile that comes back.

  $ heap-info --csv data/pprof/go-sessions.pb.gz | cut -d, -f2-8
  format,sample_types,samples,locations,functions,value,size
  pprof,alloc_objects alloc_space inuse_objects inuse_space,9,12,11,inuse_space,7581613
  $ heap-tree --table --depth 4 data/pprof/go-sessions.pb.gz
  size       %  count  tree
  7.2M  100.0%   5934  total
  7.2M   99.8%   5895    runtime.main → main.main → main.serve → main.open
  $ heap-top -n 1 data/pprof/go-sessions.pb.gz
  {"type":"heap.top","identifier":53,"subtype":"heap.allocation","class":"main.open","name":"main.open","size":7351346,"count":1794}
  $ heap-cat data/pprof/go-sessions.pb.gz | heap-to pprof -o again.pb.gz
  $ heap-cat data/pprof/go-sessions.pb.gz | grep '"heap.allocation\|"pprof":{"alloc' > profile.ndjson
  $ heap-cat again.pb.gz | grep '"heap.allocation\|"pprof":{"alloc' | cmp - profile.ndjson
  $ heap-to pprof x.heapsnapshot | heap-sum --csv
  class,count,size
  Session,1,16384
  Account,2,192
  (closure),1,64
  (string_flat),2,48
  Array,2,48
  Owner,1,40
  (heap.root),0,0
  (root),1,0
  (v8.synthetic),1,0

Drawings and tables.

  $ heap-to dot x.heapsnapshot | head -n 6
  digraph heap {
  node [shape=box fontname="sans-serif"];
  n1 [label="(v8.synthetic)\n@1, 0 bytes"];
  n3 [label="(v8.synthetic) (GC roots)\n@3, 0 bytes"];
  n5 [label="Array\n@5, 32 bytes"];
  n6163 [label="Account\n@6163, 96 bytes"];
  $ heap-to graphml x.heapsnapshot | tail -n 4
  <edge source="n6179" target="n6173"><data key="kind">object property</data><data key="label">__proto__</data></edge>
  <edge source="n6179" target="n6181"><data key="kind">object property</data><data key="label">name</data></edge>
  </graph>
  </graphml>
  $ heap-to csv x.heapsnapshot | head -n 3
  identifier,number,subtype,class,name,size,external,count,retained,idom,distance,reachable,v8.trace_node_id,v8.detachedness,data,metadata,metadata.value,s1,s1.value,s2,s2.value
  1,1,v8.synthetic,,,0,,,,,,,,,,,,,,,
  3,3,v8.synthetic,,(GC roots),0,,,,,,,,,,,,,,,
  $ heap-to csv --table edges x.heapsnapshot | head -n 3
  source,dest,value,subtype,label,heap.key,heap.table,heap.distance
  1,3,,array element,1,,,
  3,5,,object property,accounts,,,
  $ heap-to csv --table rows x.heapsnapshot
  heap-to: no table rows: nodes or edges
  [2]
  $ heap-to dot --table nodes x.heapsnapshot
  heap-to: --table is no option for dot; try 'heap-to --help'
  [2]

SQLite and back: the same lines.

  $ heap-to sqlite -o x.db varied.heapsnapshot.zst
  $ heap-cat x.db | grep -v '"generator"' > b.ndjson
  $ grep -v '"generator"' a.ndjson | cmp - b.ndjson
  $ heap-to sqlite x.heapsnapshot
  heap-to: sqlite needs -o FILE; try 'heap-to --help'
  [2]
  $ heap-to sqlite -o a.ndjson x.heapsnapshot
  heap-to: the output exists and is not an SQLite file of a heap
  [2]

A data set: a partition for each input, by its name and by tags, and each comes back as its stream.

  $ heap-to parquet -o fleet --tag pod=17 varied.heapsnapshot.zst x.heapsnapshot
  $ ls fleet fleet/nodes/pod=17
  fleet:
  edges
  metadata
  nodes
  strings
  v8_location
  
  fleet/nodes/pod=17:
  dump=varied.heapsnapshot.zst
  dump=x.heapsnapshot
  $ heap-cat fleet/nodes/pod=17/dump=varied.heapsnapshot.zst | grep -v '"generator"' > b.ndjson
  $ grep -v '"generator"' a.ndjson | cmp - b.ndjson
  $ heap-sum fleet | cksum; heap-sum varied.heapsnapshot.zst x.heapsnapshot | cksum
  3229220563 11071
  3229220563 11071
  $ heap-dom x.heapsnapshot | heap-to parquet -o fleet --tag 'pod=a/b=c%' --tag dump=dom
  $ ls fleet/edges
  pod=17
  pod=a%2Fb%3Dc%25
  $ heap-top --key retained -n 1 fleet/edges/pod=a%2Fb%3Dc%25
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"","size":0,"retained":16776}
  $ heap-to parquet -o fleet --tag host=h x.heapsnapshot
  heap-to: the data set has partitions by pod, dump: these would be by host, dump
  [2]
  $ heap-to parquet -o fleet --tag class=h x.heapsnapshot
  heap-to: 'class' is a column already: a tag needs another key
  [2]
  $ heap-to parquet x.heapsnapshot
  heap-to: parquet needs -o FILE; try 'heap-to --help'
  [2]
  $ heap-to sqlite -o x.db --tag pod=17 x.heapsnapshot
  heap-to: --tag is no option for sqlite; try 'heap-to --help'
  [2]
  $ mkdir other; touch other/file; heap-to parquet -o other x.heapsnapshot
  heap-to: the output exists and is no data set of heaps
  [2]

A damaged dump gets no partition; the others do. A full disk leaves nothing.

  $ head -c 900 x.heapsnapshot > cut.heapsnapshot
  $ heap-to parquet -o some x.heapsnapshot cut.heapsnapshot app.dartheap nosuch
  heap-to: cut.heapsnapshot: byte 900: nodes: record 2: ends early
  heap-to: nosuch: no such file or directory
  [2]
  $ ls some/metadata
  dump=app.dartheap
  dump=x.heapsnapshot
  $ ls -A some | grep -v '^[a-z]'
  [1]
  $ (trap '' XFSZ; ulimit -f 100; heap-to parquet -o full varied.heapsnapshot.zst); ls -A full
  heap-to: write: file too large
  ls: cannot access 'full': No such file or directory
  [2]

A killed writer leaves no partition.

  $ bash -c 'ulimit -f 100; heap-to parquet -o killed varied.heapsnapshot.zst; true' 2> out; ls killed killed/metadata
  killed:
  metadata
  
  killed/metadata:

  $ heap-to parquet -o half x.heapsnapshot app.dartheap
  $ rm half/metadata/dump=app.dartheap/part-0.parquet
  $ heap-sum --by file half | grep -v x.heapsnapshot
  heap-sum: half/metadata/dump=app.dartheap/part-0.parquet: no such file or directory
  [1]
  $ heap-to parquet -o half app.dartheap; ls half/metadata
  dump=app.dartheap
  dump=x.heapsnapshot

A later input that does not fit leaves no file.

  $ heap-to v8 -o two.heapsnapshot x.heapsnapshot x.heapsnapshot; ls two.heapsnapshot
  heap-to: x.heapsnapshot: a V8 snapshot holds one heap, and this is another one
  ls: cannot access 'two.heapsnapshot': No such file or directory
  [2]

A file takes its name when it is whole. Of damaged input it is written only if that is asked for; a stream has no end mark then.

  $ echo old > kept
  $ heap-to v8 -o kept nosuch; cat kept
  heap-to: nosuch: no such file or directory
  old
  $ head -c 3000000 out.heapsnapshot > cut.heapsnapshot
  $ heap-to v8 -o kept cut.heapsnapshot; cat kept
  heap-to: cut.heapsnapshot: byte 3000000: edges: record 135683: ends early
  heap-to: kept: not written, because the input is not whole: --partial writes what came
  old
  $ heap-to zst -o kept.zst cut.heapsnapshot; heap-sum -n 1 kept.zst
  heap-to: cut.heapsnapshot: byte 3000000: edges: record 135683: ends early
  heap-sum: kept.zst: line 184505: the stream was cut off: the end mark that its head promises is missing
  {"type":"heap.sum","class":"(code)","count":12678,"size":907760}
  [2]
  $ heap-to v8 --partial -o kept cut.heapsnapshot
  heap-to: cut.heapsnapshot: byte 3000000: edges: record 135683: ends early
  heap-to: warning: nodes that lost what held them: 12733, now held by (filtered)
  [2]
  $ heap-sum kept | head -n 1
  {"type":"heap.sum","class":"(code)","count":12678,"size":907760}
  $ heap-to sqlite --partial -o kept.db cut.heapsnapshot
  heap-to: cut.heapsnapshot: byte 3000000: edges: record 135683: ends early
  [2]
  $ heap-sum -n 1 kept.db
  heap-sum: kept.db: the database is a part: what it was made from ended early, and heap.end is missing in metadata
  {"type":"heap.sum","class":"(code)","count":12678,"size":907760}
  [2]
  $ heap-cat kept.db | heap-sum -n 1
  heap-cat: kept.db: the database is a part: what it was made from ended early, and heap.end is missing in metadata
  heap-sum: line 184505: the stream was cut off: the end mark that its head promises is missing
  {"type":"heap.sum","class":"(code)","count":12678,"size":907760}
  [2]
  $ echo '{"type":"node"' | heap-to v8 -o none; ls none
  heap-to: line 1: expected a JSON object
  heap-to: none: not written, because the input is not whole: --partial writes what came
  ls: cannot access 'none': No such file or directory
  [2]
  $ heap-to zst -o nosuch/x x.heapsnapshot
  heap-to: write: nosuch/x: no such file or directory
  [2]

  $ heap-to
  heap-to: no TARGET: one of v8, memory-infra, ndjson, zst, sqlite, parquet, dart, moarvm, hprof, folded, pprof, dot, graphml, csv; try 'heap-to --help'
  [2]
  $ heap-to lisp x.heapsnapshot
  heap-to: unknown target 'lisp': expected one of v8, memory-infra, ndjson, zst, sqlite, parquet, dart, moarvm, hprof, folded, pprof, dot, graphml, csv; try 'heap-to --help'
  [2]
  $ heap-to v8 x.heapsnapshot x.heapsnapshot > two
  heap-to: x.heapsnapshot: a V8 snapshot holds one heap, and this is another one
  [2]
  $ heap-cat two | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=11 edges=11 strings=17"}
