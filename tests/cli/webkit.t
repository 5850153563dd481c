Heap snapshots of JavaScriptCore: what Safari, WebKitGTK and Bun write.

  $ heap-info data/webkit/debugging.json
  {"type":"heap.info","file":"data/webkit/debugging.json","format":"webkit.heapsnapshot","version":"3","producer":"JavaScriptCore (Safari, WebKitGTK, Bun)","type":"GCDebugging","node_count":13,"edge_count":20,"node_fields":7,"class_names":12,"nodes":13,"edges":20}

Retained sizes are those that removal gives. What no edge leads to counts as held by the root.
  $ heap-sum --csv --retained data/webkit/debugging.json
  class,count,size,retained
  GlobalObject,1,1000,1586
  Cell Butterfly,1,400,400
  Structure,1,112,112
  HTMLDivElement,1,64,64
  JSLexicalEnvironment,1,48,48
  string,2,44,44
  Function,1,34,82
  Cache,1,32,464
  Entry,1,32,52
  Map,1,32,432
  Array,1,16,122
  (heap.root),1,0,1814
  $ heap-check data/webkit/debugging.json data/webkit/bun-listener.json.zst data/webkit/jsc-healthy.json.zst
  $ heap-path -k 2 --id @5 data/webkit/debugging.json
  {"type":"heap.path","path":0,"step":0,"identifier":1,"class":"(heap.root)","name":"<root>","size":0}
  {"type":"heap.path","path":0,"step":1,"label":"StrongReferences","kind":"jsc.root","identifier":7,"class":"GlobalObject","size":1000}
  {"type":"heap.path","path":0,"step":2,"label":"cache","kind":"object property","identifier":11,"class":"Cache","size":32,"held_by":"GlobalObject.cache"}

A program whose listeners are never removed.
  $ heap-sum -n 5 --retained data/webkit/bun-listener.json.zst
  {"type":"heap.sum","class":"Uint8Array","count":300,"size":614400,"retained":614400}
  {"type":"heap.sum","class":"Structure","count":292,"size":32704,"retained":41190}
  {"type":"heap.sum","class":"NativeExecutable","count":328,"size":26240,"retained":26240}
  {"type":"heap.sum","class":"Function","count":733,"size":24063,"retained":726763}
  {"type":"heap.sum","class":"JSLexicalEnvironment","count":302,"size":14496,"retained":656587}
  $ heap-suspects -n 3 data/webkit/bun-listener.json.zst
  {"type":"heap.suspect","rank":1,"level":"large","kind":"accumulation","identifier":3525,"class":"Array","retained":665006,"share":0.8179756208563451,"place":"Bus.listeners.tick","path":[{"class":"(heap.root)","name":"<root>"},{"class":"Bus","label":"JITWorkList"},{"class":"Object","label":"listeners"},{"class":"Array","label":"tick"}],"holds":[{"class":"Function","count":300,"retained":664990}],"behind":"Socket","text":"Bus.listeners.tick (Array @1762) holds 300 Function → Socket: 649K, 81.8 % of the heap"}
  {"type":"heap.suspect","rank":2,"level":"note","kind":"accumulation","identifier":1205,"class":"GlobalObject","retained":73600,"share":0.09053001881941967,"place":"GlobalObject","path":[{"class":"(heap.root)","name":"<root>"},{"class":"GlobalObject","label":"ProtectedValues"}],"holds":[{"class":"Function","count":71,"retained":16106},{"class":"Structure","count":57,"retained":8486},{"class":"console","count":1,"retained":4583}],"text":"GlobalObject @602 holds 71 Function: 71.9K, 9.1 % of the heap"}

An exported recording has several snapshots, and objects keep their numbers.
  $ heap-info data/webkit/recording.json
  {"type":"heap.info","file":"data/webkit/recording.json","format":"webkit.heapsnapshot","producer":"JavaScriptCore (Safari, WebKitGTK, Bun)","snapshots":2}
  $ heap-diff --csv data/webkit/recording.json@0 data/webkit/recording.json@1
  class,count_before,count_after,count_delta,size_before,size_after,size_delta,new,gone,kept,new_size,gone_size
  string,2,1,-1,44,24,-20,0,1,1,0,20

What is damaged is named, and all before it is read.
  $ head -c 388 data/webkit/inspector.json > cut.json; heap-cat --only edge cut.json
  {"type":"edge","subtype":4,"source":1,"dest":7}
  {"type":"edge","subtype":4,"source":1,"dest":7}
  {"type":"edge","subtype":4,"source":1,"dest":41}
  {"type":"edge","subtype":4,"source":3,"dest":5}
  {"type":"edge","subtype":3,"source":5,"dest":11,"label":12}
  {"type":"edge","subtype":3,"source":5,"dest":23,"label":13}
  heap-cat: cut.json: byte 388: edges: ends early
  [2]
