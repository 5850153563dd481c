heap-tree: what holds how much, as a tree with cumulative sizes.

  $ heap-tree --table --cut none x.heapsnapshot
  16.4K  100.0%     11  total
  16.4K  100.0%     10    [1] (v8.synthetic)
  16.0K   97.7%      1      .session Session
    328    2.0%      7      .accounts, .list Array
    256    1.5%      4        [0…1] Account
    192    1.1%      2          <self>
     40    0.2%      1          .owner Owner
     24    0.1%      1          .name (string_flat)
     48    0.3%      2        <self>
     24    0.1%      1        .name (string_flat)
     64    0.4%      1      <greet> (closure)
      0    0.0%      1      <self>
      0    0.0%      1    <self>

Rows outside tables: depth, name, path, size and count; the first is the whole.

  $ heap-tree --cut threshold=100 x.heapsnapshot
  {"type":"heap.tree","depth":0,"path":"","size":16776,"count":11}
  {"type":"heap.tree","depth":1,"name":"(v8.synthetic)","path":"(v8.synthetic)","size":16776,"count":10}
  {"type":"heap.tree","depth":2,"name":"Session","path":"(v8.synthetic);Session","size":16384,"count":1}
  {"type":"heap.tree","depth":2,"name":"Array","path":"(v8.synthetic);Array","size":328,"count":7}
  {"type":"heap.tree","depth":3,"name":"Account","path":"(v8.synthetic);Array;Account","size":256,"count":4}
  {"type":"heap.tree","depth":4,"name":"<self>","path":"(v8.synthetic);Array;Account;<self>","size":192,"count":2}
  $ heap-tree --depth 1 --other --csv x.heapsnapshot
  depth,name,path,size,count,exact
  0,,,16776,11,
  1,(v8.synthetic),(v8.synthetic),16776,10,
  1,<self>,<self>,0,1,
  $ heap-tree --by class -n 3 x.heapsnapshot
  {"type":"heap.tree","depth":0,"path":"","size":16776,"count":11}
  {"type":"heap.tree","depth":0,"path":"","class":"Session","size":16384,"count":1}
  {"type":"heap.tree","depth":0,"path":"","class":"Account","size":192,"count":2}

Both axes: what hangs where, of which type. A cell that two ways lead to has one row.

  $ heap-tree --by dom,class --cut threshold=150 --csv x.heapsnapshot
  depth,name,path,class,size,count,exact
  0,,,,16776,11,
  1,(v8.synthetic),(v8.synthetic),,16776,10,
  2,Session,(v8.synthetic);Session,,16384,1,
  2,Session,(v8.synthetic);Session,Session,16384,1,
  2,Array,(v8.synthetic);Array,,328,7,
  3,Account,(v8.synthetic);Array;Account,,256,4,
  3,Account,(v8.synthetic);Array;Account,Account,192,2,
  2,Array,(v8.synthetic);Array,Account,192,2,
  1,(v8.synthetic),(v8.synthetic),Session,16384,1,
  1,(v8.synthetic),(v8.synthetic),Account,192,2,
  0,,,Session,16384,1,
  0,,,Account,192,2,
  $ heap-tree --by dom,class --table --depth 1 --cut threshold=150 x.heapsnapshot
   size       %  count  tree
  16.4K  100.0%     11  total
  16.4K  100.0%     10    (v8.synthetic)
  16.0K   97.7%      1      [Session]
    192    1.1%      2      [Account]
    200    1.2%      7      [<other>]
      0    0.0%      1    <other>
  16.0K   97.7%      1    [Session]
  16.0K   97.7%      1      (v8.synthetic)
    192    1.1%      2    [Account]
    192    1.1%      2      (v8.synthetic)
    200    1.2%      8    [<other>]

Only selected nodes count.

  $ heap-tree --type Account --table --cut none x.heapsnapshot
  size       %  count  tree
   192  100.0%      2  total
   192  100.0%      2    [1] (v8.synthetic) → … 1 more … → [0…1] Account

The worked example of the heap dump proposal: its twenty entries, in each form of dump.

  $ heap-tree --by frame,class --cut threshold=40 --tsv trace.json > twenty
  $ cut -f 3- twenty
  path	class	size	count	exact
  		1538	35	
  BrMain		876	12	
  BrMain;MsgLp		601	4	
  BrMain;MsgLp	T	307	1	
  BrMain;MsgLp	V	281	1	
  BrMain;Init		242	4	
  BrMain;Init	T	151	1	
  BrMain;Init	W	83	1	
  BrMain	T	465	3	
  BrMain	V	297	3	
  BrMain	W	96	3	
  RdMain		628	15	
  RdMain;RTask		556	4	
  RdMain;RTask	W	337	1	
  RdMain;RTask	T	211	1	
  RdMain	W	355	4	
  RdMain	T	229	4	
  	T	698	9	
  	W	461	9	
  	V	340	9	
  $ for f in v1-full v1-cut40 v1-old-cells v1-full-self; do
  >   heap-tree --by frame,class --cut threshold=83 --tsv data/memory-infra/seed-example-$f.json |
  >     cut -f 1-5 | cmp - <(cut -f 1-5 twenty)
  > done
  $ for cut in threshold=39 threshold=84 threshold=1024 ratio=1/5 ratio=8 ratio=1/125 none; do
  >   echo $cut $(heap-tree --by frame,class --cut $cut trace.json | wc -l) \
  >     $(heap-tree --self --by frame,class --cut $cut trace.json | wc -l)
  > done
  threshold=39 21 21
  threshold=84 19 19
  threshold=1024 1 1
  ratio=1/5 20 20
  ratio=8 20 20
  ratio=1/125 44 59
  none 44 59

Its figure.

  $ heap-tree --by frame,class --cut threshold=40 --bytes --table trace.json
  size       %  count  tree
  1538  100.0%     35  total
   876   57.0%     12    BrMain
   601   39.1%      4      MsgLp
   307   20.0%      1        [T]
   281   18.3%      1        [V]
    13    0.8%      2        [<other>]
   242   15.7%      4      Init
   151    9.8%      1        [T]
    83    5.4%      1        [W]
     8    0.5%      2        [<other>]
    33    2.1%      4      <other>
   465   30.2%      3      [T]
   307   20.0%      1        MsgLp
   151    9.8%      1        Init
     7    0.5%      1        <other>
   297   19.3%      3      [V]
   281   18.3%      1        MsgLp
    16    1.0%      2        <other>
    96    6.2%      3      [W]
    83    5.4%      1        Init
    13    0.8%      2        <other>
    18    1.2%      3      [<other>]
   628   40.8%     15    RdMain
   556   36.2%      4      RTask
   337   21.9%      1        [W]
   211   13.7%      1        [T]
     8    0.5%      2        [<other>]
    72    4.7%     11      <other>
   355   23.1%      4      [W]
   337   21.9%      1        RTask
    18    1.2%      3        <other>
   229   14.9%      4      [T]
   211   13.7%      1        RTask
    18    1.2%      3        <other>
    44    2.9%      7      [<other>]
    34    2.2%      8    <other>
   698   45.4%      9    [T]
   465   30.2%      3      BrMain
   307   20.0%      1        MsgLp
   151    9.8%      1        Init
     7    0.5%      1        <other>
   229   14.9%      4      RdMain
   211   13.7%      1        RTask
    18    1.2%      3        <other>
     4    0.3%      2      <other>
   461   30.0%      9    [W]
   355   23.1%      4      RdMain
   337   21.9%      1        RTask
    18    1.2%      3        <other>
    96    6.2%      3      BrMain
    83    5.4%      1        Init
    13    0.8%      2        <other>
    10    0.7%      2      <other>
   340   22.1%      9    [V]
   297   19.3%      3      BrMain
   281   18.3%      1        MsgLp
    16    1.0%      2        <other>
    43    2.8%      6      <other>
    39    2.5%      8    [<other>]

Backtraces alone have <self>. What a cumulative dump leaves open is <other>: nothing is guessed.

  $ heap-tree --by frame --table trace.json
  size       %  count  tree
  1.5K  100.0%     35  total
   876   57.0%     12    BrMain
   601   39.1%      4      MsgLp
   242   15.7%      4      Init
    33    2.1%      4      <self>
   628   40.8%     15    RdMain
   556   36.2%      4      RTask
    29    1.9%      4      <self>
    23    1.5%      4      FnB
    20    1.3%      3      FnA
    17    1.1%      4    <self>
    17    1.1%      4    ColdFn
  $ heap-tree --by frame --table data/memory-infra/seed-example-v1-cut40.json
  size       %  count  tree
  1.5K  100.0%         total
   876   57.0%           BrMain
   601   39.1%             MsgLp
   242   15.7%             Init
    33    2.1%             <other>
   628   40.8%           RdMain
   556   36.2%             RTask
    72    4.7%             <other>
    34    2.2%           <other>
  $ heap-tree --by class data/memory-infra/seed-example-v1-cut40.json
  {"type":"heap.tree","depth":0,"path":"","size":1538}
  {"type":"heap.tree","depth":0,"path":"","class":"T","size":698}
  {"type":"heap.tree","depth":0,"path":"","class":"W","size":461}
  {"type":"heap.tree","depth":0,"path":"","class":"V","size":340}

Several processes: one below the other, or one chosen. A total that the dump lacks is the least that it can be.

  $ heap-tree --by frame,class --csv data/memory-infra/quirks-v1.json
  depth,name,path,class,size,count,exact
  0,,,,1099511633919,,false
  1,malloc (pid 7),malloc (pid 7),,1099511627775,32,
  2,"root ""q"" \ é😀","malloc (pid 7);root ""q"" \ é😀",,187,3,
  3,leaf;semi,"malloc (pid 7);root ""q"" \ é😀;leaf,semi",,170,2,
  2,orphan,malloc (pid 7);orphan,,17,,
  1,malloc (pid 7),malloc (pid 7),blink::Node,256,,
  1,malloc (pid 7),malloc (pid 7),blink::Event,128,,
  1,malloc (pid 7),malloc (pid 7),class v8::Value,64,,
  1,malloc (pid 8),malloc (pid 8),,6144,,false
  2,other::process,malloc (pid 8);other::process,,6144,,
  2,other::process,malloc (pid 8);other::process,other::Type,4096,,
  0,,,blink::Node,256,,
  0,,,blink::Event,128,,
  0,,,class v8::Value,64,,
  $ heap-tree --by frame --where 'chrome.pid = 8' data/memory-infra/quirks-v1.json
  {"type":"heap.tree","depth":0,"path":"","size":6144,"exact":false}
  {"type":"heap.tree","depth":1,"name":"other::process","path":"other::process","size":6144}
  $ heap-tree --by frame,class --class blink::Node data/memory-infra/quirks-v1.json
  {"type":"heap.tree","depth":0,"path":"","size":256,"exact":false}
  {"type":"heap.tree","depth":0,"path":"","class":"blink::Node","size":256}

  $ heap-tree --by frame x.heapsnapshot
  heap-tree: x.heapsnapshot: no stack frames in this dump; --by dom or --by class
  [2]
  $ heap-tree --by size x.heapsnapshot
  heap-tree: invalid value 'size' for --by: expected dom, frame, class, dom,class or frame,class; try 'heap-tree --help'
  [2]
  $ heap-tree --cut share=2 x.heapsnapshot
  heap-tree: invalid value 'share=2' for --cut: expected none, threshold=N, ratio=R, share=R or total=R; try 'heap-tree --help'
  [2]
  $ heap-tree x.heapsnapshot nowhere x.heapsnapshot.gz | grep -c file
  heap-tree: nowhere: no such file or directory
  26
  $ heap-tree --cut none x.heapsnapshot | head -n 1
  {"type":"heap.tree","depth":0,"path":"","size":16776,"count":11}
  $ heap-tree x.heapsnapshot > /dev/full
  heap-tree: write: no space left on device
  [2]

A tree that goes deeper than what is shown unasked says so.

  $ for i in $(seq 250); do echo '{"type":"node","subtype":"object","identifier":'$((2*i+1))',"heap":{"size":8,"class":"C'$i'"}}'
  >   echo '{"type":"edge","subtype":"object property","source":'$((2*i+1))',"dest":'$((2*i+3))',"label":"next"}'
  > done | sed '$d' > deep.ndjson
  $ heap-tree deep.ndjson | wc -l
  heap-tree: warning: there are more than 200 levels: --depth N shows more
  401
  $ heap-tree --depth 250 deep.ndjson | wc -l
  499
  $ heap-tree --table --cut none deep.ndjson | tail -n 3
     8    0.4%      1        <self>
     8    0.4%      1      <self>
     8    0.4%      1    <self>

Of several snapshots there is no one graph: nothing is written.

  $ heap-tree --snapshot all app.mvmheap
  heap-tree: app.mvmheap: several snapshots in one input; choose one with --snapshot N
  [2]

A condition on a field that no node has is most likely misspelt.

  $ heap-tree --where 'v8.detached=2' x.heapsnapshot > /dev/null
  heap-tree: warning: no node has a field 'v8.detached'

Chains are on one line, with labels; the cut-off holds for all lines.

  $ heap-tree --table data/v8/leak-3.heapsnapshot.zst -n 12
  size       %  count  tree
  4.1M  100.0%  65050  total
  3.6M   87.9%  61452    <2> global
  1.6M   39.9%  31644      .__leak, … Object
  778K   18.7%  15607        .sessions Map → <table> (v8.array)
  722K   17.3%  15600          <1028…4625> Session
  356K    8.6%   6000            .history Array
  342K    8.2%   5380        .SyntaxErrorPrototypeConstructor, … (closure)
  976K   23.5%  14918      .Function, … (closure)
  262K    6.3%   3920        <feedback_cell>, … (code)
  348K    8.4%   4584      system / Context
  499K   12.0%   3398    [1…5] (v8.synthetic) → [1…28] (v8.synthetic)
  270K    6.5%     43      <empty_byte_array>, <1…1246>, … (v8.array)
  … 44 more
