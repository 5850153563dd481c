heap-strings: find equal strings.

  $ heap-strings --min-count 1 x.heapsnapshot
  {"type":"heap.strings","count":2,"size":48,"wasted":24,"length":12,"cut":false,"first":6175,"text":"Ada Lovelace"}
  $ heap-strings --table --min-count 1 x.heapsnapshot
  count  size  wasted  length  cut    first  text
      2    48      24      12  false  @6175  Ada Lovelace
      2    48      24                        total
  $ heap-strings app.mvmheap
  heap-strings: warning: no node has text: the source does not say what its strings hold

A condition on a field that no node has is most likely misspelt.

  $ heap-strings --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-strings: warning: no node has a field 'v8.detached'
