//! Entries of heaps whose objects cannot be known again, in several dumps.

use super::*;

/// How jobs hang in a heap.
#[derive(Clone, Copy)]
enum In {
    Queue,
    /// Each in a cell of a table, which has its text for a key.
    Table,
    /// Each at the one before it.
    Chain,
}

/// A heap with these jobs, of which each has the texts that `texts` says.
fn jobs(how: In, jobs: impl Iterator<Item = u32>, texts: impl Fn(u32) -> Vec<String>) -> (NamedGraph, Clues) {
    let mut heap = ordinary();
    heap.object(7001, 10, "Queue", Some((1, "queue")));
    let mut last = (7001, "first");
    // Of whatever is there now, the number says nothing.
    for (at, job) in (10_001..).step_by(20).zip(jobs) {
        let mut holder = at;
        match how {
            In::Queue => heap.object(at, 200, "Job", Some((7001, "j"))),
            In::Table => {
                holder = at + 2;
                let _ = writeln!(
                    heap.nodes,
                    r#"{{"type":"node","subtype":4,"identifier":{holder},"heap":{{"size":16}}}}"#
                );
                heap.edge(Some((7001, "table")), holder);
                heap.object(at, 200, "Job", Some((holder, "value")));
            }
            In::Chain => {
                heap.object(at, 200, "Job", Some(last));
                last = (at, "next");
            }
        }
        for (text, data) in (at + 4..).step_by(2).zip(texts(job)) {
            let data = heap.string(&data);
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":3,"identifier":{text},"heap":{{"size":8,"name":{data}}}}}"#
            );
            heap.edge(Some((holder, "text")), text);
        }
    }
    heap.load("none")
}

/// The level of the queue after three dumps.
fn level_of([first, second, last]: [(NamedGraph, Clues); 3]) -> Level {
    let earlier = [remembered(first), remembered(second)];
    let found = found(last.0, &last.1, &earlier);
    let row = found.iter().find(|row| row.place.starts_with("root.queue")).expect("a row about the queue");
    assert_eq!((row.kind, row.course), (Kind::Growth, Some(Course::Steady)), "{row:?}");
    row.level
}

fn named(job: u32) -> Vec<String> {
    vec![format!("job {job}")]
}

const ALL: [In; 3] = [In::Queue, In::Table, In::Chain];

#[test]
fn what_comes_and_goes_is_no_leak() {
    for how in ALL {
        let level = level_of([0..100, 100..300, 300..600].map(|range| jobs(how, range, named)));
        assert_eq!(level, Level::Large);
    }
}

#[test]
fn what_stays_is_a_leak() {
    for how in ALL {
        assert_eq!(level_of([100, 200, 300].map(|count| jobs(how, 0..count, named))), Level::Leak);
        // Half of them go.
        let half = |rounds: u32| (0..rounds * 200).filter(move |job| job % 2 == 0 || job / 200 + 1 == rounds);
        assert_eq!(level_of([1, 2, 3].map(|rounds| jobs(how, half(rounds), named))), Level::Leak);
    }
}

#[test]
fn what_says_nothing_of_itself_is_a_leak_as_it_was() {
    let ranges = || [0..100, 100..300, 300..600];
    for how in ALL {
        assert_eq!(level_of(ranges().map(|range| jobs(how, range, |_| Vec::new()))), Level::Leak);
        // A text that others have, too, is nobody's own.
        let states = |job| vec![format!("state {}", job % 3)];
        assert_eq!(level_of(ranges().map(|range| jobs(how, range, states))), Level::Leak);
        // Nor are the few that have one enough.
        let few = |job| if job % 16 == 0 { named(job) } else { Vec::new() };
        assert_eq!(level_of(ranges().map(|range| jobs(how, range, few))), Level::Leak);
        // Of so many nobody says that they have gone.
        let most = |job| if job % 2 == 0 { named(job) } else { Vec::new() };
        let ranges = || [0..200, 200..500, 500..900];
        assert_eq!(level_of(ranges().map(|range| jobs(how, range, most))), Level::Leak);
        assert_eq!(level_of(ranges().map(|range| jobs(how, range, named))), Level::Large);
    }
}

#[test]
fn an_entry_stays_while_one_of_its_texts_does() {
    for how in ALL {
        let dump = |round: u32| {
            let texts = move |job| vec![format!("job {job}"), format!("seen {job} in round {round}")];
            jobs(how, 0..round * 100, texts)
        };
        assert_eq!(level_of([1, 2, 3].map(dump)), Level::Leak);
    }
}
