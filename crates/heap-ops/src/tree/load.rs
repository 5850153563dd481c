//! Takes the records that a tree is made of.

use heap_base::{Cutoff, Map, Result, member};
use heap_graph::{Column, GraphSink, Guard, HeapGraph, Keep};
use heap_record::wants::{Edges, Nodes};
use heap_record::{
    Declaration, EdgeBatch, Extension, Heap, Metadata, Node, NodeBatch, Sharded, Sink, Str, StringId, Wants,
};

use super::table::{Names, Value};
use crate::graph::Selected;
use crate::place::code;
use crate::report::OnePass;
use crate::select::Selection;
use crate::select::field::bracketed;
use crate::stream::Context;
use crate::stream::cells::{ALLOCATION, CumulativeCell};

/// Bytes a node and an edge that a tree of dominators takes.
const IN_MEMORY: (u64, u64) = (22, 8);

/// What the positions of a tree are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axis {
    /// Dominators, siblings of one type merged.
    #[default]
    Dom,
    /// Stack frames, siblings of one name merged.
    Frame,
    /// There is one position only.
    None,
}

/// What a table is to have.
#[allow(clippy::struct_excessive_bools, reason = "each is a wish of its own")]
#[derive(Clone, Copy, Debug, Default)]
pub struct TableSpec {
    /// What its positions are.
    pub axis: Axis,
    /// True if types are separate.
    pub types: bool,
    /// True if own values of positions with children become a child `<self>`.
    pub selves: bool,
    /// What this cuts off of the dominator tree is not shown, and need not be made.
    pub cut: Cutoff,
    /// The deepest level of the dominator tree that will be shown.
    pub depth: u32,
    /// True if the labels of edges from dominators are wanted. Takes 4 bytes an edge and a copy of the edges.
    pub labels: bool,
    /// True if positions of the dominator tree are frames wherever there are frames: what was allocated counts at its
    /// frame unless it has a class, and roots are named with their processes.
    pub stacks: bool,
}

/// What the root of an allocator says of itself: its namespace.
#[derive(Debug)]
pub(super) struct Root {
    pub(super) rest: Box<[u8]>,
}

/// Takes a stream in and makes a [`Table`](super::Table) of it.
///
/// Of several streams or snapshots there is no one tree: they are refused.
#[derive(Debug)]
pub struct TreeLoader {
    pub(super) spec: TableSpec,
    pub(super) graph: GraphSink,
    /// Whether the table may need edges.
    pub(super) edges: bool,
    pub(super) selected: OnePass<Selected>,
    everything: bool,
    /// Records of nodes so far.
    n_nodes: u32,
    /// `heap.count` by node plus one, 0 where it is absent.
    pub(super) counts: Column,
    pub(super) cells: Vec<CumulativeCell>,
    pub(super) roots: Map<u32, Root>,
    /// Where something is selected: the namespaces of frames and roots, which their cells share.
    rests: Vec<u8>,
    rest_ends: Vec<usize>,
    /// By node the [`code`] of the stack at which it was allocated, 0 where that is not known.
    pub(super) stacks: Column,
}

impl TreeLoader {
    /// Counts the selected nodes.
    pub fn new(spec: TableSpec, selection: Selection) -> Self {
        let everything = selection.is_all();
        let frames = spec.axis != Axis::Dom;
        let keep = Keep {
            table: frames,
            classes: true,
            names: true,
            subtypes: true,
            kinds: frames || spec.labels,
            labels: spec.labels && !frames,
            ..Keep::default()
        };
        Self {
            spec,
            graph: GraphSink::new(keep),
            edges: true,
            selected: Selected::new(selection),
            everything,
            n_nodes: 0,
            counts: Column::new(),
            cells: Vec::new(),
            roots: Map::default(),
            rests: Vec::new(),
            rest_ends: Vec::new(),
            stacks: Column::new(),
        }
    }

    /// Takes in the stacks at which objects were allocated, of a dump that has these: no edges.
    #[must_use]
    pub fn of_objects(self) -> Self {
        let keep = Keep { classes: true, names: true, subtypes: true, ..Keep::default() };
        Self { graph: GraphSink::new(keep), edges: false, ..self }
    }

    /// Puts edges of a tree of dominators into files where the graph takes more memory than the guard's limit; refuses graphs of
    /// other trees that do.
    #[must_use]
    pub fn within(self, guard: Guard) -> Self {
        let graph = match self.spec.axis {
            Axis::Dom => self.graph.with_limit(guard.limit, IN_MEMORY),
            Axis::Frame if !self.edges => self.graph.with_limit(guard.limit, IN_MEMORY),
            Axis::Frame | Axis::None => self.graph.guarded(guard, IN_MEMORY),
        };
        Self { graph, ..self }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    ///
    /// # Errors
    /// The temporary file of deferred nodes cannot be read.
    pub fn missing(&mut self) -> Result<Vec<String>> {
        self.selected.fold_deferred()?;
        Ok(self.selected.missing())
    }

    /// Notes what the table needs of a node and the graph does not keep.
    #[inline]
    fn node(&mut self, node: &Node<'_>) {
        let number = self.n_nodes;
        self.n_nodes += 1;
        // Until a node says a count the column stays empty.
        if node.heap.count.is_some() || !self.counts.is_empty() {
            while self.counts.len() < number as usize {
                self.counts.push(0);
            }
            self.counts.push(node.heap.count.map_or(0, |count| count.saturating_add(1)));
        }
        if self.spec.axis == Axis::Frame && self.context().stacks.are_there() {
            let stack = self.context().stacks.of(node).map_or(0, code);
            while self.stacks.len() < number as usize {
                self.stacks.push(0);
            }
            self.stacks.push(stack);
        }
        if (self.spec.axis != Axis::Dom || self.spec.stacks)
            && !node.rest.is_empty()
            && node.heap.class.is_none()
            && member(node.rest, "chrome.format").is_some()
        {
            self.roots.insert(number, Root { rest: node.rest.into() });
        }
        if self.everything {
            return;
        }
        if self.spec.axis != Axis::Dom {
            if node.heap.class.is_none() {
                self.rests.extend_from_slice(node.rest);
            }
            self.rest_ends.push(self.rests.len());
        }
    }

    /// Declarations and strings.
    pub(super) fn context(&self) -> &Context {
        self.selected.context()
    }

    /// True if `node` counts.
    pub(super) fn counts(&self, node: u32) -> bool {
        self.everything || self.selected.report().contains(node)
    }

    /// True if every node counts.
    pub(super) fn everything(&self) -> bool {
        self.everything
    }

    /// How many objects `node` stands for, if it says so.
    pub(super) fn count(&self, node: u32) -> Option<u64> {
        if self.counts.is_empty() { None } else { self.counts.get(node).checked_sub(1) }
    }

    /// True if a cell counts: judged as an allocation with its class, size and count at its frame.
    pub(super) fn cell_counts(
        &mut self,
        cell: &CumulativeCell,
        frame: u32,
        name: Option<StringId>,
    ) -> Result<bool> {
        if self.everything {
            return Ok(true);
        }
        let at = frame as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.rest_ends[before]);
        let heap =
            Heap { size: Some(cell.size), class: cell.class, name, count: cell.count, ..Heap::default() };
        let subtype = self.context().types.node_id("heap.allocation").unwrap_or(u32::MAX);
        let rest = &self.rests[start..self.rest_ends[at]];
        let node = Node { subtype, id: cell.frame, heap, rest, ..Node::default() };
        self.selected.selector_mut().selects(&node)
    }
}

impl Sink for TreeLoader {
    fn wants(&self) -> Wants {
        let frames = self.spec.axis != Axis::Dom;
        let wants = self.graph.wants().union(self.selected.wants());
        let edges = if self.edges { wants.edges } else { Edges::None };
        Wants { nodes: if frames { Nodes::Full } else { wants.nodes }, edges, extensions: frames, ..wants }
    }

    fn sharded(&mut self) -> Option<&mut dyn Sharded> {
        self.graph.sharded().filter(|_| self.edges)
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.graph.metadata(record)?;
        self.selected.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.graph.declare(record)?;
        self.selected.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.selected.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.graph.nodes(batch)?;
        batch.iter().for_each(|node| self.node(&node));
        if self.everything { Ok(()) } else { self.selected.nodes(batch) }
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        if self.edges { self.graph.edges(batch) } else { Ok(()) }
    }

    fn extension(&mut self, other: &Extension<'_>) -> Result {
        self.cells.extend(CumulativeCell::of(other));
        self.selected.extension(other)
    }
}

/// Type names by string id and subtype, as numbers of a [`Names`].
#[derive(Debug, Default)]
pub(super) struct Labels {
    strings: Map<StringId, u32>,
    subtypes: Map<u32, u32>,
}

impl Labels {
    pub(super) fn string(&mut self, id: StringId, names: &mut Names, context: &Context) -> Result<u32> {
        if let Some(&known) = self.strings.get(&id) {
            return Ok(known);
        }
        let number = names.number(&context.strings.text_or_number(id)?);
        self.strings.insert(id, number);
        Ok(number)
    }

    pub(super) fn subtype(&mut self, subtype: u32, names: &mut Names, context: &Context) -> u32 {
        let text = || bracketed(&context.types.node_name(subtype));
        *self.subtypes.entry(subtype).or_insert_with(|| names.number(&text()))
    }

    /// The type name of a node: class, or subtype in brackets.
    pub(super) fn of(
        &mut self,
        heap: &HeapGraph,
        node: u32,
        names: &mut Names,
        context: &Context,
    ) -> Result<u32> {
        match heap.class(node) {
            Some(class) => self.string(class, names, context),
            None => Ok(self.subtype(heap.subtypes.get(node) as u32, names, context)),
        }
    }
}

/// What a node is worth.
pub(super) fn value_of(load: &TreeLoader, heap: &HeapGraph, node: u32) -> Value {
    let size = heap.sizes.get(node);
    let allocation = load.context().types.node_id(ALLOCATION).map(u64::from);
    let uncounted = size > 0 && allocation.is_some() && allocation == Some(heap.subtypes.get(node));
    Value::new(size, load.count(node).or((!uncounted).then_some(1)))
}

/// Whether a node is an allocation whose type the source does not know: its class is its function then, as its name is.
pub(super) fn is_untyped(load: &TreeLoader, heap: &HeapGraph, node: u32) -> bool {
    let allocation = load.context().types.node_id(ALLOCATION).map(u64::from);
    heap.class(node).is_some()
        && heap.class(node) == heap.name(node)
        && allocation == Some(heap.subtypes.get(node))
}
