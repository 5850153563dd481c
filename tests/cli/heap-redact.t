heap-redact: tokens in place of texts.

  $ printf 'a key of sixteen bytes' > key
  $ redact() { heap-redact --key-file key "$@"; }

Contents go. A label stays, also where a string of the same text goes: the token has a number of its own.

  $ redact x.heapsnapshot | heap-cat --only string | grep -v Account | head -n 3
  {"type":"string","stringid":0,"data":"39afkdT"}
  {"type":"string","stringid":1,"data":""}
  {"type":"string","stringid":2,"data":"(GC roots)"}
  $ redact x.heapsnapshot | heap-names | grep '"subtype":"string_flat"'
  {"type":"node","subtype":"string_flat","identifier":6175,"data":"JjhnDkvhW1rX","heap":{"size":24,"name":"JjhnDkvhW1rX"}}
  {"type":"node","subtype":"string_flat","identifier":6181,"data":"JjhnDkvhW1rX","heap":{"size":24,"name":"JjhnDkvhW1rX"}}
  $ redact x.heapsnapshot | heap-names | grep -c '"label":"owner"'
  1
  $ redact --labels x.heapsnapshot | heap-names | grep -c '"label":"owner"'
  0
  [1]

Sizes, classes and the graph stay.

  $ heap-sum x.heapsnapshot > sum; redact x.heapsnapshot | heap-sum | cmp - sum
  $ retained() { heap-dom | heap-cat --only node | sed 's/.*"identifier":\([0-9]*\).*\("retained":[0-9]*\).*/\1 \2/'; }
  $ retained < x.heapsnapshot > sizes; grep -c retained sizes
  11
  $ redact --all x.heapsnapshot | retained | cmp - sizes

Names only if asked for; what matches --keep stays everywhere.

  $ redact --names --keep 'Acc*' --keep Array x.heapsnapshot | heap-sum --sort count
  {"type":"heap.sum","class":"(string_flat)","count":2,"size":48}
  {"type":"heap.sum","class":"(v8.synthetic)","count":2,"size":0}
  {"type":"heap.sum","class":"Account","count":2,"size":192}
  {"type":"heap.sum","class":"Array","count":2,"size":48}
  {"type":"heap.sum","class":"(closure)","count":1,"size":64}
  {"type":"heap.sum","class":"cAwGpY9","count":1,"size":16384}
  {"type":"heap.sum","class":"oASMO","count":1,"size":40}
  $ redact --keep 'Ada *' x.heapsnapshot | heap-grep --in value Ada
  {"type":"heap.grep","identifier":6175,"class":"(string_flat)","in":"value","text":"Ada Lovelace"}
  {"type":"heap.grep","identifier":6181,"class":"(string_flat)","in":"value","text":"Ada Lovelace"}

Equal input gives equal bytes, with a key and without; another key gives other tokens.

  $ heap-redact x.heapsnapshot | cksum > one; heap-cat x.heapsnapshot | heap-redact | grep -v 'pipeline\|generator' > two; heap-redact x.heapsnapshot | cksum | cmp - one
  $ heap-redact x.heapsnapshot | grep -v 'pipeline\|generator' | cmp - two
  $ printf 'another key, as long' > other; heap-redact --key-file other x.heapsnapshot | cksum | cmp -s - one
  [1]
  $ printf short > other; heap-redact --key-file other x.heapsnapshot
  heap-redact: other: a key needs 16 bytes or more
  [2]
  $ heap-redact --key-file missing x.heapsnapshot
  heap-redact: missing: no such file or directory
  [2]

The owner's map lists the text behind each token, and nobody else may read it.

  $ redact --map map x.heapsnapshot | heap-names | grep -c Lovelace
  0
  [1]
  $ grep Lovelace map
  {"type":"heap.redacted","token":"JjhnDkvhW1rX","text":"Ada Lovelace"}
  $ ls -l map | cut -c 1-10
  -rw-------

The audit lists what stays, and has status 1 if that looks like a secret.

  $ heap-redact --audit x.heapsnapshot
  {"type":"heap.audit","place":"value","redacted":2,"kept":0}
  {"type":"heap.audit","place":"class","redacted":0,"kept":4}
  {"type":"heap.audit","place":"name","redacted":0,"kept":2}
  {"type":"heap.audit","place":"label","redacted":0,"kept":7}
  {"type":"heap.audit","place":"metadata","redacted":0,"kept":5}
  {"type":"heap.audit","place":"class","where":"string data","kept":1,"text":"Account"}
  {"type":"heap.audit","place":"class","where":"string data","kept":1,"text":"Array"}
  {"type":"heap.audit","place":"class","where":"string data","kept":1,"text":"Owner"}
  {"type":"heap.audit","place":"class","where":"string data","kept":1,"text":"Session"}
  {"type":"heap.audit","place":"name","where":"string data","kept":1,"text":"(GC roots)"}
  {"type":"heap.audit","place":"label","where":"string data","kept":1,"text":"__proto__"}
  {"type":"heap.audit","place":"label","where":"string data","kept":1,"text":"accounts"}
  {"type":"heap.audit","place":"label","where":"string data","kept":1,"text":"list"}
  {"type":"heap.audit","place":"label","where":"string data","kept":1,"text":"name"}
  {"type":"heap.audit","place":"label","where":"string data","kept":1,"text":"owner"}
  {"type":"heap.audit","place":"label","where":"string data","kept":1,"text":"session"}
  {"type":"heap.audit","place":"name, label","where":"string data","kept":1,"text":"greet"}
  {"type":"heap.audit","place":"metadata","where":"metadata generator","kept":1,"text":"heap-redact [VERSION]"}
  {"type":"heap.audit","place":"metadata","where":"metadata heap.runtime","kept":1,"text":"node:*"}
  {"type":"heap.audit","place":"metadata","where":"metadata target_source","kept":1,"text":"v8.heapsnapshot"}
  {"type":"heap.audit","place":"metadata","where":"metadata v8.layout","kept":1,"text":"sections"}
  {"type":"heap.audit","place":"metadata","where":"metadata v8.text","kept":1,"text":"ascii"}
  {"type":"heap.audit","place":"all","redacted":2,"kept":17,"text":"12 texts of the program stay"}
  $ sed 's/"session"/"ada@lovelace.example"/' x.heapsnapshot > mail.heapsnapshot
  $ heap-redact --audit mail.heapsnapshot | grep finding
  {"type":"heap.audit","place":"label","finding":"e-mail address","redacted":1,"kept":0,"text":"ada@lovelace.example"}
  $ heap-redact --audit --keep '*' mail.heapsnapshot > audit
  [1]
  $ grep finding audit
  {"type":"heap.audit","place":"label","finding":"e-mail address","redacted":0,"kept":1,"text":"ada@lovelace.example"}
  $ heap-redact mail.heapsnapshot | grep -c ada@
  0
  [1]

The arguments of tools before are somebody's words as well.

  $ heap-filter --name 'Ada*' x.ndjson | heap-redact --names | grep pipeline
  heap-filter: warning: no node matches --name 'Ada*'
  {"type":"metadata","key":"heap.pipeline","value":"heap-filter [VERSION]"}
  {"type":"metadata","key":"heap.pipeline","value":"heap-redact [VERSION] --names"}

  $ heap-redact --nosuch x.heapsnapshot
  heap-redact: invalid option '--nosuch'; try 'heap-redact --help'
  [2]
  $ heap-redact x.heapsnapshot > /dev/full
  heap-redact: write: no space left on device
  [2]
  $ heap-redact x.heapsnapshot | head -n 1
  {"type":"metadata","key":"version_major","value":"1"}
  $ heap-redact missing x.ndjson | tail -n 1
  heap-redact: missing: no such file or directory
  {"type":"edge","subtype":1,"source":25,"dest":205,"label":1}

Arguments and environment of a process go, whatever they hold; what is a fact stays.

  $ m() { printf '{"type":"metadata","key":"%s","value":"%s"}\n' "$1" "$2"; }
  $ { m version_major 1; m core.argument --password=hunter2; m core.environment API_KEY=abc; m heap.part 'worker 3'; m target_pid 4711; } > process.ndjson
  $ redact process.ndjson | grep -E 'argument|environment|part|pid'
  {"type":"metadata","key":"core.argument","value":"GJCwdnpVzub2TTg00d"}
  {"type":"metadata","key":"core.environment","value":"Ep3Hazb0B4x"}
  {"type":"metadata","key":"heap.part","value":"worker 3"}
  {"type":"metadata","key":"target_pid","value":"4711"}
  $ redact --all process.ndjson | grep -cE 'hunter2|API_KEY|abc|password'
  0
  [1]
  $ heap-redact --audit process.ndjson | grep -E 'hunter2|API_KEY=abc'
  {"type":"heap.audit","place":"value","finding":"credential","redacted":1,"kept":0,"text":"--password=hunter2"}
