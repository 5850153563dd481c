//! The nodes as sources of edges: what they are to DevTools' rules, and how many edges they have. One byte a node.

use crate::layout::marks::Mark;
use crate::layout::types::{Own, Role};

/// What is special about a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Special {
    /// Nothing.
    None,
    /// A closure: the destination of `shared` is a field of it.
    Closure,
    /// A concatenated string: those of `first` and `second` are.
    Cons,
    /// A sliced string: that of `parent` is.
    Sliced,
    /// Of type hidden: its name says whether it is `system / NativeContext`.
    Hidden,
    /// Of type array: its name says whether it is `(map descriptors)`.
    Array,
}

impl Special {
    const ALL: [Self; 8] = [
        Self::None,
        Self::Closure,
        Self::Cons,
        Self::Sliced,
        Self::Hidden,
        Self::Array,
        Self::None,
        Self::None,
    ];

    /// What nodes of a type are.
    #[inline]
    pub(crate) const fn of(own: Own, role: Role) -> Self {
        match (own, role) {
            (Own::Metadata, _) => Self::Closure,
            (Own::Parts, _) => Self::Cons,
            (Own::Parent, _) => Self::Sliced,
            (_, Role::Hidden) => Self::Hidden,
            (_, Role::Array) => Self::Array,
            _ => Self::None,
        }
    }

    /// How many destinations of edges are fields of it.
    pub(crate) const fn slots(self) -> usize {
        match self {
            Self::Closure | Self::Sliced => 1,
            Self::Cons => 2,
            _ => 0,
        }
    }

    /// Which of its slots an internal edge fills.
    pub(crate) const fn slot(self, name: Mark) -> Option<usize> {
        match (self, name) {
            (Self::Closure, Mark::Shared) | (Self::Cons, Mark::First) | (Self::Sliced, Mark::Parent) => {
                Some(0)
            }
            (Self::Cons, Mark::Second) => Some(1),
            _ => None,
        }
    }
}

/// Edge counts from this on do not fit beside [`Special`] in a byte.
const MANY: u64 = 31;

/// The nodes, as sources of edges.
#[derive(Debug, Default)]
pub(crate) struct SourceList {
    /// [`Special`] in the upper three bits, edge count up to [`MANY`] in the lower five.
    packed: Vec<u8>,
    /// Edge counts of the nodes that have [`MANY`] or more.
    many: Vec<u64>,
}

impl SourceList {
    /// Room for `hint` nodes.
    pub(crate) fn with_capacity(hint: usize) -> Self {
        Self { packed: Vec::with_capacity(hint), many: Vec::new() }
    }

    /// Appends a node.
    #[inline]
    pub(crate) fn push(&mut self, special: Special, edges: u64) {
        self.packed.push((special as u8) << 5 | edges.min(MANY) as u8);
        if edges >= MANY {
            self.many.push(edges);
        }
    }

    /// Appends other nodes.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.packed.append(&mut other.packed);
        self.many.append(&mut other.many);
    }

    /// Goes over them.
    pub(crate) fn iter(&self) -> Sources<'_> {
        Sources { packed: &self.packed, many: &self.many, next: 0 }
    }
}

/// Goes over nodes as sources of edges.
#[derive(Clone, Debug)]
pub(crate) struct Sources<'a> {
    packed: &'a [u8],
    many: &'a [u64],
    next: usize,
}

impl Iterator for Sources<'_> {
    /// What the node is, and how many edges it has.
    type Item = (Special, u64);

    #[inline]
    fn next(&mut self) -> Option<(Special, u64)> {
        let packed = *self.packed.get(self.next)?;
        self.next += 1;
        let special = Special::ALL[usize::from(packed >> 5)];
        let mut edges = u64::from(packed & 31);
        if edges == MANY
            && let Some((&many, rest)) = self.many.split_first()
        {
            edges = many;
            self.many = rest;
        }
        Some((special, edges))
    }
}

/// Goes over edges, by the nodes that they come from.
#[derive(Clone, Debug)]
pub(crate) struct Owners<'a> {
    sources: Sources<'a>,
    /// The node, what it is, and how many of its edges are left.
    pub(crate) ordinal: usize,
    pub(crate) special: Special,
    pub(crate) left: u64,
    /// Its first slot.
    pub(crate) slot: usize,
}

impl<'a> Owners<'a> {
    /// Before the first edge.
    pub(crate) fn new(sources: Sources<'a>) -> Self {
        Self { sources, ordinal: usize::MAX, special: Special::None, left: 0, slot: 0 }
    }

    /// Goes to the node of the next edge; false if there is none.
    #[inline]
    pub(crate) fn next(&mut self) -> bool {
        while self.left == 0 {
            self.slot += self.special.slots();
            let Some(next) = self.sources.next() else { return false };
            (self.special, self.left) = next;
            self.ordinal = self.ordinal.wrapping_add(1);
        }
        true
    }

    /// Goes over `n` edges.
    pub(crate) fn skip(&mut self, mut n: u64) {
        while n > 0 && self.next() {
            let more = self.left.min(n);
            self.left -= more;
            n -= more;
        }
    }
}
