//! Lists that are made anew for each dump, beside each other.

use super::*;

/// A dump with two lists of so many items below one object; lists and items are new, in the order of their identifiers.
fn lists(dump: u32, [one, other]: [u32; 2]) -> Heap {
    let mut heap = ordinary();
    heap.object(5001, 10, "Store", Some((3, "store")));
    let first = 100_000 * dump;
    for (number, (label, count)) in (0..).zip([("orders", one), ("events", other)]) {
        let list = first + 2 * number + 1;
        heap.object(list, 20, "List", Some((5001, label)));
        for i in 0..count {
            heap.object(
                list + 10_000 * (number + 1) + 2 * i,
                100,
                &format!("{label} item"),
                Some((list, "x")),
            );
        }
    }
    heap
}

/// What heap-suspects says of both lists in the last of three dumps.
fn histories(ascending: bool, counts: [[u32; 2]; 3]) -> [Vec<u64>; 2] {
    let dump = |(at, counts): (u32, [u32; 2])| {
        let mut heap = lists(at, counts);
        if ascending {
            heap.fact("heap.identifier", "v8");
        }
        heap.load("identifier")
    };
    let [first, second, last] = counts;
    let earlier = [(1, first), (2, second)].map(|of| remembered(dump(of)));
    let (graph, clues) = dump((3, last));
    let found = found(graph, &clues, &earlier);
    ["orders", "events"].map(|label| at(&found, &format!("root.app.store.{label}")).history.clone())
}

#[test]
fn lists_that_are_made_anew_side_by_side_have_each_their_own_past() {
    let bytes = |counts: [u64; 3]| counts.map(|count| 20 + 100 * count).to_vec();
    assert_eq!(histories(true, [[30, 90], [60, 90], [90, 100]]), [bytes([30, 60, 90]), bytes([90, 90, 100])]);
    // Where nothing says which stood in whose place, all that has gone is divided as what is there.
    let halves = bytes([60, 75, 90]);
    assert_eq!(histories(false, [[30, 90], [60, 90], [90, 90]]), [halves.clone(), halves]);
}

/// An array that is copied for each dump, with objects that are copied, too; their names stay, and some are exchanged.
fn copied(round: u32, count: u32, exchanged: u32) -> Heap {
    let mut heap = ordinary();
    heap.object(5001, 10, "Store", Some((3, "store")));
    let list = 100_001 + 100_000 * round;
    heap.object(list, 20, "Array", Some((5001, "blocks")));
    for i in exchanged * round..exchanged * round + count {
        heap.object(list + 2 + 2 * i, 20, "Block", Some((list, "b")));
        heap.object(10_001 + 2 * i, 80, "Name", Some((list + 2 + 2 * i, "name")));
    }
    heap
}

/// What has stayed is as much part of what stood there as what has gone.
#[test]
fn a_copy_has_the_past_of_what_it_was_made_from() {
    let history = |counts: [u32; 3], exchanged: u32| {
        let dump = |round: u32| copied(round, counts[round as usize], exchanged).load("identifier");
        let earlier = [0, 1].map(|round| remembered(dump(round)));
        let (graph, clues) = dump(2);
        let found = found(graph, &clues, &earlier);
        let row = at(&found, "root.app.store.blocks");
        (row.level, row.history.clone())
    };
    let bytes = |counts: [u64; 3]| counts.map(|count| 20 + 100 * count).to_vec();
    assert_eq!(history([300, 300, 300], 10), (Level::Large, bytes([300, 300, 300])));
    assert_eq!(history([300, 400, 500], 0), (Level::Leak, bytes([300, 400, 500])));
}

/// Two tables of one object: the first one has the newest hundred by number, the other one has all by customer. What both have hangs
/// below the object.
#[test]
fn what_two_tables_hold_is_not_what_was_left_of_it() {
    let dump = |round: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Book", Some((1, "book")));
        for (table, label) in [(5003, "byNumber"), (5005, "byCustomer")] {
            heap.object(table, 10, "Map", Some((5001, label)));
        }
        for customer in 0..20 {
            heap.object(6001 + 2 * customer, 10, "List", Some((5005, "c")));
        }
        let count = 100 * (round + 1);
        for i in 0..count {
            heap.object(10_001 + 2 * i, 100, "Order", Some((6001 + 2 * (i % 20), "o")));
            if i + 100 >= count {
                heap.edge(Some((5003, "n")), 10_001 + 2 * i);
            }
        }
        heap.load("identifier")
    };
    let earlier = [0, 1, 2].map(|round| remembered(dump(round)));
    let (graph, clues) = dump(3);
    let found = found(graph, &clues, &earlier);
    let row = |place: &str| at(&found, place).history.clone();
    assert_eq!(row("root.book (byCustomer, byNumber)"), vec![10_010; 4]);
    assert_eq!(row("root.book.byCustomer"), [210, 10_210, 20_210, 30_210]);
}
