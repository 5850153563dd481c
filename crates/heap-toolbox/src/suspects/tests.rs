//! Small heaps, each with one thing wrong.

use std::fmt::Write as _;

use heap_record::{SnapshotSelector, read};

use super::*;

/// A heap as a stream: declarations, strings by number from 1, nodes, edges.
#[derive(Default)]
struct Heap {
    strings: Vec<String>,
    nodes: String,
    edges: String,
    rest: String,
    /// True for a heap of which nobody says where its root is.
    rootless: bool,
}

impl Heap {
    fn string(&mut self, text: &str) -> usize {
        let known = self.strings.iter().position(|s| s == text);
        known.unwrap_or_else(|| {
            self.strings.push(text.to_owned());
            self.strings.len() - 1
        }) + 1
    }

    /// A node of class `class`, below `above` by the property `label`.
    fn object(&mut self, id: u32, size: u32, class: &str, above: Option<(u32, &str)>) {
        let class = self.string(class);
        let _ = writeln!(
            self.nodes,
            r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":{size},"class":{class}}}}}"#
        );
        self.edge(above, id);
    }

    fn edge(&mut self, above: Option<(u32, &str)>, id: u32) {
        let Some((above, label)) = above else { return };
        let label = self.string(label);
        let _ = writeln!(
            self.edges,
            r#"{{"type":"edge","subtype":1,"source":{above},"dest":{id},"label":{label}}}"#
        );
    }

    fn load(&self, identity: &str) -> (NamedGraph, Clues) {
        let mut stream = String::from("{\"type\":\"metadata\",\"key\":\"version_major\",\"value\":\"1\"}\n");
        let _ = writeln!(stream, r#"{{"type":"metadata","key":"heap.identity","value":"{identity}"}}"#);
        if !self.rootless {
            stream += "{\"type\":\"metadata\",\"key\":\"heap.root\",\"value\":\"1\"}\n";
        }
        for (id, name) in [(1, "object"), (2, "closure"), (3, "string_flat"), (4, "array"), (5, "code")] {
            let _ = writeln!(stream, r#"{{"type":"node_type","nodetypeid":{id},"name":"{name}"}}"#);
        }
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"object property\"}\n";
        for (id, text) in (1..).zip(&self.strings) {
            let _ = writeln!(stream, r#"{{"type":"string","stringid":{id},"data":"{text}"}}"#);
        }
        let stream = [&stream, &self.nodes, &self.edges, &self.rest].map(String::as_str).concat();
        let mut load = SuspectLoader::default();
        read::read(stream.as_bytes(), SnapshotSelector::Last, &mut load).expect("the stream is sound");
        load.build().expect("the records are a graph")
    }

    fn suspects(&self) -> Vec<Suspect> {
        let (graph, clues) = self.load("none");
        suspects(graph, &clues, Limits::default()).expect("strings can be read").0
    }
}

/// Something that is meant to be there: 100 objects of 100 bytes in 50 places.
fn ordinary() -> Heap {
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    heap.object(3, 100, "App", Some((1, "app")));
    for i in 0..100 {
        heap.object(1001 + 2 * i, 100, &format!("Part{}", i % 50), Some((3, &format!("part{i}"))));
    }
    heap
}

fn text(found: &[Suspect]) -> Vec<(Kind, String, u64)> {
    let holds = |s: &Suspect| s.holds.first().map_or(0, |held| held.count);
    found.iter().map(|s| (s.kind, place(&s.path), holds(s))).collect()
}

#[test]
fn functions_of_one_place_in_the_source_are_one_suspect() {
    let mut heap = ordinary();
    for i in 0..60u32 {
        let (holder, id) = (2001 + 4 * i, 2003 + 4 * i);
        heap.object(holder, 1, &format!("Holder{i}"), Some((1, "x")));
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":2,"identifier":{id},"metadata":9,"heap":{{"size":90}}}}"#
        );
        heap.edge(Some((holder, "run")), id);
        let _ = writeln!(
            heap.rest,
            r#"{{"type":"x.location","object":{id},"script_id":7,"line":41,"column":2}}"#
        );
    }
    let found = heap.suspects();
    let closures = found.iter().find(|s| s.kind == Kind::Closures).expect("functions");
    assert_eq!((closures.holds[0].count, closures.retained), (60, 5400));
    assert_eq!(closures.location, Some(Location { script: 7, line: 42, column: 3 }));
    assert_eq!(place(&closures.path), "root.x.run");
}

/// A script of this name with the code of a function, by their identifiers.
fn script(heap: &mut Heap, (script, code): (u32, u32), name: &str) {
    let name = heap.string(name);
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":5,"identifier":{script},"heap":{{"size":1,"name":{name}}}}}"#
    );
    let _ = writeln!(heap.nodes, r#"{{"type":"node","subtype":5,"identifier":{code},"heap":{{"size":1}}}}"#);
    heap.edge(Some((code, "script")), script);
}

/// A function with this code.
fn function(heap: &mut Heap, (id, size): (u32, u32), code: u32, above: (u32, &str)) {
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":2,"identifier":{id},"metadata":{code},"heap":{{"size":{size}}}}}"#
    );
    heap.edge(Some(above), id);
    heap.edge(Some((id, "shared")), code);
}

/// A heap with a function of the runtime that holds so many bytes of functions of the runtime's and the program's code.
fn with_runtime(own: u32, programs: u32) -> Heap {
    let mut heap = ordinary();
    heap.rest += "{\"type\":\"metadata\",\"key\":\"heap.runtime\",\"value\":\"node:*\"}\n";
    script(&mut heap, (5001, 5003), "node:timers");
    script(&mut heap, (5005, 5007), "/srv/app.js");
    function(&mut heap, (5009, 1), 5003, (1, "setTimeout"));
    heap.object(5011, 1, "Map", Some((5009, "lists")));
    for i in 0..30 {
        let (id, size, code) = if i % 2 == 0 { (6001, own, 5003) } else { (7001, programs, 5007) };
        if size > 0 {
            function(&mut heap, (id + 2 * i, size), code, (5011, "list"));
        }
    }
    heap
}

#[test]
fn what_the_runtime_brought_is_behind_what_has_a_place() {
    let own = |heap: &Heap| {
        let found = heap.suspects();
        let at = found.iter().position(|s| place(&s.path) == "root.setTimeout.lists").expect("a table");
        (at > 0, found[at].runtime)
    };
    assert_eq!(own(&with_runtime(1000, 0)), (true, true));
    // Timers of the program.
    assert_eq!(own(&with_runtime(0, 1000)), (false, false));
    assert_eq!(own(&with_runtime(100, 900)), (false, false));
    // Nobody says what came with the runtime.
    let mut silent = with_runtime(1000, 0);
    silent.rest.clear();
    assert_eq!(own(&silent), (false, false));
}

#[test]
fn a_leak_counts_beside_the_programs_own_part() {
    let places = |own: u32, leak: u32| {
        let mut heap = with_runtime(own, 0);
        // Of the other objects none is a suspect.
        heap.nodes = heap.nodes.replace(r#""heap":{"size":100,"#, r#""heap":{"size":0,"#);
        heap.object(8001, leak, "Array", Some((1, "journal")));
        for i in 0..20 {
            heap.object(9001 + 2 * i, 300, &format!("Other{i}"), Some((1, &format!("other{i}"))));
        }
        let found = heap.suspects();
        let points = found.iter().filter(|s| s.kind == Kind::Accumulation);
        points.map(|s| (place(&s.path), s.runtime)).collect::<Vec<_>>()
    };
    let (journal, lists) = (("root.journal".to_owned(), false), ("root.setTimeout.lists".to_owned(), true));
    // 5 % of 22,000 bytes, of which 15,000 are the runtime's.
    assert_eq!(places(1000, 1200), [journal.clone(), lists.clone()]);
    // 5 % of what the runtime leaves.
    assert_eq!(places(1000, 450), [journal, lists.clone()]);
    assert_eq!(places(1000, 280), [lists]);
}

#[test]
fn a_list_is_found_in_a_heap_of_many_roots() {
    let mut heap = Heap { rootless: true, ..Heap::default() };
    for i in 0..100 {
        heap.object(1001 + 2 * i, 10, "Alone", None);
    }
    for i in 0..40 {
        heap.object(1 + 2 * i, 50, "Link", (i > 0).then(|| (2 * i - 1, "next")));
    }
    let found = heap.suspects();
    let list = found.iter().find(|s| s.kind == Kind::Accumulation).expect("a list");
    assert_eq!((list.class.as_str(), list.holds[0].class.as_str()), ("Link", "Link"), "{found:?}");
}

#[test]
fn detached_nodes_are_a_suspect() {
    let mut heap = ordinary();
    heap.object(5001, 10, "List", Some((3, "old")));
    for i in 0..5u32 {
        let (id, class) = (5003 + 2 * i, heap.string("Div"));
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":100,"class":{class}}},"x":{{"detachedness":2}}}}"#
        );
        heap.edge(Some((5001, "div")), id);
    }
    assert!(text(&heap.suspects()).contains(&(Kind::Detached, "root.app.old.div".to_owned(), 5)));
}

#[test]
fn growth_is_attributed_to_where_it_spreads() {
    for identity in ["identifier", "none"] {
        let dump = |sessions: u32| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((3, "sessions")));
            for i in 0..sessions {
                heap.object(9001 + 2 * i, 20, "Session", Some((7001, "s")));
            }
            heap.load(identity)
        };
        let earlier = [10, 20].map(|sessions| {
            let (graph, clues) = dump(sessions);
            clues.remember(&graph).expect("strings can be read")
        });
        let (graph, mut clues) = dump(40);
        clues.earlier = earlier.into();
        assert_eq!(clues.doubts(&graph).expect("strings can be read").is_some(), identity == "none");
        let found = suspects(graph, &clues, Limits::default()).expect("strings can be read").0;
        let first = &found[0];
        assert_eq!(
            (first.kind, place(&first.path).as_str()),
            (Kind::Growth, "root.app.sessions"),
            "{identity}"
        );
        assert_eq!(first.growth, Some(600), "{identity}");
        assert_eq!(first.steps, [200, 400], "{identity}");
        // A process that has not grown.
        let (graph, mut clues) = dump(10);
        clues.earlier = vec![clues.remember(&graph).expect("strings can be read")];
        let found = suspects(graph, &clues, Limits::default()).expect("strings can be read").0;
        assert!(found.iter().all(|s| s.kind != Kind::Growth), "{:?}", text(&found));
    }
}

/// Another process gives the identifiers of the first one's sessions to other objects.
#[test]
fn growth_of_another_process_is_doubted() {
    let dump = |class: &str| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Map", Some((3, "sessions")));
        for i in 0..40 {
            heap.object(9001 + 2 * i, 20, if i < 3 { class } else { "Session" }, Some((7001, "s")));
        }
        heap.load("identifier")
    };
    for (class, is_doubted) in [("Session", false), ("Account", true)] {
        let (graph, mut clues) = dump(class);
        clues.earlier = vec![clues.remember(&graph).expect("strings can be read")];
        let (graph, mut last) = dump("Session");
        last.earlier = std::mem::take(&mut clues.earlier);
        let doubt = last.doubts(&graph).expect("strings can be read").unwrap_or_default();
        assert_eq!(doubt.contains("different processes"), is_doubted, "{class}: {doubt}");
    }
}

#[test]
fn a_heap_of_nothing_but_a_root_has_no_suspects() {
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    assert!(heap.suspects().is_empty());
    assert!(Heap::default().suspects().is_empty());
}

#[test]
fn what_an_edge_is_goes_by_the_declared_name_of_its_subtype() {
    let step = |kind: &str, label: Option<&str>| {
        reach(&PathStep {
            kind: Some(kind.to_owned()),
            label: label.map(str::to_owned),
            ..PathStep::default()
        })
    };
    assert_eq!(step("object property", Some("x")), Reach::Member);
    assert_eq!(step("dart.field", Some("x")), Reach::Member);
    assert_eq!(step("closure variable", Some("x")), Reach::Variable);
    assert_eq!(step("java.static", Some("x")), Reach::Static);
    assert_eq!(step("array element", Some("7")), Reach::Element);
    assert_eq!(step("moar.reference", Some("7")), Reach::Element);
    assert_eq!(step("moar.reference", None), Reach::Unnamed);
    assert_eq!(step("v8.internal", Some("table")), Reach::Inner);
}

#[test]
fn what_no_root_reaches_is_said_from_the_share_of_a_suspect_on() {
    let of = |lost: u32, reached: bool| {
        let mut heap = ordinary();
        heap.rest += "{\"type\":\"metadata\",\"key\":\"heap.unreachable\",\"value\":\"root\"}\n";
        heap.object(5001, 50, "Lost", reached.then_some((3, "found")));
        heap.object(5003, lost, "Below", Some((5001, "x")));
        let (graph, clues) = heap.load("none");
        let (_, unreached) = suspects(graph, &clues, Limits::default()).expect("strings can be read");
        (unreached.nodes, unreached.doubt(Limits::default()))
    };
    let (nodes, doubt) = of(850, false);
    let doubt = doubt.expect("9 of 110 parts");
    assert!(nodes == 2 && doubt.starts_with("no root reaches 2 objects, 8.2 % of the heap"), "{doubt}");
    assert_eq!(of(50, false), (2, None));
    assert_eq!(of(850, true), (0, None));
}
