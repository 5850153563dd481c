//! Entries of heaps whose objects cannot be known again, in several dumps.

use heap_base::hash::mark;
use heap_record::NumberMark;

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

/// What a job says of itself.
#[derive(Clone, Default)]
struct Says {
    /// Of its holder, which is its key in a table.
    texts: Vec<String>,
    /// Its own.
    status: Vec<String>,
    /// Numbers in fields of the job.
    fields: Vec<NumberMark>,
    /// A number as an object, to which its holder refers.
    key: Option<NumberMark>,
    /// One to which it refers itself.
    boxed: Option<NumberMark>,
    /// Numbers in fields of what it has.
    parts: Vec<NumberMark>,
}

impl From<Vec<String>> for Says {
    fn from(texts: Vec<String>) -> Self {
        Self { texts, ..Self::default() }
    }
}

/// The marks as a member of a node.
fn member(marks: &[NumberMark]) -> String {
    let mut own = Vec::new();
    heap_record::numbers::push(&mut own, marks);
    let own = String::from_utf8(own).expect("digits");
    if own.is_empty() { own } else { own + "," }
}

/// A heap with these jobs, of which each says what `says` has.
fn jobs<S: Into<Says>>(
    how: In,
    jobs: impl Iterator<Item = u32>,
    says: impl Fn(u32) -> S,
) -> (NamedGraph, Clues) {
    let mut heap = ordinary();
    heap.object(7001, 10, "Queue", Some((1, "queue")));
    let mut last = (7001, "first");
    let class = heap.string("Job");
    // Of whatever is there now, the number says nothing.
    for (at, job) in (10_001..).step_by(20).zip(jobs) {
        let Says { texts, status, fields, key, boxed, parts } = says(job).into();
        let mut holder = at;
        let own = member(&fields);
        let _ = writeln!(
            heap.nodes,
            r#"{{"type":"node","subtype":1,"identifier":{at},{own}"heap":{{"size":200,"class":{class}}}}}"#
        );
        match how {
            In::Queue => heap.edge(Some((7001, "j")), at),
            In::Table => {
                holder = at + 2;
                let _ = writeln!(
                    heap.nodes,
                    r#"{{"type":"node","subtype":4,"identifier":{holder},"heap":{{"size":16}}}}"#
                );
                heap.edge(Some((7001, "table")), holder);
                heap.edge(Some((holder, "value")), at);
            }
            In::Chain => {
                heap.edge(Some(last), at);
                last = (at, "next");
            }
        }
        let texts =
            texts.into_iter().map(|text| (holder, text)).chain(status.into_iter().map(|text| (at, text)));
        for (text, (of, data)) in (at + 4..).step_by(2).zip(texts) {
            let data = heap.string(&data);
            heap.named(3, (text, 8), data);
            heap.edge(Some((of, "text")), text);
        }
        let boxes = [(holder, key), (at, boxed)].into_iter().filter_map(|(of, mark)| Some((of, vec![mark?])));
        let parts = Some((at, parts)).filter(|(_, parts)| !parts.is_empty());
        for (id, (of, marks)) in (at + 14..).step_by(2).zip(boxes.chain(parts)) {
            let (own, class) = (member(&marks), heap.string("Number"));
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":1,"identifier":{id},{own}"heap":{{"size":8,"class":{class}}}}}"#
            );
            heap.edge(Some((of, "number")), id);
        }
    }
    heap.load("none")
}

/// The number of a field of this name.
fn field(name: &str, number: u32) -> NumberMark {
    NumberMark::field(group_of(name), mark((name, number)), false)
}

/// Jobs and what they have may have any of these fields.
fn group_of(name: &str) -> u32 {
    let mut taken = 0;
    let names = ["at", "took", "seen", "bytes", "id", "hits", "size", "kind"];
    let groups = names.map(|name| heap_record::numbers::group(name.as_bytes(), &mut taken));
    let known = names.iter().position(|known| *known == name).expect("a name of these");
    groups[known]
}

fn long(number: u32) -> NumberMark {
    NumberMark::boxed(mark(number), false)
}

fn uuid(number: u32) -> NumberMark {
    NumberMark::boxed(mark(("uuid", number)), true)
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
        let most = |job: u32| if job % 5 < 3 { named(job) } else { Vec::new() };
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

/// The level after three rounds of `count`, `2 * count` and `3 * count` jobs: those of before stay, or all are new.
fn level_of_jobs(how: In, stay: bool, says: impl Fn(u32, u32) -> Says) -> Level {
    level_of([1, 2, 3].map(|round| {
        let range = if stay { 0..round * 100 } else { round * 1000..round * 1100 };
        jobs(how, range, |job| says(job, round))
    }))
}

fn status(job: u32, round: u32) -> Vec<String> {
    vec![format!("job {job} in round {round}")]
}

#[test]
fn an_entry_stays_with_its_key_though_its_texts_are_exchanged() {
    let says = |job, round| Says { status: status(job, round), key: Some(long(job)), ..Says::default() };
    assert_eq!(level_of_jobs(In::Table, true, says), Level::Leak);
    assert_eq!(level_of_jobs(In::Table, false, says), Level::Large);
    for how in ALL {
        let says =
            |job, round| Says { status: status(job, round), boxed: Some(uuid(job)), ..Says::default() };
        assert_eq!(level_of_jobs(how, true, says), Level::Leak);
    }
    // Users come back, in other sessions.
    let says = |job: u32, round: u32| Says {
        status: status(job, round),
        key: Some(long(job * 7 % 1600)),
        ..Says::default()
    };
    assert_eq!(level_of_jobs(In::Table, false, says), Level::Large);
}

#[test]
fn a_text_that_is_the_key_decides() {
    // Each has one of many words, too, which is in another entry then.
    let word =
        |job: u32, round: u32| vec![format!("locale {}", (job << 4 | round).wrapping_mul(0x9e37_79b9) >> 22)];
    let says = |job, round| Says { texts: named(job), status: word(job, round), ..Says::default() };
    assert_eq!(level_of_jobs(In::Table, false, says), Level::Large);
    assert_eq!(level_of_jobs(In::Table, true, says), Level::Leak);
    // A number may be when something is due.
    let says =
        |job, round| Says { status: named(job), key: Some(long(10_000 * round + job)), ..Says::default() };
    assert_eq!(level_of_jobs(In::Table, true, says), Level::Leak);
}

#[test]
fn a_number_counts_where_no_text_has_gone() {
    for how in ALL {
        // Times that begin with zero each day.
        let says = |job, round| Says {
            status: status(job, round),
            fields: vec![field("at", job % 1000)],
            parts: vec![field("at", job % 1000)],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, false, says), Level::Large);
        // What they have may say it, too.
        let says = |job, round| Says {
            fields: vec![field("seen", 10_000 * round + job), field("bytes", 10_000 * round + job)],
            parts: vec![field("id", job)],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, true, says), Level::Leak);
    }
}

#[test]
fn entries_go_with_their_keys() {
    let keyed = |job, _| Says { key: Some(long(job)), ..Says::default() };
    assert_eq!(level_of_jobs(In::Table, false, keyed), Level::Large);
    assert_eq!(level_of_jobs(In::Table, true, keyed), Level::Leak);
    for how in ALL {
        let drawn = |job, _| Says { boxed: Some(uuid(job)), ..Says::default() };
        assert_eq!(level_of_jobs(how, false, drawn), Level::Large);
        assert_eq!(level_of_jobs(how, true, drawn), Level::Leak);
        // What cannot change has gone if one of its numbers has.
        let fixed = |job, _| Says {
            fields: vec![NumberMark::field(group_of("id"), mark(job), true)],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, false, fixed), Level::Large);
        assert_eq!(level_of_jobs(how, true, fixed), Level::Leak);
    }
}

#[test]
fn a_record_has_gone_with_one_of_its_texts() {
    for how in ALL {
        // Each has a name of its own, and one of a few hundred that another has in the next dump.
        let texts = |job: u32| vec![format!("job {job}"), format!("path {}", job % 1000)];
        let record = NumberMark::field(1, 0, true);
        let says = |job, fields| Says { status: texts(job), fields, ..Says::default() };
        assert_eq!(level_of_jobs(how, false, |job, _| says(job, vec![record])), Level::Large);
        assert_eq!(level_of_jobs(how, true, |job, _| says(job, vec![record])), Level::Leak);
        // What is no record may have another name.
        assert_eq!(level_of_jobs(how, false, |job, _| says(job, Vec::new())), Level::Leak);
    }
}

#[test]
fn a_number_to_which_an_entry_alone_refers_is_one_of_its_fields() {
    for how in ALL {
        let says = |job: u32, _| Says {
            fields: vec![field("at", job)],
            boxed: Some(long(job.wrapping_mul(0x9e37_79b9))),
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, false, says), Level::Large);
        assert_eq!(level_of_jobs(how, true, says), Level::Leak);
    }
}

#[test]
fn an_entry_goes_with_its_only_number() {
    for how in ALL {
        // Each has one of three kinds, too, and a size that may be another's.
        let id = |job, _| Says {
            status: vec![format!("kind {}", job % 3)],
            fields: vec![field("id", job), field("size", 2000 + job % 7)],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, false, id), Level::Large);
        assert_eq!(level_of_jobs(how, true, id), Level::Leak);
        let due = |job, _| Says { boxed: Some(long(job)), ..Says::default() };
        assert_eq!(level_of_jobs(how, false, due), Level::Large);
        assert_eq!(level_of_jobs(how, true, due), Level::Leak);
    }
}

#[test]
fn what_has_stayed_for_a_while_comes_and_goes_if_nothing_is_left_of_the_first_dump() {
    for how in ALL {
        // Half of those of before are there.
        assert_eq!(level_of([0..200, 100..400, 250..650].map(|range| jobs(how, range, named))), Level::Large);
        // One in four stays for ever.
        let some = |rounds: u32| (0..rounds * 200).filter(move |job| job % 4 == 0 || job / 200 + 1 == rounds);
        assert_eq!(level_of([1, 2, 3].map(|rounds| jobs(how, some(rounds), named))), Level::Leak);
        // So they do since the first dump, in which there was next to nothing.
        let later = [0..20, 1000..1250, 1150..1550].map(|range| jobs(how, range, named));
        assert_eq!(level_of(later), Level::Leak);
    }
}

#[test]
fn a_number_that_changes_says_nothing_of_going() {
    for how in ALL {
        // Those of what is in an entry do not.
        let parts = |job, round| Says {
            parts: vec![field("seen", 10_000 * round + job), field("bytes", 10_000 * round + job)],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, true, parts), Level::Leak);
        // Beside one that stays any number of them may change.
        let both = |job, round| Says {
            fields: vec![
                field("seen", 10_000 * round + job),
                field("bytes", 10_000 * round + job),
                field("id", job),
            ],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, true, both), Level::Leak);
        // Two that are nowhere any more, and nothing else, have gone.
        let samples = |job, _| Says { fields: vec![field("at", job), field("took", job)], ..Says::default() };
        assert_eq!(level_of_jobs(how, false, samples), Level::Large);
    }
}

#[test]
fn numbers_that_count_are_no_identity() {
    for how in ALL {
        // Of 700 each is somewhere by chance, and some are twice.
        let hits = |job: u32, round: u32| ((job << 4 | round).wrapping_mul(0x9e37_79b9) >> 8) % 700;
        let says = |job, round| Says {
            fields: vec![field("at", job), field("took", job)],
            parts: vec![field("hits", hits(job, round))],
            ..Says::default()
        };
        assert_eq!(level_of_jobs(how, false, says), Level::Large);
        // A number that all have is nobody's own.
        let says = |_, _| Says { fields: vec![field("size", 4096), field("kind", 2000)], ..Says::default() };
        assert_eq!(level_of_jobs(how, false, says), Level::Leak);
    }
}

/// Objects that hang directly below the roots, as threads do, are known by their texts as those of a place are.
#[test]
fn a_crowd_comes_and_goes() {
    let dump = |range: std::ops::Range<u32>| {
        let mut heap = ordinary();
        for list in [7001, 7003] {
            heap.object(list, 10, "List", Some((1, "list")));
        }
        for (at, job) in (10_001..).step_by(4).zip(range) {
            heap.object(at, 100, "Visitor", Some((7001, "v")));
            heap.edge(Some((7003, "v")), at);
            let name = heap.string(&format!("visitor {job}"));
            heap.named(3, (at + 2, 8), name);
            heap.edge(Some((at, "name")), at + 2);
        }
        heap.load("none")
    };
    let level = |ranges: [std::ops::Range<u32>; 3]| {
        let [first, second, last] = ranges.map(dump);
        let earlier = [remembered(first), remembered(second)];
        let found = found(last.0, &last.1, &earlier);
        found.iter().find(|row| row.class == "Visitor").unwrap_or_else(|| panic!("{found:#?}")).level
    };
    assert_eq!(level([0..100, 100..300, 300..600]), Level::Large);
    assert_eq!(level([0..100, 0..200, 0..300]), Level::Leak);
}
