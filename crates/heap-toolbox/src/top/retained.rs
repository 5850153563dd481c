//! The nodes that retain most, and where they hang: heap-top --key retained.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heap_base::{BitSet, Result};
use heap_graph::{Config, Keep, Rules, analyse};
use heap_record::{Heap, NodeBatch, Sink};

use super::TopNode;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{ClueLoader, Names, Naming};
use heap_ops::select::Selection;
use heap_ops::stream::Annotated;

/// Builds the graph, and ranks the selected nodes by what they retain. A stream whose nodes say what they retain, as
/// heap-dom's do, is believed.
///
/// Memory: the graph with its names, the stream's strings, a copy of the edges while dominators are worked out, and 12
/// bytes a node.
#[derive(Debug)]
pub struct RetainedTop {
    load: ClueLoader,
    everything: bool,
    annotated: Annotated,
}

impl RetainedTop {
    /// Ranks the selected nodes.
    pub fn new(selection: Selection) -> Self {
        let everything = selection.is_all();
        Self {
            load: ClueLoader::new(selection, Keep::default()),
            everything,
            annotated: Annotated::default(),
        }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    ///
    /// # Errors
    /// The temporary file of deferred nodes cannot be read.
    pub fn missing(&mut self) -> Result<Vec<String>> {
        self.load.missing()
    }

    /// The `limit` selected nodes that retain most, each with the place where it hangs. Call when no more records
    /// come.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn build(self, limit: usize) -> Result<Vec<TopNode>> {
        let (loaded, clues) = self.load.build()?;
        let heap = &loaded.heap;
        let nodes = heap.graph.nodes();
        let worked_out = (!self.annotated.is_known()).then(|| {
            let config = Config { retained: true, ..Config::default() };
            analyse(heap.graph.bare(), &heap.sizes, &heap.policy, config).retained
        });
        let of = |node: u32| match &worked_out {
            Some(retained) => retained.get(node as usize).copied().unwrap_or(0),
            None => self.annotated.retained(node),
        };
        let mut best = BinaryHeap::new();
        let mut take = |node: u32| {
            if of(node) > 0 {
                best.push(Reverse((of(node), Reverse(loaded.id(node)), node)));
                if best.len() > limit {
                    best.pop();
                }
            }
        };
        if self.everything {
            (0..nodes).for_each(&mut take);
        } else {
            loaded.chosen.iter().copied().for_each(&mut take);
        }
        let mut best: Vec<_> = best.into_iter().map(|Reverse(entry)| entry).collect();
        best.sort_unstable_by(|a, b| b.cmp(a));
        let targets: BitSet = best.iter().map(|entry| entry.2).collect();
        let rules = Rules::new(&heap.graph, &heap.policy);
        let naming = Naming::new(&loaded, &clues, &rules)?;
        let names = Names::new(&naming, &targets)?;
        best.into_iter().map(|(retained, _, node)| row(&loaded, &naming, &names, node, retained)).collect()
    }
}

fn row(
    loaded: &NamedGraph,
    naming: &Naming<'_>,
    names: &Names<'_>,
    node: u32,
    retained: u64,
) -> Result<TopNode> {
    let heap = &loaded.heap;
    Ok(TopNode {
        held_by: names.place(node)?,
        source: naming.own.source(node)?,
        file: None,
        snapshot: None,
        id: loaded.id(node),
        number: loaded.number(node),
        subtype: loaded.context.types.node_name(heap.subtypes.get(node) as u32).into_owned(),
        class: loaded.class(node)?,
        name: loaded.name(node)?,
        heap: Heap { size: Some(heap.sizes.get(node)), retained: Some(retained), ..Heap::default() },
        key: retained as f64,
    })
}

impl Sink for RetainedTop {
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if !self.annotated.is_lacking() {
            for node in batch.iter() {
                self.annotated.push(&node);
            }
        }
        self.load.nodes(batch)
    }

    heap_record::pass_on!(load: wants metadata declare string edges extension sharded);
}
