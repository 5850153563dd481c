//! Secrets planted in a heap, and looked for in what heap-redact makes of it.

use crate::harness::{Scratch, v8_sample};

/// Pieces that no token has by chance: runs of this many characters of a planted text.
const RUN: usize = 6;

/// A V8 snapshot with planted texts: as contents, as the names of properties, in both, in the parts of a
/// concatenated string, in the parent of a sliced one, as the name of a function, a class and a script.
fn planted() -> (String, Vec<&'static str>) {
    let texts = [
        "value+Zanzibar:quixotic",
        "Walrus & gherkin",
        "first half, Marmalade",
        "second half; Xylophone",
        "Oomph of slices / Ombudsman",
        "Flibbertigibbet!",
        "Kerfuffle?",
        "file:///Rigmarole/Wherewithal.js",
        "(Bamboozle|Skedaddle)+",
        "lone \\ud83e Nincompoop",
    ];
    let sample = v8_sample();
    let (head, tail) = sample.split_once("\"nodes\":[").expect("a snapshot");
    let (nodes, tail) = tail.split_once("],\n\"edges\":[").expect("a snapshot");
    let (edges, tail) = tail.split_once("],\n\"trace").expect("a snapshot");
    let strings = 15;
    // type, name, id, size, edges, trace, detachedness; the first holds all others.
    let more = [
        [3, 4, 7001, 8, 11, 0, 0],
        [2, strings, 7003, 8, 0, 0, 0],
        [2, strings + 1, 7005, 8, 0, 0, 0],
        [10, 16 + strings, 7007, 8, 2, 0, 0],
        [2, strings + 2, 7009, 8, 0, 0, 0],
        [2, strings + 3, 7011, 8, 0, 0, 0],
        [11, 17 + strings, 7013, 8, 1, 0, 0],
        [2, strings + 4, 7015, 8, 0, 0, 0],
        [5, strings + 5, 7017, 8, 0, 0, 0],
        [3, strings + 6, 7019, 8, 0, 0, 0],
        [4, strings + 7, 7021, 8, 0, 0, 0],
        [6, strings + 8, 7023, 8, 0, 0, 0],
        [2, strings + 9, 7025, 8, 0, 0, 0],
    ];
    let node = |n: i32| (11 + n) * 7;
    let mut links: Vec<[i32; 3]> =
        (1..=9).map(|n| [2, strings + 1, node([1, 2, 3, 6, 8, 9, 10, 11, 12][n - 1])]).collect();
    links.push([0, strings + 1, node(1)]);
    links.push([2, strings + 5, node(8)]);
    links.extend([[3, 7, node(4)], [3, 7, node(5)], [3, 7, node(7)]]);
    let flat = |rows: Vec<String>| rows.join(",");
    let rows = |n: &[i32]| n.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let more_nodes = flat(more.iter().map(|n| rows(n)).collect());
    let more_edges = flat(links.iter().map(|n| rows(n)).collect());
    let all: Vec<String> = texts
        .iter()
        .copied()
        .chain(["-", "-", "-", "-", "-", "-", "(concatenated string)", "(sliced string)"])
        .map(|text| format!(",\n\"{text}\""))
        .collect();
    let head = head
        .replace("\"node_count\":11", "\"node_count\":24")
        .replace("\"edge_count\":11", "\"edge_count\":25");
    let tail = tail.replace("]}", &format!("{}]}}", all.concat()));
    let text =
        format!("{head}\"nodes\":[{nodes},{more_nodes}],\n\"edges\":[{edges},{more_edges}],\n\"trace{tail}");
    (text, texts.to_vec())
}

/// The planted texts of which a run of characters is left.
fn left<'a>(out: &str, texts: &[&'a str]) -> Vec<&'a str> {
    let found = |text: &&&str| {
        text.as_bytes().windows(RUN).any(|run| memchr::memmem::find(out.as_bytes(), run).is_some())
    };
    texts.iter().filter(found).copied().collect()
}

#[test]
fn what_is_redacted_is_nowhere_in_the_output() {
    let scratch = Scratch::new();
    let (snapshot, texts) = planted();
    scratch.write("planted.heapsnapshot", &snapshot);
    let run = |flags: &str| {
        let direct = scratch.run(&format!("heap-redact {flags} planted.heapsnapshot")).quiet(0).out;
        let view = format!("heap-names planted.heapsnapshot | heap-redact {flags}");
        let view = scratch.run(&view).quiet(0).out;
        let found = left(&direct, &texts);
        assert_eq!(found, left(&view, &texts), "{flags}");
        found
    };
    assert_eq!(left(&snapshot, &texts), texts, "they are planted");
    assert_eq!(run(""), [texts[1], texts[5], texts[6], texts[7]], "names and labels stay");
    assert_eq!(run("--labels"), texts[5..8]);
    assert_eq!(run("--files"), [texts[1], texts[5], texts[6]]);
    assert_eq!(run("--names"), [texts[1], texts[5]]);
    assert_eq!(run("--labels --names"), [""; 0]);
    assert_eq!(run("--all"), [""; 0]);
    assert_eq!(run("--all --keep '*Marmalade'"), [texts[2]]);
}

#[test]
fn sizes_and_shape_stay() {
    let scratch = Scratch::new();
    scratch.write("planted.heapsnapshot", planted().0);
    let fields =
        ["identifier", "retained", "idom", "distance"].map(|field| format!("\"{field}\":[0-9]*")).join("\\|");
    let retained = format!("heap-dom | heap-cat --only node | grep -o '{fields}' | cksum");
    for file in ["planted.heapsnapshot", "app.dartheap", "app.mvmheap", "x.ndjson"] {
        let before = scratch.run(&format!("cat {file} | {retained}")).quiet(0).out;
        let after = scratch.run(&format!("heap-redact --all {file} | {retained}")).quiet(0).out;
        assert!(before != scratch.run("cksum < /dev/null").out);
        assert_eq!(before, after, "{file}");
    }
    // V8's own form says by the labels of WeakMap entries what depends on what.
    let file = "data/v8/varied.heapsnapshot.zst";
    let before = scratch.run(&format!("cat {file} | {retained}")).quiet(0).out;
    for flags in ["", "--all"] {
        let after =
            scratch.run(&format!("heap-redact {flags} {file} | heap-to v8 | {retained}")).quiet(0).out;
        assert_eq!(before, after, "{flags}");
    }
}

#[test]
fn labels_of_weak_entries_tell_no_contents() {
    let scratch = Scratch::new();
    let (snapshot, _) = planted();
    let texts = [
        ("Cattywampus", "Cattywampus"),
        ("Gobbledygook", "Gobbledygook, ada@example.com"),
        ("Collywobbles", "lines:\\nCollywobbles"),
        ("Hullabaloo", "@5) -> value (Hullabaloo @7"),
    ];
    for (word, value) in texts {
        let label =
            format!("1 / part of key (Key @7001) -> value ({value} @7003) pair in WeakMap (table @7019)");
        // "Walrus" is the label of nearly all edges there.
        let snapshot = snapshot.replace("value+Zanzibar:quixotic", value).replace("Walrus & gherkin", &label);
        assert_eq!(snapshot.matches(value).count(), 2);
        scratch.write("weak.heapsnapshot", &snapshot);
        for flags in ["", "--labels", "--all"] {
            for script in [
                format!("heap-redact {flags} weak.heapsnapshot"),
                format!("heap-names weak.heapsnapshot | heap-redact {flags}"),
                format!("heap-redact {flags} weak.heapsnapshot | heap-to v8"),
            ] {
                let out = scratch.run(&script).quiet(0).out;
                assert_eq!(left(&out, &[word]), [""; 0], "{script}");
                assert!(out.contains(" @7003) pair in WeakMap (table @7019)\""), "{script}");
            }
        }
    }
}
