//! Leaks planted in real programs: heap-suspects names the holder and the field in its first three rows, without flags.
//!
//! `tests/data/suspects` has the programs, `make.sh` there makes the dumps.

use serde_json::Value;

use crate::harness::Scratch;

/// The first three rows of heap-suspects.
fn first_rows(files: &str) -> Vec<Value> {
    let scratch = Scratch::new();
    let output = scratch.bash(&format!("heap-suspects -n 3 {files}"));
    assert!(output.status.success(), "{files}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("rows are UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

/// One of the first three rows has this kind, a sentence with this place, and holds so many objects of this class.
#[track_caller]
fn finds(files: &str, kind: &str, place: &str, count: u64, class: &str) {
    let rows = first_rows(files);
    let found = rows.iter().any(|row| {
        let held = &row["holds"][0];
        row["kind"] == kind
            && row["text"].as_str().is_some_and(|text| text.contains(place))
            && held["class"] == class
            && held["count"] == count
    });
    assert!(found, "{files}: no {kind} at {place} with {count} {class} in {rows:#?}");
}

#[test]
fn a_listener_that_nobody_takes_away() {
    finds(
        "data/suspects/listener.heapsnapshot.zst",
        "accumulation",
        "server.bus._events[\"config-changed\"]",
        900,
        "(closure)",
    );
}

#[test]
fn a_cache_that_never_forgets() {
    finds("data/suspects/cache.heapsnapshot.zst", "accumulation", "PageCache.pages", 900, "RenderedPage");
}

#[test]
fn closures_that_hold_each_other() {
    let rows = first_rows("data/suspects/closure-chain.heapsnapshot.zst");
    let found = rows.iter().any(|row| {
        row["text"].as_str().is_some_and(|text| text.contains("{current}"))
            && row["holds"][0]["class"] == "Object"
    });
    assert!(found, "{rows:#?}");
}

#[test]
fn timers_that_are_never_cleared() {
    finds("data/suspects/timer.heapsnapshot.zst", "accumulation", "timerList", 900, "Timeout");
}

#[test]
fn a_promise_that_never_settles() {
    let rows = first_rows("data/suspects/promise.heapsnapshot.zst");
    let text = |row: &Value| row["text"].as_str().unwrap_or_default().to_owned();
    let found =
        rows.iter().any(|row| row["class"] == "Promise" && text(row).contains("global.app.shutdown.signal"));
    assert!(found, "{rows:#?}");
}

#[test]
fn a_map_of_maps_of_maps() {
    finds("data/suspects/map-of-maps.heapsnapshot.zst", "accumulation", "metrics.byTenant[*]", 225, "Map");
}

#[test]
fn a_queue_that_is_not_drained() {
    let rows = first_rows("data/suspects/queue.heapsnapshot.zst");
    let text = |row: &Value| row["text"].as_str().unwrap_or_default().to_owned();
    assert!(
        rows.iter().any(|row| row["class"] == "Task" && text(row).contains("worker.backlog.head")),
        "{rows:#?}"
    );
}

#[test]
fn an_array_of_a_module() {
    finds("data/suspects/history.heapsnapshot.zst", "accumulation", "{history}", 1000, "Step");
}

#[test]
fn equal_strings_in_many_rows() {
    let rows = first_rows("data/suspects/duplicates.heapsnapshot.zst");
    let found = rows.iter().any(|row| {
        row["kind"] == "duplicates"
            && row["holds"][0]["class"].as_str().is_some_and(|text| text.starts_with("The former Yugoslav"))
            && row["text"].as_str().is_some_and(|text| text.ends_with(".country"))
    });
    assert!(found, "{rows:#?}");
}

#[test]
fn arrays_that_are_nearly_empty() {
    finds("data/suspects/sparse.heapsnapshot.zst", "sparse", "site.visitors.slots", 700, "Array");
}

#[test]
fn growth_is_told_from_what_is_meant_to_be_there() {
    let three = "data/suspects/growing-1.heapsnapshot.zst data/suspects/growing-2.heapsnapshot.zst \
                 data/suspects/growing-3.heapsnapshot.zst";
    let rows = first_rows(three);
    let first = &rows[0];
    assert_eq!(first["kind"], "growth", "{rows:#?}");
    assert!(first["text"].as_str().is_some_and(|text| text.contains("app.registry.open")), "{rows:#?}");
    assert_eq!(first["holds"][0]["class"], "Session");
    assert_eq!(first["holds"][0]["count"], 300);
    assert_eq!(first["level"], "leak");
    let steps = first["steps"].as_array().expect("steps");
    assert!(steps.len() == 2 && steps.iter().all(|step| step.as_u64() > Some(0)), "{first:#?}");
    // One dump says only that the dictionary is large.
    let last = first_rows("data/suspects/growing-3.heapsnapshot.zst");
    assert!(last[0]["text"].as_str().is_some_and(|text| text.contains("app.dictionary")), "{last:#?}");
}

#[test]
fn nodes_that_left_their_document() {
    let rows = first_rows("data/v8/dom.heapsnapshot.zst");
    let place = |row: &Value| row["text"].as_str().unwrap_or_default().to_owned();
    assert!(
        rows.iter().any(|row| row["kind"] == "detached" && place(row).contains(".detachedTree")),
        "{rows:#?}"
    );
    assert!(rows.iter().any(|row| place(row).contains(".leakedListeners")), "{rows:#?}");
}

#[test]
fn a_raku_journal() {
    finds("data/suspects/raku-visits.zst", "accumulation", "<unit>.$journal", 1500, "Scalar");
}

#[test]
fn a_raku_journal_of_one_megabyte_beside_the_compiler() {
    let file = "data/suspects/raku-few-visits.zst";
    finds(file, "accumulation", "<unit>.$journal", 330, "Scalar");
    let rows = first_rows(file);
    let row = rows.iter().find(|row| row["holds"][0]["count"] == 330).expect("a row");
    let share = row["share"].as_f64().expect("a share");
    assert!((0.03..0.04).contains(&share), "{share}");
}

#[test]
fn what_node_brought_with_it_is_a_note() {
    // A snapshot in which the program's own is smaller, and the stopped process of another program.
    for (file, programs) in [("data/v8/leak-3.heapsnapshot.zst", 1), ("data/core/shop-node24.core.zst", 0)] {
        let rows = first_rows(&format!("-n all {file}"));
        let loud = rows.iter().filter(|row| row["level"] != "note");
        assert_eq!(loud.clone().count(), programs, "{file}: {rows:#?}");
        assert!(loud.clone().all(|row| row["runtime"].is_null()), "{file}: {rows:#?}");
        assert!(rows.iter().any(|row| row["runtime"] == true), "{file}: {rows:#?}");
    }
}

#[test]
fn a_dart_cache() {
    finds("data/suspects/dart-visits.zst", "accumulation", ".cache (Cache @", 3000, "Visit");
}

#[test]
fn java_lists_maps_and_thread_locals() {
    finds(
        "data/suspects/java-Listeners.zst",
        "accumulation",
        "Listeners.MODEL.listeners",
        1000,
        "Listeners$View",
    );
    let file = "data/suspects/java-Keys.zst";
    assert!(
        first_rows(file)[0]["text"].as_str().is_some_and(|text| text.contains("Keys.directory.profiles")),
        "{file}"
    );
    finds("data/suspects/java-Locals.zst", "accumulation", ".buffers", 1000, "byte[]");
    finds("data/java/shop.hprof.zst", "accumulation", "Shop.SESSIONS", 500, "Shop$Session");
}
