//! What is in the containers of a holder, in the nodes of a tree, and in many lists.

use super::growth::of_three;
use super::*;

/// A plain object that has lists by so many topics, each of so many events.
fn topics(topics: u32, events: u32) -> Heap {
    let mut heap = with_scope(6001);
    heap.object(7001, 10, "Object", Some((6003, "var:topics")));
    for topic in 0..topics {
        let list = 7003 + 2 * topic;
        heap.object(list, 10, "Array", Some((7001, &format!("topic{topic}"))));
        for event in 0..events {
            let id = 20_001 + 2 * (topic * 1000 + event);
            heap.object(id, 50, "Object", Some((list, &event.to_string())));
        }
    }
    heap
}

#[test]
fn what_grows_in_as_many_containers_as_before_is_named() {
    for identity in ["identifier", "none"] {
        let found = of_three(|count| topics(12, count).load(identity));
        let row = at(&found, "app.js: topics[*]");
        assert_eq!((row.level, row.id), (Level::Leak, None), "{found:#?}");
        assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Object", 3600));
        assert_eq!(row.growth, Some(12 * 200 * 50), "{row:?}");
        // Containers that pile up themselves are said as such.
        let piled = of_three(|count| topics(count / 2, 20).load(identity));
        let row = at(&piled, "app.js: topics");
        assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Array", 150), "{piled:#?}");
    }
}

#[test]
fn containers_in_containers_are_looked_into() {
    let found = of_three(|count| {
        let mut heap = with_scope(6001);
        heap.object(7001, 10, "Object", Some((6003, "var:cache")));
        for tenant in 0..8 {
            heap.object(7003 + 2 * tenant, 10, "Object", Some((7001, &format!("tenant{tenant}"))));
            for topic in 0..12 {
                let list = 8001 + 2 * (tenant * 12 + topic);
                heap.object(list, 10, "Array", Some((7003 + 2 * tenant, &format!("topic{topic}"))));
                for event in 0..count {
                    let id = 20_001 + 2 * ((tenant * 12 + topic) * 1000 + event);
                    heap.object(id, 50, "Object", Some((list, &event.to_string())));
                }
            }
        }
        heap.load("identifier")
    });
    let row = at(&found, "app.js: cache[*][*]");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Object", 28_800), "{found:#?}");
}

/// What two listeners have of one topic hangs beside them in its list.
#[test]
fn what_a_container_does_not_lead_to_is_not_counted() {
    let found = of_three(|count| {
        let mut heap = topics(8, count);
        for topic in 0..8 {
            for event in 0..count / 2 {
                let (first, shared) =
                    (20_001 + 2 * (topic * 1000 + event), 40_001 + 2 * (topic * 1000 + event));
                heap.object(shared, 20, "Object", Some((first, "last")));
                heap.edge(Some((first + 2, "last")), shared);
            }
        }
        heap.load("identifier")
    });
    assert_eq!(at(&found, "app.js: topics[*]").holds[0].count, 2400, "{found:#?}");
}

/// The nodes of a tree are fewer than what they lead to.
#[test]
fn what_the_nodes_of_a_tree_lead_to_is_said() {
    let mut heap = with_scope(6001);
    for (id, class) in [(6101, "Branch"), (6103, "Leaf")] {
        constructor(&mut heap, id, class);
    }
    heap.object(7001, 10, "Branch", Some((6003, "var:tree")));
    for branch in 1..85u32 {
        heap.object(7001 + 2 * branch, 10, "Branch", Some((7001 + 2 * ((branch - 1) / 4), "slot")));
        for leaf in 0..if branch > 20 { 20 } else { 0 } {
            heap.object(20_001 + 2 * (branch * 20 + leaf), 60, "Leaf", Some((7001 + 2 * branch, "slot")));
        }
    }
    let found = heap.suspects();
    let row = at(&found, "app.js: tree");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("Branch", 84), "{row:?}");
    assert_eq!(row.behind.as_deref(), Some("1280 Leaf (app.js)"));
}

/// Each editor has its present state, which has the one before.
#[test]
fn lists_of_one_class_are_counted_from_their_first_link() {
    let found = of_three(|count| {
        let mut heap = with_scope(6001);
        for (id, class) in [(6101, "Editor"), (6103, "State")] {
            constructor(&mut heap, id, class);
        }
        heap.object(7001, 10, "Array", Some((6003, "var:editors")));
        for editor in 0..12 {
            let id = |state: u32| 20_001 + 2 * (editor * 1000 + state);
            heap.object(7003 + 2 * editor, 10, "Editor", Some((7001, &editor.to_string())));
            heap.object(id(count - 1), 60, "State", Some((7003 + 2 * editor, "state")));
            for state in 1..count {
                heap.object(id(state - 1), 60, "State", Some((id(state), "before")));
            }
        }
        heap.load("identifier")
    });
    let row = at(&found, "app.js: editors[*].state");
    assert_eq!((row.holds[0].class.as_str(), row.holds[0].count), ("State", 3600), "{found:#?}");
    assert_eq!(row.history, [72_000, 144_000, 216_000]);
}
