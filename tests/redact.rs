//! Secrets planted in a heap, and looked for in what heap-redact makes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;

use crate::harness::{Scratch, root, v8_sample};

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

/// The sample dumps, each unpacked, with their names.
fn dumps() -> Vec<(String, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join("tests/data")]);
    while let Some(folder) = folders.pop() {
        let entries =
            std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let (inner, files): (Vec<PathBuf>, Vec<_>) = entries.partition(|path| path.is_dir());
        folders.extend(
            inner.into_iter().filter(|path| !path.ends_with("parquet") && !path.ends_with("regressions")),
        );
        found.extend(files);
    }
    found.sort();
    let dump = |path: PathBuf| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        // What is damaged on purpose, and what is no dump.
        let other = ["README.md", "bad-", ".py", ".js", ".java", "cut", "killed", "late"];
        if other.iter().any(|word| name.contains(word) && !name.contains(".json") || name.starts_with(word)) {
            return None;
        }
        let raw = std::fs::read(&path).expect("a sample");
        let plain = match name.rsplit_once('.')?.1 {
            "zst" => zstd::decode_all(&raw[..]).ok()?,
            "gz" => {
                let mut plain = Vec::new();
                flate2::read::GzDecoder::new(&raw[..]).read_to_end(&mut plain).ok()?;
                plain
            }
            _ => raw,
        };
        Some((name, plain))
    };
    found
        .into_iter()
        .filter_map(dump)
        .filter(|(name, plain)| plain.len() < 1 << 20 || name == "shop-node22.core.zst")
        .collect()
}

/// Ways to write a secret, each with the secret itself.
fn written(random: &mut impl FnMut() -> u8, length: usize, kind: usize) -> (String, String) {
    let mut letters = |n: usize| -> String { (0..n).map(|_| char::from(b'a' + random() % 26)).collect() };
    match kind % 4 {
        1 if length.is_multiple_of(4) => {
            let plain = letters(length / 4 * 3);
            (base64(plain.as_bytes()), plain)
        }
        2 if length.is_multiple_of(2) && length >= 16 => {
            let plain = letters(length / 2);
            (hex(plain.as_bytes()), plain)
        }
        3 if length.is_multiple_of(3) && length >= 18 => {
            let plain = letters(length / 3);
            (digits("%", plain.as_bytes()), plain)
        }
        _ => {
            let plain = letters(length);
            (plain.clone(), plain)
        }
    }
}

/// Each byte in hexadecimal digits, with this in front.
fn digits(front: &str, bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{front}{b:02x}");
        out
    })
}

fn hex(bytes: &[u8]) -> String {
    digits("", bytes)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let three =
        |part: &[u8]| part.iter().fold(0u32, |all, &b| all << 8 | u32::from(b)) << (8 * (3 - part.len()));
    let letter = |bits: u32, i: usize| char::from(LETTERS[(bits >> (18 - 6 * i) & 63) as usize]);
    bytes
        .chunks(3)
        .flat_map(|part| (0..4).map(move |i| if i > part.len() { '=' } else { letter(three(part), i) }))
        .collect()
}

/// All forms in which a secret could still be in a text.
fn forms(secret: &str) -> Vec<String> {
    let units: Vec<u8> = secret.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let little: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let percent = digits("%", secret.as_bytes());
    vec![
        secret.to_owned(),
        base64(secret.as_bytes()),
        hex(secret.as_bytes()),
        hex(&units),
        hex(&little),
        percent,
    ]
}

/// The words of a stream that are the program's: of ten letters and more, in strings and in metadata.
fn words(stream: &str) -> Vec<String> {
    let mut words = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for line in stream.lines() {
        let of = |text: &str| -> Vec<String> {
            let words =
                text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| (10..40).contains(&word.len()));
            words.map(str::to_owned).collect()
        };
        if line.starts_with("{\"type\":\"string\"") {
            let record: Value = serde_json::from_str(line).expect("a record");
            words.extend(of(record["data"].as_str().unwrap_or_default()));
        } else if !line.starts_with("{\"type\":\"node\"") && !line.starts_with("{\"type\":\"edge\"") {
            taken.extend(of(line));
        }
    }
    words.into_iter().filter(|word| !taken.contains(word)).collect()
}

#[test]
fn hundreds_of_secrets_in_all_formats_are_gone() {
    let scratch = Scratch::new();
    let mut seed = 7u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 40) as u8
    };
    let mut planted = 0;
    let mut by_form = [0usize; 4];
    let check = |name: &str, script: &str, secrets: &[(String, String)]| {
        let run = scratch.run(script);
        assert_eq!(run.status, Some(0), "{name}: {}", run.err);
        for (text, plain) in secrets {
            let mut left = forms(plain).into_iter().chain([text.clone()]);
            let found = left.find(|form| memchr::memmem::find(run.out.as_bytes(), form.as_bytes()).is_some());
            assert_eq!(found, None, "{name}: {script}: {text}");
        }
    };
    for (number, (name, mut dump)) in dumps().into_iter().enumerate() {
        scratch.write("dump", &dump);
        let stream = scratch.run("heap-cat --only metadata,type,node_type,edge_type,string dump");
        if stream.status != Some(0) {
            continue;
        }
        let mut secrets = Vec::new();
        for (i, word) in words(&stream.out).into_iter().enumerate() {
            let places: Vec<_> = memchr::memmem::find_iter(&dump, word.as_bytes()).collect();
            if places.is_empty() || secrets.len() == 12 {
                continue;
            }
            let (text, plain) = written(&mut random, word.len(), i);
            assert_eq!(text.len(), word.len());
            for at in places {
                dump[at..at + text.len()].copy_from_slice(text.as_bytes());
            }
            secrets.push((text, plain));
            by_form[i % 4] += 1;
        }
        if secrets.is_empty() {
            continue;
        }
        scratch.write("dump", &dump);
        // A dump that its reader takes no more says nothing.
        if scratch.run("heap-cat dump").status != Some(0) {
            continue;
        }
        planted += secrets.len();
        check(&name, "heap-redact --all dump", &secrets);
        check(&name, "heap-names dump | heap-redact --all", &secrets);
        let targets: &[&str] = match name.rsplit('.').nth(1) {
            Some("mvmheap" | "heapsnapshot") if dump.len() < 1 << 20 => {
                let all = &["v8", "hprof", "dart", "moarvm", "sqlite"];
                &all[number % 3..][..3]
            }
            _ => &[],
        };
        for target in targets {
            let script =
                format!("rm -f copy; heap-to {target} -o copy dump 2> /dev/null && heap-redact --all copy");
            check(&name, &script, &secrets);
        }
    }
    assert!(planted >= 200 && by_form.iter().all(|&n| n > 20), "{planted} {by_form:?}");
}

#[test]
fn all_names_that_readers_declare_are_known() {
    let scratch = Scratch::new();
    let declared = |script: &str| -> BTreeSet<String> {
        let out = scratch.run(&format!("{script} 2> /dev/null")).out;
        let kinds = ["type", "node_type", "edge_type"].map(|kind| format!("{{\"type\":\"{kind}\""));
        out.lines()
            .filter(|line| kinds.iter().any(|kind| line.starts_with(kind)))
            .map(str::to_owned)
            .collect()
    };
    let mut compared = 0;
    for (name, dump) in dumps() {
        // It has fields that no version of V8 has.
        if name == "permuted-fields.heapsnapshot" {
            continue;
        }
        scratch.write("dump", &dump);
        let (before, after) = (declared("heap-cat dump"), declared("heap-redact --all dump"));
        let unknown: Vec<_> = before.difference(&after).collect();
        assert!(
            unknown.is_empty(),
            "{name}: add to crates/heap-toolbox/src/redact/known.rs what is new: {unknown:?}"
        );
        compared += before.len();
    }
    assert!(compared > 1000, "{compared}");
}

/// Each text in a redacted stream that is no token, no fact of the stream itself and no number.
fn search(stream: &str, tokens: &BTreeSet<String>) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    let mut add = |text: &str, in_place: bool| {
        let vm = ["(concatenated string)", "(sliced string)"].contains(&text);
        let special = ["NaN", "Infinity", "-Infinity"].contains(&text);
        let number = in_place && (special || text.starts_with("0x") || text.starts_with("-0x"));
        // Of the label of an entry of a WeakMap the names are the program's, the rest is V8's form.
        let name = |behind: &str| Some(text.split_once(behind)?.1.split_once(" @")?.0);
        let is_token = |name: Option<&str>| name.is_some_and(|name| tokens.contains(name));
        let entry = is_token(name("part of key (")) && is_token(name(") -> value ("));
        if !text.is_empty() && !vm && !number && !entry && !tokens.contains(text) {
            *found.entry(text.to_owned()).or_default() += 1;
        }
    };
    for line in stream.lines() {
        let record: Value = serde_json::from_str(line).expect("a record");
        match record["type"].as_str() {
            Some("type" | "node_type" | "edge_type") => {}
            Some("metadata") => {
                let (key, value) =
                    (record["key"].as_str().expect("text"), record["value"].as_str().expect("text"));
                let names = matches!(
                    key,
                    "heap.runtime"
                        | "heap.entry"
                        | "heap.thread"
                        | "heap.threads"
                        | "heap.loader"
                        | "heap.global"
                );
                let own = key.starts_with("heap.") && !names || key.starts_with("version_");
                let json = value.starts_with(['{', '[']) && serde_json::from_str::<Value>(value).is_ok();
                if !own && !json {
                    add(value, false);
                }
            }
            Some("string") => {
                let index = record["stringid"].as_i64().is_some_and(|id| id < 0);
                if !index {
                    add(record["data"].as_str().expect("text"), false);
                }
            }
            _ => {
                let mut left: Vec<&Value> = record
                    .as_object()
                    .expect("a record")
                    .iter()
                    .filter(|(key, _)| *key != "type")
                    .map(|(_, value)| value)
                    .collect();
                while let Some(value) = left.pop() {
                    match value {
                        Value::String(text) => add(text, true),
                        Value::Array(more) => left.extend(more),
                        Value::Object(more) => left.extend(more.values()),
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

#[test]
fn the_audit_lists_what_a_search_finds() {
    let scratch = Scratch::new();
    scratch.write("key", "a key of sixteen bytes");
    let mut rows = 0;
    // Two have metadata that are JSON with words of their own.
    let sought = |name: &str| !matches!(name, "permuted-fields.heapsnapshot" | "reordered-keys.heapsnapshot");
    let dumps = dumps().into_iter().filter(|(name, dump)| dump.len() < 1 << 17 && sought(name));
    for ((name, dump), left_out) in dumps.zip(["", "--names", "--all"].into_iter().cycle()) {
        scratch.write("dump", &dump);
        for flags in ["", "--names", "--all"].into_iter().filter(|flags| *flags != left_out) {
            let run = scratch.run(&format!("heap-redact {flags} --key-file key --map map dump"));
            if run.status != Some(0) {
                continue;
            }
            let map = std::fs::read_to_string(scratch.path("map")).expect("the map");
            let record = |line: &str| -> Value { serde_json::from_str(line).expect("a record") };
            let tokens =
                map.lines().map(|line| record(line)["token"].as_str().expect("text").to_owned()).collect();
            let found = search(&run.out, &tokens);
            let audit = scratch.run(&format!("heap-redact {flags} --key-file key --audit dump"));
            let (mut listed, mut kept) = (BTreeMap::new(), 0);
            for row in audit.out.lines().map(record).filter(|row| row["where"].is_string()) {
                let (text, at) = (row["text"].as_str().expect("text"), row["where"].as_str().expect("text"));
                let count = row["kept"].as_u64().expect("a count");
                kept += count;
                // The search looks at texts alone.
                if !at.starts_with("names in ") {
                    *listed.entry(text.to_owned()).or_insert(0u64) += count;
                }
            }
            // A token of two letters may be a text that stays elsewhere.
            let differ =
                |(text, _): &(&String, &u64)| text.len() > 2 && found.get(*text) != listed.get(*text);
            let differ: Vec<_> = found.iter().chain(&listed).filter(differ).collect();
            assert!(differ.is_empty(), "{name} {flags}: {differ:?}");
            rows += listed.len();
            let last = record(audit.out.lines().last().expect("a last row"));
            assert_eq!((last["place"].as_str(), last["kept"].as_u64()), (Some("all"), Some(kept)), "{name}");
        }
    }
    assert!(rows > 1000, "{rows}");
}
