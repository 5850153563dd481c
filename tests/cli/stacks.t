Stacks at which objects were allocated: a V8 snapshot whose allocations were recorded.

By the innermost function, what is still there; the row without a name was allocated before.

  $ heap-sum --by function --table -n 6 traced.heapsnapshot
  function     count   size
  open           611  17.8K
  (anonymous)     63  10.3K
                  93   7.7K
  set              1   7.0K
  note           106   3.4K
  insert          22   2.3K
  … 27 more
  total         1104  63.2K
  $ heap-sum --by function --retained --table -n 3 traced.heapsnapshot
  function     count   size  retained
  open           611  17.8K     17.8K
  (anonymous)     63  10.3K     11.7K
                  93   7.7K     63.2K
  … 30 more
  total         1104  63.2K
  $ heap-sum --by location -n 3 traced.heapsnapshot
  {"type":"heap.sum","location":"open (/srv/app/traced.js:14:14)","count":611,"size":18200}
  {"type":"heap.sum","location":"(anonymous) (/srv/app/traced.js:20:2)","count":58,"size":10336}
  {"type":"heap.sum","count":93,"size":7920}
  $ heap-sum --by function,script_name,line,column --csv -n 3 traced.heapsnapshot
  function,script_name,line,column,count,size
  open,/srv/app/traced.js,14,14,611,18200
  (anonymous),/srv/app/traced.js,20,2,58,10336
  ,,,,93,7920
  $ heap-sum --where 'function=open' --table -n 4 traced.heapsnapshot
  class          count   size
  Object           201   6.3K
  Visit            200   6.2K
  (string_flat)    200   4.7K
  (code)             7    376
  … 1 more
  total            611  17.8K
  $ heap-filter --where 'script_name =~ traced.js and line = 15' traced.heapsnapshot | heap-sum --by location
  {"type":"heap.sum","location":"login (/srv/app/traced.js:15:15)","count":11,"size":512}
  $ heap-top --where 'location =~ login' -n 1 traced.heapsnapshot
  {"type":"heap.top","identifier":80637,"subtype":"code","class":"(code)","name":"system / FeedbackVector","size":104}
  $ heap-diff --by location -n 2 traced.heapsnapshot traced.heapsnapshot --all
  heap-diff: warning: number 2 has the objects of number 1: it may be the same dump
  {"type":"heap.diff","count_before":93,"count_after":93,"count_delta":0,"size_before":7920,"size_after":7920,"size_delta":0,"new":0,"gone":0,"kept":85,"new_size":0,"gone_size":0}
  {"type":"heap.diff","location":"#onMessage (node:inspector:81:13)","count_before":2,"count_after":2,"count_delta":0,"size_before":448,"size_after":448,"size_delta":0,"new":0,"gone":0,"kept":2,"new_size":0,"gone_size":0}

By frame, with all that a function called.

  $ heap-tree --by frame --table --cut total=8% traced.heapsnapshot
  heap-tree: 93 objects of 7.7K have no stack
   size       %  count  tree
  55.5K  100.0%   1011  total
  49.2K   88.6%    931    (anonymous) (2 times)
  25.9K   46.7%    634      again
  13.0K   23.5%    454        again (2 times)
  12.6K   22.6%    174        login
   7.0K   12.7%      1          set
   5.1K    9.1%    164          open
  10.1K   18.2%     58      <self>
   6.2K   11.2%    101      setTimeout
   7.0K   12.5%    138      <other>
   5.8K   10.5%     74    processTimers
  $ heap-tree --by frame,class --where 'class=Visit' --cut total=60% traced.heapsnapshot
  {"type":"heap.tree","depth":0,"path":"","size":6400,"count":200}
  {"type":"heap.tree","depth":1,"name":"(anonymous)","path":"(anonymous)","size":6400,"count":200}
  {"type":"heap.tree","depth":2,"name":"(anonymous)","path":"(anonymous);(anonymous)","size":6400,"count":200}
  {"type":"heap.tree","depth":3,"name":"again","path":"(anonymous);(anonymous);again","size":6400,"count":200}
  {"type":"heap.tree","depth":4,"name":"again","path":"(anonymous);(anonymous);again;again","size":4800,"count":150}
  {"type":"heap.tree","depth":4,"name":"again","path":"(anonymous);(anonymous);again;again","class":"Visit","size":4800,"count":150}
  {"type":"heap.tree","depth":3,"name":"again","path":"(anonymous);(anonymous);again","class":"Visit","size":6400,"count":200}
  {"type":"heap.tree","depth":2,"name":"(anonymous)","path":"(anonymous);(anonymous)","class":"Visit","size":6400,"count":200}
  {"type":"heap.tree","depth":1,"name":"(anonymous)","path":"(anonymous)","class":"Visit","size":6400,"count":200}
  {"type":"heap.tree","depth":0,"path":"","class":"Visit","size":6400,"count":200}
  $ heap-tree --by class -n 1 traced.heapsnapshot
  {"type":"heap.tree","depth":0,"path":"","size":64744,"count":1104}
  $ heap-to folded --by frame --count traced.heapsnapshot | grep -e 'again;login;open' -e 'no stack'
  (root);(anonymous);(anonymous);again;again;again;login;open 152
  (root);(anonymous);(anonymous);again;again;again;again;login;open 150
  (root);(anonymous);(anonymous);again;again;login;open 150
  (root);(anonymous);(anonymous);again;login;open 159
  (root);(anonymous);(anonymous);again;login;open;Visit 5
  (no stack) 93
  $ heap-to pprof --by frame traced.heapsnapshot | heap-sum --by function -n 2
  {"type":"heap.sum","function":"open","count":611,"size":18200}
  {"type":"heap.sum","function":"(anonymous)","count":63,"size":10592}
  $ heap-to folded --by class traced.heapsnapshot
  heap-to: no stacks by class: dom or frame
  [2]

One object, and what piles up.

  $ heap-show --table -n 12 --class Visit traced.heapsnapshot | head -n 13
  Visit @80743   (object)   size 32
    v8.trace_node_id  13
  Allocated at (6)
    open (/srv/app/traced.js:14:14)
    login (/srv/app/traced.js:15:15)
    again (/srv/app/traced.js:16:15)
    (anonymous) (/srv/app/traced.js:20:2)
    (anonymous)
    (root)
  Held by (1)
    <132>  (v8.array) @78957   7.0K
  Refers to (3)
    .user       Object @80759   32
  $ heap-show --in --class Visit traced.heapsnapshot | grep -m 2 '"stack"'
  {"type":"heap.show","part":"stack","label":"0","value":"open","location":"open (/srv/app/traced.js:14:14)"}
  {"type":"heap.show","part":"stack","label":"1","value":"login","location":"login (/srv/app/traced.js:15:15)"}
  $ heap-suspects --table traced.heapsnapshot
  heap 63.2K
  1. large: global.app.visits (Map @74195) holds 200 Visit: 29.8K, 47.1 % of the
     heap, allocated by open (traced.js:14:14)
  … 3 notes (--all)
  $ heap-suspects traced.heapsnapshot --fail-on 'allocated =~ open' | grep -o '"allocated":"[^"]*"'
  "allocated":"open (traced.js:14:14)"

The stream has a record for each function and frame before the nodes, and metadata that say so. They go back to where they were.

  $ heap-cat traced.heapsnapshot | grep -m 1 heap.stacks
  {"type":"metadata","key":"heap.stacks","value":"v8.trace_node_id v8.trace_node v8.trace_function"}
  $ heap-cat traced.heapsnapshot | grep '^{"type":"v8.trace_node"' | head -n 2
  {"type":"v8.trace_node","id":1,"function":0,"count":7,"size":568}
  {"type":"v8.trace_node","id":2,"parent":1,"function":6,"count":0,"size":0}
  $ heap-to sqlite -o traced.db traced.heapsnapshot && heap-sum --by function -n 2 traced.db
  {"type":"heap.sum","function":"open","count":611,"size":18200}
  {"type":"heap.sum","function":"(anonymous)","count":63,"size":10592}
  $ heap-names traced.heapsnapshot | heap-sum --by function -n 2
  {"type":"heap.sum","function":"open","count":611,"size":18200}
  {"type":"heap.sum","function":"(anonymous)","count":63,"size":10592}
  $ heap-to v8 traced.heapsnapshot | cmp - <(heap-cat traced.heapsnapshot | heap-to v8)
  $ heap-check traced.heapsnapshot
  $ heap-redact traced.heapsnapshot | heap-sum --by function -n 2
  {"type":"heap.sum","function":"open","count":611,"size":18200}
  {"type":"heap.sum","function":"(anonymous)","count":63,"size":10592}

Java's agents and Android record the trace of each object: the line that allocated it, with a trace without frames for what is not known.

  $ heap-sum --by location --table traced.hprof
  location                                     count  size
                                                 128  3.9K
  app.Server.login (Server.java:31)              120  1.9K
  app.Session.<init> (Session.java:12)           120  1.9K
  java.util.HashMap.resize (HashMap.java:581)      1   528
  total                                          369  8.1K
  $ heap-tree --by frame --table --cut total=0% traced.hprof
  heap-tree: 128 objects of 3.9K have no stack
  size       %  count  tree
  4.3K  100.0%    241  total
  3.8K   87.9%    240    app.Server.main
  3.3K   76.9%    210      app.Server.login
  1.9K   44.0%    120        <self>
  1.4K   33.0%     90        app.Server.open → app.Session.<init>
   480   11.0%     30      app.Server.replay → … 1 more … → app.Session.<init>
   528   12.1%      1    app.Server.login → … 2 more … → java.util.HashMap.resize
  $ heap-show --table -n 8 --class app.Session traced.hprof | head -n 6
  app.Session @67073   (java.instance)   size 16
    java.trace  300002
  Allocated at (4)
    app.Session.<init> (Session.java:12)
    app.Server.open (Server.java:40)
    app.Server.replay (Server.java:52)
  $ heap-suspects --table traced.hprof
  heap 8.1K
  1. large: app.Server.sessions (java.util.HashMap @75281) holds 120 app.Session:
     8.1K, 99.4 % of the heap, allocated by app.Server.open (Server.java:40)
  $ heap-to folded --by frame --count traced.hprof
  (root);app.Server.main;app.Server.login 120
  (root);app.Server.main;app.Server.login;app.Server.open;app.Session.<init> 90
  (root);app.Server.main;app.Server.replay;app.Server.open;app.Session.<init> 30
  (root);app.Server.login;app.Server.open;java.util.HashMap.put;java.util.HashMap.resize 1
  (no stack) 128
  $ heap-check traced.hprof
  $ heap-redact traced.hprof | heap-sum --by location -n 2
  {"type":"heap.sum","count":128,"size":3968}
  {"type":"heap.sum","location":"app.Server.login (Server.java:31)","count":120,"size":1920}
  $ heap-to hprof traced.hprof | heap-cat | grep '"java.trace_node"' | cmp - <(heap-cat traced.hprof | grep '"java.trace_node"')
  $ heap-to hprof traced.heapsnapshot 2> left-out | heap-sum --by function,class --where 'function=open' -n 3
  {"type":"heap.sum","function":"open","class":"Visit","count":200,"size":6400}
  {"type":"heap.sum","function":"open","class":"Object","count":201,"size":4824}
  {"type":"heap.sum","function":"open","class":"java.lang.String","count":200,"size":4800}
  $ grep -c trace left-out
  0
  [1]

A stack without a record is no sound one.

  $ heap-cat traced.hprof | grep -v '"java.trace_node","id":300003' | heap-check --ignore missing-end --ignore wrong-end
  {"type":"heap.check","rule":"record-number","identifier":74753,"line":618,"text":"java.trace of a node names java.trace_node 300003, which is not there"}
  [1]
