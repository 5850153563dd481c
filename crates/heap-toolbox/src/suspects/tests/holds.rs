//! What a holder is said to hold, where most of its bytes are inner parts.

use super::*;

/// Jobs that were cancelled have nothing any more; beside them their queue has one thing.
#[test]
fn entries_in_which_nothing_is_are_what_a_queue_holds() {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "util.*");
    heap.fact("heap.entry", "*$*Task");
    heap.object(5001, 10, "util.Pool", Some((1, "timer")));
    bare(&mut heap, (5003, 600), 4, (5001, "queue"));
    heap.object(5005, 8, "util.Marker", Some((5003, "0")));
    for i in 0..60 {
        heap.object(20_001 + 2 * i, 100, "util.Pool$Task", Some((5003, &(i + 1).to_string())));
    }
    let found = heap.suspects();
    let row = at(&found, "root.timer");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("util.Pool$Task", 60), "{row:?}");
}

/// A list of what others hold, too, and of four objects that nothing else has.
#[test]
fn a_trifle_is_not_what_a_table_holds() {
    let held = |size: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Array", Some((3, "seen")));
        bare(&mut heap, (5003, 20_000), 4, (5001, "table"));
        for i in 0..4 {
            heap.object(20_001 + 2 * i, size, "Object", Some((5003, &i.to_string())));
        }
        let found = heap.suspects();
        at(&found, "root.app.seen").holds.first().map(|of| of.count)
    };
    assert_eq!((held(32), held(3000)), (None, Some(4)));
}

/// A worker's variable in a block has no name, and the machine's own process object leads to what listens.
#[test]
fn what_lies_behind_a_variable_of_the_machine_is_no_part_of_the_process() {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "node:*");
    script(&mut heap, (5001, 5003), "node:internal/loaders");
    script(&mut heap, (5005, 5007), "/srv/app.js");
    heap.object(6001, 10, "process", Some((1, "process")));
    function(&mut heap, (6003, 10), 5003, (6001, "getBuiltinModule"));
    heap.object(6005, 10, "system / Context", Some((6003, "context")));
    heap.object(6007, 10, "Map", Some((6005, "var:map")));
    function(&mut heap, (3001, 10), 5007, (6007, "listener"));
    heap.object(3003, 10, "system / Context", Some((3001, "context")));
    heap.object(3005, 10, "Map", Some((3003, "0")));
    items(&mut heap, 3005, 60);
    let found = heap.suspects();
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.count == 60)).expect("a row");
    assert!(!row.runtime && !row.place.starts_with("process"), "{row:?}");
}

/// Behind arrays of numbers stands only what has them, and not what lies beside them as often.
#[test]
fn nothing_stands_behind_numbers() {
    let behind = |has: bool| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "util.*");
        heap.object(5001, 10, "util.List", Some((1, "all")));
        for i in 0..60 {
            let (numbers, own) = (20_001 + 4 * i, 20_003 + 4 * i);
            heap.object(numbers, 400, "util.int[]", Some((5001, &format!("n{i}"))));
            heap.object(own, 10, "Sample", Some((5001, &format!("s{i}"))));
            if has {
                heap.edge(Some((own, "numbers")), numbers);
            }
        }
        let found = heap.suspects();
        let row = at(&found, "root.all");
        (row.holds[0].class.clone(), row.behind.clone())
    };
    let numbers = "util.int[]".to_owned();
    assert_eq!(behind(false), (numbers, None));
    assert_eq!(behind(true), ("Sample".to_owned(), None));
}

/// The ring has no name of its own: a row of it would be one of the bank, which says again what the rates say.
#[test]
fn a_small_part_without_a_name_gives_no_second_row_of_what_the_largest_holds() {
    let mut heap = ordinary();
    heap.object(5001, 10, "Bank", Some((3, "bank")));
    heap.object(5003, 10, "Rates", Some((5001, "rates")));
    bare(&mut heap, (5005, 100), 4, (5001, "ring"));
    for i in 0..300u32 {
        heap.object(20_001 + 2 * i, 100, "Rate", Some((5003, "x")));
        heap.object(30_001 + 2 * i, 10, "Text", Some((5005, "x")));
    }
    let found = heap.suspects();
    let places: Vec<&str> = found.iter().map(|row| row.place.as_str()).collect();
    assert_eq!(places, ["root.app.bank.rates"], "{found:#?}");
}

/// Of twelve large tables none has come; watchers have.
#[test]
fn what_has_come_is_what_a_growing_place_holds() {
    for identity in ["identifier", "none"] {
        let found = super::growth::of_three(|count| {
            let mut heap = with_scope(6001);
            for (id, class) in [(6101, "Table"), (6103, "Watcher")] {
                constructor(&mut heap, id, class);
            }
            heap.object(7001, 10, "Map", Some((6003, "var:parts")));
            for i in 0..12 {
                heap.object(7101 + 2 * i, 5_000, "Table", Some((7001, &format!("t{i}"))));
            }
            for i in 0..count {
                heap.object(20_001 + 2 * i, 100, "Watcher", Some((7001, &format!("w{i}"))));
            }
            heap.load(identity)
        });
        let row = at(&found, "app.js: parts");
        assert_eq!((row.level, row.holds[0].class.as_str()), (Level::Leak, "Watcher"), "{found:#?}");
        assert_eq!((row.holds[0].count, row.holds[1].class.as_str()), (300, "Table"));
    }
}
