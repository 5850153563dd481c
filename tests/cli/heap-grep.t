heap-grep: search text in values, names and labels.

  $ heap-grep --in label -F owner x.heapsnapshot
  {"type":"heap.grep","identifier":6163,"class":"Account","in":"label","dest":6171,"text":"owner"}
  $ heap-grep -q nobody x.heapsnapshot
  [1]
  $ heap-grep -c e x.heapsnapshot
  {"type":"heap.grep","file":"x.heapsnapshot","count":8}
  $ heap-grep '(' x.heapsnapshot
  heap-grep: bad pattern '(': unclosed group; try 'heap-grep --help'
  [2]

A condition on a field that no node has is most likely misspelt.

  $ heap-grep x --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-grep: warning: no node has a field 'v8.detached'
