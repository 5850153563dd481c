heap-diff: compare snapshots. Nothing differs from itself; all of it is new against nothing of it.

  $ heap-diff x.heapsnapshot x.heapsnapshot
  heap-diff: warning: number 2 has the objects of number 1: it may be the same dump
  $ heap-diff --all --csv -n 2 x.heapsnapshot x.heapsnapshot
  heap-diff: warning: number 2 has the objects of number 1: it may be the same dump
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
  heap-diff: --fail-on: character 1: no column 'colour'; there are class, count_before, count_after, count_delta, size_before, size_after, size_delta, new, gone, kept, new_size, gone_size, leaked, leaked_size, retained_before, retained_after, retained_delta, new_retained, leaked_retained; try 'heap-diff --help'
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
  heap-diff: warning: number 2 has the objects of number 1: it may be the same dump

A class of the condition that no file has is most likely misspelt.

  $ heap-diff data/v8/leak-1.heapsnapshot.zst data/v8/leak-2.heapsnapshot.zst --fail-on 'class=Sesion and count_delta>0'
  heap-diff: warning: no row has the class 'Sesion' of --fail-on

What classes retain, and what leaked objects do. It is the same from streams that say so.

  $ ln -s data/v8/leak-*.zst .
  $ heap-diff --leaked --retained --csv -n 2 leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst | cut -d, -f1,10-13,18-21
  class,retained_before,retained_2,retained_after,retained_delta,gone_size,leaked,leaked_size,new_retained
  Session,230400,476800,739200,508800,0,400,22400,476800
  Object,1360412,1726444,2121436,761024,3256,1864,75128,369968
  $ for n in 1 2 3; do heap-dom leak-$n.heapsnapshot.zst > dom-$n.ndjson; done
  $ heap-diff --leaked --csv -n 2 dom-1.ndjson dom-2.ndjson dom-3.ndjson | cut -d, -f1,10-13,18-21
  class,retained_before,retained_2,retained_after,retained_delta,gone_size,leaked,leaked_size,new_retained
  Session,230400,476800,739200,508800,0,400,22400,476800
  Object,1360412,1726444,2121436,761024,3256,1864,75128,369968
  $ heap-diff --csv -n 1 dom-1.ndjson leak-3.heapsnapshot.zst | cut -d, -f1-3
  heap-diff: warning: retained sizes are left out: not all files say what nodes retain; --retained works it out
  class,count_before,count_after
  (v8.array),2054,4076
  $ heap-sum --retained --class Session --csv leak-3.heapsnapshot.zst
  class,count,size,retained
  Session,1200,67200,739200
  $ heap-diff --leaked --retained --table -n 3 leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  class     delta  size_delta  leaked  leaked_size  leaked_retained  count_before
  Session    +800      +43.8K     400        21.9K             241K           400
  Object    +4023       +159K    1864        73.4K             175K          2302
  Array     +2021      +63.2K    1011        31.6K             173K          1139
  … 10 more
  total    +16024       +752K    7887         344K                          49026
  … --wide adds count_2, count_after, size_before, size_2, size_after, retained_b…
  $ heap-diff --fail-on 'retained_delta > 760000' leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst | cut -c1-45
  {"type":"heap.diff","class":"Object","count_b
  {"type":"heap.diff","class":"(v8.synthetic)",
  {"type":"heap.diff","class":"global","count_b
  $ heap-diff --retained --csv leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst | grep ^Map, | cut -d, -f1-10
  Map,18,18,0,592,592,0,541160,1092800,551640
  $ heap-diff --retained --fail-on 'retained_delta > 200%' leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst | cut -c1-40
  {"type":"heap.diff","class":"Session","c
  {"type":"heap.diff","class":"CacheEntry"

A baseline: known leaks pass, with a reason each. What has no use there is said.

  $ printf '%s\n' '# known' '' 'class = Session # ticket 17' 'class = Gone # was a leak' > known.txt
  $ heap-diff leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'class in (Session, CacheEntry)' --baseline known.txt --report github | cut -c1-40; echo ${PIPESTATUS[0]}
  heap-diff: known: Session: ticket 17
  heap-diff: warning: known.txt: line 4: no row that fails meets 'class = Gone'
  ::error title=heap-diff%3A CacheEntry::leak-3.heapsnapshot.zst: CacheEntry: class = CacheEntry
  ::notice title=heap-diff%3A Session::leak-3.heapsnapshot.zst: Session: class = Session (known: ticket 17)
  {"type":"heap.diff","class":"CacheEntry"
  1
  $ heap-diff leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'class=Session' --baseline known.txt
  heap-diff: known: Session: ticket 17
  heap-diff: warning: known.txt: line 4: no row that fails meets 'class = Gone'
  $ echo 'class = Session' > bare.txt
  $ heap-diff leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'class=Session' --baseline bare.txt
  heap-diff: bare.txt: line 1: expected a reason behind the condition: CONDITION # REASON
  [2]
  $ heap-diff leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --baseline known.txt
  heap-diff: --baseline and --report say more of --fail-on, which is missing; try 'heap-diff --help'
  [2]
  $ heap-diff leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'class=Session' --report junit
  heap-diff: invalid value 'junit' for --report: expected junit=FILE, gitlab=FILE, github or github=FILE; try 'heap-diff --help'
  [2]

Reports for services, with names that XML and commands cannot hold as they are.

  $ sed 's/Session/a]]><b \\u001b[31m,::\\"\&%\\n/' x.heapsnapshot > odd.heapsnapshot
  $ heap-diff arrays.ndjson odd.heapsnapshot --fail-on 'count_delta = 1 and size_delta > 1K' --report github --report junit=heap.xml --report gitlab=heap.json > rows
  ::error title=heap-diff%3A a]]><b \u{1b}[31m%2C%3A%3A"&%25\n::odd.heapsnapshot: a]]><b \u{1b}[31m,::"&%25\n: count_delta = 1, size_delta = 16384
  [1]
  $ cat heap.xml heap.json
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="heap-diff" tests="1" failures="1" errors="0" skipped="0">
  <testsuite name="heap-diff" tests="1" failures="1" errors="0" skipped="0">
  <properties><property name="fail-on" value="count_delta = 1 and size_delta &gt; 1K"/></properties>
  <testcase classname="heap-diff" name="a]]&gt;&lt;b \u{1b}[31m,::&quot;&amp;%&#10;"><failure type="fail-on" message="count_delta = 1, size_delta = 16384">count_delta = 1, size_delta = 16384</failure></testcase>
  </testsuite>
  </testsuites>
  [
  {"description":"a]]><b \u001b[31m,::\"&%\n: count_delta = 1, size_delta = 16384","check_name":"heap-diff","fingerprint":"21d11592d83764f8","severity":"major","location":{"path":"odd.heapsnapshot","lines":{"begin":1}}}
  ]
  $ heap-diff arrays.ndjson x.heapsnapshot --fail-on 'count_delta > 10' --report junit=heap.xml --report gitlab=heap.json
  $ cat heap.xml heap.json
  <?xml version="1.0" encoding="UTF-8"?>
  <testsuites name="heap-diff" tests="1" failures="0" errors="0" skipped="0">
  <testsuite name="heap-diff" tests="1" failures="0" errors="0" skipped="0">
  <properties><property name="fail-on" value="count_delta &gt; 10"/></properties>
  <testcase classname="heap-diff" name="no row: count_delta &gt; 10"/>
  </testsuite>
  </testsuites>
  [
  ]
  $ heap-diff arrays.ndjson x.heapsnapshot --fail-on 'count_delta > 10' --report junit=/dev/full
  heap-diff: write: /dev/full: no space left on device
  [2]
  $ heap-diff arrays.ndjson absent --fail-on 'count_delta > 10' --report junit=none.xml
  heap-diff: absent: no such file or directory
  [2]
  $ ls none.xml
  ls: cannot access 'none.xml': No such file or directory
  [2]

The total is that of the heap, with what has not changed.
  $ heap='{"type":"node_type","nodetypeid":1,"name":"x.kept"}
  > {"type":"node_type","nodetypeid":2,"name":"x.new"}
  > {"type":"node","subtype":1,"identifier":1,"heap":{"size":1000000}}'
  $ echo "$heap" > one.ndjson; (echo "$heap"; echo '{"type":"node","subtype":2,"identifier":3,"heap":{"size":100}}') > two.ndjson
  $ heap-diff --table --wide one.ndjson two.ndjson
  heap-diff: warning: objects carry no lasting identity: only counts and sizes are compared
  class    before  after  delta  size_delta  size_before  size_after
  (x.new)       0      1     +1        +100            0         100
  total         1      2     +1        +100         977K        977K

By function and line, or by package. Conditions name the grouping.

  $ heap-diff --by location --where 'subtype = closure' --csv -n 1 data/v8/leak-1.heapsnapshot.zst data/v8/leak-3.heapsnapshot.zst
  location,count_before,count_after,count_delta,size_before,size_after,size_delta,new,gone,kept,new_size,gone_size
  onTick (/srv/app/leak.js:16:138),60,180,120,3840,11520,7680,120,0,60,7680,0
  $ heap-diff --by location --fail-on 'location ~ *leak.js* and count_delta > 100' data/v8/leak-1.heapsnapshot.zst data/v8/leak-3.heapsnapshot.zst
  {"type":"heap.diff","location":"onTick (/srv/app/leak.js:16:138)","count_before":60,"count_after":180,"count_delta":120,"size_before":3840,"size_after":11520,"size_delta":7680,"new":120,"gone":0,"kept":60,"new_size":7680,"gone_size":0}
  [1]
  $ heap-diff --by location --csv -n 2 data/pprof/orders-1.pb.gz data/pprof/orders-3.pb.gz 2> /dev/null
  location,count_before,count_after,count_delta,size_before,size_after,size_delta
  main.note (/srv/app/orders.go:25),633,2559,1926,522423,2654019,2131596
  hash/crc32.slicingMakeTable (/usr/lib/go-1.19/src/hash/crc32/crc32_generic.go:59),0,1,1,0,9474,9474
  $ heap-filter -v --class 'java.util.*' data/java/shop.hprof.zst | heap-diff --by package --csv - data/java/shop.hprof.zst 2> /dev/null
  package,count_before,count_after,count_delta,size_before,size_after,size_delta
  java.util,0,3806,3806,0,149280,149280
  java.util.concurrent,0,1296,1296,0,59296,59296
  java.util.concurrent.atomic,0,6,6,0,120,120
  $ heap-diff --by name x.heapsnapshot x.heapsnapshot
  heap-diff: invalid value 'name' for --by: expected class, package or location; try 'heap-diff --help'
  [2]
