heap-suspects: what is wrong in a heap.

  $ ln -s data/v8/* .
  $ heap-suspects leak-3.heapsnapshot.zst | head -n 1
  {"type":"heap.suspect","rank":1,"kind":"accumulation","identifier":78399,"class":"Map","retained":796992,"share":0.1870280106003941,"path":[{"class":"(v8.synthetic)"},{"class":"global","label":"2"},{"class":"Object","label":"__leak"},{"class":"Map","label":"sessions"}],"holds":[{"class":"Session","count":1200,"retained":739200},{"class":"(v8.object_shape)","count":1,"retained":408}],"text":"Map @78399 at global.__leak.sessions holds 1200 Session: 778K, 18.7 % of the heap"}
  $ heap-suspects --table leak-3.heapsnapshot.zst
  1. Map @78399 at global.__leak.sessions holds 1200 Session: 778K, 18.7 % of the
     heap
  2. Object @78401 at global.__leak.cache holds 450 CacheEntry: 217K, 5.2 % of the
     heap
     also 1 (v8.array) (34.6K)
  3. Map @66667 at global.setImmediate{require}{BuiltinModule}.map holds 333
     BuiltinModule: 251K, 6.0 % of the heap, the runtime's own
     also 2 Object (16.5K)
  4. Object @44949 at global.Error.prepareStackTrace{codes} holds 215 (closure):
     245K, 5.9 % of the heap, the runtime's own
  5. 746 Object in many places retain 563K, 13.5 % of the heap
  6. 633 system / Context in many places retain 527K, 12.7 % of the heap
  $ heap-suspects --csv --share 10 leak-3.heapsnapshot.zst | cut -d, -f1-6
  rank,kind,identifier,class,retained,share
  1,accumulation,78399,Map,796992,0.1870280106003941
  2,class,,Object,1245892,0.29237018964173567
  3,class,,system / Context,573308,0.13453667627942406

Several dumps of one process: what has grown comes first, with what each later one added.

  $ heap-suspects leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst --csv | cut -d, -f1-7
  rank,kind,identifier,class,retained,share,growth
  1,growth,78399,Map,796992,0.1870280106003941,566184
  2,growth,78401,Object,222032,0.0521036638380645,156640
  3,growth,82721,Array,66896,0.015698307884048978,45224
  4,accumulation,66667,Map,256904,0.06028698410433687,
  5,accumulation,44949,Object,251200,0.0589484414684451,
  6,class,,Object,576996,0.13540212951244804,
  7,class,,system / Context,539324,0.12656174063108155,
  $ heap-suspects --table -n 2 leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst
  1. Map @78399 at global.__leak.sessions has grown by 553K, 1200 Session: 778K,
     18.7 % of the heap
  2. Object @78401 at global.__leak.cache has grown by 153K, 450 CacheEntry: 217K,
     5.2 % of the heap
     also 1 (v8.array) (34.6K)
  … 5 more
  $ COLUMNS=40 heap-suspects --table -n 1 leak-3.heapsnapshot.zst
  1. Map @78399 at global.__leak.sessions
     holds 1200 Session: 778K, 18.7 % of
     the heap
  … 5 more

Objects that cannot be known again: growth is that of their classes.

  $ heap-suspects data/moarvm/v3.mvmheap@0 data/moarvm/v3.mvmheap@1 --csv | cut -d, -f1-7
  heap-suspects: warning: objects cannot be known again in these dumps; growth is that of classes
  rank,kind,identifier,class,retained,share,path
  1,accumulation,17,größe ✓,65535,0.9877017678708686,"[{""class"":""(moar.root)""}

A gate: status 1 if a suspect is like this, and only such rows.

  $ heap-suspects leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'kind=growth and holds=Session' --csv | cut -d, -f1-5
  rank,kind,identifier,class,retained
  1,growth,78399,Map,796992
  $ heap-suspects leak-1.heapsnapshot.zst leak-3.heapsnapshot.zst --fail-on 'growth > 1M'
  $ heap-suspects leak-3.heapsnapshot.zst --fail-on 'retained > 15% of total' --csv | cut -d, -f1-5
  rank,kind,identifier,class,retained
  1,accumulation,78399,Map,796992
  $ heap-suspects leak-3.heapsnapshot.zst --fail-on 'size > 1M'
  heap-suspects: --fail-on: character 1: no column 'size'; there are rank, retained, share, growth, count, runtime, kind, class, holds, path; try 'heap-suspects --help'
  [2]

Waste: equal strings, nearly empty arrays, detached nodes.

  $ heap-suspects --table -n 2 data/suspects/duplicates.heapsnapshot.zst
  1. Array @6173 at global.shop.tables holds 100 Object: 871K, 23.3 % of the heap
  2. equal strings waste 607K, 16.2 % of the heap: 6001 times "The former Yugoslav
     Republic of Macedon…" (562K), such as global.shop.tables[68].rows[28].country
  … 4 more
  $ heap-suspects --table -n 2 data/suspects/sparse.heapsnapshot.zst
  1. Set @6167 at global.site.visitors holds 700 Visitor: 1.3M, 31.8 % of the heap
  2. 700 nearly empty Array waste 1.1M, 26.0 % of the heap, such as
     global.site.visitors.slots
  … 4 more
  $ heap-suspects --table -n 2 dom.heapsnapshot.zst
  1. detached nodes retain 107K, 6.6 % of the heap: 20 <button>, such as <div>
     @39001 at system / NativeContext / file://.detachedTree
     also 50 <div> (19.6K); 100 <p> (10.2K)
  2. Array @38913 at system / NativeContext / file://.leakedListeners holds 20
     <button>: 86.9K, 5.4 % of the heap
  … 2 more

Nothing stands out.

  $ heap-suspects --share 99 leak-3.heapsnapshot.zst
  $ heap-suspects --share 200 leak-3.heapsnapshot.zst
  heap-suspects: --share takes 0 to 100; try 'heap-suspects --help'
  [2]
  $ heap-suspects - < leak-3.heapsnapshot.zst | cut -c1-60
  {"type":"heap.suspect","rank":1,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":2,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":3,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":4,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":5,"kind":"class","class":"Obje
  {"type":"heap.suspect","rank":6,"kind":"class","class":"syst
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
  ::error title=heap-suspects%3A growth%3A Map at global.__leak.sessions::leak-3.heapsnapshot.zst: growth: Map at global.__leak.sessions: Map @78399 at global.__leak.sessions has grown by 553K, 1200 Session: 778K, 18.7 %25 of the heap
  1
