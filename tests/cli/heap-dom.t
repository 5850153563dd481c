heap-dom: annotate nodes with retained size, dominator and distance.

  $ heap-dom x.heapsnapshot | grep '"type":"node"' | head -n 4
  {"type":"node","subtype":10,"identifier":1,"heap":{"size":0,"name":1,"retained":16776,"retained_from":0,"distance":0,"reachable":true}}
  {"type":"node","subtype":10,"identifier":3,"heap":{"size":0,"name":2,"retained":16776,"retained_from":0,"idom":1,"distance":1,"reachable":true}}
  {"type":"node","subtype":4,"identifier":5,"heap":{"size":32,"class":3,"retained":288,"retained_from":0,"idom":3,"distance":2,"reachable":true}}
  {"type":"node","subtype":4,"identifier":6163,"heap":{"size":96,"class":4,"retained":160,"retained_from":32,"idom":5,"distance":3,"reachable":true}}
  $ heap-dom x.heapsnapshot | heap-sum --sort retained -n 3
  {"type":"heap.sum","class":"(v8.synthetic)","count":2,"size":0,"retained":16776}
  {"type":"heap.sum","class":"Session","count":1,"size":16384,"retained":16384}
  {"type":"heap.sum","class":"Array","count":2,"size":48,"retained":328}
  $ heap-sum --sort retained -n 3 x.heapsnapshot
  {"type":"heap.sum","class":"(v8.synthetic)","count":2,"size":0,"retained":16776}
  {"type":"heap.sum","class":"Session","count":1,"size":16384,"retained":16384}
  {"type":"heap.sum","class":"Array","count":2,"size":48,"retained":328}
  $ heap-dom x.heapsnapshot | heap-top --key retained -n 2
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"","size":0,"retained":16776}
  {"type":"heap.top","identifier":3,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"(GC roots)","size":0,"retained":16776}

Of several snapshots there is no one graph: nothing is written.

  $ heap-dom --snapshot all app.mvmheap
  heap-dom: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]

Retained sizes of a part are those of the whole, because nested nodes are known by where their bytes lie.

  $ heap-sum --retained --class Object data/v8/leak-1.heapsnapshot.zst
  {"type":"heap.sum","class":"Object","count":2302,"size":101208,"retained":1360412}
  $ heap-dom data/v8/leak-1.heapsnapshot.zst | heap-filter --class Object | heap-sum
  {"type":"heap.sum","class":"Object","count":2302,"size":101208,"retained":1360412}
  $ heap-dom data/v8/leak-1.heapsnapshot.zst | heap-filter --class Object | sed 's/,"retained_from":[0-9]*//' | heap-sum
  heap-sum: warning: retained is left out: not all nodes have heap.retained_from, which heap-dom adds
  {"type":"heap.sum","class":"Object","count":2302,"size":101208}
  $ heap-filter --class Object data/v8/leak-1.heapsnapshot.zst | heap-sum --retained
  heap-sum: warning: the stream is a part of a heap, without its roots: retained sizes are those within the part
  {"type":"heap.sum","class":"Object","count":2302,"size":101208,"retained":101208}
