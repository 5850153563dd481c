//! Sums over the graph: what the roots retain, and what they do not reach.

use heap_base::{Error, Result};
use heap_graph::{Config, GraphSink, Guard, Keep, analyse};
use heap_record::{Declaration, Declared, Edge, EdgeBatch, Metadata, Node, NodeBatch, Sink, Types};

use crate::memory::limit;

use super::rules::{At, Findings, Rule};
use super::totals::Totals;

/// Builds a graph while the other checks run.
#[derive(Debug)]
pub(super) struct GraphCheck {
    graph: GraphSink,
    /// Whether the graph can be built; where not, why.
    refused: Option<Error>,
    /// Declarations and rules of the stream, for its next snapshot.
    types: Types,
    unreachable: Option<String>,
    /// What the stream itself says: retained bytes of nodes without a dominator, and bytes of nodes not in the tree.
    annotated: Option<Annotated>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Annotated {
    tops: u64,
    outside: u64,
}

/// Bytes a node and an edge that the check of a graph takes.
const IN_MEMORY: (u64, u64) = (46, 8);

/// Builds a graph, if it does not take too much memory.
fn sink() -> GraphSink {
    let guard = Guard { limit: limit(None), instead: "--quick does without the graph" };
    GraphSink::new(Keep::default()).guarded(guard, IN_MEMORY)
}

impl Default for GraphCheck {
    fn default() -> Self {
        Self { graph: sink(), refused: None, types: Types::default(), unreachable: None, annotated: None }
    }
}

impl GraphCheck {
    pub(super) fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "version_major" | "heap.snapshot" => Ok(()),
            "heap.unreachable" => {
                self.unreachable = Some(record.value.to_owned());
                self.graph.metadata(record)
            }
            _ => self.graph.metadata(record),
        }
    }

    pub(super) fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.graph.declare(record)
    }

    pub(super) fn node(&mut self, node: &Node<'_>) {
        let size = node.heap.size.unwrap_or(0);
        match (node.heap.retained, node.heap.idom) {
            (Some(retained), None) => {
                let sums = self.annotated.get_or_insert_default();
                sums.tops = sums.tops.saturating_add(retained);
            }
            (None, _) if node.heap.reachable.is_some() => {
                let sums = self.annotated.get_or_insert_default();
                sums.outside = sums.outside.saturating_add(size);
            }
            _ => {}
        }
        if self.refused.is_none() {
            self.refused = self.graph.nodes(&NodeBatch::one(node)).err();
        }
    }

    pub(super) fn edge(&mut self, edge: &Edge<'_>) {
        if self.refused.is_none() {
            self.refused = self.graph.edges(&EdgeBatch::one(edge)).err();
        }
    }

    /// Judges the sums of a snapshot, and begins the next.
    pub(super) fn judge(&mut self, totals: &Totals, filtered: bool, findings: &mut Findings) -> Result {
        let graph = std::mem::replace(&mut self.graph, sink());
        for ty in self.types.edge_types() {
            let (id, name, retains) = (ty.id, ty.name.as_str(), ty.retains);
            self.graph
                .declare(&Declared::Edge { id, name, retains, role: Some(ty.role), rest: b"" }.into())?;
        }
        if let Some(value) = &self.unreachable {
            self.graph.metadata(&Metadata { key: "heap.unreachable", value, ..Metadata::default() })?;
        }
        let annotated = self.annotated.take();
        if let Some(error) = self.refused.take() {
            return Err(error);
        }
        if totals.nodes == 0 {
            return Ok(());
        }
        let heap = GraphSink::build(graph)?;
        let n = heap.graph.nodes();
        let config = Config { retained: true, ..Config::default() };
        let analysis = analyse(heap.graph, &heap.sizes, &heap.policy, config);
        let (mut all, mut tree, mut outside) = (0u128, 0u128, 0u128);
        let (mut lost, mut lost_bytes) = (0u64, 0u64);
        for node in 0..n {
            let size = heap.sizes.get(node);
            all += u128::from(size);
            let top =
                analysis.root == node || analysis.root >= n && analysis.idom[node as usize] == analysis.root;
            if top {
                tree += u128::from(analysis.retained[node as usize]);
            }
            if !analysis.in_tree(node) {
                outside += u128::from(size);
            }
            if !analysis.reachable.contains(node) {
                lost += 1;
                lost_bytes = lost_bytes.saturating_add(size);
            }
        }
        // Sums that pass 64 bits are a finding of their own.
        if tree + outside != all && all <= u128::from(u64::MAX) {
            findings.add(Rule::Conservation, At::default(), || {
                format!("{all} bytes in all, {tree} retained by the roots, {outside} outside")
            });
        }
        if let Some(Annotated { tops, outside }) = annotated.filter(|_| !filtered) {
            let claimed = u128::from(tops) + u128::from(outside);
            if claimed != all && all <= u128::from(u64::MAX) {
                findings.add(Rule::Conservation, At::default(), || {
                    format!(
                        "{all} bytes in all, annotated as {tops} retained by the roots and {outside} outside"
                    )
                });
            }
        }
        if lost == u64::from(n) && n > 0 && !heap.policy.roots.is_empty() {
            findings.add(Rule::LostRoot, At::default(), || "no node is reached by a root".to_owned());
        }
        if lost > 0 {
            findings.add(Rule::Unreachable, At::default(), || {
                format!("{lost} of {n} nodes with {lost_bytes} bytes are reached by no root")
            });
        }
        Ok(())
    }
}
