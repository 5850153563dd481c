//! Damage that heap-check must find: each planted in a small sound input, one at a time. And what is sound: of that it must
//! say nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{Scratch, root};

/// A V8 snapshot with traces, samples and locations.
const V8: &str = r#"{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","sliced string","symbol","bigint","object shape"],"string","number","number","number","number","number"],"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"],"trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],"trace_node_fields":["id","function_info_index","count","size","children"],"sample_fields":["timestamp_us","last_assigned_id"],"location_fields":["object_index","script_id","line","column"]},"node_count":4,"edge_count":4,"trace_function_count":1},
"nodes":[9,1,1,0,1,0,0
,9,2,3,0,1,0,0
,3,3,5,32,2,2,0
,2,4,7,24,0,0,0
],
"edges":[1,1,7
,1,1,14
,2,5,21
,1,0,21
],
"trace_function_infos":[8,3,5,1,10,20],
"trace_tree":[1,0,1,32,[2,0,1,32,[]]],
"samples":[1000,5
,2000,7],
"locations":[14,1,10,20],
"strings":["<dummy>","","(GC roots)","Foo","text","prop"]}
"#;

/// Old text, new text, rule.
type Case = (&'static str, &'static str, &'static str);

const IN_V8: &[Case] = &[
    ("\"node_count\":4", "\"node_count\":5", "total"),
    ("\"edge_count\":4", "\"edge_count\":3", "total"),
    (",3,3,5,32", ",99,3,5,32", "undeclared-subtype"),
    (",3,3,5,32", ",15,3,5,32", "undeclared-subtype"),
    (",3,3,5,32", ",3,99,5,32", "damaged"),
    (",3,3,5,32", ",3,3,3,32", "duplicate-identifier"),
    (",3,3,5,32", ",3,3,7,32", "duplicate-identifier"),
    (",3,3,5,32", ",3,3,5,-32", "damaged"),
    (",3,3,5,32", ",3,3,5,3.5", "damaged"),
    (",3,3,5,32", ",3,3,5,4611686018427387904", "absurd-size"),
    (",3,3,5,32,2,2", ",3,3,5,32,3,2", "damaged"),
    (",3,3,5,32,2,2", ",3,3,5,32,1,2", "damaged"),
    (",3,3,5,32,2,2", ",3,3,5,32,2,3", "record-number"),
    (",2,4,7,24,0,0,0", ",2,4,7,24,0,0", "damaged"),
    (",2,4,7,24,0,0,0", ",2,4,7,\"x\",0,0,0", "damaged"),
    (",2,5,21", ",7,5,21", "undeclared-subtype"),
    (",2,5,21", ",2,6,21", "damaged"),
    (",2,5,21", ",2,5,22", "damaged"),
    (",2,5,21", ",2,5,28", "damaged"),
    (",1,0,21", ",1,0", "damaged"),
    ("[8,3,5,1", "[8,77,5,1", "damaged"),
    ("[8,3,5,1,10,20]", "[8,3,5,1,10]", "damaged"),
    ("[2,0,1,32,[]]", "[2,4,1,32,[]]", "record-number"),
    ("[2,0,1,32,[]]", "[1,0,1,32,[]]", "record-number"),
    ("[2,0,1,32,[]]", "[2,0,1]", "damaged"),
    ("[1000,5", "[3000,5", "sequence"),
    ("[1000,5", "[1000,9", "sequence"),
    (",2000,7]", ",2000]", "damaged"),
    ("[14,1,10", "[15,1,10", "damaged"),
    ("[14,1,10", "[280,1,10", "damaged"),
    (",\"prop\"]}", ",\"prop\"", "damaged"),
    (",\"prop\"]}", ",\"prop\"]} and more", "damaged"),
    (",\"Foo\",\"text\",\"prop\"", "", "damaged"),
];

/// A record stream of a root, two objects and a string.
const STREAM: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.identifier","value":"index"}
{"type":"metadata","key":"heap.end","value":"expected"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"type","name":"node","fields":{"heap.size":"integer","x.flag":"boolean","x.of":"value"}}
{"type":"type","name":"x.note","fields":{"node":"value","text":"string"}}
{"type":"node_type","nodetypeid":1,"name":"heap.root"}
{"type":"node_type","nodetypeid":2,"name":"object","table_name":"object","fields":{"constructor":"value"}}
{"type":"edge_type","edgetypeid":1,"name":"object property"}
{"type":"string","stringid":1,"data":"A"}
{"type":"string","stringid":2,"data":"b"}
{"type":"string","stringid":-1,"data":"0"}
{"type":"node","subtype":1,"identifier":1,"heap":{"size":0}}
{"type":"node","subtype":2,"identifier":3,"constructor":5,"heap":{"size":16,"class":1},"x":{"flag":true,"of":5}}
{"type":"node","subtype":2,"identifier":5,"heap":{"size":8,"class":1}}
{"type":"edge","subtype":1,"source":1,"dest":3,"label":2}
{"type":"edge","subtype":1,"source":3,"dest":5,"label":-1}
{"type":"x.note","node":3,"text":2}
{"type":"metadata","key":"heap.end","value":"nodes=3 edges=2 strings=3"}
"#;

const IN_STREAMS: &[Case] = &[
    ("\"version_major\",\"value\":\"1\"", "\"version_major\",\"value\":\"2\"", "unknown-version"),
    ("{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n", "", "missing-version"),
    ("{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=3 edges=2 strings=3\"}\n", "", "damaged"),
    ("nodes=3 edges=2", "nodes=4 edges=2", "wrong-end"),
    (
        "strings=3\"}\n",
        "strings=3\"}\n{\"type\":\"metadata\",\"key\":\"heap.end\",\"value\":\"nodes=3 edges=2 strings=3\"}\n",
        "wrong-end",
    ),
    ("strings=3\"}\n", "strings=3\"}\n{\"type\":\"string\",\"stringid\":9,\"data\":\"z\"}\n", "wrong-end"),
    ("\"nodetypeid\":2", "\"nodetypeid\":1", "redeclared"),
    ("\"subtype\":2,\"identifier\":5", "\"subtype\":7,\"identifier\":5", "undeclared-subtype"),
    ("\"edge\",\"subtype\":1,\"source\":3", "\"edge\",\"subtype\":4,\"source\":3", "undeclared-subtype"),
    ("{\"type\":\"x.note\",\"node\"", "{\"type\":\"x.other\",\"node\"", "undeclared-record"),
    ("\"x\":{\"flag\":true", "\"x\":{\"flags\":true", "undeclared-field"),
    ("\"x\":{\"flag\":true", "\"x\":{\"flag\":7", "mistyped-field"),
    ("\"stringid\":2", "\"stringid\":1", "string-twice"),
    ("\"stringid\":-1,\"data\":\"0\"", "\"stringid\":-1,\"data\":\"1\"", "index-text"),
    ("\"label\":2}", "\"label\":22}", "missing-string"),
    ("\"text\":2}", "\"text\":-7}", "missing-string"),
    ("\"identifier\":5", "\"identifier\":3", "duplicate-identifier"),
    ("\"identifier\":5", "\"identifier\":4", "identifier-rule"),
    ("\"size\":8", "\"size\":\"0xfffffffffffffff8\"", "absurd-size"),
    ("\"source\":3", "\"source\":9", "dangling-edge"),
    ("\"dest\":5", "\"dest\":11", "dangling-edge"),
    (",\"dest\":5", "", "no-dest"),
    ("\"constructor\":5", "\"constructor\":13", "dangling-field"),
    ("\"of\":5", "\"of\":13", "dangling-field"),
    ("{\"type\":\"x.note\",\"node\":3", "{\"type\":\"x.note\",\"node\":13", "dangling-field"),
    ("\"heap.root\",\"value\":\"1\"", "\"heap.root\",\"value\":\"13\"", "lost-root"),
    ("\"size\":8,", "\"size\":8,\"retained\":7,", "annotation"),
    ("\"subtype\":2,\"identifier\":5", "\"subtype\":2,\"identifier\"5", "damaged"),
];

/// A version 1 snapshot of MoarVM.
const MOARVM: &str = r#"strings: ["R","A","B","<anon>","main","cuid1","x.raku","lab"]
types: 0,1;0,2
static_frames: 4,5,1,6

snapshot 0
collectables: 9,0,0,0,0,2;1,0,16,8,2,1;4,0,32,0,0,0
references: 1,0,1;1,1,2;2,7,2

"#;

const IN_MOARVM: &[Case] = &[
    (";1,0,16", ";1,9,16", "damaged"),
    (";4,0,32", ";4,9,32", "damaged"),
    (";1,0,16", ";77,0,16", "undeclared-subtype"),
    (";1,0,16", ";1,0,-16", "damaged"),
    (";1,0,16", ";1,0,x", "damaged"),
    ("16,8,2,1", "16,4611686018427387904,2,1", "absurd-size"),
    ("16,8,2,1", "16,8,7,1", "damaged"),
    ("16,8,2,1", "16,8,2,9", "damaged"),
    ("16,8,2,1", "16,8,1,1", "damaged"),
    ("1,1,2;", "1,1,9;", "damaged"),
    ("2,7,2", "2,77,2", "damaged"),
    ("2,7,2", "5,7,2", "damaged"),
    ("2,7,2\n\n", "2,7", "damaged"),
    (";0,2", ";0,99", "record-number"),
    ("4,5,1,6", "99,5,1,6", "damaged"),
];

/// Damages a table of memory-infra's format 2.
const IN_TRACES: &[Case] = &[
    ("\"nodes\":[-1,2,2]", "\"nodes\":[-1,99,2]", "left-out"),
    ("\"types\":[1,1,2]", "\"types\":[1,9,2]", "left-out"),
    ("\"sizes\":[3,5,7]", "\"sizes\":[3,-5,7]", "left-out"),
    ("\"sizes\":[3,5,7]", "\"sizes\":[3,5]", "left-out"),
    ("\"sizes\":[3,5,7]", "\"sizes\":[3,\"x\",7]", "damaged"),
    ("\"sizes\":[3,5,7]", "\"sizes\":[3,5,1152921504606846976]", "absurd-size"),
    ("\"counts\":[1,1,1]", "\"counts\":[1,-1,1]", "left-out"),
    ("\"counts\":[1,1,1]", "\"counts\":[1,1]", "left-out"),
    ("\"name_sid\":2,\"parent\":1", "\"name_sid\":2,\"parent\":77", "left-out"),
    ("\"name_sid\":2,\"parent\":1", "\"name_sid\":77,\"parent\":1", "left-out"),
    ("{\"id\":1,\"name_sid\":1}", "{\"id\":1,\"name_sid\":1,\"parent\":2}", "source-warning"),
    ("{\"id\":2,\"name_sid\":4}", "{\"id\":2,\"name_sid\":77}", "left-out"),
    (
        "\"value\":\"f\"},\"virtual_size\":{\"type\":\"scalar\",\"units\":\"bytes\",\"value\":\"f\"}",
        "\"value\":\"10\"},\"virtual_size\":{\"type\":\"scalar\",\"units\":\"bytes\",\"value\":\"10\"}",
        "total",
    ),
];

const TRACE: &str = r#"{"traceEvents":[{"name":"periodic_interval","ph":"v","pid":42,"ts":1,"id":"0x1","args":{"dumps":{"level_of_detail":"detailed","allocators":{"malloc":{"attrs":{"size":{"type":"scalar","units":"bytes","value":"f"},"virtual_size":{"type":"scalar","units":"bytes","value":"f"}}}},"heaps_v2":{"version":1,"maps":{"nodes":[{"id":1,"name_sid":1},{"id":2,"name_sid":2,"parent":1}],"types":[{"id":1,"name_sid":3},{"id":2,"name_sid":4}],"strings":[{"id":1,"string":"main"},{"id":2,"string":"f"},{"id":3,"string":"A"},{"id":4,"string":"B"}]},"allocators":{"malloc":{"nodes":[-1,2,2],"types":[1,1,2],"sizes":[3,5,7],"counts":[1,1,1]}}}}}}]}
"#;

/// Every text of `damages` in place of the old one, and what is sound: the rules that heap-check names.
#[track_caller]
fn planted(name: &str, sound: &str, cases: &[Case]) {
    let scratch = Scratch::new();
    scratch.write(name, sound);
    scratch.run(&format!("heap-check {name}")).quiet(0);
    for (old, new, rule) in cases {
        assert_eq!(sound.matches(old).count(), 1, "{old} is in the sound input once");
        scratch.write(name, sound.replace(old, new));
        finds(&scratch, name, rule, &format!("{old} → {new}"));
    }
}

#[track_caller]
fn finds(scratch: &Scratch, name: &str, rule: &str, what: &str) {
    let run = scratch.run(&format!("heap-check {name}"));
    let status = if rule == "damaged" { 2 } else { 1 };
    let row = format!("\"rule\":\"{rule}\"");
    assert!(run.status == Some(status) && run.out.contains(&row), "{what}: {run:?}, expected {rule}");
}

#[test]
fn damage_of_v8_snapshots_is_found() {
    planted("x.heapsnapshot", V8, IN_V8);
}

#[test]
fn damage_of_streams_is_found() {
    planted("x.ndjson", STREAM, IN_STREAMS);
}

#[test]
fn damage_of_moarvm_snapshots_is_found() {
    planted("x.mvmheap", MOARVM, IN_MOARVM);
}

#[test]
fn damage_of_traces_is_found() {
    planted("x.json", TRACE, IN_TRACES);
}

/// A Dart snapshot of a root, an object and a string; all numbers are below 128, so each is a byte.
struct Dart {
    external_size: u8,
    /// Of the object.
    class: u8,
    references: Vec<u8>,
    /// Of the string.
    length: u8,
    kept: u8,
    /// Stated of all.
    reference_count: u8,
    object_count: u8,
    /// Object and bytes.
    property: [u8; 2],
    hashes: Vec<u8>,
    end: Vec<u8>,
}

impl Dart {
    fn sound() -> Self {
        Self {
            external_size: 9,
            class: 2,
            references: vec![3, 0],
            length: 3,
            kept: 3,
            reference_count: 4,
            object_count: 3,
            property: [3, 9],
            hashes: vec![0, 5, 6],
            end: vec![],
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let text = |text: &str| [&[text.len() as u8], text.as_bytes()].concat();
        let class = |name: &str, fields: &[u8]| [&[0], &*text(name), &[0, 0, 0], fields].concat();
        [
            b"dartheap\0".to_vec(),
            text("main"),
            vec![64, 100, self.external_size, 3],
            class("Root", &[0]),
            class("A", &[1, 1, 0, 1, b'f', 0]),
            class("_OneByteString", &[0]),
            vec![self.reference_count, self.object_count],
            vec![1, 0, 0, 2, 2, 3],
            [&[self.class, 16, 0, self.references.len() as u8], &*self.references].concat(),
            [&[3, 24, 5, self.length, self.kept], &b"abc"[..], &[0]].concat(),
            vec![1, self.property[0], self.property[1]],
            text("p"),
            self.hashes.clone(),
            self.end.clone(),
        ]
        .concat()
    }
}

#[test]
fn damage_of_dart_snapshots_is_found() {
    let scratch = Scratch::new();
    let name = "x.dartheap";
    // Reference 0 stands for what is omitted.
    scratch.write(name, Dart::sound().bytes());
    scratch.run(&format!("heap-check {name}")).quiet(0);
    let sound = Dart::sound;
    let damages = [
        ("class", Dart { class: 9, ..sound() }, "record-number"),
        ("reference", Dart { references: vec![9, 0], ..sound() }, "dangling-edge"),
        ("kept", Dart { length: 2, ..sound() }, "contradiction"),
        ("kept beyond the end", Dart { kept: 120, ..sound() }, "damaged"),
        ("fewer references", Dart { reference_count: 2, ..sound() }, "total"),
        ("fewer objects", Dart { object_count: 2, ..sound() }, "damaged"),
        ("more objects", Dart { object_count: 4, ..sound() }, "damaged"),
        ("external target", Dart { property: [7, 9], ..sound() }, "dangling-field"),
        ("external size", Dart { external_size: 8, ..sound() }, "total"),
        ("hashes", Dart { hashes: vec![0, 5], ..sound() }, "damaged"),
        ("more at the end", Dart { end: vec![7, 7], ..sound() }, "left-out"),
    ];
    for (what, damaged, rule) in damages {
        scratch.write(name, damaged.bytes());
        finds(&scratch, name, rule, what);
    }
}

/// An HPROF file of two classes with an instance each, an array of either kind, a thread and a frame.
struct Hprof {
    /// Field `next` of the first object.
    next: u64,
    /// Field bytes of the second object that its class does not declare.
    more: u32,
    /// Class of the second object.
    class: u64,
    /// Superclass of `A`, and of `java.lang.Object`.
    superclasses: [u64; 2],
    loader: u64,
    /// Address of the second object.
    second: u64,
    /// The class that a LOAD CLASS record names `A`.
    named: u64,
    /// The name of its field.
    field: u64,
    /// The type of the array of references, its claimed length, and its elements.
    array: (u64, u32, [u64; 2]),
    /// The type of the elements of the other array.
    kind: u8,
    /// A sticky class, and the thread that a local names.
    root: u64,
    thread: u32,
    /// A frame of the thread.
    frame: u64,
    /// Class dumps of `A`.
    dumps: usize,
    /// What follows the roots, and what ends the file.
    more_items: Vec<u8>,
    end: Vec<u8>,
}

impl Hprof {
    const OBJECT: u64 = 0x1000;
    const A: u64 = 0x1100;
    const ARRAY: u64 = 0x1200;
    const THREAD: u64 = 0x1300;
    const CLASS: u64 = 0x1400;
    const FIRST: u64 = 0x2000;
    const SECOND: u64 = 0x2020;

    fn sound() -> Self {
        Self {
            next: Self::SECOND,
            more: 0,
            class: Self::A,
            superclasses: [Self::OBJECT, 0],
            loader: 0,
            second: Self::SECOND,
            named: Self::A,
            field: 6,
            array: (Self::ARRAY, 2, [Self::FIRST, 0]),
            kind: 8,
            root: Self::A,
            thread: 1,
            frame: 0x99,
            dumps: 1,
            more_items: vec![],
            end: vec![0x2c, 0, 0, 0, 0, 0, 0, 0, 0],
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let record = |tag: u8, body: &[u8]| {
            [&[tag, 0, 0, 0, 0][..], &(body.len() as u32).to_be_bytes(), body].concat()
        };
        let ids = |ids: &[u64]| ids.iter().flat_map(|id| id.to_be_bytes()).collect::<Vec<_>>();
        let class = |id, superclass, loader, fields: &[u64]| {
            let fields = fields.iter().flat_map(|&name| [&ids(&[name])[..], &[2]].concat());
            let (count, fields) = (fields.clone().count() as u16 / 9, fields.collect::<Vec<_>>());
            let links = ids(&[superclass, loader, 0, 0, 0, 0]);
            [&[0x20][..], &ids(&[id]), &[0; 4], &links, &[0; 4 + 2 + 2], &count.to_be_bytes(), &fields]
                .concat()
        };
        let instance = |id, class, body: &[u8]| {
            [&[0x21][..], &ids(&[id]), &[0; 4], &ids(&[class]), &(body.len() as u32).to_be_bytes(), body]
                .concat()
        };
        let mut file = b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\0\0\0\0\0\0".to_vec();
        let names = ["java/lang/Object", "A", "[LA;", "java/lang/Thread", "java/lang/Class", "next", "run"];
        for (id, name) in (1..).zip(names) {
            file.extend(record(0x01, &[&ids(&[id]), name.as_bytes()].concat()));
        }
        let classes = [Self::OBJECT, self.named, Self::ARRAY, Self::THREAD, Self::CLASS];
        for (number, id) in (1_u32..).zip(classes) {
            let (serial, name) = (number.to_be_bytes(), u64::from(number));
            file.extend(record(0x02, &[&serial[..], &ids(&[id]), &[0; 4], &ids(&[name])].concat()));
        }
        file.extend(record(0x04, &[&ids(&[0x99, 7, 0, 0])[..], &[0, 0, 0, 2, 0, 0, 0, 9]].concat()));
        file.extend(record(0x05, &[&[0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 1], &ids(&[self.frame])[..]].concat()));
        let (array, claimed, elements) = self.array;
        let heap = [
            class(Self::OBJECT, self.superclasses[1], 0, &[]),
            class(Self::A, self.superclasses[0], self.loader, &[self.field]).repeat(self.dumps),
            class(Self::ARRAY, Self::OBJECT, 0, &[]),
            class(Self::THREAD, Self::OBJECT, 0, &[]),
            class(Self::CLASS, Self::OBJECT, 0, &[]),
            instance(Self::FIRST, Self::A, &ids(&[self.next])),
            instance(self.second, self.class, &[ids(&[0]), vec![0; self.more as usize]].concat()),
            instance(0x2040, Self::THREAD, &[]),
            [&[0x22][..], &ids(&[0x2060]), &[0; 4], &claimed.to_be_bytes(), &ids(&[array]), &ids(&elements)]
                .concat(),
            [&[0x23][..], &ids(&[0x2080]), &[0, 0, 0, 0, 0, 0, 0, 3, self.kind, 1, 2, 3]].concat(),
            [&[0x05][..], &ids(&[self.root])].concat(),
            [&[0xff][..], &ids(&[0x2060])].concat(),
            [&[0xff][..], &ids(&[0x2080])].concat(),
            [&[0x08][..], &ids(&[0x2040]), &[0, 0, 0, 1, 0, 0, 0, 5]].concat(),
            [&[0x03][..], &ids(&[Self::FIRST]), &self.thread.to_be_bytes(), &[0; 4]].concat(),
            self.more_items.clone(),
        ];
        file.extend(record(0x1c, &heap.concat()));
        file.extend(&self.end);
        file
    }
}

#[test]
fn damage_of_java_dumps_is_found() {
    let scratch = Scratch::new();
    let name = "x.hprof";
    scratch.write(name, Hprof::sound().bytes());
    scratch.run(&format!("heap-check {name}")).quiet(0);
    let sound = Hprof::sound;
    let elements = [Hprof::FIRST, 0];
    let damages = [
        ("a reference to nothing", Hprof { next: 0x9990, ..sound() }, "dangling-edge"),
        (
            "an element that is nothing",
            Hprof { array: (Hprof::ARRAY, 2, [8, 8]), ..sound() },
            "dangling-edge",
        ),
        ("a root that is nothing", Hprof { root: 0x9990, ..sound() }, "dangling-edge"),
        ("a loader that is nothing", Hprof { loader: 0x9990, ..sound() }, "dangling-edge"),
        ("two objects at one address", Hprof { second: Hprof::FIRST, ..sound() }, "duplicate-identifier"),
        ("an object where a class is", Hprof { second: Hprof::A, ..sound() }, "duplicate-identifier"),
        ("more fields", Hprof { more: 4, ..sound() }, "source-warning"),
        ("an instance of no class", Hprof { class: 0x9990, ..sound() }, "source-warning"),
        ("a superclass that is nothing", Hprof { superclasses: [0x9990, 0], ..sound() }, "source-warning"),
        ("a class that is its own superclass", Hprof { superclasses: [Hprof::A, 0], ..sound() }, "damaged"),
        ("a cycle", Hprof { superclasses: [Hprof::OBJECT, Hprof::A], ..sound() }, "damaged"),
        ("a class without a name", Hprof { named: 0x9990, ..sound() }, "source-warning"),
        ("two dumps of a class", Hprof { dumps: 2, ..sound() }, "source-warning"),
        ("no dump of a class", Hprof { dumps: 0, ..sound() }, "source-warning"),
        ("a field without a name", Hprof { field: 99, ..sound() }, "source-warning"),
        ("an array of no type", Hprof { array: (0x9990, 2, elements), ..sound() }, "source-warning"),
        ("an array that is too long", Hprof { array: (Hprof::ARRAY, 99, elements), ..sound() }, "damaged"),
        ("a huge array", Hprof { array: (Hprof::ARRAY, u32::MAX, elements), ..sound() }, "damaged"),
        ("an array that is too short", Hprof { array: (Hprof::ARRAY, 1, elements), ..sound() }, "damaged"),
        ("elements of an impossible type", Hprof { kind: 3, ..sound() }, "damaged"),
        ("a frame without a record", Hprof { frame: 0x98, ..sound() }, "source-warning"),
        ("a local of no thread", Hprof { thread: 9, ..sound() }, "source-warning"),
        ("an unknown sub-record", Hprof { more_items: vec![0x77], ..sound() }, "damaged"),
        ("half a root", Hprof { more_items: vec![0x05, 0, 0], ..sound() }, "damaged"),
        ("no end", Hprof { end: vec![], ..sound() }, "damaged"),
        ("half an end", Hprof { end: vec![0x2c, 0], ..sound() }, "damaged"),
        ("a record beyond the end", Hprof { end: vec![1, 0, 0, 0, 0, 9, 9, 9, 9], ..sound() }, "damaged"),
    ];
    for (what, damaged, rule) in damages {
        scratch.write(name, damaged.bytes());
        finds(&scratch, name, rule, what);
    }
}

/// All files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() { folders.push(entry) } else { all.push(entry) }
        }
    }
    all.sort();
    all
}

/// Files that are damaged on purpose, or odd (Ruby writes lines that are no JSON); and cores, of which pieces were cut out to make them small.
const ODD: [&str; 10] = [
    "/ruby/",
    "/bad-",
    "-cut-",
    "killed",
    "quirks-v1",
    "/mdb/",
    "/sqlite/",
    "/core/",
    "/regressions/",
    "/expected/",
];

#[test]
fn of_sound_dumps_nothing_is_said() {
    let scratch = Scratch::new();
    let ends = ["heapsnapshot", "dartheap", "mvmheap", "heap", "heapprofile", "json", "hprof", "phd", "txt"];
    let mut n = 0;
    for path in files(&root().join("tests/data")) {
        let path = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
        let plain = path.trim_end_matches(".zst").trim_end_matches(".gz");
        if ODD.iter().any(|odd| path.contains(odd))
            || !ends.iter().any(|end| plain.ends_with(&format!(".{end}")))
        {
            continue;
        }
        n += 1;
        // What a dump leaves open is said, and is no fault: identifiers of the hprof agent are no addresses.
        let run = scratch.run(&format!("heap-check {path}"));
        let warned = run.err.lines().all(|line| line.contains("which nothing bears out"));
        assert!(run.status == Some(0) && warned, "{path}: {}", run.err);
        assert_eq!(run.out, "", "{path}");
    }
    assert!(n >= 50, "{n} files");
}
