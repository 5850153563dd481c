heap-filter: keep selected nodes, the edges among them, and what these refer to.

  $ heap-filter --type Account x.heapsnapshot | grep -v -e metadata -e _type -e '"type":"type"'
  {"type":"string","stringid":4,"data":"Account"}
  {"type":"node","subtype":4,"identifier":6163,"heap":{"size":96,"class":4}}
  {"type":"node","subtype":4,"identifier":6165,"heap":{"size":96,"class":4}}

Both ends of an edge must be kept, unless --edges says otherwise.

  $ heap-filter --type Account --type Owner x.heapsnapshot | grep -c '"type":"edge"'
  1
  $ heap-filter --type Account --edges none x.heapsnapshot | grep -c '"type":"edge"'
  0
  [1]
  $ heap-filter --type Account --edges out x.heapsnapshot | grep -c '"type":"edge"'
  2
  $ heap-filter --type Account --edges in x.heapsnapshot | grep -c '"type":"edge"'
  2
  $ heap-filter --type Account --edges touching x.heapsnapshot | grep -c '"type":"edge"'
  4

All flags must hold; one given twice means either; -v inverts.

  $ nodes() { heap-filter "$@" x.heapsnapshot | heap-cat --only node | cut -d: -f4 | cut -d, -f1 | tr '\n' ' '; echo; }
  $ nodes --class 'A*' --min-size 50
  6163 6165 
  $ nodes --id @6163 --id 6171
  6163 6171 
  $ nodes --subtype closure --type Session
  heap-filter: warning: no node matches --type 'Session'
  
  $ nodes --min-size 1K
  6177 
  $ nodes --max-size 0
  1 3 
  $ nodes --where 'v8.detachedness = 2'
  6177 
  $ nodes -v --subtype object --max-size 20K
  1 3 6173 6175 6181 
  $ nodes --name greet
  6173 
  $ nodes --type 'no such'
  heap-filter: warning: no node matches --type 'no such'
  

What is kept is copied byte for byte.

  $ heap-cat x.heapsnapshot > x.records
  $ heap-filter --class '*' < x.records | grep -v heap.pipeline | grep -v -x -F -f x.records
  {"type":"metadata","key":"heap.end","value":"nodes=6 edges=3 strings=7"}

The metadata name each tool that the stream passed through.

  $ heap-filter --class 'A*' -v x.ndjson | heap-filter --min-size 1 | grep pipeline
  heap-filter: warning: no node matches --class 'A*'
  {"type":"metadata","key":"heap.pipeline","value":"heap-filter [VERSION] --class 'A*' --invert"}
  {"type":"metadata","key":"heap.pipeline","value":"heap-filter [VERSION] --min-size 1"}

  $ heap-filter --edges some x.heapsnapshot
  heap-filter: invalid value 'some' for --edges: expected inner, out, in, touching or none; try 'heap-filter --help'
  [2]

  $ heap-filter --where 'size' x.heapsnapshot
  heap-filter: --where: character 5: expected one of = != < <= > >= ~ !~ =~ in, not the end; try 'heap-filter --help'
  [2]

  $ heap-filter --min-size 1X x.heapsnapshot
  heap-filter: --min-size: expected a number of bytes such as 4096, 10K or 2M, not '1X'; try 'heap-filter --help'
  [2]

  $ heap-filter --id @ x.heapsnapshot
  heap-filter: --id: expected @NUMBER or an identifier, not '@'; try 'heap-filter --help'
  [2]

On a real dump: the nodes of one class, and the edges from them.

  $ ln -s data/v8/* .
  $ heap-filter --class Session leak-3.heapsnapshot.zst | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=1200 edges=0 strings=1"}
  $ heap-filter --class Session --edges out leak-3.heapsnapshot.zst | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=1200 edges=6000 strings=6"}
  $ heap-filter --class Session --edges out leak-3.heapsnapshot.zst | heap-cat --only string | head -n 3
  {"type":"string","stringid":9888,"data":"Session"}
  {"type":"string","stringid":9948,"data":"user"}
  {"type":"string","stringid":10835,"data":"history"}

Who refers to one object?

  $ heap-filter --id @83263 --edges in leak-3.heapsnapshot.zst | heap-names | grep '"type":"edge"'
  {"type":"edge","subtype":"v8.internal","source":116965,"dest":83263,"label":"1028"}

Two filters after each other, and what they say of themselves.

  $ heap-filter --subtype 'string_*' leak-3.heapsnapshot.zst | heap-filter --min-size 1K | heap-sum --csv
  class,count,size
  (string_flat),2,4248
  $ heap-filter -v --type Array leak-3.heapsnapshot.zst | heap-sum --type Array
  heap-sum: warning: no node matches --type 'Array'
  $ heap-filter --where 'v8.detachedness = 2' dom.heapsnapshot.zst | heap-sum --csv -n 2
  class,count,size
  <p>,100,10400
  <div>,50,5200

A part is added up like the whole: the halves of a dump, one after the other.

  $ heap-filter --max-size 100 leak-3.heapsnapshot.zst > small
  $ heap-filter -v --max-size 100 leak-3.heapsnapshot.zst | cat small - | heap-sum | cksum > halves
  heap-sum: warning: standard input: 2 streams follow each other; they are taken as one
  $ heap-sum leak-3.heapsnapshot.zst | cksum | cmp - halves

A field that no node has is most likely misspelt.

  $ heap-filter --where 'heap.szie > 10' leak-3.heapsnapshot.zst | tail -n 1
  heap-filter: warning: no node has a field 'heap.szie'
  {"type":"metadata","key":"heap.end","value":"nodes=0 edges=0 strings=0"}

A stream that has not the records its end mark counts was damaged on the way. No filter makes a sound one of it.

  $ heap-cat x.heapsnapshot | grep -v '"identifier":6175' > lost.ndjson
  $ heap-filter --type Account lost.ndjson | tail -n 1
  heap-filter: warning: lost.ndjson: the end mark says nodes=11 edges=11 strings=17, but nodes=10 edges=11 strings=17 came: records are missing or were added
  {"type":"node","subtype":4,"identifier":6165,"heap":{"size":96,"class":4}}
  $ heap-filter --type Account lost.ndjson 2> /dev/null | heap-sum
  heap-sum: line 49: the stream was cut off: the end mark that its head promises is missing
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  [2]
  $ heap-names lost.ndjson 2> /dev/null | heap-dom 2> /dev/null | heap-top --class Account
  heap-top: line 84: the stream was cut off: the end mark that its head promises is missing
  {"type":"heap.top","identifier":6163,"subtype":"object","class":"Account","size":96,"retained":136}
  {"type":"heap.top","identifier":6165,"subtype":"object","class":"Account","size":96,"retained":96}
  [2]
  $ heap-redact --all lost.ndjson 2> /dev/null | heap-sum --by subtype --tsv 2>&1 > /dev/null
  heap-sum: line 84: the stream was cut off: the end mark that its head promises is missing
  [2]
  $ grep -v heap.end lost.ndjson | heap-filter --type Account | heap-sum
  {"type":"heap.sum","class":"Account","count":2,"size":192}
