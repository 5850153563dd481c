heap-info: what a file is.

  $ heap-info x.ndjson
  {"type":"heap.info","file":"x.ndjson","format":"records","version":"1","producer":"test 1.0","source":"test","identifier":"index","order":"strings nodes edges","nodes":103,"edges":102,"strings":8,"size":4024,"complete":true}

  $ heap-info --table x.ndjson
  file      format   version  producer  source  identifier  order                nodes  edges  strings  size  complete
  x.ndjson  records  1        test 1.0  test    index       strings nodes edges    103    102        8  3.9K  true

  $ heap-info x.heapsnapshot.zst | jq -r .format
  v8.heapsnapshot

  $ heap-info < x.ndjson.zst | jq -c '[.format, .nodes, .file]'
  ["records",103,null]

A stream without its end.

  $ heap-cat x.heapsnapshot | head -n 40 | heap-info | jq .complete
  false
