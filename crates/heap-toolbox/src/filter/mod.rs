//! Selected nodes with their edges and strings, as a stream: heap-filter.

mod options;

pub use options::TOOL;

use heap_base::Result;
use heap_record::read::INTERNED;
use heap_record::{
    Declaration, Edge, EdgeBatch, EdgeFilter, Extension, FieldKind, Metadata, Node, NodeBatch, Sink, Skip,
    Str, StringId, Value, Wants, wants,
};

use heap_ops::select::{Matcher, Selection};
use heap_ops::stream::id_set::{IdSet, split};
use heap_ops::stream::{Context, Deferred, Owner, References, TakeDeferred, refers};

/// Which edges of the kept nodes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edges {
    /// Those from a kept node to a kept node.
    #[default]
    Inner,
    /// Those from a kept node.
    Out,
    /// Those to a kept node.
    In,
    /// Those from or to a kept node.
    Touching,
    /// None.
    None,
}

impl Edges {
    /// The choice that a word names.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "inner" => Self::Inner,
            "out" => Self::Out,
            "in" => Self::In,
            "touching" => Self::Touching,
            "none" => Self::None,
            _ => return None,
        })
    }
}

/// Passes on selected nodes, edges among them, and the strings and extension records that these refer to.
///
/// A string is emitted just before the first record that refers to it. A node that comes before its strings,
/// or an edge before its nodes, is held back to the end of the snapshot.
/// Memory: the stream's strings, about a bit for each node seen and for each kept.
#[derive(Debug)]
pub struct Filter<S> {
    out: S,
    edges: Edges,
    matcher: Matcher,
    context: Context,
    references: References,
    kept: IdSet,
    seen: IdSet,
    /// String ids that went out.
    sent: IdSet,
    deferred: Deferred,
    /// True at the end of a snapshot: what is still missing does not exist.
    complete: bool,
    /// The block of identifiers of the last edge's source: its number, which were seen, and which were kept. Edges come
    /// in the order of their sources.
    sources: Option<(u64, u64, u64)>,
    plain: bool,
}

impl<S: Sink> Filter<S> {
    /// Passes selected nodes on to `out`.
    pub fn new(selection: Selection, edges: Edges, out: S) -> Self {
        Self {
            plain: selection.is_all(),
            out,
            edges,
            matcher: Matcher::new(selection),
            context: Context::default(),
            references: References::default(),
            kept: IdSet::new(),
            seen: IdSet::new(),
            sent: IdSet::new(),
            deferred: Deferred::default(),
            complete: false,
            sources: None,
        }
    }

    /// Warnings about fields in conditions that no node had and no declaration names, and a selection that no node meets.
    pub fn missing(&self) -> Vec<String> {
        let mut missing = self.matcher.missing(&self.context);
        missing.extend(self.matcher.selection().unmatched_of(missing.is_empty(), &self.context.types));
        missing
    }

    /// Gives the sink back.
    pub fn into_inner(self) -> S {
        self.out
    }

    /// Passes a string on if it has not gone out yet.
    #[inline]
    fn send(&mut self, id: Option<StringId>) -> Result {
        match id {
            Some(id) if !self.sent.contains(id) => self.send_now(id),
            _ => Ok(()),
        }
    }

    fn send_now(&mut self, id: StringId) -> Result {
        self.sent.insert(id);
        if id < INTERNED
            && let Some(entry) = self.context.strings.get(id)?
        {
            self.out.string(&entry.record(id))?;
        }
        Ok(())
    }

    /// Passes on the strings that fields refer to.
    fn send_fields(&mut self, record: Owner<'_>, members: &[u8]) -> Result {
        let mut ids = Vec::new();
        refers(&self.context.types, record, members, |kind, id| {
            if kind == FieldKind::String {
                ids.push(id);
            }
        });
        ids.into_iter().try_for_each(|id| self.send(Some(id)))
    }

    fn keep(&mut self, node: &Node<'_>) -> Result {
        self.kept.insert(node.id);
        self.send(node.heap.class)?;
        self.send(node.heap.name)?;
        if !node.own.is_empty() {
            self.send_fields(Owner::Node(node.subtype), node.own)?;
        }
        if !node.rest.is_empty() {
            self.send_fields(Owner::Node(node.subtype), node.rest)?;
        }
        self.out.nodes(&NodeBatch::one(node))
    }

    /// Seen and kept, for the source of an edge.
    #[inline]
    fn source_state(&mut self, id: Value) -> (bool, bool) {
        let (block, place) = split(id);
        let (seen, kept) = match self.sources {
            Some((last, seen, kept)) if last == block => (seen, kept),
            _ => self.load_block(block),
        };
        (seen >> place & 1 == 1, kept >> place & 1 == 1)
    }

    /// Which of a block were seen, and which were kept.
    #[inline(never)]
    fn load_block(&mut self, block: u64) -> (u64, u64) {
        let (seen, kept) = (self.seen.block(block), self.kept.block(block));
        self.sources = Some((block, seen, kept));
        (seen, kept)
    }

    /// Whether an edge is kept; `None` if one of its nodes has not come yet.
    #[inline]
    fn verdict(&mut self, edge: &Edge<'_>) -> Option<bool> {
        let (source_seen, source_kept) = self.source_state(edge.source);
        // A small integer or an unboxed number belongs to its source.
        let dest = edge.dest.filter(|d| d & 1 == 1);
        let known = |seen: bool, kept: bool| (seen || kept || self.complete).then_some(kept);
        let from = || known(source_seen, source_kept);
        let to = || match dest {
            Some(id) => {
                let kept = self.kept.contains(id);
                known(kept || self.complete || self.seen.contains(id), kept)
            }
            None => from(),
        };
        match self.edges {
            Edges::None => Some(false),
            Edges::Out => from(),
            // A small integer is no node.
            Edges::In if dest.is_none() => Some(false),
            Edges::In => to(),
            Edges::Inner => match from() {
                Some(true) => to(),
                Some(false) => Some(false),
                None => {
                    if to() == Some(false) {
                        Some(false)
                    } else {
                        None
                    }
                }
            },
            Edges::Touching => match (from(), to()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }

    /// Passes on what was held back: no more records come for it. [`Sink::finish`] does the same, and finishes `out`.
    ///
    /// # Errors
    /// Those of `out`, or the temporary file cannot be read.
    pub fn end_snapshot(&mut self) -> Result {
        if !self.deferred.is_empty() {
            self.complete = true;
            std::mem::take(&mut self.deferred).deliver(self)?;
            self.complete = false;
            // Strings that were missing may come in another snapshot.
            self.matcher.clear();
        }
        self.kept.clear();
        self.seen.clear();
        self.sources = None;
        Ok(())
    }

    /// Keeps or drops a node; holds it back if that, or keeping it, takes strings that have not come.
    #[inline]
    fn judge(&mut self, node: &Node<'_>) -> Result {
        match self.matcher.known(node) {
            // As most are.
            Some(false) => {
                self.see(node.id);
                Ok(())
            }
            known => self.judge_closely(node, known),
        }
    }

    fn judge_closely(&mut self, node: &Node<'_>, known: Option<bool>) -> Result {
        let keep = match known {
            Some(keep) => keep,
            None if self.complete || self.matcher.ready(node, &self.context) => {
                self.plain || self.matcher.matches(node, &self.context)?
            }
            None => return self.deferred.node(node, 0),
        };
        if keep && !(self.complete || self.context.has_strings_of(node)) {
            return self.deferred.node(node, 0);
        }
        self.see(node.id);
        if keep { self.keep(node) } else { Ok(()) }
    }

    #[inline]
    fn see(&mut self, id: Value) {
        self.seen.insert(id);
        self.sources = None;
    }

    #[inline]
    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        match self.verdict(edge) {
            Some(false) => Ok(()),
            Some(true) if self.complete || edge.label.is_none_or(|id| self.context.strings.contains(id)) => {
                self.pass_edge(edge)
            }
            _ => self.deferred.edge(edge),
        }
    }

    fn pass_edge(&mut self, edge: &Edge<'_>) -> Result {
        self.send(edge.label)?;
        if !edge.rest.is_empty() {
            self.send_fields(Owner::Record("edge"), edge.rest)?;
        }
        self.out.edges(&EdgeBatch::one(edge))
    }
}

impl<S: Sink> TakeDeferred for Filter<S> {
    fn deferred_node(&mut self, node: &Node<'_>, _number: u32) -> Result {
        self.judge(node)
    }
    fn deferred_edge(&mut self, edge: &Edge<'_>) -> Result {
        self.edge(edge)
    }
    fn deferred_extension(&mut self, record: &Extension<'_>) -> Result {
        self.extension(record)
    }
}

impl<S: Sink> EdgeFilter for Filter<S> {
    fn skip_edges_of(&mut self, source: Value) -> Skip {
        match self.edges {
            Edges::None => Skip::All,
            Edges::Inner | Edges::Out => match self.source_state(source) {
                (true, false) => Skip::All,
                // Where most nodes are kept, most edges are.
                (_, true) if self.edges == Edges::Inner && self.kept.len() < self.seen.len() / 2 => {
                    Skip::Some
                }
                _ => Skip::None,
            },
            Edges::In | Edges::Touching => Skip::None,
        }
    }

    fn skip_edges_to(&mut self, dest: Value) -> bool {
        // A small integer belongs to its source.
        dest & 1 == 1 && !self.kept.contains(dest) && self.seen.contains(dest)
    }
}

impl<S: Sink> Sink for Filter<S> {
    /// Nodes need all their fields, and edges their identifiers, whatever `out` asks for: the selection and the strings
    /// that go out depend on them.
    fn wants(&self) -> Wants {
        let edges = if self.edges == Edges::None { wants::Edges::None } else { wants::Edges::ById };
        Wants { edges, ..Wants::ALL }
    }

    fn edge_filter(&mut self) -> Option<&mut dyn EdgeFilter> {
        Some(self)
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record).is_some() {
            self.end_snapshot()?;
        }
        self.context.metadata(record);
        self.matcher.set_rule(self.context.rule);
        if record.key == "version_major" {
            self.matcher.clear();
            self.references = References::default();
            self.sent.clear();
        }
        self.out.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.context.declare(record);
        self.matcher.clear();
        self.references = References::default();
        self.out.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.context.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.judge(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.edge(edge))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        if self.matcher.selection().needs_stacks() {
            self.context.stacks.extension(record);
        }
        let (mut dropped, mut waits, mut strings) = (false, false, false);
        self.references.each(&self.context.types, record, |kind, id| match kind {
            FieldKind::Value if id & 1 == 1 && !self.kept.contains(id) => {
                let seen = self.complete || self.seen.contains(id);
                dropped |= seen;
                waits |= !seen;
            }
            FieldKind::String => {
                strings = true;
                waits |= !self.complete && !self.context.strings.contains(id);
            }
            _ => {}
        });
        if dropped {
            return Ok(());
        }
        if waits {
            return self.deferred.extension(record);
        }
        if strings {
            self.send_fields(Owner::Record(record.kind), record.body)?;
        }
        self.out.extension(record)
    }

    fn flush(&mut self) -> Result {
        self.out.flush()
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.end_snapshot()?;
        self.out.finish(intact)
    }
}
