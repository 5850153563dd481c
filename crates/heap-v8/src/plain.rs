//! Plain edges: those that say where they lead and by which label, and nothing that a reader must think about.
//!
//! Nearly all edges are, which their type and the limits of their fields tell. They are lexed straight into what sinks
//! take; any other one is left where it stands, and comes as integers (`ints`).

use heap_record::PlainEdge;

use crate::edges::Divide;
use crate::text::Strings;
use crate::triple::Triple;
use crate::types::{EdgeRole, EdgeType, Label};
use crate::weak::{Mark, Marks};

/// Edges at a time: 384 KiB, so that few are handed over. Tests have lists with more.
const MOST: usize = if cfg!(test) { 7 } else { 16 << 10 };

/// What a plain edge of some type is. None is, by default.
#[derive(Clone, Copy, Debug, Default)]
struct Usual {
    /// What its name must stay below.
    limit: u64,
    /// What turns its name into its label: all bits for an array index, none for a string.
    flip: i64,
    /// Whether it may be half of a WeakMap entry, by its name.
    marked: bool,
}

/// What tells plain edges from others.
#[derive(Debug)]
pub(crate) struct Plain<'a> {
    /// By the digit of the type.
    usual: [Usual; 16],
    marks: &'a Marks,
    divide: Divide,
    n_nodes: u32,
}

impl<'a> Plain<'a> {
    /// Edges of these types, between `n_nodes` nodes of `width` fields each.
    pub(crate) fn new(types: &[EdgeType], strings: &'a Strings, n_nodes: u32, width: usize) -> Self {
        let mut usual = [Usual::default(); 16];
        for (usual, t) in usual.iter_mut().zip(types) {
            let (limit, flip) = if t.label == Label::Index { (1 << 32, -1) } else { (strings.known(), 0) };
            let marked = t.role == EdgeRole::Internal && !strings.marks.pairs().is_empty();
            *usual = Usual { limit, flip, marked };
        }
        Self { usual, marks: &strings.marks, divide: Divide::by(width), n_nodes }
    }

    /// Takes the plain edges at the beginning of `text` as far as there is room for them; gives the bytes they took.
    ///
    /// A function of its own: as part of its caller, whose registers it would share, it took a fifteenth more
    /// instructions.
    #[inline(never)]
    pub(crate) fn take(&self, text: &[u8], run: &mut Run) -> usize {
        let mut rest = text;
        let mut n = run.n;
        for edge in &mut run.edges[n..] {
            let Some(triple) = Triple::at(rest) else { break };
            let (kind, Some((name, to))) = (triple.kind(), triple.name_and_to()) else { break };
            let usual = self.usual[kind as usize % 16];
            let Some(dest) = self.divide.node(to, self.n_nodes).filter(|_| name < usual.limit) else { break };
            if usual.marked && self.marks.get(name) == Mark::Pair {
                run.pairs.push(n as u32);
            }
            *edge =
                PlainEdge { subtype: kind as u32 + 1, dest: dest.into(), label: name as i64 ^ usual.flip };
            rest = &rest[triple.length..];
            n += 1;
        }
        run.n = n;
        text.len() - rest.len()
    }

    /// The three fields that an edge was read from: type, name, and ordinal of the target.
    pub(crate) fn fields(&self, edge: PlainEdge) -> (u64, u64, u32) {
        let kind = u64::from(edge.subtype) - 1;
        (kind, (edge.label ^ self.usual[kind as usize % 16].flip) as u64, edge.dest as u32)
    }
}

/// Plain edges, one behind the other in the file.
#[derive(Debug, Default)]
pub(crate) struct Run {
    edges: Vec<PlainEdge>,
    n: usize,
    /// Places of those that are half of a WeakMap entry, ascending.
    pairs: Vec<u32>,
}

impl Run {
    /// Makes room for edges.
    pub(crate) fn clear(&mut self) {
        self.edges.resize(MOST, PlainEdge::default());
        self.n = 0;
        self.pairs.clear();
    }

    /// True if there is no room left.
    pub(crate) fn is_full(&self) -> bool {
        self.n == self.edges.len()
    }

    /// The edges, whose targets are ordinals, and the places of those that are half of a WeakMap entry.
    pub(crate) fn parts(&mut self) -> (&mut [PlainEdge], &[u32]) {
        (&mut self.edges[..self.n], &self.pairs)
    }

    /// How many edges there are.
    pub(crate) fn len(&self) -> usize {
        self.n
    }
}
