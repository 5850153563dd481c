//! Small heaps, each with one thing wrong.

use std::fmt::Write as _;

use heap_record::{SnapshotSelector, read};

use super::*;

/// A virtual machine's own words, which stand on references of its own.
const INNER: &[&str] = &["shared", "script", "source", "context", "function", "parameters_and_registers"];

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
        let (subtype, label) = match label.strip_prefix("var:") {
            Some(variable) => (4, variable),
            None => (if INNER.contains(&label) { 3 } else { 1 }, label),
        };
        let label = self.string(label);
        let _ = writeln!(
            self.edges,
            r#"{{"type":"edge","subtype":{subtype},"source":{above},"dest":{id},"label":{label}}}"#
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
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":3,\"name\":\"internal\"}\n";
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":4,\"name\":\"closure variable\"}\n";
        stream +=
            "{\"type\":\"edge_type\",\"edgetypeid\":2,\"name\":\"weak\",\"heap\":{\"retains\":\"no\"}}\n";
        for (id, text) in (1..).zip(&self.strings) {
            let _ = writeln!(stream, r#"{{"type":"string","stringid":{id},"data":"{text}"}}"#);
        }
        let stream = [&stream, &self.nodes, &self.edges, &self.rest].map(String::as_str).concat();
        let mut load = super::loader();
        read::read(stream.as_bytes(), SnapshotSelector::Last, &mut load).expect("the stream is sound");
        load.build().expect("the records are a graph")
    }

    fn suspects(&self) -> Vec<Suspect> {
        let (graph, clues) = self.load("none");
        found(graph, &clues, &[])
    }
}

/// Of small heaps everything counts.
const LIMITS: Limits = Limits { share: 0.01, growth: 0.05, least: Some(1), most: 10 };

fn found(graph: NamedGraph, clues: &Clues, earlier: &[Earlier]) -> Vec<Suspect> {
    suspects(graph, clues, earlier, LIMITS).expect("strings can be read").suspects
}

fn remembered((graph, clues): (NamedGraph, Clues)) -> Earlier {
    remember(graph, &clues, LIMITS).expect("strings can be read")
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

fn at<'a>(found: &'a [Suspect], place: &str) -> &'a Suspect {
    found
        .iter()
        .find(|suspect| suspect.place == place)
        .unwrap_or_else(|| panic!("{place} is not in {found:#?}"))
}

fn text(found: &[Suspect]) -> Vec<(Kind, String, u64)> {
    let holds = |s: &Suspect| s.holds.first().map_or(0, |held| held.count);
    found.iter().map(|s| (s.kind, s.place.clone(), holds(s))).collect()
}

#[test]
fn functions_of_one_name_in_many_places_are_one_suspect() {
    let mut heap = ordinary();
    let name = heap.string("onTick");
    for i in 0..60u32 {
        let (holder, id) = (2001 + 4 * i, 2003 + 4 * i);
        heap.object(holder, 0, &format!("Holder{i}"), Some((1, "x")));
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":2,"identifier":{id},"heap":{{"size":90,"name":{name}}}}}"#
        );
        heap.edge(Some((1, "run")), id);
        heap.edge(Some((holder, "run")), id);
    }
    let found = heap.suspects();
    let closures = found.iter().find(|s| s.kind == Kind::Closures).expect("functions");
    assert_eq!((closures.holds[0].count, closures.retained, closures.level), (60, 5400, Level::Note));
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

/// A node without a class, such as a table (4) or a text (3).
fn bare(heap: &mut Heap, (id, size): (u32, u32), subtype: u32, above: (u32, &str)) {
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":{subtype},"identifier":{id},"heap":{{"size":{size}}}}}"#
    );
    heap.edge(Some(above), id);
}

/// A function of `app.js` with a scope of its own, by its identifier; its scope has the next but one.
fn with_scope(id: u32) -> Heap {
    let mut heap = ordinary();
    heap.rest += "{\"type\":\"metadata\",\"key\":\"heap.runtime\",\"value\":\"node:*\"}\n";
    script(&mut heap, (5005, 5007), "/srv/app.js");
    function(&mut heap, (id, 10), 5007, (1, "main"));
    heap.object(id + 2, 10, "system / Context", Some((id, "context")));
    heap
}

/// So many items below a node.
fn items(heap: &mut Heap, above: u32, count: u32) {
    for i in 0..count {
        heap.object(20_001 + 2 * i, 100, "Item", Some((above, &format!("item{i}"))));
    }
}

#[test]
fn a_variable_whose_value_is_an_inner_part_is_a_holder() {
    let mut heap = with_scope(6001);
    bare(&mut heap, (6005, 10), 4, (6003, "var:cart"));
    items(&mut heap, 6005, 60);
    let found = heap.suspects();
    assert_eq!((found[0].place.as_str(), found[0].holds[0].count), ("app.js: cart", 60), "{found:?}");
}

#[test]
fn what_a_waiting_call_has_is_named_by_its_function() {
    let mut heap = with_scope(6001);
    heap.object(6005, 10, "Emitter", Some((6003, "var:meter")));
    heap.object(6007, 10, "Generator", Some((6005, "listener")));
    heap.edge(Some((6007, "function")), 6001);
    bare(&mut heap, (6009, 10), 4, (6007, "parameters_and_registers"));
    heap.object(6011, 10, "Array", Some((6009, "1")));
    items(&mut heap, 6011, 60);
    let found = heap.suspects();
    assert_eq!(found[0].place, "(anonymous) (app.js)", "{found:?}");
    assert_eq!((found[0].class.as_str(), found[0].holds[0].count), ("Array", 60), "{found:?}");
}

#[test]
fn global_objects_go_by_the_name_that_programs_give_them() {
    let place_in = |globals: &[&str]| {
        let mut heap = Heap::default();
        heap.object(1, 0, "root", None);
        for (id, class) in (3..).step_by(2).zip(globals) {
            heap.object(id, 10, class, Some((1, "1")));
            let _ = writeln!(heap.rest, r#"{{"type":"metadata","key":"heap.user_root","value":"{id}"}}"#);
        }
        heap.object(99, 10, "Array", Some((3, "pages")));
        items(&mut heap, 99, 50);
        heap.suspects()[0].place.clone()
    };
    assert_eq!(place_in(&["global"]), "global.pages");
    assert_eq!(place_in(&["global / "]), "global.pages");
    assert_eq!(place_in(&["Window / file://a", "Window / file://a"]), "Window.pages");
    assert_eq!(place_in(&["Window [JSGlobalObject] / file://a"]), "Window.pages");
    // Of two pages each has such a list.
    assert_eq!(place_in(&["Window / file://a", "Window / file://b"]), "Window / file://a.pages");
}

#[test]
fn the_text_of_a_script_is_no_property() {
    let mut heap = with_scope(6001);
    bare(&mut heap, (6005, 90_000), 3, (5005, "source"));
    let found = heap.suspects();
    let text = found.iter().find(|row| row.retained >= 90_000).expect("a row about the text");
    assert!(text.place.starts_with("code of ") && text.level == Level::Note, "{text:?}");
}

#[test]
fn what_only_members_of_a_crowd_lead_to_does_not_hold_it() {
    let mut heap = ordinary();
    heap.object(6001, 10, "Group", None);
    for i in 0..200 {
        let id = 6003 + 2 * i;
        heap.object(id, 100, "Job", Some((1, &format!("job{i}"))));
        heap.edge(Some((id, "group")), 6001);
        heap.edge(Some((6001, &format!("member{i}"))), id);
    }
    let found = heap.suspects();
    let jobs = found.iter().find(|row| row.holds.first().is_some_and(|held| held.class == "Job"));
    let jobs = jobs.expect("a row about the jobs");
    assert!(!jobs.place.contains("group"), "{jobs:?}");
}

#[test]
fn much_that_has_no_name_is_large_in_one_dump() {
    let level = |count: u32| {
        let mut heap = ordinary();
        for i in 0..count {
            heap.object(6003 + 2 * i, 100, "Job", Some((1, &format!("job{i}"))));
        }
        // What leads to them all is a root, which is no place.
        let found = heap.suspects();
        let row = found.iter().find(|row| row.kind == Kind::Class && row.holds[0].class == "Job");
        row.map(|row| (row.level, row.holds[0].count))
    };
    assert_eq!(level(200), Some((Level::Large, 200)));
    assert_eq!(level(20), Some((Level::Note, 20)));
}

#[test]
fn what_hangs_below_the_roots_in_tables_of_its_own_is_a_crowd() {
    let mut heap = ordinary();
    for i in 0..200 {
        bare(&mut heap, (6003 + 4 * i, 16), 4, (1, &format!("entry{i}")));
        heap.object(6005 + 4 * i, 100, "TempFile", Some((6003 + 4 * i, "0")));
    }
    let found = heap.suspects();
    let files = found.iter().find(|row| row.holds.first().is_some_and(|held| held.class == "TempFile"));
    assert_eq!(files.map(|row| (row.level, row.holds[0].count)), Some((Level::Large, 200)));
}

/// Functions that became hot: the same sessions, and more code.
#[test]
fn code_that_came_late_is_no_leak() {
    let dump = |count: u32, subtype: u32| {
        let mut heap = sessions(0, 60);
        for i in 0..count {
            bare(&mut heap, (30_001 + 2 * i, 300), subtype, (9001 + 2 * (i % 60), "x"));
        }
        heap.load("identifier")
    };
    let level = |subtype: u32| {
        let earlier = [60, 80].map(|count| remembered(dump(count, subtype)));
        let (graph, clues) = dump(100, subtype);
        at(&found(graph, &clues, &earlier), "root.sessions").level
    };
    assert_ne!(level(5), Level::Leak);
    assert_eq!(level(1), Level::Leak);
}

/// Where objects cannot be known again, a row of which the name names another object is found again by that name.
#[test]
fn a_place_that_is_not_the_object_named_grows() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(6001, 10, "Cleaner", Some((1, "cleaner")));
        heap.object(6003, 10, "Thread", Some((1, "thread")));
        bare(&mut heap, (6005 + 2 * count, 10), 4, (6001, "list"));
        heap.edge(Some((6003, "list")), 6005 + 2 * count);
        items(&mut heap, 6005 + 2 * count, count);
        heap.load("none")
    };
    let earlier = [100, 200].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(300);
    let found = found(graph, &clues, &earlier);
    assert_eq!(
        (found[0].level, found[0].history.as_slice()),
        (Level::Leak, &[10_010, 20_010, 30_010][..]),
        "{found:?}"
    );
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
fn what_the_runtime_brought_is_its_own() {
    let own = |heap: &Heap| {
        let found = heap.suspects();
        let table = found.iter().find(|s| s.class == "Map").unwrap_or_else(|| panic!("{found:#?}"));
        (table.runtime, table.level)
    };
    assert_eq!(own(&with_runtime(1000, 0)), (true, Level::Note));
    // Timers of the program.
    assert_eq!(own(&with_runtime(0, 1000)), (false, Level::Large));
    assert_eq!(own(&with_runtime(100, 900)), (false, Level::Large));
    // Nobody says what came with the runtime.
    let mut silent = with_runtime(1000, 0);
    silent.rest.clear();
    assert!(!own(&silent).0);
}

#[test]
fn all_links_of_a_list_are_counted() {
    let mut heap = ordinary();
    heap.object(5001, 10, "Queue", Some((3, "queue")));
    for i in 0..2000u32 {
        let above = if i == 0 { (5001, "head") } else { (7001 + 2 * (i - 1), "next") };
        heap.object(7001 + 2 * i, 50, "Link", Some(above));
    }
    let found = heap.suspects();
    assert_eq!(
        text(&found[..1]),
        [(Kind::Accumulation, "root.app.queue.head".to_owned(), 2000)],
        "{found:?}"
    );
    assert_eq!(found[0].retained, 2000 * 50);
}

#[test]
fn two_fields_that_hold_the_same_are_named_both() {
    let mut heap = ordinary();
    heap.object(5001, 10, "Registry", Some((3, "registry")));
    heap.object(5003, 10, "List", Some((5001, "byId")));
    heap.object(5005, 10, "List", Some((5001, "byTime")));
    for i in 0..300u32 {
        heap.object(7001 + 2 * i, 50, "Rec", Some((5003, "x")));
        heap.edge(Some((5005, "x")), 7001 + 2 * i);
    }
    let found = heap.suspects();
    let wanted = (Kind::Accumulation, "root.app.registry (byId, byTime)".to_owned(), 300);
    assert_eq!(text(&found[..1]), [wanted], "{found:?}");
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
    let list = found.iter().find(|s| s.class == "Link").expect("a list");
    assert_eq!((list.holds[0].class.as_str(), list.holds[0].count), ("Link", 40), "{found:?}");
}

#[test]
fn detached_nodes_are_a_suspect() {
    let page = |attached: bool| {
        let mut heap = ordinary();
        heap.object(5001, 10, "List", Some((3, "old")));
        for i in 0..6u32 {
            let (id, class) = (5003 + 2 * i, heap.string(if i < 5 { "Div" } else { "Document" }));
            let state = if i < 5 { 2 } else { u32::from(attached) };
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":100,"class":{class}}},"x":{{"detachedness":{state}}}}}"#
            );
            heap.edge(Some((5001, "div")), id);
        }
        text(&heap.suspects())
    };
    let detached = (Kind::Detached, "root.app.old.div".to_owned(), 5);
    assert!(page(true).contains(&detached), "{:?}", page(true));
    // Without a document the word means something else.
    assert!(page(false).iter().all(|row| row.0 != Kind::Detached), "{:?}", page(false));
}

#[test]
fn what_is_destroyed_and_still_held_has_a_row_each() {
    let mut heap = ordinary();
    heap.object(5001, 10, "List", Some((3, "screens")));
    let class = heap.string("Screen");
    for (id, ended) in [(5003, true), (5005, false), (5007, true)] {
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":20,"class":{class}}},"x":{{"destroyed":{ended}}}}}"#
        );
        heap.edge(Some((5001, if id == 5003 { "first" } else { "later" })), id);
    }
    // What is below another is part of that.
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":1,"identifier":5009,"heap":{{"size":5,"class":{class}}},"x":{{"destroyed":true}}}}"#
    );
    heap.edge(Some((5003, "inner")), 5009);
    let found: Vec<_> =
        heap.suspects().into_iter().filter(|suspect| suspect.kind == Kind::Destroyed).collect();
    let found: Vec<_> =
        found.iter().map(|of| (of.id.map(|id| id.0), of.place.as_str(), of.retained, of.level)).collect();
    let expected = [
        (Some(5003), "root.app.screens.first", 25, Level::Waste),
        (Some(5007), "root.app.screens.later", 20, Level::Waste),
    ];
    assert_eq!(found, expected);
}

/// A heap with so many sessions, the first of which has this number.
fn sessions(first: u32, count: u32) -> Heap {
    let mut heap = ordinary();
    heap.object(7001, 10, "Map", Some((1, "sessions")));
    for i in first..first + count {
        heap.object(9001 + 2 * i, 200, "Session", Some((7001, "s")));
    }
    heap
}

#[test]
fn growth_is_that_of_the_holder_in_each_dump() {
    for identity in ["identifier", "none"] {
        let earlier = [10, 20].map(|count| remembered(sessions(0, count).load(identity)));
        let (graph, clues) = sessions(0, 40).load(identity);
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        assert_eq!(found.doubt.is_some(), identity == "none");
        let first = at(&found.suspects, "root.sessions");
        assert_eq!(
            (first.kind, first.level, first.place.as_str()),
            (Kind::Growth, Level::Leak, "root.sessions")
        );
        assert_eq!((first.growth, first.course), (Some(6000), Some(Course::Steady)), "{identity}");
        assert_eq!(first.history, [2010, 4010, 8010], "{identity}");
        assert_eq!((found.totals, found.explained), (vec![12_110, 14_110, 18_110], Some(1.0)), "{identity}");
    }
}

/// A first dump without a gap among its identifiers does not say whether these last: the later ones do.
#[test]
fn a_first_dump_that_is_numbered_for_itself_is_compared_by_name() {
    let heap = |count: u32| {
        let mut heap = Heap::default();
        heap.object(1, 0, "root", None);
        heap.object(3, 10, "Map", Some((1, "sessions")));
        for i in 0..count {
            heap.object(5 + 2 * i, 200, "Session", Some((3, "s")));
        }
        heap
    };
    let earlier = [remembered(heap(10).load("identifier")), remembered(heap(20).load("none"))];
    let (graph, clues) = heap(40).load("none");
    let found = found(graph, &clues, &earlier);
    assert_eq!(at(&found, "root.sessions").history, [2010, 4010, 8010]);
}

#[test]
fn what_is_exchanged_has_not_grown() {
    let earlier = [0, 50].map(|first| remembered(sessions(first, 100).load("identifier")));
    let (graph, clues) = sessions(100, 100).load("identifier");
    let found = found(graph, &clues, &earlier);
    let map = found.iter().find(|s| s.place == "root.sessions").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!((map.kind, map.growth, map.turnover), (Kind::Accumulation, Some(0), 20_000));
    assert!(found.iter().all(|s| s.kind != Kind::Growth), "{:?}", text(&found));
}

#[test]
fn what_jumped_once_is_no_leak() {
    let earlier = [10, 60].map(|count| remembered(sessions(0, count).load("identifier")));
    let (graph, clues) = sessions(0, 60).load("identifier");
    let found = found(graph, &clues, &earlier);
    let map = at(&found, "root.sessions");
    assert_eq!((map.course, map.history.as_slice()), (Some(Course::Jumped), &[2010, 12_010, 12_010][..]));
    assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
}

/// A cache that fills up grows by less each time; so does one that is nearly full.
#[test]
fn what_grows_ever_more_slowly_is_no_leak() {
    for counts in [[100, 160, 170], [400, 430, 450]] {
        let earlier = [counts[0], counts[1]].map(|count| remembered(sessions(0, count).load("identifier")));
        let (graph, clues) = sessions(0, counts[2]).load("identifier");
        let found = found(graph, &clues, &earlier);
        assert_eq!(at(&found, "root.sessions").course, Some(Course::Slowing), "{counts:?}");
        assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
    }
    // A leak is steady, however much there was before.
    let earlier = [400, 430].map(|count| remembered(sessions(0, count).load("identifier")));
    let (graph, clues) = sessions(0, 458).load("identifier");
    assert_eq!(at(&found(graph, &clues, &earlier), "root.sessions").level, Level::Leak);
}

/// A table that is loaded anew is another object in each dump, and no growth: what was there before counts.
#[test]
fn what_is_loaded_anew_has_what_its_place_had() {
    let dump = |round: u32, count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Prices", Some((1, "prices")));
        let table = 100_001 + 20_000 * round;
        heap.object(table, 10, "Map", Some((5001, "bySku")));
        for i in 1..count {
            heap.object(table + 2 * i, 20, "Price", Some((table, "p")));
        }
        heap.load("identifier")
    };
    let earlier = [(0, 500), (1, 520)].map(|(round, count)| remembered(dump(round, count)));
    let (graph, clues) = dump(2, 510);
    let found = found(graph, &clues, &earlier);
    assert_eq!(at(&found, "root.prices.bySku").history, [9990, 10_390, 10_190], "{found:#?}");
    assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
}

/// Of connections as many come as go: those of the last dump are new, and others were there before.
/// 60 places of the program that each get one page more in each dump, and too little for a row.
fn spread(pages: u32) -> Heap {
    let mut heap = ordinary();
    for i in 0..60u32 {
        let place = 5001 + 2 * i;
        heap.object(place, 100, &format!("Place{i}"), Some((1, "place")));
        for page in 0..pages {
            heap.object(10_001 + 2 * (60 * page + i), 50, "Page", Some((place, &format!("page{page}"))));
        }
    }
    heap
}

#[test]
fn classes_that_grew_follow_where_no_place_explains_it() {
    let earlier = [1, 2].map(|pages| remembered(spread(pages).load("identifier")));
    let (graph, clues) = spread(3).load("identifier");
    let found = found(graph, &clues, &earlier);
    let pages = found.iter().find(|suspect| suspect.left_over).expect("a class that grew");
    assert_eq!((pages.class.as_str(), pages.holds[0].count), ("Page", 180));
    assert_eq!((pages.level, pages.kind, pages.runtime), (Level::Note, Kind::Class, false));
    assert_eq!((&pages.history, pages.growth), (&vec![3000, 6000, 9000], Some(6000)));
    // A queue explains what it has grown by, and no class follows.
    let earlier = [100, 200].map(|count| remembered(sessions(0, count).load("identifier")));
    let (graph, clues) = sessions(0, 300).load("identifier");
    assert!(!self::found(graph, &clues, &earlier).iter().any(|suspect| suspect.left_over));
}

#[test]
fn a_crowd_that_is_exchanged_has_not_grown() {
    let dump = |first: u32, count: u32| {
        let mut heap = ordinary();
        for list in [3001, 3003] {
            heap.object(list, 10, "List", Some((1, "list")));
        }
        for i in first..first + count {
            heap.object(9001 + 2 * i, 90, "Socket", Some((3001, "s")));
            heap.edge(Some((3003, "s")), 9001 + 2 * i);
        }
        heap.load("identifier")
    };
    for (last, history) in [(42, [4050, 3420, 3780]), (200, [4050, 3420, 18_000])] {
        let earlier = [(0, 45), (60, 38)].map(|(first, count)| remembered(dump(first, count)));
        let (graph, clues) = dump(120, last);
        let found = found(graph, &clues, &earlier);
        let crowd = found.iter().find(|s| s.class == "Socket").unwrap_or_else(|| panic!("{found:#?}"));
        assert_eq!(crowd.history, history);
        assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
    }
}

/// Where objects cannot be known again, parts that are called as the whole are in what it retains.
#[test]
fn a_place_and_its_parts_of_one_name_count_once() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Queue", Some((1, "queue")));
        let mut above = (5001, "head");
        for i in 0..count {
            let (link, task) = (7001 + 4 * i, 7003 + 4 * i);
            // An inner part without a class, and what it leads to.
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":4,"identifier":{link},"heap":{{"size":10}}}}"#
            );
            heap.edge(Some(above), link);
            heap.object(task, 40, "Task", Some((link, "item")));
            above = (link, "next");
        }
        heap.load("none")
    };
    let earlier = [200, 400].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(600);
    let found = found(graph, &clues, &earlier);
    let queue = at(&found, "root.queue");
    assert_eq!((queue.level, queue.history.as_slice()), (Level::Leak, &[10_010, 20_010, 30_010][..]));
    assert_eq!((queue.holds[0].class.as_str(), queue.holds[0].count), ("Task", 600), "{found:#?}");
}

/// Machines of a plant have a ring each, by the same names.
fn rings(machines: u32, count: u32) -> Heap {
    let mut heap = ordinary();
    heap.object(5001, 10, "Plant", Some((1, "plant")));
    for machine in 0..machines {
        let (id, ring) = (5003 + 4 * machine, 5005 + 4 * machine);
        heap.object(id, 10, "Machine", Some((5001, "machine")));
        heap.object(ring, 10, "Ring", Some((id, "ring")));
        for i in 0..count {
            let event = 10_001 + 2 * (machine * 1000 + i);
            heap.object(event, 100, "Event", Some((ring, &format!("slot{i}"))));
        }
    }
    heap
}

#[test]
fn lists_of_one_name_are_one_row() {
    let earlier = [20, 40].map(|count| remembered(rings(2, count).load("identifier")));
    let (graph, clues) = rings(2, 60).load("identifier");
    let found = found(graph, &clues, &earlier);
    let row = at(&found, "root.plant.machine.ring");
    assert_eq!((row.level, row.id), (Level::Leak, None), "{found:#?}");
    assert_eq!((row.holds[0].count, row.retained), (120, 12_020));
    assert_eq!(row.history, [4020, 8020, 12_020]);
}

#[test]
fn what_has_grown_since_one_dump_comes_before_what_is_large() {
    let dump = |count: u32| {
        let mut heap = sessions(0, count);
        heap.object(5001, 900_000, "Table", Some((1, "table")));
        heap.load("identifier")
    };
    let earlier = [remembered(dump(2000))];
    let (graph, clues) = dump(4000);
    let found = found(graph, &clues, &earlier);
    let places: Vec<(&str, Level)> =
        found.iter().take(2).map(|row| (row.place.as_str(), row.level)).collect();
    assert_eq!(places, [("root.sessions", Level::Large), ("root.table", Level::Large)], "{found:#?}");
}

/// Connections whose parts are shared, so that they lie below the root one by one.
#[test]
fn what_the_runtime_piles_up_is_judged_together() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.rest += "{\"type\":\"metadata\",\"key\":\"heap.runtime\",\"value\":\"node:*\"}\n";
        script(&mut heap, (5001, 5003), "node:net");
        script(&mut heap, (5005, 5007), "/srv/app.js");
        for (n, class) in (0..).zip(["Socket", "Parser", "Request"]) {
            function(&mut heap, (5011 + 4 * n, 1), 5003, (1, "net"));
            let name = heap.string(class);
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":2,"identifier":{},"heap":{{"size":1,"name":{name}}}}}"#,
                5013 + 4 * n
            );
            for i in 0..count {
                let id = 20_001 + 2 * (n * 1000 + i);
                heap.object(id, 100, class, Some((1, "handle")));
            }
        }
        heap.load("identifier")
    };
    let earlier = [50, 100].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(150);
    let found = found(graph, &clues, &earlier);
    let levels: Vec<Level> =
        found.iter().filter(|row| row.kind == Kind::Growth).map(|row| row.level).collect();
    assert_eq!(levels, [Level::Large, Level::Note, Level::Note], "{found:#?}");
}

/// A function of `app.js` for each view, kept with its view by a list.
#[test]
fn functions_are_said_with_what_they_keep() {
    let mut heap = with_scope(6001);
    let name = heap.string("View");
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":2,"identifier":6901,"metadata":5007,"heap":{{"size":1,"name":{name}}}}}"#
    );
    heap.edge(Some((6901, "shared")), 5007);
    heap.edge(Some((1, "view")), 6901);
    heap.object(6005, 10, "Array", Some((6003, "var:listeners")));
    for i in 0..60 {
        let id = 20_001 + 6 * i;
        function(&mut heap, (id, 40), 5007, (6005, &format!("{i}")));
        heap.object(id + 2, 10, "system / Context", Some((id, "context")));
        heap.object(id + 4, 200, "View", Some((id + 2, "var:this")));
    }
    let found = heap.suspects();
    let row = at(&found, "app.js: listeners");
    assert_eq!(row.behind.as_deref(), Some("(anonymous) (app.js) → View"), "{found:#?}");
}

/// A list that grows at its head has another head in each dump, and the old ones below it.
#[test]
fn a_list_that_grows_at_its_head_grows() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        for i in (0..count).rev() {
            let above = if i + 1 == count { (3, "head") } else { (9001 + 2 * (i + 1), "next") };
            heap.object(9001 + 2 * i, 20, "Link", Some(above));
        }
        heap.load("identifier")
    };
    let earlier = [100, 200].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(300);
    let found = found(graph, &clues, &earlier);
    assert_eq!(
        (found[0].level, found[0].history.as_slice()),
        (Level::Leak, &[2000, 4000, 6000][..]),
        "{found:?}"
    );
}

/// Another process gives the identifiers of the first one's sessions to other objects.
#[test]
fn growth_of_another_process_is_doubted() {
    let dump = |class: &str| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Map", Some((1, "sessions")));
        for i in 0..40 {
            heap.object(9001 + 2 * i, 20, if i < 3 { class } else { "Session" }, Some((7001, "s")));
        }
        heap.load("identifier")
    };
    for (class, is_doubted) in [("Session", false), ("Account", true)] {
        let earlier = [remembered(dump(class))];
        let (graph, clues) = dump("Session");
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        let doubt = found.doubt.map_or_else(String::new, |doubt| doubt.text().to_owned());
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
fn what_no_root_reaches_is_left_out_and_said() {
    let of = |lost: u32, reached: bool| {
        let mut heap = ordinary();
        heap.rest += "{\"type\":\"metadata\",\"key\":\"heap.unreachable\",\"value\":\"root\"}\n";
        heap.object(5001, 50, "Lost", reached.then_some((3, "found")));
        heap.object(5003, lost, "Below", Some((5001, "x")));
        let (graph, clues) = heap.load("none");
        let found = suspects(graph, &clues, &[], LIMITS).expect("strings can be read");
        (found.unreached.nodes, found.totals[0], found.unreached.doubt())
    };
    let (nodes, total, doubt) = of(850, false);
    let doubt = doubt.expect("9 of 110 parts");
    assert_eq!((nodes, total), (2, 10_100));
    assert!(doubt.starts_with("no root reaches 2 objects, 8.2 % of the heap: garbage"), "{doubt}");
    assert_eq!(of(50, false), (2, 10_100, None));
    assert_eq!(of(850, true), (0, 11_000, None));
    // Most of the heap is no garbage: the dump lacks references to it.
    let (_, total, doubt) = of(50_000, false);
    assert_eq!(total, 60_150);
    assert!(doubt.is_some_and(|doubt| doubt.contains("all are judged")));
}

/// A random heap as lists: strong edges, weak ones, entries of weak tables (key, table, value).
#[derive(Debug)]
struct Random {
    sizes: Vec<u64>,
    classes: Vec<u8>,
    strong: Vec<(usize, usize)>,
    weak: Vec<(usize, usize)>,
    entries: Vec<(usize, usize, usize)>,
}

impl Random {
    fn new(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        let nodes = u.int_in_range(4..=24usize)?;
        let any = |u: &mut arbitrary::Unstructured<'_>| u.int_in_range(0..=nodes - 1);
        let list =
            |u: &mut arbitrary::Unstructured<'_>, most: usize| -> arbitrary::Result<Vec<(usize, usize)>> {
                (0..u.int_in_range(0..=most)?).map(|_| Ok((any(u)?, any(u)?))).collect()
            };
        let (strong, weak, pairs) = (list(u, nodes * 2)?, list(u, nodes / 2)?, list(u, 6)?);
        let entries = pairs.into_iter().map(|(key, table)| Ok((key, table, any(u)?)));
        let entries = entries.collect::<arbitrary::Result<_>>()?;
        let sizes = (0..nodes).map(|_| u.int_in_range(1..=500)).collect::<arbitrary::Result<_>>()?;
        let classes = (0..nodes).map(|_| u.int_in_range(b'A'..=b'E')).collect::<arbitrary::Result<_>>()?;
        Ok(Self { sizes, classes, strong, weak, entries })
    }

    fn heap(&self) -> Heap {
        let id = |node: usize| 2 * node as u32 + 1;
        let mut heap = Heap::default();
        for (node, &size) in self.sizes.iter().enumerate() {
            heap.object(id(node), size as u32, &char::from(self.classes[node]).to_string(), None);
        }
        for (at, &(from, to)) in self.strong.iter().enumerate() {
            heap.edge(Some((id(from), &format!("p{at}"))), id(to));
        }
        for &(from, to) in &self.weak {
            let (from, to) = (id(from), id(to));
            let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":2,"source":{from},"dest":{to}}}"#);
        }
        for &(key, table, value) in &self.entries {
            let (key, table, value) = (id(key), id(table), id(value));
            let _ = writeln!(
                heap.edges,
                r#"{{"type":"edge","subtype":2,"source":{table},"dest":{value},"heap":{{"key":{key}}}}}"#
            );
            let _ = writeln!(
                heap.edges,
                r#"{{"type":"edge","subtype":1,"source":{key},"dest":{value},"heap":{{"table":{table}}}}}"#
            );
        }
        heap
    }

    /// Bytes that are alive without `removed`: again and again over all edges and entries, until nothing more is reached.
    fn alive(&self, removed: Option<usize>) -> u64 {
        let mut alive = vec![false; self.sizes.len()];
        alive[0] = removed != Some(0);
        loop {
            let strong = self.strong.iter().filter(|edge| alive[edge.0]).map(|edge| edge.1);
            let values =
                self.entries.iter().filter(|(key, table, _)| alive[*key] && alive[*table]).map(|e| e.2);
            let met: Vec<usize> =
                strong.chain(values).filter(|&node| !alive[node] && removed != Some(node)).collect();
            if met.is_empty() {
                return alive
                    .iter()
                    .zip(&self.sizes)
                    .filter(|(alive, _)| **alive)
                    .map(|(_, size)| size)
                    .sum();
            }
            for node in met {
                alive[node] = true;
            }
        }
    }
}

/// What a row says of its holder is what goes with it, by taking it out; of a note no more than that.
#[test]
fn figures_are_what_goes_with_the_holder() {
    use std::cell::Cell;
    let (cases, rows, by_entries) = (Cell::new(0), Cell::new(0), Cell::new(0));
    while cases.get() < 500 {
        arbtest::arbtest(|u| {
            let random = Random::new(u)?;
            let (graph, clues) = random.heap().load("none");
            let all = random.alive(None);
            let findings = suspects(graph, &clues, &[], LIMITS).expect("strings can be read");
            // Where no root reaches most of the heap, all is judged, and the roots hold what is lost.
            if findings.totals != [all] {
                let (totals, size) = (&findings.totals, random.sizes.iter().sum::<u64>());
                assert!(totals[0] > all && 2 * all <= size, "{totals:?}, {all} of {size}: {random:?}");
                return Ok(());
            }
            for row in &findings.suspects {
                let (Some((id, _)), Kind::Accumulation) = (row.id, row.kind) else { continue };
                let gone = all - random.alive(Some((id / 2) as usize));
                let exact = row.level != Level::Note || random.entries.is_empty();
                assert!(
                    row.retained == gone || !exact && row.retained <= gone,
                    "{row:#?} retains {gone}: {random:?}"
                );
                rows.set(rows.get() + 1);
                by_entries.set(by_entries.get() + u32::from(exact && !random.entries.is_empty()));
            }
            cases.set(cases.get() + 1);
            Ok(())
        });
    }
    assert!(rows.get() > 500 && by_entries.get() > 100, "{rows:?} rows, {by_entries:?} beside entries");
}
