Heap profiles that are text, and differences of profiles.

  $ heap-info data/pprof/gperftools.heap data/pprof/jemalloc.heap data/pprof/go-debug-1.txt
  {"type":"heap.info","file":"data/pprof/gperftools.heap","format":"pprof","producer":"gperftools","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":2,"locations":3,"functions":0,"value":"inuse_space","size":3300,"count":3,"rule":"none"}
  {"type":"heap.info","file":"data/pprof/jemalloc.heap","format":"pprof","producer":"jemalloc","sample_types":"inuse_objects inuse_space","samples":2,"locations":2,"functions":0,"value":"inuse_space","size":19884,"count":6,"rule":"v2","period":"4096"}
  {"type":"heap.info","file":"data/pprof/go-debug-1.txt","format":"pprof","producer":"Go","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":3,"locations":5,"functions":4,"value":"inuse_space","size":304,"count":3,"rule":"v2","period":"1"}
  $ for file in gperftools.heap jemalloc.heap go-debug-1.txt; do heap-to folded data/pprof/$file; done
  (root);libc.so.6+0xfff;my app (deleted)+0x600;my app (deleted)+0x500 3000
  (root);my app (deleted)+0x500 300
  (root) 9474
  (root);0x1200;0x1100 10410
  (root);0x403;main.main;main.inlined;main.rec;main.rec;main.rec;main.leaf 256
  (root);0x504 48

Figures of samples are scaled up; the fields keep what was ever allocated, and labels what the text says.
  $ heap-cat --only node data/pprof/jemalloc.heap | grep labels
  {"type":"node","subtype":3,"identifier":7,"heap":{"size":10410,"class":7,"name":7,"count":5},"pprof":{"inuse_objects":5,"inuse_space":10410,"labels":"[[\"bytes\",2048,\"bytes\"],[\"samples\",2]]"}}
  {"type":"node","subtype":3,"identifier":9,"heap":{"size":9474,"count":1},"pprof":{"inuse_objects":1,"inuse_space":9474,"labels":"[[\"bytes\",8192,\"bytes\"],[\"samples\",1]]"}}
  $ heap-cat --only metadata data/pprof/jemalloc.heap | grep -e profile -e sampled
  {"type":"metadata","key":"heap.sampled","value":"4096"}
  {"type":"metadata","key":"profile.rule","value":"v2"}
  {"type":"metadata","key":"profile.header","value":"heap_v2/4096"}
  {"type":"metadata","key":"profile.header","value":"t*: 5: 9000 [0: 0]"}
  {"type":"metadata","key":"profile.header","value":"t0: 4: 8000 [0: 0]"}
  {"type":"metadata","key":"profile.header","value":"t1: 1: 1000 [0: 0] a worker: 7"}
  $ heap-check data/pprof/gperftools.heap data/pprof/jemalloc.heap data/pprof/go-debug-1.txt

As a profile it goes to pprof, and comes back.
  $ heap-to pprof data/pprof/go-debug-1.txt > go.pb.gz; heap-info go.pb.gz
  {"type":"heap.info","file":"go.pb.gz","format":"pprof","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":3,"locations":5,"functions":4,"value":"inuse_space","size":304,"count":3}
  $ heap-to folded go.pb.gz
  (root);0x403;main.main;main.inlined;main.rec;main.rec;main.rec;main.leaf 256
  (root);0x504 48

A file that was cut off has what came before.
  $ head -n 6 data/pprof/jemalloc.heap > cut.heap; heap-cat --only node cut.heap | grep -c labels
  1

Other texts are named.
  $ printf 'goroutine profile: total 3\n' > goroutines.txt; heap-info goroutines.txt
  heap-info: goroutines.txt: byte 0: neither a record stream nor a dump that is known, but Go's list of goroutines: its heap profile is /debug/pprof/heap
  [2]

A difference is two snapshots: what went, and what came.
  $ heap-info data/pprof/delta.pb.gz
  {"type":"heap.info","file":"data/pprof/delta.pb.gz","format":"pprof","snapshots":2,"sample_types":"inuse_objects inuse_space","samples":4,"locations":3,"functions":3,"value":"inuse_space","size":-1952,"count":11}
  $ heap-to folded data/pprof/delta.pb.gz
  heap-to: warning: data/pprof/delta.pb.gz: the difference of two profiles: this is what came, 3064 bytes; what went, 5016 bytes, is @0, and heap-diff FILE@0 FILE@1 compares them
  (root);main 64
  (root);main;load 3000
  $ heap-to folded data/pprof/delta.pb.gz@0
  (root);main 16
  (root);main;drop 5000
  $ heap-diff --csv data/pprof/delta.pb.gz@0 data/pprof/delta.pb.gz@1
  heap-diff: warning: objects carry no lasting identity: only counts and sizes are compared
  class,count_before,count_after,count_delta,size_before,size_after,size_delta
  load,0,30,30,0,3000,3000
  main,1,2,1,16,64,48
  drop,20,0,-20,5000,0,-5000
  $ heap-trend --csv data/pprof/delta.pb.gz
  class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth
  load,1,30,3000,30,3000,30.0,3000.0,1.0,steady
  main,2,2,64,1,48,1.0,48.0,1.0,steady
  (heap.root),0,0,0,0,0,0.0,0.0,,flat
  drop,1,0,0,-20,-5000,-20.0,-5000.0,1.0,falling
  $ heap-cat --only node data/pprof/delta.pb.gz@0 | grep '"pprof":{"inuse'
  {"type":"node","subtype":3,"identifier":7,"function":7,"script_name":8,"line":30,"heap":{"size":5000,"class":7,"name":7,"count":20},"pprof":{"inuse_objects":-20,"inuse_space":-5000}}
  {"type":"node","subtype":3,"identifier":9,"function":5,"script_name":8,"line":10,"heap":{"size":16,"class":5,"name":5,"count":1},"pprof":{"inuse_objects":-1,"inuse_space":-16}}
  $ heap-to pprof data/pprof/delta.pb.gz@all > again.pb.gz; heap-info again.pb.gz
  {"type":"heap.info","file":"again.pb.gz","format":"pprof","snapshots":2,"sample_types":"inuse_objects inuse_space","samples":4,"locations":3,"functions":3,"value":"inuse_space","size":-1952,"count":11}

No side of it is a heap, and none goes on a series of heaps.
  $ heap-suspects --table data/pprof/delta.pb.gz
  heap-suspects: warning: data/pprof/delta.pb.gz: the difference of two profiles: this is what came, 3064 bytes; what went, 5016 bytes, is @0, and heap-diff FILE@0 FILE@1 compares them
  what came 3.0K
  1. large: load (app.go:20) holds 30 objects: 2.9K, 97.9 % of what came, called
     by main
  … 1 note (--all)
  $ heap-suspects --table data/pprof/delta.pb.gz@0 2>&1 | head -n 2
  what went 4.9K
  1. large: drop (app.go:30) held 20 objects: 4.9K, 99.7 % of what went, called by
  $ heap-suspects --table data/pprof/delta.pb.gz@0 data/pprof/delta.pb.gz@1
  what went and what came 3.0K: 4.9K → 3.0K
  1. large: load (app.go:20) holds 30 objects and has grown 0 → 2.9K: 97.9 % of
     what came, called by main
  … 1 note (--all)
  $ heap-view data/pprof/delta.pb.gz@1 | grep -o -e '"sizes":"[^"]*"' -e '>what came<'
  >what came<
  "sizes":"came"
  $ heap-suspects data/pprof/orders-1.pb.gz data/pprof/delta.pb.gz@1
  heap-suspects: data/pprof/delta.pb.gz@1: dumps of different kinds, a heap and the difference of two, are no series: judge each by itself
  [2]
  $ heap-diff data/pprof/orders-1.pb.gz data/pprof/delta.pb.gz@1
  heap-diff: the files are of different kinds, a heap and the difference of two; --mixed compares them all the same
  [2]
  $ heap-trend data/pprof/orders-1.pb.gz data/pprof/delta.pb.gz
  heap-trend: dumps of different kinds, a heap and the difference of two, are no series; --by file makes one of each
  [2]
  $ heap-view data/pprof/orders-1.pb.gz data/pprof/delta.pb.gz@1 > two.html
  heap-view: dumps of different kinds, a heap and the difference of two, are no series: judge each by itself
  [2]

As a profile it comes back with both sides; of one a warning says that it is one.
  $ heap-to pprof data/pprof/delta.pb.gz | heap-info
  {"type":"heap.info","format":"pprof","snapshots":2,"sample_types":"inuse_objects inuse_space","samples":4,"locations":3,"functions":3,"value":"inuse_space","size":-1952,"count":11}
  $ heap-to pprof data/pprof/delta.pb.gz@0 | heap-info 2>&1
  heap-to: warning: one side of the difference of two profiles is written, the other is left out
  {"type":"heap.info","format":"pprof","snapshots":2,"sample_types":"inuse_objects inuse_space","samples":2,"locations":3,"functions":3,"value":"inuse_space","size":-5016,"count":-21}
  $ heap-cat data/pprof/delta.pb.gz 2> /dev/null | heap-to pprof | heap-info
  heap-to: warning: one side of the difference of two profiles is written, the other is left out
  {"type":"heap.info","format":"pprof","sample_types":"inuse_objects inuse_space","samples":2,"locations":3,"functions":3,"value":"inuse_space","size":3064,"count":32}

Profiles are compared by one value, and not with those that have other names for functions.
  $ heap-info data/pprof/orders-1.pb.gz | jq -r .value
  inuse_space
  $ heap-cat --value alloc_space data/pprof/orders-1.pb.gz > ever.ndjson
  $ heap-diff ever.ndjson data/pprof/orders-3.pb.gz
  heap-diff: the files are of different values, alloc_space and inuse_space (--value takes one for all); --mixed compares them all the same
  [2]
  $ heap-suspects ever.ndjson data/pprof/orders-3.pb.gz
  heap-suspects: data/pprof/orders-3.pb.gz: dumps of different values, alloc_space and inuse_space (--value takes one for all), are no series: judge each by itself
  [2]
  $ heap-trend ever.ndjson data/pprof/orders-3.pb.gz
  heap-trend: dumps of different values, alloc_space and inuse_space (--value takes one for all), are no series; --by file makes one of each
  [2]
  $ heap-diff --csv -n 1 --value alloc_space ever.ndjson data/pprof/orders-3.pb.gz 2> /dev/null
  class,count_before,count_after,count_delta,size_before,size_after,size_delta
  main.note,633,2559,1926,522423,2654019,2131596
  $ heap-to pprof data/pprof/go-debug-1.txt > go.pb.gz
  $ heap-diff go.pb.gz data/pprof/go-debug-1.txt
  heap-diff: the files are of different sources, pprof and go.heap; --mixed compares them all the same
  [2]
  $ heap-suspects go.pb.gz data/pprof/go-debug-1.txt
  heap-suspects: data/pprof/go-debug-1.txt: dumps of different sources, pprof and go.heap, are no series: judge each by itself
  [2]

Frames that are to be dropped leave their bytes to their callers, and come back. Redacted labels do not.
  $ heap-sum --csv --retained data/pprof/drop.pb.gz
  class,count,size,retained
  load(char const*),51,3516,3516
  main,1,64,3580
  operator new(unsigned long),1,8,8
  (heap.root),0,0,3588
  arena,0,0,8
  keep::alloc,0,0,0
  $ heap-to folded data/pprof/drop.pb.gz
  (root);main 64
  (root);main;load(char const*) 3516
  (root);arena;operator new(unsigned long) 8
  $ heap-to pprof data/pprof/drop.pb.gz > again.pb.gz
  $ for file in data/pprof/drop.pb.gz again.pb.gz; do heap-names $file | grep '"pprof' > $(basename $file).txt; done
  $ cmp drop.pb.gz.txt again.pb.gz.txt; grep -c '"frame":' again.pb.gz.txt
  3
  $ heap-redact --all data/pprof/drop.pb.gz | heap-to pprof | heap-info
  heap-to: warning: pprof holds no labels whose keys are not known: 5 left out
  {"type":"heap.info","format":"pprof","sample_types":"inuse_objects inuse_space","samples":5,"locations":5,"functions":5,"value":"inuse_space","size":3588,"count":53}
