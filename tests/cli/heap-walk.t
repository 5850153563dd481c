heap-walk: write what objects lead to, and what leads to them.

  $ heap-walk --class Account --depth 1 x.heapsnapshot | heap-sum
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  {"type":"heap.sum","class":"Owner","count":1,"size":40}
  {"type":"heap.sum","class":"(string_flat)","count":1,"size":24}
  $ heap-walk --class Owner --back --depth 1 x.heapsnapshot | heap-sum
  {"type":"heap.sum","class":"Account","count":1,"size":96}
  {"type":"heap.sum","class":"Owner","count":1,"size":40}
  $ heap-walk --unreachable x.heapsnapshot | heap-sum

With its reason: the path from the root to it.

  $ heap-walk --class Owner --with-path x.heapsnapshot | heap-path --class Owner --table
  Owner @6171 (40 bytes), at Account.owner,
  is kept alive by
    .owner     in  Account @6163
    [0]        in  Array @5
    .accounts  in  (v8.synthetic) (GC roots) @3
    [1]        in  (v8.synthetic) @1, a root
  $ heap-walk --class Owner x.heapsnapshot | heap-path --class Owner
  {"type":"heap.path","path":0,"step":0,"identifier":6171,"class":"Owner","size":40}
  $ heap-walk --with-path x.heapsnapshot
  heap-walk: --with-path: the path to which objects? Say --id @N, --class NAME or the like; try 'heap-walk --help'
  [2]

Of several snapshots there is no one graph: nothing is written.

  $ heap-walk --snapshot all app.mvmheap
  heap-walk: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]

A condition on a field that no node has is most likely misspelt.

  $ heap-walk --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-walk: warning: no node has a field 'v8.detached'
