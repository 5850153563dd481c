//! What edges ask of the nodes that they come from: what these are to DevTools' rules, and how many edges they have.
//! One byte a node.

use crate::weak::Mark;

/// What edges ask about their source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Special {
    /// Nothing.
    None,
    /// A closure: takes the target of `shared`.
    Closure,
    /// A concatenated string: takes those of `first` and `second`.
    Cons,
    /// A sliced string: takes that of `parent`.
    Sliced,
    /// `system / NativeContext`.
    NativeContext,
    /// `(map descriptors)`.
    MapDescriptors,
}

impl Special {
    const ALL: [Self; 8] = [
        Self::None,
        Self::Closure,
        Self::Cons,
        Self::Sliced,
        Self::NativeContext,
        Self::MapDescriptors,
        Self::None,
        Self::None,
    ];

    /// How many targets of edges it takes.
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
pub(crate) struct Shapes {
    /// [`Special`] in the upper three bits, edge count up to [`MANY`] in the lower five.
    shape: Vec<u8>,
    /// Edge counts of the nodes that have [`MANY`] or more.
    many: Vec<u64>,
}

impl Shapes {
    /// Room for `hint` nodes.
    pub(crate) fn with_capacity(hint: usize) -> Self {
        Self { shape: Vec::with_capacity(hint), many: Vec::new() }
    }

    /// Appends a node.
    #[inline]
    pub(crate) fn push(&mut self, special: Special, edges: u64) {
        self.shape.push((special as u8) << 5 | edges.min(MANY) as u8);
        if edges >= MANY {
            self.many.push(edges);
        }
    }

    /// Appends other nodes.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.shape.append(&mut other.shape);
        self.many.append(&mut other.many);
    }

    /// Goes over them.
    pub(crate) fn iter(&self) -> Sources<'_> {
        Sources { shape: &self.shape, many: &self.many, next: 0 }
    }
}

/// Goes over nodes as sources of edges.
#[derive(Clone, Debug)]
pub(crate) struct Sources<'a> {
    shape: &'a [u8],
    many: &'a [u64],
    next: usize,
}

impl Iterator for Sources<'_> {
    /// What the node is, and how many edges it has.
    type Item = (Special, u64);

    #[inline]
    fn next(&mut self) -> Option<(Special, u64)> {
        let shape = *self.shape.get(self.next)?;
        self.next += 1;
        let special = Special::ALL[usize::from(shape >> 5)];
        let mut edges = u64::from(shape & 31);
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

    /// Goes over one edge; false if there is none.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        let more = self.next();
        self.left -= u64::from(more);
        more
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
