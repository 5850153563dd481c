The transcripts themselves: output, messages, status, lines that go on, output without line end.

  $ echo one; echo two >&2
  one
  two

  $ false
  [1]

  $ printf 'a\nb'
  a
  b (no-eol)

  $ for i in 1 2; do
  >   echo "line $i"
  > done
  line 1
  line 2

  $ printf 'C:\\x\n'
  C:\x

  $ x=kept
  $ echo $x
  kept

The sample files are there.

  $ ls -d data app.heapsnapshot x.ndjson x.heapsnapshot.zst
  app.heapsnapshot
  data
  x.heapsnapshot.zst
  x.ndjson
