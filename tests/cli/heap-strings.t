heap-strings: find equal strings.

  $ heap-strings --min-count 1 x.heapsnapshot
  {"type":"heap.strings","count":2,"size":48,"wasted":24,"length":12,"cut":false,"first":6175,"text":"Ada Lovelace"}
  $ heap-strings --table --min-count 1 x.heapsnapshot
  count  wasted  first  text          size  length  cut
      2      24  @6175  Ada Lovelace    48      12  false
      2      24         total           48
  $ heap-strings --held-by x.heapsnapshot
  {"type":"heap.strings","count":2,"size":48,"wasted":24,"length":12,"cut":false,"first":6175,"text":"Ada Lovelace","held_by":"Account.name"}
  $ heap-strings --held-by --table -n 3 data/v8/leak-3.heapsnapshot.zst
  heap-strings: warning: strings in parts whose text is too long or not all there, left out: 8
  count  wasted   first  text                              held_by       size
    450   14.0K  @93357  vvvvvvvvvvvvvvvv                  Object.blob  14.1K
    450   14.0K  @93359  vvvvvvvvvvvvvvvvvv                Object.blob  14.1K
    450   14.0K  @93361  vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv  Object.blob  14.1K
  … 234 more
   5621    151K          total                                           159K
  … --wide adds length, cut
  $ heap-strings app.mvmheap
  heap-strings: warning: no node has text: the source does not say what its strings hold

A condition on a field that no node has is most likely misspelt.

  $ heap-strings --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-strings: warning: no node has a field 'v8.detached'

Of several inputs rows name theirs.

  $ heap-strings x.heapsnapshot x.heapsnapshot
  {"type":"heap.strings","file":"x.heapsnapshot","count":2,"size":48,"wasted":24,"length":12,"cut":false,"first":6175,"text":"Ada Lovelace"}
  {"type":"heap.strings","file":"x.heapsnapshot","count":2,"size":48,"wasted":24,"length":12,"cut":false,"first":6175,"text":"Ada Lovelace"}

Strings whose records are missing may be any text, so two of them are not equal.

  $ node() { echo "{\"type\":\"node\",\"subtype\":3,\"identifier\":$1,\"data\":$2,\"heap\":{\"size\":24,\"name\":$2}}"; }
  $ kind='{"type":"node_type","nodetypeid":3,"name":"string_flat","fields":{"data":"string"}}'
  $ { echo "$kind"; node 1 7; node 3 8; node 5 8; } | heap-strings --min-count 1
  {"type":"heap.strings","count":2,"size":48,"wasted":24,"length":10,"cut":false,"first":3,"text":"<string 8>"}
  {"type":"heap.strings","count":1,"size":24,"wasted":0,"length":10,"cut":false,"first":1,"text":"<string 7>"}

Where one stream cuts strings another does not.

  $ heap-strings --min-count 1 --sort length --csv data/dart/kinds-pruned.dartheap.gz data/java/shop.hprof.zst | grep -a shop | head -n 2 | cut -d, -f1,5,6
  data/java/shop.hprof.zst,690,false
  data/java/shop.hprof.zst,166,false
