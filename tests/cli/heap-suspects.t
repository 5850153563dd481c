heap-suspects: what is wrong in a heap.

  $ ln -s data/v8/* .
  $ heap-suspects leak-3.heapsnapshot.zst | head -n 1
  {"type":"heap.suspect","rank":1,"level":"large","kind":"accumulation","identifier":78399,"class":"Map","retained":797024,"share":0.18703551995599518,"place":"global.__leak.sessions","path":[{"class":"(v8.synthetic)"},{"class":"global","label":"2"},{"class":"Object","label":"__leak"},{"class":"Map","label":"sessions"}],"holds":[{"class":"Session","count":1200,"retained":739200}],"text":"global.__leak.sessions (Map @78399) holds 1200 Session: 778K, 18.7 % of the heap"}
  $ heap-suspects --table leak-3.heapsnapshot.zst
  heap 4.1M
  1. large: global.__leak.sessions (Map @78399) holds 1200 Session: 778K, 18.7 %
     of the heap
  … 12 notes (--all)
  $ heap-suspects --csv --share 10 leak-3.heapsnapshot.zst | cut -d, -f1-6
  rank,level,kind,identifier,class,retained
  1,large,accumulation,78399,Map,797024
  2,note,class,,Object,522932

Several dumps of one process: what has grown comes first, with what each later one added.

  $ heap-suspects leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst --csv | cut -d, -f1-7
  rank,level,kind,identifier,class,retained,share
  1,leak,growth,78399,Map,797024,0.18703551995599518
  2,leak,growth,78401,Object,222032,0.0521036638380645
  3,leak,growth,82721,Array,66896,0.015698307884048978
  4,note,accumulation,6083,process,59812,0.014035924287860822
  5,note,accumulation,1663,(v8.array),262160,0.06152039576181357
  6,note,accumulation,66667,Map,256936,0.06029449345993794
  7,note,accumulation,44949,Object,251200,0.0589484414684451
  8,note,class,,Object,174292,0.040900643950709525
  9,note,class,,(string_flat),155816,0.036564929760538385
  10,note,accumulation,6087,Object,97440,0.02286598780527584
  11,note,accumulation,6069,(closure),81920,0.01922395033875407
  12,note,closures,,(closure),77256,0.018129461759897273
  13,note,accumulation,6047,(v8.hidden),57256,0.013436114509224892
  $ heap-suspects --table -n 2 leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst
  heap 4.1M: 3.3M → 4.1M; the rows explain 97 % of the growth
  1. large: global.__leak.sessions (Map @78399) holds 1200 Session and has grown
     239K → 778K: 18.7 % of the heap
  2. large: global.__leak.cache (Object @78401) holds 450 CacheEntry and has grown
     68.8K → 217K: 5.2 % of the heap
  … 1 more, 10 notes (--all)
  $ COLUMNS=40 heap-suspects --table -n 1 leak-3.heapsnapshot.zst
  heap 4.1M
  1. large: global.__leak.sessions (Map
     @78399) holds 1200 Session: 778K,
     18.7 % of the heap
  … 12 notes (--all)

Objects that cannot be known again: growth is that of their classes.

  $ heap-suspects data/moarvm/v3.mvmheap@0 data/moarvm/v3.mvmheap@1 --csv | cut -d, -f1-7
  heap-suspects: warning: objects cannot be known again in these dumps; growth is that of places with the same name
  rank,level,kind,identifier,class,retained,external
  1,large,accumulation,17,größe ✓,65535,6000000000

A gate: status 1 if a suspect is like this, and only such rows.

  $ heap-suspects leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'kind=growth and holds=Session' --csv | cut -d, -f1-5
  rank,level,kind,identifier,class
  1,large,growth,78399,Map
  $ heap-suspects leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'growth > 1M'
  $ heap-suspects leak-3.heapsnapshot.zst --fail-on 'retained > 15% of total' --csv | cut -d, -f1-5
  rank,level,kind,identifier,class
  1,large,accumulation,78399,Map
  $ heap-suspects leak-3.heapsnapshot.zst --fail-on 'size > 1M'
  heap-suspects: --fail-on: character 1: no column 'size'; there are rank, retained, external, share, growth, turnover, count, runtime, snapshot, level, kind, class, holds, behind, allocated, path; try 'heap-suspects --help'
  [2]

Waste: equal strings, nearly empty arrays, detached nodes.

  $ heap-suspects --table -n 2 data/suspects/duplicates.heapsnapshot.zst
  heap 3.7M
  1. large: global.shop.tables (Array @6173) holds 100 Object: 871K, 23.3 % of the
     heap
  2. waste: equal strings waste 606K, 16.2 %: 6001 times "The former Yugoslav
     Republic of Macedon…" (562K), such as global.shop.tables.rows[28].country
  … 11 notes (--all)
  $ heap-suspects --table -n 2 data/suspects/sparse.heapsnapshot.zst
  heap 4.1M
  1. large: global.site.visitors (Set @6167) holds 700 Visitor: 1.3M, 31.8 % of
     the heap
  2. waste: 700 Array nearly empty or full of small numbers: 1.1M, 26.0 % of the
     heap, such as global.site.visitors.slots
  … 11 notes (--all)
  $ heap-suspects --table -n 2 dom.heapsnapshot.zst
  heap 1.6M
  1. waste: detached nodes retain 107K, 6.6 % of the heap: 20 <button>, such as
     <div> @39001 at Window.detachedTree
  … 17 notes (--all)

Nothing stands out.

  $ heap-suspects --share 99 leak-3.heapsnapshot.zst
  $ heap-suspects --share 200 leak-3.heapsnapshot.zst
  heap-suspects: --share takes 0 to 100; try 'heap-suspects --help'
  [2]
  $ heap-suspects - < leak-3.heapsnapshot.zst | cut -c1-60
  {"type":"heap.suspect","rank":1,"level":"large","kind":"accu
  {"type":"heap.suspect","rank":2,"level":"note","kind":"accum
  {"type":"heap.suspect","rank":3,"level":"note","kind":"accum
  {"type":"heap.suspect","rank":4,"level":"note","kind":"accum
  {"type":"heap.suspect","rank":5,"level":"note","kind":"accum
  {"type":"heap.suspect","rank":6,"level":"note","kind":"accum
  {"type":"heap.suspect","rank":7,"level":"note","kind":"accum
  {"type":"heap.suspect","rank":8,"level":"note","kind":"class
  {"type":"heap.suspect","rank":9,"level":"note","kind":"class
  {"type":"heap.suspect","rank":10,"level":"note","kind":"accu
  {"type":"heap.suspect","rank":11,"level":"note","kind":"accu
  {"type":"heap.suspect","rank":12,"level":"note","kind":"clos
  {"type":"heap.suspect","rank":13,"level":"note","kind":"accu
  $ heap-suspects /dev/null
  heap-suspects: /dev/null: empty input
  [2]
  $ heap-suspects absent.heapsnapshot leak-3.heapsnapshot.zst > /dev/full
  heap-suspects: absent.heapsnapshot: no such file or directory
  heap-suspects: write: no space left on device
  [2]

A known suspect passes.

  $ echo "path ~ '*.sessions' # ticket 17" > known.txt
  $ heap-suspects leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'growth > 400K' --baseline known.txt
  heap-suspects: known: growth: Map at global.__leak.sessions: ticket 17
  $ heap-suspects leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'growth > 400K' --report github | wc -l
  ::error title=heap-suspects%3A growth%3A Map at global.__leak.sessions::leak-3.heapsnapshot.zst: growth: Map at global.__leak.sessions: global.__leak.sessions (Map @78399) holds 1200 Session and has grown 239K → 778K: 18.7 %25 of the heap
  1

The heaps of a process with workers stood side by side: each is judged by itself, and none is chosen in silence.

  $ heap-suspects --table crew.core
  heap-suspects: warning: crew.core: 2 isolates, this is one: main (6M of pages); the others are @0 worker 1 (10M), and @all is all of them
  heap-suspects: warning: no root reaches 5772 objects over strong references, 10.8 % of the heap: as garbage they are left out
  main: heap 3.7M + 1.4M outside
  nothing stands out
  … 19 notes (--all)
  $ heap-suspects --table crew.core@all
  heap-suspects: warning: worker 1, main: no root reaches a part of the heap over strong references: as garbage it is left out, or the dump lacks references
  nothing stands out in main, worker 1: 4.6M to 5.1M each
  $ heap-suspects --csv crew.core@all | cut -d, -f1-6 | head -n 3
  heap-suspects: warning: worker 1, main: no root reaches a part of the heap over strong references: as garbage it is left out, or the dump lacks references
  snapshot,rank,level,kind,identifier,class
  worker 1,1,note,closures,,(closure)
  worker 1,2,note,accumulation,9261037473329,process
  $ heap-suspects crew.core@all --fail-on 'snapshot=main and retained>400K' --csv | cut -d, -f1-4
  heap-suspects: warning: worker 1, main: no root reaches a part of the heap over strong references: as garbage it is left out, or the dump lacks references
  snapshot,rank,level,kind
  main,3,note,accumulation
  $ heap-cat crew.core@all | heap-suspects --table
  heap-suspects: warning: worker 1, main: no root reaches a part of the heap over strong references: as garbage it is left out, or the dump lacks references
  nothing stands out in main, worker 1: 4.6M to 5.1M each
  $ heap-suspects --table crew.core@main crew.core@worker:1
  heap-suspects: crew.core@worker:1: this is the heap of worker 1, the dump before that of main: they are no series, judge each by itself
  [2]
  $ heap-sum --class Sailor --class Captain crew.core@all
  {"type":"heap.sum","snapshot":"main","class":"Captain","count":30,"size":960}
  {"type":"heap.sum","snapshot":"worker 1","class":"Sailor","count":12,"size":384}
  $ heap-sum --by snapshot --class Sailor --class Captain crew.core@all
  {"type":"heap.sum","snapshot":"main","count":30,"size":960}
  {"type":"heap.sum","snapshot":"worker 1","count":12,"size":384}
  $ heap-trend crew.core
  heap-trend: crew.core: worker 1, main side by side in one process are no series: choose one, such as crew.core@main
  [2]

Dumps that are no series are refused, and one that is there twice is named.

  $ heap-suspects leak-1.heapsnapshot.zst data/java/small.phd
  heap-suspects: data/java/small.phd: dumps of different virtual machines, v8.heapsnapshot and java.phd, are no series: judge each by itself
  [2]
  $ heap-suspects leak-1.heapsnapshot.zst data/pprof/orders-1.pb.gz
  heap-suspects: data/pprof/orders-1.pb.gz: dumps of different virtual machines, v8.heapsnapshot and pprof, are no series: judge each by itself
  [2]
  $ heap-view -o page.html leak-1.heapsnapshot.zst data/java/small.phd
  heap-view: dumps of different virtual machines, v8.heapsnapshot and java.phd, are no series: judge each by itself
  [2]
  $ heap-suspects --table leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst leak-1.heapsnapshot.zst -n 1
  heap-suspects: warning: the dumps are not in the order of time: number 3 has no object as young as those of number 2
  heap 3.3M: 3.3M → 4.1M → 3.3M
  nothing stands out
  … 14 notes (--all)
  $ heap-suspects --table leak-3.heapsnapshot.zst leak-3.heapsnapshot.zst
  heap-suspects: warning: number 2 has the objects of number 1: it may be the same dump
  heap 4.1M: 4.1M → 4.1M
  1. large: global.__leak.sessions (Map @78399) holds 1200 Session: 778K, 18.7 %
     of the heap
  … 12 notes (--all)
  $ heap-suspects --table data/pprof/orders-1.pb.gz data/pprof/orders-1.pb.gz data/pprof/orders-2.pb.gz | head -n 1
  heap-suspects: warning: number 2 has the objects of number 1: it may be the same dump
  heap 2.4M: 1.4M → 1.4M → 2.4M; the rows explain 100 % of the growth

Where nothing is listed the reason is said: a condition, damage, no bytes.

  $ heap-suspects --table leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on level=waste
  heap 4.1M: 3.3M → 3.7M → 4.1M; the rows explain 97 % of the growth
  no suspect meets the condition
  $ head -c 300000 leak-1.heapsnapshot.zst | heap-suspects --table
  heap-suspects: zstd data ends early, after 300000 bytes
  heap 3.3M; the input could not be read to its end
  nothing stands out
  … 8 notes (--all)
  [2]
  $ printf '{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"selfSize":0,"id":1,"children":[]},"samples":[]}' | heap-suspects --table
  heap 0
  there is nothing to judge: no object takes space
