heap-path: show why objects are alive. Rows in a pipe, sentences on a terminal.

  $ heap-path --class Owner x.heapsnapshot
  {"type":"heap.path","path":0,"step":0,"identifier":1,"class":"(v8.synthetic)","name":"","size":0}
  {"type":"heap.path","path":0,"step":1,"label":"1","kind":"array element","identifier":3,"class":"(v8.synthetic)","name":"(GC roots)","size":0}
  {"type":"heap.path","path":0,"step":2,"label":"accounts","kind":"object property","identifier":5,"class":"Array","size":32}
  {"type":"heap.path","path":0,"step":3,"label":"0","kind":"array element","identifier":6163,"class":"Account","size":96}
  {"type":"heap.path","path":0,"step":4,"label":"owner","kind":"object property","identifier":6171,"class":"Owner","size":40}
  $ heap-path --class Owner --table x.heapsnapshot
  Owner @6171 (40 bytes) is kept alive by
      owner  in  Account @6163   (object property)
      0  in  Array @5   (array element)
      accounts  in  (v8.synthetic) (GC roots) @3   (object property)
      1  in  (v8.synthetic) @1, a root   (array element)
  $ heap-path --class Account --merge class --table x.heapsnapshot
  depth  count  size  ends  class
      0      2   192     0  (v8.synthetic)
      1      2   192     0    (v8.synthetic) (GC roots)
      2      2   192     0      Array
      3      2   192     2        Account
  $ heap-path --class Nobody x.heapsnapshot
  heap-path: warning: no node matches --class 'Nobody'
  [1]
  $ heap-path x.heapsnapshot
  heap-path: which objects? Say --id @N, --class NAME or the like; try 'heap-path --help'
  [2]

Of several snapshots there is no one graph: nothing is written.

  $ heap-path --snapshot all --class VMString app.mvmheap
  heap-path: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]

A condition on a field that no node has is most likely misspelt.

  $ heap-path --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-path: warning: no node has a field 'v8.detached'
  [1]
