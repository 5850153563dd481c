//! The survey of plain edges: what must be known of them before the first node is told, and no more.
//!
//! Of most edges only the type is looked at, one digit; of those with array indexes the name as well, of those from
//! nodes that take targets as their own fields all three numbers. Whether names and targets exist is seen by who
//! tells the edges. The survey of `edges` is the obvious twin, and takes whatever is not plain: other fields, other
//! shapes, types that the header does not name.

use heap_base::Result;

use crate::bits::Indexes;
use crate::edges::{Divide, Edges, NOWHERE, Plan, plain};
use crate::ints::Section;
use crate::lex;
use crate::nodes::Nodes;
use crate::sources::{Sources, Special};
use crate::triple::{Triple, WINDOW};
use crate::types::{EdgeRole, EdgeType, Label};
use crate::weak::Mark;

/// Bytes of text at a time. Tests go over several such pieces.
const TEXT: usize = if cfg!(test) { 320 } else { 256 << 10 };

/// What of an edge is looked at, by its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Look {
    /// It has no type that can be skimmed.
    #[default]
    Closely,
    /// Its type only.
    No,
    /// Its name, which is an array index.
    Index,
}

/// Goes over part of the edges, from that with the number `first` on.
pub(crate) struct Skim<'a> {
    plan: Plan<'a>,
    /// By the digit of the type; those that are not internal are of no use to nodes.
    looks: [Look; 16],
    internal: [bool; 16],
    divide: Divide,
    n_nodes: u32,
    sources: Sources<'a>,
    /// The edges of the next node that takes targets, by number, what it is, and its first slot.
    next: (u64, u64),
    special: Special,
    slot: usize,
    /// The number of the first edge behind the last source.
    reached: u64,
    edge: u64,
    first: u64,
    indexes: Indexes,
    slots: Vec<u32>,
}

impl<'a> Skim<'a> {
    /// `None` if edges of this header cannot be skimmed.
    pub(crate) fn new(plan: Plan<'a>, nodes: &'a Nodes, types: &[EdgeType], first: u64) -> Option<Self> {
        if !plain(&plan.header.edge) {
            return None;
        }
        let (mut looks, mut internal) = ([Look::Closely; 16], [false; 16]);
        for (code, t) in types.iter().enumerate().take(10) {
            looks[code] = if t.label == Label::Index && plan.indexes { Look::Index } else { Look::No };
            internal[code] = t.role == EdgeRole::Internal;
        }
        let mut this = Self {
            looks,
            internal,
            divide: Divide::by(plan.header.node.width),
            n_nodes: nodes.count,
            sources: nodes.sources(),
            next: (0, 0),
            special: Special::None,
            slot: 0,
            reached: 0,
            edge: first,
            first,
            indexes: Indexes::default(),
            slots: if plan.slots { vec![NOWHERE; nodes.slots] } else { Vec::new() },
            plan,
        };
        this.advance();
        Some(this)
    }

    /// Finds the next node that takes targets of edges not passed yet.
    fn advance(&mut self) {
        self.next = (u64::MAX, u64::MAX);
        if !self.plan.slots {
            return;
        }
        self.slot += self.special.slots();
        for (special, edges) in self.sources.by_ref() {
            let from = self.reached;
            self.reached += edges;
            if special.slots() > 0 {
                if self.reached > self.edge {
                    (self.next, self.special) = ((from, self.reached), special);
                    return;
                }
                self.slot += special.slots();
            }
        }
    }

    /// What was found in `section`; `None` if it is not plain.
    pub(crate) fn run(mut self, section: &Section) -> Result<Option<Edges>> {
        let mut text = lex::boxed::<u8, { TEXT + WINDOW + 1 }>(0);
        let (mut base, mut n) = (section.start, 0);
        let mut more = true;
        while more {
            let left = usize::try_from(section.end - base).unwrap_or(usize::MAX) - n;
            let room = left.min(TEXT - n);
            let read = self.plan.blob.read_at(&mut text[n..n + room], base + n as u64)?;
            if read < room {
                return Ok(None);
            }
            n += read;
            more = left > room;
            if !more {
                // The last record ends as if another one came.
                if n == 0 || !text[..n].trim_ascii_end().last().is_some_and(u8::is_ascii_digit) {
                    return Ok(None);
                }
                text[n..].fill(b' ');
                text[n] = b',';
            }
            let end = if more { n - WINDOW } else { n };
            let mut pos = 0;
            while pos < end {
                match Triple::at(&text[pos..]) {
                    Some(triple) if self.record(triple) => pos += triple.length,
                    _ => return Ok(None),
                }
            }
            if more {
                text.copy_within(pos..n, 0);
                base += pos as u64;
                n -= pos;
            }
        }
        Ok(Some(Edges {
            count: self.edge - self.first,
            unread: true,
            indexes: self.indexes,
            slots: self.slots,
            ..Edges::default()
        }))
    }

    /// Takes a record; false if it is not plain.
    #[inline]
    fn record(&mut self, triple: Triple<'_>) -> bool {
        let kind = triple.kind() as usize;
        match self.looks[kind] {
            Look::No => {}
            Look::Closely => return false,
            Look::Index => match triple.name().map(u32::try_from) {
                Some(Ok(index)) => {
                    self.indexes.insert(index);
                }
                _ => return false,
            },
        }
        if self.edge >= self.next.0 {
            if self.edge >= self.next.1 {
                self.advance();
            }
            if self.edge >= self.next.0 && self.internal[kind] && !self.fill(triple) {
                return false;
            }
        }
        self.edge += 1;
        true
    }

    /// Keeps the target of an edge, if its source takes it.
    fn fill(&mut self, triple: Triple<'_>) -> bool {
        let slot =
            self.special.slot(triple.name().map_or(Mark::None, |name| self.plan.strings.marks.get(name)));
        let Some(slot) = slot.and_then(|slot| self.slots.get_mut(self.slot + slot)) else { return true };
        match triple.to().and_then(|to| self.divide.node(to, self.n_nodes)) {
            Some(dest) => {
                // The first edge that names a field counts.
                if *slot == NOWHERE {
                    *slot = dest;
                }
                true
            }
            None => false,
        }
    }
}
