//! Plain edges: those that say where they lead and by which label, and nothing that a reader must think about.
//!
//! Nearly all edges are. Their type and the limits of their fields show it. They are lexed straight into what sinks
//! take; any other one is left where it stands and comes as integers (`ints`).

use heap_record::PlainEdge;

use super::Divide;
use super::triple::Triple;
use crate::layout::marks::{Mark, Marks};
use crate::layout::types::{EdgeRule, EdgeType, Label};
use crate::scan::Strings;

/// Edges at a time: 384 KiB, so that few are handed over. Tests have lists with more.
const MOST: usize = if cfg!(test) { 7 } else { 16 << 10 };

/// When edges of some type are plain. None is, by default.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    /// What its name must stay below.
    limit: u64,
    /// What turns its name into its label: all bits for an array index, none for a string.
    flip: i64,
    /// Whether it may be half of a WeakMap entry, by its name.
    marked: bool,
}

/// What distinguishes plain edges from others.
#[derive(Debug)]
pub(crate) struct PlainEdges<'a> {
    /// By the digit of the type.
    rule: [Rule; 16],
    marks: &'a Marks,
    divide: Divide,
    n_nodes: u32,
}

impl<'a> PlainEdges<'a> {
    /// Edges of these types, between `n_nodes` nodes of `width` fields each. All type codes from 0 on are declared.
    pub(crate) fn new(types: &[EdgeType], strings: &'a Strings, n_nodes: u32, width: usize) -> Self {
        let mut rule = [Rule::default(); 16];
        for (rule, t) in rule.iter_mut().zip(types) {
            let (limit, flip) = if t.label == Label::Index { (1 << 32, -1) } else { (strings.known(), 0) };
            let marked = t.rule == EdgeRule::Internal && !strings.marks.pairs().is_empty();
            *rule = Rule { limit, flip, marked };
        }
        Self { rule, marks: &strings.marks, divide: Divide::by(width), n_nodes }
    }

    /// Takes the plain edges at the beginning of `text` as far as there is room for them; gives the bytes they took.
    ///
    /// A function of its own: as part of its caller, whose registers it would share, it took a fifteenth more
    /// instructions.
    #[inline(never)]
    pub(crate) fn take(&self, text: &[u8], run: &mut EdgeRun) -> usize {
        let mut rest = text;
        let mut n = run.n;
        for edge in &mut run.edges[n..] {
            let Some(triple) = Triple::at(rest) else { break };
            let (kind, Some((name, to))) = (triple.kind(), triple.name_and_to()) else { break };
            let rule = self.rule[kind as usize % 16];
            let Some(dest) = self.divide.node(to, self.n_nodes).filter(|_| name < rule.limit) else { break };
            if rule.marked && self.marks.get(name) == Mark::Pair {
                run.pairs.push(n as u32);
            }
            *edge = PlainEdge { subtype: kind as u32 + 1, dest: dest.into(), label: name as i64 ^ rule.flip };
            rest = &rest[triple.length..];
            n += 1;
        }
        run.n = n;
        text.len() - rest.len()
    }

    /// The three fields that an edge was read from: type, name, and ordinal of the target.
    pub(crate) fn fields(&self, edge: PlainEdge) -> (u64, u64, u32) {
        let kind = u64::from(edge.subtype) - 1;
        (kind, (edge.label ^ self.rule[kind as usize % 16].flip) as u64, edge.dest as u32)
    }
}

/// Plain edges, one behind the other in the file.
#[derive(Debug, Default)]
pub(crate) struct EdgeRun {
    edges: Vec<PlainEdge>,
    n: usize,
    /// Places of those that are half of a WeakMap entry, ascending.
    pairs: Vec<u32>,
}

impl EdgeRun {
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

    /// The edges, whose destinations are ordinals, and the places of those that are half of a WeakMap entry.
    pub(crate) fn parts(&mut self) -> (&mut [PlainEdge], &[u32]) {
        (&mut self.edges[..self.n], &self.pairs)
    }

    /// How many edges there are.
    pub(crate) fn len(&self) -> usize {
        self.n
    }
}
