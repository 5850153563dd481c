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
