Heap snapshots of JavaScriptCore: what Safari, WebKitGTK and Bun write.

  $ heap-info data/webkit/debugging.json

Retained sizes are those that removal gives. What no edge leads to counts as held by the root.
  $ heap-sum --csv --retained data/webkit/debugging.json
  $ heap-check data/webkit/debugging.json data/webkit/bun-listener.json.zst data/webkit/jsc-healthy.json.zst
  $ heap-path -k 2 --id @5 data/webkit/debugging.json

A program whose listeners are never removed.
  $ heap-sum -n 5 --retained data/webkit/bun-listener.json.zst
  $ heap-suspects -n 3 data/webkit/bun-listener.json.zst

An exported recording has several snapshots, and objects keep their numbers.
  $ heap-info data/webkit/recording.json
  $ heap-diff --csv data/webkit/recording.json@0 data/webkit/recording.json@1

What is damaged is named, and all before it is read.
  $ head -c 388 data/webkit/inspector.json > cut.json; heap-cat --only edge cut.json
