//! One among many alike.

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
}

/// Where objects are known again, what was exchanged in the others counts in the dumps before, too.
#[test]
fn what_others_had_before_is_of_their_past() {
    for others in [60, 80] {
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
