//! Small heaps in several dumps: what has grown, and what has not.

use super::*;

/// A part of an object that has another identifier in each dump, as what is not in the heap itself, stands where the one before
/// stood.
#[test]
fn what_has_another_identifier_each_time_is_known_by_what_holds_it() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        let port = 6001 + 10 * count;
        heap.object(port, 10, "Port", Some((1, "port")));
        heap.object(port + 2, 10, "PortData", Some((port, "data")));
        heap.object(port + 4, 10, "Queue", Some((port + 2, "incoming")));
        for i in 0..count {
            heap.object(100_001 + 1000 * count + 2 * i, 100, "Message", Some((port + 4, "message")));
        }
        let messages = (100_001 + 1000 * count..).step_by(2).take(count as usize);
        for id in [port, port + 2, port + 4].into_iter().chain(messages) {
            for text in [&mut heap.nodes, &mut heap.edges] {
                for member in ["identifier", "source", "dest"] {
                    *text = text.replace(&format!("\"{member}\":{id},"), &format!("\"{member}\":-{id},"));
                }
            }
        }
        heap.load("identifier")
    };
    let found = of_three(dump);
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Message"));
    let row = row.expect("a row about messages");
    assert_eq!((row.level, row.history.as_slice()), (Level::Leak, &[10_030, 20_030, 30_010][..]), "{row:?}");
}

/// A buffer that is made larger where it is.
#[test]
fn what_becomes_larger_where_it_is_grows() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(6001, 10, "Recorder", Some((1, "recorder")));
        heap.object(6003, count * 100, "ArrayBuffer", Some((6001, "bytes")));
        heap.load("identifier")
    };
    let earlier = [100, 200].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(300);
    let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
    let row = at(&found.suspects, "root.recorder.bytes");
    assert_eq!((row.level, row.growth), (Level::Leak, Some(20_000)), "{row:?}");
    assert_eq!(found.explained, Some(1.0));
    // What is made smaller has not grown.
    let earlier = [300, 200].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(100);
    let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
    assert_eq!((found.explained, at(&found.suspects, "root.recorder.bytes").level), (None, Level::Large));
}

/// Symbols that the machine keeps for the program in a table of its own are most of what grows, and none goes.
#[test]
fn symbols_that_pile_up_are_a_leak() {
    let dump = |count: u32| {
        let mut heap = with_scope(4001);
        let name = heap.string("(Strong roots)");
        heap.named(7, (6001, 0), name);
        heap.edge(Some((1, "4")), 6001);
        bare(&mut heap, (6003, 10), 4, (6001, "symbol_table"));
        for i in 0..count {
            bare(&mut heap, (20_001 + 4 * i, 24), 9, (6003, "key"));
            let text = heap.string(&format!("lock:invoice/{i}"));
            heap.named(3, (20_003 + 4 * i, 40), text);
            heap.edge(Some((20_001 + 4 * i, "name")), 20_003 + 4 * i);
        }
        heap.load("identifier")
    };
    let found = of_three(dump);
    let row = found.iter().find(|row| row.place.ends_with("symbol_table")).expect("a row about the table");
    assert_eq!((row.level, row.course), (Level::Leak, Some(Course::Steady)), "{row:?}");
    assert_eq!(row.holds[0].class, "(symbol) \"lock:invoice/…\"");
}

/// Functions that became hot: the same sessions, and more code.
#[test]
fn code_that_came_late_is_no_leak() {
    let dump = |count: u32, subtype: u32| {
        let mut heap = sessions(0, 60);
        for i in 0..count {
            bare(&mut heap, (30_001 + 2 * i, 300), subtype, (9001 + 2 * (i % 60), "x"));
        }
        heap.load("identifier")
    };
    let level = |subtype: u32| {
        let earlier = [60, 80].map(|count| remembered(dump(count, subtype)));
        let (graph, clues) = dump(100, subtype);
        at(&found(graph, &clues, &earlier), "root.sessions").level
    };
    assert_ne!(level(5), Level::Leak);
    assert_eq!(level(1), Level::Leak);
}

/// Functions that are made ready when they are first called: what they were made from goes, and more comes in its place.
#[test]
fn functions_that_are_made_ready_are_no_leak() {
    let dump = |round: u32, exchanged: bool| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Map", Some((1, "templates")));
        for i in 0..60 {
            let id = 9001 + 2 * i;
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":2,"identifier":{id},"heap":{{"size":40}}}}"#
            );
            heap.edge(Some((7001, "t")), id);
            // Twenty more are ready each time.
            let (first, size) = if i < round * 20 { (30_001, 300) } else { (20_001, 200) };
            if first == 30_001 || exchanged {
                heap.object(first + 2 * i, size, "Source", Some((id, "source")));
            }
        }
        heap.load("identifier")
    };
    let level = |exchanged: bool| {
        let earlier = [0, 1].map(|round| remembered(dump(round, exchanged)));
        let (graph, clues) = dump(2, exchanged);
        at(&found(graph, &clues, &earlier), "root.templates").level
    };
    assert_ne!(level(true), Level::Leak);
    assert_eq!(level(false), Level::Leak);
}

/// Where objects cannot be known again, a row of which the name names another object is found again by that name.
#[test]
fn a_place_that_is_not_the_object_named_grows() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(6001, 10, "Cleaner", Some((1, "cleaner")));
        heap.object(6003, 10, "Thread", Some((1, "thread")));
        bare(&mut heap, (6005 + 2 * count, 10), 4, (6001, "list"));
        heap.edge(Some((6003, "list")), 6005 + 2 * count);
        items(&mut heap, 6005 + 2 * count, count);
        heap.load("none")
    };
    let found = of_three(dump);
    assert_eq!(
        (found[0].level, found[0].history.as_slice()),
        (Level::Leak, &[10_010, 20_010, 30_010][..]),
        "{found:?}"
    );
}

/// What is found in the last of three dumps with so many objects.
pub(super) fn of_three(dump: impl Fn(u32) -> (NamedGraph, Clues)) -> Vec<Suspect> {
    let earlier = [100, 200].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(300);
    found(graph, &clues, &earlier)
}

/// A heap with so many sessions, the first of which has this number.
fn sessions(first: u32, count: u32) -> Heap {
    let mut heap = ordinary();
    heap.object(7001, 10, "Map", Some((1, "sessions")));
    for i in first..first + count {
        heap.object(9001 + 2 * i, 200, "Session", Some((7001, "s")));
    }
    heap
}

#[test]
fn growth_is_that_of_the_holder_in_each_dump() {
    for identity in ["identifier", "none"] {
        let earlier = [20, 40].map(|count| remembered(sessions(0, count).load(identity)));
        let (graph, clues) = sessions(0, 80).load(identity);
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        assert_eq!(found.doubt.is_some(), identity == "none");
        let first = at(&found.suspects, "root.sessions");
        assert_eq!(
            (first.kind, first.level, first.place.as_str()),
            (Kind::Growth, Level::Leak, "root.sessions")
        );
        assert_eq!((first.growth, first.course), (Some(12_000), Some(Course::Steady)), "{identity}");
        assert_eq!(first.history, [4010, 8010, 16_010], "{identity}");
        assert_eq!((found.totals, found.explained), (vec![14_110, 18_110, 26_110], Some(1.0)), "{identity}");
    }
}

/// A first dump without a gap among its identifiers does not say whether these last: the later ones do.
#[test]
fn a_first_dump_that_is_numbered_for_itself_is_compared_by_name() {
    let heap = |count: u32| {
        let mut heap = Heap::default();
        heap.object(1, 0, "root", None);
        heap.object(3, 10, "Map", Some((1, "sessions")));
        for i in 0..count {
            heap.object(5 + 2 * i, 200, "Session", Some((3, "s")));
        }
        heap
    };
    let earlier = [remembered(heap(10).load("identifier")), remembered(heap(20).load("none"))];
    let (graph, clues) = heap(40).load("none");
    let found = found(graph, &clues, &earlier);
    assert_eq!(at(&found, "root.sessions").history, [2010, 4010, 8010]);
}

#[test]
fn what_is_exchanged_has_not_grown() {
    let earlier = [0, 50].map(|first| remembered(sessions(first, 100).load("identifier")));
    let (graph, clues) = sessions(100, 100).load("identifier");
    let found = found(graph, &clues, &earlier);
    let map = found.iter().find(|s| s.place == "root.sessions").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!((map.kind, map.growth, map.turnover), (Kind::Accumulation, Some(0), 20_000));
    assert!(found.iter().all(|s| s.kind != Kind::Growth), "{:?}", text(&found));
}

#[test]
fn what_jumped_once_is_no_leak() {
    let earlier = [10, 60].map(|count| remembered(sessions(0, count).load("identifier")));
    let (graph, clues) = sessions(0, 60).load("identifier");
    let found = found(graph, &clues, &earlier);
    let map = at(&found, "root.sessions");
    assert_eq!((map.course, map.history.as_slice()), (Some(Course::Jumped), &[2010, 12_010, 12_010][..]));
    assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
}

/// More dumps than a byte has numbers for: what came in the 257th is new, as what came in the second is.
#[test]
fn what_came_late_in_a_long_series_is_new() {
    for late in [2, 257] {
        let count = |dump: u32| if dump < late { 10 } else { 60 };
        let earlier: Vec<Earlier> =
            (1..=258).map(|dump| remembered(sessions(0, count(dump)).load("identifier"))).collect();
        let (graph, clues) = sessions(0, 60).load("identifier");
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        assert_eq!(at(&found.suspects, "root.sessions").growth, Some(10_000), "{late}");
        assert_eq!(found.explained, Some(1.0), "{late}");
    }
}

/// A cache that fills up grows by less each time; so does one that is nearly full.
#[test]
fn what_grows_ever_more_slowly_is_no_leak() {
    for counts in [[100, 160, 170], [400, 430, 450], [490, 600, 657]] {
        let earlier = [counts[0], counts[1]].map(|count| remembered(sessions(0, count).load("identifier")));
        let (graph, clues) = sessions(0, counts[2]).load("identifier");
        let found = found(graph, &clues, &earlier);
        assert_eq!(at(&found, "root.sessions").course, Some(Course::Slowing), "{counts:?}");
        assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
    }
    // A leak is steady, however much there was before, and much of it is still to come.
    for counts in [[400, 430, 458], [100, 200, 270]] {
        let earlier = [counts[0], counts[1]].map(|count| remembered(sessions(0, count).load("identifier")));
        let (graph, clues) = sessions(0, counts[2]).load("identifier");
        assert_eq!(at(&found(graph, &clues, &earlier), "root.sessions").level, Level::Leak, "{counts:?}");
    }
}

/// A table doubles in an early step and has room for what comes then: its bytes slow down, but not what is in it.
#[test]
fn what_grows_in_a_table_that_doubled_is_a_leak() {
    let row = |counts: [u32; 3]| {
        let dump = |count: u32| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((1, "jobs")));
            bare(&mut heap, (7003, if count > counts[0] { 12_000 } else { 6000 }), 4, (7001, "table"));
            for i in 0..count {
                heap.object(9001 + 2 * i, 50, "Job", Some((7003, "x")));
            }
            heap.load("identifier")
        };
        let earlier = [counts[0], counts[1]].map(|count| remembered(dump(count)));
        let (graph, clues) = dump(counts[2]);
        let found = found(graph, &clues, &earlier);
        let row = at(&found, "root.jobs");
        (row.history.clone(), row.course, row.level)
    };
    assert_eq!(row([20, 40, 60]), (vec![7010, 14_010, 15_010], Some(Course::Steady), Level::Leak));
}

/// A table that is loaded anew is another object in each dump, and no growth: what was there before counts.
#[test]
fn what_is_loaded_anew_has_what_its_place_had() {
    let dump = |round: u32, count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Prices", Some((1, "prices")));
        let table = 100_001 + 20_000 * round;
        heap.object(table, 10, "Map", Some((5001, "bySku")));
        for i in 1..count {
            heap.object(table + 2 * i, 20, "Price", Some((table, "p")));
        }
        heap.load("identifier")
    };
    let earlier = [(0, 500), (1, 520)].map(|(round, count)| remembered(dump(round, count)));
    let (graph, clues) = dump(2, 510);
    let found = found(graph, &clues, &earlier);
    assert_eq!(at(&found, "root.prices.bySku").history, [9990, 10_390, 10_190], "{found:#?}");
    assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
}

/// Of connections as many come as go: those of the last dump are new, and others were there before.
/// 60 places of the program that each get one page more in each dump, and too little for a row.
fn spread(pages: u32) -> Heap {
    let mut heap = ordinary();
    for i in 0..60u32 {
        let place = 5001 + 2 * i;
        heap.object(place, 100, &format!("Place{i}"), Some((1, "place")));
        for page in 0..pages {
            heap.object(10_001 + 2 * (60 * page + i), 50, "Page", Some((place, &format!("page{page}"))));
        }
    }
    heap
}

#[test]
fn classes_that_grew_follow_where_no_place_explains_it() {
    let left_over = |dumps: [Heap; 3]| {
        let [first, second, last] = dumps.map(|heap| heap.load("identifier"));
        let found = self::found(last.0, &last.1, &[remembered(first), remembered(second)]);
        let row = found.iter().find(|suspect| suspect.left_over).cloned();
        row.unwrap_or_else(|| panic!("no class in {found:#?}"))
    };
    // What is most of the growth and only comes is a leak.
    let pages = left_over([1, 2, 3].map(spread));
    assert_eq!((pages.class.as_str(), pages.holds[0].count), ("Page", 180));
    assert_eq!((pages.level, pages.kind, pages.runtime), (Level::Leak, Kind::Class, false));
    assert_eq!((&pages.history, pages.growth), (&vec![3000, 6000, 9000], Some(6000)));
    // Where some of it goes it is none.
    let exchanged = |pages: u32| {
        let mut heap = spread(pages);
        for i in 0..8 {
            heap.object(30_001 + 1000 * pages + 2 * i, 50, "Page", Some((5001, "page")));
        }
        heap
    };
    assert_eq!(left_over([1, 2, 3].map(exchanged)).level, Level::Note);
    // A queue explains what it has grown by, and no class follows.
    let earlier = [100, 200].map(|count| remembered(sessions(0, count).load("identifier")));
    let (graph, clues) = sessions(0, 300).load("identifier");
    assert!(!self::found(graph, &clues, &earlier).iter().any(|suspect| suspect.left_over));
    // Nor where all of the growth is little beside the heap.
    let beside = |pages: u32| {
        let mut heap = spread(pages);
        heap.object(9001, 200_000, "Table", Some((3, "table")));
        heap.load("identifier")
    };
    let earlier = [1, 2].map(|pages| remembered(beside(pages)));
    let (graph, clues) = beside(3);
    assert!(!self::found(graph, &clues, &earlier).iter().any(|suspect| suspect.left_over));
}

#[test]
fn a_crowd_that_is_exchanged_has_not_grown() {
    let dump = |first: u32, count: u32| {
        let mut heap = ordinary();
        for list in [3001, 3003] {
            heap.object(list, 10, "List", Some((1, "list")));
        }
        for i in first..first + count {
            heap.object(9001 + 2 * i, 90, "Socket", Some((3001, "s")));
            heap.edge(Some((3003, "s")), 9001 + 2 * i);
        }
        heap.load("identifier")
    };
    for (last, history) in [(42, [4050, 3420, 3780]), (200, [4050, 3420, 18_000])] {
        let earlier = [(0, 45), (60, 38)].map(|(first, count)| remembered(dump(first, count)));
        let (graph, clues) = dump(120, last);
        let found = found(graph, &clues, &earlier);
        let crowd = found.iter().find(|s| s.class == "Socket").unwrap_or_else(|| panic!("{found:#?}"));
        assert_eq!(crowd.history, history);
        assert!(found.iter().all(|s| s.level != Level::Leak), "{:?}", text(&found));
    }
}

/// Where objects cannot be known again, parts that are called as the whole are in what it retains.
#[test]
fn a_place_and_its_parts_of_one_name_count_once() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Queue", Some((1, "queue")));
        let mut above = (5001, "head");
        for i in 0..count {
            let (link, task) = (7001 + 4 * i, 7003 + 4 * i);
            // An inner part without a class, and what it leads to.
            let _ = writeln!(
                heap.nodes,
                r#"{{"type":"node","subtype":4,"identifier":{link},"heap":{{"size":10}}}}"#
            );
            heap.edge(Some(above), link);
            heap.object(task, 40, "Task", Some((link, "item")));
            above = (link, "next");
        }
        heap.load("none")
    };
    let earlier = [200, 400].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(600);
    let found = found(graph, &clues, &earlier);
    let queue = at(&found, "root.queue");
    assert_eq!((queue.level, queue.history.as_slice()), (Level::Leak, &[10_010, 20_010, 30_010][..]));
    assert_eq!((queue.holds[0].class.as_str(), queue.holds[0].count), ("Task", 600), "{found:#?}");
}

/// Machines of a plant have a ring each, by the same names.
fn rings(machines: u32, count: u32) -> Heap {
    let mut heap = ordinary();
    heap.object(5001, 10, "Plant", Some((1, "plant")));
    for machine in 0..machines {
        let (id, ring) = (5003 + 4 * machine, 5005 + 4 * machine);
        heap.object(id, 10, "Machine", Some((5001, "machine")));
        heap.object(ring, 10, "Ring", Some((id, "ring")));
        for i in 0..count {
            let event = 10_001 + 2 * (machine * 1000 + i);
            heap.object(event, 100, "Event", Some((ring, &format!("slot{i}"))));
        }
    }
    heap
}

#[test]
fn lists_of_one_name_are_one_row() {
    let earlier = [20, 40].map(|count| remembered(rings(2, count).load("identifier")));
    let (graph, clues) = rings(2, 60).load("identifier");
    let found = found(graph, &clues, &earlier);
    let row = at(&found, "root.plant.machine.ring");
    assert_eq!((row.level, row.id), (Level::Leak, None), "{found:#?}");
    assert_eq!((row.holds[0].count, row.retained), (120, 12_020));
    assert_eq!(row.history, [4020, 8020, 12_020]);
}

/// Twelve machines are no more than before: their rings grow, and are what is named.
#[test]
fn what_a_few_objects_of_before_hold_by_one_field_is_named_by_it() {
    let earlier = [20, 40].map(|count| remembered(rings(12, count).load("identifier")));
    let (graph, clues) = rings(12, 60).load("identifier");
    let grown = found(graph, &clues, &earlier);
    let row = at(&grown, "root.plant[*].ring");
    assert_eq!((row.level, row.id), (Level::Leak, None), "{grown:#?}");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count, row.retained), ("Event", 720, 72_120));
    assert_eq!(row.history, [24_120, 48_120, 72_120]);
    // Machines that pile up themselves are said as such.
    let earlier = [12, 24].map(|machines| remembered(rings(machines, 60).load("identifier")));
    let (graph, clues) = rings(36, 60).load("identifier");
    let piled = found(graph, &clues, &earlier);
    assert_eq!(at(&piled, "root.plant").holds[0].class, "Machine", "{piled:#?}");
}

/// The same of what several variables of one scope lead to.
#[test]
fn what_a_few_objects_of_a_scope_hold_by_one_field_is_named_by_it() {
    let dump = |count: u32| {
        let mut heap = with_scope(6001);
        constructor(&mut heap, 6101, "Storage");
        for (id, variable) in [(6005, "orders"), (6007, "reader")] {
            heap.object(id, 10, "Object", Some((6003, &format!("var:{variable}"))));
        }
        for storage in 0..3 {
            let (id, unread) = (7001 + 4 * storage, 7003 + 4 * storage);
            heap.object(id, 10, "Storage", Some((6005, &format!("storage{storage}"))));
            heap.edge(Some((6007, "storage")), id);
            heap.object(unread, 10, "Array", Some((id, "unread")));
            for i in 0..count {
                heap.object(20_001 + 2 * (storage * 1000 + i), 50, "Object", Some((unread, &format!("{i}"))));
            }
        }
        heap.load("identifier")
    };
    let found = of_three(dump);
    let row = at(&found, "app.js: orders, reader (Storage[*].unread)");
    assert_eq!((row.level, row.holds[0].class.as_str(), row.holds[0].count), (Level::Leak, "Object", 900));
}

/// Where objects cannot be known again, places of one name grow together, not each from what all of them had.
#[test]
fn lists_of_one_name_are_known_again_by_it() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Bank", Some((1, "bank")));
        bare(&mut heap, (5003, 10), 4, (5001, "accounts"));
        for (table, accounts) in [(5005, 0..2), (5007, 2..4)] {
            bare(&mut heap, (table, 10), 4, (5003, "table"));
            for account in accounts {
                let (id, changes) = (6001 + 4 * account, 6003 + 4 * account);
                heap.object(id, 10, "Account", None);
                let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":7,"source":{table},"dest":{id}}}"#);
                heap.object(changes, 10, "List", Some((id, "changes")));
                for i in 0..count {
                    let event = 10_001 + 2 * (account * 1000 + i);
                    heap.object(event, 100, "Deposited", Some((changes, &format!("item{i}"))));
                }
            }
        }
        heap.load("none")
    };
    let found = of_three(dump);
    let first = &found[0];
    assert_eq!((first.level, first.holds[0].class.as_str()), (Level::Leak, "Deposited"), "{found:#?}");
    assert_eq!(first.holds[0].count, 1200);
    assert_eq!(first.history, [40_040, 80_040, 120_040]);
    assert_eq!(found.iter().filter(|row| row.level == Level::Leak).count(), 1, "{found:#?}");
}

#[test]
fn what_has_grown_since_one_dump_comes_before_what_is_large() {
    let dump = |count: u32| {
        let mut heap = sessions(0, count);
        heap.object(5001, 900_000, "Board", Some((1, "board")));
        heap.load("identifier")
    };
    let earlier = [remembered(dump(2000))];
    let (graph, clues) = dump(4000);
    let found = found(graph, &clues, &earlier);
    let places: Vec<(&str, Level)> =
        found.iter().take(2).map(|row| (row.place.as_str(), row.level)).collect();
    assert_eq!(places, [("root.sessions", Level::Large), ("root.board", Level::Large)], "{found:#?}");
}

/// Connections whose parts are shared, so that they lie below the root one by one.
#[test]
fn what_the_runtime_piles_up_is_judged_together() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "node:*");
        script(&mut heap, (5001, 5003), "node:net");
        script(&mut heap, (5005, 5007), "/srv/app.js");
        for (n, class) in (0..).zip(["Socket", "Parser", "Request"]) {
            function(&mut heap, (5011 + 4 * n, 1), 5003, (1, "net"));
            let name = heap.string(class);
            heap.named(2, (5013 + 4 * n, 1), name);
            for i in 0..count {
                let id = 20_001 + 2 * (n * 1000 + i);
                heap.object(id, 100, class, Some((1, "handle")));
            }
        }
        heap.load("identifier")
    };
    let earlier = [50, 100].map(|count| remembered(dump(count)));
    let (graph, clues) = dump(150);
    let found = found(graph, &clues, &earlier);
    let levels: Vec<Level> =
        found.iter().filter(|row| row.kind == Kind::Growth).map(|row| row.level).collect();
    assert_eq!(levels, [Level::Large, Level::Note, Level::Note], "{found:#?}");
}

/// A function of `app.js` for each view, kept with its view by a list.
#[test]
fn functions_are_said_with_what_they_keep() {
    let mut heap = with_scope(6001);
    let name = heap.string("View");
    let _ = writeln!(
        heap.nodes,
        r#"{{"type":"node","subtype":2,"identifier":6901,"metadata":5007,"heap":{{"size":1,"name":{name}}}}}"#
    );
    heap.edge(Some((6901, "shared")), 5007);
    heap.edge(Some((1, "view")), 6901);
    heap.object(6005, 10, "Array", Some((6003, "var:listeners")));
    for i in 0..60 {
        let id = 20_001 + 6 * i;
        function(&mut heap, (id, 40), 5007, (6005, &format!("{i}")));
        heap.object(id + 2, 10, "system / Context", Some((id, "context")));
        heap.object(id + 4, 200, "View", Some((id + 2, "var:this")));
    }
    let found = heap.suspects();
    let row = at(&found, "app.js: listeners");
    assert_eq!(row.behind.as_deref(), Some("(anonymous) (app.js) → View"), "{found:#?}");
}

/// A list that grows at its head has another head in each dump, and the old ones below it.
#[test]
fn a_list_that_grows_at_its_head_grows() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        for i in (0..count).rev() {
            let above = if i + 1 == count { (3, "head") } else { (9001 + 2 * (i + 1), "next") };
            heap.object(9001 + 2 * i, 20, "Link", Some(above));
        }
        heap.load("identifier")
    };
    let found = of_three(dump);
    assert_eq!(
        (found[0].level, found[0].history.as_slice()),
        (Level::Leak, &[2000, 4000, 6000][..]),
        "{found:?}"
    );
}

/// Another process gives the identifiers of the first one's sessions to other objects.
#[test]
fn growth_of_another_process_is_doubted() {
    let dump = |class: &str| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Map", Some((1, "sessions")));
        for i in 0..40 {
            heap.object(9001 + 2 * i, 20, if i < 3 { class } else { "Session" }, Some((7001, "s")));
        }
        heap.load("identifier")
    };
    for (class, is_doubted) in [("Session", false), ("Account", true)] {
        let earlier = [remembered(dump(class))];
        let (graph, clues) = dump("Session");
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        let doubt = found.doubt.map_or_else(String::new, |doubt| doubt.text().to_owned());
        assert_eq!(doubt.contains("different processes"), is_doubted, "{class}: {doubt}");
    }
}

/// Strings that were put together are made whole when they are first used as keys.
#[test]
fn strings_that_are_kept_otherwise_make_no_other_process() {
    let dump = |subtype: u32| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Map", Some((1, "sessions")));
        for i in 0..40 {
            bare(&mut heap, (9001 + 2 * i, 20), subtype, (7001, "s"));
        }
        heap.load("identifier")
    };
    let earlier = [remembered(dump(11))];
    let (graph, clues) = dump(3);
    let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
    assert!(!matches!(found.doubt, Some(Doubt::Unsound(_))), "{:?}", found.doubt);
}

#[test]
fn what_never_becomes_less_does_not_go_up_and_down() {
    use crate::suspects::growth::course;
    assert_eq!(course(&[100, 100, 200]), Course::Jumped);
    assert_eq!(course(&[100, 200, 200]), Course::Jumped);
    assert_eq!(course(&[100, 400, 200]), Course::Wavers);
    assert_eq!(
        (course(&[100, 100, 100]), course(&[100, 100]), course(&[100, 200])),
        (Course::Flat, Course::Flat, Course::Grown)
    );
    assert_eq!(course(&[100, 200, 300]), Course::Steady);
    // A quiet time at first says no more than if nobody had looked; one in between is no step down.
    assert_eq!(course(&[100, 100, 200, 300]), Course::Steady);
    assert_eq!(course(&[100, 99, 101, 200, 300]), Course::Steady);
    assert_eq!(course(&[100, 200, 200, 300]), Course::Pauses);
    assert_eq!(course(&[100, 200, 300, 400, 400]), Course::Stopped);
    assert_eq!(course(&[100, 400, 200, 200]), Course::Wavers);
    assert_eq!(course(&[100, 100, 200, 150, 300]), Course::Wavers);
    assert_eq!(course(&[300, 200, 200, 100]), Course::Wavers);
}

/// Where objects cannot be known again: of accounts that pile up, each with a list as long as before, the accounts are said.
#[test]
fn lists_of_one_name_that_become_more_are_those_of_what_piles_up() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Bank", Some((1, "bank")));
        bare(&mut heap, (5003, 10), 4, (5001, "accounts"));
        for account in 0..count / 5 {
            let (id, changes) = (6001 + 4 * account, 6003 + 4 * account);
            heap.object(id, 10, "Account", None);
            let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":7,"source":5003,"dest":{id}}}"#);
            heap.object(changes, 10, "List", Some((id, "changes")));
            for i in 0..20 {
                let event = 10_001 + 2 * (account * 1000 + i);
                heap.object(event, 100, "Deposited", Some((changes, &format!("item{i}"))));
            }
        }
        heap.load("none")
    };
    let found = of_three(dump);
    let first = &found[0];
    assert_eq!((first.level, first.holds[0].class.as_str()), (Level::Leak, "Account"), "{found:#?}");
    assert_eq!(first.holds[0].count, 60);
}

/// What is under way comes and goes: when more is asked for from dump to dump there is more of it, and nothing of what was there
/// before. So it is where what holds it is made anew, too; what stays piles up.
#[test]
fn what_comes_and_goes_is_no_leak_when_there_is_more_of_it() {
    let dump = |round: u32, kept: u32, is_anew: bool| {
        let mut heap = ordinary();
        let holder = if is_anew { 7001 + 2 * round } else { 7001 };
        heap.object(holder, 10, "Set", Some((1, "waiting")));
        for i in 0..20 + 20 * round {
            // Some of those that came in each round stay.
            let came = (i / 20).min(round);
            let id =
                if i % 20 < kept { 20_001 + 40 * came + 2 * (i % 20) } else { 30_001 + 1000 * round + 2 * i };
            heap.object(id, 100, "Search", Some((holder, "s")));
        }
        heap.load("identifier")
    };
    let level = |kept: u32, is_anew: bool| {
        let earlier = [0, 1].map(|round| remembered(dump(round, kept, is_anew)));
        let (graph, clues) = dump(2, kept, is_anew);
        let found = found(graph, &clues, &earlier);
        at(&found, "root.waiting").level
    };
    for is_anew in [false, true] {
        assert_eq!(level(0, is_anew), Level::Large, "{is_anew}");
        assert_eq!(level(5, is_anew), Level::Large, "{is_anew}");
        assert_eq!(level(12, is_anew), Level::Leak, "{is_anew}");
        assert_eq!(level(20, is_anew), Level::Leak, "{is_anew}");
    }
}

/// What is made anew each time and has nothing of what was there before is no leak, though other objects of the class stay elsewhere; a
/// copy of a list that becomes longer is one.
#[test]
fn what_is_made_anew_as_a_whole_is_no_leak() {
    let level = |keeps: bool| {
        let dump = |round: u32| {
            let mut heap = ordinary();
            heap.object(5001, 10, "Stock", Some((1, "stock")));
            for i in 0..200 {
                heap.object(9001 + 2 * i, 10, "Row", Some((5001, "r")));
            }
            let latest = 7001 + 2 * round;
            heap.object(latest, 10, "List", Some((1, "latest")));
            for i in 0..20 + 20 * round {
                let first = if keeps { 20_001 } else { 20_001 + 1000 * round };
                heap.object(first + 2 * i, 100, "Row", Some((latest, "r")));
            }
            heap.load("identifier")
        };
        let earlier = [0, 1].map(|round| remembered(dump(round)));
        let (graph, clues) = dump(2);
        at(&found(graph, &clues, &earlier), "root.latest").level
    };
    assert_eq!((level(false), level(true)), (Level::Large, Level::Leak));
    // A buffer is copied as it grows.
    let dump = |round: u32| {
        let mut heap = ordinary();
        let samples = 7001 + 4 * round;
        heap.object(samples, 10, "Samples", Some((1, "samples")));
        heap.object(samples + 2, 2000 * (round + 1), "ArrayBuffer", Some((samples, "buffer")));
        heap.load("identifier")
    };
    let earlier = [0, 1].map(|round| remembered(dump(round)));
    let (graph, clues) = dump(2);
    let found = found(graph, &clues, &earlier);
    let row = found.iter().find(|row| row.kind == Kind::Growth).unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(row.level, Level::Leak, "{row:?}");
}

/// Of several lists each has another first link in each dump; what they have behind it grows.
#[test]
fn several_lists_that_grow_at_their_heads_grow() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Pages", Some((1, "pages")));
        for list in 0..4 {
            let mut above = (5001, "page");
            for link in (0..count).rev() {
                let id = 20_001 + 4000 * list + 2 * link;
                heap.object(id, 100, "Stream", Some(above));
                above = (id, "source");
            }
        }
        heap.load("identifier")
    };
    let found = of_three(|rounds| dump(rounds * 3));
    let row = found.iter().find(|row| row.level == Level::Leak).unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(row.growth, Some(row.history[2] as i64 - row.history[0] as i64));
    let steps: Vec<u64> = row.history.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps[0] > 0 && steps[0].abs_diff(steps[1]) < 20, "{row:?}");
}

/// What has gone leaves its memory to something else, so that an identifier comes again: of another class it is another object.
#[test]
fn an_identifier_of_another_class_is_another_object() {
    let dump = |round: u32| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Set", Some((1, "waiting")));
        for i in 0..20 + 20 * round {
            // Each round has them where parts of those of the round before were.
            let id = 30_001 + 1000 * round + 2 * i;
            heap.object(id, 100, "Search", Some((7001, "s")));
            heap.object(id + 1000, 10, "Part", Some((id, "part")));
        }
        heap.load("identifier")
    };
    let earlier = [0, 1].map(|round| remembered(dump(round)));
    let (graph, clues) = dump(2);
    let found = found(graph, &clues, &earlier);
    let row = at(&found, "root.waiting");
    assert_eq!((row.level, row.holds[0].count), (Level::Large, 60), "{row:?}");
}

/// A list that grows at its head has one thing below it, a new one, and is a leak though it has grown by little.
#[test]
fn a_list_that_grows_by_little_is_a_leak() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Chain", Some((1, "last")));
        let links = 30 + count / 10;
        for i in 0..links {
            let above = if i == 0 { (7001, "next") } else { (9001 + 2 * (links - i), "next") };
            heap.object(9001 + 2 * (links - 1 - i), 20, "Link", Some(above));
        }
        heap.load("identifier")
    };
    let found = of_three(dump);
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Link"));
    let row = row.expect("a row about the links");
    assert_eq!((row.level, row.holds[0].count), (Level::Leak, 60), "{row:?}");
}

/// Dumps through different connections number the objects of one process anew: places with one name are known again.
#[test]
fn dumps_that_are_numbered_anew_are_compared_by_the_names_of_places() {
    let dump = |parts: u32, items: u32| {
        let mut heap = Heap::default();
        let mut next = (1..).step_by(2);
        let mut object = |heap: &mut Heap, size, class: &str, above: Option<(u32, &str)>| {
            let id = next.next().expect("numbers have no end");
            heap.object(id, size, class, above);
            id
        };
        let root = object(&mut heap, 0, "root", None);
        let app = object(&mut heap, 100, "App", Some((root, "app")));
        for i in 0..parts {
            object(&mut heap, 10, &format!("Part{i}"), Some((app, &format!("part{i}"))));
        }
        let cache = object(&mut heap, 10, "Cache", Some((app, "cache")));
        for i in 0..items {
            object(&mut heap, 100, "Item", Some((cache, &format!("item{i}"))));
        }
        heap.load("identifier")
    };
    let judged = |earlier: [(u32, u32); 2], last: (u32, u32)| {
        let earlier = earlier.map(|(parts, items)| remembered(dump(parts, items)));
        let (graph, clues) = dump(last.0, last.1);
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        let row = found.suspects.iter().find(|row| row.class == "Cache").expect("a row about the cache");
        (row.history.clone(), row.level, found.doubt.map(|doubt| doubt.text().to_owned()))
    };
    let (history, level, doubt) = judged([(20, 100), (40, 200)], (60, 300));
    assert_eq!((history, level), (vec![10_010, 20_010, 30_010], Level::Leak));
    assert!(doubt.is_some_and(|doubt| doubt.contains("places with the same name")));
    // Younger ones may have fewer objects, and so lower identifiers.
    let (history, _, doubt) = judged([(90, 100), (40, 100)], (20, 120));
    assert_eq!(history, [10_010, 10_010, 12_010]);
    assert!(doubt.is_some_and(|doubt| doubt.contains("places with the same name")));
    // The same numbers for the same objects need no names.
    let (history, level, doubt) = judged([(20, 100), (20, 200)], (20, 300));
    assert_eq!((history, level, doubt), (vec![10_010, 20_010, 30_010], Level::Leak, None));
}

/// A server may exchange nearly all of its objects: what little is there as before says that it is one process.
#[test]
fn few_objects_of_before_say_that_it_is_one_process() {
    let dump = |round: u32, stay: u32, class: &str| {
        let mut heap = Heap::default();
        heap.object(1, 0, "root", None);
        heap.object(7001, 10, "Cache", Some((1, "cache")));
        for i in 0..stay {
            heap.object(8001 + 2 * i, 10, &format!("{class}{i}"), Some((1, "service")));
        }
        for i in 0..4000 {
            heap.object(100_001 + 20_000 * round + 2 * i, 10, "Page", Some((7001, "page")));
        }
        heap.load("identifier")
    };
    let doubt = |stay, class: &str| {
        let earlier = [0, 1].map(|round| remembered(dump(round, stay, "Service")));
        let (graph, clues) = dump(2, stay, class);
        let found = suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read");
        found.doubt.map(|doubt| doubt.text().to_owned())
    };
    assert_eq!(doubt(200, "Service"), None);
    for doubt in [doubt(50, "Service"), doubt(200, "Other")] {
        assert!(doubt.as_ref().is_some_and(|doubt| doubt.contains("one process?")), "{doubt:?}");
    }
}

/// What stands far down a list has no name of its own, but the list has one.
#[test]
fn a_long_list_grows_where_places_have_names_alone() {
    let dump = |links: u32| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Queue", Some((3, "queue")));
        for i in 0..links {
            let above = if i == 0 { (5001, "first") } else { (9999 + 2 * i, "next") };
            heap.object(10_001 + 2 * i, 100, "Link", Some(above));
        }
        heap.load("none")
    };
    let earlier = [1000, 2000].map(|links| remembered(dump(links)));
    let (graph, clues) = dump(3000);
    let found = found(graph, &clues, &earlier);
    let row = found.iter().find(|row| row.holds.first().is_some_and(|of| of.class == "Link"));
    let row = row.map(|row| (row.place.as_str(), row.holds[0].count, row.growth, row.level));
    assert_eq!(row, Some(("root.app.queue.first", 3000, Some(200_000), Level::Leak)));
}
