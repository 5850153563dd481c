Java heap dumps: written again, redacted, and from other sources.

A dump that is written again has every record that it had.
  $ cp data/java/shop.hprof.zst .; heap-to hprof -o again.hprof shop.hprof.zst
  $ for file in shop.hprof.zst again.hprof; do heap-cat --only node,edge,string,java.field $file | heap-names | sort | cksum > $file.sum; done; cmp *.sum
  $ heap-cat shop.hprof.zst | heap-to hprof | cmp - again.hprof
  $ heap-to hprof again.hprof | cmp - again.hprof

Without its end mark a dump is not whole. That is said once.
  $ head -c "$(($(wc -c < again.hprof) - 9))" again.hprof > cut.hprof; heap-check cut.hprof
  {"type":"heap.check","rule":"damaged","byte":1369995,"file":"cut.hprof","text":"the heap ends early: its end mark is missing"}
  heap-check: cut.hprof: byte 1369995: the heap ends early: its end mark is missing
  [2]

Agents write several dumps into one file.
  $ heap-info data/java/two-dumps.hprof; heap-sum --by snapshot --snapshot all data/java/two-dumps.hprof
  {"type":"heap.info","file":"data/java/two-dumps.hprof","format":"java.hprof","version":"1.0.2","producer":"Java VM","snapshots":2,"time_ms":1700000000000,"identifier_size":4,"names":5,"loaded_classes":3,"traces":0,"segments":2,"heap_bytes":400,"complete":true,"classes":3}
  {"type":"heap.sum","snapshot":1,"count":8,"size":96}
  {"type":"heap.sum","snapshot":0,"count":6,"size":72}
  $ heap-sum -n 1 data/java/two-dumps.hprof@0; heap-check data/java/two-dumps.hprof; heap-sum data/java/two-dumps.hprof@2
  {"type":"heap.sum","class":"app.Node","count":3,"size":48}
  heap-sum: data/java/two-dumps.hprof@2: no snapshot 2: the file has 0 to 1
  [2]

Identifiers that are no addresses say nothing of sizes. A file may end with its heap, if that is one record.
  $ heap-sum -n 1 data/java/agent.hprof; heap-check data/java/agent.hprof; heap-strings data/java/agent.hprof
  heap-sum: warning: data/java/agent.hprof: sizes are those of references of 4 bytes and headers of 12, which nothing bears out: identifiers are no addresses; --java-layout says others
  {"type":"heap.sum","class":"char[]","count":100,"size":3200}
  heap-check: warning: data/java/agent.hprof: sizes are those of references of 4 bytes and headers of 12, which nothing bears out: identifiers are no addresses; --java-layout says others
  heap-strings: warning: data/java/agent.hprof: sizes are those of references of 4 bytes and headers of 12, which nothing bears out: identifiers are no addresses; --java-layout says others
  {"type":"heap.strings","count":100,"size":4800,"wasted":4752,"length":5,"cut":false,"first":2684354571,"text":"hello"}

Android's heaps have names. An activity that was destroyed and is still held:
  $ heap-sum --by java.heap --csv data/java/android.hprof.gz; heap-sum --where 'java.heap = "app" and heap.size >= 24' --csv -n 2 data/java/android.hprof.gz
  java.heap,count,size,external
  image,31,1860,
  app,45,1329,4096
  zygote,4,152,
  ,7,0,
  class,count,size,external
  java.lang.Class,5,337,
  byte[],3,200,
  $ heap-path --id @314573184 --java-refs hard --csv data/java/android.hprof.gz | cut -d, -f 5-7
  identifier,class,name
  9223372036854775807,(heap.root),unknown
  629145601,dalvik.system.PathClassLoader,
  629145609,java.lang.Object[],
  629147265,java.lang.Class,com.example.Holder
  629146369,com.example.MainActivity,

Threads with their calls, what these hold, and what they retain; a histogram by package.
  $ heap-show --stack --retained shop.hprof.zst | head -n 3
  {"type":"heap.stack","thread":"main","depth":0,"call":"java.lang.Thread.sleep()","function":"java.lang.Thread.sleep","script_name":"Thread.java","identifier":-7,"tier":"native","thread_id":4250236393,"thread_retained":984}
  {"type":"heap.stack","thread":"main","depth":1,"call":"Shop.main()","function":"Shop.main","script_name":"Shop.java","line":39,"identifier":-9,"locals":[{"value":"java.lang.String[] @4250661729","class":"java.lang.String[]","identifier":4250661729,"retained":48},{"value":"java.net.URL[] @4251024537","class":"java.net.URL[]","identifier":4251024537,"retained":136},{"value":"java.lang.Thread @4251065009","class":"java.lang.Thread","identifier":4251065009,"retained":336}],"thread_id":4250236393,"thread_retained":984}
  {"type":"heap.stack","thread":"Reference Handler","depth":0,"call":"java.lang.ref.Reference.waitForReferencePendingList()","function":"java.lang.ref.Reference.waitForReferencePendingList","script_name":"Reference.java","identifier":-11,"tier":"native","thread_id":4250251633,"thread_retained":168}
  $ heap-show --stack --table shop.hprof.zst | head -n 4
  main   java.lang.Thread @4250236393
    java.lang.Thread.sleep() Thread.java (native)
    Shop.main() {java.lang.String[] @4250661729, java.net.URL[] @4251024537,
        java.lang.Thread @4251065009} Shop.java:39
  $ heap-show --stack data/java/android.hprof.gz | cut -c 1-120
  {"type":"heap.stack","thread":"main","locals":[{"value":"java.lang.DexCache @314574304","class":"java.lang.DexCache","id
  $ heap-sum --by package --csv -n 3 shop.hprof.zst; heap-sum --by package --retained --csv -n 2 shop.hprof.zst
  package,count,size,external
  ,4514,315800,
  java.lang,5861,249760,
  java.util,3806,149280,
  package,count,size,external,retained
  ,4514,315800,,498424
  java.lang,5861,249760,,716072

A redacted dump has the sizes of the original and none of its texts.
  $ heap-redact shop.hprof.zst 2> audit | heap-to hprof -o share.hprof
  $ heap-sum --csv --retained shop.hprof.zst > a; heap-sum --csv --retained share.hprof | cmp - a
  $ grep -c 'user 499' again.hprof share.hprof
  again.hprof:1
  share.hprof:0

A part of a dump.
  $ heap-filter --class java.lang.String shop.hprof.zst | heap-to hprof -o part.hprof
  $ heap-sum --csv -n 2 part.hprof
  class,count,size
  byte[],3236,116048
  java.lang.String,3236,77664

Other sources.
  $ heap-to hprof -o v8.hprof data/v8/leak-1.heapsnapshot.zst
  heap-to: warning: objects have 5890448 bytes in the file, of them 1319520 for names and labels; 3491323 in the input
  heap-to: warning: hprof holds no such fields, left out: closure.metadata 4836, regular_expression.source 50, string_cons.s1 1635, string_cons.s2 1635, string_sliced.source 2, v8.detachedness 8
  heap-to: warning: hprof holds no v8.location records: 5369 left out
  heap-to: warning: hprof holds no v8 metadata: 4 left out
  heap-to: warning: hprof holds no weak edges: 5044 left out
  $ heap-sum --csv --class Session v8.hprof; heap-sum --csv --class Session data/v8/leak-1.heapsnapshot.zst
  class,count,size
  Session,400,22400
  class,count,size
  Session,400,22400
  $ heap-to hprof -o dart.hprof app.dartheap; heap-sum --csv -n 2 dart.hprof
  heap-to: warning: objects have 867152 bytes in the file, of them 163200 for names and labels; 630032 in the input
  heap-to: warning: hprof holds no such fields, left out: array.length 143, closure.metadata 48, function_metadata.name 30, heap_number.value 186, oddball.name 4, dart.class 1142, dart.hash 621, dart.length 79, dart.kept 8, heap.external 4, dart.int 145, dart.tag 10, dart.bits 1, dart.unboxed 34
  heap-to: warning: hprof holds no such records, left out: dart.class 1201, dart.class_field 1953, dart.external 4, dart.layout 1
  heap-to: warning: hprof holds no dart metadata: 8 left out
  heap-to: warning: hprof holds no edges to numbers: 34 left out
  heap-to: warning: hprof holds no weak edges: 11 left out
  class,count,size
  byte[],3298,631600
  java.lang.Object[],95,99552
  $ heap-to hprof -o phd.hprof data/java/small.phd; heap-sum --csv -n 2 phd.hprof
  class,count,size
  byte[],1,216
  java.lang.Class,5,88
  $ heap-to hprof data/java/small.classic.txt > /dev/full
  heap-to: write: no space left on device
  [2]

Values of primitive fields are there for conditions, groupings and keys that name them. Loaders have names.

  $ heap-sum --where 'field.size = 0' --csv -n 2 data/java/shop.hprof.zst
  class,count,size
  java.util.HashMap,492,23616
  java.util.ArrayList,504,12096
  $ heap-filter --where 'field.threshold > 100' data/java/shop.hprof.zst | heap-sum --csv -n 1
  class,count,size
  java.util.LinkedHashMap,1,56
  $ heap-top --key field.size --csv -n 2 data/java/shop.hprof.zst
  identifier,subtype,class,size,field.size
  4251024249,java.instance,java.nio.DirectByteBuffer$Deallocator,32,4096
  4251034753,java.instance,sun.nio.fs.NativeBuffer,32,2048
  $ heap-filter --type java.util.HashMap --type 'my.field.Order' data/java/shop.hprof.zst 2> /dev/null | grep -c '"field"'
  0
  [1]
  $ heap-sum --where 'field.nothing = 0' --csv data/java/shop.hprof.zst
  heap-sum: warning: no node has a field 'field.nothing'; fields that refer to objects are references, not fields of the node
  class,count,size
  $ heap-sum --class '*ClassLoaders$*' --subtype java.instance --by class,name --csv data/java/shop.hprof.zst
  class,name,count,size
  jdk.internal.loader.ClassLoaders$AppClassLoader,app,1,104
  jdk.internal.loader.ClassLoaders$BootClassLoader,,1,104
  jdk.internal.loader.ClassLoaders$PlatformClassLoader,,1,104
  $ heap-cat data/java/shop.hprof.zst | grep -c '"field":{'
  0
  [1]

Activities that Android has destroyed are named one by one, and the heaps of a dump by heap-info.

  $ heap-suspects --table data/java/android.hprof.gz; heap-info --table data/java/android.hprof.gz | grep heaps
  heap 3.2K + 4.0K outside
  1. large: com.example.Holder.sActivity.mBitmap (android.graphics.Bitmap
     @314574088) is 24 + 4.0K outside the heap, 55.6 % of the heap
  2. waste: com.example.MainActivity @314573184 at com.example.Holder.sActivity is
     destroyed and still held: 208 + 4.0K outside the heap, 58.1 % of the heap
  3. waste: MainActivity @314573216 at Bus.sListeners[*].this$0 is destroyed and
     still held: 128, 1.7 % of the heap
  … 2 notes (--all)
  heaps            app, image, zygote
  $ heap-path --where 'java.destroyed = true' --csv data/java/android.hprof.gz | cut -d, -f1-4 | head -n 4
  path,step,label,kind
  0,0,,
  0,1,,java.root
  0,2,runtimeInternalObjects,object property

A javacore beside a portable dump is found by its name; it says threads, what they run and lock, and loaders.

  $ dump=heapdump.20261125.101500.7.0002.phd; cp data/java/small.phd $dump
  $ cat > javacore.20261125.101500.7.0001.txt <<END
  > 0SECTION       TITLE subcomponent dump routine
  > 1TISIGINFO     Dump Event "systhrow" (00040000) received
  > 0SECTION       THREADS subcomponent dump routine
  > 3XMTHREADINFO      "main" J9VMThread:0x0A00, j9thread_t:0x9, java/lang/Thread:0x2020, state:R, prio=5
  > 4XESTACKTRACE                at app/Node.grow(Node.java:17(Compiled Code))
  > 5XESTACKTRACE                   (entered lock: app/Node@0x2000, entry count: 1)
  > 0SECTION       CLASSES subcomponent dump routine
  > 2CLTEXTCLLOADER          p---st-- Loader *System*(0x2060)
  > 2CLTEXTCLLOAD            Loader *System*(0x2060)
  > 3CLTEXTCLASS                     java/lang/Object(0x500)
  > 0SECTION       Javadump End section
  > END
  $ heap-info $dump
  {"type":"heap.info","file":"heapdump.20261125.101500.7.0002.phd","format":"java.phd","version":"6","producer":"J9!","nodes":8,"classes":3,"instances":2,"object_arrays":2,"primitive_arrays":1,"javacore":"javacore.20261125.101500.7.0001.txt","threads":1,"reason":"Dump Event \"systhrow\" (00040000) received"}
  $ heap-show --stack --table $dump
  main   app.Node @8225
    app.Node.grow() {app.Node @8193} Node.java:17
  $ heap-path --id @0x2020 --table $dump
  app.Node main @8225 (24 bytes) is kept alive by
    <java.root>  in  (heap.root) thread object @-3, a root
  $ heap-check $dump; heap-sum --csv $dump > 1; heap-cat $dump | heap-sum --csv | cmp - 1
  $ gzip -9n < $dump > $dump.gz; gzip -9n javacore.*.txt; heap-cat $dump.gz | cksum > 1; heap-cat --javacore javacore.*.txt.gz < $dump | cksum | cmp - 1
  $ rm javacore.*; heap-show --stack $dump
  heap-show: no thread has calls
  [1]
  $ echo none > javacore.20261125.101500.7.0001.txt; heap-sum $dump | cksum > 1; rm javacore.*; heap-sum $dump | cksum | cmp - 1
  heap-sum: warning: heapdump.20261125.101500.7.0002.phd: javacore.20261125.101500.7.0001.txt cannot be read as a javacore: it is not used
  $ mkfifo javacore.20261125.101500.7.0001.txt; heap-sum $dump | cksum | cmp - 1; rm javacore.*
  $ heap-sum --javacore nowhere.txt $dump; heap-sum --javacore $dump $dump; heap-sum --javacore $dump data/java/two-dumps.hprof
  heap-sum: heapdump.20261125.101500.7.0002.phd: nowhere.txt: no such file or directory
  heap-sum: heapdump.20261125.101500.7.0002.phd: heapdump.20261125.101500.7.0002.phd: no javacore: its first lines begin no section
  heap-sum: data/java/two-dumps.hprof: heapdump.20261125.101500.7.0002.phd: only dumps of OpenJ9 and IBM's Java, portable or classic, have a javacore
  [2]

A boolean is true or false; an object may be named by its address.
  $ heap-sum --csv -n 1 --where 'field.daemon = true' shop.hprof.zst
  class,count,size
  java.lang.Thread,9,1008
  $ heap-sum --csv -n 1 --where 'field.daemon = foo' shop.hprof.zst
  heap-sum: warning: 'field.daemon' holds numbers, and 'foo' is none
  class,count,size
  $ heap-show --id "0x$(printf %x 4250662033)" shop.hprof.zst | head -n 1 | cut -c 1-110
  {"type":"heap.show","part":"node","kind":"java.instance","identifier":4250662033,"class":"java.util.LinkedHash

Of what no path leads to, the kinds of references are named that may hold it all the same.
  $ heap-path --class java.lang.invoke.MethodType --csv shop.hprof.zst > paths
  heap-path: shop.hprof.zst: nothing but weak, soft, phantom or final references, if any, keeps 3 of these 111 objects alive: --weak shows over which
