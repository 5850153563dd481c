heap-grep: search text in values, names and labels.

  $ heap-grep --in label -F owner x.heapsnapshot
  {"type":"heap.grep","identifier":6163,"class":"Account","in":"label","dest":6171,"text":"owner"}
  $ heap-grep -q nobody x.heapsnapshot
  [1]
  $ heap-grep -c e absent x.heapsnapshot
  heap-grep: absent: no such file or directory
  {"type":"heap.grep","file":"x.heapsnapshot","count":8}
  [2]
  $ heap-grep -c e x.heapsnapshot
  {"type":"heap.grep","file":"x.heapsnapshot","count":8}
  $ heap-grep '(' x.heapsnapshot
  heap-grep: bad pattern '(': unclosed group; try 'heap-grep --help'
  [2]

A condition on a field that no node has is most likely misspelt.

  $ heap-grep x --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-grep: warning: no node has a field 'v8.detached'

A text that is kept in parts is joined, whether it is found in one of them or across.

  $ cat > parts.ndjson <<END
  > {"type":"metadata","key":"version_major","value":"1"}
  > {"type":"node_type","nodetypeid":1,"name":"string_flat","fields":{"data":"string"}}
  > {"type":"node_type","nodetypeid":2,"name":"string_cons","fields":{"s1":"value","s2":"value"}}
  > {"type":"string","stringid":1,"data":"eyJhbGciOi.e"}
  > {"type":"string","stringid":2,"data":"yJzdWIiOi"}
  > {"type":"node","subtype":1,"identifier":1,"data":1,"heap":{"size":24}}
  > {"type":"node","subtype":1,"identifier":3,"data":2,"heap":{"size":24}}
  > {"type":"node","subtype":2,"identifier":5,"s1":1,"s2":3,"heap":{"size":32}}
  > {"type":"node","subtype":2,"identifier":7,"s1":1,"s2":3,"heap":{"size":32}}
  > END
  $ heap-grep '[.]eyJ' parts.ndjson
  {"type":"heap.grep","identifier":5,"class":"(string_cons)","in":"value","text":"eyJhbGciOi.eyJzdWIiOi"}
  {"type":"heap.grep","identifier":7,"class":"(string_cons)","in":"value","text":"eyJhbGciOi.eyJzdWIiOi"}
  $ heap-grep -c eyJ parts.ndjson
  {"type":"heap.grep","file":"parts.ndjson","count":3}
  $ heap-strings --csv parts.ndjson
  count,size,wasted,length,cut,first,text
  2,64,32,21,false,5,eyJhbGciOi.eyJzdWIiOi
  $ heap-show --id 5 --csv parts.ndjson
  part,label,kind,identifier,class,value,size
  node,,string_cons,5,(string_cons),,32
  field,s1,,,,1,
  field,s2,,,,3,
  field,heap.size,,,,32,
  field,text,,,,eyJhbGciOi.eyJzdWIiOi,
  out,s1,heap.field,1,(string_flat),,24
  out,s2,heap.field,3,(string_flat),,24
  $ heap-redact --audit --keep '*' parts.ndjson | grep '"finding"'
  [1]
