//! The worked example of the "Heap Dump Format" proposal in all formats, and recordings of real browsers.

use heap_record::SnapshotSelector;

use super::{Seen, data, sound};
use crate::heap::Format;

/// The table of the proposal: own bytes by backtrace and type.
const TABLE: [(&str, [u64; 4]); 9] = [
    ("", [2, 3, 5, 7]),
    ("BrMain", [7, 11, 13, 2]),
    ("BrMain;Init", [151, 5, 3, 83]),
    ("BrMain;MsgLp", [307, 2, 281, 11]),
    ("RdMain", [3, 7, 17, 2]),
    ("RdMain;RTask", [211, 3, 5, 337]),
    ("RdMain;FnA", [2, 0, 7, 11]),
    ("RdMain;FnB", [13, 3, 2, 5]),
    ("ColdFn", [2, 5, 7, 3]),
];
const TYPES: [&str; 4] = ["T", "U", "V", "W"];

/// The twenty entries that the figure of the proposal shows.
const FIGURE: [(u64, &str, Option<&str>); 20] = [
    (1538, "", None),
    (876, "BrMain", None),
    (628, "RdMain", None),
    (698, "", Some("T")),
    (340, "", Some("V")),
    (461, "", Some("W")),
    (242, "BrMain;Init", None),
    (601, "BrMain;MsgLp", None),
    (556, "RdMain;RTask", None),
    (465, "BrMain", Some("T")),
    (297, "BrMain", Some("V")),
    (96, "BrMain", Some("W")),
    (229, "RdMain", Some("T")),
    (355, "RdMain", Some("W")),
    (151, "BrMain;Init", Some("T")),
    (83, "BrMain;Init", Some("W")),
    (307, "BrMain;MsgLp", Some("T")),
    (281, "BrMain;MsgLp", Some("V")),
    (211, "RdMain;RTask", Some("T")),
    (337, "RdMain;RTask", Some("W")),
];

fn seed(name: &str, format: Format) -> Seen {
    let stream = sound(&data(name), SnapshotSelector::Last);
    assert_eq!(stream.metadata("heap.root"), ["1"]);
    assert_eq!(stream.metadata("target_pid"), ["42"]);
    assert_eq!(stream.metadata("chrome.snapshot"), [""; 0]);
    let seen = stream.heap(42, "partition_alloc").clone();
    assert_eq!(seen.root["format"], format.name());
    assert_eq!(seen.root["process"], "Browser");
    for odd in ["exact", "skipped", "unresolved", "inconsistent"] {
        assert_eq!(seen.root.get(odd), None, "{odd}");
    }
    seen
}

fn check_cumulative(seen: &Seen) {
    for (class, total) in TYPES.into_iter().zip([698, 39, 340, 461]) {
        assert_eq!(seen.cumulative("", Some(class)), total, "{class}");
    }
    check_totals(seen);
}

fn check_totals(seen: &Seen) {
    for (path, total) in [("", 1538), ("BrMain", 876), ("RdMain", 628), ("ColdFn", 17)] {
        assert_eq!(seen.cumulative(path, None), total, "{path}");
    }
}

#[test]
fn the_worked_example_as_rows() {
    let seen = seed("seed-example-v2.json", Format::V2);
    for (path, cells) in TABLE {
        for (class, size) in TYPES.into_iter().zip(cells) {
            let own = seen.own.get(&(path.to_owned(), Some(class.to_owned()))).map_or(0, |(size, _)| *size);
            assert_eq!(own, size, "{path} {class}");
        }
    }
    assert_eq!(seen.n_rows, 35, "the cell that is zero has no row");
    let stream = sound(&data("seed-example-v2.json"), SnapshotSelector::Last);
    let count = |node: &serde_json::Value| node["heap"]["count"].as_u64().expect("every node has a count");
    assert_eq!(stream.nodes.iter().map(count).sum::<u64>(), 35, "roots and frames are no objects");
    check_cumulative(&seen);
    assert!(seen.cells.is_empty());
}

#[test]
fn the_worked_example_cut_as_in_the_figure() {
    let seen = seed("seed-example-v1-cut40.json", Format::V1);
    assert_eq!(seen.cells.len(), FIGURE.len());
    for (size, path, class) in FIGURE {
        assert_eq!(
            seen.cells[&(path.to_owned(), class.map(str::to_owned))],
            (size, None),
            "{path} {class:?}"
        );
    }
    // What the figure calls <other> along the frame axis, and what the leaves hold, by T, V, W and the rest.
    let own = |path: &str| {
        let own = |class: &str| seen.own.get(&(path.to_owned(), Some(class.to_owned())));
        ["T", "V", "W", "<other>"].map(|class| own(class).map_or(0, |(size, _)| *size))
    };
    // The root has 34 of its own and types that lack 4, 43 and 10: of V, 23 must be below. So with BrMain.
    assert_eq!(own(""), [4, 20, 10, 0]);
    assert_eq!(own("BrMain"), [7, 16, 10, 0]);
    assert_eq!(own("RdMain"), [18, 23, 18, 13]);
    assert_eq!(own("BrMain;Init"), [151, 0, 83, 8]);
    assert_eq!(own("BrMain;MsgLp"), [307, 281, 3, 10]);
    assert_eq!(own("RdMain;RTask"), [211, 0, 337, 8]);
    assert_eq!((seen.n_rows, &seen.root["unplaced"]), (20, &26.into()));
    for (class, total) in [("T", 698), ("V", 340), ("W", 461), ("<other>", 39)] {
        assert_eq!(seen.cumulative("", Some(class)), total, "{class}");
    }
    for (path, total) in [("", 1538), ("BrMain", 876), ("RdMain", 628)] {
        assert_eq!(seen.cumulative(path, None), total, "{path}");
    }
    let stream = sound(&data("seed-example-v1-cut40.json"), SnapshotSelector::Last);
    let open = stream.nodes.iter().filter(|node| node["subtype"] == 3 && node["chrome"]["exact"] == false);
    assert_eq!(open.map(|node| node["heap"]["size"].as_u64()).collect::<Vec<_>>(), [Some(23), Some(3)]);
}

#[test]
fn the_worked_example_uncut() {
    let cumulative = |path: &str, class: Option<usize>| -> u64 {
        let below = TABLE.iter().filter(|(at, _)| {
            path.is_empty() || *at == path || at.strip_prefix(path).is_some_and(|rest| rest.starts_with(';'))
        });
        below.map(|(_, cells)| class.map_or(cells.iter().sum::<u64>(), |c| cells[c])).sum()
    };
    for (name, n_cells, n_frames) in
        [("seed-example-v1-full.json", 44, 8), ("seed-example-v1-full-self.json", 59, 11)]
    {
        let seen = seed(name, Format::V1);
        assert_eq!((seen.cells.len(), seen.frames.len()), (n_cells, n_frames), "{name}");
        for (path, cells) in TABLE {
            for (i, class) in TYPES.into_iter().enumerate() {
                let cell = seen.cells.get(&(path.to_owned(), Some(class.to_owned())));
                let expected = cumulative(path, Some(i));
                assert_eq!(cell.map_or(0, |(size, _)| *size), expected, "{name} {path} {class}");
            }
            assert_eq!(seen.cells[&(path.to_owned(), None)].0, cumulative(path, None), "{name} {path}");
            // Nothing is left out, so own bytes are those of the table.
            let own = format!("{path};<self>");
            let own = own.strip_prefix(';').unwrap_or(&own);
            let at = if seen.frames.contains(own) { own } else { path };
            for (class, size) in TYPES.into_iter().zip(cells) {
                let own = seen.own.get(&(at.to_owned(), Some(class.to_owned())));
                assert_eq!(own.map_or(0, |(size, _)| *size), size, "{name} {path} {class}");
            }
        }
        assert_eq!((seen.n_rows, seen.root.get("unplaced")), (35, None));
        check_cumulative(&seen);
    }
    let seen = seed("seed-example-v1-cut1024.json", Format::V1);
    assert_eq!((seen.total(), seen.cells.len(), seen.frames.len()), (1538, 1, 0));
}

#[test]
fn the_worked_example_in_the_previous_format() {
    let seen = seed("seed-example-v1-old.json", Format::Previous);
    assert_eq!(seen.frames.len(), 17, "eight frames and nine <self>");
    assert_eq!(seen.n_rows, 9);
    for (path, cells) in TABLE {
        let own = if path.is_empty() { "<self>".to_owned() } else { format!("{path};<self>") };
        let own = seen.own[&(own, Some("<other>".to_owned()))];
        assert_eq!(own, (cells.iter().sum(), None), "{path}");
    }
    check_totals(&seen);
    assert_eq!(seen.cells.len(), 10);

    let seen = seed("seed-example-v1-old-cells.json", Format::Previous);
    assert_eq!((seen.frames.len(), seen.cells.len()), (17, 49));
    for (path, cells) in TABLE {
        let own = if path.is_empty() { "<self>".to_owned() } else { format!("{path};<self>") };
        for (class, size) in TYPES.into_iter().zip(cells) {
            let cell = seen.own.get(&(own.clone(), Some(class.to_owned())));
            assert_eq!(cell.map_or(0, |(size, _)| *size), size, "{path} {class}");
        }
    }
    check_cumulative(&seen);
    assert_eq!(seen.cells[&(String::new(), Some("U".to_owned()))].0, 39, "a column sum");
}

#[test]
fn chromium_56_has_eight_dumps() {
    let stream = sound(&data("chromium-056-v1.json.gz"), SnapshotSelector::All);
    assert_eq!(stream.metadata("heap.snapshot"), ["0", "1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(stream.metadata("chrome.product"), ["qtapp.py/"]);
    assert_eq!(stream.heaps.len(), 16);
    for snapshot in 0..8 {
        let seen = &stream.heaps[&(snapshot, 27003, "partition_alloc".to_owned())];
        assert_eq!(seen.total(), 1_327_301);
        let buffers =
            seen.own.iter().filter(|((_, ty), _)| ty.as_deref() == Some("WTF::ArrayBufferContents"));
        let buffers =
            buffers.fold((0, 0), |sum, (_, (size, count))| (sum.0 + size, sum.1 + count.unwrap_or(0)));
        assert_eq!(buffers, (512_000, 2000));
        assert_eq!((seen.frames.len(), seen.n_cells), (57, 431));
        assert_eq!(seen.cells[&(String::new(), None)], (1_327_301, Some(10_456)));
        let seen = &stream.heaps[&(snapshot, 27003, "blink_gc".to_owned())];
        assert_eq!(seen.total(), 257_040);
        assert_eq!((seen.frames.len(), seen.n_cells), (30, 238));
        let typed = seen.cells.iter().filter(|((path, class), _)| path.is_empty() && class.is_some());
        assert_eq!(typed.map(|(_, (size, _))| size).sum::<u64>(), 257_040 - 28_216);
        assert!(
            seen.cells.keys().all(|(_, class)| class
                .as_ref()
                .is_none_or(|c| !(c.contains("WTF::get") && c.ends_with(']'))))
        );
    }
    let last = sound(&data("chromium-056-v1.json.gz"), SnapshotSelector::Last);
    assert_eq!(last.metadata("chrome.dump_id"), ["0xaf8adf4c864436ad"]);
    assert_eq!(last.metadata("chrome.ts"), ["1286831736"]);
    assert_eq!(last.metadata("chrome.snapshot"), ["7"]);
    assert_eq!(last.metadata("heap.snapshot"), [""; 0]);
}

#[test]
fn chromium_66_names_types_with_a_capital_letter() {
    let stream = sound(&data("chromium-066-v1-pseudo.json.gz"), SnapshotSelector::Number(0));
    let recorded: Vec<_> = stream.others.iter().filter(|o| o.get("recorded").is_some()).collect();
    assert!(!recorded.is_empty());
    for record in recorded {
        let class = stream.string(&record["class"]).expect("a class");
        let text = stream.string(&record["recorded"]).expect("a recorded name");
        assert_eq!(text, format!("const char *WTF::GetStringWithTypeName() [T = {class}]"));
    }
    let sizes: Vec<_> =
        stream.heaps.iter().map(|((_, pid, a), seen)| (*pid, a.as_str(), seen.n_cells)).collect();
    assert_eq!(
        sizes,
        [
            (19921, "malloc", 337),
            (19942, "blink_gc", 165),
            (19942, "malloc", 333),
            (19942, "partition_alloc", 284)
        ]
    );
    for seen in stream.heaps.values() {
        assert_eq!(seen.total(), seen.cells[&(String::new(), None)].0);
        assert_eq!(seen.root.get("inconsistent"), None);
    }
}

/// Two processes out of a recording of Chromium 150; type 1 of the first dump is another type in the second.
#[test]
fn chromium_150_agrees_with_its_own_totals() {
    let bytes = data("chromium-150-v2-excerpt.json.gz");
    let stream = sound(&bytes, SnapshotSelector::All);
    assert_eq!(stream.metadata("chrome.dump_id"), ["0x3", "0x5"]);
    let totals = |snapshot, pid| stream.heaps[&(snapshot, pid, "malloc".to_owned())].total();
    assert_eq!([totals(0, 24415), totals(0, 24416)], [210_000, 150_000]);
    let reported: u64 = stream
        .others
        .iter()
        .filter(|o| o["type"] == "chrome.total")
        .map(|o| {
            assert!(stream.string(&o["allocator"]).is_some_and(|a| a == "malloc"));
            if stream.string(&o["attribute"]).is_some_and(|a| a == "size") { number(&o["value"]) } else { 0 }
        })
        .sum();
    let read: u64 = stream.heaps.values().map(Seen::total).sum();
    assert_eq!(reported, read);
    // A single dump read alone is the same as read after the others.
    for snapshot in 0..2 {
        let alone = sound(&bytes, SnapshotSelector::Number(snapshot));
        for ((_, pid, allocator), seen) in &alone.heaps {
            assert_eq!(seen, &stream.heaps[&(snapshot, *pid, allocator.clone())]);
        }
        assert_eq!(alone.heaps.len(), 2);
    }
}

fn number(value: &serde_json::Value) -> u64 {
    super::number(value).expect("a number")
}

#[test]
fn code_addresses_are_module_and_offset() {
    let stream = sound(&data("chromium-150-v2-excerpt.json.gz"), SnapshotSelector::Last);
    let frames = stream.nodes.iter().filter(|n| n["subtype"] == 2);
    let (mut n_resolved, mut n_frames) = (0, 0);
    let regions: Vec<_> = stream.others.iter().filter(|o| o["type"] == "chrome.region").collect();
    for frame in frames {
        n_frames += 1;
        let function = stream.string(&frame["function"]).expect("a function");
        let Some(module) = stream.string(&frame["chrome"]["module"]) else { continue };
        n_resolved += 1;
        let offset = number(&frame["chrome"]["offset"]);
        let base = module.rsplit('/').next().unwrap_or_default();
        assert_eq!(stream.string(&frame["heap"]["name"]), Some(format!("{base}+{offset:#x}")));
        // The file's lowest region plus the offset is the address.
        let of_process = regions.iter().filter(|r| r["pid"] == frame["chrome"]["pid"]);
        let of_file = of_process.filter(|r| stream.string(&r["file"]).as_deref() == Some(&module));
        let lowest = of_file.map(|r| number(&r["start"])).min().expect("the region is emitted");
        assert_eq!(function, format!("pc:{:x}", lowest + offset));
    }
    assert!(n_resolved * 10 > n_frames * 9, "{n_resolved} of {n_frames}");
}
