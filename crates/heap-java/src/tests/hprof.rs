use heap_base::Blob;
use heap_graph::{Config, GraphSink, Keep, analyse};
use heap_record::testing::Recorder;
use heap_record::wants::{Nodes, Wants};
use heap_record::{Sink, SnapshotSelector};

use super::make::{HOTSPOT, Hprof, LOADER, NODE, OBJECT, STRING, Style, Value, WEAK, sample};
use super::{SUMS, edges, nodes, read, read_as, sums};
use crate::{Options, Overrides, Refs};

#[test]
fn every_object_of_a_dump_is_a_node() {
    let recorder = read(&sample(HOTSPOT));
    assert_eq!(recorder.error, None);
    assert_eq!(recorder.problems(), Vec::<String>::new());
    let found = nodes(&recorder);
    let expected = [
        "heap.root -1 - jni global 0",
        "heap.root -3 - sticky class 0",
        "heap.root -5 - thread object 0",
        "heap.frame -7 - java.lang.Thread.sleep 0",
        "heap.frame -9 - app.Node.run 0",
        "java.class 1000 java.lang.Class java.lang.Object",
        "java.class 1600 java.lang.Class app.Node",
        "java.instance 3000 java.lang.Thread w\u{f6}r\u{fffd} 24",
        "string_flat 3020 java.lang.String - 24 \"data\":",
        "java.primitive_array 3040 byte[] - 24  \"java\":{\"length\":8}",
        "java.instance 4000 app.Node - 24  \"java\":{\"loader\":24577}",
        "java.instance 4020 app.Node$Sub - 24  \"java\":{\"loader\":24577}",
        "java.instance 5000 java.lang.ref.WeakReference - 24",
        "java.object_array 5060 app.Node[] - 32  \"java\":{\"length\":4,\"used\":3}",
        "java.primitive_array 6020 long[] - 40  \"java\":{\"length\":3}",
    ];
    for line in expected {
        assert!(found.iter().any(|node| node.starts_with(line)), "{line} in {found:#?}");
    }
    assert_eq!(found.len(), 3 + 2 + 11 + 12);
}

#[test]
fn every_reference_is_an_edge() {
    let found = edges(&read(&sample(HOTSPOT)));
    let expected = [
        "java.root -3 1600 -",
        "java.root -5 3000 -",
        "java.root -1 5000 -",
        "heap.frame 3000 -7 0",
        "heap.frame 3000 -9 1",
        "heap.local -9 4000 -",
        "heap.local 3000 4040 -",
        "object property 3000 3020 name",
        "object property 4000 4020 next",
        "object property 4020 4040 next",
        "object property 4040 4000 Node.next",
        "java.weak 5000 5020 referent",
        "array element 5060 4000 0",
        "array element 5060 4040 2",
        "array element 5060 9990 3",
        "java.static 1600 4000 first",
        "java.super 1700 1600 <super>",
        "java.loader 1600 6000 <loader>",
        "java.class 4020 1700 <class>",
        "java.class 3040 1800 <class>",
        "java.class 1600 1100 <class>",
    ];
    for line in expected {
        assert_eq!(found.iter().filter(|edge| *edge == line).count(), 1, "{line} in {found:#?}");
    }
}

#[test]
fn the_value_of_a_thread_says_of_which_variable_it_is() {
    use Value::{Byte, Ref};
    let name = "java/lang/ThreadLocal$ThreadLocalMap$Entry";
    for id_size in [4, 8] {
        let mut file = Hprof::new('2', id_size);
        for (serial, (class, name)) in
            [(OBJECT, "java/lang/Object"), (WEAK, "java/lang/ref/WeakReference"), (0x2500, name)]
                .into_iter()
                .enumerate()
        {
            file.load(serial as u32 + 1, class, name);
        }
        file.segment(0x1c);
        file.class(OBJECT, (0, 0), &[], &[]);
        file.class(WEAK, (OBJECT, 0), &[], &[("queue", Ref(0)), ("referent", Ref(0))]);
        file.class(0x2500, (WEAK, 0), &[], &[("value", Ref(0)), ("flag", Byte(0))]);
        // Fields of the class itself come first.
        file.instance(0x3000, 0x2500, &[Ref(0x4000), Byte(1), Ref(0), Ref(0x5000)]);
        file.instance(0x3040, 0x2500, &[Ref(0x4000), Byte(1), Ref(0), Ref(0)]);
        file.instance(0x3080, WEAK, &[Ref(0), Ref(0x5000)]);
        file.instance(0x4000, OBJECT, &[]);
        file.instance(0x5000, OBJECT, &[]);
        file.root(0x05, 0x3000, &[]);
        let recorder = read(&file.finish());
        let said: Vec<_> =
            recorder.all_nodes().into_iter().filter(|node| node.rest.contains("thread_local")).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!((said[0].id, said[0].rest.as_str()), (0x3001, r#""java":{"thread_local":20481}"#));
    }
}

#[test]
fn contents_of_strings_are_strings() {
    let recorder = read(&sample(HOTSPOT));
    let texts: Vec<_> =
        recorder.all_strings().into_iter().map(|s| (s.data.as_str(), s.rest.as_str())).collect();
    assert!(texts.contains(&("na\u{ef}ve", "")), "{texts:?}");
    assert!(texts.contains(&("w\u{f6}r\u{fffd}", "\"heap\":{\"utf16\":\"007700f60072d83d\"}")), "{texts:?}");
}

#[test]
fn neither_the_order_of_a_file_nor_the_form_of_names_changes_anything() {
    let sorted = |style: Style| {
        // Android's class dumps would state sizes, which these leave out.
        let layout = if style.version == '3' { "fields=packed" } else { "" };
        let options = Options { layout: Overrides::parse(layout).expect(layout), ..Options::default() };
        let recorder = read_as(&sample(style), options, Wants::ALL);
        assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]), "{style:?}");
        let mut lines = [nodes(&recorder), edges(&recorder)].concat();
        // String ids differ.
        for line in &mut lines {
            line.truncate(line.find("\"data\"").unwrap_or(line.len()));
        }
        lines.sort();
        lines
    };
    for id_size in [4, 8] {
        let expected = sorted(Style { id_size, ..HOTSPOT });
        for bits in 0..16 {
            let [roots_first, classes_last, segments, dots] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            for version in ['1', '2', '3'] {
                let style = Style { version, id_size, roots_first, classes_last, segments, dots };
                assert_eq!(sorted(style), expected, "{style:?}");
            }
        }
    }
}

#[test]
fn edges_are_the_same_by_index() {
    for (roots_first, segments, sharded) in
        [(false, false, false), (true, false, false), (false, false, true), (false, true, true)]
    {
        let bytes = sample(Style { roots_first, segments, ..HOTSPOT });
        let by_id = edges(&read(&bytes));
        let wants = Wants { edges: heap_record::wants::Edges::ByIndex, ..Wants::ALL };
        let dump = Blob::from_bytes(bytes).into();
        let mut by_index = Recorder { sharded, ..Recorder::new(wants) }
            .with(|sink| crate::read(&dump, SnapshotSelector::Last, Options::default(), sink));
        by_index.resolve_indexes();
        // The object that the dump lacks has no index.
        let expected: Vec<_> = by_id.into_iter().filter(|edge| !edge.contains("9990")).collect();
        assert_eq!(edges(&by_index), expected);
    }
}

#[test]
fn nodes_for_clues_lack_lengths_and_the_like_alone() {
    let bytes = sample(HOTSPOT);
    let [full, clues] = [Nodes::Full, Nodes::Clues].map(|nodes| {
        let recorder = read_as(&bytes, Options::default(), Wants { nodes, ..Wants::ALL });
        let node = |node: heap_record::testing::NodeRecord| {
            ((node.subtype, node.id, format!("{:?}", node.heap), node.own.clone()), node.rest.clone())
        };
        let (same, rest): (Vec<_>, Vec<_>) = recorder.all_nodes().into_iter().cloned().map(node).unzip();
        (same, rest.concat())
    });
    assert!(full.0.iter().any(|node| node.3.contains("data")), "no string has its text");
    assert_eq!(full.0, clues.0);
    assert!(full.1.contains("\"length\"") && full.1.contains("\"loader\""), "{}", full.1);
    assert!(!clues.1.contains("\"length\"") && !clues.1.contains("\"loader\""), "{}", clues.1);
}

#[test]
fn sums_are_those_of_the_nodes() {
    for id_size in [4, 8] {
        for layout in
            ["", "fields=mat", "reference=8,header=16,align=32", "header=8", "fields=inherited,align=16"]
        {
            let options = Options { layout: Overrides::parse(layout).expect(layout), ..Options::default() };
            let bytes = sample(Style { id_size, ..HOTSPOT });
            let all = sums(&read_as(&bytes, options, Wants::ALL));
            let summed = read_as(&bytes, options, SUMS);
            let mut expected = std::collections::BTreeMap::new();
            for ((subtype, class), (count, size)) in all {
                let sum: &mut (u64, u64) = expected.entry((subtype, class)).or_default();
                (sum.0, sum.1) = (sum.0 + count, sum.1 + size);
            }
            assert_eq!(sums(&summed), expected, "{layout}");
        }
    }
}

#[test]
fn a_user_says_the_layout_and_metadata_says_it_too() {
    let cases = [
        ("", "reference=4 header=12 align=8 fields=packed"),
        ("reference=8,align=16", "reference=8 header=12 align=16 fields=packed"),
        ("header=16 fields=mat", "reference=4 header=16 align=8 fields=mat"),
    ];
    for (said, words) in cases {
        let options = Options { layout: Overrides::parse(said).expect(said), ..Options::default() };
        let recorder = read_as(&sample(HOTSPOT), options, Wants::HEAD);
        assert_eq!(recorder.values("java.layout"), [words], "{said}");
    }
    for wrong in ["reference=5", "align=12", "header", "fields=best", "size=4", "align=512"] {
        assert_eq!(Overrides::parse(wrong), None, "{wrong}");
    }
}

/// Retained bytes by node, by taking each node away and seeing what is no longer reached.
fn retained_slowly(recorder: &Recorder, weak: bool) -> Vec<u64> {
    let all = recorder.all_nodes();
    let index = |id| all.iter().position(|node| node.id == id);
    let mut links = vec![Vec::new(); all.len()];
    for edge in recorder.all_edges() {
        let counts = weak || recorder.edge_type(edge.subtype) != "java.weak";
        if let (Some(from), Some(to), true) = (index(edge.source), edge.dest.and_then(index), counts) {
            links[from].push(to);
        }
    }
    let roots: Vec<usize> =
        recorder.values("heap.root").iter().filter_map(|id| index(id.parse().ok()?)).collect();
    let reached = |without: Option<usize>| {
        let mut seen = vec![false; all.len()];
        let mut stack: Vec<_> = roots.iter().copied().filter(|&root| Some(root) != without).collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend(links[node].iter().copied().filter(|&next| Some(next) != without));
            }
        }
        seen
    };
    let size = |node: usize| all[node].heap.size.unwrap_or(0);
    let before = reached(None);
    (0..all.len())
        .map(|node| {
            let after = reached(Some(node));
            (0..all.len()).filter(|&other| before[node] && before[other] && !after[other]).map(size).sum()
        })
        .collect()
}

#[test]
fn retained_sizes_are_what_goes_when_an_object_goes() {
    for refs in [Refs::All, Refs::Strong, Refs::Hard] {
        let options = Options { refs, ..Options::default() };
        let bytes = sample(HOTSPOT);
        let recorder = read_as(&bytes, options, Wants::ALL);
        let mut sink = GraphSink::new(Keep { ids: true, ..Keep::default() });
        crate::read(&Blob::from_bytes(bytes).into(), SnapshotSelector::Last, options, &mut sink)
            .expect("intact");
        sink.finish(true).expect("a graph");
        let heap = sink.build().expect("a graph");
        let config = Config { retained: true, ..Config::default() };
        let found = analyse(heap.graph, &heap.sizes, &heap.policy, config).retained;
        let expected = retained_slowly(&recorder, refs == Refs::All);
        assert!(expected.iter().filter(|&&bytes| bytes > 0).count() > 15, "{expected:?}");
        assert_eq!(found, expected, "{refs:?}");
    }
}

#[test]
fn weak_references_retain_by_the_rule_that_is_asked_for() {
    use heap_record::Retains::{No, Weak};
    for (refs, expected) in [
        (Refs::All, [Weak, Weak, Weak, Weak]),
        (Refs::Strong, [No, Weak, No, Weak]),
        (Refs::Hard, [No, No, No, No]),
    ] {
        let recorder = read_as(&sample(HOTSPOT), Options { refs, ..Options::default() }, Wants::HEAD);
        let found = ["java.weak", "java.soft", "java.phantom", "java.final"].map(|wanted| {
            let declared = recorder.all_declarations().into_iter().find_map(|declaration| match declaration
                .declared()
            {
                heap_record::Declared::Edge { name, retains, .. } if name == wanted => Some(retains),
                _ => None,
            });
            declared.expect(wanted)
        });
        assert_eq!(found, expected);
        assert_eq!(recorder.values("java.refs"), [refs.name()]);
    }
}

#[test]
fn odd_addresses_have_identifiers_of_their_own() {
    let mut file = Hprof::new('2', 8);
    file.load(1, OBJECT, "java/lang/Object");
    file.class(OBJECT, (0, 0), &[], &[]);
    for id in [7, 8, 9, 1001] {
        file.instance(id, OBJECT, &[]);
    }
    let recorder = read(&file.finish());
    assert_eq!(recorder.values("heap.identifier"), ["index"]);
    let ids: Vec<_> = recorder.all_nodes().iter().map(|node| node.id).collect();
    // The root's comes from the other end.
    assert_eq!(ids, [i64::MAX, 2 * OBJECT as i64 + 1, 15, 17, 19, 2003]);
}

#[test]
fn a_heap_of_unknown_length_goes_to_the_end_of_the_file() {
    let intact = sample(Style { version: '1', ..HOTSPOT });
    // The segment is the last record but one.
    let at = intact.windows(9).rposition(|w| w[0] == 0x1c && w[1..5] == [0; 4]).expect("a segment");
    let mut bytes = intact.clone();
    bytes[at] = 0x0c;
    bytes[at + 5..at + 9].fill(0);
    bytes.truncate(bytes.len() - 9);
    assert_eq!(nodes(&read(&bytes)), nodes(&read(&intact)));
}

#[test]
fn a_chain_of_many_superclasses_and_a_cycle_are_read() {
    let mut file = Hprof::new('2', 8);
    let count = 20_000;
    for i in 1..=count {
        file.class(i * 16, ((i - 1) * 16, 0), &[], &[]);
        file.instance(0x10_0000 + i * 16, i * 16, &[]);
    }
    let recorder = read(&file.finish());
    assert_eq!(recorder.error, None);
    assert_eq!(recorder.all_nodes().len() as u64, 1 + 2 * count);

    let mut file = Hprof::new('2', 8);
    for i in 1..=5 {
        file.class(i * 16, (i % 5 * 16 + 16, 0), &[], &[("f", Value::Ref(0))]);
        file.instance(0x1000 + i * 16, i * 16, &[Value::Ref(16); 5]);
    }
    let recorder = read(&file.finish());
    assert!(
        recorder.error.as_deref().is_some_and(|e| e.contains("its own superclass")),
        "{:?}",
        recorder.error
    );
    assert_eq!(recorder.all_nodes().len(), 1 + 10);
}

#[test]
fn a_thread_has_the_name_that_its_superclass_declares() {
    let mut file = Hprof::new('2', 8);
    file.load(1, 0x10, "java/lang/Thread");
    file.load(2, 0x20, "Worker");
    file.class(0x10, (0, 0), &[], &[("priority", Value::Int(0)), ("name", Value::Ref(0))]);
    file.class(0x20, (0x10, 0), &[], &[("task", Value::Ref(0))]);
    file.instance(0x100, 0x20, &[Value::Ref(0), Value::Int(5), Value::Ref(0x200)]);
    // Of several objects at one address the first counts.
    file.primitives(0x200, 5, b"\0a\0b", 2);
    file.primitives(0x200, 5, b"\0z", 2);
    file.root(0x08, 0x100, &[1, 0]);
    let recorder = read(&file.finish());
    assert_eq!(recorder.error, None);
    assert!(
        nodes(&recorder).iter().any(|node| node.starts_with("java.instance 100 Worker ab ")),
        "{:?}",
        nodes(&recorder)
    );
}

#[test]
fn what_is_wrong_and_no_damage_is_said() {
    let mut file = Hprof::new('2', 8);
    file.load(1, 0x10, "A");
    file.class(0x10, (0x90, 0), &[], &[("f", Value::Ref(0))]);
    file.class(0x10, (0, 0), &[], &[]);
    file.class(0x20, (0, 0), &[], &[]);
    file.instance(0x100, 0x10, &[Value::Ref(0x100)]);
    for id in [0x200, 0x300] {
        file.instance(id, 0x10, &[Value::Ref(0x100), Value::Int(7)]);
    }
    file.instance(0x400, 0x90, &[]);
    file.objects(0x500, 0x98, &[0x100]);
    file.root(0x03, 0x100, &[1, 0]);
    let recorder = read(&file.finish());
    let expected = [
        "2 instances have other bytes of fields than their class declares, such as A",
        "1 instances are of classes without a class dump, such as <unnamed class 0x90>",
        "1 arrays are of types without a class dump, such as <unnamed class 0x98>",
        "1 classes have no name, such as <unnamed class 0x20>",
        "1 classes have a superclass without a class dump, such as A",
        "1 class dumps are of classes that have one already, such as that of 0x10",
        "1 references from stacks name a thread without an object, such as thread 1",
    ];
    assert_eq!(recorder.values("java.warning"), expected);
}

#[test]
fn classes_without_names_or_dumps_do_no_harm() {
    let mut file = Hprof::new('2', 8);
    file.instance(0x100, 0xdead, &[Value::Ref(0x100)]);
    file.objects(0x200, 0xbeef, &[0x100]);
    let recorder = read(&file.finish());
    assert_eq!(recorder.error, None);
    let expected = [
        "java.instance 100 <unnamed class 0xdead> - 16",
        "java.object_array 200 <unnamed class 0xbeef> - 24  \"java\":{\"length\":1,\"used\":1}",
    ];
    assert_eq!(nodes(&recorder), expected);
    let expected = ["java.class 100 deac <class>", "array element 200 100 0", "java.class 200 beee <class>"];
    assert_eq!(edges(&recorder), expected);
}

#[test]
fn a_dump_without_roots_keeps_the_classes_of_the_boot_loader() {
    let mut file = Hprof::new('2', 8);
    file.class(OBJECT, (0, 0), &[], &[]);
    file.class(NODE, (OBJECT, LOADER), &[], &[]);
    file.class(STRING, (OBJECT, 0), &[], &[]);
    let found = edges(&read(&file.finish()));
    let roots: Vec<_> = found.iter().filter(|edge| edge.starts_with("java.root")).collect();
    assert_eq!(roots, ["java.root -1 1000 -", "java.root -1 1200 -"]);
}

#[test]
fn what_classes_keep_for_the_program_has_a_root() {
    let roots = |class: &str| {
        let mut file = Hprof::new('2', 8);
        file.load(1, OBJECT, "java.lang.Object");
        file.load(2, NODE, class);
        file.root(0x05, OBJECT, &[]);
        file.class(OBJECT, (0, 0), &[], &[]);
        file.class(NODE, (OBJECT, 0), &[], &[]);
        file.instance(0x4000, NODE, &[]);
        let found = edges(&read(&file.finish()));
        found.into_iter().filter(|edge| edge.starts_with("java.root")).collect::<Vec<_>>()
    };
    assert_eq!(roots("java.lang.ClassValue$ClassValueMap"), ["java.root -1 4000 -", "java.root -3 1000 -"]);
    assert_eq!(roots("java.util.WeakHashMap"), ["java.root -1 1000 -"]);
}

#[test]
fn a_root_that_names_a_class_which_is_not_linked_dangles_by_rule() {
    let dangling = |dumped: bool| {
        let mut file = Hprof::new('2', 8);
        file.load(1, OBJECT, "java.lang.Object");
        file.load(2, NODE, "app.Node");
        file.root(0x05, OBJECT, &[]);
        file.root(0x05, NODE, &[]);
        file.class(OBJECT, (0, 0), &[], &[]);
        if dumped {
            file.class(NODE, (OBJECT, 0), &[], &[]);
        }
        read(&file.finish()).values("heap.dangling").join(" ")
    };
    assert_eq!((dangling(true).as_str(), dangling(false).as_str()), ("", "1 java.root"));
}

/// Three dumps of two classes: an instance more in each.
fn three_dumps(tag: u8) -> Hprof {
    let mut file = Hprof::new(if tag == 0x0c { '1' } else { '2' }, 4);
    file.load(1, OBJECT, "java.lang.Object");
    for dump in 1..=3 {
        if dump == 2 {
            file.load(2, NODE, "app.Node");
        }
        file.class(OBJECT, (0, 0), &[], &[]);
        if dump >= 2 {
            file.class(NODE, (OBJECT, 0), &[], &[("next", Value::Ref(0))]);
            file.instance(0x2000, NODE, &[Value::Ref(0x100 * dump)]);
        }
        for object in 1..=dump {
            file.instance(0x100 * object, OBJECT, &[]);
        }
        file.end(tag);
    }
    file
}

#[test]
fn the_dumps_of_a_file_are_snapshots() {
    for tag in [0x0c, 0x1c] {
        let bytes = three_dumps(tag).bytes;
        let read = |snapshot| {
            let dump = Blob::from_bytes(&bytes[..]).into();
            Recorder::new(Wants::ALL).with(|sink| crate::read(&dump, snapshot, Options::default(), sink))
        };
        let lines = |recorder: &Recorder| {
            assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]));
            [nodes(recorder), edges(recorder)].concat()
        };
        let last = read(SnapshotSelector::Last);
        assert_eq!((last.values("java.snapshot"), last.values("java.snapshots")), (vec!["2"], vec!["3"]));
        assert_eq!(last.values("heap.identity"), ["identifier"]);
        assert_eq!(lines(&last), lines(&read(SnapshotSelector::Number(2))));
        assert!(lines(&last).contains(&"object property 2000 300 next".to_owned()), "{:?}", lines(&last));
        let counts = [0, 1, 2].map(|n| read(SnapshotSelector::Number(n)).all_nodes().len());
        assert_eq!(counts, [3, 6, 7]);
        let all = read(SnapshotSelector::All);
        assert_eq!(all.values("heap.snapshot"), ["0", "1", "2"]);
        assert_eq!(all.all_nodes().len(), 3 + 6 + 7);
        assert_eq!(
            read(SnapshotSelector::Number(3)).error.as_deref(),
            Some("no snapshot 3: the file has 0 to 2")
        );
        let info = crate::info(&Blob::from_bytes(&bytes[..]).into()).expect("a head");
        assert_eq!(info.snapshots.len(), 3);
        assert!(info.facts.contains(&("complete", heap_record::Fact::Flag(true))), "{:?}", info.facts);
    }
}

#[test]
fn a_file_that_is_cut_in_its_last_dump_has_the_dumps_before() {
    let bytes = three_dumps(0x1c).bytes;
    let dump = Blob::from_bytes(&bytes[..bytes.len() - 30]).into();
    let read = |snapshot| {
        Recorder::new(Wants::ALL).with(|sink| crate::read(&dump, snapshot, Options::default(), sink))
    };
    assert!(read(SnapshotSelector::Last).error.is_some());
    let second = read(SnapshotSelector::Number(1));
    assert_eq!((second.error.as_deref(), second.all_nodes().len()), (None, 6));
}

/// A dump whose classes say which release wrote it: fields of `String` and `Class`, and one more of each.
fn of_release(
    string: &[&'static str],
    class: &[&'static str],
    (name, fields): (&str, &[(&str, Value)]),
) -> Hprof {
    let references =
        |names: &[&'static str]| -> Vec<_> { names.iter().map(|&name| (name, Value::Ref(0))).collect() };
    let mut file = Hprof::new('2', 8);
    file.load(1, OBJECT, "java/lang/Object");
    file.load(2, 0x1100, "java/lang/Class");
    file.load(3, STRING, "java/lang/String");
    file.load(4, 0x1300, name);
    file.class(OBJECT, (0, 0), &[], &[]);
    file.class(0x1100, (OBJECT, 0), &[], &references(class));
    file.class(STRING, (OBJECT, 0), &[], &references(string));
    file.class(0x1300, (OBJECT, 0), &[], fields);
    file.instance(0x8000, 0x1300, &fields.iter().map(|&(_, value)| value).collect::<Vec<_>>());
    file
}

#[test]
fn objects_have_the_layout_of_the_release_that_wrote_them() {
    let new = (&["value", "coder", "hashIsZero"][..], &["reflectionData", "classData"][..]);
    let cases = [
        (new, "fields=packed"),
        ((&["value", "coder", "hashIsZero"][..], &["reflectionData"][..]), "fields=inherited"),
        ((&["value", "coder"][..], &["reflectionData"][..]), "fields=inherited"),
        ((&["value", "hash"][..], &["reflectionData"][..]), "fields=inherited"),
        ((&["value", "hash32"][..], &["cachedConstructor"][..]), "fields=inherited"),
        // No sign of a JDK.
        ((&["value"][..], &[][..]), "fields=packed"),
    ];
    for ((string, class), words) in cases {
        let recorder = read(&of_release(string, class, ("A", &[])).finish());
        assert!(recorder.values("java.layout")[0].ends_with(words), "{string:?} {class:?}");
    }
}

#[test]
fn fields_that_a_class_declares_are_not_added_once_more() {
    let (string, class) = (&["value", "coder", "hashIsZero"][..], &["reflectionData", "classData"][..]);
    let size = |fields: &[(&str, Value)]| {
        let file = of_release(string, class, ("java/lang/invoke/ResolvedMethodName", fields));
        let recorder = read(&file.finish());
        recorder.all_nodes().iter().find(|node| node.id == 0x8001).and_then(|node| node.heap.size)
    };
    // JDK 25, and JDK 17, which adds the holder.
    assert_eq!(size(&[("vmholder", Value::Ref(0))]), Some(24));
    assert_eq!(size(&[]), Some(24));
    assert_eq!(size(&[("vmholder", Value::Ref(0)), ("method", Value::Ref(0))]), Some(32));
}

/// A dump of Android: two heaps, a string with its characters in it, the tables of a class, what a loader holds, bytes outside
/// the heap, a thread with a local, a root that the dump lacks.
fn android() -> Hprof {
    use Value::{Int, Long, Ref};
    let mut file = Hprof::new('3', 4);
    let (app, zygote) = (file.name("app"), file.name("zygote"));
    let heap = |name: u64| [&[0xfe, 0, 0, 0, 65][..], &(name as u32).to_be_bytes()].concat();
    let classes = [
        (OBJECT, "java.lang.Object"),
        (STRING, "java.lang.String"),
        (0x1100, "java.lang.Thread"),
        (0x1140, "java.lang.ref.Reference"),
        (0x1180, "java.lang.ref.PhantomReference"),
        (0x11c0, "sun.misc.Cleaner"),
        (0x1240, "libcore.util.NativeAllocationRegistry$CleanerThunk"),
        (0x1280, "libcore.util.NativeAllocationRegistry"),
        (0x12c0, "app.Bitmap"),
        (0x1300, "java.lang.Object[]"),
    ];
    for (serial, (id, name)) in (1..).zip(classes) {
        file.load(serial, id, name);
    }
    file.raw(&heap(zygote));
    file.class_of(
        OBJECT,
        (0, 0),
        8,
        &[("$class$vtable", Ref(0))],
        &[("shadow$_klass_", Ref(0)), ("shadow$_monitor_", Int(0))],
    );
    file.primitives(0x1201, 8, &[0; 60], 1);
    file.class_of(
        STRING,
        (OBJECT, 0),
        16,
        &[("$classOverhead", Ref(0x1201))],
        &[("value", Ref(0)), ("count", Int(0))],
    );
    file.segment(0x1c);
    file.raw(&heap(app));
    file.class_of(0x1100, (OBJECT, 0), 12, &[], &[("name", Ref(0))]);
    file.class_of(0x1140, (OBJECT, 0), 12, &[], &[("referent", Ref(0))]);
    file.class_of(0x1180, (0x1140, 0), 12, &[], &[]);
    file.class_of(0x11c0, (0x1180, 0), 16, &[], &[("thunk", Ref(0))]);
    file.class_of(0x1240, (OBJECT, 0), 12, &[], &[("this$0", Ref(0))]);
    file.class_of(0x1280, (OBJECT, 0), 16, &[], &[("size", Long(0))]);
    file.class_of(
        0x12c0,
        (OBJECT, 0),
        13,
        &[],
        &[("runtimeInternalObjects", Ref(0)), ("flag", Value::Byte(0))],
    );
    file.class_of(0x1300, (OBJECT, 0), 8, &[], &[]);
    // The fields of Object come last: class and monitor.
    let object = |class: u64| [Ref(class), Int(0)];
    file.instance(0x2000, STRING, &[&[Ref(0x2010), Int(5)][..], &object(STRING)].concat());
    file.primitives(0x2010, 8, b"hello", 1);
    file.instance(0x2040, 0x1100, &[&[Ref(0x2000)][..], &object(0x1100)].concat());
    file.instance(0x2080, 0x12c0, &[&[Ref(0x2084), Value::Byte(1)][..], &object(0x12c0)].concat());
    file.objects(0x2084, 0x1300, &[0x2000]);
    file.instance(0x20c0, 0x11c0, &[&[Ref(0x2100), Ref(0x2080)][..], &object(0x11c0)].concat());
    file.instance(0x2100, 0x1240, &[&[Ref(0x2140)][..], &object(0x1240)].concat());
    file.instance(0x2140, 0x1280, &[&[Long(4096)][..], &object(0x1280)].concat());
    file.root(0x08, 0x2040, &[7, u32::MAX]);
    file.root(0x03, 0x2080, &[7, u32::MAX]);
    file.root(0x8e, 0x2140, &[7, u32::MAX]);
    file.root(0x8d, STRING, &[]);
    file.root(0x90, 0x2100, &[]);
    file
}

#[test]
fn a_dump_of_android_has_heaps_stated_sizes_and_bytes_outside_the_heap() {
    let recorder = read(&android().finish());
    assert_eq!((recorder.error.as_deref(), recorder.problems()), (None, vec![]));
    assert_eq!(recorder.values("java.layout"), ["reference=4 header=8 align=8 fields=art"]);
    let found = nodes(&recorder);
    // Odd addresses are those of counters, so that lines show twice the address.
    let sizes = [
        ("java.primitive_array 2402 byte[] - 60", "zygote"),
        ("string_flat 4000 java.lang.String - 16", "app"),
        ("java.primitive_array 4020 byte[] - 8", "app"),
        ("java.instance 4080 java.lang.Thread hello 16", "app"),
        ("java.instance 4100 app.Bitmap - 16", "app"),
        ("java.object_array 4108 java.lang.Object[] - 0", "app"),
        ("java.class 2400 java.lang.Class java.lang.String 4", "zygote"),
        ("java.class 2200 java.lang.Class java.lang.Thread 0", "app"),
    ];
    for (line, heap) in sizes {
        let node =
            found.iter().find(|node| node.starts_with(line)).unwrap_or_else(|| panic!("{line}: {found:#?}"));
        let id: i64 = node
            .split("\"heap\":")
            .nth(1)
            .and_then(|rest| rest.trim_end_matches('}').parse().ok())
            .expect(node);
        assert_eq!(recorder.text(id), heap, "{node}");
    }
    let external: Vec<_> =
        recorder.all_nodes().iter().filter_map(|node| Some((node.id, node.heap.external?))).collect();
    assert_eq!(external, [(0x4101, 4096)]);
    let lines = edges(&recorder);
    for line in [
        "heap.local 4080 4100 -",
        "heap.local 4080 4280 -",
        "java.phantom 4180 4100 referent",
        "object property 4100 4108 runtimeInternalObjects",
        "array element 4108 4000 0",
    ] {
        assert_eq!(lines.iter().filter(|edge| *edge == line).count(), 1, "{line} in {lines:#?}");
    }
    assert!(!lines.iter().any(|edge| edge.contains("shadow$_klass_")), "{lines:#?}");
    assert_eq!(sums(&read_as(&android().finish(), Options::default(), SUMS)), sums(&recorder));
}

#[test]
fn parts_of_one_array_are_texts_of_their_own() {
    let mut file = Hprof::new('2', 8);
    file.load(1, STRING, "java/lang/String");
    let fields = [("value", Value::Ref(0)), ("offset", Value::Int(0)), ("count", Value::Int(0))];
    file.class(STRING, (0, 0), &[], &fields);
    for (id, offset, count) in [(0x100, 0, 5), (0x120, 1, 3), (0x140, 1, 3), (0x160, 4, 0), (0x180, 3, 9)] {
        file.instance(id, STRING, &[Value::Ref(0x200), Value::Int(offset), Value::Int(count)]);
    }
    file.primitives(0x200, 5, b"\0h\0e\0l\0l\0o", 2);
    let recorder = read(&file.finish());
    assert_eq!(recorder.problems(), Vec::<String>::new());
    let texts: Vec<_> = nodes(&recorder)
        .iter()
        .filter(|node| node.starts_with("string_flat"))
        .map(|node| {
            let id = node.split("\"data\":").nth(1).and_then(|id| id.trim().parse().ok());
            id.map(|id: i64| recorder.text(id).into_owned())
        })
        .collect();
    let text = |text: &str| Some(text.to_owned());
    // The last one passes the end of its array.
    assert_eq!(texts, [text("hello"), text("ell"), text("ell"), text(""), None]);
}

#[test]
fn stripped_texts_are_said_once() {
    let mut file = Hprof::new('2', 8);
    file.load(1, STRING, "java/lang/String");
    file.class(STRING, (0, 0), &[], &[("value", Value::Ref(0)), ("coder", Value::Byte(0))]);
    for (number, text) in (0..).zip(["?", "??", "???", ""]) {
        file.instance(0x100 + number * 32, STRING, &[Value::Ref(0x1000 + number * 64), Value::Byte(0)]);
        file.primitives(0x1000 + number * 64, 8, text.as_bytes(), 1);
    }
    let whole = file.clone().finish();
    let expected = "all 3 texts consist of question marks: contents were stripped from the dump";
    assert_eq!(read(&whole).values("java.note"), [expected]);
    file.instance(0x800, STRING, &[Value::Ref(0x2000), Value::Byte(0)]);
    file.primitives(0x2000, 8, b"what?", 1);
    assert_eq!(read(&file.finish()).values("java.note"), Vec::<&str>::new());
}

/// A segment, a slice of it, and the object that frees what both are of, by which its bytes count once; one that frees nothing.
#[test]
fn segments_have_bytes_outside_the_heap_once() {
    use Value::{Long, Ref};
    const IMPL: u64 = 0x1100;
    const CLEANUP: u64 = 0x1200;
    let mut file = Hprof::new('2', 8);
    file.load(1, OBJECT, "java/lang/Object");
    file.load(2, IMPL, "jdk/internal/foreign/NativeMemorySegmentImpl");
    file.load(3, CLEANUP, "jdk/internal/foreign/SegmentFactories$1");
    file.class(OBJECT, (0, 0), &[], &[]);
    file.class(IMPL, (OBJECT, 0), &[], &[("min", Long(0)), ("length", Long(0))]);
    let fields = [("val$allocationBase", Long(0)), ("val$allocationSize", Long(0)), ("next", Ref(0))];
    file.class(CLEANUP, (OBJECT, 0), &[], &fields);
    file.instance(0x2000, IMPL, &[Long(0x7000), Long(20_000)]);
    file.instance(0x2040, IMPL, &[Long(0x7100), Long(5000)]);
    file.instance(0x2080, CLEANUP, &[Long(0x7000), Long(20_000), Ref(0x20c0)]);
    file.instance(0x20c0, CLEANUP, &[Long(0x9000), Long(0), Ref(0)]);
    let recorder = read(&file.finish());
    assert_eq!(recorder.problems(), Vec::<String>::new());
    let external: Vec<_> =
        recorder.all_nodes().iter().filter_map(|node| Some((node.id, node.heap.external?))).collect();
    assert_eq!(external, [(0x2081, 20_000)]);
}

/// Two buffers that own memory, a view of one of them, and a file that is mapped. The name of their class is there with dots,
/// too, as in many files.
#[test]
fn direct_buffers_have_bytes_outside_the_heap_unless_they_are_mapped() {
    use Value::{Int, Ref};
    const MAPPED: u64 = 0x1100;
    const DIRECT: u64 = 0x1200;
    let mut file = Hprof::new('2', 8);
    file.load(1, OBJECT, "java/lang/Object");
    file.load(2, MAPPED, "java/nio/MappedByteBuffer");
    let slashes = file.name("java/nio/DirectByteBuffer");
    file.name("java.nio.DirectByteBuffer");
    file.record(0x02, &[&[0, 0, 0, 3][..], &DIRECT.to_be_bytes(), &[0; 4], &slashes.to_be_bytes()].concat());
    file.class(OBJECT, (0, 0), &[], &[]);
    file.class(MAPPED, (OBJECT, 0), &[], &[("capacity", Int(0)), ("fd", Ref(0))]);
    file.class(DIRECT, (MAPPED, 0), &[], &[("cleaner", Ref(0))]);
    for (id, capacity, fd, cleaner) in [
        (0x2000, 4096, 0, 0x3000),
        (0x2040, 8192, 0, 0x3000),
        (0x2080, 2048, 0, 0),
        (0x20c0, 65_536, 0x3000, 0x3000),
    ] {
        file.instance(id, DIRECT, &[Ref(cleaner), Int(capacity), Ref(fd)]);
    }
    let recorder = read(&file.finish());
    let external: Vec<_> =
        recorder.all_nodes().iter().filter_map(|node| Some((node.id, node.heap.external?))).collect();
    assert_eq!(external, [(0x2001, 4096), (0x2041, 8192)]);
}
