heap-top: the largest nodes.

  $ heap-top -n 3 x.heapsnapshot
  {"type":"heap.top","identifier":6177,"subtype":"object","class":"Session","size":16384}
  {"type":"heap.top","identifier":6163,"subtype":"object","class":"Account","size":96}
  {"type":"heap.top","identifier":6165,"subtype":"object","class":"Account","size":96}

  $ heap-top --table x.heapsnapshot
  identifier  class           name           size  subtype
       @6177  Session                       16.0K  object
       @6163  Account                          96  object
       @6165  Account                          96  object
       @6173  (closure)       greet            64  closure
       @6171  Owner                            40  object
          @5  Array                            32  object
       @6175  (string_flat)   Ada Lovelace     24  string_flat
       @6181  (string_flat)   Ada Lovelace     24  string_flat
       @6179  Array                            16  object
          @1  (v8.synthetic)                    0  v8.synthetic

  $ heap-top -n 2 --class 'A*' --csv x.heapsnapshot
  identifier,subtype,class,size
  6163,object,Account,96
  6165,object,Account,96

Another key; nodes without it are left out.

  $ heap-top --key nosuch x.heapsnapshot
  heap-top: warning: no node has a field 'nosuch'
  $ heap-top --key v8.detachedness -n 1 x.heapsnapshot
  {"type":"heap.top","identifier":6177,"subtype":"object","class":"Session","size":16384,"v8.detachedness":2}

On a real dump.

  $ ln -s data/v8/* .
  $ heap-top --table -n 4 leak-3.heapsnapshot.zst
  identifier  class       name                  size  subtype
       @1663  (v8.array)                        256K  v8.array
     @116965  (v8.array)                       56.0K  v8.array
      @44485  (v8.array)  (object properties)  48.1K  v8.array
     @117267  (v8.array)  (object properties)  24.1K  v8.array
  $ heap-top --type Session -n 2 leak-3.heapsnapshot.zst
  {"type":"heap.top","identifier":83263,"subtype":"object","class":"Session","size":56}
  {"type":"heap.top","identifier":83265,"subtype":"object","class":"Session","size":56}
  $ heap-top --subtype native --key v8.detachedness -n 2 leak-3.heapsnapshot.zst
  {"type":"heap.top","identifier":-2112189313,"subtype":"native","class":"Node / BindingData","size":104,"v8.detachedness":2}
  {"type":"heap.top","identifier":-2112189057,"subtype":"native","class":"Node / BindingData","size":40,"v8.detachedness":2}

The number after @ and the identifier both find it again.

  $ heap-sum --id @2112189312 leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"Node / BindingData","count":1,"size":104}
  $ heap-sum --id=-2112189313 leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"Node / BindingData","count":1,"size":104}
  $ heap-sum --id -2112189313 leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"Node / BindingData","count":1,"size":104}

A table is cut to the width at hand.

  $ COLUMNS=72 heap-top --table -n 3 --subtype string_flat leak-3.heapsnapshot.zst
  identifier  class          name                                     size
       @6203  (string_flat)  'use strict';\n// A process that leaks…  2.7K
      @14923  (string_flat)  ^(?:(?:(?:[0-9a-fA-F]{1,4}):){7}(?:(?:…  1.4K
      @16835  (string_flat)  TLS_AES_256_GCM_SHA384:TLS_CHACHA20_PO…   432
  … --wide adds subtype

What is not there cannot be ranked.

  $ heap-top --key retained leak-3.heapsnapshot.zst
  {"type":"heap.top","identifier":1,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"","size":0,"retained":4261351}
  {"type":"heap.top","identifier":6049,"subtype":"object","class":"global","size":40,"retained":3744299}
  {"type":"heap.top","identifier":50531,"subtype":"object","class":"Object","size":80,"retained":1176080,"held_by":"global.__leak"}
  {"type":"heap.top","identifier":78399,"subtype":"object","class":"Map","size":32,"retained":797024,"held_by":"global.__leak.sessions"}
  {"type":"heap.top","identifier":116965,"subtype":"v8.array","class":"(v8.array)","name":"","size":57384,"retained":796992,"held_by":"global.__leak.sessions"}
  {"type":"heap.top","identifier":3,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"(GC roots)","size":0,"retained":501418}
  {"type":"heap.top","identifier":11,"subtype":"v8.synthetic","class":"(v8.synthetic)","name":"(Strong roots)","size":0,"retained":276968}
  {"type":"heap.top","identifier":1663,"subtype":"v8.array","class":"(v8.array)","name":"","size":262160,"retained":262160,"held_by":"number_string_cache"}
  {"type":"heap.top","identifier":43159,"subtype":"closure","class":"(closure)","name":"BuiltinModule","location":"BuiltinModule (node:internal/bootstrap/realm:238:14)","size":64,"retained":261136,"held_by":"process.getBuiltinModule{BuiltinModule}"}
  {"type":"heap.top","identifier":66667,"subtype":"object","class":"Map","size":32,"retained":256936,"held_by":"process.getBuiltinModule{BuiltinModule}.map"}
  $ heap-dom leak-3.heapsnapshot.zst | heap-top --key retained --subtype object -n 3 --csv
  identifier,subtype,class,size,retained,held_by
  6049,object,global,40,3744299,
  50531,object,Object,80,1176080,global.__leak
  78399,object,Map,32,797024,global.__leak.sessions

Of several snapshots each is ranked with the others.

  $ heap-top -n 1 --snapshot all app.mvmheap
  {"type":"heap.top","snapshot":0,"identifier":17,"subtype":"moar.object","class":"größe ✓","size":65535,"external":6000000000}

What keeps most alive, and where it hangs: from the graph, or as heap-dom says.

  $ heap-top --key retained --table -n 6 leak-3.heapsnapshot.zst
  identifier  class           name         size  retained  held_by
          @1  (v8.synthetic)                  0      4.1M
       @6049  global                         40      3.6M
      @50531  Object                         80      1.1M  global.__leak
      @78399  Map                            32      778K  global.__leak.sessions
     @116965  (v8.array)                  56.0K      778K  global.__leak.sessions
          @3  (v8.synthetic)  (GC roots)      0      490K
  … --wide adds subtype
  $ heap-top --key retained -n 2 --class Map leak-3.heapsnapshot.zst
  {"type":"heap.top","identifier":78399,"subtype":"object","class":"Map","size":32,"retained":797024,"held_by":"global.__leak.sessions"}
  {"type":"heap.top","identifier":66667,"subtype":"object","class":"Map","size":32,"retained":256936,"held_by":"process.getBuiltinModule{BuiltinModule}.map"}
  $ heap-dom leak-3.heapsnapshot.zst | heap-filter --class Map | heap-top --key retained -n 1
  {"type":"heap.top","identifier":78399,"subtype":"object","class":"Map","size":32,"retained":797024}

Of several inputs rows name theirs.

  $ heap-top -n 1 x.heapsnapshot app.mvmheap
  {"type":"heap.top","file":"app.mvmheap","identifier":17,"subtype":"moar.object","class":"größe ✓","size":65535,"external":6000000000}
  $ heap-top --key retained x.heapsnapshot app.dartheap | cut -d, -f2 | uniq
  "file":"app.dartheap"
  "file":"x.heapsnapshot"

A part of an annotated stream says what the whole did, whichever node comes first: a dead one retains nothing.

  $ heap-dom data/regressions/dead-before-alive.ndjson | heap-filter --class Job | heap-top --key retained --csv
  identifier,subtype,class,size,retained
  5,object,Job,24,724
  $ heap-dom data/regressions/dead-before-alive.ndjson | heap-filter --class Job | heap-sum --sort retained --csv
  class,count,size,retained
  Job,2,48,724

None of the selected nodes has what is asked for.

  $ heap-top --class 'Shop$Session' --key java.length data/java/shop.hprof.zst
  heap-top: warning: none of these nodes has a field 'java.length'

Numbers that JSON's readers would round stand in hexadecimal, and rank among the others to the last digit.

  $ ids() { echo '{"type":"metadata","key":"version_major","value":"1"}'; for id in '"0x112210f47de97e45"' 1.5 '"0x112210f47de97e46"' 7; do echo '{"type":"node","subtype":1,"identifier":'$((n += 2))',"heap":{"size":16},"field":{"id":'$id'}}'; done; }
  $ n=-1; ids | heap-top --key field.id --json | jq -c '."field.id"'
  "0x112210f47de97e46"
  "0x112210f47de97e45"
  7
  1.5
  $ n=-1; ids | heap-top --key field.id --csv
  identifier,subtype,class,size,field.id
  5,subtype 1,(subtype 1),16,1234567890123456070
  1,subtype 1,(subtype 1),16,1234567890123456069
  7,subtype 1,(subtype 1),16,7
  3,subtype 1,(subtype 1),16,1.5
  $ n=-1; ids | heap-filter --where 'field.id = 1234567890123456070' | heap-sum --by field.id --csv
  field.id,count,size
  1234567890123456070,1,16
