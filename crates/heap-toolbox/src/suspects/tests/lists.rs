//! Lists whose links hold each other.

use super::*;

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

/// A table has the ten newest links of a list; those behind are held by the last of them alone.
#[test]
fn a_list_behind_the_entry_of_a_table_is_named_by_its_links() {
    let mut heap = ordinary();
    heap.object(5001, 10, "Cache", Some((1, "cache")));
    heap.object(5003, 10, "Map", Some((5001, "byUser")));
    for i in 0..100 {
        let above = if i == 0 { (5001, "newest") } else { (20_001 + 2 * (i - 1), "older") };
        heap.object(20_001 + 2 * i, 100, "Link", Some(above));
    }
    bare(&mut heap, (5005, 10), 4, (5003, "table"));
    for i in 0..10 {
        heap.edge(Some((5005, "table")), 20_001 + 2 * i);
    }
    let found = heap.suspects();
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Link")).expect("a row");
    assert_eq!(row.place, "root.cache.byUser.older", "{found:#?}");
    assert_eq!((row.holds[0].count, row.retained), (90, 9000));
}

/// A plain object is further above a list of plain objects than these are apart: it holds the list, and is no link.
#[test]
fn what_holds_a_list_of_its_own_class_is_no_link() {
    let mut heap = ordinary();
    let path =
        [(5001, 1, "Object", "exports"), (5003, 5001, "Scope", "scope"), (5005, 5003, "Logger", "logger")];
    for (id, above, class, label) in path {
        heap.object(id, 10, class, Some((above, label)));
    }
    heap.object(5007, 10, "State", Some((5005, "state")));
    for i in 0..60 {
        let above = if i == 0 { (5007, "buffered") } else { (20_001 + 2 * (i - 1), "next") };
        heap.object(20_001 + 2 * i, 100, "Object", Some(above));
    }
    let found = heap.suspects();
    let row = at(&found, "root.exports.scope.logger.state.buffered");
    assert_eq!((row.holds[0].count, row.retained), (60, 6000));
}
