heap-show: show an object with its fields and edges.

  $ heap-show x.heapsnapshot
  heap-show: which objects? Say --id @N, --class NAME or the like; try 'heap-show --help'
  [2]
  $ heap-show --class Owner x.heapsnapshot
  {"type":"heap.show","part":"node","kind":"object","identifier":6171,"class":"Owner","size":40}
  {"type":"heap.show","part":"field","label":"heap.size","value":"40"}
  {"type":"heap.show","part":"in","label":"owner","kind":"object property","identifier":6163,"class":"Account","size":96}

A condition on a field that no node has is most likely misspelt.

  $ heap-show --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-show: warning: no node has a field 'v8.detached'
  [1]
