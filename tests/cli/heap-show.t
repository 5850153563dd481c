heap-show: show an object with its fields and edges.

  $ heap-show x.heapsnapshot
  heap-show: which objects? Say --id @N, a number that heap-top or heap-grep shows, or --class NAME, or --stack; try 'heap-show --help'
  [2]
  $ heap-show --class Owner x.heapsnapshot
  {"type":"heap.show","part":"node","kind":"object","identifier":6171,"class":"Owner","size":40}
  {"type":"heap.show","part":"field","label":"heap.size","value":"40"}
  {"type":"heap.show","part":"in","label":"owner","kind":"object property","identifier":6163,"class":"Account","size":96}
  $ heap-show --out --class Account x.heapsnapshot | grep -c '"part":"out"'
  2
  $ heap-show --in --class Account x.heapsnapshot | grep -c '"part":"out"'
  0
  [1]
  $ heap-show --class Nobody x.heapsnapshot
  heap-show: warning: no node matches --class 'Nobody'
  [1]

For people: what holds it first.

  $ heap-show --table --retained --class Account x.heapsnapshot
  Account @6163   (object)   size 96   retained 160
  Held by (1)
    [0]  Array @5   32
  Refers to (2)
    .owner  Owner @6171   40
    .name   (string_flat) Ada Lovelace @6175   24
  
  Account @6165   (object)   size 96   retained 96
  Held by (1)
    [1]  Array @5   32
  $ heap-show --table --wide --id @6163 x.heapsnapshot
  Account @6163   (object)   size 96
  Held by (1)
    [0]  Array @5   32   (array element)
  Refers to (2)
    .owner  Owner @6171   40   (object property)
    .name   (string_flat) Ada Lovelace @6175   24   (object property)
  $ heap-show --table -n 1 --id @5 x.heapsnapshot
  Array @5   (object)   size 32
  Held by (1)
    .accounts  (v8.synthetic) (GC roots) @3   0
  Refers to (2)
    [0]  Account @6163   96
    … 1 more

A condition on a field that no node has is most likely misspelt.

  $ heap-show --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-show: warning: no node has a field 'v8.detached'
  [1]

The stacks of a core, as on a terminal and as rows; a selection has no meaning there.

  $ heap-show --stack --table app.core
  thread 14335
    pay(RushOrder @60117010280985, 41, "by card", Array @60117010281105)
        shop.js:27:72
    checkout(RushOrder @60117010280985) shop.js:28:35
    new Desk(RushOrder @60117010280985) shop.js:29:67
    open(3) shop.js:30:42
    listOnTimeout(TimersList @60117010299857, 21) node:internal/timers:587:11
    processTimers(21) node:internal/timers:521:7
  … calls of C++ and of V8's own functions are missing: node, as the build
  that ran, is not at hand; --executable FILE names it
  $ heap-show --stack -n 1 app.core
  heap-show: warning: calls of C++ and of V8's own functions are missing: node, as the build that ran, is not at hand; --executable FILE names it
  {"type":"heap.stack","thread":"thread 14335","depth":0,"call":"pay(RushOrder @60117010280985, 41, \"by card\", Array @60117010281105)","function":"pay","script_name":"/srv/shop/shop.js","line":27,"column":72,"identifier":9,"receiver":"undefined","arguments":[{"value":"RushOrder @60117010280985","label":"order","class":"RushOrder","identifier":60117010280985},{"value":"41","label":"amount"},{"value":"\"by card\"","label":"how","identifier":60117010224505},{"value":"Array @60117010281105","label":"3","class":"Array","identifier":60117010281105}],"tier":"interpreted"}
  $ heap-show --stack --table crew.core
  heap-show: warning: crew.core: 2 isolates, this is one: main (6M of pages); the others are @0 worker 1 (10M), and @all is all of them
  thread 14834, main
    kill(14834, "SIGABRT") node:internal/process/per_thread
    abandon() crew.js:8:70
    listOnTimeout(TimersList @53268382094329, 966) node:internal/timers
    processTimers(966) node:internal/timers
  
  thread 14896, worker 1 (its objects are in another snapshot)
    pull(…) crew.js:13:36
    row(…) crew.js:13:79
    listOnTimeout(385, …) node:internal/timers
    processTimers(385, …) node:internal/timers
  … calls of C++ and of V8's own functions are missing: node, as the build
  that ran, is not at hand; --executable FILE names it
  $ heap-show --stack --table crew.core@worker:1
  thread 14834, main (its objects are in another snapshot)
    kill(14834, …) node:internal/process/per_thread
    abandon(…) crew.js:8:70
    listOnTimeout(966, …) node:internal/timers
    processTimers(966, …) node:internal/timers
  
  thread 14896, worker 1
    pull("port", Sailor @5348426156841) crew.js:13:36
    row() crew.js:13:79
    listOnTimeout(TimersList @5348426127657, 385) node:internal/timers
    processTimers(385) node:internal/timers
  … calls of C++ and of V8's own functions are missing: node, as the build
  that ran, is not at hand; --executable FILE names it

Calls that no thread runs: asynchronous functions that wait, with who waits for them.

  $ heap-show --async --table yard.core
  3 at load (yard.js:57) < drive (yard.js:58) < dispatch (yard.js:59)
    load(id: 3) {label: "truck-3"} < drive(id: 3) {speed: Object
        @20125199955729} < dispatch(id: 3)
    load(id: 2) {label: "truck-2"} < drive(id: 2) {speed: Object
        @20125199956025} < dispatch(id: 2)
    load(id: 1) {label: "truck-1"} < drive(id: 1) {speed: Object
        @20125199956385} < dispatch(id: 1)
  $ heap-show --async yard.core | grep -o '"count":3,"function":"load"'
  "count":3,"function":"load"
  "count":3,"function":"load"
  "count":3,"function":"load"
  $ heap-show --async app.core
  heap-show: no call waits
  [1]
  $ heap-show --async --class Order app.core
  heap-show: --async takes no selection; try 'heap-show --help'
  [2]

What is open: timers, sockets, servers, requests.

  $ heap-show --handles --table yard.core
  1 server
    0 connections at 127.0.0.1:0, Server @20125199897121
  1 timer
    lateShift (yard.js:62:49), due 86399.9 s (set for 86400.0 s), Timeout
        @20125199909081
  $ heap-show --handles yard.core
  {"type":"heap.handle","kind":"server","identifier":20125199897121,"class":"Server","what":"0 connections","peer":"127.0.0.1:0"}
  {"type":"heap.handle","kind":"timer","identifier":20125199909081,"class":"Timeout","due":86399989,"after":86400000,"callback":"lateShift (yard.js:62:49)"}
  $ heap-show --handles app.core
  heap-show: nothing is open
  [1]
  $ heap-show --handles --class Timeout app.core
  heap-show: --handles takes no selection; try 'heap-show --help'
  [2]

What cannot say it says so.

  $ heap-show --stack app.heapsnapshot
  heap-show: such an input has no stacks of threads
  [1]
  $ heap-show --async data/java/shop.hprof.zst
  heap-show: such an input does not say which calls wait
  [1]
  $ heap-show --handles data/java/shop.hprof.zst
  heap-show: no timer, socket or request of Node's classes: nothing is open, or the input is none of Node's
  [1]

  $ heap-sum --class Sailor crew.core
  heap-sum: warning: crew.core: 2 isolates, this is one: main (6M of pages); the others are @0 worker 1 (10M), and @all is all of them
  heap-sum: warning: no node matches --class 'Sailor'
  $ heap-sum --class Sailor crew.core@worker:1
  {"type":"heap.sum","class":"Sailor","count":12,"size":384}
  $ heap-sum --class Captain crew.core@main
  {"type":"heap.sum","class":"Captain","count":30,"size":960}
  $ heap-sum crew.core@worker:2
  heap-sum: crew.core@worker:2: no isolate worker 2: there are worker 1, main
  [2]
  $ heap-sum x.heapsnapshot@main
  heap-sum: x.heapsnapshot@main: no isolate main: the input does not say whose isolates it has
  [2]
  $ heap-info --list crew.core | jq -c '[.snapshot, .isolate, .frames]'
  [0,"worker 1",4]
  [1,"main",4]
  $ heap-cat app.core | heap-show --stack --json | wc -l
  heap-show: warning: calls of C++ and of V8's own functions are missing: node, as the build that ran, is not at hand; --executable FILE names it
  6
  $ heap-show --stack x.heapsnapshot
  heap-show: such an input has no stacks of threads
  [1]
  $ heap-show --stack --class Order app.core
  heap-show: --stack takes no selection; try 'heap-show --help'
  [2]
  $ heap-show --stack pid:0
  heap-show: pid:0: no such file or directory
  [2]
  $ heap-show --stack pid:4294967295
  heap-show: pid:4294967295: there is no process 4294967295
  [2]

Nodes that a reader made up have negative numbers, in rows, in tables and behind `--id` alike.

  $ heap-top --key retained --table -n 1 --subtype heap.root data/ruby/cache-2.json.gz
  identifier  class        name  size  retained  subtype
         @-1  (heap.root)  vm       0      1.0M  heap.root
  $ heap-show --id @-1 --csv data/ruby/cache-2.json.gz | head -n 2
  part,label,kind,identifier,class,value,size
  node,,heap.root,-1,(heap.root),vm,

A function reads with its place in the source, and so do those that it refers to.

  $ heap-show --name onTick --subtype closure --table -n 2 data/v8/leak-3.heapsnapshot.zst | head -n 9
  (closure) onTick (leak.js:16:138) @131317   size 64
    metadata  93911
  Held by (2)
    [120]  Array @82721   32
    <120>  (v8.array) (object elements) @131609   1.9K
  Refers to (6)
    .__proto__       (closure) @41629   56
    <feedback_cell>  (code) system / FeedbackCell @93765   24
    … 4 more
  $ heap-show --name onTick --subtype closure data/v8/leak-3.heapsnapshot.zst | head -n 1
  {"type":"heap.show","part":"node","kind":"closure","identifier":131317,"class":"(closure)","value":"onTick","size":64,"location":"onTick (/srv/app/leak.js:16:138)"}

Of several files each object names its own.

  $ heap-show --out --csv --id @6163 x.heapsnapshot x.heapsnapshot
  file,part,label,kind,identifier,class,value,size
  x.heapsnapshot,node,,object,6163,Account,,96
  x.heapsnapshot,field,heap.size,,,,96,
  x.heapsnapshot,out,owner,object property,6171,Owner,,40
  x.heapsnapshot,out,name,object property,6175,(string_flat),Ada Lovelace,24
  x.heapsnapshot,node,,object,6163,Account,,96
  x.heapsnapshot,field,heap.size,,,,96,
  x.heapsnapshot,out,owner,object property,6171,Owner,,40
  x.heapsnapshot,out,name,object property,6175,(string_flat),Ada Lovelace,24
  $ heap-show --out --table --id @6163 x.heapsnapshot x.heapsnapshot
  Account @6163   (object)   size 96   file x.heapsnapshot
  Refers to (2)
    .owner  Owner @6171   40
    .name   (string_flat) Ada Lovelace @6175   24
  
  Account @6163   (object)   size 96   file x.heapsnapshot
  Refers to (2)
    .owner  Owner @6171   40
    .name   (string_flat) Ada Lovelace @6175   24

Where fields of nodes stand for references, objects have these edges with and without what they retain.
  $ cat > fields.ndjson << 'END'
  > {"type":"metadata","key":"version_major","value":"1"}
  > {"type":"metadata","key":"heap.root","value":"1"}
  > {"type":"node_type","nodetypeid":1,"name":"object"}
  > {"type":"node_type","nodetypeid":2,"name":"string_cons","table_name":"string_cons","fields":{"s1":"value","s2":"value"}}
  > {"type":"node_type","nodetypeid":3,"name":"string_flat","table_name":"string_flat","fields":{"data":"string"}}
  > {"type":"edge_type","edgetypeid":1,"name":"object property"}
  > {"type":"string","stringid":1,"data":"left"}
  > {"type":"string","stringid":2,"data":"right"}
  > {"type":"string","stringid":3,"data":"text"}
  > {"type":"node","identifier":1,"subtype":1,"heap":{"size":8}}
  > {"type":"node","identifier":3,"subtype":2,"s1":5,"s2":7,"heap":{"size":16}}
  > {"type":"node","identifier":5,"subtype":3,"data":1,"heap":{"size":24}}
  > {"type":"node","identifier":7,"subtype":3,"data":2,"heap":{"size":32}}
  > {"type":"edge","subtype":1,"source":1,"dest":3,"label":3}
  > END
  $ heap-show --id 3 fields.ndjson | grep -c heap.field
  2
  $ heap-show --retained --id 3 fields.ndjson | grep -v heap.retained > with; heap-show --id 3 fields.ndjson | cmp - with

