//! Small heaps, each with one thing wrong.

mod among;
mod comes;
mod content;
mod elements;
mod exchanged;
mod figures;
mod filling;
mod growth;
mod holds;
mod kept;
mod kinds;
mod lists;
mod replaced;
mod stacks;
mod top;
mod variables;
mod waste;
mod within;

use std::fmt::Write as _;

use heap_record::{SnapshotSelector, read};

use super::*;

/// A virtual machine's own words, which stand on references of its own.
const INNER: &[&str] =
    &["shared", "script", "source", "context", "previous", "function", "parameters_and_registers", "table"];

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
    /// Adds a fact about the dump.
    pub(super) fn fact(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.rest, r#"{{"type":"metadata","key":"{key}","value":"{value}"}}"#);
    }

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

    /// A node with a name, which is the number of a string.
    fn named(&mut self, subtype: u32, (id, size): (u32, u64), name: usize) {
        let _ = writeln!(
            self.nodes,
            r#"{{"type":"node","subtype":{subtype},"identifier":{id},"heap":{{"size":{size},"name":{name}}}}}"#
        );
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
        for (id, name) in (1..).zip([
            "object",
            "closure",
            "string_flat",
            "array",
            "code",
            "ruby.module",
            "synthetic",
            "frame",
            "symbol",
            "object_shape",
            "string_cons",
            "native",
        ]) {
            let _ = writeln!(stream, r#"{{"type":"node_type","nodetypeid":{id},"name":"{name}"}}"#);
        }
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":1,\"name\":\"object property\"}\n";
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":3,\"name\":\"internal\"}\n";
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":7,\"name\":\"array element\"}\n";
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":8,\"name\":\"thread.frame\",\"heap\":{\"role\":\"inner\"}}\n";
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":4,\"name\":\"closure variable\"}\n";
        stream +=
            "{\"type\":\"edge_type\",\"edgetypeid\":2,\"name\":\"weak\",\"heap\":{\"retains\":\"no\"}}\n";
        stream += "{\"type\":\"edge_type\",\"edgetypeid\":9,\"name\":\"vm.soft\",\"heap\":{\"retains\":\"weak\",\"role\":\"member\"}}\n";
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
        heap.named(2, (id, 90), name);
        heap.edge(Some((1, "run")), id);
        heap.edge(Some((holder, "run")), id);
    }
    let found = heap.suspects();
    let closures = found.iter().find(|s| s.kind == Kind::Closures).expect("functions");
    assert_eq!((closures.holds[0].count, closures.retained, closures.level), (60, 5400, Level::Note));
}

/// The table of a collection has chains and numbers beside what it holds, so it is nearly empty where an array is empty.
#[test]
fn tables_of_numbers_are_no_waste() {
    let wasted = |label: &str, used: u32| {
        let mut heap = ordinary();
        heap.object(2001, 32, "Map", Some((3, "seats")));
        let _ =
            writeln!(heap.nodes, r#"{{"type":"node","subtype":4,"identifier":2003,"heap":{{"size":8016}}}}"#);
        heap.edge(Some((2001, label)), 2003);
        for i in 0..used {
            heap.object(3001 + 2 * i, 8, "Seat", Some((2003, &i.to_string())));
        }
        let found = heap.suspects();
        found.iter().find(|of| of.kind == Kind::Sparse).map_or(0, |of| of.retained)
    };
    // A thousand slots.
    assert_eq!([wasted("table", 150), wasted("table", 60)], [0, 940 * 8]);
    assert_eq!([wasted("slots", 300), wasted("slots", 150)], [0, 850 * 8]);
    // A function that waits has as many registers as its code needs.
    assert_eq!(wasted("parameters_and_registers", 60), 0);
}

/// What no reference shows may be numbers: the sentence does not call it empty.
#[test]
fn arrays_that_may_have_numbers_are_not_called_empty() {
    let mut heap = ordinary();
    heap.object(2001, 32, "Row", Some((3, "rows")));
    bare(&mut heap, (2003, 8016), 4, (2001, "cells"));
    heap.object(3001, 8, "Cell", Some((2003, "0")));
    let found = heap.suspects();
    let row = found.iter().find(|of| of.kind == Kind::Sparse).expect("a row");
    assert_eq!(row.unseen, Unseen::Numbers, "{row:?}");
    assert!(
        super::sentences::sentence(row).starts_with("1 Row nearly empty or full of small numbers: "),
        "{row:?}"
    );
}

/// A script of this name with the code of a function, by their identifiers.
fn script(heap: &mut Heap, (script, code): (u32, u32), name: &str) {
    let name = heap.string(name);
    heap.named(5, (script, 1), name);
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
    heap.fact("heap.runtime", "node:*");
    script(&mut heap, (5005, 5007), "/srv/app.js");
    function(&mut heap, (id, 10), 5007, (1, "main"));
    heap.object(id + 2, 10, "system / Context", Some((id, "context")));
    heap
}

/// A function of `app.js` that makes objects of its name, so that these are the program's.
fn constructor(heap: &mut Heap, id: u32, class: &str) {
    let name = heap.string(class);
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":2,"identifier":{id},"metadata":5007,"heap":{{"size":1,"name":{name}}}}}"#
    );
    heap.edge(Some((1, class)), id);
    heap.edge(Some((id, "shared")), 5007);
}

/// What a script declares outside of functions stands in a scope that may be that of none of them.
#[test]
fn scopes_around_those_of_the_program_are_its_own() {
    let mut heap = with_scope(3001);
    heap.object(3005, 10, "system / Context", Some((3003, "previous")));
    heap.edge(Some((1, "scripts")), 3005);
    heap.object(3007, 10, "Map", Some((3005, "var:cache")));
    items(&mut heap, 3007, 60);
    let found = heap.suspects();
    assert_eq!(at(&found, "app.js: cache").holds[0].count, 60, "{found:#?}");
}

#[test]
fn variables_of_the_program_come_before_those_of_a_library() {
    let of = |file: &str| {
        let mut heap = Heap::default();
        heap.object(1, 0, "root", None);
        heap.fact("heap.runtime", "node:*");
        script(&mut heap, (5001, 5003), file);
        script(&mut heap, (5005, 5007), "/srv/app.js");
        function(&mut heap, (6001, 10), 5003, (1, "listen"));
        heap.object(6003, 10, "system / Context", Some((6001, "context")));
        heap.object(6005, 10, "Router", Some((6003, "var:router")));
        function(&mut heap, (3001, 10), 5007, (6005, "handler"));
        heap.object(3003, 10, "system / Context", Some((3001, "context")));
        heap.object(3005, 10, "Map", Some((3003, "var:sessions")));
        items(&mut heap, 3005, 60);
        let found = heap.suspects();
        found
            .iter()
            .find(|row| row.holds.first().is_some_and(|of| of.count == 60))
            .map(|row| row.place.clone())
    };
    assert_eq!(of("/srv/node_modules/web/router.js").as_deref(), Some("app.js: sessions"));
    assert_eq!(of("/srv/router.js").as_deref(), Some("router.js: router.handler{sessions}"));
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
    // Nor is it what a variable has a piece of.
    bare(&mut heap, (6007, 20), 11, (6003, "var:value"));
    heap.edge(Some((6007, "table")), 6005);
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

/// A heap with a function of the runtime that holds so many bytes of functions of the runtime's and the program's code.
fn with_runtime(own: u32, programs: u32) -> Heap {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "node:*");
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
fn what_a_thread_of_the_runtime_has_itself_is_not_what_hangs_below_it() {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "Thread");
    heap.fact("heap.thread", "Thread");
    heap.object(5001, 100_000, "Thread", Some((1, "context")));
    heap.object(5003, 40, "Ticket", Some((5001, "local")));
    let found = heap.suspects();
    let thread = found.iter().find(|s| s.class == "Thread").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!((thread.level, thread.runtime, thread.holds.len()), (Level::Note, true, 0), "{thread:?}");
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
fn two_fields_of_one_name_are_named_once() {
    let mut heap = ordinary();
    heap.object(5001, 10, "Registry", Some((3, "registry")));
    for list in [5003, 5005, 5007] {
        heap.object(list, 10, "List", Some((5001, if list == 5003 { "byId" } else { "byTime" })));
    }
    for i in 0..300u32 {
        heap.object(7001 + 2 * i, 50, "Rec", Some((5003, "x")));
        heap.edge(Some((5005, "x")), 7001 + 2 * i);
        heap.edge(Some((5007, "x")), 7001 + 2 * i);
    }
    let found = heap.suspects();
    let wanted = (Kind::Accumulation, "root.app.registry (byId, byTime)".to_owned(), 300);
    assert_eq!(text(&found[..1]), [wanted], "{found:?}");
}

#[test]
fn what_a_global_object_has_of_its_machine_is_no_suspect() {
    let level = |global: &str, class: &str| {
        let mut heap = Heap::default();
        heap.fact("heap.global", "GlobalObject");
        heap.nodes += "{\"type\":\"node\",\"subtype\":7,\"identifier\":1,\"heap\":{\"size\":0}}\n";
        heap.object(5001, 10, global, Some((1, "0")));
        for i in 0..300u32 {
            heap.object(7001 + 2 * i, 50, class, Some((5001, &format!("f{i}"))));
        }
        let found = heap.suspects();
        found.iter().find(|row| row.class == global).map(|row| row.level)
    };
    assert_eq!(level("GlobalObject", "Function"), Some(Level::Note));
    assert_eq!(level("GlobalObject", "Session"), Some(Level::Large));
    assert_eq!(level("Registry", "Function"), Some(Level::Large));
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

#[test]
fn a_heap_of_nothing_but_a_root_has_no_suspects() {
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    assert!(heap.suspects().is_empty());
    assert!(Heap::default().suspects().is_empty());
}

#[test]
fn what_no_root_reaches_is_left_out_and_said() {
    let of = |lost: u32, reached: bool, is_alive: bool| {
        let mut heap = ordinary();
        if is_alive {
            heap.fact("heap.unreachable", "root");
        }
        heap.object(5001, 50, "Lost", reached.then_some((3, "found")));
        heap.object(5003, lost, "Below", Some((5001, "x")));
        let (graph, clues) = heap.load("none");
        let found = suspects(graph, &clues, &[], LIMITS).expect("strings can be read");
        (found.unreached.nodes, found.totals[0], found.unreached.doubt())
    };
    let (nodes, total, doubt) = of(850, false, false);
    let doubt = doubt.expect("9 of 110 parts");
    assert_eq!((nodes, total), (2, 10_100));
    assert!(
        doubt.starts_with("no root reaches 2 objects over strong references, 8.2 % of the heap: as garbage"),
        "{doubt}"
    );
    assert_eq!(of(50, false, false), (2, 10_100, None));
    assert_eq!(of(850, true, false), (0, 11_000, None));
    // Where the source says that all is alive, the dump lacks references to it, be it little or most of the heap.
    assert_eq!(of(850, false, true).1, 11_000);
    let (_, total, doubt) = of(50_000, false, true);
    assert_eq!(total, 60_150);
    assert!(doubt.is_some_and(|doubt| doubt.contains("all are judged")));
}

#[test]
fn a_module_is_named_as_a_class_is() {
    let mut heap = ordinary();
    let name = heap.string("Imports");
    let class = heap.string("Module");
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":6,"identifier":5001,"heap":{{"size":10,"class":{class},"name":{name}}}}}"#
    );
    heap.edge(Some((1, "source")), 5001);
    heap.object(5003, 10, "Array", Some((5001, "source")));
    items(&mut heap, 5003, 60);
    let found = heap.suspects();
    assert!(found[0].place.starts_with("Imports"), "{found:?}");
}

#[test]
fn the_only_table_that_is_large_enough_is_guessed_to_hold_what_nothing_leads_to() {
    let place = |tables: &[u32]| {
        let mut heap = ordinary();
        heap.fact("heap.unreachable", "root");
        for (at, &size) in (0..).zip(tables) {
            heap.object(5001 + 4 * at, 10, "Map", Some((3, &format!("known{at}"))));
            bare(&mut heap, (5003 + 4 * at, size), 4, (5001 + 4 * at, "table"));
        }
        for i in 0..200 {
            heap.object(20_001 + 2 * i, 100, "Quote", None);
        }
        let found = heap.suspects();
        let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Quote"));
        row.expect("a row about the quotes").place.clone()
    };
    assert_eq!(place(&[16_000]), "perhaps root.app.known0");
    assert_eq!(place(&[16_000, 16_000]), "");
    assert_eq!(place(&[160_000]), "");
}

#[test]
fn tables_of_one_field_are_guessed_to_hold_together_what_nothing_leads_to() {
    let place = |size: u32, class: &str| {
        let mut heap = ordinary();
        heap.fact("heap.unreachable", "root");
        heap.object(5001, 10, "Object", Some((3, "rooms")));
        for at in 0..if class == "Room" { 4 } else { 1 } {
            heap.object(5003 + 6 * at, 10, class, Some((5001, &format!("room{at}"))));
            heap.object(5005 + 6 * at, 10, "Set", Some((5003 + 6 * at, "members")));
            bare(&mut heap, (5007 + 6 * at, size), 4, (5005 + 6 * at, "table"));
        }
        for i in 0..200 {
            heap.object(20_001 + 2 * i, 100, "Guest", None);
        }
        let found = heap.suspects();
        let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Guest"));
        row.expect("a row about the guests").place.clone()
    };
    assert_eq!(place(4_000, "Room"), "perhaps root.app.rooms[*].members");
    assert_eq!(place(400, "Room"), "");
    // The first of a tree of them, the others of which stand in tables.
    assert_eq!(place(400, "Guest"), "perhaps root.app.rooms.room0.members");
}

#[test]
fn the_document_is_named_before_its_inner_parts() {
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    heap.fact("heap.runtime", "*");
    heap.object(3, 10, "Window / file://", Some((1, "1")));
    heap.object(5, 10, "HTMLDocument", Some((3, "4")));
    heap.object(7, 10, "blink::EventTargetData", Some((5, "9")));
    items(&mut heap, 7, 60);
    heap.edges = heap.edges.replace("\"subtype\":1", "\"subtype\":7");
    let mut found = heap.suspects();
    found.retain(|row| row.holds.first().is_some_and(|of| of.count == 60));
    assert_eq!(found.first().map(|row| row.place.as_str()), Some("HTMLDocument"), "{found:?}");
}

/// A frame of the outermost code with this identifier, and code that it has in several ways.
fn with_unit(id: u32) -> Heap {
    let mut heap = ordinary();
    for class in ["Scalar", "Sub", "BOOT*"] {
        let _ = writeln!(heap.rest, r#"{{"type":"metadata","key":"heap.runtime","value":"{class}"}}"#);
    }
    let name = heap.string("<unit>");
    heap.named(8, (id, 10), name);
    heap.edge(Some((1, "call")), id);
    heap
}

#[test]
fn a_variable_is_named_before_tables_of_all_code() {
    let mut heap = with_unit(6001);
    heap.object(6003, 10, "BOOTCompUnit", Some((1, "unit")));
    heap.object(6005, 10, "BOOTCode", Some((6003, "Code refs array entry")));
    heap.object(6007, 10, "BOOTStaticFrame", Some((1, "last")));
    heap.edge(Some((6007, "Static code object")), 6005);
    heap.edge(Some((6001, "Register")), 6005);
    heap.object(6009, 10, "Sub", Some((6001, "&route")));
    heap.edge(Some((6009, "code")), 6005);
    heap.object(6011, 10, "Hash", Some((6005, "state")));
    items(&mut heap, 6011, 60);
    let found = heap.suspects();
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.count == 60));
    let place = row.map(|row| row.place.as_str());
    assert!(place.is_some_and(|place| place.starts_with("<unit>.&route")), "{found:?}");
}

#[test]
fn what_a_variable_stands_in_is_not_its_value() {
    let mut heap = with_unit(6001);
    heap.object(6003, 10, "Scalar", Some((6001, "$shop")));
    heap.object(6005, 10, "Shop", Some((6003, "value")));
    items(&mut heap, 6005, 60);
    let found = heap.suspects();
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.count == 60)).expect("a row");
    assert!(row.place.starts_with("<unit>.$shop"), "{row:?}");
    assert_eq!((row.class.as_str(), row.holds[0].class.as_str()), ("Shop", "Item"));
}

#[test]
fn many_threads_with_much_each_are_one_crowd() {
    let rows = |count: u32| {
        let mut heap = ordinary();
        heap.fact("heap.thread", "Thread");
        for i in 0..count {
            let id = 6001 + 10 * i;
            heap.object(id, 10, "Thread", Some((1, &format!("thread{i}"))));
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":8,"identifier":{},"heap":{{"size":1}}}}"#,
                id + 2
            );
            let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":8,"source":{id},"dest":{}}}"#, id + 2);
            heap.object(id + 4, 5000, "Buffer", Some((id, "buffer")));
        }
        let found = heap.suspects();
        let crowds = found.iter().filter(|row| row.kind == Kind::Class && row.holds[0].class == "Thread");
        crowds.map(|row| row.holds[0].count).collect::<Vec<_>>()
    };
    assert_eq!(rows(30), [30]);
    assert!(rows(10).is_empty());
}

#[test]
fn threads_that_wait_at_one_place_are_named_by_it() {
    let waiting = |at: [u32; 2]| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "Thread");
        heap.fact("heap.thread", "Thread");
        let file = heap.string("Pool.java");
        let names = ["acquire", "poll"].map(|name| heap.string(name));
        for (i, of) in (0..).zip([0, 1].into_iter().flat_map(|of| (0..at[of]).map(move |_| of))) {
            let id = 6001 + 10 * i;
            heap.object(id, 10, "Thread", Some((1, &format!("thread{i}"))));
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":8,"identifier":{},"script_name":{file},"line":{},"function":{},"heap":{{"size":1}}}}"#,
                id + 2,
                [26, 40][of],
                names[of],
            );
            let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":8,"source":{id},"dest":{}}}"#, id + 2);
            heap.object(id + 4, 5000, "Buffer", Some((id, "buffer")));
        }
        let row =
            heap.suspects().into_iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Thread"));
        row.map(|row| (row.holds[0].count, row.behind))
    };
    let at = |call: &str| Some(call.to_owned());
    assert_eq!(waiting([20, 10]), Some((20, at("acquire (Pool.java:26)"))));
    assert_eq!(waiting([4, 26]), Some((26, at("poll (Pool.java:40)"))));
}

#[test]
fn functions_of_one_place_are_large_in_one_dump_without_a_name() {
    let level = |place: bool| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "node:*");
        script(&mut heap, (5005, 5007), if place { "/srv/app.js" } else { "node:events" });
        heap.object(7001, 3_000_000, "ArrayBuffer", Some((1, "data")));
        for i in 0..600 {
            let id = 8001 + 2 * i;
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":2,"identifier":{id},"metadata":5007,"heap":{{"size":1500}}}}"#
            );
            heap.edge(Some((1, &format!("f{i}"))), id);
            heap.edge(Some((id, "shared")), 5007);
        }
        let found = heap.suspects();
        found.iter().find(|row| row.holds.first().is_some_and(|of| of.count == 600)).map(|row| row.level)
    };
    assert_eq!(level(true), Some(Level::Large));
    assert_ne!(level(false), Some(Level::Large));
}

/// What is to be called at the end stands in a list of the virtual machine's; all have one object around, and one each.
#[test]
fn a_crowd_below_a_root_with_a_name_is_said_with_it() {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "Proc");
    let (class, name) = (heap.string("Proc"), heap.string("end_proc"));
    heap.named(7, (5001, 0), name);
    heap.edge(Some((1, "roots")), 5001);
    heap.object(5003, 10, "Exporter", Some((1, "exporter")));
    for i in 0..60 {
        let id = 20_001 + 4 * i;
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":2,"identifier":{id},"heap":{{"size":40,"class":{class}}}}}"#
        );
        heap.edge(Some((5001, "x")), id);
        heap.edge(Some((id, "self")), 5003);
        heap.object(id + 2, 100, "Report", Some((id, "env")));
    }
    let found = heap.suspects();
    let row = at(&found, "end_proc");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Proc", 60), "{found:#?}");
    assert_eq!(row.behind.as_deref(), Some("Report"));
}

#[test]
fn what_objects_are_made_after_is_none_of_them() {
    let mut heap = with_scope(3001);
    for i in 0..=60 {
        heap.object(20_001 + 2 * i, 100, "Connection", Some((1, "handle")));
    }
    let name = heap.string("Connection");
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":2,"identifier":6901,"metadata":5007,"heap":{{"size":1,"name":{name}}}}}"#
    );
    heap.edge(Some((1, "class")), 6901);
    heap.edge(Some((20_001, "constructor")), 6901);
    let found = heap.suspects();
    let row = found.iter().find(|row| row.class == "Connection").expect("a row");
    assert_eq!((row.holds[0].count, row.retained), (60, 6000), "{found:#?}");
}

/// The same of what each of them has been made after, such as the windows of frames that all have a class of their own.
#[test]
fn what_each_object_is_made_after_is_none_of_them() {
    let mut heap = with_scope(6001);
    constructor(&mut heap, 6101, "Window");
    heap.object(6005, 10, "Array", Some((6003, "var:frames")));
    for i in 0..20 {
        let (window, prototype) = (20_001 + 4 * i, 20_003 + 4 * i);
        heap.object(window, 200, "Window", Some((6005, &format!("{i}"))));
        heap.object(prototype, 100, "Window", Some((window, "__proto__")));
        heap.edge(Some((prototype, "constructor")), 6101);
    }
    let found = heap.suspects();
    let row = at(&found, "app.js: frames");
    assert_eq!((row.holds[0].count, row.retained), (20, 6010));
}
