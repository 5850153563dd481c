//! One answer to one question: every tool that shows size, retained size, class or place of an object shows the same ones,
//! whatever way the dump comes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::harness::Scratch;

/// A dump of each format that has a graph.
const DUMPS: &[&str] = &[
    "data/suspects/growing-3.heapsnapshot.zst",
    "data/core/shop-node20.core.zst",
    "data/java/shop.hprof.zst",
    "data/java/android.hprof.gz",
    "data/java/small.phd",
    "data/java/small.classic.txt",
    "data/dart/kinds-pruned.dartheap.gz",
    "data/moarvm/v3.mvmheap",
    "data/ruby/cache-2.json.gz",
    "data/memory-infra/quirks-v2.json",
];

/// Objects that every tool is asked for, of each dump.
const OBJECTS: usize = 32;

fn rows(scratch: &Scratch, script: &str) -> Vec<Value> {
    let run = scratch.bash(script);
    // Some dumps say less than a whole graph, which is a warning.
    assert_eq!(run.status.code(), Some(0), "{script}: {}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).expect("rows are UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

fn id(row: &Value) -> i64 {
    let id = &row["identifier"];
    // Numbers that a double cannot hold are text in reports.
    let hex = || i64::from_str_radix(id.as_str()?.strip_prefix("0x")?, 16).ok();
    id.as_i64().or_else(hex).unwrap_or_else(|| panic!("no identifier in {row}"))
}

/// What one tool says of an object; `None` of what it does not show.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    class: Option<String>,
    size: Option<u64>,
    retained: Option<u64>,
    place: Option<String>,
}

fn said(row: &Value) -> Said {
    Said {
        class: row["class"].as_str().map(str::to_owned),
        size: row["size"].as_u64(),
        retained: row["retained"].as_u64(),
        place: row["held_by"].as_str().map(str::to_owned),
    }
}

#[test]
fn all_tools_say_the_same_of_an_object() {
    let scratch = Scratch::new();
    let mut asked = 0;
    for dump in DUMPS {
        let top = rows(&scratch, &format!("heap-top --key retained -n {OBJECTS} {dump}@last"));
        let truth: BTreeMap<i64, Said> = top.iter().map(|row| (id(row), said(row))).collect();
        assert!(!truth.is_empty(), "{dump}");
        asked += truth.len();

        // As heap-dom annotates them, read by a parser that is not ours.
        let annotated = rows(
            &scratch,
            &format!("heap-dom {dump}@last | grep '\"identifier\"' | grep '\"type\":\"node\"'"),
        );
        let mut met = 0;
        for node in &annotated {
            if let Some(said) = truth.get(&id(node)) {
                let heap = &node["heap"];
                assert_eq!(heap["size"].as_u64().unwrap_or(0), said.size.unwrap_or(0), "{dump}: {node}");
                assert_eq!(heap["retained"].as_u64(), said.retained, "{dump}: {node}");
                met += 1;
            }
        }
        assert_eq!(met, truth.len(), "{dump}");

        // The same through a pipe, from the annotated stream, from a part of it, and out of a database.
        let cat = format!("heap-cat {dump}@last");
        for way in [
            format!("{cat} | heap-top --key retained -n {OBJECTS}"),
            format!("heap-dom {dump}@last | heap-top --key retained -n {OBJECTS}"),
            format!(
                "heap-to sqlite -o x.db {dump}@last 2>&1 && heap-top --key retained -n {OBJECTS} x.db; rm -f x.db"
            ),
        ] {
            for row in rows(&scratch, &way) {
                assert_eq!(Some(&said(&row)), truth.get(&id(&row)), "{way}");
            }
        }
        let part =
            format!("heap-dom {dump}@last | heap-filter --min-size 1 | heap-top --key retained -n {OBJECTS}");
        for row in rows(&scratch, &part) {
            if let Some(said) = truth.get(&id(&row)) {
                assert_eq!(
                    row["retained"].as_u64(),
                    said.retained,
                    "{part}: a part of the heap says what the whole did"
                );
            }
        }

        // Asked for by identifier.
        let ids = truth.keys().map(|id| format!("--id={id}")).collect::<Vec<_>>().join(" ");
        let shown = rows(&scratch, &format!("heap-show --retained -n all {ids} {dump}@last"));
        let mut node = None;
        let mut retained = BTreeMap::new();
        for row in &shown {
            if row["part"] == "node" {
                node = Some(id(row));
                let said = &truth[&id(row)];
                assert_eq!(row["class"].as_str(), said.class.as_deref(), "heap-show: {row} of {dump}");
                assert_eq!(
                    row["size"].as_u64().unwrap_or(0),
                    said.size.unwrap_or(0),
                    "heap-show: {row} of {dump}"
                );
            } else if row["part"] == "field" && row["label"] == "heap.retained" {
                retained.insert(node, row["value"].as_str().and_then(|text| text.parse().ok()));
            }
        }
        let expected = truth.iter().map(|(&id, said)| (Some(id), said.retained)).collect();
        assert_eq!(retained, expected, "heap-show of {dump}");
        let paths = rows(&scratch, &format!("heap-path --json {ids} {dump}@last || test $? = 1"));
        let mut ends: BTreeMap<u64, &Value> = BTreeMap::new();
        for step in &paths {
            ends.insert(step["path"].as_u64().expect("a path has a number"), step);
        }
        for step in ends.values() {
            let said = &truth[&id(step)];
            assert_eq!(step["class"].as_str(), said.class.as_deref(), "heap-path: {step} of {dump}");
            assert_eq!(step["size"].as_u64(), said.size, "heap-path: {step} of {dump}");
            assert_eq!(step["held_by"].as_str(), said.place.as_deref(), "heap-path: {step} of {dump}");
        }
    }
    assert!(asked >= 200, "{asked} objects");
}

/// heap-strings says by what field most strings of a text are held: of a single string, the end of its place.
#[test]
fn strings_hang_where_they_are() {
    let scratch = Scratch::new();
    let mut compared = 0;
    for dump in
        ["data/v8/leak-3.heapsnapshot.zst", "data/java/shop.hprof.zst", "data/core/shop-node20.core.zst"]
    {
        let held = format!("heap-strings --held-by --min-count 1 --json {dump} 2> /dev/null");
        let held: BTreeMap<i64, Value> = rows(&scratch, &held)
            .into_iter()
            .filter(|row| row["count"] == 1)
            .map(|row| (row["first"].as_i64().expect("an identifier"), row["held_by"].clone()))
            .collect();
        let top = format!("heap-top --key retained -n 500 --subtype 'string_*' {dump}");
        for row in rows(&scratch, &top) {
            let (Some(place), Some(field)) =
                (row["held_by"].as_str(), held.get(&id(&row)).and_then(Value::as_str))
            else {
                continue;
            };
            let last = &place[place.rfind(['.', '{', '[']).unwrap_or(0)..];
            // What a place folds, or leaves out because it is the runtime's own, has no field of its own.
            let own = ["<", "prototype", "__proto__", "constructor"];
            let named = place.contains(['.', '{', ':']);
            if !named
                || last.starts_with('[')
                || place.contains(['<', '×'])
                || own.iter().any(|own| field.contains(own))
            {
                continue;
            }
            // A variable at the beginning of a place has no braces.
            let marks = ['.', '{', '}', '[', ']', '"'];
            let (field, end) = (field.trim_end_matches(marks), place.trim_end_matches(marks));
            let name = field.rsplit(marks).next().unwrap_or(field);
            assert!(end.ends_with(name), "{dump}: {place} and {field}: {row}");
            compared += 1;
        }
    }
    assert!(compared >= 200, "{compared} strings");
}

/// A function reads with its place in the source in every tool.
#[test]
fn functions_stand_at_one_place() {
    let scratch = Scratch::new();
    for (dump, least) in [
        ("data/v8/leak-3.heapsnapshot.zst", 30),
        ("data/core/shop-node20.core.zst", 20),
        ("data/java/shop.hprof.zst", 0),
        ("data/suspects/java-Locals.zst", 0),
    ] {
        let kinds = "--subtype closure --subtype heap.frame";
        let top = rows(&scratch, &format!("heap-top --key retained -n 40 {kinds} {dump}@last"));
        let truth: BTreeMap<i64, Option<String>> =
            top.iter().map(|row| (id(row), row["location"].as_str().map(str::to_owned))).collect();
        assert!(truth.values().flatten().count() >= least, "{dump}: {truth:?}");
        if truth.is_empty() {
            continue;
        }
        let ids = truth.keys().map(|id| format!("--id={id}")).collect::<Vec<_>>().join(" ");
        let asked = |row: &Value, tool: &str| {
            if let Some(location) = row["identifier"].as_i64().and_then(|id| truth.get(&id)) {
                assert_eq!(row["location"].as_str(), location.as_deref(), "{tool}: {row} of {dump}");
            }
        };
        for tool in ["heap-show -n all", "heap-path --json"] {
            let all = rows(&scratch, &format!("{tool} {ids} {dump}@last || test $? = 1"));
            assert!(!all.is_empty(), "{tool}");
            for row in &all {
                asked(row, tool);
            }
        }
        let sums = rows(&scratch, &format!("heap-sum --by location {ids} {dump}@last"));
        let known: BTreeMap<&str, u64> =
            sums.iter().filter_map(|row| Some((row["location"].as_str()?, row["count"].as_u64()?))).collect();
        let mut expected = BTreeMap::new();
        truth.values().flatten().for_each(|at| *expected.entry(at.as_str()).or_default() += 1);
        assert_eq!(known, expected, "heap-sum of {dump}");
    }
}

#[test]
fn places_are_spelt_alike() {
    let scratch = Scratch::new();
    let mut compared = 0;
    for name in ["cache", "listener", "map-of-maps", "growing-3", "history"] {
        let dump = format!("data/suspects/{name}.heapsnapshot.zst");
        for suspect in rows(&scratch, &format!("heap-suspects --json -n 3 {dump}")) {
            let (Some(id), Some(place)) = (suspect["identifier"].as_i64(), suspect["place"].as_str()) else {
                continue;
            };
            let top = rows(&scratch, &format!("heap-top --key retained --id={id} {dump}"));
            // A holder that lists its fields is named with them.
            if place.contains(" (") {
                continue;
            }
            assert_eq!(top[0]["held_by"].as_str(), Some(place), "{dump}: {suspect}");
            compared += 1;
        }
    }
    assert!(compared >= 8, "{compared} places");
}

/// Reports of several inputs whose rows name the input; they say no more of one than what is in it.
const BESIDE: &[&str] = &[
    "heap-sum --by file,class",
    "heap-sum --by file,subtype",
    "heap-sum --by file,location",
    "heap-sum --by file,heap.class",
    "heap-strings --min-count 1",
    "heap-grep --in value,name,class,label -e or",
    "heap-tree --by class",
    "heap-top -n all",
];

/// Rows of a report, without the name of the file that each belongs to, in the order of their text.
fn of_file(rows: &[Value], file: &str) -> Vec<String> {
    let own = rows.iter().filter(|row| row["file"].as_str().is_none_or(|name| name == file));
    let plain = own.map(|row| {
        let mut row = row.clone();
        row.as_object_mut().expect("a row").retain(|key, _| key != "file");
        row.to_string()
    });
    let mut plain: Vec<String> = plain.collect();
    plain.sort();
    plain
}

/// What holds for one stream, such as the number of a subtype or where it cuts strings, holds for no other.
#[test]
fn an_input_says_beside_others_what_it_says_alone() {
    let scratch = Scratch::new();
    let dumps = [
        "data/pprof/go-sessions.pb.gz",
        "data/memory-infra/seed-example-v1-cut40.json",
        "data/dart/kinds-pruned.dartheap.gz",
        "data/java/small.phd",
        "data/ruby/cache-1.json.gz",
        "data/memory-infra/alloc-sampling-node20.heapprofile",
        "data/core/yard-node20.core.zst",
        "data/moarvm/v3.mvmheap",
    ];
    let (mut files, mut headless) = (Vec::new(), Vec::new());
    for (number, dump) in dumps.iter().enumerate() {
        scratch.bash(&format!("heap-cat {dump} > {number}.ndjson"));
        // Who keeps some types of records alone may leave the head out.
        scratch.bash(&format!("grep -v '^{{\"type\":\"metadata\"' {number}.ndjson > {number}.headless"));
        files.push(format!("{number}.ndjson"));
        headless.push(format!("{number}.headless"));
    }
    let mixed = [&files[..4], &headless[4..], &headless[..4], &files[4..]].concat();
    for report in BESIDE {
        let alone = |file: &String| of_file(&rows(&scratch, &format!("{report} {file}")), file);
        let alone: BTreeMap<&String, Vec<String>> = mixed.iter().map(|file| (file, alone(file))).collect();
        let turned: Vec<String> = mixed.iter().rev().cloned().collect();
        for order in [&mixed, &turned] {
            let all = rows(&scratch, &format!("{report} {}", order.join(" ")));
            for file in order {
                let beside = of_file(&all, file);
                let other = beside.iter().zip(&alone[file]).find(|(beside, alone)| beside != alone);
                assert!(other.is_none(), "{report}: {file} in {order:?}: {other:?}");
                assert_eq!(beside.len(), alone[file].len(), "{report}: {file} in {order:?}");
            }
        }
    }
}

/// Sums by class are the same whichever tool adds up, and whatever a stream goes through before.
#[test]
fn classes_add_up_alike_everywhere() {
    let scratch = Scratch::new();
    for dump in [
        "data/memory-infra/chromium-056-v1.json.gz",
        "data/memory-infra/seed-example-v1-cut40.json",
        "data/memory-infra/seed-example-v1-full.json",
        "data/memory-infra/seed-example-v2.json",
    ] {
        let sums = |how: &str| -> BTreeMap<String, (Value, Value)> {
            let rows = rows(&scratch, how);
            let sized = rows.iter().filter(|row| row["size"].as_u64() > Some(0));
            sized.map(|row| (row["class"].to_string(), (row["size"].clone(), row["count"].clone()))).collect()
        };
        let truth = sums(&format!("heap-sum {dump}"));
        assert!(truth.len() > 3, "{dump}: {truth:?}");
        scratch.bash(&format!("heap-to sqlite -o x.db {dump}"));
        for how in [
            format!("heap-sum --retained {dump}"),
            format!("heap-dom {dump} | heap-sum"),
            format!("heap-filter --where 'size >= 0' {dump} | heap-sum"),
            "heap-sum x.db".to_owned(),
        ] {
            assert_eq!(sums(&how), truth, "{how}");
        }
        let class = truth.keys().next().expect("a class");
        let one = rows(&scratch, &format!("heap-sum --retained --class {class} {dump}"));
        assert_eq!((one.len(), &one[0]["size"]), (1, &truth[class].0), "{dump}");
        assert_eq!(one[0]["retained"], one[0]["size"], "{dump}: allocations hold nothing else");
    }
}

/// Dumps of which equal strings are a good part: heap-suspects has a row for them. Texts stand in strings, and in arrays.
const EQUAL: &[&str] = &[
    "data/suspects/duplicates.heapsnapshot.zst",
    "data/java/agent.hprof",
    "data/ruby/shapes-4.0.json.gz",
    "data/v8/edge/escapes.heapsnapshot",
];

/// What the page says that equal strings waste.
fn wasted_of_page(scratch: &Scratch, dump: &str) -> u64 {
    let run = scratch.bash(&format!("heap-view -o page.html {dump} && cat page.html && rm page.html"));
    let page = String::from_utf8(run.stdout).expect("a page is UTF-8");
    let at = page.find(r#""strings":{"rows":"#).unwrap_or_else(|| panic!("no strings on the page of {dump}"));
    let from = &page[at + r#""strings":"#.len()..];
    let strings = serde_json::Deserializer::from_str(from).into_iter::<Value>().next();
    let strings = strings.expect("a value").expect("strings are JSON");
    let rows = strings["rows"].as_array().expect("rows").iter().map(|row| row[2].as_u64().expect("bytes"));
    rows.sum::<u64>() + strings["wasted"].as_u64().expect("bytes of the others")
}

#[test]
fn equal_strings_waste_the_same() {
    let scratch = Scratch::new();
    // Parts of strings are no equal texts to heap-suspects and the page.
    let found = |how: &str| rows(&scratch, &format!("heap-strings --subtype string_flat {how}"));
    let bytes = |row: &Value| row["wasted"].as_u64().expect("bytes");
    let wasted = |how: &str| -> u64 { found(how).iter().map(bytes).sum() };
    // Of texts that the source has cut it is not known.
    let surely = |how: &str| -> u64 { found(how).iter().filter(|row| row["cut"] == false).map(bytes).sum() };
    for dump in EQUAL {
        let all = wasted(dump);
        assert_eq!(wasted_of_page(&scratch, dump), all, "heap-view of {dump}");
        for way in ["--held-by", "--held-by --memory 1M"] {
            assert_eq!(wasted(&format!("{way} {dump}")), all, "{way} {dump}");
        }

        // heap-suspects leaves garbage out, and what may not be equal.
        let convert = format!(
            "heap-dom {dump} | heap-filter --where 'heap.reachable = true' > live.ndjson && \
             heap-to sqlite -o live.db live.ndjson 2>&1 && heap-to parquet -o live live.ndjson 2>&1"
        );
        assert_eq!(scratch.bash(&convert).status.code(), Some(0), "{dump}");
        let suspects = rows(&scratch, "heap-suspects --json --all live.ndjson");
        let row = suspects.iter().find(|row| row["kind"] == "duplicates").expect("a row of equal strings");
        let live = row["retained"].as_u64().expect("bytes");
        for way in ["live.ndjson", "--held-by live.ndjson", "live.db", "live"] {
            assert_eq!(surely(way), live, "{way} of {dump}");
        }
        let all = wasted("live.ndjson");
        assert_eq!(wasted_of_page(&scratch, "live.ndjson"), all, "heap-view of {dump}, what is alive");
        scratch.bash("rm -r live live.ndjson live.db");
    }
}
