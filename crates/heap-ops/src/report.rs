//! Reports that go through their input once: [`Report`] says what one of them does, [`OnePass`] feeds it.

use heap_base::Result;
use heap_record::{
    Declaration, Edge, EdgeBatch, Extension, Metadata, Node, NodeBatch, PlainNode, Sink, Str, Wants,
};

use crate::select::{Selection, Selector};
use crate::stream::{Begins, Context, Deferred, TakeDeferred};

/// A report that goes through its input once.
///
/// Records may come in any order. [`OnePass`] defers what is not [`ready`](Self::ready), so a report sees a node only
/// when the strings have come that it needs, or when no more will come.
pub trait Report {
    /// What it asks of the source.
    fn wants(&self, selection: &Selection) -> Wants;
    /// Another stream begins, after [`end_snapshot`](Self::end_snapshot) of what came before it: forget what metadata, declarations
    /// and strings of a stream have left here, such as the number of a subtype. Rows stay.
    fn begin_stream(&mut self);
    /// A metadata record, after the selector took it. One that begins a snapshot comes after [`end_snapshot`](Self::end_snapshot) of the
    /// snapshot before, and one that begins a stream after [`begin_stream`](Self::begin_stream).
    ///
    /// # Errors
    /// A stream that cannot be reported on.
    fn metadata(&mut self, _record: &Metadata<'_>) -> Result {
        Ok(())
    }
    /// A declaration.
    fn declare(&mut self, _record: &Declaration<'_>) {}
    /// A string record.
    fn string(&mut self, _record: &Str<'_>) {}
    /// Each node in the order of the stream, also those that are deferred next.
    ///
    /// # Errors
    /// Those of the tool.
    #[inline]
    fn arrived(&mut self, _node: &Node<'_>, _number: u32, _selector: &Selector) -> Result {
        Ok(())
    }
    /// Whether the strings have come that [`fold`](Self::fold) needs for `node`.
    #[inline]
    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        selector.ready(node)
    }
    /// Takes a node. `number` counts the nodes of the snapshot from 0, in the order of the stream.
    ///
    /// # Errors
    /// Those of the tool; `Error::stop` ends the input.
    fn fold(&mut self, node: &Node<'_>, number: u32, selector: &mut Selector) -> Result;
    /// Takes plain nodes at once, the first with this number. False if it wants them one by one.
    #[inline]
    fn fold_plain(&mut self, _nodes: &[PlainNode], _first: u32) -> bool {
        false
    }
    /// Takes an edge. False to get it again when all nodes and strings of the snapshot have come (`complete`).
    ///
    /// # Errors
    /// Those of the tool; `Error::stop` ends the input.
    fn fold_edge(&mut self, _edge: &Edge<'_>, _complete: bool, _selector: &Selector) -> Result<bool> {
        Ok(true)
    }
    /// Takes an extension record.
    ///
    /// # Errors
    /// Those of the tool.
    fn extension(&mut self, _record: &Extension<'_>, _selector: &mut Selector) -> Result {
        Ok(())
    }
    /// Makes rows of what was folded since the last call. Called at the end of each snapshot.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    fn end_snapshot(&mut self, selector: &mut Selector) -> Result;
    /// Warnings about fields that no node had, other than those in conditions.
    fn missing(&self, _context: &Context) -> Vec<String> {
        Vec::new()
    }
}

/// Feeds a [`Report`]: keeps declarations and strings, applies the selection's verdicts, defers records that come before what they need.
///
/// Memory: the stream's strings (see [`Strings`](crate::stream::Strings)), and what the report needs.
#[derive(Debug)]
pub struct OnePass<R> {
    report: R,
    selector: Selector,
    deferred: Deferred,
    /// Nodes of the snapshot so far.
    nodes: u32,
}

impl<R: Report> OnePass<R> {
    /// Feeds `report` with the nodes of `selection`.
    pub fn new(report: R, selection: Selection) -> Self {
        Self { report, selector: Selector::new(selection), deferred: Deferred::default(), nodes: 0 }
    }

    /// The report. Its rows are complete after [`Sink::finish`].
    pub fn report(&self) -> &R {
        &self.report
    }

    /// The report, to be changed between records.
    pub fn report_mut(&mut self) -> &mut R {
        &mut self.report
    }

    /// The report, to be changed with the help of what is known of the stream.
    pub fn report_and_context(&mut self) -> (&mut R, &Context) {
        (&mut self.report, &self.selector.context)
    }

    /// The report, by itself.
    pub fn into_report(self) -> R {
        self.report
    }

    /// The selector, to judge nodes that the report makes itself.
    pub fn selector_mut(&mut self) -> &mut Selector {
        &mut self.selector
    }

    /// Declarations and strings so far.
    pub fn context(&self) -> &Context {
        &self.selector.context
    }

    /// The report with the declarations and strings.
    pub fn into_parts(self) -> (R, Context) {
        (self.report, self.selector.context)
    }

    /// The selection.
    pub fn selection(&self) -> &Selection {
        self.selector.selection()
    }

    /// Warnings about fields that no node had, and a selection that no node meets. Call after [`Sink::finish`].
    pub fn missing(&self) -> Vec<String> {
        let mut missing = self.report.missing(&self.selector.context);
        missing.extend(self.selector.missing());
        missing.extend(self.selection().unmatched_of(missing.is_empty(), &self.selector.context.types));
        missing
    }

    /// Folds the deferred records: no more strings come for them.
    ///
    /// # Errors
    /// Those of the report, or the temporary file cannot be read.
    pub fn fold_deferred(&mut self) -> Result {
        if self.deferred.is_empty() {
            return Ok(());
        }
        std::mem::take(&mut self.deferred).deliver(self)
    }

    /// Makes rows of what was folded so far, although no metadata say that something ends.
    pub fn end_snapshot(&mut self) -> Result {
        self.fold_deferred()?;
        self.nodes = 0;
        self.report.end_snapshot(&mut self.selector)
    }

    /// Another stream or input begins: makes rows of what came before, and forgets what holds for one stream. An input need not
    /// say that it begins one: `heap-cat --only` may have left its head out.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn begin_stream(&mut self) -> Result {
        self.end_snapshot()?;
        self.selector.begin_stream();
        self.report.begin_stream();
        Ok(())
    }

    #[inline]
    fn node(&mut self, node: &Node<'_>) -> Result {
        let number = self.nodes;
        self.nodes += 1;
        self.report.arrived(node, number, &self.selector)?;
        if self.report.ready(node, &self.selector) {
            self.report.fold(node, number, &mut self.selector)
        } else {
            self.deferred.node(node, number)
        }
    }

    #[inline]
    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        if self.report.fold_edge(edge, false, &self.selector)? { Ok(()) } else { self.deferred.edge(edge) }
    }
}

impl<R: Report> TakeDeferred for OnePass<R> {
    fn deferred_node(&mut self, node: &Node<'_>, number: u32) -> Result {
        self.report.fold(node, number, &mut self.selector)
    }

    fn deferred_edge(&mut self, edge: &Edge<'_>) -> Result {
        self.report.fold_edge(edge, true, &self.selector).map(drop)
    }
}

impl<R: Report> Sink for OnePass<R> {
    fn wants(&self) -> Wants {
        let wants = self.report.wants(self.selector.selection());
        Wants { extensions: wants.extensions || self.selection().needs_stacks(), ..wants }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match Context::begins(record) {
            Some(Begins::Stream) => self.begin_stream()?,
            Some(Begins::Snapshot) => self.end_snapshot()?,
            None => {}
        }
        self.selector.metadata(record);
        self.report.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.selector.declare(record);
        self.report.declare(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.report.string(record);
        self.selector.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        if let NodeBatch::Plain { nodes, .. } = *batch
            && self.report.fold_plain(nodes, self.nodes)
        {
            self.nodes += nodes.len() as u32;
            return Ok(());
        }
        batch.try_for_each(|node| self.node(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.edge(edge))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.selector.context.stacks.extension(record);
        self.report.extension(record, &mut self.selector)
    }

    /// A report that has enough is complete.
    fn finish(&mut self, _intact: bool) -> Result {
        match self.end_snapshot() {
            Err(e) if e.is_stop() => Ok(()),
            result => result,
        }
    }
}
