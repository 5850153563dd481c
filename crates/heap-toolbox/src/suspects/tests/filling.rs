//! What fills up, and what piles up beside it.

use super::growth::of_three;
use super::*;

/// A table with one large thing more in each dump, with a few, and with many small ones.
#[test]
fn few_things_more_are_no_leak() {
    let level = |each: u32, size: u32, identity: &str| {
        let dump = |count: u32| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((1, "icons")));
            for i in 0..(3 + count / 100) * each {
                heap.object(9001 + 2 * i, size, "Icon", Some((7001, "i")));
            }
            heap.load(identity)
        };
        at(&of_three(dump), "root.icons").level
    };
    for identity in ["identifier", "none"] {
        assert_eq!(level(1, 250, identity), Level::Note, "{identity}");
        assert_eq!(level(1, 2500, identity), Level::Large, "{identity}");
        assert_eq!(level(10, 250, identity), Level::Large, "{identity}");
        assert_eq!(level(30, 250, identity), Level::Leak, "{identity}");
        // Each is much.
        assert_eq!(level(10, 30_000, identity), Level::Leak, "{identity}");
    }
}

/// A ring, or a cache, that was made with room for all that it may have, and a table that becomes larger with what it has.
#[test]
fn what_had_room_before_is_no_leak() {
    let level = |had_room: bool, in_cell: bool| {
        let dump = |count: u32| {
            let mut heap = ordinary();
            let room = if had_room { 6000 } else { count * 20 };
            let slots = if in_cell { 7003 } else { 7001 };
            heap.object(7001, if in_cell { 10 } else { room }, "Array", Some((1, "ring")));
            if in_cell {
                bare(&mut heap, (7003, room), 4, (7001, "table"));
            }
            for i in 0..count {
                heap.object(9001 + 2 * i, 100, "Answer", Some((slots, "a")));
            }
            heap.load("identifier")
        };
        at(&of_three(dump), "root.ring").level
    };
    for in_cell in [false, true] {
        assert_eq!(level(true, in_cell), Level::Large, "{in_cell}");
        assert_eq!(level(false, in_cell), Level::Leak, "{in_cell}");
    }
}

/// A table of hashes has room for all that it has, of whatever class.
#[test]
fn others_in_a_table_take_room_too() {
    let level = |others: u32| {
        let dump = |count: u32| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((1, "hooks")));
            bare(&mut heap, (7003, 6000), 4, (7001, "table"));
            for i in 0..others {
                heap.object(60_001 + 2 * i, 10, "Plugin", Some((7003, "table")));
            }
            for i in 0..count {
                heap.object(9001 + 2 * i, 100, "Hook", Some((7003, "table")));
            }
            heap.load("identifier")
        };
        at(&of_three(dump), "root.hooks").level
    };
    assert_eq!(level(0), Level::Large);
    assert_eq!(level(150), Level::Leak);
}

/// What a row of growth says a place holds is what has come, though others in it are larger.
#[test]
fn what_has_come_is_what_a_place_that_grows_holds() {
    let dump = |count: u32| {
        let mut heap = ordinary();
        heap.object(7001, 10, "Canvas", Some((1, "canvas")));
        for i in 0..40 {
            heap.object(60_001 + 2 * i, 2000, "Sheet", Some((7001, "s")));
        }
        for i in 0..count {
            heap.object(9001 + 2 * i, 10, "Mark", Some((7001, "m")));
        }
        heap.load("identifier")
    };
    let found = of_three(dump);
    let row = at(&found, "root.canvas");
    let holds: Vec<_> = row.holds.iter().map(|of| (of.class.as_str(), of.count)).collect();
    assert_eq!((holds, row.level), (vec![("Mark", 300), ("Sheet", 40)], Level::Leak));
}

/// Where what is used is taken out and put back, some of what was there before stand behind what came later; in a list all of them
/// stand in front, and in a table of hashes anywhere.
#[test]
fn what_is_put_back_when_it_is_used_is_no_leak() {
    let level = |at_end: u32, by_chance: bool| {
        let dump = |count: u32| {
            let mut heap = ordinary();
            heap.object(7001, 10, "Map", Some((1, "pages")));
            let mut order: Vec<u32> = (at_end..count).chain(0..at_end).collect();
            if by_chance {
                order.sort_by_key(|n| n * 37 % 101);
            }
            for n in order {
                heap.object(9001 + 2 * n, 100, "Page", Some((7001, "p")));
            }
            heap.load("identifier")
        };
        at(&of_three(dump), "root.pages").level
    };
    assert_eq!(level(10, false), Level::Large);
    assert_eq!(level(0, false), Level::Leak);
    assert_eq!(level(0, true), Level::Leak);
}

/// Connections that two lists have come and go, and become more, while a log keeps others of their class; in the same lists they
/// pile up if they stay.
#[test]
fn a_crowd_that_comes_and_goes_beside_others_that_stay_is_no_leak() {
    let level = |gone: u32| {
        let dump = |count: u32| {
            let mut heap = ordinary();
            for list in [3001, 3003] {
                heap.object(list, 10, "List", Some((1, "list")));
            }
            for i in 0..count {
                let id = 20_001 + 2 * (i + count * gone);
                heap.object(id, 90, "Socket", Some((3001, "s")));
                heap.edge(Some((3003, "s")), id);
            }
            heap.object(3005, 10, "Log", Some((1, "log")));
            for i in 0..2 * count {
                heap.object(100_001 + 2 * i, 90, "Socket", Some((3005, "s")));
            }
            heap.load("identifier")
        };
        let found = of_three(dump);
        assert_eq!(at(&found, "root.log").level, Level::Leak, "{found:#?}");
        let crowd = found.iter().find(|row| row.id.is_none() && row.class == "Socket");
        crowd.unwrap_or_else(|| panic!("{found:#?}")).level
    };
    assert_eq!(level(10), Level::Large);
    assert_eq!(level(0), Level::Leak);
}
