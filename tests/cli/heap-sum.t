heap-sum: group nodes and add up.

  $ heap-sum x.heapsnapshot
  {"type":"heap.sum","class":"Session","count":1,"size":16384}
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  {"type":"heap.sum","class":"(closure)","count":1,"size":64}
  {"type":"heap.sum","class":"(string_flat)","count":2,"size":48}
  {"type":"heap.sum","class":"Array","count":2,"size":48}
  {"type":"heap.sum","class":"Owner","count":1,"size":40}
  {"type":"heap.sum","class":"(v8.synthetic)","count":2,"size":0}

  $ heap-sum --table x.heapsnapshot
  class           count   size
  Session             1  16.0K
  Account             2    192
  (closure)           1     64
  (string_flat)       2     48
  Array               2     48
  Owner               1     40
  (v8.synthetic)      2      0
  total              11  16.4K

  $ heap-sum --table --bytes -n 2 x.heapsnapshot
  class    count   size
  Session      1  16384
  Account      2    192
  … 5 more
  total       11  16776

  $ heap-sum --by subtype --csv --sort count x.heapsnapshot
  subtype,count,size
  object,6,16664
  string_flat,2,48
  v8.synthetic,2,0
  closure,1,64

  $ heap-sum --by class,subtype --tsv --sort -class x.heapsnapshot
  class	subtype	count	size
  (closure)	closure	1	64
  (string_flat)	string_flat	2	48
  (v8.synthetic)	v8.synthetic	2	0
  Account	object	2	192
  Array	object	2	48
  Owner	object	1	40
  Session	object	1	16384

  $ heap-sum --by v8.detachedness x.heapsnapshot
  {"type":"heap.sum","v8.detachedness":2,"count":1,"size":16384}
  {"type":"heap.sum","count":10,"size":392}

The same from a stream, and from names written out.

  $ heap-sum x.heapsnapshot > straight
  $ heap-cat x.heapsnapshot | heap-sum | cmp - straight
  $ heap-cat x.heapsnapshot | jq -c 'select(.type!="edge" and .key!="heap.end")' | heap-sum | cmp - straight
  $ heap-names x.heapsnapshot | heap-sum | cmp - straight
  $ heap-names x.heapsnapshot | jq -c 'select(.heap.class=="Account")' | heap-sum
  {"type":"heap.sum","class":"Account","count":2,"size":192}

Two files make one sum.

  $ heap-sum --type Account x.heapsnapshot x.heapsnapshot.gz
  {"type":"heap.sum","class":"Account","count":4,"size":384}

Nothing selected is no error.

  $ heap-sum --type Nobody x.heapsnapshot
  heap-sum: warning: no node matches --type 'Nobody'
  $ heap-sum --type Nobody --csv x.heapsnapshot
  heap-sum: warning: no node matches --type 'Nobody'
  class,count,size

  $ heap-sum --sort weight x.heapsnapshot
  heap-sum: no column 'weight' to sort by: class, count, size; try 'heap-sum --help'
  [2]

A table is cut to the terminal's width, names first.

  $ COLUMNS=20 heap-sum --table -n 3 --by class,subtype x.heapsnapshot
  cla…  sub…  count
  Ses…  obj…      1
  Acc…  obj…      2
  (cl…  clo…      1
  … 4 more
  tot…           11
  … --wide adds size

On a real dump, a snapshot of Node 20: what takes the space.

  $ ln -s data/v8/* .
  $ heap-sum --table -n 6 leak-3.heapsnapshot.zst
  class              count   size
  (v8.array)          4076  1008K
  (code)             12509   928K
  (string_flat)      15470   483K
  (v8.object_shape)   4527   416K
  (closure)           5411   314K
  Object              6325   258K
  … 143 more
  total              65050   4.1M
  $ heap-cat leak-3.heapsnapshot.zst | heap-filter --type Array | heap-sum
  {"type":"heap.sum","class":"Array","count":3160,"size":101120}
  $ heap-sum --by subtype --csv -n 3 leak-3.heapsnapshot.zst
  subtype,count,size
  v8.array,4076,1032120
  code,12509,949840
  object,14862,711200
  $ heap-sum --by name --tsv -n 4 leak-3.heapsnapshot.zst
  name	count	size
  	14961	730583
  	1480	498512
  (object elements)	3134	312280
  (object properties)	627	296088
  $ heap-sum --by class,name --sort count -n 3 leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"Object","count":6325,"size":263960}
  {"type":"heap.sum","class":"(v8.object_shape)","name":"system / Map","count":3346,"size":240912}
  {"type":"heap.sum","class":"(string_cons)","name":"(concatenated string)","count":3236,"size":103552}
  $ heap-sum --sort -size -n 2 leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"Node / MultiIsolatePlatform","count":1,"size":8}
  {"type":"heap.sum","class":"AbortController","count":1,"size":24}

Selected nodes.

  $ heap-sum --class Session --class CacheEntry --table leak-3.heapsnapshot.zst
  class       count   size
  Session      1200  65.6K
  CacheEntry    450  17.6K
  total        1650  83.2K
  $ heap-sum --type closure leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"(closure)","count":5411,"size":321136}
  $ heap-sum --type '(closure)' --name onTick leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"(closure)","count":180,"size":11520}
  $ heap-sum --min-size 10K --by subtype leak-3.heapsnapshot.zst
  {"type":"heap.sum","subtype":"v8.array","count":9,"size":463256}
  $ heap-sum --where 'name ~ user1?' leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"(string_flat)","count":10,"size":240}

One snapshot of a file that has just one; several files make one sum.

  $ heap-sum --type Session leak-3.heapsnapshot.zst@0
  {"type":"heap.sum","class":"Session","count":1200,"size":67200}
  $ heap-sum --type Session leak-3.heapsnapshot.zst@7
  heap-sum: leak-3.heapsnapshot.zst@7: no snapshot 7: the file has only snapshot 0
  [2]
  $ heap-sum --type Session leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"Session","count":2400,"size":134400}

A field that no node has, against one that is declared but never there.

  $ heap-sum --by script leak-3.heapsnapshot.zst
  heap-sum: warning: no node has a field 'script'
  {"type":"heap.sum","count":65050,"size":4261351}
  $ heap-sum --where 'v8.detachedness = 1' leak-3.heapsnapshot.zst

Strings that come behind the end mark, or never.

  $ heap-cat leak-3.heapsnapshot.zst > records
  $ { grep -v '"type":"string"' records; grep '"type":"string"' records; } | heap-sum --type 'Sess*'
  heap-sum: warning: standard input: the end mark says nodes=65050 edges=256265 strings=27645, but nodes=65050 edges=256265 strings=0 came: records are missing or were added
  heap-sum: line 327957: a record behind the end mark
  heap-sum: warning: no node matches --type 'Sess*'
  [2]
  $ grep -v '"type":"string"\|heap.end' records | heap-sum --by subtype --csv -n 1
  subtype,count,size
  v8.array,4076,1032120
  $ grep -v '"type":"string"\|heap.end' records | heap-sum --min-size 200K
  {"type":"heap.sum","class":"(v8.array)","count":1,"size":262160}
  $ grep -v '"type":"string"\|heap.end' records | heap-sum --subtype object -n 1
  {"type":"heap.sum","class":"<string 408>","count":6325,"size":263960}

An allocation dump with cumulative cells only: types are summed over the cells of its roots, and what these leave
open is <other>. The selection holds for the cells.

  $ heap-sum --table data/memory-infra/seed-example-v1-cut40.json
  class         count  size
  T                     698
  W                     461
  V                     340
  <other>                39
  (heap.frame)      0     0
  (heap.root)       0     0
  total                1.5K
  $ heap-sum --type T data/memory-infra/seed-example-v1-cut40.json
  {"type":"heap.sum","class":"T","size":698}
  $ heap-cat data/memory-infra/seed-example-v1-cut40.json | heap-sum --by chrome.allocator,class -n 2
  {"type":"heap.sum","chrome.allocator":"partition_alloc","class":"T","size":698}
  {"type":"heap.sum","chrome.allocator":"partition_alloc","class":"W","size":461}
  $ heap-sum --by name --table data/memory-infra/seed-example-v1-cut40.json
  name             count  size
  MsgLp                    601
  RTask                    556
  Init                     242
  RdMain                    72
  partition_alloc           34
  BrMain                    33
  total                   1.5K

Of several snapshots there is no one graph: nothing is written.

  $ heap-sum --retained --snapshot all app.mvmheap
  heap-sum: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]

Several inputs by name, and by what their folders say.

  $ heap-to parquet -o fleet --tag pod=17 x.heapsnapshot; heap-to parquet -o fleet --tag pod=18 x.heapsnapshot
  $ heap-sum --by tag.pod,class --class 'A*' --csv fleet
  tag.pod,class,count,size
  17,Account,2,192
  18,Account,2,192
  17,Array,2,48
  18,Array,2,48
  $ heap-sum --by file --csv x.heapsnapshot app.mvmheap | cut -d, -f1,2
  file,count
  app.mvmheap,17
  x.heapsnapshot,11

A gate for a budget.

  $ heap-sum --fail-on 'class != (v8.array) and size > 20% of total' leak-1.heapsnapshot.zst
  {"type":"heap.sum","class":"(code)","count":12403,"size":939680}
  [1]
  $ heap-sum --fail-on 'total.size > 1G' leak-1.heapsnapshot.zst
  $ heap-sum --by subtype --fail-on 'class = Session' leak-1.heapsnapshot.zst
  heap-sum: --fail-on: character 1: no column 'class'; there are subtype, snapshot, count, size, external, retained, total.count, total.size, total.external; try 'heap-sum --help'
  [2]
  $ heap-sum --fail-on 'retained > 20M' --sort retained leak-1.heapsnapshot.zst
  $ heap-sum --fail-on 'class = Sesion and count > 0' leak-1.heapsnapshot.zst
  heap-sum: warning: no row has the class 'Sesion' of --fail-on
  $ head -c 1100 x.heapsnapshot > cut.heapsnapshot
  $ heap-sum --fail-on 'count > 9' --report junit=none.xml cut.heapsnapshot
  heap-sum: cut.heapsnapshot: byte 1100: edges: record 5: ends early
  [2]
  $ ls none.xml
  ls: cannot access 'none.xml': No such file or directory
  [2]

Functions by their place in the source, and what of them has none: snapshots, cores, stacks of Java.

  $ heap-sum --by location --sort count --csv -n 3 leak-3.heapsnapshot.zst
  location,count,size
  ,61191,4024463
  onTick (/srv/app/leak.js:16:138),180,11520
  (anonymous) (node:internal/errors:449:28),129,8256
  $ heap-sum --by location --where 'subtype = closure' --retained --csv leak-3.heapsnapshot.zst | grep leak.js
  onTick (/srv/app/leak.js:16:138),180,11520,64800
  CacheEntry (/srv/app/leak.js:8:31),1,64,2280
  Session (/srv/app/leak.js:7:28),1,64,1440
  Stable (/srv/app/leak.js:9:27),1,64,944
  Transient (/srv/app/leak.js:10:30),1,64,1080
  round (/srv/app/leak.js:13:15),1,64,11608
  (anonymous) (/srv/app/leak.js:25:2),1,56,256
  settle (/srv/app/leak.js:22:16),1,56,528
  sink (/srv/app/leak.js:24:54),1,56,1600
  write (/srv/app/leak.js:24:121),1,56,2320
  $ heap-sum --by location --subtype closure --csv data/core/shop-node20.core.zst | grep shop
  count (/srv/shop/shop.js:25:97),3,192
  Desk (/srv/shop/shop.js:29:25),1,64
  Item (/srv/shop/shop.js:3:25),1,64
  Order (/srv/shop/shop.js:6:14),1,64
  RushOrder (/srv/shop/shop.js:12:44),1,64
  checkout (/srv/shop/shop.js:28:18),1,64
  open (/srv/shop/shop.js:30:25),1,64
  pay (/srv/shop/shop.js:27:13),1,64
  <instance_members_initializer> (/srv/shop/shop.js:4:1),1,56
  $ heap-sum --by location --subtype heap.frame --csv data/java/shop.hprof.zst
  location,count,size
  Shop$$Lambda$1.run,1,0
  Shop.lambda$main$0 (Shop.java:37),1,0
  Shop.main (Shop.java:39),1,0
  Shop.serve (Shop.java:41),1,0
  java.lang.Object.wait (Object.java),2,0
  java.lang.Thread.run (Thread.java:840),2,0
  java.lang.Thread.sleep (Thread.java),2,0
  java.lang.ref.Finalizer$FinalizerThread.run (Finalizer.java:172),1,0
  java.lang.ref.Reference$ReferenceHandler.run (Reference.java:215),1,0
  java.lang.ref.Reference.processPendingReferences (Reference.java:253),1,0
  java.lang.ref.Reference.waitForReferencePendingList (Reference.java),1,0
  java.lang.ref.ReferenceQueue.remove (ReferenceQueue.java:155),2,0
  java.lang.ref.ReferenceQueue.remove (ReferenceQueue.java:176),1,0
  jdk.internal.misc.InnocuousThread.run (InnocuousThread.java:162),1,0
  jdk.internal.ref.CleanerImpl.run (CleanerImpl.java:140),1,0

Nodes of this dump have no bytes outside the heap, nor a class that says detached; both are said with what there is.

  $ heap-sum --sort external leak-3.heapsnapshot.zst
  heap-sum: no node has a field 'external'; bytes outside the heap are nodes of their own in this dump, or not in it; try 'heap-sum --help'
  [2]
  $ heap-sum --class 'Detached*' data/v8/dom.heapsnapshot.zst
  heap-sum: warning: no node matches --class 'Detached*'; detached nodes are those with --where 'v8.detachedness = 2'

An input that cannot be read leaves no empty table.

  $ echo nothing > nothing.txt; heap-sum --table nothing.txt; heap-top --csv nothing.txt; heap-tree --table nothing.txt
  heap-sum: nothing.txt: byte 0: neither a record stream nor a dump that is known
  heap-top: nothing.txt: byte 0: neither a record stream nor a dump that is known
  heap-tree: nothing.txt: byte 0: neither a record stream nor a dump that is known
  [2]

Texts outside the heap of a process are in sums of its core, as in those of its stream.

  $ for core in shop-node20 yard-node26; do heap-cat data/core/$core.core.zst 2> /dev/null | heap-sum --csv | sort > stream.csv
  >   heap-sum --csv data/core/$core.core.zst 2> /dev/null | sort | cmp - stream.csv && grep -c external stream.csv; done
  1
  1

What one input counts is no matter to the next.

  $ heap-cat data/pprof/go-sessions.pb.gz > profile.ndjson; heap-cat x.heapsnapshot > heap.ndjson
  $ heap-sum --by file --csv profile.ndjson heap.ndjson
  file,count,size
  profile.ndjson,5934,7581613
  heap.ndjson,11,16776
  $ cat profile.ndjson heap.ndjson | heap-sum --class Account
  heap-sum: warning: standard input: 2 streams follow each other; they are taken as one
  {"type":"heap.sum","class":"Account","count":2,"size":192}
