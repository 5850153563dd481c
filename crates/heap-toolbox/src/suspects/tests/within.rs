//! What is in the containers of a holder, in the nodes of a tree, and in many lists.

use super::*;

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
