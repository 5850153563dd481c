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

/// What one path has of a tree is a part of it.
#[test]
fn all_nodes_of_a_tree_are_counted() {
    let mut heap = ordinary();
    heap.object(5001, 10, "Book", Some((3, "book")));
    for i in 0..600u32 {
        let above = match (i / 6, i % 6) {
            (0, 0) => (5001, "root"),
            (_, 0) => (7001 + 2 * (i - 6), "right"),
            (_, side) => (7001 + 2 * (i - side), "left"),
        };
        heap.object(7001 + 2 * i, 50, "Order", Some(above));
    }
    let found = heap.suspects();
    assert_eq!(text(&found[..1]), [(Kind::Accumulation, "root.app.book.root".to_owned(), 600)], "{found:?}");
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

/// A queue of the runtime's whose chunks have a table each and lead to the next, to the last of which the queue leads, too; `each` has
/// how many things are in them, from the oldest chunk on. All are in tables that have room for fifty.
fn queue(heap: &mut Heap, first: u32, each: &[u32]) {
    heap.object(5001, 10, "Queue", Some((1, "queue")));
    let chunk = |at: u32| 6001 + 10 * at;
    let last = each.len() as u32 - 1;
    for (&count, at) in each.iter().zip(0..) {
        let above = if at == 0 { (5001, "tail") } else { (chunk(at - 1), "next") };
        heap.object(chunk(at), 10, "Chunk", Some(above));
        heap.object(chunk(at) + 2, 10, "Array", Some((chunk(at), "list")));
        bare(heap, (chunk(at) + 4, 416), 4, (chunk(at) + 2, "table"));
        for i in 0..count {
            heap.object(20_001 + 2 * (first + 50 * at + i), 100, "Job", Some((chunk(at) + 4, "0")));
        }
    }
    heap.edge(Some((5001, "head")), chunk(last));
}

/// An application of a script, with a class of the program's, where `Queue` and `Chunk` are the runtime's.
fn with_jobs() -> Heap {
    let mut heap = with_scope(3001);
    constructor(&mut heap, 4001, "Job");
    heap
}

#[test]
fn a_queue_in_chunks_holds_what_lies_in_all_of_them() {
    for each in [&[50u32, 20][..], &[50, 50, 7], &[50; 15], &[50; 60]] {
        let mut heap = with_jobs();
        queue(&mut heap, 0, each);
        let found = heap.suspects();
        let row = at(&found, "root.queue");
        let hold = &row.holds[0];
        let all = each.iter().sum::<u32>();
        assert_eq!((hold.class.as_str(), hold.count), ("Job", u64::from(all)), "{found:#?}");
        assert!(found.iter().all(|row| row.class != "Array" && row.class != "Chunk"), "{found:#?}");
    }
}

/// Each chunk was made with room and is full or was full before, but what all of them have becomes more: first one chunk is filled,
/// then there are more.
#[test]
fn a_queue_in_chunks_grows_as_a_whole() {
    let dump = |count: u32| {
        let mut heap = with_jobs();
        let each: Vec<u32> = (0..count.div_ceil(50)).map(|at| (count - 50 * at).min(50)).collect();
        queue(&mut heap, 0, &each);
        heap.load("identifier")
    };
    let found = super::growth::of_three(|count| dump(count - 80));
    let row = at(&found, "root.queue");
    assert_eq!((row.level, row.course), (Level::Leak, Some(Course::Steady)), "{found:#?}");
}

/// A function keeps what was there before the last call, and so on; a handler that leads to the variable looks like one more link,
/// and so does the object whose field it is.
#[test]
fn what_leads_to_a_list_by_another_function_or_none_is_no_link() {
    let mut heap = with_scope(3001);
    script(&mut heap, (5011, 5013), "/srv/render.js");
    heap.object(5021, 10, "Server", Some((1, "server")));
    heap.object(5023, 10, "Object", Some((5021, "events")));
    function(&mut heap, (5025, 10), 5007, (5023, "request"));
    heap.object(5027, 10, "system / Context", Some((5025, "context")));
    heap.object(5029, 10, "Object", Some((5027, "var:state")));
    let link = |at: u32| 20_001 + 10 * at;
    for i in 0..60 {
        heap.object(
            link(i),
            100,
            "Object",
            Some(if i == 0 { (5029, "last") } else { (link(i) - 6, "var:before") }),
        );
        function(&mut heap, (link(i) + 2, 10), 5013, (link(i), "render"));
        heap.object(link(i) + 4, 10, "system / Context", Some((link(i) + 2, "context")));
    }
    let found = heap.suspects();
    let row = &found[0];
    assert_eq!((row.place.as_str(), row.holds[0].count), ("app.js: state.last", 60), "{found:#?}");
}
