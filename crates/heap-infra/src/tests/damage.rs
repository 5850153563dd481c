//! Damaged and hostile input: no panic, no hang, and every intact dump before the damage is delivered.

use heap_base::{Blob, Result};
use heap_record::{Discard, SnapshotSelector};

use super::{data, lines, parse, sound};

const SMALL: [&str; 9] = [
    "seed-example-v1-cut1024.json",
    "seed-example-v1-cut40.json",
    "seed-example-v1-full-self.json",
    "seed-example-v1-full.json",
    "seed-example-v1-old-cells.json",
    "seed-example-v1-old.json",
    "seed-example-v2.json",
    "quirks-v1.json",
    "quirks-v2.json",
];

fn survives(bytes: &[u8]) -> Result {
    crate::read(&Blob::from_bytes(bytes), SnapshotSelector::All, &mut Discard)
}

#[test]
fn cut_anywhere() {
    for name in SMALL {
        let bytes = data(name);
        for cut in 0..bytes.len() {
            let result = survives(&bytes[..cut]);
            assert!(result.is_err() || bytes[cut..].trim_ascii().is_empty(), "{name} cut at {cut}");
            crate::sniff(&bytes[..cut]);
            if cut % 16 == 0 {
                parse(&lines(&bytes[..cut], SnapshotSelector::All).0);
                let _ = crate::info(&Blob::from_bytes(&bytes[..cut]));
            }
        }
    }
}

/// heaps_v2 needs nothing that comes later, so every event before the cut is there.
#[test]
fn whole_events_before_a_cut_are_delivered() {
    let bytes = data("quirks-v2.json");
    let whole = sound(&bytes, SnapshotSelector::All).heaps;
    // Offsets after each event: the lines that hold nothing but its closing brace.
    let ends: Vec<usize> = memchr::memmem::find_iter(&bytes, b"\n  }").map(|at| at + 4).collect();
    assert_eq!(ends.len(), 5);
    for cut in 0..bytes.len() {
        let (text, _) = lines(&bytes[..cut], SnapshotSelector::All);
        let heaps = parse(&text).heaps;
        // Dumps 1 and 2 are one snapshot; the others follow in time.
        let n_whole = ends.iter().filter(|&&end| end <= cut).count();
        assert_eq!(heaps.len(), [0, 2, 3, 4, 5, 5][n_whole], "cut at {cut}");
        for (key, heap) in heaps {
            // The name of the process comes last.
            let mut expected = whole[&key].clone();
            expected.root.retain(|name, _| name != "process" || n_whole == 5);
            assert_eq!(heap, expected, "cut at {cut}");
        }
    }
}

#[test]
fn flipped_anywhere() {
    for name in SMALL {
        let bytes = data(name);
        for at in 0..bytes.len() {
            for flip in [1 << (at % 8), 0x20] {
                let mut bytes = bytes.clone();
                bytes[at] ^= flip;
                let _ = survives(&bytes);
            }
        }
    }
}

#[test]
fn only_the_array_form_may_stay_open() {
    let bytes = data("gen-v2-inc-unclosed.json");
    let whole = sound(&bytes, SnapshotSelector::All).heaps;
    assert_eq!(whole.len(), 12);
    let open = bytes.trim_ascii_end().strip_suffix(b",").unwrap_or(bytes.trim_ascii_end());
    for end in ["", "\n", ",", ",\n", "]", "\n]\n", ",]"] {
        let text = [open, end.as_bytes()].concat();
        assert_eq!(sound(&text, SnapshotSelector::All).heaps, whole, "{end:?}");
        let object = [b"{\"traceEvents\":", &text[..]].concat();
        let (text, result) = lines(&object, SnapshotSelector::All);
        assert!(result.is_err(), "{end:?}");
        assert_eq!(parse(&text).heaps, whole);
    }
    let closed = [b"{\"traceEvents\":", open, b"]}"].concat();
    assert_eq!(sound(&closed, SnapshotSelector::All).heaps, whole);
    let (_, result) = lines(&[open, b"] x"].concat(), SnapshotSelector::All);
    let message = result.expect_err("more follows").to_string();
    assert_eq!(message, format!("byte {}: something follows the end of the trace", open.len() + 2));
}

#[test]
fn nesting_does_not_recurse() {
    let depth = 1_000_000;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"dumps\":", "}]")] {
        let deep = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        for (before, after) in [
            ("", ""),
            ("[", "]"),
            ("{\"traceEvents\":", "}"),
            ("{\"metadata\":", ",\"traceEvents\":[]}"),
            ("[{\"args\":{\"dumps\":", "},\"ph\":\"v\"}]"),
            ("[{\"args\":{\"dumps\":{\"heaps\":{\"m\":{\"entries\":", "}}}},\"ph\":\"v\"}]"),
            ("[{\"args\":{\"dumps\":{\"heaps_v2\":{\"maps\":", "}}},\"ph\":\"v\"}]"),
            (
                "[{\"args\":{\"dumps\":{\"heaps_v2\":{\"allocators\":{\"m\":{\"nodes\":",
                "}}}}},\"ph\":\"v\"}]",
            ),
        ] {
            let text = format!("{before}{deep}{after}");
            // Some of these are legal, only without heaps; what counts is that the stack holds.
            let _ = survives(text.as_bytes());
            assert!(survives(&text.as_bytes()[..before.len() + depth]).is_err());
        }
    }
}

#[test]
fn rings_of_frames_are_cut_open() {
    let text = r#"[{"ph":"M","pid":1,"args":{"stackFrames":{
        "0":{"name":"a","parent":"2"},"1":{"name":"b","parent":"0"},"2":{"name":"c","parent":"1"},
        "3":{"name":"self","parent":"3"}}}},
        {"ph":"v","pid":1,"id":"1","ts":1,"args":{"dumps":{"heaps":{"m":{"entries":[
        {"bt":"","size":"10"},{"bt":"1","size":"8"},{"bt":"3","size":"2"}]}}}}}]"#;
    let stream = sound(text.as_bytes(), SnapshotSelector::Last);
    let seen = stream.heap(1, "m");
    assert_eq!(seen.frames.iter().map(String::as_str).collect::<Vec<_>>(), ["c", "c;a", "c;a;b", "self"]);
    assert_eq!(seen.total(), 16);
    assert_eq!(
        stream.metadata("chrome.warning"),
        ["process 1: frames that call each other in a ring, cut open in 2 places, first at \"b\""]
    );
}

/// A few bytes per allocator must not ask for a copy of a deep tree each.
#[test]
fn many_allocators_on_a_deep_tree_are_refused() {
    use std::fmt::Write;
    let depth = 5000;
    let mut text = r#"[{"ph":"M","pid":1,"args":{"stackFrames":{"0":{"name":"f"}"#.to_owned();
    for i in 1..depth {
        let _ = write!(text, ",\"{i}\":{{\"name\":\"f\",\"parent\":\"{}\"}}", i - 1);
    }
    text.push_str(r#"}}},{"ph":"v","pid":1,"ts":1,"args":{"dumps":{"heaps":{"#);
    for i in 0..200 {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(text, "{comma}\"m{i}\":{{\"entries\":[{{\"bt\":\"{}\",\"size\":\"1\"}}]}}", depth - 1);
    }
    text.push_str("}}}}]");
    let (lines, result) = lines(text.as_bytes(), SnapshotSelector::Last);
    let message = result.expect_err("too many").to_string();
    assert!(message.ends_with("more heaps than the frames of one process can serve"), "{message}");
    let n_roots = lines.matches("\"key\":\"heap.root\"").count();
    assert!((64..100).contains(&n_roots), "{n_roots}");
}

/// Two processes whose dumps come in opposite order make the reader start over for every snapshot; not for ever.
#[test]
fn dumps_that_overlap_in_time_end() {
    use std::fmt::Write;
    let trace = |n: u32, filler: usize| {
        let mut text = "[".to_owned();
        for i in 0..n {
            for (pid, ts) in [(1, i), (2, n - i)] {
                let comma = if text.len() > 1 { "," } else { "" };
                let strings = format!("{{\"id\":{i},\"string\":\"{}\"}}", "x".repeat(filler));
                let _ = write!(
                    text,
                    "{comma}{{\"ph\":\"v\",\"pid\":{pid},\"id\":\"{i}\",\"ts\":{ts},\"args\":{{\"dumps\":{{\"heaps_v2\":\
                     {{\"maps\":{{\"strings\":[{strings}],\"nodes\":[{{\"id\":{},\"name_sid\":{i}}}]}},\
                     \"allocators\":{{\"m\":{{\"nodes\":[{}],\"sizes\":[7]}}}}}}}}}}}}",
                    i + 1,
                    i + 1
                );
            }
        }
        text + "]"
    };
    let few = sound(trace(10, 1).as_bytes(), SnapshotSelector::All);
    assert_eq!(few.heaps.len(), 20);
    assert!(few.heaps.values().all(|seen| seen.total() == 7 && seen.frames.len() == 1));
    let (_, result) = lines(trace(300, 100).as_bytes(), SnapshotSelector::All);
    let message = result.expect_err("too often").to_string();
    assert!(message.contains("overlap in time too often"), "{message}");
}

#[test]
fn damage_inside_a_dump_spares_the_others() {
    // Balanced, so the first pass sees nothing wrong with it.
    let text = r#"[{"ph":"v","pid":1,"id":"1","ts":1,"args":{"dumps":{"heaps_v2":{"allocators":{"m":{"nodes":[1 2],"sizes":[3]}}}}}},
        {"ph":"v","pid":2,"id":"1","ts":2,"args":{"dumps":{"heaps_v2":{"allocators":{"m":{"nodes":[0],"sizes":[3]}}}}}},
        {"ph":"v","pid":3,"id":"1","ts":3,"args":{"dumps":"{\"heaps_v2\":{\"allocators\":{\"m\":{\"nodes\":[0],\"sizes\":[x]}}}}"}}]"#;
    let (lines, result) = lines(text.as_bytes(), SnapshotSelector::Last);
    let at = text.find("2],").expect("there");
    assert_eq!(result.expect_err("damaged").to_string(), format!("byte {at}: expected a comma"));
    let stream = parse(&lines);
    assert_eq!(stream.heaps.len(), 1);
    assert_eq!(stream.heap(2, "m").total(), 3);
}
