//! The nodes that retain most, with their paths: heap-top --key retained.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heap_base::{BitSet, Result};
use heap_graph::{Config, Keep, Paths, Rules, analyse};
use heap_record::{Declaration, EdgeBatch, Heap, Metadata, NodeBatch, Sharded, Sink, Str, Wants};

use super::TopNode;
use crate::path::steps;
use heap_ops::graph::{GraphLoader, NamedGraph};
use heap_ops::select::Selection;

/// Builds the graph, and ranks the selected nodes by what they retain. A stream whose nodes say what they retain, as
/// heap-dom's do, is believed.
///
/// Memory: the graph with its names, the stream's strings, a copy of the edges while dominators are worked out, and 12
/// bytes a node.
#[derive(Debug)]
pub struct RetainedTop {
    load: GraphLoader,
    everything: bool,
    /// What an annotated stream says, by node.
    said: Vec<u64>,
    annotated: Option<bool>,
}

impl RetainedTop {
    /// Ranks the selected nodes.
    pub fn new(selection: Selection) -> Self {
        let keep = Keep {
            ids: true,
            classes: true,
            names: true,
            subtypes: true,
            labels: true,
            kinds: true,
            ..Keep::default()
        };
        let everything = selection.is_all();
        Self { load: GraphLoader::new(selection, keep, true), everything, said: Vec::new(), annotated: None }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    ///
    /// # Errors
    /// The temporary file of deferred nodes cannot be read.
    pub fn missing(&mut self) -> Result<Vec<String>> {
        self.load.missing()
    }

    /// The `limit` selected nodes that retain most, each with a shortest path from a root. Call when no more records
    /// come.
    ///
    /// # Errors
    /// The records are no graph, or a temporary file cannot be read.
    pub fn build(self, limit: usize) -> Result<Vec<TopNode>> {
        let loaded = self.load.build()?;
        let heap = &loaded.heap;
        let nodes = heap.graph.nodes();
        let retained = if self.annotated == Some(true) {
            self.said
        } else {
            let config = Config { retained: true, ..Config::default() };
            analyse(heap.graph.bare(), &heap.sizes, &heap.policy, config).retained
        };
        let of = |node: u32| retained.get(node as usize).copied().unwrap_or(0);
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
        let none = BitSet::default();
        let paths = Paths::new(&heap.graph, &rules, &none, Some(&targets));
        best.into_iter().map(|(retained, _, node)| row(&loaded, &paths, node, retained)).collect()
    }
}

fn row(loaded: &NamedGraph, paths: &Paths<'_>, node: u32, retained: u64) -> Result<TopNode> {
    let heap = &loaded.heap;
    let path = paths.path(node).map(|path| steps(loaded, &path)).transpose()?.unwrap_or_default();
    Ok(TopNode {
        file: None,
        snapshot: None,
        id: loaded.id(node),
        number: loaded.number(node),
        subtype: loaded.context.types.node_name(heap.subtypes.get(node) as u32).into_owned(),
        class: loaded.class(node)?,
        name: loaded.name(node)?,
        heap: Heap { size: Some(heap.sizes.get(node)), retained: Some(retained), ..Heap::default() },
        key: retained as f64,
        path,
    })
}

impl Sink for RetainedTop {
    fn wants(&self) -> Wants {
        self.load.wants()
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.load.sharded()
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.load.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.load.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.load.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        let said = |node: &heap_record::Node<'_>| node.heap.retained;
        if self.annotated.is_none()
            && let Some(first) = batch.iter().next()
        {
            self.annotated = Some(said(&first).is_some());
        }
        if self.annotated == Some(true) {
            self.said.extend(batch.iter().map(|node| said(&node).unwrap_or(0)));
        }
        self.load.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.load.edges(batch)
    }
}
