Ruby heap dumps.

A program whose class-level hash keeps every page, 30 of them and then 90.

  $ ln -s data/ruby/* .
  $ heap-info cache-2.json.gz
  {"type":"heap.info","file":"cache-2.json.gz","format":"ruby.dump_all","producer":"Ruby","bytes":2332751,"traced":true,"objects":8906,"nodes":8906}
  $ heap-sum --class Page --class Product cache-1.json.gz
  {"type":"heap.sum","class":"Product","count":120,"size":4800}
  {"type":"heap.sum","class":"Page","count":30,"size":1200}
  $ heap-sum --by ruby.file,ruby.line --where 'ruby.generation > 0' cache-2.json.gz | grep cache.rb
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":4,"count":960,"size":38400}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":5,"count":60,"size":29400}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":10,"count":360,"size":16320}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":20,"count":11,"size":8840}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":9,"count":60,"size":5280}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":13,"count":60,"size":2400}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":23,"count":2,"size":80}
  {"type":"heap.sum","ruby.file":"cache.rb","ruby.line":21,"count":1,"size":40}
  $ heap-sum --by location -n 3 --csv --where 'ruby.generation > 0' cache-2.json.gz
  location,count,size
  initialize (cache.rb:4),960,38400
  initialize (cache.rb:5),60,29400
  new (cache.rb:10),360,16320
  $ heap-path --class Page --limit 5 cache-2.json.gz
  {"type":"heap.path","path":0,"step":0,"identifier":-1,"class":"(heap.root)","name":"vm","size":0}
  {"type":"heap.path","path":0,"step":1,"kind":"ruby.root","identifier":140530665973841,"class":"Class","name":"Object","size":4664}
  {"type":"heap.path","path":0,"step":2,"label":"Catalog","kind":"ruby.reference","identifier":140530666266801,"class":"Class","name":"Catalog","size":480}
  {"type":"heap.path","path":0,"step":3,"kind":"ruby.reference","identifier":140530666266681,"class":"Hash","size":3424}
  {"type":"heap.path","path":0,"step":4,"label":"/products?page=89&session=704791","kind":"ruby.entry","identifier":140530673330001,"class":"Page","size":40,"held_by":"Catalog[/products?page=89&session=704791]"}
  $ heap-diff --sort new_size cache-1.json.gz cache-2.json.gz | grep '"Page"\|"Product"'
  {"type":"heap.diff","class":"Product","count_before":120,"count_after":360,"count_delta":240,"size_before":4800,"size_after":14400,"size_delta":9600,"new":240,"gone":0,"kept":120,"new_size":9600,"gone_size":0}
  {"type":"heap.diff","class":"Page","count_before":30,"count_after":90,"count_delta":60,"size_before":1200,"size_after":3600,"size_delta":2400,"new":60,"gone":0,"kept":30,"new_size":2400,"gone_size":0}
  $ heap-dom cache-2.json.gz | heap-names | grep '"name":"Catalog"' | grep -o '"retained":[0-9]*'
  "retained":141604

Instance variables have names where shapes tell them.

  $ heap-path --class Page --limit 5 shapes-4.0.json.gz
  {"type":"heap.path","path":0,"step":0,"identifier":-5,"class":"(heap.root)","name":"machine_context","size":0}
  {"type":"heap.path","path":0,"step":1,"kind":"ruby.root","identifier":319292641,"class":"Class","name":"Catalog","size":112}
  {"type":"heap.path","path":0,"step":2,"kind":"ruby.reference","identifier":335182561,"class":"(ruby.fields)","size":24}
  {"type":"heap.path","path":0,"step":3,"label":"@cache","kind":"object property","identifier":319292449,"class":"Hash","size":1888}
  {"type":"heap.path","path":0,"step":4,"label":"/products?page=45&session=356355","kind":"ruby.entry","identifier":335151145,"class":"Page","size":24,"held_by":"Catalog.@cache[/products?page=45&session=356355]"}
  $ heap-names shapes-4.0.json.gz | grep -o '"label":"@[a-z_]*"' | sort | uniq -c
        1 "label":"@cache"
      100 "label":"@html"
      100 "label":"@items"
      100 "label":"@key"
      103 "label":"@name"

A damaged line is left out.

  $ heap-sum cut-in-line.json | head -n 2
  heap-sum: cut-in-line.json: line 10: a text lacks its closing quote
  {"type":"heap.sum","class":"Class","count":4,"size":2104}
  {"type":"heap.sum","class":"Object","count":2,"size":232}
  $ heap-check cut-in-line.json
  {"type":"heap.check","rule":"damaged","line":10,"file":"cut-in-line.json","text":"a text lacks its closing quote"}
  heap-check: cut-in-line.json: line 10: a text lacks its closing quote
  [2]
  $ printf 'x\n' | cat v2.4.json - v2.4.json > bad.json; heap-sum bad.json | head -n 1
  heap-sum: warning: bad.json: 2 dumps in one file, this is the last: @0 is the one before it, and @all is all of them
  heap-sum: bad.json: line 14: expected a JSON object
  {"type":"heap.sum","class":"Object","count":4,"size":2313}
  $ heap-sum torn-method.json | head -n 1
  heap-sum: warning: torn-method.json: the dump has no roots: one of dump_all(since: N) lacks all objects that are older, and what holds its objects; else its beginning is missing
  {"type":"heap.sum","class":"(string_flat)","count":5,"size":160}

Several dumps in a file.

  $ heap-sum twice.json@all | tail -n 1
  {"type":"heap.sum","snapshot":1,"class":"(ruby.zombie)","count":1,"size":0}
  $ heap-cat twice.json@0 | heap-sum | head -n 1
  {"type":"heap.sum","class":"Object","count":4,"size":2313}

Lines in any order are one dump.

  $ sort v2.4.json > sorted.json; heap-sum sorted.json > sums; heap-sum v2.4.json | cmp - sums; heap-info sorted.json | grep -c snapshot
  0
  [1]

The last of several dumps is read, and a dump that was cut at the end of a line has hardly anything of what its roots refer to.

  $ heap-sum -n 1 twice.json
  heap-sum: warning: twice.json: 2 dumps in one file, this is the last: @0 is the one before it, and @all is all of them
  {"type":"heap.sum","class":"Object","count":4,"size":4313}
  $ gzip -dc cache-1.json.gz | head -n 500 > cut.json; heap-sum -n 1 cut.json
  heap-sum: warning: cut.json: 740 of 740 references of the roots end at no object of the dump: most of it is missing, as of one that was cut at the end of a line
  {"type":"heap.sum","class":"(string_flat)","count":296,"size":21800}

A byte order mark is no part of a text.

  $ printf '\357\273\277' | cat - v2.4.json | heap-sum | cmp - sums

Texts are redacted.

  $ heap-redact --all cache-2.json.gz | grep -c 'row of a page\|cache.rb\|session='
  0
  [1]

A dump of `since:` has no roots, and what is older is not in it.

  $ gzip -dc cache-1.json.gz | grep -v '^{"type":"ROOT"' > since.json; heap-sum -n 1 since.json
  heap-sum: warning: since.json: the dump has no roots: one of dump_all(since: N) lacks all objects that are older, and what holds its objects; else its beginning is missing
  {"type":"heap.sum","class":"Thread","count":1,"size":1048992}

Lines of two dumps that were sorted into one are no heap, which is said.

  $ gzip -dc cache-1.json.gz cache-2.json.gz | sort > mixed.json; heap-sum -n 1 mixed.json
  heap-sum: warning: mixed.json: addresses that several lines have: 7398; of these the last line counts, but lines of two dumps that were mixed, as by sort, are no heap
  {"type":"heap.sum","class":"Thread","count":1,"size":1048992}
