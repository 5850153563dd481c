//! Retained sizes of groups: heap-sum's column `retained`. Nested nodes count once.

use heap_base::Result;
use heap_graph::{GraphSink, Keep, group_sizes};
use heap_record::{Declaration, EdgeBatch, Extension, Metadata, NodeBatch, Sharded, Sink, Str, Wants};

use super::Sum;
use super::groups::group_at;
use crate::memory::limit;
use heap_ops::report::OnePass;
use heap_ops::stream::Annotated;

/// Adds nodes up, and builds the graph that says what the groups retain.
///
/// Memory: that of [`Sum`], one or two bytes a node where there are not many groups, and the graph's, see
/// [`GraphSink::with_limit_of_sums`].
#[derive(Debug)]
pub struct RetainedSum {
    sum: OnePass<Sum>,
    graph: GraphSink,
    any_nodes: bool,
    /// Whether the stream itself says what its nodes retain. Then no graph is built.
    annotated: bool,
}

impl RetainedSum {
    /// Adds the column `retained` to `sum`. A graph that takes more than `memory` bytes goes through temporary files; by
    /// default that is three quarters of what is free.
    pub fn new(mut sum: OnePass<Sum>, memory: Option<u64>) -> Self {
        sum.report_mut().keep_groups();
        let graph = GraphSink::new(Keep::default()).with_limit_of_sums(limit(memory));
        Self { sum, graph, any_nodes: false, annotated: false }
    }

    /// The sum, still to be finished. Call when no more records come.
    ///
    /// # Errors
    /// The records are no graph. It needs more memory than there is; temporary files cannot be written.
    pub fn build(self) -> Result<OnePass<Sum>> {
        let Self { mut sum, graph, annotated, .. } = self;
        if annotated {
            return Ok(sum);
        }
        let (heap, large) = graph.build_within()?;
        sum.report_mut().lost_roots = heap.stats.lost_roots;
        sum.fold_deferred()?;
        let (report, context) = sum.report_and_context();
        report.join_groups(context)?;
        let (group_of, groups) = sum.report_mut().take_groups();
        let group = move |node: u32| group_at(&group_of, node);
        let retained = match large {
            Some(large) => large.group_sizes(heap.sizes, &heap.policy, groups, group)?,
            None => group_sizes(heap.graph, heap.sizes, &heap.policy, groups, group),
        };
        sum.report_mut().set_retained(&retained);
        Ok(sum)
    }
}

impl Sink for RetainedSum {
    fn wants(&self) -> Wants {
        self.sum.wants().union(self.graph.wants())
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        if self.annotated || self.sum.report().needs_edges() { None } else { self.graph.sharded() }
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

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if !self.any_nodes
            && let Some(first) = batch.iter().next()
        {
            self.any_nodes = true;
            self.annotated = Annotated::says(&first);
        }
        if !self.annotated {
            self.graph.nodes(batch)?;
        }
        self.sum.nodes(batch)
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        if !self.annotated {
            self.graph.edges(batch)?;
        }
        if self.sum.report().needs_edges() { self.sum.edges(batch) } else { Ok(()) }
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        if self.sum.report().needs_edges() || self.sum.wants().extensions {
            self.sum.extension(record)
        } else {
            Ok(())
        }
    }
}
