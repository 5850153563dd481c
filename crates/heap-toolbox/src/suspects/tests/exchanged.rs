//! What comes and goes, and is more or larger from dump to dump, where objects are known again.

use super::*;

/// Three rounds, and the level of what `root.list` has.
fn level_of(dump: impl Fn(u32) -> (NamedGraph, Clues)) -> Level {
    let earlier = [0, 1].map(|round| remembered(dump(round)));
    let (graph, clues) = dump(2);
    let found = found(graph, &clues, &earlier);
    let row = found.iter().find(|row| row.place.starts_with("root.list"));
    row.unwrap_or_else(|| panic!("{found:#?}")).level
}

/// A list with so many texts more in each round: each has what `says` has for its number and the round, an identifier and a
/// text, or several pieces without one.
fn texts(identity: &str, says: impl Fn(u32, u32) -> (u32, Option<String>)) -> Level {
    level_of(|round| {
        let mut heap = ordinary();
        heap.object(7001, 10, "List", Some((1, "list")));
        for i in 0..40 + 40 * round {
            let (id, text) = says(i, round);
            match text {
                Some(text) => {
                    let name = heap.string(&text);
                    heap.named(3, (id, 100), name);
                    heap.edge(Some((7001, "s")), id);
                }
                None => bare(&mut heap, (id, 100), 11, (7001, "s")),
            }
        }
        heap.load(identity)
    })
}

/// The machine may have equal texts once, or one text in a piece that was in several: what says the same has stayed.
#[test]
fn texts_are_known_by_what_they_say() {
    let same = |i: u32, _: u32| 20_001 + 2 * i;
    let other = |i: u32, round: u32| 20_001 + 1000 * round + 2 * i;
    let level = |says: &dyn Fn(u32, u32) -> (u32, Option<String>)| texts("identifier", says);
    let one = |i: u32, round: u32| Some(format!("client {round} {i} of many"));
    assert_eq!(level(&|i, round| (other(i, round), one(i, round))), Level::Large);
    assert_eq!(level(&|i, round| (same(i, round), one(i, 0))), Level::Leak);
    assert_eq!(level(&|i, round| (other(i, round), one(i, 0))), Level::Leak);
    // What was in several pieces in the round in which it came is in one later.
    let whole = |i: u32, round: u32| {
        if i < 40 * round { (50_001 + 2 * i, one(i, 0)) } else { (20_001 + 2 * i, None) }
    };
    assert_eq!(level(&whole), Level::Leak);
    // Of long texts nobody asks whether they have been written on.
    let long =
        |i: u32, round: u32| Some("a line of the log, ".repeat(200) + &one(i, round).unwrap_or_default());
    assert_eq!(level(&|i, round| (same(i, round), long(i, round))), Level::Leak);
    // Fifteen of the first round and thirty of the second live into the next one, or the same ones all the time.
    let live = |same: bool| {
        move |i: u32, round: u32| {
            let left = 15 * round;
            let of = if i < left { (round - 1, i + left) } else { (round, i) };
            let (round, i) = if i < left && same { (i / 15, i) } else { of };
            (20_001 + 1000 * round + 2 * i, None)
        }
    };
    assert_eq!([level(&live(false)), level(&live(true))], [Level::Large, Level::Leak]);
    // And what is in several pieces stays with its identifier.
    assert_eq!(level(&|i, round| (same(i, round), None)), Level::Leak);
    assert_eq!(level(&|i, round| (other(i, round), None)), Level::Large);
}

/// Where addresses are identifiers, other texts have those of the ones before, and one that is written on keeps its own.
#[test]
fn texts_at_the_same_address_may_be_others() {
    let level = |says: &dyn Fn(u32, u32) -> String| {
        texts("identifier ruby.generation", |i, round| (20_001 + 2 * i, Some(says(i, round))))
    };
    assert_eq!(level(&|i, round| format!("client {round} {i} of many")), Level::Large);
    assert_eq!(level(&|i, _| format!("client {i} of many")), Level::Leak);
    assert_eq!(
        level(&|i, round| format!("client {i} of many{}", ", again".repeat(round as usize))),
        Level::Leak
    );
}

/// How the pages of a list are in each round.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Pages {
    /// All of them others, with other texts.
    Others,
    /// With texts some of which are the same for all.
    OfFewRoutes,
    /// All of them others, in which the texts of before are.
    WithOldTexts,
    /// With their texts written on.
    WrittenOn,
    /// With what parts of before are in.
    WithOldParts,
    /// With a buffer that is copied to become larger, and with a table of numbers that is.
    WithBuffers,
    WithNumbers,
    /// All of them others, with a table of their parts.
    WithTables,
    /// With other texts, the first of which is in several pieces.
    InPieces,
    /// The same with other texts.
    Same,
}

/// As many things as before, each of them new and larger, are no leak; what is copied, or holds what was there, is one.
#[test]
fn things_that_are_made_anew_and_larger_are_no_leak() {
    let level = |pages: Pages| {
        level_of(|round| {
            let mut heap = ordinary();
            heap.object(7001, 10, "List", Some((1, "list")));
            for i in 0..50 {
                let anew = if pages == Pages::Same { 0 } else { 10_000 * round };
                let page = 20_001 + anew + 100 * i;
                heap.object(page, 20, "Page", Some((7001, "p")));
                let text = |heap: &mut Heap, id: u32, size: u32, text: String| {
                    let name = heap.string(&text);
                    heap.named(3, (id, u64::from(size)), name);
                    heap.edge(Some((page, "t")), id);
                };
                let of = |at: u32| format!("part {at} of page {i} in round {round}");
                for at in 0..=round * 2 {
                    let id = page + 2 + 2 * at;
                    match pages {
                        Pages::InPieces if at == 0 => bare(&mut heap, (id, 100), 11, (page, "t")),
                        Pages::Others | Pages::Same | Pages::InPieces => text(&mut heap, id, 100, of(at)),
                        Pages::OfFewRoutes => {
                            heap.object(id, 60, "Part", Some((page, "part")));
                            text(&mut heap, id + 50, 40, format!("route {}", at % 3));
                        }
                        Pages::WithOldTexts => text(&mut heap, id, 100, format!("part {at} of page {i}")),
                        Pages::WithOldParts => {
                            heap.object(90_001 + 100 * i + 2 * at, 100, "Part", Some((page, "part")));
                        }
                        Pages::WithTables => {
                            heap.object(id, 60, "Part", Some((page, "part")));
                            heap.edge(Some((page + 70, "table")), id);
                        }
                        Pages::WrittenOn | Pages::WithBuffers | Pages::WithNumbers => {}
                    }
                }
                let (id, size) = (page + 60, 100 + 200 * round);
                match pages {
                    Pages::WrittenOn => {
                        let line = "a line of the log, ".repeat(4 + round as usize);
                        text(&mut heap, id, size, format!("page {i}: {line}"));
                    }
                    Pages::WithBuffers => heap.object(id, size, "Buffer", Some((page, "b"))),
                    Pages::WithNumbers => bare(&mut heap, (id, size), 4, (page, "table")),
                    Pages::WithTables => bare(&mut heap, (page + 70, size), 4, (page, "table")),
                    _ => {}
                }
            }
            heap.load("identifier")
        })
    };
    for pages in [Pages::Others, Pages::OfFewRoutes, Pages::WithTables, Pages::InPieces] {
        assert_eq!(level(pages), Level::Large, "{pages:?}");
    }
    for pages in [
        Pages::WithOldTexts,
        Pages::WrittenOn,
        Pages::WithOldParts,
        Pages::WithBuffers,
        Pages::WithNumbers,
        Pages::Same,
    ] {
        assert_eq!(level(pages), Level::Leak, "{pages:?}");
    }
}

/// Sessions under keys that others have, too, each of which is saved anew in each round.
#[test]
fn what_is_saved_anew_under_its_key_has_stayed() {
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Keys {
        Stay,
        AreOthers,
        /// Two of three.
        ComeBack,
        /// Those of the last round are all there from the first one on.
        OfCatalogue,
    }
    let level = |keys: Keys| {
        level_of(|round| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((1, "list")));
            bare(&mut heap, (7003, 10), 4, (7001, "table"));
            heap.object(7005, 10, "Clients", Some((1, "clients")));
            let count = 60 + 60 * round;
            for i in 0..if keys == Keys::OfCatalogue { 180 } else { count } {
                let is_other = keys == Keys::AreOthers || keys == Keys::ComeBack && i % 3 == 0;
                let of = if is_other { round } else { 0 };
                let name = heap.string(&format!("client {i} of {of}"));
                let key = 10_001 + 2 * i + 1000 * of;
                heap.named(3, (key, 20), name);
                heap.edge(Some((7005, "c")), key);
                if i < count {
                    heap.edge(Some((7003, "k")), key);
                    heap.object(20_001 + 2 * i + 1000 * round, 100, "Session", Some((7003, "v")));
                }
            }
            heap.load("identifier")
        })
    };
    assert_eq!(level(Keys::Stay), Level::Leak);
    for keys in [Keys::AreOthers, Keys::ComeBack, Keys::OfCatalogue] {
        assert_eq!(level(keys), Level::Large, "{keys:?}");
    }
}

/// Sessions of which `stay` in a hundred live through one dump, and `last` in a hundred of all through all of them.
#[test]
fn what_lives_from_dump_to_dump_goes_all_the_same() {
    let level = |stay: u32, last: u32, anew: u32| {
        level_of(|round| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((1, "list")));
            // Each round has those that came in it and what stays of those before.
            for of in round.saturating_sub(1)..=round {
                let count = 100 + 40 * of;
                let left = if of == round { count } else { count * stay / 100 };
                for i in 0..left {
                    heap.object(20_001 + 2 * i + 10_000 * of, 100, "Session", Some((7001, "s")));
                }
            }
            for i in 0..last + anew * round {
                heap.object(60_001 + 2 * i, 100, "Session", Some((7001, "s")));
            }
            heap.load("identifier")
        })
    };
    assert_eq!(level(30, 0, 0), Level::Large);
    assert_eq!(level(30, 5, 0), Level::Large);
    // Of those that come in each round some stay for ever.
    assert_eq!(level(0, 40, 40), Level::Leak);
    assert_eq!(level(0, 0, 60), Level::Leak);
    assert_eq!(level(30, 40, 40), Level::Leak);
}

/// A cache that only the timers of its entries lead to lies beside these: the timers pile up.
#[test]
fn many_objects_come_before_one_of_the_program_beside_them() {
    let mut heap = with_scope(4001);
    constructor(&mut heap, 4101, "Cache");
    heap.object(7001, 10, "TimersList", Some((1, "timers")));
    heap.object(7003, 10, "Cache", Some((7001, "first")));
    bare(&mut heap, (7005, 8000), 4, (7003, "table"));
    for i in 0..200 {
        heap.object(9001 + 2 * i, 60, "Timeout", Some((7001, "t")));
    }
    let found = heap.suspects();
    let row = at(&found, "root.timers");
    let holds: Vec<_> = row.holds.iter().map(|of| (of.class.as_str(), of.count)).collect();
    assert_eq!(holds, [("Timeout", 200), ("Cache", 1)], "{row:?}");
}

/// A table of names that jobs have, too, with so many more in each round: what each of them says, by number and round.
fn names(identity: &str, says: impl Fn(u32, u32) -> String) -> Level {
    level_of(|round| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Set", Some((1, "list")));
        bare(&mut heap, (7003, 4000 + 4000 * round), 4, (7001, "table"));
        heap.object(7005, 10, "Queue", Some((1, "queue")));
        for i in 0..40 + 40 * round {
            let name = heap.string(&says(i, round));
            let id = 20_001 + 2 * i + 4000 * round;
            heap.object(id + 100_000, 20, "Job", Some((7005, "job")));
            heap.named(3, (id, 30), name);
            heap.edge(Some((7003, "table")), id);
            heap.edge(Some((id + 100_000, "name")), id);
        }
        heap.load(identity)
    })
}

/// What a table has of others says whether it is filled and emptied with them.
#[test]
fn a_table_of_what_others_have_comes_and_goes_with_it() {
    assert_eq!(names("identifier", |i, round| format!("job {round} {i}")), Level::Large);
    assert_eq!(names("identifier", |i, _| format!("job {i}")), Level::Leak);
    // Those of the first dump have stayed.
    let some = |i: u32, round: u32| format!("job {} {i}", if i < 40 { 0 } else { round });
    assert_eq!(names("identifier", some), Level::Leak);
}

/// A state of cards that is replaced as a whole: what each card says, by number and round.
fn cards(says: impl Fn(u32, u32) -> String) -> Level {
    level_of(|round| {
        let mut heap = ordinary();
        heap.object(7001, 10, "State", Some((1, "list")));
        for i in 0..100 + 100 * round {
            let card = 20_001 + 4 * i + 10_000 * round;
            heap.object(card, 60, "Card", Some((7001, "card")));
            let name = heap.string(&says(i, round));
            heap.named(3, (card + 2, 40), name);
            heap.edge(Some((card, "key")), card + 2);
        }
        heap.load("identifier")
    })
}

/// A copy of all that was there has the texts of all of it, whatever the machine made of them; of people who come back some do not.
#[test]
fn what_is_copied_as_a_whole_has_stayed() {
    assert_eq!(cards(|i, _| format!("card {i}")), Level::Leak);
    assert_eq!(cards(|i, round| format!("card {i} of {round}")), Level::Large);
    assert_eq!(cards(|i, round| format!("client {}", i + 60 * round)), Level::Large);
    assert_eq!(cards(|i, _| format!("kind {}", i % 50)), Level::Large);
}

/// A set of texts that takes the place of the one before.
#[test]
fn a_set_in_place_of_another_is_known_by_what_it_has() {
    let level = |stay: bool| {
        level_of(|round| {
            let mut heap = ordinary();
            let set = 7001 + 4 * round;
            heap.object(set, 10, "Set", Some((1, "list")));
            bare(&mut heap, (set + 2, 2000 + 1000 * round), 4, (set, "table"));
            for i in 0..100 + 50 * round {
                let of = if stay { 0 } else { round };
                let name = heap.string(&format!("key {i} of {of}"));
                let id = 20_001 + 2 * i + 10_000 * of;
                heap.named(3, (id, 40), name);
                heap.edge(Some((set + 2, "table")), id);
            }
            heap.load("identifier")
        })
    };
    assert_eq!(level(false), Level::Large);
    assert_eq!(level(true), Level::Leak);
}

/// Rows in two lists: 40 that stay, and others, 20 more each time, each with a part that the machine keeps for it outside of the heap.
/// All parts are made anew.
fn rows(anew: bool) -> Vec<Suspect> {
    let dump = |round: u32| {
        let mut heap = ordinary();
        for (list, name) in [(3001, "rows"), (3003, "rows"), (3005, "parts"), (3007, "parts")] {
            heap.object(list, 10, "List", Some((1, name)));
        }
        for i in 0..340 + 20 * round {
            let made = if anew && i >= 40 { 10_000 * (round + 1) } else { 0 };
            let row = 10_001 + 2 * (made + i);
            heap.object(row, 90, "Row", Some((3001, "row")));
            heap.edge(Some((3003, "row")), row);
            let (part, class) = (i64::from(row + 1_000_000 * round), heap.string("blink::Fragment"));
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":12,"identifier":-{part},"heap":{{"size":100,"class":{class}}}}}"#
            );
            for (source, dest) in [(3005, -part), (3007, -part), (-part, i64::from(row))] {
                let _ = writeln!(
                    heap.edges,
                    r#"{{"type":"edge","subtype":1,"source":{source},"dest":{dest},"label":{class}}}"#
                );
            }
        }
        heap.load("identifier")
    };
    let earlier = [0, 1].map(|round| remembered(dump(round)));
    let (graph, clues) = dump(2);
    found(graph, &clues, &earlier)
}

#[test]
fn a_crowd_that_is_made_anew_goes_though_some_of_its_class_stay() {
    for (anew, level) in [(true, Level::Large), (false, Level::Leak)] {
        let found = rows(anew);
        for class in ["Row", "blink::Fragment"] {
            let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == class));
            let row = row.unwrap_or_else(|| panic!("{class} {anew} {:#?}", text(&found)));
            assert_eq!(row.level, level, "{row:#?}");
        }
    }
}
