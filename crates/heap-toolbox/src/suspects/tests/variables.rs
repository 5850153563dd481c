//! Variables and fields for which a dump has no names, such as constants of a Ruby module or locals of a Java method.

use super::*;

const MODULE: u32 = 6;
const FRAME: u32 = 8;

/// Edges that the other heaps lack: fields of classes, locals of calls, and what a finalizer still has to look at.
const STATIC: u32 = 20;
const LOCAL: u32 = 21;
const FINAL: u32 = 22;
const FIELD: u32 = 1;

/// A heap that has these edges.
fn heap() -> Heap {
    let mut heap = ordinary();
    for (id, name, rest) in [
        (STATIC, "vm.static", r#""role":"static""#),
        (LOCAL, "heap.local", r#""role":"variable""#),
        (FINAL, "vm.final", r#""retains":"weak","role":"member""#),
    ] {
        let edge = format!(r#"{{"type":"edge_type","edgetypeid":{id},"name":"{name}","heap":{{{rest}}}}}"#);
        heap.nodes.insert_str(0, &(edge + "\n"));
    }
    heap
}

/// A node with a name.
fn named(heap: &mut Heap, id: u32, subtype: u32, class: &str, name: &str) {
    let (class, name) = (heap.string(class), heap.string(name));
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":{subtype},"identifier":{id},"heap":{{"size":10,"class":{class},"name":{name}}}}}"#
    );
}

/// An edge without a label.
fn bare(heap: &mut Heap, subtype: u32, source: u32, dest: u32) {
    let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":{subtype},"source":{source},"dest":{dest}}}"#);
}

/// `count` items below node `above`, with identifiers from `from` on.
fn filled(heap: &mut Heap, above: u32, from: u32, count: u32) {
    for i in 0..count {
        heap.object(from + 2 * i, 100, "Item", Some((above, &format!("[{i}]"))));
    }
}

/// Two tables without names, of a module's constants or an object's fields: one with 4,000 items, one that grows.
fn tables(of_module: bool, count: u32) -> Heap {
    let mut heap = heap();
    heap.fact("heap.runtime", "Hash");
    let edge = if of_module {
        named(&mut heap, 5001, MODULE, "Module", "Registry");
        STATIC
    } else {
        heap.object(5001, 10, "Registry", None);
        FIELD
    };
    heap.edge(Some((1, "registry")), 5001);
    heap.object(5003, 40, "Hash", None);
    heap.object(5005, 40, "Hash", None);
    bare(&mut heap, edge, 5001, 5003);
    bare(&mut heap, edge, 5001, 5005);
    filled(&mut heap, 5003, 10_001, 4000);
    filled(&mut heap, 5005, 30_001, count);
    heap
}

#[test]
fn each_variable_without_a_name_has_its_own_history() {
    for of_module in [true, false] {
        let earlier = [100, 200].map(|count| remembered(tables(of_module, count).load("identifier")));
        let (graph, clues) = tables(of_module, 300).load("identifier");
        let found = found(graph, &clues, &earlier);
        let row = |number| {
            let row = found.iter().find(|row| row.id.is_some_and(|(of, _)| of == number));
            let row = row.unwrap_or_else(|| panic!("no row of {number} in {found:#?}"));
            (row.level, row.holds[0].count, row.history.clone())
        };
        assert_eq!(row(5005), (Level::Leak, 300, vec![10_040, 20_040, 30_040]), "{of_module}");
        assert_eq!(row(5003).1, 4000);
        assert!(found.iter().filter(|row| row.level == Level::Leak).count() == 1, "{found:#?}");
    }
}

/// A call of `App.work` with lists of these classes and numbers of items; the thread has a stack of its own.
fn calls(lists: &[(&str, u32)]) -> Heap {
    let mut heap = heap();
    for (key, name) in [("heap.runtime", "java.*"), ("heap.thread", "java.Thread"), ("heap.runtime", "root")]
    {
        heap.fact(key, name);
    }
    named(&mut heap, 5001, 1, "java.Thread", "main");
    heap.edge(Some((1, "thread")), 5001);
    for (id, name) in [(5003, "java.Thread.run"), (5005, "App.work")] {
        named(&mut heap, id, FRAME, "", name);
        bare(&mut heap, 8, 5001, id);
    }
    for (at, &(class, count)) in (0..).zip(lists) {
        let id = 6001 + 2 * at;
        if class.ends_with("[]") {
            let class = heap.string(class);
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":4,"identifier":{id},"heap":{{"size":40,"class":{class}}}}}"#
            );
        } else {
            heap.object(id, 40, class, None);
        }
        bare(&mut heap, LOCAL, 5005, id);
        filled(&mut heap, id, 10_001 + 10_000 * at, count);
    }
    heap
}

#[test]
fn what_a_call_has_is_named_by_its_method() {
    let rows = |heap: &Heap| -> Vec<(String, String, u64)> {
        let found = heap.suspects().into_iter().filter(|row| row.place.starts_with("App.work"));
        found.map(|row| (row.place, row.class, row.holds[0].count)).collect()
    };
    let row = |class: &str, count| ("App.work".to_owned(), class.to_owned(), count);
    assert_eq!(rows(&calls(&[("java.Object[]", 200)])), [row("java.Object[]", 200)]);
    assert_eq!(rows(&calls(&[("java.List", 200)])), [row("java.List", 200)]);
    let both = [("java.Object[]", 200), ("java.List", 300)];
    assert_eq!(rows(&calls(&both)), [row("java.List", 300), row("java.Object[]", 200)]);
}

#[test]
fn locals_of_two_classes_are_known_again_by_these() {
    let of = |count| calls(&[("java.Object[]", 200), ("java.List", count)]);
    let earlier = [100, 200].map(|count| remembered(of(count).load("none")));
    let (graph, clues) = of(300).load("none");
    let found = found(graph, &clues, &earlier);
    let history = |class: &str| {
        let row = found.iter().find(|row| row.class == class);
        row.unwrap_or_else(|| panic!("no row of {class} in {found:#?}")).history.clone()
    };
    assert_eq!(history("java.List"), [10_040, 20_040, 30_040]);
    assert_eq!(history("java.Object[]"), [20_040; 3]);
}

/// Objects that wait for a finalizer, kept by links that a list and a queue have in two orders: the first of the queue is the
/// first of the list or another.
fn waiting(count: u32, first: u32) -> Heap {
    let mut heap = heap();
    for name in ["java.*", "root"] {
        heap.fact("heap.runtime", name);
    }
    named(&mut heap, 5001, MODULE, "java.Class", "java.Finalizer");
    heap.edge(Some((1, "class")), 5001);
    let link = |i: u32| 10_001 + 4 * i;
    for i in 0..count {
        heap.object(link(i), 40, "java.Finalizer", None);
        heap.object(link(i) + 2, 200, "Image", None);
        bare(&mut heap, FINAL, link(i), link(i) + 2);
        for (label, next) in [("next", i + 1), ("prev", i.wrapping_sub(1))] {
            if next < count {
                heap.edge(Some((link(i), label)), link(next));
            }
        }
    }
    for at in [0, first] {
        let label = heap.string(&format!("static{at}"));
        let _ = writeln!(
            heap.edges,
            r#"{{"type":"edge","subtype":{STATIC},"source":5001,"dest":{},"label":{label}}}"#,
            link(at)
        );
    }
    heap
}

#[test]
fn what_waits_for_a_finalizer_is_one_thing_however_its_lists_cross() {
    for first in [[0, 0, 0], [50, 0, 0], [50, 70, 99], [0, 20, 1]] {
        let mut heaps = [100, 200, 300].into_iter().zip(first).map(|(count, first)| waiting(count, first));
        let earlier = [(); 2].map(|()| remembered(heaps.next().expect("three").load("none")));
        let (graph, clues) = heaps.next().expect("three").load("none");
        let found = found(graph, &clues, &earlier);
        let row = at(&found, "the queue of finalizers");
        assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("java.Finalizer", 300), "{first:?}");
        assert_eq!((row.behind.as_deref(), row.level), (Some("Image"), Level::Leak), "{first:?}");
        assert_eq!(row.history, [24_000, 48_000, 72_000], "{first:?}");
        let others = found.iter().filter(|row| row.holds.iter().any(|of| of.class == "java.Finalizer"));
        assert_eq!(others.count(), 1, "{found:#?}");
    }
}

#[test]
fn what_one_thread_is_named_by_names_no_other_one() {
    let mut heap = Heap::default();
    heap.object(1, 0, "root", None);
    for (key, name) in [("heap.runtime", "Thread"), ("heap.runtime", "Ractor"), ("heap.thread", "Thread")] {
        heap.fact(key, name);
    }
    let group = "context";
    heap.object(3, 100, "Ractor", Some((1, group)));
    let name = heap.string("Log");
    heap.named(6, (5, 100), name);
    heap.edge(Some((1, group)), 5);
    // The program's class has a thread, which leads to its group, and so to the main thread.
    heap.object(7, 100, "Thread", Some((5, group)));
    heap.edge(Some((7, group)), 3);
    heap.object(9, 100, "Thread", Some((3, group)));
    for (thread, list) in [(7, 11), (9, 13)] {
        heap.object(list, 10, "List", Some((thread, group)));
        for i in 0..100 {
            heap.object(1001 * list + 2 * i, 50, &format!("Entry{list}"), Some((list, "x")));
        }
    }
    let places = |heap: &Heap| {
        let mut found = heap.suspects();
        found.sort_unstable_by_key(|of| of.id);
        found.into_iter().map(|of| of.place).collect::<Vec<_>>()
    };
    assert_eq!(places(&heap), ["Log"]);
    heap.fact("heap.threads", "Ractor");
    assert_eq!(places(&heap), ["Log", "Thread"]);
}

/// An inner part by this label.
fn part(heap: &mut Heap, source: u32, label: &str, dest: u32) {
    let label = heap.string(label);
    let _ = writeln!(
        heap.edges,
        r#"{{"type":"edge","subtype":3,"source":{source},"dest":{dest},"label":{label}}}"#
    );
}

/// A module with the code of a function, which has a variable `name` of its own in a `cell`, or only passes one on.
fn module(heap: &mut Heap, id: u32, (file, name): (&str, &str), cell: u32, is_its: bool) {
    script(heap, (id + 10, id + 12), file);
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":2,"identifier":{},"metadata":{},"heap":{{"size":1}}}}"#,
        id + 14,
        id + 12
    );
    heap.edge(Some((id + 14, "shared")), id + 12);
    let (class, text) = (heap.string("system / SourceTextModule"), heap.string(name));
    heap.named(4, (id, 10), class);
    heap.object(id + 2, 10, "Generator", None);
    bare_array(heap, id + 4);
    bare_array(heap, id + 6);
    heap.named(3, (id + 8, 10), text);
    for (source, label, dest) in [
        (id + 2, "function", id + 14),
        (id, "0", id + 4),
        (id, "4", id + 2),
        (id, "5", id + 6),
        (id + 4, "7", id + 8),
        (id + 4, "8", cell),
    ] {
        part(heap, source, label, dest);
    }
    if is_its {
        part(heap, id + 6, "1", cell);
    }
}

fn bare_array(heap: &mut Heap, id: u32) {
    let _ = writeln!(heap.nodes, r#"{{"type":"node","subtype":4,"identifier":{id},"heap":{{"size":10}}}}"#);
}

#[test]
fn what_a_module_exports_is_named_by_its_file_and_its_name() {
    for passed_on in [false, true] {
        let mut heap = with_scope(5001);
        // A variable of the script leads there, but to other modules as well.
        heap.object(5021, 10, "Work", Some((5003, "var:work")));
        if passed_on {
            module(&mut heap, 6001, ("/srv/index.mjs", "all"), 8001, false);
            part(&mut heap, 5021, "1", 6001);
        }
        module(&mut heap, 7001, ("/srv/uploads.mjs", "active"), 8001, true);
        part(&mut heap, if passed_on { 6001 } else { 5021 }, "7", 7001);
        let cell = heap.string("system / Cell");
        heap.named(4, (8001, 10), cell);
        heap.object(8003, 10, "Map", None);
        part(&mut heap, 8001, "value", 8003);
        items(&mut heap, 8003, 300);
        let found = heap.suspects();
        let row = found.iter().find(|row| row.id.is_some_and(|(number, _)| number == 8003));
        assert_eq!(row.map(|row| row.place.as_str()), Some("uploads.mjs: active"), "{found:#?}");
    }
}
