//! What only comes, and what is busy with what comes and goes.

use super::growth::of_three;
use super::*;

/// A list of four thousand that were there, of which `gone` are others in each dump, and some more in each.
fn full(gone: u32, identity: &str) -> Level {
    let found = of_three(|count| {
        let mut heap = ordinary();
        heap.object(7001, 10, "List", Some((1, "list")));
        for i in 0..4000 + count {
            let other = if i < gone { 10_000 * count / 100 } else { 0 };
            heap.object(20_001 + 2 * (i + other), 100, "User", Some((7001, &i.to_string())));
        }
        heap.load(identity)
    });
    at(&found, "root.list").level
}

/// A tenth is not asked for where nothing goes.
#[test]
fn a_full_list_to_which_things_are_only_added_is_a_leak() {
    assert_eq!(full(0, "identifier"), Level::Leak);
    assert_eq!(full(400, "identifier"), Level::Large);
    // Nobody knows whether any has gone.
    assert_eq!(full(0, "none"), Level::Large);
}

/// Half of what the heap has grown by is worth a row in any heap, if it is more than a trifle.
#[test]
fn most_of_the_growth_of_a_large_heap_is_a_leak() {
    let level = |size: u32| {
        let found = of_three(|count| {
            let mut heap = ordinary();
            heap.object(5001, 30_000_000, "Index", Some((1, "index")));
            heap.object(7001, 10, "List", Some((1, "list")));
            for i in 0..count {
                heap.object(20_001 + 2 * i, size, "Alert", Some((7001, &i.to_string())));
            }
            heap.load("identifier")
        });
        found.iter().find(|row| row.place == "root.list").map(|row| row.level)
    };
    assert_eq!(level(400), Some(Level::Leak));
    assert_eq!(level(100), None);
}

/// Connections that stay, each with its present request, or with all that it ever had.
#[test]
fn connections_with_requests_that_come_and_go_are_no_leak() {
    let level = |label: &dyn Fn(u32) -> String, stay: bool| {
        let found = of_three(|count| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Connections", Some((1, "open")));
            for i in 0..60 {
                let connection = 8001 + 2 * i;
                heap.object(connection, 100, "Connection", Some((7001, &i.to_string())));
                for round in if stay { 1 } else { count / 100 }..=count / 100 {
                    let id = 20_001 + 2 * i + 1000 * round;
                    heap.object(id, 20, "Request", Some((connection, &label(i))));
                    for part in 0..if stay { 5 } else { count / 20 } {
                        heap.object(100_001 + 2 * (20 * (id / 2) + part), 50, "Part", Some((id, "part")));
                    }
                }
            }
            heap.load("identifier")
        });
        let row = found.iter().find(|row| row.place.starts_with("root.open")).expect("a row");
        (row.level, row.place.clone())
    };
    let one = |_: u32| "request".to_owned();
    assert_eq!(level(&one, false), (Level::Large, "root.open[*].request".to_owned()));
    assert_eq!(level(&one, true), (Level::Leak, "root.open".to_owned()));
    // The same under many names.
    let each = |i: u32| format!("request{i}");
    assert_eq!(level(&each, false), (Level::Large, "root.open".to_owned()));
    assert_eq!(level(&each, true), (Level::Leak, "root.open".to_owned()));
}
