heap-diff: compare snapshots. Nothing differs from itself; all of it is new against nothing of it.

  $ heap-diff x.heapsnapshot x.heapsnapshot
  $ heap-diff --all --csv -n 2 x.heapsnapshot x.heapsnapshot
  class,count_before,count_after,count_delta,size_before,size_after,size_delta,new,gone,kept,new_size,gone_size
  (closure),1,1,0,64,64,0,0,0,1,0,0
  (string_flat),2,2,0,48,48,0,0,0,2,0,0
  $ heap-filter --class Array x.heapsnapshot > arrays.ndjson
  $ heap-diff --csv arrays.ndjson x.heapsnapshot -n 2
  class,count_before,count_after,count_delta,size_before,size_after,size_delta,new,gone,kept,new_size,gone_size
  Session,0,1,1,0,16384,16384,1,0,0,16384,0
  Account,0,2,2,0,192,192,2,0,0,192,0
  $ heap-diff arrays.ndjson x.heapsnapshot --fail-on 'class=Account and count_delta>1'
  {"type":"heap.diff","class":"Account","count_before":0,"count_after":2,"count_delta":2,"size_before":0,"size_after":192,"size_delta":192,"new":2,"gone":0,"kept":0,"new_size":192,"gone_size":0}
  [1]
  $ heap-diff arrays.ndjson x.heapsnapshot --fail-on 'class=Array and count_delta>0'
  $ heap-diff arrays.ndjson x.heapsnapshot --fail-on 'colour=1'
  heap-diff: --fail-on: character 1: no column 'colour'; there are class, count_before, count_after, count_delta, size_before, size_after, size_delta, new, gone, kept, new_size, gone_size, leaked, leaked_size; try 'heap-diff --help'
  [2]
  $ heap-diff --nodes new arrays.ndjson x.heapsnapshot | heap-sum -n 2
  {"type":"heap.sum","class":"Session","count":1,"size":16384}
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  $ heap-diff x.heapsnapshot
  heap-diff: takes two files or more; try 'heap-diff --help'
  [2]

A dump with cumulative cells only is compared by these.

  $ heap-diff --table --all data/memory-infra/seed-example-v1-cut40.json data/memory-infra/seed-example-v1-full.json
  heap-diff: warning: objects carry no lasting identity: only counts and sizes are compared
  heap-diff: warning: the source does not count all objects: such counts are left out, and no condition on them holds
  class         before  after  delta  size_delta  size_before  size_after
  U                  0                       +39            0          39
  (heap.frame)       0      0      0           0            0           0
  (heap.root)        0      0      0           0            0           0
  T                                            0          698         698
  V                                            0          340         340
  W                                            0          461         461
  <other>                   0                -39           39           0
  total                                        0         1.5K        1.5K
  $ heap-diff --type T data/memory-infra/seed-example-v1-cut40.json data/memory-infra/seed-example-v2.json
  heap-diff: warning: objects carry no lasting identity: only counts and sizes are compared
  heap-diff: warning: the source does not count all objects: such counts are left out, and no condition on them holds
  {"type":"heap.diff","class":"T","count_after":9,"size_before":698,"size_after":698,"size_delta":0}

A condition on a field that no node has is most likely misspelt.

  $ heap-diff --where 'v8.detached=2' x.heapsnapshot x.heapsnapshot
  heap-diff: warning: no node has a field 'v8.detached'

A class of the condition that no file has is most likely misspelt.

  $ heap-diff data/v8/leak-1.heapsnapshot.zst data/v8/leak-2.heapsnapshot.zst --fail-on 'class=Sesion and count_delta>0'
  heap-diff: warning: no file has the class 'Sesion' of --fail-on
