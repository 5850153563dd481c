heap-trend: a line through each class of a series of dumps.

  $ ln -s data/v8/leak-*.zst .
  $ heap-trend --table -n 4 leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  class          count   size   delta   slope   fit  growth  dumps  count_delta
  (v8.array)      4076  1008K   +233K   +116K  1.00  steady      3        +2022
  Object          6325   258K   +159K  +79.5K  1.00  steady      3        +4023
  (string_flat)  15470   483K  +79.2K  +39.6K  1.00  steady      3        +3276
  Date            1200   112K  +75.0K  +37.5K  1.00  steady      3         +800
  … 145 more
  … --wide adds count_slope
  $ heap-trend --class Session leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  {"type":"heap.trend","class":"Session","dumps":3,"count":1200,"size":67200,"count_delta":800,"size_delta":44800,"count_slope":400.0,"slope":22400.0,"fit":1.0,"growth":"steady"}
  $ heap-trend --class Session --long --csv leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  class,dump,file,count,size
  Session,1,leak-1.heapsnapshot.zst,400,22400
  Session,2,leak-2.heapsnapshot.zst,800,44800
  Session,3,leak-3.heapsnapshot.zst,1200,67200
  $ heap-trend --class Session --retained --csv leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth,retained,retained_delta,retained_slope
  Session,3,1200,67200,800,44800,400.0,22400.0,1.0,steady,739200,508800,254400.0
  $ heap-trend --class 'Se*' --by class,subtype --csv leak-3.heapsnapshot.zst leak-1.heapsnapshot.zst | cut -d, -f1-6
  heap-trend: warning: the dumps are not in the order of time: number 2 has no object as young as those of number 1
  class,subtype,dumps,count,size,count_delta
  Segmenter String Iterator,object,2,1,56,0
  Serializer,object,2,1,24,0
  Set,object,2,20,656,0
  Set Iterator,object,2,1,56,0
  Session,object,2,400,22400,-800

The snapshots of one file; a class that one of them lacks has zeros there.

  $ heap-trend --long --csv -n 4 app.mvmheap
  class,dump,file,snapshot,count,size,external
  (moar.frame),1,app.mvmheap,0,2,336,16
  (moar.frame),2,app.mvmheap,1,3,504,24
  Late,1,app.mvmheap,0,0,0,
  Late,2,app.mvmheap,1,1,48,12
  $ heap-trend --csv -n 2 app.mvmheap@1 app.mvmheap@0
  heap-trend: warning: the dumps are not in the order of time: number 2 was taken before number 1
  class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth
  (moar.callstack_roots),2,1,0,0,0,0.0,0.0,,flat
  (moar.cstack_roots),2,1,0,0,0,0.0,0.0,,flat
  $ heap-trend --by snapshot app.mvmheap
  heap-trend: a snapshot is a dump of the series here; --by takes what they have in common; try 'heap-trend --help'
  [2]

One dump has no slope. A damaged one is left out and keeps its place.

  $ heap-trend --class Session leak-1.heapsnapshot.zst
  {"type":"heap.trend","class":"Session","dumps":1,"count":400,"size":22400,"count_delta":0,"size_delta":0}
  $ head -c 20000 leak-2.heapsnapshot.zst > cut.zst
  $ heap-trend --class Session --csv leak-1.heapsnapshot.zst cut.zst leak-3.heapsnapshot.zst
  heap-trend: cut.zst: zstd data ends early, after 20000 bytes
  class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth
  Session,2,1200,67200,800,44800,400.0,22400.0,1.0,steady
  [2]
  $ heap-trend --class Session --long --csv leak-1.heapsnapshot.zst cut.zst leak-3.heapsnapshot.zst 2> messages | cut -d, -f1,2,4
  class,dump,count
  Session,1,400
  Session,3,1200

Each pod has a series of its own.

  $ for pod in a b; do for n in 1 3; do heap-to parquet -o fleet --tag pod=$pod leak-$n.heapsnapshot.zst; done; done
  $ heap-to parquet -o fleet --tag pod=b --tag dump=4 leak-1.heapsnapshot.zst
  $ heap-trend --by tag.pod,class --class Session --csv --sort tag.pod fleet
  tag.pod,class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth
  b,Session,3,1200,67200,800,44800,400.0,22400.0,0.75,rising
  a,Session,2,1200,67200,800,44800,800.0,44800.0,1.0,steady

A gate, for what goes on growing.

  $ heap-trend --fail-on 'growth = steady and slope > 20K and class ~ S*' leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  {"type":"heap.trend","class":"Session","dumps":3,"count":1200,"size":67200,"count_delta":800,"size_delta":44800,"count_slope":400.0,"slope":22400.0,"fit":1.0,"growth":"steady"}
  [1]
  $ heap-trend --fail-on 'growth = stedy' leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst
  heap-trend: --fail-on: character 1: 'growth' is one of steady, rising, falling, flat, mixed, not 'stedy'; try 'heap-trend --help'
  [2]
  $ heap-trend --fail-on 'class = Sesion and slope > 0' leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst
  heap-trend: warning: no row has the class 'Sesion' of --fail-on
  $ heap-trend --fail-on 'slope > 200%' leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst
  $ heap-trend --fail-on 'retained_slope > 200%' leak-1.heapsnapshot.zst leak-2.heapsnapshot.zst leak-3.heapsnapshot.zst

Dumps of different virtual machines are no series, but each is one of its own.

  $ heap-trend leak-1.heapsnapshot.zst data/java/small.phd
  heap-trend: dumps of different virtual machines, v8.heapsnapshot and java.phd, are no series; --by file makes one of each
  [2]
  $ heap-trend --by file leak-1.heapsnapshot.zst data/java/small.phd
  {"type":"heap.trend","file":"data/java/small.phd","dumps":1,"count":9,"size":312,"count_delta":0,"size_delta":0}
  {"type":"heap.trend","file":"leak-1.heapsnapshot.zst","dumps":1,"count":49026,"size":3491323,"count_delta":0,"size_delta":0}

Files in another order than that of time, which the youngest objects of V8's snapshots show. A gate on them is none.

  $ mkdir order; for n in 1 2 3; do cp "data/v8/leak-$n.heapsnapshot.zst" "order/$((n + 8)).zst"; done
  $ heap-trend --csv --class Session order/*.zst
  heap-trend: warning: the dumps are not in the order of time: number 3 has no object as young as those of number 2
  class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth
  Session,3,400,22400,-400,-22400,-200.0,-11200.0,0.25,mixed
  $ heap-trend --fail-on 'class=Session and growth=steady' order/*.zst
  heap-trend: --fail-on 'class=Session and growth=steady' cannot be judged: the dumps are not in the order of time: number 3 has no object as young as those of number 2
  [2]
  $ heap-trend --retained --csv --class Session order/*.zst
  heap-trend: warning: the dumps are not in the order of time: number 3 has no object as young as those of number 2
  class,dumps,count,size,count_delta,size_delta,count_slope,slope,fit,growth,retained,retained_delta,retained_slope
  Session,3,400,22400,-400,-22400,-200.0,-11200.0,0.25,mixed,230400,-246400,-123200.0
