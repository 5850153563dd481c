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
  heap-to: write: no space left on device
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
  depth  count   size  ends  class
      0   1200  65.6K     0  (v8.synthetic)
      1   1200  65.6K     0    (v8.synthetic) (filtered)
      2   1200  65.6K  1200      Session

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
  heap-to: warning: v8 holds no such fields, left out: v8.node_id 65, v8.script_id 65, heap.count 100, script_name 64, line 55, column 55
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
  {"type":"metadata","key":"generator","value":"heap-to [VERSION]"}
  $ heap-to zst -o x.ndjson.zst x.heapsnapshot && heap-sum --csv -n 1 x.ndjson.zst
  class,count,size
  Session,1,16384
  $ heap-cat x.heapsnapshot | heap-to zst | heap-cat | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=11 edges=11 strings=17"}

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

A file takes its name when it is whole; damage says so, and what stood before it is written.

  $ echo old > kept
  $ heap-to v8 -o kept nosuch; cat kept
  heap-to: nosuch: no such file or directory
  old
  $ head -c 3000000 out.heapsnapshot > cut.heapsnapshot
  $ heap-to v8 -o kept cut.heapsnapshot
  heap-to: cut.heapsnapshot: byte 3000000: edges: record 135683: ends early
  heap-to: warning: nodes that lost what held them: 12733, now held by (filtered)
  [2]
  $ heap-sum kept | head -n 1
  {"type":"heap.sum","class":"(code)","count":12678,"size":907760}
  $ echo '{"type":"node"' | heap-to v8 -o none; ls none
  heap-to: line 1: expected a JSON object
  ls: cannot access 'none': No such file or directory
  [2]
  $ heap-to zst -o nosuch/x x.heapsnapshot
  heap-to: write: no such file or directory
  [2]

  $ heap-to
  heap-to: no TARGET: one of v8, memory-infra, ndjson, zst, sqlite, dart, moarvm, hprof; try 'heap-to --help'
  [2]
  $ heap-to lisp x.heapsnapshot
  heap-to: unknown target 'lisp': expected one of v8, memory-infra, ndjson, zst, sqlite, dart, moarvm, hprof; try 'heap-to --help'
  [2]
  $ heap-to v8 x.heapsnapshot x.heapsnapshot > two
  heap-to: x.heapsnapshot: a V8 snapshot holds one heap, and this is another one
  [2]
  $ heap-cat two | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=11 edges=11 strings=17"}
