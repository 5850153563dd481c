heap-suspects: what is wrong in a heap.

  $ ln -s data/v8/* .
  $ heap-suspects leak-3.heapsnapshot.zst | head -n 1
  $ heap-suspects --table leak-3.heapsnapshot.zst
  $ heap-suspects --csv --share 10 leak-3.heapsnapshot.zst | cut -d, -f1-6

A dump in which nothing retains that much.

  $ heap-suspects --share 99 leak-3.heapsnapshot.zst
  $ heap-suspects --share 200 leak-3.heapsnapshot.zst
  $ heap-suspects - < leak-3.heapsnapshot.zst | cut -c1-60
  $ heap-suspects /dev/null
  $ heap-suspects x.heapsnapshot absent.heapsnapshot > /dev/full
