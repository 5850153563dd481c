A stream and a database of somebody who knows the draft and nothing of ours: data/draft/produce.py.

Every tool says the same of both, each object under its own address.
  $ for file in app.ndjson app.db; do
  >   heap-sum --csv --sort class data/draft/$file > sum-$file; heap-check data/draft/$file > check-$file
  >   heap-dom data/draft/$file | grep '"type":"node"' | grep -o '"identifier":[0-9]*\|"idom":[0-9]*\|"reachable":[a-z]*' | paste -sd ' ' | sed 's/ "identifier/\n"identifier/g' | sort > dom-$file
  >   heap-path --all --class '(string_flat)' --csv -n all data/draft/$file > path-$file; heap-strings --csv data/draft/$file > strings-$file
  >   heap-tree --csv data/draft/$file > tree-$file
  > done
  heap-strings: warning: strings in parts whose text is too long or not all there, left out: 3
  heap-strings: warning: strings in parts whose text is too long or not all there, left out: 3
  $ for what in sum dom path strings tree; do cmp $what-app.ndjson $what-app.db && wc -l < $what-app.db; done
  13
  31
  135
  1
  33
  $ grep -ho '"rule":"[a-z-]*"' check-*
  "rule":"missing-end"
  "rule":"missing-version"
  "rule":"missing-end"

  $ heap-sum --csv data/draft/app.ndjson
  class,count,size
  (array),1,0
  (closure),2,0
  (date),1,0
  (function_metadata),2,0
  (heap_number),1,0
  (native),1,0
  (object),5,0
  (oddball),1,0
  (regular_expression),1,0
  (string_cons),3,0
  (string_flat),10,0
  (string_sliced),3,0

What fields refer to is held.
  $ heap-dom data/draft/app.ndjson | grep -c '"reachable":false'
  0
  [1]
  $ heap-path --table --class '(heap_number)' data/draft/app.db
  (heap_number) @69820856304320 (0 bytes) is kept alive by
    <timestamp>  in  (date) @69820856304352
    {when}       in  (closure) @69820856304288
    .listener    in  (object) @69820856303616, a root
  $ heap-strings --csv data/draft/app.db
  heap-strings: warning: strings in parts whose text is too long or not all there, left out: 3
  count,size,wasted,length,cut,first,text

They are edges of other formats.
  $ heap-to v8 data/draft/app.ndjson > app.heapsnapshot; heap-path --table --name 'the second half 1' app.heapsnapshot
  heap-to: warning: the root is not among the nodes: one was made
  heap-to: warning: nodes that lost what held them: 2, now held by (filtered)
  heap-to: warning: identifiers are addresses, too large for a snapshot: nodes were numbered
  heap-to: warning: v8 holds no such fields, left out: constructor 5, script_name 1, position 2, metadata 2, length 17, s1 3, s2 3, source 4, offset 3, value 1, timestamp 1, flags 1, address 1
  heap-to: warning: v8 holds no metadata of other sources: 2 left out
  heap-to: warning: v8 holds no numbers in fields: 3 left out
  (string_flat) the second half 1 @53 (0 bytes), at object.cache[1].text,
  is kept alive by
    <s2>    in  (string_cons) string_cons @19
    .text   in  object @17
    [1]     in  array @9
    .cache  in  object @3
    [1]     in  (v8.synthetic) (filtered) @65
    [1]     in  (v8.synthetic) @1, a root

Numbers that others spell in their own way are the same everywhere.
  $ heap-cat --only node data/regressions/numbers.ndjson
  {"type":"node","subtype":1,"identifier":1,"address":"0x20000000000003"}
  {"type":"node","subtype":1,"identifier":3,"address":"0x20000000000003"}
  {"type":"node","subtype":1,"identifier":5,"address":"0xfffffffffffffff8"}
  {"type":"node","subtype":1,"identifier":7,"address":65536}
  $ heap-to sqlite -o numbers.db data/regressions/numbers.ndjson; heap-cat --only node numbers.db
  {"type":"node","subtype":1,"identifier":1,"address":"0x20000000000003"}
  {"type":"node","subtype":1,"identifier":3,"address":"0x20000000000003"}
  {"type":"node","subtype":1,"identifier":5,"address":"0xfffffffffffffff8"}
  {"type":"node","subtype":1,"identifier":7,"address":65536}
  $ heap-to csv data/regressions/values.ndjson
  identifier,number,subtype,class,name,size,external,count,retained,idom,distance,reachable,app.next,app.next.value
  1,0,object,,,,,,,,,,5,
  5,2,object,,,,,,,,,,,5
  $ heap-to csv --table edges data/regressions/values.ndjson
  source,dest,value,subtype,label
  1,5,,object property,
  1,,5,object property,

A version may come late, and a later one is refused.
  $ heap-sum --csv data/regressions/late-version.ndjson
  class,count,size
  Page,1,24
  $ { cat data/regressions/late-version.ndjson; tail -n 2 data/regressions/late-version.ndjson; } | sed 4d | heap-sum --csv
  heap-sum: warning: standard input: 2 streams follow each other; they are taken as one
  class,count,size
  <string 1>,1,24
  Page,1,24
  $ echo '{"type":"metadata","key":"version_major","value":"2"}' | heap-sum
  heap-sum: line 1: version_major is 2, and only version 1 is known
  [2]

Behind an edge, a version begins another stream, however the lines are written.

  $ heap-cat data/regressions/version-behind-an-edge.ndjson > fast; sed 's/^{/{ /' data/regressions/version-behind-an-edge.ndjson | heap-cat > general; cmp fast general && grep -c version_major fast
  heap-cat: warning: data/regressions/version-behind-an-edge.ndjson: 2 streams follow each other; they are taken as one
  heap-cat: warning: standard input: 2 streams follow each other; they are taken as one
  1
