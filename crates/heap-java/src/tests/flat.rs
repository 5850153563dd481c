use std::path::Path;

use heap_base::{Blob, Dump};
use heap_record::SnapshotSelector;
use heap_record::testing::Recorder;
use heap_record::wants::Wants;

use super::{SUMS, edges, nodes, read, read_as, sums};
use crate::Options;

const CLASSIC: &str = "// Version: J2RE 1.8 on a machine
0x1000 [80] CLS java/lang/Object

0x1100 [80] CLS app/Node
\t0x1000 0x2000\x20
0x2000 [24] OBJ app/Node
\t0x2020 0x00000000 0x2040\x20
0x2020 [16] OBJ app/Node
0x2040 [32] OBJ [Lapp/Node;
\t0x2000 0x2000\r
0x2060 [24] OBJ [B
// Breakdown - Classes: 2
// EOF:  Total 'Objects',Refs(null) : 6,6(1)
";

#[test]
fn classic_text_is_read() {
    let recorder = read(CLASSIC.as_bytes());
    assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]));
    let expected = [
        "heap.root -1 - class 0",
        "java.class 1000 java.lang.Class java.lang.Object 80",
        "java.class 1100 java.lang.Class app.Node 80",
        "java.instance 2000 app.Node - 24",
        "java.instance 2020 app.Node - 16",
        "java.object_array 2040 app.Node[] - 32",
        "java.primitive_array 2060 byte[] - 24",
    ];
    assert_eq!(nodes(&recorder), expected);
    let expected = [
        "java.root -1 1000 -",
        "java.root -1 1100 -",
        "java.reference 1100 1000 -",
        "java.reference 1100 2000 -",
        "java.reference 2000 2020 -",
        "java.reference 2000 2040 -",
        "java.class 2000 1100 <class>",
        "java.class 2020 1100 <class>",
        "java.reference 2040 2000 -",
        "java.reference 2040 2000 -",
    ];
    assert_eq!(edges(&recorder), expected);
    assert_eq!(recorder.values("java.producer"), ["J2RE 1.8 on a machine"]);
}

#[test]
fn classes_that_old_writers_list_first_are_no_references() {
    let text =
        "// Version: J2RE 1.5\n0x10 [8] CLS A\n0x20 [8] OBJ A\n\t0x10 0x30 \n0x30 [8] OBJ A\n\t0x10 0x0 \n";
    let found = edges(&read(text.as_bytes()));
    let expected = [
        "java.root -1 10 -",
        "java.reference 20 30 -",
        "java.class 20 10 <class>",
        "java.class 30 10 <class>",
    ];
    assert_eq!(found, expected);
}

#[test]
fn damage_of_classic_text_has_its_line() {
    let cases = [
        (CLASSIC.replace("[16] OBJ", "[16] ARR"), "line 8: expected 0xADDRESS [BYTES] OBJ TYPE or CLS NAME"),
        (CLASSIC.replace("[32]", "32"), "line 9: expected 0xADDRESS [BYTES] OBJ TYPE or CLS NAME"),
        (CLASSIC.replace("0x2020 0x0", "0x2020 x"), "line 7: expected references 0xADDRESS"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(text.as_bytes()).error.as_deref(), Some(expected));
    }
    // Between two lines, too: whoever wrote the first line would have written the last.
    let (head, whole) =
        (CLASSIC.find('\n').expect("a line") + 1, CLASSIC.find("// EOF").expect("is last") + 6);
    for len in 0..CLASSIC.len() {
        let recorder = read(&CLASSIC.as_bytes()[..len]);
        assert!(!(head..whole).contains(&len) || recorder.error.is_some(), "cut at {len}");
    }
}

/// A portable heap dump that is being written.
struct Phd {
    bytes: Vec<u8>,
    wide: bool,
    hashed: bool,
    version: u32,
    unit: i64,
    address: i64,
}

impl Phd {
    fn new(version: u32, flags: u32) -> Self {
        let mut bytes = b"\0\x12portable heap dump".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(flags.to_be_bytes());
        bytes.extend([1, 4, 0, 3]);
        bytes.extend(b"J9!");
        bytes.extend([1, 0, 0, 0, 1, 0, 0, 0, 2, 2, 2]);
        let unit = if version == 5 || flags & 4 != 0 { 4 } else { 8 };
        Self { bytes, wide: flags & 1 != 0, hashed: flags & 2 != 0, version, unit, address: 0 }
    }

    fn word(&mut self, word: i64) {
        let bytes = word.to_be_bytes();
        self.bytes.extend(if self.wide { &bytes[..] } else { &bytes[4..] });
    }

    fn gap(&mut self, to: i64, width: usize) {
        let gap = (to - self.address) / self.unit;
        self.address = to;
        self.bytes.extend(&gap.to_be_bytes()[8 - width..]);
    }

    fn refs(&mut self, refs: &[i64], width: usize) {
        for to in refs {
            self.bytes.extend(&((to - self.address) / self.unit).to_be_bytes()[8 - width..]);
        }
    }

    fn hash(&mut self) {
        if self.hashed {
            self.bytes.extend([0x12, 0x34]);
        }
    }

    fn class(&mut self, at: i64, instance: u32, superclass: i64, name: &str, statics: &[i64]) {
        self.bytes.extend([6, 2 << 6 | 2 << 4]);
        self.gap(at, 4);
        self.bytes.extend(instance.to_be_bytes());
        self.hash();
        self.word(superclass);
        self.bytes.extend((name.len() as u16).to_be_bytes());
        self.bytes.extend(name.as_bytes());
        self.bytes.extend((statics.len() as u32).to_be_bytes());
        self.refs(statics, 4);
    }

    fn medium(&mut self, at: i64, class: i64, refs: &[i64]) {
        self.bytes.push(0x40 | (refs.len() as u8) << 3 | 1 << 2 | 1);
        self.gap(at, 2);
        self.word(class);
        self.hash();
        self.refs(refs, 2);
    }

    fn short(&mut self, at: i64, slot: u8, refs: &[i64]) {
        self.bytes.push(0x80 | slot << 5 | (refs.len() as u8) << 3);
        self.gap(at, 1);
        self.hash();
        self.refs(refs, 1);
    }

    fn size(&mut self, words: u32) {
        if self.version >= 6 {
            self.bytes.extend(words.to_be_bytes());
        }
    }

    /// An object array with all its elements.
    fn objects(&mut self, at: i64, element: i64, refs: &[i64], len: u32) {
        self.bytes.extend([8, 1 << 6 | 1 << 4]);
        self.gap(at, 2);
        self.word(element);
        self.hash();
        self.bytes.extend((refs.len() as u32).to_be_bytes());
        self.refs(refs, 2);
        self.bytes.extend(len.to_be_bytes());
        self.size(6);
    }

    fn sample(mut self) -> Vec<u8> {
        self.class(0x1000, 16, 0, "java/lang/Object", &[]);
        self.class(0x1100, 24, 0x1000, "app/Node", &[0x2000]);
        self.class(0x1200, 0, 0x1000, "[Lapp/Node;", &[]);
        self.medium(0x2000, 0x1100, &[0x2020, 0x2040]);
        self.short(0x2020, 0, &[0x2000]);
        self.objects(0x2040, 0x1100, &[0x2020, 0x2000], 2);
        self.objects(0x2060, 0x1100, &[0x2020], 3);
        // Bytes, 200 of them; the length has no sign.
        self.bytes.push(0x20 | 4 << 2);
        self.gap(0x2080, 1);
        self.bytes.push(200);
        self.hash();
        self.size(54);
        // A long record, hashed and moved, whose class comes later.
        self.bytes.extend([4, 2]);
        self.gap(0x2088, 1);
        self.word(0x1300);
        if self.hashed {
            self.hash();
        } else {
            self.bytes.extend([9; 4]);
        }
        self.bytes.extend([0, 0, 0, 1]);
        self.refs(&[0x2080], 1);
        self.short(0x20a0, 1, &[]);
        // Two longs, hashed.
        self.bytes.extend([7, 7 << 5 | 1]);
        self.gap(0x20c0, 1);
        self.bytes.push(2);
        self.hash();
        self.size(8);
        self.class(0x1300, 40, 0x1100, "app/Later", &[]);
        self.bytes.push(3);
        self.bytes
    }
}

#[test]
fn another_dump_at_the_end_is_an_error() {
    for one in [CLASSIC.as_bytes().to_vec(), Phd::new(5, 0).sample()] {
        let (alone, both) = (read(&one), read(&[&*one, &one].concat()));
        let message = format!("byte {}: another dump follows: each needs a file of its own", one.len());
        assert_eq!((alone.error.as_deref(), both.error.as_deref()), (None, Some(&*message)));
        assert_eq!(nodes(&both), nodes(&alone));
    }
}

#[test]
fn portable_dumps_of_all_versions_are_read() {
    for version in 4..=6 {
        for flags in [0, 1, 2, 3, 4, 5, 6, 7] {
            let bytes = Phd::new(version, flags).sample();
            let recorder = read(&bytes);
            let case = format!("version {version}, flags {flags}");
            assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]), "{case}");
            let found = nodes(&recorder);
            let mut expected = vec![
                "heap.root -1 - class 0",
                "java.class 1000 java.lang.Class java.lang.Object 0  \"java\":{\"instance_size\":16}",
                "java.instance 2000 app.Node - 24",
                "java.instance 2020 app.Node - 24",
                "java.instance 2088 app.Later - 40",
                "java.instance 20a0 app.Later - 40",
                "java.object_array 2060 app.Node[] - ",
            ];
            if version == 6 {
                expected.push("java.object_array 2040 app.Node[] - 24  \"java\":{\"length\":2}");
                expected.push("java.primitive_array 2080 byte[] - 216  \"java\":{\"length\":200}");
                expected.push("java.primitive_array 20c0 long[] - 32  \"java\":{\"length\":2}");
            }
            for line in expected {
                assert!(found.iter().any(|node| node.starts_with(line)), "{case}: {line} in {found:#?}");
            }
            let expected = [
                "java.root -1 1000 -",
                "java.root -1 1100 -",
                "java.root -1 1200 -",
                "java.root -1 1300 -",
                "java.super 1100 1000 <super>",
                "java.reference 1100 2000 -",
                "java.super 1200 1000 <super>",
                "java.reference 2000 2020 -",
                "java.reference 2000 2040 -",
                "java.class 2000 1100 <class>",
                "java.reference 2020 2000 -",
                "java.class 2020 1100 <class>",
                "array element 2040 2020 1",
                "array element 2040 2000 0",
                "java.class 2040 1200 <class>",
                "java.reference 2060 2020 -",
                "java.class 2060 1200 <class>",
                "java.reference 2088 2080 -",
                "java.class 2088 1300 <class>",
                "java.class 20a0 1300 <class>",
                "java.super 1300 1100 <super>",
            ];
            let (mut found, mut expected) = (edges(&recorder), expected.map(str::to_owned).to_vec());
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{case}");
            let summed = read_as(&bytes, Options::default(), SUMS);
            assert_eq!(sums(&summed), sums(&recorder), "{case}");
        }
    }
}

#[test]
fn a_cut_portable_dump_gives_what_is_intact() {
    let bytes = Phd::new(6, 5).sample();
    let all = nodes(&read(&bytes)).len();
    let mut most = 0;
    for len in 0..bytes.len() {
        let recorder = read(&bytes[..len]);
        assert!(recorder.error.is_some(), "cut at {len}");
        let found = nodes(&recorder).len();
        assert!(found >= most, "cut at {len}");
        most = found;
    }
    assert_eq!(most, all);
}

/// A javacore of the sample: `main` runs, `pool "1"` waits for a lock of its; a loader has `app/Later`.
const JAVACORE: &str = "NULL           ------------------------------------------------------------------------
0SECTION       TITLE subcomponent dump routine
1TICHARSET     UTF-8
1TISIGINFO     Dump Event \"systhrow\" (00040000) Detail \"java/lang/OutOfMemoryError\" received
0SECTION       LOCKS subcomponent dump routine
1LKMONPOOLDUMP Monitor Pool Dump (flat & inflated object-monitors):
2LKMONINUSE      sys_mon_t:0x1 infl_mon_t: 0x2:
3LKMONOBJECT       app/Node@0x0000000000002000: Flat locked by \"main\" (J9VMThread:0x0000000000000A00), entry count 1
3LKWAITERQ            Waiting to enter:
3LKWAITER                \"pool \"1\"\" (J9VMThread:0x0000000000000B00)
2LKREGMON          Thread global lock (0x3): <unowned>
3LKNOTIFYQ            Waiting to be notified:
3LKWAITNOTIFY            \"main\" (J9VMThread:0x0000000000000A00)
0SECTION       THREADS subcomponent dump routine
3XMTHREADINFO      \"main\" J9VMThread:0x0000000000000A00, j9thread_t:0x9, java/lang/Thread:0x0000000000002020, state:R, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
3XMTHREADINFO3           Java callstack:
4XESTACKTRACE                at java/lang/Object.wait(Native Method)
4XESTACKTRACE                at app/Node$Inner.<init>(java.base@11.0.4/Node.java:17(Compiled Code))
5XESTACKTRACE                   (entered lock: app/Node@0x0000000000002000, entry count: 1)
5XESTACKTRACE                   (entered lock: app/Gone@0x0000000000007000, entry count: 1)
3XMTHREADINFO3           Native callstack:
4XENATIVESTACK               (0x00007F8CFA2F7052 [libj9prt26.so+0x13052])
3XMTHREADINFO      Anonymous native thread
4XESTACKTRACE                at no/ones.call(No.java:1)
3XMTHREADINFO      \"pool \"1\"\" J9VMThread:0x0000000000000B00, j9thread_t:0x8, java/lang/Thread:0x00000000000020A0, state:B, prio=5
3XMTHREADINFO      \"main\" J9VMThread:0x0000000000000A00, j9thread_t:0x9, java/lang/Thread:0x0000000000002020, state:R, prio=5
4XESTACKTRACE                at the/same.again(Same.java:2)
0SECTION       CLASSES subcomponent dump routine
2CLTEXTCLLOADER\t\tp---st-- Loader *System*(0x0000000000002060)
2CLTEXTCLLOADER\t\t-----ta- Loader app/Loader(0x0000000000002088), Parent *none*(0x0000000000000000)
2CLTEXTCLLOAD  \t\tLoader *System*(0x0000000000002060)
3CLTEXTCLASS   \t\t\tjava/lang/Object(0x0000000000000500)
3CLTEXTCLASS   \t\t\tapp/Node(0x0000000000000500)
2CLTEXTCLLOAD  \t\tLoader app/Loader(0x0000000000002088)
3CLTEXTCLASS   \t\t\tapp/Later(0x0000000000000600)
0SECTION       Javadump End section
";

fn read_with(dump: &[u8], javacore: &str) -> Recorder {
    let javacore = Blob::from_bytes(javacore.as_bytes()).with_path(Path::new("/tmp/javacore.1.txt"));
    let dump = Dump::from(Blob::from_bytes(dump)).with_companion(javacore);
    Recorder::new(Wants::ALL)
        .with(|sink| crate::read(&dump, SnapshotSelector::Last, Options::default(), sink))
}

#[test]
fn a_javacore_adds_threads_roots_and_loaders() {
    let recorder = read_with(&Phd::new(6, 5).sample(), JAVACORE);
    assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]));
    let found = nodes(&recorder);
    let expected = [
        "heap.root -1 - sticky class 0",
        "heap.root -3 - thread object 0",
        "heap.frame -5 - java.lang.Object.wait 0",
        "heap.frame -7 - app.Node$Inner.<init> 0",
    ];
    for (line, found) in expected.into_iter().zip(&found) {
        assert!(found.starts_with(line), "{line} in {found}");
    }
    let inner = found[3].replace("-7", "");
    assert!(inner.contains("\"line\":17") && inner.ends_with("\"java\":{\"frame\":1}"), "{inner}");
    for line in [
        "java.instance 2020 app.Node main 24",
        "java.instance 20a0 app.Later pool \"1\" 40  \"java\":{\"loader\":8329}",
        "java.instance 2088 app.Later - 40  \"java\":{\"loader\":8329}",
    ] {
        assert!(found.iter().any(|node| node == line), "{line} in {found:#?}");
    }
    let found = edges(&recorder);
    let added = |edge: &&String| {
        ["java.root", "heap.", "java.loader"].iter().any(|kind| edge.starts_with(kind))
            || edge.ends_with("2088 1300 -")
    };
    let mut found: Vec<&String> = found.iter().filter(added).collect();
    found.sort();
    let mut expected = [
        "heap.frame 2020 -5 0",
        "heap.frame 2020 -7 1",
        "heap.local -7 2000 -",
        "heap.local 20a0 2000 -",
        "java.loader 1300 2088 <loader>",
        "java.reference 2088 1300 -",
        "java.root -1 1000 -",
        "java.root -1 1100 -",
        // No loader is known to have it.
        "java.root -1 1200 -",
        "java.root -1 2060 -",
        "java.root -3 2020 -",
        "java.root -3 20a0 -",
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(recorder.values("java.javacore"), ["javacore.1.txt"]);
    assert_eq!(recorder.values("java.note"), [""; 0]);
}

#[test]
fn a_javacore_of_another_moment_is_not_used() {
    let bytes = Phd::new(6, 5).sample();
    let alone = read(&bytes);
    let cases = [
        (
            JAVACORE.replace("0x0000000000002020", "0x0000000000002028"),
            "only 1 of 2 threads in javacore.1.txt",
        ),
        (JAVACORE.replace("java/lang/Thread:0x", "TID:0x"), "does not say which objects its 2 threads are"),
    ];
    for (javacore, expected) in cases {
        let recorder = read_with(&bytes, &javacore);
        assert_eq!((nodes(&recorder), edges(&recorder)), (nodes(&alone), edges(&alone)));
        let notes = recorder.values("java.note");
        assert!(notes.len() == 1 && notes[0].contains(expected), "{notes:?}");
    }
}

#[test]
fn a_javacore_that_is_cut_or_damaged_is_used_as_far_as_it_goes() {
    let bytes = Phd::new(6, 5).sample();
    for len in 160..JAVACORE.len() {
        if !JAVACORE.is_char_boundary(len) {
            continue;
        }
        let recorder = read_with(&bytes, &JAVACORE[..len]);
        assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]), "cut at {len}");
        let whole = JAVACORE[..len].contains("Javadump End");
        assert_eq!(recorder.values("java.note").is_empty(), whole, "cut at {len}");
    }
    let recorder = read_with(&bytes, "not a javacore\n");
    assert!(recorder.error.is_some_and(|error| error.contains("none")));
    // A name of a thread, a line and a count as long as can be.
    let long = JAVACORE.replace("pool \"1\"", &"x".repeat(1 << 17));
    assert_eq!(read_with(&bytes, &long).error, None);
}
