//! Retained sizes of groups, nested nodes counted once: heap-sum's column `retained`.

use heap_base::Result;
use heap_graph::{DomTree, GraphSink, Keep, NONE, group_retained, group_sizes, in_two};
use heap_record::{
    Back, Declaration, Edge, Front, Metadata, Node, NodeEnds, PlainEdge, PlainNode, Sink, Str, Value, Wants,
};

use crate::sum::{NOWHERE, Sum};

/// Adds nodes up while it builds the graph that tells what the groups retain.
///
/// Memory: that of [`Sum`], 4 bytes a node, and the graph's.
#[derive(Debug)]
pub struct RetainedSum {
    sum: Sum,
    graph: GraphSink,
    nodes: bool,
    /// True if the stream says itself what its nodes retain.
    annotated: bool,
}

impl RetainedSum {
    /// Works out the column `retained` of `sum`.
    pub fn new(sum: Sum) -> Self {
        Self {
            sum: sum.with_places(),
            graph: GraphSink::new(Keep::default()),
            nodes: false,
            annotated: false,
        }
    }

    /// The sum, still to be finished. Call when no more records come.
    pub fn build(self) -> Result<Sum> {
        let Self { mut sum, graph, annotated, .. } = self;
        if annotated {
            return Ok(sum);
        }
        let heap = graph.build()?;
        let (places, groups) = sum.places()?;
        let place = |node: u32| places.get(node as usize).copied().filter(|&place| place != NOWHERE);
        let retained = group_sizes(heap.graph, &heap.sizes, &heap.policy, groups, place);
        sum.set_retained(&retained);
        Ok(sum)
    }
}

impl Sink for RetainedSum {
    fn wants(&self) -> Wants {
        let (a, b) = (self.sum.wants(), self.graph.wants());
        Wants {
            strings: a.strings || b.strings,
            nodes: true,
            details: a.details || b.details,
            edges: true,
            others: a.others || b.others,
            indexes: false,
            only_classes: (a.only_classes || !a.strings) && (b.only_classes || !b.strings),
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.graph.metadata(record)?;
        self.sum.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.graph.declare(record)?;
        self.sum.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.sum.string(record)
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        self.annotated |= !self.nodes && node.heap.retained.is_some();
        self.nodes = true;
        if !self.annotated {
            self.graph.node(node)?;
        }
        self.sum.node(node)
    }

    fn nodes_run(&mut self, nodes: &[PlainNode], own: &[u8]) -> Result {
        self.nodes |= !nodes.is_empty();
        if !self.annotated {
            self.graph.nodes(nodes, own)?;
        }
        self.sum.nodes(nodes, own)
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        if self.annotated { Ok(()) } else { self.graph.edge(edge) }
    }

    fn numbers(&self) -> bool {
        self.graph.numbers()
    }

    fn edge_between(&mut self, ends: NodeEnds, edge: &Edge<'_>) -> Result {
        if self.annotated { Ok(()) } else { self.graph.edge_between(ends, edge) }
    }

    fn edges_between(&mut self, source: u32, edges: &[PlainEdge]) -> Result {
        if self.annotated { Ok(()) } else { self.graph.edges_between(source, edges) }
    }

    fn in_two(&mut self, front: &mut Front<'_>, back: &mut Back<'_>) -> Result<bool> {
        if self.annotated { Ok(false) } else { in_two(self, |sum| &mut sum.graph, front, back) }
    }
}

/// What an annotated stream says of its nodes: identifier, dominator and retained size, in record order.
/// Memory: 24 bytes a node.
#[derive(Debug, Default)]
pub struct DomRecords {
    ids: Vec<Value>,
    idoms: Vec<Value>,
    retained: Vec<u64>,
}

/// An identifier that no node has.
const NO_ID: Value = 0;

impl DomRecords {
    /// True if no node has been taken in.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Leaves places for nodes without annotations.
    pub fn skip(&mut self, nodes: u32) {
        let n = self.ids.len() + nodes as usize;
        self.ids.resize(n, NO_ID);
        self.idoms.resize(n, NO_ID);
        self.retained.resize(n, 0);
    }

    /// Takes a node in.
    pub fn push(&mut self, node: &Node<'_>) {
        let known = node.heap.retained.is_some();
        self.ids.push(if known { node.id } else { NO_ID });
        self.idoms.push(node.heap.idom.unwrap_or(NO_ID));
        self.retained.push(node.heap.retained.unwrap_or(0));
    }

    /// Retained size of each group below `groups`; `places` says where nodes belong. A node whose dominator is not
    /// in the stream stands at the top.
    pub fn retained(&self, places: &[u32], groups: u32) -> Vec<u64> {
        let n = self.ids.len() as u32;
        let mut by_id: Vec<(Value, u32)> =
            self.ids.iter().copied().zip(0..n).filter(|(id, _)| *id != NO_ID).collect();
        by_id.sort_unstable();
        let find = |id: Value| by_id.binary_search_by_key(&id, |e| e.0).ok().map(|i| by_id[i].1);
        let mut idom: Vec<u32> = Vec::with_capacity(n as usize);
        for (node, (&id, &above)) in self.ids.iter().zip(&self.idoms).enumerate() {
            let above = if above == NO_ID || above == id { None } else { find(above) };
            idom.push(if id == NO_ID { NONE } else { above.filter(|&a| a as usize != node).unwrap_or(n) });
        }
        break_cycles(&mut idom, n);
        let tree = DomTree::new(n, &idom);
        let place = |node: u32| places.get(node as usize).copied().filter(|&place| place != NOWHERE);
        group_retained(&tree, &self.retained, groups, place)
    }
}

/// A stream can claim that nodes dominate each other in a circle; one of them is then put at the top.
fn break_cycles(idom: &mut [u32], root: u32) {
    let mut state = vec![0u32; idom.len()];
    for start in 0..idom.len() as u32 {
        let mark = start + 1;
        let mut node = start;
        while let Some(&next) = idom.get(node as usize) {
            match state[node as usize] {
                0 => state[node as usize] = mark,
                m if m == mark => {
                    idom[node as usize] = root;
                    break;
                }
                _ => break,
            }
            node = next;
        }
    }
}
