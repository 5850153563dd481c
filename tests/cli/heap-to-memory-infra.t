heap-to memory-infra: Chromium traces.

The worked example of the proposal, from own values to its twenty cells and back.

  $ ln -s data/memory-infra/* .
  $ heap-to memory-infra --v1 --cut threshold=40 -o cut.json seed-example-v2.json
  $ heap-cat cut.json > cut.ndjson
  $ heap-cat seed-example-v1-cut40.json > proposal.ndjson
  $ grep -c chrome.cell cut.ndjson proposal.ndjson
  cut.ndjson:21
  proposal.ndjson:21
  $ tree() { heap-tree --by frame,class --json $1 | sed 's/,"count":[0-9]*//'; }
  $ tree cut.json > one; tree seed-example-v1-cut40.json | cmp - one && head -n 3 one
  {"type":"heap.tree","depth":0,"path":"","size":1538}
  {"type":"heap.tree","depth":1,"name":"BrMain","path":"BrMain","size":876}
  {"type":"heap.tree","depth":2,"name":"MsgLp","path":"BrMain;MsgLp","size":601}

All of them, with frames <self> as the proposal wants.

  $ heap-to memory-infra --v1 --self seed-example-v2.json | heap-cat | grep -c chrome.cell
  60
  $ heap-to memory-infra --v1 seed-example-v1-old-cells.json | heap-cat | grep -c chrome.cell
  45

What was read comes back.

  $ heap-cat --snapshot all quirks-v2.json > before
  $ heap-to memory-infra before > again.json
  $ heap-cat --snapshot all again.json | cmp - before && wc -l < before
  98
  $ heap-to memory-infra --v1 --snapshot all chromium-066-v1-pseudo.json.gz > again.json
  $ heap-cat --snapshot all chromium-066-v1-pseudo.json.gz > before
  $ heap-cat --snapshot all again.json | cmp - before && heap-check --snapshot all again.json

Cumulative cells are no own values.

  $ heap-to memory-infra seed-example-v1-cut40.json > own.json
  heap-to: warning: memory-infra holds no chrome.cell records: 20 left out
  heap-to: warning: memory-infra holds no unknown counts (written as 0): 20 left out
  $ heap-to memory-infra --strict seed-example-v1-cut40.json > own.json
  heap-to: warning: memory-infra holds no chrome.cell records: 20 left out
  heap-to: warning: memory-infra holds no unknown counts (written as 0): 20 left out
  [2]

Objects have no stacks: one frame, and a row a class.

  $ heap-to memory-infra x.heapsnapshot > objects.json
  heap-to: warning: memory-infra holds no nodes by themselves (added up by class): 11 left out
  heap-to: warning: memory-infra holds no edges: 11 left out
  $ heap-tree --by frame,class --table objects.json
   size       %  count  tree
  16.4K  100.0%     11  total
  16.4K  100.0%     11    v8.heapsnapshot
  16.0K   97.7%      1      [Session]
    192    1.1%      2      [Account]
    200    1.2%      8      [<other>]
  16.0K   97.7%      1    [Session]
  16.0K   97.7%      1      v8.heapsnapshot
    192    1.1%      2    [Account]
    192    1.1%      2      v8.heapsnapshot
    200    1.2%      8    [<other>]
  $ heap-to memory-infra --cut 9% x.heapsnapshot
  heap-to: invalid value '9%' for --cut: expected none, threshold=N, ratio=R, share=R or total=R; try 'heap-to --help'
  [2]
  $ heap-to memory-infra --cut share=9% x.heapsnapshot
  heap-to: --cut and --self need --v1: version 2 leaves nothing out
  [2]
  $ heap-to v8 --self x.heapsnapshot
  heap-to: --self is no option for v8; try 'heap-to --help'
  [2]
