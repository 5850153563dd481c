//! The survey of plain edges: what must be known of them before the first node is told, and no more.
//!
//! Of most edges only the type is looked at, one digit; of those with array indexes the name as well, of those from
//! nodes that take targets as their own fields all three numbers. Whether names and targets exist is seen by who
//! tells the edges. The survey of `edges` is the obvious twin, and takes whatever is not plain: other fields, other
//! shapes, types that the header does not name.

use heap_record::Result;

use crate::bits::Indexes;
use crate::edges::{Divide, Edges, NOWHERE, Plan, plain};
use crate::ints::Section;
use crate::lex::{self, digit_mask};
use crate::nodes::{Nodes, Sources, Special};
use crate::types::{EdgeRole, EdgeType, Label};

/// Bytes of text at a time. Tests go over several such pieces.
const TEXT: usize = if cfg!(test) { 320 } else { 256 << 10 };

/// Bytes that one record may take: what stands behind a block is looked at as well.
const RECORD: usize = 64;

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
    n_nodes: u64,
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
            n_nodes: nodes.count.into(),
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
        let mut text = lex::boxed::<u8, { TEXT + 2 * RECORD }>(0);
        let (mut base, mut n) = (section.start, 0);
        // Integers that still belong to the record before, and whether the byte before was a digit.
        let (mut skip, mut carry) = (0, 0);
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
                // Behind the last record: its last integer ends here, and all that is looked at is plain.
                if n == 0 || !text[..n].trim_ascii_end().last().is_some_and(u8::is_ascii_digit) {
                    return Ok(None);
                }
                text[n..].fill(b'0');
                text[n] = b',';
            }
            let end = if more { n - 2 * RECORD } else { n };
            let mut pos = 0;
            while pos < end {
                let block: &[u8; 65] = text[pos..].first_chunk().unwrap_or(&[0; 65]);
                if !lex::plain(block) {
                    return Ok(None);
                }
                let digit = digit_mask(block);
                let mut starts = digit & !(digit << 1 | carry);
                if !more && n - pos < 64 {
                    starts &= (1 << (n - pos)) - 1;
                }
                carry = digit >> 63;
                while starts != 0 {
                    if skip == 0 {
                        let at = pos + starts.trailing_zeros() as usize;
                        if !self.record(&text, at) {
                            return Ok(None);
                        }
                        skip = 3;
                    }
                    skip -= 1;
                    starts &= starts - 1;
                }
                pos += 64;
            }
            if more {
                text.copy_within(pos..n, 0);
                base += pos as u64;
                n -= pos;
            }
        }
        Ok((skip == 0).then(|| Edges {
            count: self.edge - self.first,
            unread: true,
            indexes: self.indexes,
            slots: self.slots,
            ..Edges::default()
        }))
    }

    /// Takes the record at `at`; false if it is not plain.
    #[inline]
    fn record(&mut self, text: &[u8; TEXT + 2 * RECORD], at: usize) -> bool {
        let Some(&[kind, b',', ..]) = text[at..].first_chunk::<RECORD>() else { return false };
        match self.looks[usize::from(kind & 15)] {
            Look::No => {}
            Look::Closely => return false,
            Look::Index => match number(&text[at + 2..]) {
                Some((index, _)) if u32::try_from(index).is_ok() => self.indexes.insert(index as u32),
                _ => return false,
            },
        }
        if self.edge >= self.next.0 {
            if self.edge >= self.next.1 {
                self.advance();
            }
            if self.edge >= self.next.0
                && self.internal[usize::from(kind & 15)]
                && !self.fill(&text[at + 2..])
            {
                return false;
            }
        }
        self.edge += 1;
        true
    }

    /// Keeps the target of an edge, of which `text` is name and target, if its source takes it.
    fn fill(&mut self, text: &[u8]) -> bool {
        let Some((name, end)) = number(text).filter(|&(_, end)| text[end] == b',') else { return false };
        let slot = self.special.slot(self.plan.strings.marks.get(name));
        let Some(slot) = slot.and_then(|slot| self.slots.get_mut(self.slot + slot)) else { return true };
        let Some((to, _)) = text.get(end + 1..).and_then(number) else { return false };
        match self.divide.exact(to) {
            Some(dest) if dest < self.n_nodes => {
                // The first edge that names a field counts.
                if *slot == NOWHERE {
                    *slot = dest as u32;
                }
                true
            }
            _ => false,
        }
    }
}

/// The number at the start of `text`, and its length; `None` if it has more than 16 digits.
#[inline]
fn number(text: &[u8]) -> Option<(u64, usize)> {
    let mut n = 0;
    for (i, &b) in text.iter().enumerate().take(17) {
        match b {
            b'0'..=b'9' => n = n * 10 + u64::from(b - b'0'),
            b',' | b'\n' => return (i > 0).then_some((n, i)),
            _ => return None,
        }
    }
    None
}
