//! What a program has at its top level, where a dump has no name for it.

use super::*;

/// A node of a subtype by number, with a name or a class.
fn node(
    heap: &mut Heap,
    (id, size, subtype): (u32, u32, u32),
    key: &str,
    text: &str,
    above: Option<(u32, &str)>,
) {
    let text = heap.string(text);
    let class =
        if subtype == CLASS { format!(r#","class":{}"#, heap.string("Class")) } else { String::new() };
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":{subtype},"identifier":{id},"heap":{{"size":{size},"{key}":{text}{class}}}}}"#
    );
    heap.edge(above, id);
}

const STRING: u32 = 3;
const ARRAY: u32 = 4;
const CLASS: u32 = 6;
const SYNTHETIC: u32 = 7;

/// Sixty texts in an array below node 5, which a node is above whose subtype and name are given; `between` are classes of
/// objects on the way. References have no names.
fn texts_below((subtype, name): (u32, &str), between: &[&str]) -> Suspect {
    let mut heap = Heap::default();
    heap.fact("heap.runtime", "Binding");
    heap.fact("heap.runtime", "Gem");
    node(&mut heap, (1, 0, SYNTHETIC), "name", "vm", None);
    node(&mut heap, (5, 100, subtype), "name", name, Some((1, "table")));
    for i in 0..100 {
        let above = Some((1, "table"));
        node(&mut heap, (1001 + 2 * i, 100, STRING), "class", &format!("Text{}", i % 50), above);
    }
    let mut above = 5;
    for (id, class) in (101..).step_by(2).zip(between) {
        node(&mut heap, (id, 10, 1), "class", class, Some((above, "table")));
        above = id;
    }
    node(&mut heap, (7, 40, ARRAY), "class", "Array", Some((above, "table")));
    for i in 0..60 {
        node(&mut heap, (20_001 + 2 * i, 100, STRING), "class", "String", Some((7, "element")));
    }
    let found = heap.suspects();
    let is_array = |row: &&Suspect| row.holds.first().is_some_and(|of| of.count == 60);
    found.iter().find(is_array).unwrap_or_else(|| panic!("no row about the texts in {found:#?}")).clone()
}

#[test]
fn what_a_program_has_at_its_top_level_is_its_own() {
    let judged = |above, between: &[&str]| {
        let row = texts_below(above, between);
        (row.place.clone(), row.runtime, row.level)
    };
    let own = |place: &str| (place.to_owned(), false, Level::Large);
    // A global variable.
    assert_eq!(judged((SYNTHETIC, "global_tbl"), &[]), own("global_tbl: Array"));
    // A constant, and a variable of the scope of all, which a Binding has.
    assert_eq!(judged((CLASS, "Object"), &[]), own("vm: Object"));
    assert_eq!(judged((CLASS, "Object"), &["Binding", "(env)"]), own("vm: Object"));
    // What the runtime has elsewhere.
    for above in [(SYNTHETIC, "vm"), (CLASS, "Gem")] {
        let (place, runtime, level) = judged(above, &[]);
        assert_eq!((runtime, level), (true, Level::Note), "{place}");
    }
    let (place, runtime, level) = judged((CLASS, "Object"), &["(autoload)"]);
    assert_eq!((runtime, level), (true, Level::Note), "{place}");
}

/// Objects of the runtime's that several of its lists lead to, so that no place holds them.
#[test]
fn most_of_a_heap_in_one_class_is_large_whoever_holds_it() {
    let judged = |class: &str, size: u32, subtype: u32| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "Socket");
        heap.fact("heap.runtime", "String");
        heap.object(5001, 10, "Socket", Some((1, "context")));
        heap.object(5003, 10, "Socket", Some((1, "context")));
        for id in (0..100).map(|i| 20_001 + 2 * i) {
            node(&mut heap, (id, size, subtype), "class", class, Some((5001, "context")));
            heap.edge(Some((5003, "context")), id);
        }
        let found = heap.suspects();
        let row = found.iter().find(|row| row.class == class).unwrap_or_else(|| panic!("{found:#?}"));
        assert!(row.place.is_empty() && row.id.is_none() && row.runtime, "{row:?}");
        row.level
    };
    assert_eq!(judged("Socket", 200, 1), Level::Large);
    // Less than all else, and what any program has.
    assert_eq!(judged("Socket", 90, 1), Level::Note);
    assert_eq!(judged("String", 200, STRING), Level::Note);
}

#[test]
fn a_map_that_nothing_names_is_a_holder_and_its_table_is_none() {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "Map");
    heap.fact("heap.runtime", "root");
    node(&mut heap, (5001, 0, SYNTHETIC), "name", "(Stack roots)", Some((1, "context")));
    node(&mut heap, (5003, 40, 1), "class", "Map", Some((5001, "context")));
    bare(&mut heap, (5005, 400), ARRAY, (5003, "table"));
    for i in 0..200 {
        node(&mut heap, (20_001 + 2 * i, 100, 1), "class", "Entry", Some((5005, "context")));
    }
    let found = heap.suspects();
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.count == 200));
    let row = row.unwrap_or_else(|| panic!("no row about the entries in {found:#?}"));
    assert_eq!((row.place.as_str(), row.class.as_str()), ("a variable on the stack", "Map"));
    assert_eq!(row.id.map(|of| of.0), Some(5003), "{row:?}");
}
