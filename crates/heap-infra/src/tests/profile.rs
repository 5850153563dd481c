//! Sampling heap profiles.

use heap_base::Blob;
use heap_record::{Fact, SnapshotSelector};

use super::{data, lines, parse, sound};
use crate::profile;

#[test]
fn a_profile_of_node_20() {
    let bytes = data("alloc-sampling-node20.heapprofile");
    let reference: serde_json::Value = serde_json::from_slice(&bytes).expect("valid");
    let stream = sound(&bytes, SnapshotSelector::Last);
    assert_eq!(stream.metadata("target_source"), ["v8.heapprofile"]);
    let frames: Vec<_> = stream.nodes.iter().filter(|n| n["subtype"] != 3).collect();
    assert_eq!(frames.len(), 65);
    let size: u64 = stream.nodes.iter().filter_map(|n| n["heap"]["size"].as_u64()).sum();
    assert_eq!(size, 9_433_952);
    let count: u64 = stream.nodes.iter().filter_map(|n| n["heap"]["count"].as_u64()).sum();
    assert_eq!(count, 603);
    // Every node of the file, in the same order, by an explicit walk.
    let mut stack = vec![(&reference["head"], 0)];
    let mut walked = Vec::new();
    while let Some((node, parent)) = stack.pop() {
        let index = walked.len();
        walked.push((node, parent));
        let children = node["children"].as_array().expect("children");
        stack.extend(children.iter().rev().map(|child| (child, index)));
    }
    for (i, ((node, parent), frame)) in walked.iter().zip(&frames).enumerate() {
        assert_eq!(frame["identifier"], 2 * i + 1);
        assert_eq!(frame["v8"]["node_id"], node["id"]);
        let call = &node["callFrame"];
        if i > 0 {
            let calls = stream.edges.iter().find(|e| e["dest"] == frame["identifier"]).expect("a caller");
            assert_eq!(calls["source"], 2 * parent + 1);
            assert_eq!(stream.string(&frame["function"]).as_deref(), call["functionName"].as_str());
            assert_eq!(stream.string(&frame["script_name"]).as_deref(), call["url"].as_str());
            let line = call["lineNumber"].as_i64().filter(|&n| n >= 0).map(|n| n + 1);
            assert_eq!(frame["line"].as_i64(), line);
        }
        let own = stream.edges.iter().find(|e| e["subtype"] == 2 && e["source"] == frame["identifier"]);
        let own = own.and_then(|e| stream.nodes.iter().find(|n| n["identifier"] == e["dest"]));
        assert_eq!(own.map_or(Some(0), |n| n["heap"]["size"].as_u64()), node["selfSize"].as_u64());
    }
    assert_eq!(stream.others.len(), 603);
    let sampled: u64 = stream.others.iter().filter_map(|sample| sample["size"].as_u64()).sum();
    assert_eq!(stream.metadata("heap.sampled"), [(sampled / 603).to_string()]);
    let info = profile::info(&Blob::from_bytes(bytes)).expect("info");
    assert_eq!(info.facts[0], ("nodes", Fact::Int(65)));
    assert_eq!(info.facts[2], ("size", Fact::Bytes(9_433_952)));
}

#[test]
fn samples_may_come_first_and_be_of_unknown_nodes() {
    let text = r#"{"samples":[{"size":8,"nodeId":2,"ordinal":1},{"size":8,"nodeId":9,"ordinal":2},{"size":1}],
        "head":{"children":[{"selfSize":16,"id":2,"callFrame":{"functionName":"f","lineNumber":0}}],"id":1}}"#;
    assert!(profile::sniff(text.as_bytes()));
    let stream = sound(text.as_bytes(), SnapshotSelector::Last);
    assert_eq!(stream.metadata("v8.warning"), ["2 samples of nodes that the tree lacks"]);
    assert_eq!(stream.metadata("heap.sampled"), ["8"]);
    let allocation = stream.nodes.last().expect("an allocation");
    assert_eq!((&allocation["heap"]["size"], &allocation["heap"]["count"]), (&16.into(), &1.into()));
    assert_eq!(stream.nodes[1]["line"], 1);
    assert_eq!(stream.nodes[1].get("column"), None);
}

#[test]
fn nesting_does_not_recurse() {
    let depth = 300_000;
    let mut text = r#"{"head":{"callFrame":{},"selfSize":1,"children":[{"#.to_owned();
    text.push_str(&r#""selfSize":1,"children":[{"#.repeat(depth));
    let (cut, result) = lines(text.as_bytes(), SnapshotSelector::Last);
    assert!(result.is_err());
    assert_eq!(cut.matches("\"subtype\":2,\"identifier\"").count(), depth + 1);
    text.push_str(&"}]".repeat(depth + 1));
    text.push_str("}}");
    assert!(lines(text.as_bytes(), SnapshotSelector::Last).1.is_ok());
}

#[test]
fn damage_does_no_harm() {
    let bytes = data("alloc-sampling-node20.heapprofile");
    let whole = sound(&bytes, SnapshotSelector::Last).nodes.len();
    for cut in (0..bytes.len()).step_by(31).chain(bytes.len() - 20..bytes.len()) {
        let (text, result) = lines(&bytes[..cut], SnapshotSelector::Last);
        assert!(result.is_err() || bytes[cut..].trim_ascii().is_empty(), "{cut}");
        assert!(parse(&text).nodes.len() <= whole);
    }
    for at in (0..bytes.len()).step_by(23) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        let _ = lines(&flipped, SnapshotSelector::All);
    }
    assert!(lines(&bytes, SnapshotSelector::Number(1)).1.is_err());
}

#[test]
fn a_small_profile_cut_and_flipped_at_every_byte() {
    let text = r#"{"head":{"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"selfSize":0,"id":1,"children":[{"callFrame":{"functionName":"f \u00e9","scriptId":"7","url":"file:///a.js","lineNumber":2,"columnNumber":3},"selfSize":96,"id":2,"children":[]}]},"samples":[{"size":48,"nodeId":2,"ordinal":1}]}"#;
    let bytes = text.as_bytes();
    let whole = sound(bytes, SnapshotSelector::Last).nodes.len();
    for at in 0..bytes.len() {
        let (cut, result) = lines(&bytes[..at], SnapshotSelector::Last);
        assert!(result.is_err(), "{at}");
        assert!(parse(&cut).nodes.len() <= whole, "{at}");
        for mask in [1, 0x20, 0x80, 0xff] {
            let mut flipped = bytes.to_vec();
            flipped[at] ^= mask;
            let _ = lines(&flipped, SnapshotSelector::All);
        }
    }
}
