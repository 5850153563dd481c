heap-view: one page with everything, or a still picture.

  $ ln -s data/v8/* .
  $ heap-view -o page.html leak-3.heapsnapshot.zst
  $ grep -c '<script>' page.html
  1
  $ sed -n 's/.*<h1>\(.*\)<.h1>/\1/p' page.html
  leak-3.heapsnapshot.zst
  $ sed -n 's/.*Content-Security-Policy" content="\(.*\)">/\1/p' page.html | sed "s/sha256-[^']*/HASH/g"
  default-src 'none'; style-src 'HASH'; script-src 'HASH'; img-src data:; base-uri 'none'; form-action 'none'

The figures are beside the script, as JSON in one line; classes with count, size and retained size.

  $ grep -o '"classes":{"rows":\[\["[^]]*\]' page.html
  "classes":{"rows":[["(v8.synthetic)",33,2568,4261351]
  $ heap-sum --sort retained -n 1 leak-3.heapsnapshot.zst
  {"type":"heap.sum","class":"(v8.synthetic)","count":33,"size":2568,"retained":4261351}
  $ grep -o '"text":"Map @78399[^"]*"' page.html
  [1]
  $ grep -o '"strings":{"rows":\[\["get .kIsNodeError.",[0-9,]*' page.html
  "strings":{"rows":[["get [kIsNodeError]",276,11000,11040,18,
  $ heap-strings --sort wasted -n 1 leak-3.heapsnapshot.zst
  heap-strings: warning: strings in parts whose text is too long or not all there, left out: 8
  {"type":"heap.strings","count":450,"size":14400,"wasted":14368,"length":16,"cut":false,"first":93357,"text":"vvvvvvvvvvvvvvvv"}

Several dumps: the last one, and how classes have grown.

  $ heap-view leak-[123].heapsnapshot.zst | grep -o '\["Session",\[[0-9,]*\],\[[0-9,]*\]\]'
  ["Session",[400,800,1200],[22400,44800,67200]]
  $ heap-view leak-[12].heapsnapshot.zst | grep -o '"files":[^]]*\]'
  "files":[{"name":"leak-1.heapsnapshot.zst"},{"name":"leak-2.heapsnapshot.zst"}]

Backtraces of allocation dumps.

  $ heap-view app.heapprofile | grep -o '"allocations":true'
  "allocations":true
  $ heap-view trace.json | grep -o '"names":\[[^]]*\]'
  "names":["\u003cother>","(allocations)","BrMain","RdMain","\u003cself>","ColdFn","MsgLp","Init","RTask","FnB","FnA"]
  $ heap-sum --table trace.json
  class         count  size
  T                 9   698
  W                 9   461
  V                 9   340
  U                 8    39
  (heap.frame)      0     0
  (heap.root)       0     0
  total            35  1.5K
  $ heap-view trace.json | grep -o '"size":\[[0-9]*'
  "size":[1538

Other formats.

  $ heap-view app.mvmheap | grep -c '<h1>app.mvmheap'
  1
  $ heap-view app.dartheap | grep -c '<h1>app.dartheap'
  heap-view: warning: no root reaches 538 objects over strong references, 8.9 % of the heap: as garbage they are left out
  1
  $ heap-cat x.heapsnapshot | heap-view | grep -o '<h1>[^<]*'
  <h1>standard input

Pictures.

  $ heap-view --svg treemap x.heapsnapshot | grep -c '<rect'
  9
  $ heap-view --svg flame x.heapsnapshot | grep -o '<text[^>]*>[^<]*'
  <text x="4.0" y="11.0">(heap)  16.4K
  <text x="4.0" y="29.0">(v8.synthetic) (GC roots)  16.4K
  <text x="4.0" y="47.0">Session .session  16.0K
  <text x="17" y="106">the program’s classes
  <text x="200" y="106">plain objects and lists
  <text x="396" y="106">strings
  <text x="484" y="106">functions and code
  <text x="646" y="106">the runtime’s own
  $ heap-view --svg pie x.heapsnapshot
  heap-view: invalid value 'pie' for --svg: expected treemap or flame; try 'heap-view --help'
  [2]
  $ heap-view --svg flame x.heapsnapshot x.heapsnapshot
  heap-view: --svg takes one file; try 'heap-view --help'
  [2]

Names of the heap are data.

  $ sed 's/Session/<script>alert(1)<\/script>/' x.heapsnapshot | heap-view | grep -c 'alert(1)</script>'
  0
  [1]
  $ sed 's/Session/<script>alert(1)<\/script>/' x.heapsnapshot | heap-view | grep -o '.u003cscript>alert(1).u003c/script>' | sort -u
  \u003cscript>alert(1)\u003c/script>
  $ sed 's/Session/<b>\&/' x.heapsnapshot | heap-view --svg treemap | grep -o 'title>&lt;b&gt;&amp;[^<]*'
  title>&lt;b&gt;&amp; .session, 16.0K
  $ heap-redact x.heapsnapshot | heap-view | grep -c 'Ada Lovelace'
  0
  [1]

Damage: what came before it is drawn, and the status is 2. Nothing at all: no file.

  $ head -c 3000000 leak-3.heapsnapshot.zst | head -c 150000 > cut.zst
  $ heap-view -o cut.html cut.zst
  heap-view: cut.zst: zstd data ends early, after 150000 bytes
  [2]
  $ heap-view -o none.html /dev/null; ls none.html
  heap-view: /dev/null: empty input
  ls: cannot access 'none.html': No such file or directory
  [2]
  $ heap-view x.heapsnapshot > /dev/full
  heap-view: write: no space left on device
  [2]
