heap-path: show why objects are alive. Rows in a pipe, sentences on a terminal.

  $ heap-path --class Owner x.heapsnapshot
  {"type":"heap.path","path":0,"step":0,"identifier":1,"class":"(v8.synthetic)","name":"","size":0}
  {"type":"heap.path","path":0,"step":1,"label":"1","kind":"array element","identifier":3,"class":"(v8.synthetic)","name":"(GC roots)","size":0}
  {"type":"heap.path","path":0,"step":2,"label":"accounts","kind":"object property","identifier":5,"class":"Array","size":32}
  {"type":"heap.path","path":0,"step":3,"label":"0","kind":"array element","identifier":6163,"class":"Account","size":96}
  {"type":"heap.path","path":0,"step":4,"label":"owner","kind":"object property","identifier":6171,"class":"Owner","size":40,"held_by":"Account.owner"}
  $ heap-path --class Owner --table x.heapsnapshot
  Owner @6171 (40 bytes), at Account.owner,
  is kept alive by
    .owner     in  Account @6163
    [0]        in  Array @5
    .accounts  in  (v8.synthetic) (GC roots) @3
    [1]        in  (v8.synthetic) @1, a root
  $ heap-path --class Account --merge class --table x.heapsnapshot
  count       %  size  example  path
      2  100.0%   192           (v8.synthetic)
      2  100.0%   192           [1]  (v8.synthetic) (GC roots)
      2  100.0%   192           .accounts  Array
      2  100.0%   192    @6163  [0…1]  Account
  $ heap-path --class Nobody x.heapsnapshot
  heap-path: warning: no node matches --class 'Nobody'
  [1]
  $ heap-path --avoid Account --class Owner x.heapsnapshot
  heap-path: x.heapsnapshot: no path to 1 of 1 objects goes around what --avoid names
  [1]
  $ heap-filter --type '*' x.heapsnapshot | heap-path --class Session --table
  Session @6177 (16384 bytes) is kept alive by
    .session  in  (v8.synthetic) (GC roots) @3
    [1]       in  (v8.synthetic) @1, a root
  $ heap-path x.heapsnapshot
  heap-path: which objects? Say --id @N, a number that heap-top or heap-grep shows, or --class NAME; try 'heap-path --help'
  [2]

Of several snapshots there is no one graph: nothing is written.

  $ heap-path --snapshot all --class VMString app.mvmheap
  heap-path: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]

A condition on a field that no node has is most likely misspelt.

  $ heap-path --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-path: warning: no node has a field 'v8.detached'
  [1]

Merged paths have the labels along the way. A list is one step, however long.

  $ heap-path --class Session --merge class after.heapsnapshot
  {"type":"heap.path","depth":0,"count":3,"size":16480,"ends":0,"class":"(v8.synthetic)","share":1.0}
  {"type":"heap.path","depth":1,"count":3,"size":16480,"ends":0,"class":"(v8.synthetic) (GC roots)","label":"1","kind":"array element","share":1.0}
  {"type":"heap.path","depth":2,"count":3,"size":16480,"ends":2,"class":"Session","label":"session, list","kind":"object property","share":1.0,"example":6177}
  {"type":"heap.path","depth":3,"count":1,"size":48,"ends":1,"class":"Session","label":"list","kind":"object property","share":0.3333333333333333,"example":7003}
  $ heap-path --class Session --merge class --table later.heapsnapshot
  count       %   size  example  path
      4  100.0%  16.1K           (v8.synthetic)
      4  100.0%  16.1K           [1]  (v8.synthetic) (GC roots)
      4  100.0%  16.1K    @6177  .session, .list  Session
      2   50.0%     96    @7003  .list  Session  (repeats)
  $ heap-path --type '(string*' --merge label --table x.heapsnapshot
  count       %  size  example  path
      2  100.0%    48           (v8.synthetic)
      2  100.0%    48           [1]  (v8.synthetic) (GC roots)
      1   50.0%    24           ├ .accounts  Array
      1   50.0%    24           │ [0]  Account
      1   50.0%    24    @6175  │ .name  (string_flat) Ada Lovelace
      1   50.0%    24           └ .list  Array
      1   50.0%    24    @6181    .name  (string_flat) Ada Lovelace
  $ heap-path --type '(string*' --merge label --table -n 3 x.heapsnapshot
  count       %  size  example  path
      2  100.0%    48           (v8.synthetic)
      2  100.0%    48           [1]  (v8.synthetic) (GC roots)
      1   50.0%    24           ├ .accounts  Array
  … 4 more

A long list is folded, and a table has a few paths.

  $ ln -s data/v8/* .
  $ node() { echo "{\"type\":\"node\",\"subtype\":1,\"identifier\":$1,\"heap\":{\"size\":8}}"; }
  $ edge() { echo "{\"type\":\"edge\",\"subtype\":1,\"source\":$1,\"dest\":$2}"; }
  $ echo '{"type":"metadata","key":"heap.root","value":"1"}' > list.ndjson
  $ for i in $(seq 1 2 997); do node $i; edge $i $((i + 2)); done >> list.ndjson; node 999 >> list.ndjson
  $ heap-path --table --id 999 list.ndjson
  (subtype 1) @499 (8 bytes) is kept alive by
    <subtype 1>  in  (subtype 1) @498
    … the same step 497 times more …
    <subtype 1>  in  (subtype 1) @0, a root
  $ heap-path --table --class Session leak-3.heapsnapshot.zst | tail -n 3
    <2>        in  (v8.synthetic) @1, a root
  
  … 1197 more objects (-n all); --merge class makes one tree of all
  $ heap-path --table --class Session -n 4 leak-3.heapsnapshot.zst | grep -c 'kept alive by'
  4

Why there is one path only, and all that there are.

  $ heap-path -k 0 --id @83263 leak-3.heapsnapshot.zst
  heap-path: invalid value '0' for --paths: expected a number from 1 on; try 'heap-path --help'
  [2]
  $ heap-path --table -k 3 --id @83263 leak-3.heapsnapshot.zst
  Session @83263 (56 bytes), at global.__leak.sessions,
  is kept alive by
    <1028>     in  (v8.array) @116965
    <table>    in  Map @78399
    .sessions  in  Object @50531
    .__leak    in  global @6049
    <2>        in  (v8.synthetic) @1, a root
    No other path: all lead through global @6049.
  $ heap-path --table --all --id @83263 leak-3.heapsnapshot.zst | tail -n 8
  is kept alive by
    <1028>        in  (v8.array) @116965
    <table>       in  Map @78399
    .sessions     in  Object @50531
    <value>       in  (v8.hidden) system / PropertyCell @50833
    <94>          in  (v8.array) (object properties) @50737
    <properties>  in  global @6049
    <2>           in  (v8.synthetic) @1, a root
  $ heap-path --all --id @83263 leak-3.heapsnapshot.zst | grep -c '"step":0,'
  2
  $ heap-path --all -k 1 --id @83263 --table leak-3.heapsnapshot.zst | tail -n 1
    There may be more paths than these 1; -k N shows N.

Sections of roots are no objects: two ways through them share nothing of the program.
  $ heap-path -k 3 --class Map data/v8/hermes.heapsnapshot
  {"type":"heap.path","path":0,"step":0,"identifier":1,"class":"(v8.synthetic)","name":"","size":0}
  {"type":"heap.path","path":0,"step":1,"label":"1","kind":"array element","identifier":3,"class":"(v8.synthetic)","name":"(GC roots)","size":0}
  {"type":"heap.path","path":0,"step":2,"label":"1","kind":"array element","identifier":5,"class":"(v8.synthetic)","name":"(Registers)","size":0}
  {"type":"heap.path","path":0,"step":3,"label":"1","kind":"array element","identifier":11,"class":"Map","size":48,"held_by":"Object.pageCache"}
  {"type":"heap.path","path":1,"step":0,"identifier":1,"class":"(v8.synthetic)","name":"","size":0}
  {"type":"heap.path","path":1,"step":1,"label":"1","kind":"array element","identifier":3,"class":"(v8.synthetic)","name":"(GC roots)","size":0}
  {"type":"heap.path","path":1,"step":2,"label":"2","kind":"array element","identifier":7,"class":"(v8.synthetic)","name":"(Custom)","size":0}
  {"type":"heap.path","path":1,"step":3,"label":"1","kind":"array element","identifier":9,"class":"Object","size":48}
  {"type":"heap.path","path":1,"step":4,"label":"pageCache","kind":"object property","identifier":11,"class":"Map","size":48,"held_by":"Object.pageCache"}

The way by which the program's source names an object, where the shortest is another.

  $ heap-path --table --class 'Shop$Session' -n 1 data/java/shop.hprof.zst
  Shop$Session @4250662513 (40 bytes), at Shop.SESSIONS[*],
  is kept alive by
    .value       in  java.util.LinkedHashMap$Entry @4250777521
    .head        in  java.util.LinkedHashMap @4250662033
    .SESSIONS    in  java.lang.Class Shop @4250658745
    .appClass    in  java.lang.Class sun.launcher.LauncherHelper @4250642657
    <java.root>  in  (heap.root) sticky class @-3, a root
  
  … 499 more objects (-n all); --merge class makes one tree of all
  $ heap-path --table --named --class 'Shop$Session' -n 1 data/java/shop.hprof.zst
  Shop$Session @4250662513 (40 bytes), at Shop.SESSIONS[*],
  is kept alive by
    .value     in  java.util.LinkedHashMap$Entry @4250777521
    .head      in  java.util.LinkedHashMap @4250662033
    .SESSIONS  in  java.lang.Class Shop @4250658745, a root
  
  … 499 more objects (-n all); --merge class makes one tree of all
  $ heap-path --named --all --class 'Shop$Session' data/java/shop.hprof.zst
  heap-path: --named is one way to each object: no --paths, --all, --merge, --avoid; try 'heap-path --help'
  [2]

Of several files rows name theirs, behind one header, and paths are numbered through.

  $ heap-path --csv --class Account x.heapsnapshot x.heapsnapshot
  file,path,step,label,kind,identifier,class,name,size,location,held_by
  x.heapsnapshot,0,0,,,1,(v8.synthetic),,0,,
  x.heapsnapshot,0,1,1,array element,3,(v8.synthetic),(GC roots),0,,
  x.heapsnapshot,0,2,accounts,object property,5,Array,,32,,
  x.heapsnapshot,0,3,0,array element,6163,Account,,96,,
  x.heapsnapshot,1,0,,,1,(v8.synthetic),,0,,
  x.heapsnapshot,1,1,1,array element,3,(v8.synthetic),(GC roots),0,,
  x.heapsnapshot,1,2,accounts,object property,5,Array,,32,,
  x.heapsnapshot,1,3,1,array element,6165,Account,,96,,
  x.heapsnapshot,2,0,,,1,(v8.synthetic),,0,,
  x.heapsnapshot,2,1,1,array element,3,(v8.synthetic),(GC roots),0,,
  x.heapsnapshot,2,2,accounts,object property,5,Array,,32,,
  x.heapsnapshot,2,3,0,array element,6163,Account,,96,,
  x.heapsnapshot,3,0,,,1,(v8.synthetic),,0,,
  x.heapsnapshot,3,1,1,array element,3,(v8.synthetic),(GC roots),0,,
  x.heapsnapshot,3,2,accounts,object property,5,Array,,32,,
  x.heapsnapshot,3,3,1,array element,6165,Account,,96,,
  $ heap-path --csv --merge class --class Account x.heapsnapshot app.dartheap
  heap-path: app.dartheap: no such object
  file,depth,count,size,ends,class,label,kind,share,example,repeats
  x.heapsnapshot,0,2,192,0,(v8.synthetic),,,1.0,,
  x.heapsnapshot,1,2,192,0,(v8.synthetic) (GC roots),1,array element,1.0,,
  x.heapsnapshot,2,2,192,0,Array,accounts,object property,1.0,,
  x.heapsnapshot,3,2,192,2,Account,0…1,array element,1.0,6163,
  $ heap-path --table --class Account -n 1 x.heapsnapshot x.heapsnapshot
  x.heapsnapshot:
  Account @6163 (96 bytes) is kept alive by
    [0]        in  Array @5
    .accounts  in  (v8.synthetic) (GC roots) @3
    [1]        in  (v8.synthetic) @1, a root
  
  … 1 more object (-n all); --merge class makes one tree of all
  
  x.heapsnapshot:
  Account @6163 (96 bytes) is kept alive by
    [0]        in  Array @5
    .accounts  in  (v8.synthetic) (GC roots) @3
    [1]        in  (v8.synthetic) @1, a root
  
  … 1 more object (-n all); --merge class makes one tree of all
  $ heap-path --table --merge class --class Account x.heapsnapshot x.heapsnapshot
  file            count       %  size  example  path
  x.heapsnapshot      2  100.0%   192           (v8.synthetic)
  x.heapsnapshot      2  100.0%   192           [1]  (v8.synthetic) (GC roots)
  x.heapsnapshot      2  100.0%   192           .accounts  Array
  x.heapsnapshot      2  100.0%   192    @6163  [0…1]  Account
  x.heapsnapshot      2  100.0%   192           (v8.synthetic)
  x.heapsnapshot      2  100.0%   192           [1]  (v8.synthetic) (GC roots)
  x.heapsnapshot      2  100.0%   192           .accounts  Array
  x.heapsnapshot      2  100.0%   192    @6163  [0…1]  Account
