Heap profiles: sizes by function, with what functions called, by line; two profiles compared; who allocates most.
Figures are those of go tool pprof -top (tests/with-pprof.sh).

  $ ln -s data/pprof/* data/memory-infra/alloc-sampling-node20.heapprofile .
  $ heap-sum --retained --csv -n 6 orders-3.pb.gz
  class,count,size,retained
  main.note,2559,2654019,2654019
  bytes.growSlice,1,565248,565248
  main.quote,326,352564,352564
  main.nest,76,45037,45037
  main.buy,1,14782,2047483
  hash/crc32.slicingMakeTable,1,9474,9474
  $ heap-sum --by location --csv -n 5 orders-3.pb.gz
  location,count,size
  main.note (/srv/app/orders.go:25),2559,2654019
  bytes.growSlice (/usr/lib/go-1.19/src/bytes/buffer.go:240),1,565248
  main.quote (/srv/app/orders.go:44),326,352564
  main.nest (/srv/app/orders.go:54),76,45037
  main.buy (/srv/app/orders.go:31),1,14782
  $ heap-sum --value alloc_space --csv -n 3 orders-3.pb.gz
  class,count,size
  main.note,2559,2654019
  strings.(*Builder).grow,3,1695744
  main.quote,968,1082550
  $ heap-sum --value alloc_bytes orders-3.pb.gz
  heap-sum: orders-3.pb.gz: this profile has no value 'alloc_bytes' in bytes, but alloc_space, inuse_space
  [2]
  $ heap-top --csv -n 2 orders-3.pb.gz | cut -d, -f3-
  class,name,size,count
  main.note,main.note,2003917,978
  main.note,main.note,608982,297
  $ heap-diff --classes --table orders-1.pb.gz orders-3.pb.gz
  class                        before  after  delta  size_delta  size_before
  main.note                       633   2559  +1926       +2.0M         510K
  hash/crc32.slicingMakeTable       0      1     +1       +9.3K            0
  main.buy                          1      1      0       +8.1K         6.3K
  main.quote                      340    326    -14      -13.6K         358K
  total                          1104   3017  +1913       +2.0M         1.4M
  … --wide adds size_after
  $ heap-trend --table -n 3 orders-1.pb.gz orders-2.pb.gz orders-3.pb.gz
  class                        count   size  delta  slope   fit  growth  dumps
  main.note                     2559   2.5M  +2.0M  +1.0M  1.00  steady      3
  hash/crc32.slicingMakeTable      1   9.3K  +9.3K  +4.6K  0.75  rising      2
  main.buy                         1  14.4K  +8.1K  +4.1K  0.99  steady      3
  … 54 more
  … --wide adds count_delta, count_slope
  $ heap-filter --where 'location ~ *orders.go:25*' orders-3.pb.gz | heap-sum --csv
  class,count,size
  main.note,2559,2654019

Who holds most, and what grows. What bytes.Buffer allocated counts for render.

  $ heap-suspects --table orders-3.pb.gz
  heap 3.5M
  1. large: main.note (orders.go:25) holds 2559 objects: 2.5M, 72.7 % of the heap,
     called by main.buy, main.sell
  2. large: main.render (orders.go:50) holds 1 object: 552K, 15.5 % of the heap,
     called by main.main
  … 2 notes (--all)
  $ heap-suspects --table --all orders-1.pb.gz orders-2.pb.gz orders-3.pb.gz
  heap 3.5M: 1.4M → 2.4M → 3.5M; the rows explain 100 % of the growth
  1. leak: main.note (orders.go:25) holds 2559 objects and grows steadily 510K →
     1.5M → 2.5M: 72.7 % of the heap, called by main.buy, main.sell
  2. large: main.render (orders.go:50) holds 1 object: 552K, 15.5 % of the heap,
     called by main.main
  3. note: main.quote (orders.go:44) holds 326 objects: 344K, 9.7 % of the heap,
     called by main.main
  4. note: main.nest (orders.go:54) holds 76 objects: 44.0K, 1.2 % of the heap,
     called by main.main
  $ heap-suspects orders-1.pb.gz orders-2.pb.gz orders-3.pb.gz | head -n 1
  {"type":"heap.suspect","rank":1,"level":"leak","kind":"growth","class":"main.note","retained":2654019,"share":0.7272131686566244,"growth":2131596,"steps":[1047034,1084562],"history":[522423,1569457,2654019],"course":"steady","turnover":0,"place":"main.note (orders.go:25)","path":[{"class":"(heap.root)","name":"(root)"},{"class":"runtime.main","name":"runtime.main"},{"class":"main.main","name":"main.main"},{"class":"main.buy","name":"main.buy"},{"class":"main.note","name":"main.note"}],"holds":[{"class":"(heap.allocation)","count":2559,"retained":2654019}],"text":"main.note (orders.go:25) holds 2559 objects and grows steadily 510K → 1.5M → 2.5M: 72.7 % of the heap, called by main.buy, main.sell"}
  $ heap-suspects --table orders-1.pb.gz orders-3.pb.gz
  heap 3.5M: 1.4M → 3.5M; the rows explain 100 % of the growth
  1. large: main.note (orders.go:25) holds 2559 objects and has grown 510K → 2.5M:
     72.7 % of the heap, called by main.buy, main.sell
  2. large: main.render (orders.go:50) holds 1 object: 552K, 15.5 % of the heap,
     called by main.main
  … 2 notes (--all)

What was ever allocated cannot but grow: no leak.

  $ heap-suspects --table --value alloc_space -n 2 orders-1.pb.gz orders-2.pb.gz orders-3.pb.gz
  allocated in all 7.5M: 2.0M → 5.1M → 7.5M; the rows explain 99 % of the growth
  1. large: main.note (orders.go:25) allocated 2559 objects and grows steadily
     510K → 1.5M → 2.5M: 33.7 % of all, called by main.buy, main.sell
  2. large: main.main (orders.go:72) allocated 724 objects and grows steadily 0 →
     1.2M → 1.7M: 22.6 % of all
  … 2 more

V8's sampling profile, and one of no types as a tree and as stacks.

  $ heap-sum --retained --csv -n 4 alloc-sampling-node20.heapprofile
  class,count,size,retained
  #onMessage,48,4517248,4524464
  join,1,4514432,4514432
  leafB,250,134904,134904
  post,14,76968,4600616
  $ heap-suspects --table alloc-sampling-node20.heapprofile
  heap 9.0M
  1. large: (anonymous) (alloc-trace.js:9:36 and 2 lines more) holds 83 objects:
     8.7M, 96.8 % of the heap, called by post
  … 2 notes (--all)
  $ heap-tree --table -n 6 orders-3.pb.gz
  size       %  count  tree
  3.5M  100.0%   3017  total
  3.4M   98.9%   2947    runtime.main → main.main
  2.0M   56.1%   1878      main.buy → main.note
  607K   17.0%    682      main.sell → main.note
  552K   15.5%      1      main.render → … 2 more … → bytes.growSlice
  344K    9.7%    326      main.quote
  … 1 more
  $ heap-to folded orders-3.pb.gz | grep -c allocation
  0
  [1]

What heap-info says of size and count is of the value that is asked for.

  $ heap-info --value alloc_space orders-3.pb.gz
  {"type":"heap.info","file":"orders-3.pb.gz","format":"pprof","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":46,"locations":75,"functions":56,"value":"alloc_space","size":7871577,"count":4388,"time":1795600838}
  $ heap-info --value contentions orders-3.pb.gz
  heap-info: orders-3.pb.gz: this profile has no value 'contentions' in bytes, but alloc_space, inuse_space
  [2]
