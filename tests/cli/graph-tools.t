heap-dom, heap-path, heap-walk, heap-diff, heap-strings, heap-grep and heap-show on a small snapshot.

  $ heap-dom x.heapsnapshot | grep '"type":"node"' | head -n 4
  {"type":"node","subtype":10,"identifier":1,"heap":{"size":0,"name":1,"retained":16776,"distance":0,"reachable":true}}
  {"type":"node","subtype":10,"identifier":3,"heap":{"size":0,"name":2,"retained":16776,"idom":1,"distance":1,"reachable":true}}
  {"type":"node","subtype":4,"identifier":5,"heap":{"size":32,"class":3,"retained":288,"idom":3,"distance":2,"reachable":true}}
  {"type":"node","subtype":4,"identifier":6163,"heap":{"size":96,"class":4,"retained":160,"idom":5,"distance":3,"reachable":true}}
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

Why is it alive: rows in a pipe, sentences on a terminal.

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
  [1]
  $ heap-path x.heapsnapshot
  heap-path: which objects? Say --id @N, --class NAME or the like; try 'heap-path --help'
  [2]

What it leads to, and what leads to it.

  $ heap-walk --class Account --depth 1 x.heapsnapshot | heap-sum
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  {"type":"heap.sum","class":"Owner","count":1,"size":40}
  {"type":"heap.sum","class":"(string_flat)","count":1,"size":24}
  $ heap-walk --class Owner --back --depth 1 x.heapsnapshot | heap-sum
  {"type":"heap.sum","class":"Account","count":1,"size":96}
  {"type":"heap.sum","class":"Owner","count":1,"size":40}
  $ heap-walk --unreachable x.heapsnapshot | heap-sum

Nothing differs from itself; all of it is new against nothing of it.

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
  heap-diff: --fail-on: no column 'colour': class, count_before, count_after, count_delta, size_before, size_after, size_delta, new, gone, kept, new_size, gone_size; try 'heap-diff --help'
  [2]
  $ heap-diff --nodes new arrays.ndjson x.heapsnapshot | heap-sum -n 2
  {"type":"heap.sum","class":"Session","count":1,"size":16384}
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  $ heap-diff x.heapsnapshot
  heap-diff: takes two files or more; try 'heap-diff --help'
  [2]

A dump that tells cumulative cells only is compared by these.

  $ heap-diff --table --all data/memory-infra/seed-example-v1-cut40.json data/memory-infra/seed-example-v1-full.json
  heap-diff: warning: objects carry no lasting identity: only counts and sizes are compared
  class         count_before  count_after  count_delta  size_before  size_after  size_delta
  U                        0            1           +1            0          39         +39
  (heap.frame)             0            0            0            0           0           0
  (heap.root)              0            0            0            0           0           0
  T                        1            1            0          698         698           0
  V                        1            1            0          340         340           0
  W                        1            1            0          461         461           0
  <other>                  6            0           -6           39           0         -39
  total                    9            4           -5         1.5K        1.5K           0
  $ heap-diff --type T data/memory-infra/seed-example-v1-cut40.json data/memory-infra/seed-example-v2.json
  heap-diff: warning: objects carry no lasting identity: only counts and sizes are compared
  {"type":"heap.diff","class":"T","count_before":1,"count_after":9,"count_delta":8,"size_before":698,"size_after":698,"size_delta":0}

Of several snapshots there is no one graph: nothing is written.

  $ heap-dom --snapshot all app.mvmheap
  heap-dom: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]
  $ heap-tree --snapshot all app.mvmheap
  heap-tree: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]
  $ heap-path --snapshot all --class VMString app.mvmheap
  heap-path: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]
  $ heap-walk --snapshot all app.mvmheap
  heap-walk: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]
  $ heap-sum --retained --snapshot all app.mvmheap
  heap-sum: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]
  $ heap-top -n 1 --snapshot all app.mvmheap
  {"type":"heap.top","snapshot":0,"identifier":17,"subtype":"moar.object","class":"größe ✓","size":65535,"external":6000000000}

A condition on a field that no node has is most likely misspelt.

  $ for t in path walk tree show strings 'grep x'; do
  >   heap-$t --where 'v8.detached=2' x.heapsnapshot > /dev/null
  > done
  heap-path: warning: no node has a field 'v8.detached'
  heap-walk: warning: no node has a field 'v8.detached'
  heap-tree: warning: no node has a field 'v8.detached'
  heap-show: warning: no node has a field 'v8.detached'
  heap-strings: warning: no node has a field 'v8.detached'
  heap-grep: warning: no node has a field 'v8.detached'
  $ heap-diff --where 'v8.detached=2' x.heapsnapshot x.heapsnapshot
  heap-diff: warning: no node has a field 'v8.detached'

Text.

  $ heap-strings --min-count 1 x.heapsnapshot
  {"type":"heap.strings","count":2,"size":48,"wasted":24,"length":12,"cut":false,"first":6175,"text":"Ada Lovelace"}
  $ heap-strings --table --min-count 1 x.heapsnapshot
  count  size  wasted  length  cut    first  text
      2    48      24      12  false  @6175  Ada Lovelace
      2    48      24                        total
  $ heap-strings app.mvmheap
  heap-strings: warning: no node has text: the source does not tell what its strings hold
  $ heap-grep --in label -F owner x.heapsnapshot
  {"type":"heap.grep","identifier":6163,"class":"Account","in":"label","dest":6171,"text":"owner"}
  $ heap-grep -q nobody x.heapsnapshot
  [1]
  $ heap-grep -c e x.heapsnapshot
  {"type":"heap.grep","file":"x.heapsnapshot","count":8}
  $ heap-grep '(' x.heapsnapshot
  heap-grep: bad pattern '(': unclosed group; try 'heap-grep --help'
  [2]
  $ heap-show x.heapsnapshot
  heap-show: which objects? Say --id @N, --class NAME or the like; try 'heap-show --help'
  [2]
  $ heap-show --class Owner x.heapsnapshot
  {"type":"heap.show","part":"node","kind":"object","identifier":6171,"class":"Owner","size":40}
  {"type":"heap.show","part":"field","label":"heap.size","value":"40"}
  {"type":"heap.show","part":"in","label":"owner","kind":"object property","identifier":6163,"class":"Account","size":96}
