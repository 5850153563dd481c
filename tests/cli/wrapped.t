Snapshots that are JSON come out of whatever is around them: messages of the DevTools protocol, answers, strings, a log,
UTF-16, numbers with fractions. The stream is the same.

  $ for format in v8 webkit; do heap-cat data/wrapped/$format-plain.json > $format.ndjson; done
  $ for format in v8 webkit; do for file in data/wrapped/$format-*; do
  >   heap-cat "$file" > file.ndjson && heap-cat < "$file" | cmp - file.ndjson && cmp file.ndjson $format.ndjson && echo "$file"
  > done; done
  data/wrapped/v8-archive.zip
  data/wrapped/v8-chunks.json
  data/wrapped/v8-chunks.ndjson
  data/wrapped/v8-floats.json
  data/wrapped/v8-log.txt
  data/wrapped/v8-pieces.json
  data/wrapped/v8-plain.json
  data/wrapped/v8-result-string.json
  data/wrapped/v8-result.json
  data/wrapped/v8-streamed.zip
  data/wrapped/v8-string.json
  data/wrapped/v8-twice.json
  data/wrapped/v8-utf16be.json
  data/wrapped/v8-utf16le-bom.json
  data/wrapped/webkit-archive.zip
  data/wrapped/webkit-chunks.json
  data/wrapped/webkit-chunks.ndjson
  data/wrapped/webkit-floats.json
  data/wrapped/webkit-log.txt
  data/wrapped/webkit-pieces.json
  data/wrapped/webkit-plain.json
  data/wrapped/webkit-result-string.json
  data/wrapped/webkit-result.json
  data/wrapped/webkit-streamed.zip
  data/wrapped/webkit-string.json
  data/wrapped/webkit-twice.json
  data/wrapped/webkit-utf16be.json
  data/wrapped/webkit-utf16le-bom.json

--format names what is inside.
  $ heap-info --format v8 data/wrapped/v8-chunks.ndjson
  {"type":"heap.info","file":"data/wrapped/v8-chunks.ndjson","format":"v8.heapsnapshot","producer":"V8, about 12.4 to 13.0 (Node 22)","node_count":62,"edge_count":125,"trace_function_count":0,"node_fields":7,"node_types":15,"edge_fields":3,"nodes":62,"edges":125}
  $ heap-info --format webkit data/wrapped/v8-chunks.ndjson
  heap-info: data/wrapped/v8-chunks.ndjson: byte 88: nodes: the section is missing
  {"type":"heap.info","file":"data/wrapped/v8-chunks.ndjson","format":"webkit.heapsnapshot","producer":"JavaScriptCore (Safari, WebKitGTK, Bun)","node_count":0,"edge_count":0,"node_fields":4,"class_names":0,"damage":"byte 88: nodes: the section is missing","nodes":0,"edges":0}
  [2]

So does the first dump of a tar archive, of any format; a second one is said.
  $ tar czf hprof.tar.gz data/java/agent.hprof; heap-cat data/java/agent.hprof > hprof.ndjson; heap-cat hprof.tar.gz | cmp - hprof.ndjson
  heap-cat: warning: data/java/agent.hprof: sizes are those of references of 4 bytes and headers of 12, which nothing bears out: identifiers are no addresses; --java-layout says others
  heap-cat: warning: hprof.tar.gz: sizes are those of references of 4 bytes and headers of 12, which nothing bears out: identifiers are no addresses; --java-layout says others
  $ mkdir dumps; echo 'a "{note}"' > dumps/README; cp data/wrapped/v8-plain.json dumps/v8.json
  $ tar czf dumps.tar.gz dumps/README dumps/v8.json; heap-cat dumps.tar.gz | cmp - v8.ndjson
  $ cp dumps/v8.json dumps/v9.json; tar cf two.tar dumps/README dumps/v8.json dumps/v9.json; heap-sum -n 1 two.tar
  heap-sum: two.tar: another dump comes behind the first one, which alone is read
  {"type":"heap.sum","class":"(v8.array)","count":8,"size":439}
  [2]

And that of a zip archive, whose lengths may stand before or behind a file. What is no dump is passed over.
  $ tar czf both.tgz data/wrapped/v8-archive.zip; heap-cat both.tgz | cmp - v8.ndjson
  $ head -c 1000 data/wrapped/v8-streamed.zip | heap-sum
  heap-sum: zip data ends early, after 1000 bytes
  [2]

Other JSON is refused as before.
  $ echo '{"id":1,"result":{"nodes":"none"}}' > other.json; heap-info other.json
  heap-info: other.json: byte 0: neither a record stream nor a dump that is known
  [2]

What is cut off is said, and all that came before is there.
  $ head -c 2500 data/wrapped/v8-string.json > cut.json; heap-cat --only node cut.json | wc -l
  heap-cat: cut.json: a string that holds part of the dump ends early
  62
  $ (cat data/v8/edge/minimal.heapsnapshot; echo; cat data/v8/edge/minimal.heapsnapshot) | sed '1s/^/[1] /' > two.txt; heap-sum --csv two.txt
  heap-sum: two.txt: another dump comes behind the first one, which alone is read
  class,count,size
  (v8.synthetic),2,0
  [2]
