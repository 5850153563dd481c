heap-top: the largest nodes.

  $ heap-top -n 3 x.heapsnapshot
  {"type":"heap.top","identifier":6177,"subtype":"object","class":"Session","size":16384}
  {"type":"heap.top","identifier":6163,"subtype":"object","class":"Account","size":96}
  {"type":"heap.top","identifier":6165,"subtype":"object","class":"Account","size":96}

  $ heap-top --table x.heapsnapshot
  identifier  subtype       class           name           size
       @6177  object        Session                       16.0K
       @6163  object        Account                          96
       @6165  object        Account                          96
       @6173  closure       (closure)       greet            64
       @6171  object        Owner                            40
          @5  object        Array                            32
       @6175  string_flat   (string_flat)   Ada Lovelace     24
       @6181  string_flat   (string_flat)   Ada Lovelace     24
       @6179  object        Array                            16
          @1  v8.synthetic  (v8.synthetic)                    0

  $ heap-top -n 2 --class 'A*' --csv x.heapsnapshot
  identifier,subtype,class,size
  6163,object,Account,96
  6165,object,Account,96

Another key; nodes without it are left out.

  $ heap-top --key retained x.heapsnapshot
  heap-top: warning: no node has a field 'retained'; heap-dom adds it
  $ heap-top --key v8.detachedness -n 1 x.heapsnapshot
  {"type":"heap.top","identifier":6177,"subtype":"object","class":"Session","size":16384,"v8.detachedness":2}

On a real dump.

  $ ln -s data/v8/* .
  $ heap-top --table -n 4 leak-3.heapsnapshot.zst
  identifier  subtype   class       name                  size
       @1663  v8.array  (v8.array)                        256K
     @116965  v8.array  (v8.array)                       56.0K
      @44485  v8.array  (v8.array)  (object properties)  48.1K
     @117267  v8.array  (v8.array)  (object properties)  24.1K
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
  identifier  subtype      class          name                        size
       @6203  string_flat  (string_flat)  'use strict';\n// A proce…  2.7K
      @14923  string_flat  (string_flat)  ^(?:(?:(?:[0-9a-fA-F]{1,4…  1.4K
      @16835  string_flat  (string_flat)  TLS_AES_256_GCM_SHA384:TL…   432

What is not there cannot be ranked.

  $ heap-top --key retained leak-3.heapsnapshot.zst
  heap-top: warning: no node has a field 'retained'; heap-dom adds it
  $ heap-dom leak-3.heapsnapshot.zst | heap-top --key retained --subtype object -n 3 --csv
  identifier,subtype,class,size,retained
  6049,object,global,40,3744299
  50531,object,Object,80,1176080
  78399,object,Map,32,797024

Of several snapshots each is ranked with the others.

  $ heap-top -n 1 --snapshot all app.mvmheap
  {"type":"heap.top","snapshot":0,"identifier":17,"subtype":"moar.object","class":"größe ✓","size":65535,"external":6000000000}
