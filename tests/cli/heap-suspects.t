heap-suspects: what is wrong in a heap.

  $ ln -s data/v8/* .
  $ heap-suspects leak-3.heapsnapshot.zst | head -n 1
  {"type":"heap.suspect","rank":1,"kind":"accumulation","identifier":78399,"class":"Map","retained":796992,"share":0.1870280106003941,"path":[{"class":"(v8.synthetic)"},{"class":"global","label":"2"},{"class":"Object","label":"__leak"},{"class":"Map","label":"sessions"}],"holds":[{"class":"Session","count":1200,"retained":739200},{"class":"(v8.object_shape)","count":1,"retained":408}],"text":"Map @78399 at global.__leak.sessions holds 1200 Session: 778K, 18.7 % of the heap"}
  $ heap-suspects --table leak-3.heapsnapshot.zst
  1. Map @78399 at global.__leak.sessions holds 1200 Session: 778K, 18.7 % of the heap
     also 1 (v8.object_shape): 408
  2. Map @66667 at global.setImmediate{require}{BuiltinModule}.map holds 333 BuiltinModule: 251K, 6.0 % of the heap
     also 2 Object: 16.5K
     also 13 (closure): 3.5K
  3. Object @44949 at global.Error.prepareStackTrace{codes} holds 215 (closure): 245K, 5.9 % of the heap
     also 1 (v8.array): 12.1K
     also 1 (v8.object_shape): 16
  4. Object @78401 at global.__leak.cache holds 450 CacheEntry: 217K, 5.2 % of the heap
     also 1 (v8.array): 34.6K
     also 1 (v8.object_shape): 216
  $ heap-suspects --csv --share 10 leak-3.heapsnapshot.zst | cut -d, -f1-6
  rank,kind,identifier,class,retained,share
  1,accumulation,78399,Map,796992,0.1870280106003941

A dump in which nothing retains that much.

  $ heap-suspects --share 99 leak-3.heapsnapshot.zst
  [1]
  $ heap-suspects --share 200 leak-3.heapsnapshot.zst
  heap-suspects: --share takes 0 to 100; try 'heap-suspects --help'
  [2]
  $ heap-suspects - < leak-3.heapsnapshot.zst | cut -c1-60
  {"type":"heap.suspect","rank":1,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":2,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":3,"kind":"accumulation","ident
  {"type":"heap.suspect","rank":4,"kind":"accumulation","ident
  $ heap-suspects /dev/null
  heap-suspects: /dev/null: empty input
  [2]
  $ heap-suspects x.heapsnapshot absent.heapsnapshot > /dev/full
  heap-suspects: absent.heapsnapshot: no such file or directory
  heap-suspects: write: no space left on device
  [2]
