heap-sum: group nodes and add up.

  $ heap-sum x.heapsnapshot
  {"type":"heap.sum","class":"Session","count":1,"size":16384}
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  {"type":"heap.sum","class":"(closure)","count":1,"size":64}
  {"type":"heap.sum","class":"(string_flat)","count":2,"size":48}
  {"type":"heap.sum","class":"Array","count":2,"size":48}
  {"type":"heap.sum","class":"Owner","count":1,"size":40}
  {"type":"heap.sum","class":"(v8.synthetic)","count":2,"size":0}

  $ heap-sum --table x.heapsnapshot
  class           count   size
  Session             1  16.0K
  Account             2    192
  (closure)           1     64
  (string_flat)       2     48
  Array               2     48
  Owner               1     40
  (v8.synthetic)      2      0
  total              11  16.4K

  $ heap-sum --table --bytes -n 2 x.heapsnapshot
  class    count   size
  Session      1  16384
  Account      2    192
  … 5 more
  total       11  16776

  $ heap-sum --by subtype --csv --sort count x.heapsnapshot
  subtype,count,size
  object,6,16664
  string_flat,2,48
  v8.synthetic,2,0
  closure,1,64

  $ heap-sum --by class,subtype --tsv --sort -class x.heapsnapshot
  class	subtype	count	size
  (closure)	closure	1	64
  (string_flat)	string_flat	2	48
  (v8.synthetic)	v8.synthetic	2	0
  Account	object	2	192
  Array	object	2	48
  Owner	object	1	40
  Session	object	1	16384

  $ heap-sum --by v8.detachedness x.heapsnapshot
  {"type":"heap.sum","v8.detachedness":2,"count":1,"size":16384}
  {"type":"heap.sum","count":10,"size":392}

The same from a stream, and from names written out.

  $ heap-sum x.heapsnapshot > straight
  $ heap-cat x.heapsnapshot | heap-sum | cmp - straight
  $ heap-cat x.heapsnapshot | jq -c 'select(.type!="edge")' | heap-sum | cmp - straight
  $ heap-names x.heapsnapshot | heap-sum | cmp - straight
  $ heap-names x.heapsnapshot | jq -c 'select(.heap.class=="Account")' | heap-sum
  {"type":"heap.sum","class":"Account","count":2,"size":192}

Two files make one sum.

  $ heap-sum --type Account x.heapsnapshot x.heapsnapshot.gz
  {"type":"heap.sum","class":"Account","count":4,"size":384}

Nothing selected is no error.

  $ heap-sum --type Nobody x.heapsnapshot
  $ heap-sum --type Nobody --csv x.heapsnapshot
  class,count,size

  $ heap-sum --sort weight x.heapsnapshot
  heap-sum: no column 'weight' to sort by: class, count, size; try 'heap-sum --help'
  [2]

A table is cut to the terminal's width, names first.

  $ COLUMNS=20 heap-sum --table -n 3 --by class,subtype x.heapsnapshot
  class     subtype  count   size
  Session   object       1  16.0K
  Account   object       2    192
  (closur…  closure      1     64
  … 4 more
  total                 11  16.4K
