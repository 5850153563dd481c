//! Shallow sizes as Chrome DevTools shows them: backing stores count with the one object that owns them.

use crate::column::Column;
use crate::graph::{Class, Graph, NONE};
use heap_base::BitSet;

/// Owned by more than one.
const SHARED: u32 = NONE - 1;

/// Moves the sizes of nodes that have exactly one owner to that owner.
///
/// Nodes in `ownerless` start without an owner, all others own themselves. Ownership flows over all edges that
/// are not weak to nodes in `ownerless`. One that ends with exactly one owner outside `barred` (roots, nodes that
/// are nothing in memory) gives it its whole size and is left with none. O(N + E) time, 4·N bytes.
pub fn attribute(graph: &Graph, sizes: &mut Column, ownerless: &BitSet, barred: &BitSet) {
    let n = graph.nodes();
    let mut owner: Vec<u32> = (0..n).map(|node| if ownerless.contains(node) { NONE } else { node }).collect();
    let mut stack = Vec::new();
    for start in 0..n {
        if owner[start as usize] != start {
            continue;
        }
        stack.push(start);
        while let Some(node) = stack.pop() {
            let flowing = owner[node as usize];
            for &link in graph.links(node) {
                if link.bit() & Class::Weak.bit() != 0 {
                    continue;
                }
                let child = link.end();
                let slot = &mut owner[child as usize];
                if *slot == NONE {
                    *slot = flowing;
                    stack.push(child);
                } else if *slot != child && *slot != flowing && *slot != SHARED {
                    *slot = SHARED;
                    stack.push(child);
                }
            }
        }
    }
    for (node, &owner) in owner.iter().enumerate() {
        let node = node as u32;
        if owner < SHARED && owner != node && !barred.contains(owner) {
            let moved = sizes.get(node);
            sizes.set(node, 0);
            sizes.add(owner, moved);
        }
    }
}
