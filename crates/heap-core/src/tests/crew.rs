//! What `tests/data/core/crew.js` was about when it died: two isolates, each with a thread.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use heap_record::testing::Recorder;
use heap_record::{Fact, SnapshotSelector, Wants};

use super::shop::Graph;
use super::{dump, sample_of};

fn recorder(pick: SnapshotSelector) -> Recorder {
    let dump = dump(sample_of("crew", "22"));
    Recorder::new(Wants::ALL).with(|sink| crate::read(&dump, pick, sink))
}

/// Threads that run an isolate, with their calls.
fn threads(graph: &Graph<'_>) -> Vec<(String, Vec<String>)> {
    let nodes = graph.nodes.values().filter(|n| graph.node_types[&n.subtype] == "heap.thread");
    let text = |id| graph.texts[&id].to_owned();
    let mut threads: Vec<_> = nodes
        .map(|thread| {
            let name = text(thread.heap.name.unwrap());
            let calls = graph.out(thread.id, "heap.frame").into_iter();
            let calls = calls.map(|(_, edge)| graph.nodes[&edge.dest.unwrap()]);
            let name = name.split_once(", ").map_or("", |(_, role)| role).to_owned();
            (name, calls.map(|call| text(call.heap.name.unwrap())).collect())
        })
        .filter(|(name, _): &(String, Vec<String>)| !name.is_empty())
        .collect();
    threads.sort();
    threads
}

#[test]
fn what_is_read_by_default_says_so_and_has_all_threads() {
    let recorder = recorder(SnapshotSelector::Last);
    let note = "2 isolates, this is one: main (6M of pages); the others are @0 worker 1 (10M), and @all is all of them";
    assert_eq!(recorder.values("core.note"), [note]);
    assert_eq!(recorder.values("heap.part"), ["main"]);
    let graph = Graph::new(&recorder);
    assert_eq!((graph.made("Captain").len(), graph.made("Sailor").len()), (30, 0));
    let threads = threads(&graph);
    let [(main, of_main), (worker, of_worker)] = &threads[..] else { panic!("{threads:?}") };
    assert_eq!((&main[..], &worker[..]), ("main", "worker 1 (its objects are in another snapshot)"));
    assert_eq!(of_main[..2], ["kill", "abandon"]);
    assert_eq!(of_worker[..2], ["pull", "row"]);
    assert_eq!(recorder.problems(), Vec::<String>::new());
}

#[test]
fn one_that_was_chosen_has_its_objects() {
    let recorder = recorder(SnapshotSelector::Number(0));
    assert_eq!(recorder.values("core.note"), Vec::<String>::new());
    assert_eq!(recorder.values("heap.part"), ["worker 1"]);
    let graph = Graph::new(&recorder);
    assert_eq!((graph.made("Captain").len(), graph.made("Sailor").len()), (0, 12));
    let (worker, calls) = threads(&graph).pop().unwrap();
    assert_eq!((&worker[..], &calls[0][..]), ("worker 1", "pull"));
}

#[test]
fn each_of_all_has_its_own_thread() {
    let recorder = recorder(SnapshotSelector::All);
    assert_eq!(recorder.values("heap.part"), ["worker 1", "main"]);
    assert_eq!(recorder.values("core.note"), Vec::<String>::new());
    let info = crate::info(&dump(sample_of("crew", "22"))).unwrap();
    let whose =
        |facts: &heap_record::Facts| facts.iter().find(|(key, _)| *key == "isolate").unwrap().1.clone();
    let wanted = ["worker 1", "main"].map(|role| Fact::Text(role.to_owned()));
    assert_eq!(info.snapshots.iter().map(whose).collect::<Vec<_>>(), wanted);
}
