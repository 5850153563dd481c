//! Distances from the roots, breadth first, by Chrome DevTools' rules where a dump has user roots.

use heap_base::Set;

use crate::graph::{Class, Graph, NONE};

/// Distance of the roots themselves where there are user roots: what only the virtual machine reaches is far.
pub const SYSTEM: u32 = 100_000_000;

/// Edges on the shortest way to each node; [`NONE`] where there is no way.
///
/// First from the nodes `near` with distance 1; then from `roots`, with distance [`SYSTEM`] (0 if there are none
/// near), to whatever is left. Weak edges and those that nothing is measured along do not count, edges that
/// retain only from a root do. Of the two halves of an ephemeron the one met first is passed over, so that
/// the value's distance comes from the farther of table and key.
///
/// `roots` and `near` must be nodes of the graph. Time O(N + E), memory 8·N bytes.
pub fn distances(graph: &Graph, roots: &[u32], near: &[u32]) -> Vec<u32> {
    let mut search = Search {
        graph,
        distance: vec![NONE; graph.nodes() as usize],
        queue: Vec::new(),
        halves: Set::default(),
    };
    for &node in near {
        search.start(node, 1);
    }
    search.run();
    let far = if near.is_empty() { 0 } else { SYSTEM };
    for &root in roots {
        search.start(root, far);
    }
    search.run();
    search.distance
}

const PAIRED: u8 = Class::Table.bit() | Class::Key.bit();
const MEASURED: u8 = Class::Strong.bit() | Class::Root.bit() | PAIRED;

struct Search<'a> {
    graph: &'a Graph,
    distance: Vec<u32>,
    queue: Vec<u32>,
    /// Table, key and value of ephemerons of which one half was met, and whether that was the table's.
    halves: Set<([u32; 3], bool)>,
}

impl Search<'_> {
    fn start(&mut self, node: u32, distance: u32) {
        self.distance[node as usize] = distance;
        self.queue.push(node);
    }

    fn run(&mut self) {
        let mut at = 0;
        while let Some(&node) = self.queue.get(at) {
            at += 1;
            let distance = self.distance[node as usize] + 1;
            // Partners are in the order of the edges that have one, so one iterator follows the other.
            let mut partners = None;
            for i in self.graph.range(node) {
                let link = self.graph.links[i];
                if link.bit() & MEASURED == 0 {
                    continue;
                }
                let partner = if link.bit() & PAIRED == 0 {
                    None
                } else {
                    Some(partners.get_or_insert_with(|| self.graph.partners(node)).next().unwrap_or(NONE))
                };
                let child = link.end();
                if self.distance[child as usize] != NONE {
                    continue;
                }
                if let Some(partner) = partner {
                    let (pair, table) = match link.class() {
                        Class::Table => ([node, partner, child], true),
                        _ => ([partner, node, child], false),
                    };
                    if !self.halves.contains(&(pair, !table)) {
                        // The half that is met first.
                        self.halves.insert((pair, table));
                        continue;
                    }
                }
                self.distance[child as usize] = distance;
                self.queue.push(child);
            }
        }
        self.queue.clear();
    }
}
