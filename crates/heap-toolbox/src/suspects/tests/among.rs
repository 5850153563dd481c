//! One among many alike, and parts that come one after the other.

use super::growth::of_three;
use super::*;

/// An element of an array; of some dumps nobody knows which it is.
fn element(heap: &mut Heap, (id, size): (u32, u32), class: &str, (array, at): (u32, Option<u32>)) {
    heap.object(id, size, class, None);
    let label = at.map_or(String::new(), |at| format!(r#","label":{}"#, heap.string(&at.to_string())));
    let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":7,"source":{array},"dest":{id}{label}}}"#);
}

/// A server of many connections, each with a list of frames: that of the seventh has `count`, and as many as said each of so many
/// others, which are others in each dump if they are `exchanged`.
fn server(count: u32, [others, keep]: [u32; 2], (exchanged, numbers): (bool, bool)) -> Heap {
    let mut heap = ordinary();
    heap.object(5001, 10, "Server", Some((1, "server")));
    heap.object(5003, 10, "List", Some((5001, "connections")));
    bare(&mut heap, (5005, 10), 4, (5003, "table"));
    for connection in 0..=others {
        let (id, list) = (6001 + 4 * connection, 6003 + 4 * connection);
        element(&mut heap, (id, 10), "Connection", (5005, numbers.then_some(connection)));
        heap.object(list, 10, "List", Some((id, "unacked")));
        let from = if exchanged { count } else { 0 };
        for frame in if connection == 7 { 0..count } else { from..from + keep } {
            let id = 100_001 + connection * 2000 + 2 * frame;
            heap.object(id, 100, "Frame", Some((list, "frame")));
        }
    }
    heap
}

/// In the first dump the others have most of what the list of connections holds, in the last one the seventh has.
#[test]
fn one_among_many_has_its_own_past() {
    for exchanged in [false, true] {
        let found = of_three(|count| server(count, [80, 2], (exchanged, false)).load("none"));
        let row = at(&found, "root.server.connections[*].unacked");
        assert_eq!((row.level, &row.history[..]), (Level::Leak, &[10_010, 20_010, 30_010][..]), "{found:#?}");
        assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Frame", 300));
        let rest = at(&found, "root.server.connections");
        assert_eq!(rest.history, vec![80 * 220; 3], "{found:#?}");
    }
}

/// Also where it is a small part in all dumps.
#[test]
fn one_that_grows_among_very_many_is_the_leak() {
    let found = of_three(|count| server(count, [400, 2], (true, false)).load("none"));
    let row = at(&found, "root.server.connections[*].unacked");
    assert_eq!((row.level, &row.history[..]), (Level::Leak, &[10_010, 20_010, 30_010][..]), "{found:#?}");
    // One leak is one row: the list of all has the rest.
    let rest = at(&found, "root.server.connections");
    assert_eq!((rest.level, rest.growth), (Level::Large, Some(0)), "{rest:?}");
    assert_eq!(rest.retained, 400 * 220 + 30, "{rest:?}");
}

/// Where objects are known again, what was exchanged in the others counts in the dumps before, too.
#[test]
fn what_others_had_before_is_of_their_past() {
    for others in [80, 400] {
        let found = of_three(|count| server(count, [others, 2], (true, true)).load("identifier"));
        let leaks: Vec<&Suspect> = found.iter().filter(|row| row.level == Level::Leak).collect();
        let [row] = leaks[..] else { panic!("{leaks:#?}") };
        assert_eq!((&row.history[..], row.holds[0].count), (&[10_010, 20_010, 30_010][..], 300), "{row:?}");
        let rest = found
            .iter()
            .find(|row| row.place.starts_with("root.server.connections") && row.growth == Some(0));
        let rest = rest.unwrap_or_else(|| panic!("{found:#?}"));
        assert!(rest.retained >= u64::from(others) * 210, "{rest:?}");
    }
}

/// A log of so many entries in segments of 140.
fn log(count: u32, place: impl Fn(&mut Heap, u32, u32)) -> Heap {
    let mut heap = with_scope(6001);
    for (id, class) in [(6101, "Segment"), (6103, "Entry")] {
        constructor(&mut heap, id, class);
    }
    heap.object(7001, 10, "Array", Some((6003, "var:segments")));
    for segment in 0..count.div_ceil(140) {
        let id = 7003 + 4 * segment;
        place(&mut heap, id, segment);
        heap.object(id + 2, 10, "Array", Some((id, "entries")));
        for entry in segment * 140..count.min((segment + 1) * 140) {
            heap.object(20_001 + 2 * entry, 100, "Entry", Some((id + 2, "entry")));
        }
    }
    heap
}

/// None of the segments grows in each step, all together do.
#[test]
fn segments_that_follow_each_other_are_one_row() {
    for identity in ["identifier", "none"] {
        let place = |heap: &mut Heap, id: u32, at: u32| element(heap, (id, 10), "Segment", (7001, Some(at)));
        let found = of_three(|count| log(count, place).load(identity));
        let rows: Vec<&Suspect> = found.iter().filter(|row| row.place.contains("segments")).collect();
        let [row] = rows[..] else { panic!("{found:#?}") };
        assert_eq!((row.level, row.place.as_str()), (Level::Leak, "app.js: segments"), "{row:?}");
        assert_eq!(row.history, [10_030, 20_050, 30_070], "{row:?}");
    }
}

/// Two fields of one object whose names differ in numbers: the first is full.
#[test]
fn months_that_follow_each_other_are_one_row() {
    let place =
        |heap: &mut Heap, id: u32, at: u32| heap.object(id, 10, "Object", Some((7001, &format!("m{at}"))));
    let months = |count: u32| log(count / 10 * 9, place).load("identifier");
    let found = of_three(months);
    let row = at(&found, "app.js: segments");
    assert_eq!((row.level, row.growth), (Level::Leak, Some(18_020)), "{found:#?}");
    assert!(!found.iter().any(|row| row.place.starts_with("app.js: segments.")), "{found:#?}");
}
