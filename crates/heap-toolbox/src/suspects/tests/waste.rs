//! What the row of equal strings shows.

use super::*;
use crate::suspects::sentences::sentence;

/// Copies of texts, each with how often it is there, in the field `name` of objects of one class in an array of `app`.
fn heap_of(lists: &[(&str, &[(&str, u32)])]) -> Heap {
    let mut heap = ordinary();
    let mut id = 10_001;
    for &(class, texts) in lists {
        let list = id;
        heap.object(list, 16, "Array", Some((3, class)));
        id += 2;
        for &(text, count) in texts {
            let name = heap.string(text);
            for _ in 0..count {
                heap.object(id, 16, class, Some((list, "0")));
                heap.named(3, (id + 2, 100), name);
                heap.edge(Some((id, "name")), id + 2);
                id += 4;
            }
        }
    }
    heap
}

/// The row about equal strings as its first text, and its sentence.
fn row(heap: &Heap) -> (String, String) {
    let (graph, clues) = heap.load("lasting");
    let found = found(graph, &clues, &[]);
    let row = found.iter().find(|row| row.kind == Kind::Duplicates).expect("a row of equal strings");
    (row.holds[0].class.clone(), sentence(row))
}

#[test]
fn texts_of_the_place_where_most_is_wasted_are_shown() {
    let names: Vec<String> = (0..300).map(|n| format!("name {n}")).collect();
    let pairs: Vec<(&str, u32)> = names.iter().map(|name| (&**name, 2)).collect();
    // 15 times 100 bytes of 31,500 are little.
    let (text, said) = row(&heap_of(&[("Item", &pairs), ("Locale", &[("en", 16)])]));
    assert!(text.starts_with("name "), "{text}");
    assert!(said.starts_with("equal strings waste 30.8K, "), "{said}");
    assert!(said.contains(", such as 2 times \"name "), "{said}");
    assert!(said.ends_with(" (100) at root.app.Item[0].name"), "{said}");
    // 59 times are much.
    let (text, said) = row(&heap_of(&[("Item", &pairs), ("Locale", &[("en", 60)])]));
    assert_eq!(text, "en");
    assert!(said.ends_with(": 60 times \"en\" (5.8K), such as root.app.Locale[0].name"), "{said}");
}

/// Of texts of nine letters nobody knows how they go on.
#[test]
fn texts_that_the_source_may_have_cut_are_perhaps_equal() {
    let mut heap = heap_of(&[("Page", &[("<!doctype", 60)]), ("Item", &[("en", 70)])]);
    heap.fact("heap.string_limit", "9");
    let (graph, clues) = heap.load("lasting");
    let rows = found(graph, &clues, &[]).into_iter().filter(|row| row.kind == Kind::Duplicates);
    let rows: Vec<_> = rows.map(|row| (row.level, row.retained, sentence(&row))).collect();
    let [(Level::Waste, 6900, sure), (Level::Note, 5900, perhaps)] = &rows[..] else { panic!("{rows:?}") };
    assert!(sure.starts_with("equal strings waste 6.7K, "), "{sure}");
    assert!(perhaps.starts_with("strings that begin alike may be equal and waste 5.8K, "), "{perhaps}");
}

/// A thousand slots of 4 bytes look like five hundred of 8.
#[test]
fn slots_are_as_large_as_the_dump_says() {
    let wasted = |slot: &str| {
        let mut heap = ordinary();
        heap.fact("heap.slot", slot);
        heap.object(2001, 32, "List", Some((3, "rows")));
        bare(&mut heap, (2003, 16 + 4000), 4, (2001, "cells"));
        for i in 0..200 {
            heap.object(3001 + 2 * i, 1, "Cell", Some((2003, &i.to_string())));
        }
        let found = heap.suspects();
        found.iter().find(|of| of.kind == Kind::Sparse).map_or(0, |of| of.retained)
    };
    assert_eq!((wasted("4"), wasted("8")), (800 * 4, 0));
}

#[test]
fn the_array_that_wastes_most_is_the_example() {
    let mut heap = ordinary();
    for (id, name, slots) in [(2001, "first", 2000), (2005, "second", 100)] {
        heap.object(id, 32, "List", Some((3, name)));
        bare(&mut heap, (id + 2, 16 + slots * 8), 4, (id, "cells"));
        heap.object(id + 1000, 1, "Cell", Some((id + 2, "0")));
    }
    let found = heap.suspects();
    let row = found.iter().find(|of| of.kind == Kind::Sparse).expect("a row");
    assert_eq!((row.holds[0].count, row.place.as_str()), (2, "root.app.first"), "{row:?}");
}
