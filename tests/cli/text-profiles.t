Heap profiles that are text, and differences of profiles.

  $ heap-info data/pprof/gperftools.heap data/pprof/jemalloc.heap data/pprof/go-debug-1.txt
  {"type":"heap.info","file":"data/pprof/gperftools.heap","format":"pprof","producer":"gperftools","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":2,"locations":3,"functions":0,"size":3300,"count":3,"rule":"none"}
  {"type":"heap.info","file":"data/pprof/jemalloc.heap","format":"pprof","producer":"jemalloc","sample_types":"inuse_objects inuse_space","samples":2,"locations":2,"functions":0,"size":19884,"count":6,"rule":"v2","period":"4096"}
  {"type":"heap.info","file":"data/pprof/go-debug-1.txt","format":"pprof","producer":"Go","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":3,"locations":5,"functions":4,"size":304,"count":3,"rule":"v2","period":"1"}
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
  {"type":"heap.info","file":"go.pb.gz","format":"pprof","sample_types":"alloc_objects alloc_space inuse_objects inuse_space","samples":3,"locations":5,"functions":4,"size":304,"count":3}
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
  {"type":"heap.info","file":"data/pprof/delta.pb.gz","format":"pprof","snapshots":2,"sample_types":"inuse_objects inuse_space","samples":4,"locations":3,"functions":3,"size":-1952,"count":11}
  $ heap-to folded data/pprof/delta.pb.gz
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
  {"type":"heap.info","file":"again.pb.gz","format":"pprof","snapshots":2,"sample_types":"inuse_objects inuse_space","samples":4,"locations":3,"functions":3,"size":-1952,"count":11}
