heap-names: names in place of numbers.

  $ heap-names x.heapsnapshot | grep -v -e metadata -e _type -e '"type":"type"'
  {"type":"node","subtype":"v8.synthetic","identifier":1,"heap":{"size":0,"name":""}}
  {"type":"node","subtype":"v8.synthetic","identifier":3,"heap":{"size":0,"name":"(GC roots)"}}
  {"type":"node","subtype":"object","identifier":5,"heap":{"size":32,"class":"Array"}}
  {"type":"node","subtype":"object","identifier":6163,"heap":{"size":96,"class":"Account"}}
  {"type":"node","subtype":"object","identifier":6165,"heap":{"size":96,"class":"Account"}}
  {"type":"node","subtype":"object","identifier":6171,"heap":{"size":40,"class":"Owner"}}
  {"type":"node","subtype":"closure","identifier":6173,"heap":{"size":64,"name":"greet"}}
  {"type":"node","subtype":"string_flat","identifier":6175,"data":"Ada Lovelace","heap":{"size":24,"name":"Ada Lovelace"}}
  {"type":"node","subtype":"object","identifier":6177,"heap":{"size":16384,"class":"Session"},"v8":{"detachedness":2}}
  {"type":"node","subtype":"object","identifier":6179,"heap":{"size":16,"class":"Array"}}
  {"type":"node","subtype":"string_flat","identifier":6181,"data":"Ada Lovelace","heap":{"size":24,"name":"Ada Lovelace"}}
  {"type":"edge","subtype":"array element","source":1,"dest":3,"label":"1"}
  {"type":"edge","subtype":"object property","source":3,"dest":5,"label":"accounts"}
  {"type":"edge","subtype":"v8.internal","source":3,"dest":6173,"label":"greet"}
  {"type":"edge","subtype":"object property","source":3,"dest":6177,"label":"session"}
  {"type":"edge","subtype":"object property","source":3,"dest":6179,"label":"list"}
  {"type":"edge","subtype":"array element","source":5,"dest":6163,"label":"0"}
  {"type":"edge","subtype":"array element","source":5,"dest":6165,"label":"1"}
  {"type":"edge","subtype":"object property","source":6163,"dest":6171,"label":"owner"}
  {"type":"edge","subtype":"object property","source":6163,"dest":6175,"label":"name"}
  {"type":"edge","subtype":"object property","source":6179,"dest":6173,"label":"__proto__"}
  {"type":"edge","subtype":"object property","source":6179,"dest":6181,"label":"name"}

Every tool reads it back.

  $ heap-names x.heapsnapshot | heap-filter --type Account | grep -c '"type":"node"'
  2
  $ heap-names x.heapsnapshot | heap-names | grep -v -e pipeline > twice; heap-names x.heapsnapshot | grep -v -e pipeline | cmp - twice

On a real dump: what does an object refer to, and who to it?

  $ ln -s data/v8/* .
  $ heap-names leak-3.heapsnapshot.zst > names
  $ grep '"source":83263,' names
  {"type":"edge","subtype":"object property","source":83263,"dest":84165,"label":"user"}
  {"type":"edge","subtype":"object property","source":83263,"dest":84175,"label":"history"}
  {"type":"edge","subtype":"object property","source":83263,"dest":84177,"label":"createdAt"}
  {"type":"edge","subtype":"object property","source":83263,"dest":78377,"label":"__proto__"}
  {"type":"edge","subtype":"v8.internal","source":83263,"dest":82165,"label":"map"}
  $ grep '"dest":83263,' names
  {"type":"edge","subtype":"v8.internal","source":116965,"dest":83263,"label":"1028"}
  $ grep -m 1 '"class":"CacheEntry"' names
  {"type":"node","subtype":"object","identifier":82451,"heap":{"size":40,"class":"CacheEntry"}}

The view is read back, also without its declarations.

  $ heap-sum leak-3.heapsnapshot.zst | cksum > straight
  $ heap-sum names | cksum | cmp - straight
  $ grep '"type":"node"' names | heap-sum | cksum | cmp - straight
  $ grep '"class":"Session"' names | heap-sum
  {"type":"heap.sum","class":"Session","count":1200,"size":67200}
  $ heap-cat names | heap-names | grep -v heap.pipeline > again; grep -v heap.pipeline names | cmp - again
