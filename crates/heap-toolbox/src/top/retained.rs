//! The nodes that retain most, and where they hang: heap-top --key retained.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heap_base::{BitSet, Result, sort_by};
use heap_graph::{Config, Keep, analyse};
use heap_record::{Heap, NodeBatch, Sink};

use super::TopNode;
use crate::memory::limit;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{ClueLoader, Names, Naming, Wanted};
use heap_ops::select::Selection;
use heap_ops::select::condition::Number;
use heap_ops::stream::Annotated;

/// Bytes a node and an edge that all this takes in memory.
const IN_MEMORY: (u64, u64) = (40, 12);

/// Builds the graph, and ranks the selected nodes by what they retain. A stream whose nodes say what they retain, as
/// heap-dom's do, is believed.
///
/// Memory: the graph with its names, the stream's strings, a copy of the edges while dominators are worked out, and 12
/// bytes a node. A graph that takes more than a limit goes through files.
#[derive(Debug)]
pub struct RetainedTop {
    load: ClueLoader,
    everything: bool,
    annotated: Annotated,
}

impl RetainedTop {
    /// Ranks the selected nodes. The graph may take so many bytes of memory; by default that is three quarters of what is
    /// free.
    pub fn new(selection: Selection, memory: Option<u64>) -> Self {
        let everything = selection.is_all();
        let keep = Keep { aside: true, ..Keep::default() };
        Self {
            load: ClueLoader::new(selection, keep).with_limit(limit(memory), IN_MEMORY),
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

    /// The `most` selected nodes that retain most, each with the place where it hangs. Call when no more records
    /// come.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn build(self, most: usize) -> Result<Vec<TopNode>> {
        let (mut loaded, clues, mut large) = self.load.build_within()?;
        let mut best = BinaryHeap::new();
        let chosen: Option<BitSet> = (!self.everything).then(|| loaded.chosen_set());
        let mut take = |node: u32, retained: u64| {
            let is_less = |least: &Reverse<(u64, Reverse<i64>, u32)>| retained < least.0.0;
            if best.len() >= most && best.peek().is_none_or(is_less) {
                return;
            }
            if retained > 0 && chosen.as_ref().is_none_or(|chosen| chosen.contains(node)) {
                best.push(Reverse((retained, Reverse(loaded.id(node)), node)));
                if best.len() > most {
                    best.pop();
                }
            }
        };
        let heap = &loaded.heap;
        let nodes = heap.sizes.len() as u32;
        if self.annotated.is_known() {
            (0..nodes).for_each(|node| take(node, self.annotated.retained(node)));
        } else if let Some(large) = &mut large {
            large.share()?.retained(&heap.sizes, &heap.policy, |node, retained| {
                take(node, retained);
                Ok(())
            })?;
        } else {
            let config = Config { retained: true, ..Config::default() };
            let retained = analyse(heap.graph.bare(), &heap.sizes, &heap.policy, config).retained;
            (0..nodes).zip(retained).for_each(|(node, retained)| take(node, retained));
        }
        let mut best: Vec<_> = best.into_iter().map(|Reverse(entry)| entry).collect();
        sort_by(&mut best, |a, b| b.cmp(a));
        let targets: BitSet = best.iter().map(|entry| entry.2).collect();
        if let Some(large) = large {
            loaded.thin(&clues, large, Wanted { targets: &targets, names: true, paths: None })?;
        }
        let rules = loaded.rules();
        let naming = Naming::new(&loaded, &clues, &rules)?;
        let names = Names::new(&naming, &targets)?;
        let row = |(retained, _, node)| row(&loaded, &naming, &names, node, retained);
        let rows: Result<Vec<TopNode>> = best.into_iter().map(row).collect();
        loaded.check()?;
        clues.check()?;
        rows
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
        key: Number::Int(retained.into()),
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
