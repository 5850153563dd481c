//! What the machine has a way to as well, as to timers, open files and what is under way.

use super::growth::of_three;
use super::*;

/// So many timers in a list of the program and in one of the machine, of which that has `others` of its own.
fn timers(count: u32, others: u32, class: &str) -> (NamedGraph, Clues) {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "Timeout");
    heap.fact("heap.runtime", "Object");
    heap.object(5001, 10, "Reminders", Some((3, "reminders")));
    heap.object(5003, 10, "Array", Some((5001, "timers")));
    bare(&mut heap, (5005, 0), 7, (1, "handles"));
    for i in 0..count + others {
        let id = 20_001 + 2 * i;
        heap.object(id, 100, class, Some((5005, &i.to_string())));
        if i >= others {
            heap.edge(Some((5003, &i.to_string())), id);
        }
    }
    heap.load("identifier")
}

#[test]
fn what_the_program_keeps_and_the_machine_too_is_a_leak() {
    let row = |class: &str| {
        let found = of_three(|count| timers(count, 2, class));
        let row = found.iter().find(|row| row.class == class).unwrap_or_else(|| panic!("{found:#?}"));
        (row.level, row.place.clone(), row.holds[0].count)
    };
    let place = "root.app.reminders.timers".to_owned();
    // Those that the program does not keep are not counted.
    assert_eq!(row("Timeout"), (Level::Leak, place.clone(), 300));
    // Plain objects are what anything is made of; but they are most of what grows, and none goes.
    assert_eq!(row("Object"), (Level::Leak, place, 300));
}

/// One dump says that it is much.
#[test]
fn what_the_program_keeps_and_the_machine_too_is_large() {
    let (graph, clues) = timers(300, 0, "Timeout");
    let found = found(graph, &clues, &[]);
    let row = found.iter().find(|row| row.class == "Timeout").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!((row.level, row.runtime), (Level::Large, false));
}

/// Strings in a list of the program, which a table of the machine lists as well.
#[test]
fn what_a_table_of_the_machine_lists_is_the_programs() {
    let found = of_three(|count| {
        let mut heap = ordinary();
        heap.fact("heap.weak_root", "5005");
        heap.object(5001, 10, "Consumer", Some((3, "consumer")));
        heap.object(5003, 10, "Set", Some((5001, "seen")));
        bare(&mut heap, (5005, 0), 7, (1, "strings"));
        for i in 0..count {
            let (id, name) = (20_001 + 2 * i, heap.string(&format!("event {i}")));
            heap.named(3, (id, 100), name);
            heap.edge(Some((5005, &i.to_string())), id);
            heap.edge(Some((5003, &i.to_string())), id);
        }
        heap.load("identifier")
    });
    let row = found.first().map(|row| (row.level, row.place.clone(), row.holds[0].count));
    assert_eq!(row, Some((Level::Leak, "root.app.consumer.seen".to_owned(), 300)), "{found:#?}");
}
