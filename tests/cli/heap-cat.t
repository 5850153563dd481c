heap-cat: any dump as a record stream.

  $ heap-cat x.heapsnapshot | head -n 7
  {"type":"metadata","key":"version_major","value":"1"}
  {"type":"metadata","key":"heap.end","value":"expected"}
  {"type":"metadata","key":"generator","value":"heap-cat [VERSION]"}
  {"type":"metadata","key":"target_source","value":"v8.heapsnapshot"}
  {"type":"metadata","key":"heap.identifier","value":"v8"}
  {"type":"metadata","key":"heap.order","value":"strings nodes edges"}
  {"type":"metadata","key":"heap.references","value":"edges"}

  $ heap-cat x.heapsnapshot | grep '"type":"node"'
  {"type":"node","subtype":10,"identifier":1,"heap":{"size":0,"name":1}}
  {"type":"node","subtype":10,"identifier":3,"heap":{"size":0,"name":2}}
  {"type":"node","subtype":4,"identifier":5,"heap":{"size":32,"class":3}}
  {"type":"node","subtype":4,"identifier":6163,"heap":{"size":96,"class":4}}
  {"type":"node","subtype":4,"identifier":6165,"heap":{"size":96,"class":4}}
  {"type":"node","subtype":4,"identifier":6171,"heap":{"size":40,"class":5}}
  {"type":"node","subtype":6,"identifier":6173,"heap":{"size":64,"name":6}}
  {"type":"node","subtype":3,"identifier":6175,"data":8,"heap":{"size":24,"name":8}}
  {"type":"node","subtype":4,"identifier":6177,"heap":{"size":16384,"class":10},"v8":{"detachedness":2}}
  {"type":"node","subtype":4,"identifier":6179,"heap":{"size":16,"class":3}}
  {"type":"node","subtype":3,"identifier":6181,"data":8,"heap":{"size":24,"name":8}}

  $ heap-cat x.heapsnapshot | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=11 edges=11 strings=17"}

Only some record types.

  $ heap-cat --only edge x.heapsnapshot | grep -v metadata
  {"type":"edge","subtype":2,"source":1,"dest":3,"label":-2}
  {"type":"edge","subtype":3,"source":3,"dest":5,"label":9}
  {"type":"edge","subtype":4,"source":3,"dest":6173,"label":6}
  {"type":"edge","subtype":3,"source":3,"dest":6177,"label":11}
  {"type":"edge","subtype":3,"source":3,"dest":6179,"label":12}
  {"type":"edge","subtype":2,"source":5,"dest":6163,"label":-1}
  {"type":"edge","subtype":2,"source":5,"dest":6165,"label":-2}
  {"type":"edge","subtype":3,"source":6163,"dest":6171,"label":7}
  {"type":"edge","subtype":3,"source":6163,"dest":6175,"label":13}
  {"type":"edge","subtype":3,"source":6179,"dest":6173,"label":14}
  {"type":"edge","subtype":3,"source":6179,"dest":6181,"label":13}

  $ heap-cat --only string,node_type x.heapsnapshot | cut -d, -f1 | sort | uniq -c | sed 's/^ *//'
  15 {"type":"node_type"
  15 {"type":"string"

A stream in another spelling, with names and texts in place of numbers, comes out in canonical form; in canonical form it stays as it is, but for where it passed.

  $ cat > odd.ndjson <<END
  > {"type": "metadata", "value": "1", "key": "version_major"}
  > {"name": "object", "nodetypeid": 4, "type": "node_type"}
  > {"type":"node","identifier":7,"subtype":4,"heap":{"class":"Caf\u00e9","size":9e1}}
  > END
  $ heap-cat odd.ndjson | tee even.ndjson
  {"type":"metadata","key":"version_major","value":"1"}
  {"type":"metadata","key":"heap.end","value":"expected"}
  {"type":"metadata","key":"heap.pipeline","value":"heap-cat [VERSION]"}
  {"type":"node_type","nodetypeid":4,"name":"object"}
  {"type":"string","stringid":1099511627776,"data":"Café"}
  {"type":"node","subtype":4,"identifier":7,"heap":{"size":90,"class":1099511627776}}
  {"type":"metadata","key":"heap.end","value":"nodes=1 edges=0 strings=1"}

  $ heap-cat even.ndjson | grep -v -e pipeline -e heap.end > once; grep -v -e pipeline -e heap.end even.ndjson | cmp - once

Several files follow each other.

  $ heap-cat x.ndjson x.heapsnapshot | grep -c version_major
  2

A snapshot that is not there.

  $ heap-cat x.heapsnapshot@1
  heap-cat: x.heapsnapshot@1: no snapshot 1: the file has only snapshot 0
  [2]

  $ heap-cat --snapshot 0 x.heapsnapshot | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=11 edges=11 strings=17"}

The format is named, not detected.

  $ heap-cat --format records x.heapsnapshot
  heap-cat: x.heapsnapshot: line 1: expected a JSON object
  [2]

  $ heap-cat --format v8 x.ndjson
  heap-cat: x.ndjson: byte 53: snapshot: the section is missing
  [2]

On a real dump: a snapshot of Node 20.

  $ ln -s data/v8/* .
  $ heap-cat leak-3.heapsnapshot.zst | wc -l
  355601
  $ heap-cat leak-3.heapsnapshot.zst | tail -n 1
  {"type":"metadata","key":"heap.end","value":"nodes=65050 edges=256265 strings=27645"}
  $ heap-cat leak-3.heapsnapshot.zst | grep -m 2 '"type":"node"'
  {"type":"node","subtype":10,"identifier":1,"heap":{"size":0,"name":1}}
  {"type":"node","subtype":10,"identifier":3,"heap":{"size":0,"name":2}}
  $ heap-cat leak-3.heapsnapshot.zst | grep -m 1 '"type":"edge"'
  {"type":"edge","subtype":2,"source":1,"dest":3,"label":-2}
  $ heap-cat leak-3.heapsnapshot.zst | grep -c '"type":"v8.location"'
  6592
  $ heap-cat --only v8.location leak-3.heapsnapshot.zst | head -n 1
  {"type":"v8.location","object":42065,"script_id":22,"line":108,"column":7}

From a file, a pipe, or a stream, the bytes are the same.

  $ heap-cat leak-3.heapsnapshot.zst | cksum > straight
  $ cat leak-3.heapsnapshot.zst | heap-cat | cksum | cmp - straight

A type that cannot be is refused, one that the stream lacks gives nothing.

  $ heap-cat --only nodes leak-3.heapsnapshot.zst
  heap-cat: invalid value 'nodes' for --only: expected metadata, type, node_type, edge_type, string, node, edge or ns.name; try 'heap-cat --help'
  [2]
  $ heap-cat --only moar.type leak-3.heapsnapshot.zst

A snapshot that was cut off: what stood whole is written, but no end mark.

  $ head -c 20000 bun-jsc.heapsnapshot.zst | heap-cat > part
  heap-cat: zstd data ends early, after 20000 bytes
  [2]
  $ tail -n 1 part
  {"type":"edge","subtype":4,"source":-1969,"dest":1969}
  $ heap-sum --by subtype --csv part
  heap-sum: part: line 9500: the stream was cut off: the end mark that its head promises is missing
  subtype,count,size
  code,1101,133489
  v8.object_shape,623,69776
  v8.hidden,355,31672
  closure,805,28883
  object,219,24178
  string_flat,706,17249
  v8.symbol,30,960
  regular_expression,4,128
  v8.bigint,3,80
  string_sliced,1,32
  v8.synthetic,2,0
  [2]

Streams may follow each other as plain files do.

  $ heap-cat leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst > both
  $ heap-info both | grep -o '"streams":2,"complete":true'
  "streams":2,"complete":true

Tags go with a stream, through filters and into a data set. One that is there already is replaced.

  $ heap-cat --tag pod=17 --tag version='a/b=c%' x.heapsnapshot | heap-cat --tag pod=18 | heap-filter --class 'A*' > tagged.ndjson
  $ grep -n -e heap.tag -e '"type":"type","name":"node"' tagged.ndjson | cut -c1-75
  16:{"type":"metadata","key":"heap.tag.version","value":"a/b=c%"}
  17:{"type":"metadata","key":"heap.tag.pod","value":"18"}
  20:{"type":"type","name":"node","fields":{"subtype":"integer","identifier":
  $ heap-sum --by tag.pod,tag.version,class --csv tagged.ndjson
  tag.pod,tag.version,class,count,size
  18,a/b=c%,Account,2,192
  18,a/b=c%,Array,2,48
  $ heap-to parquet -o tagged --tag version --tag pod tagged.ndjson; ls -d tagged/nodes/*/*
  tagged/nodes/version=a%2Fb%3Dc%25/pod=18
  $ heap-cat --tag pod x.heapsnapshot
  heap-cat: invalid value 'pod' for --tag: expected KEY=VALUE; try 'heap-cat --help'
  [2]
  $ heap-cat --tag 'a b=1' x.heapsnapshot
  heap-cat: the key of a tag is letters, digits and _, not 'a b'; try 'heap-cat --help'
  [2]
  $ heap-cat --tag pod=17 --only metadata x.heapsnapshot | grep -c heap.tag
  1
