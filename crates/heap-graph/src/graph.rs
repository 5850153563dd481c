//! The graph: outgoing edges by node, in the order of the dump, four bytes each.

use std::fmt;
use std::io::{self, Read, Write};
use std::ops::Range;

use heap_base::BitSet;

use crate::aside::Aside;
use crate::sparse::Numbered;
use crate::starts::Starts;

/// No node, no edge, no number.
pub const NONE: u32 = u32::MAX;
/// How many nodes a graph can have, but one of few edges; three bits of an edge's word say its class.
pub const MAX_NODES: u32 = (1 << 29) - 2;
/// How many edges a graph can have; the numbers above are marks of the path search.
pub const MAX_EDGES: u32 = u32::MAX - 16;

/// What an edge counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Class {
    /// Keeps its target alive.
    Strong = 0,
    /// Keeps its target alive where it starts from a root; counts for distances anywhere (V8's shortcuts).
    Root = 1,
    /// Counts for nothing.
    Weak = 2,
    /// As [`Strong`](Self::Strong), but no distance is measured along it.
    StrongUnmeasured = 3,
    /// As [`Root`](Self::Root), but no distance is measured along it.
    RootUnmeasured = 4,
    /// From a weak table to a value that lives as long as table and key (an ephemeron): does not retain, since
    /// the edge from the key does. Its partner is the key.
    Table = 5,
    /// From the key of an ephemeron to its value: retains. Its partner is the table.
    Key = 6,
    /// As [`Weak`](Self::Weak), but kept: it may turn out to hold its target ([`Graph::revive`]).
    Kept = 7,
}

impl Class {
    const ALL: [Self; 8] = [
        Self::Strong,
        Self::Root,
        Self::Weak,
        Self::StrongUnmeasured,
        Self::RootUnmeasured,
        Self::Table,
        Self::Key,
        Self::Kept,
    ];

    /// The class with this number, of which the lowest bits count.
    pub(crate) const fn of_number(number: u64) -> Self {
        Self::ALL[(number & 7) as usize]
    }

    /// Bit of this class in a mask.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// True if it keeps its target alive wherever it starts, whatever else lives.
    pub(crate) const fn is_strong(self) -> bool {
        matches!(self, Self::Strong | Self::StrongUnmeasured)
    }

    /// True for the halves of an ephemeron.
    pub const fn has_partner(self) -> bool {
        matches!(self, Self::Table | Self::Key)
    }
}

/// The far end of an edge and its class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link {
    end: u32,
    class: u8,
}

impl Link {
    /// The node at its far end.
    #[inline]
    pub const fn end(self) -> u32 {
        self.end
    }

    /// What it counts for.
    #[inline]
    pub const fn class(self) -> Class {
        Class::of_number(self.class as u64)
    }

    /// Bit of its class in a mask.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << (self.class & 7)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}", self.end(), self.class())
    }
}

/// The same in four bytes, for graphs of at most [`MAX_NODES`] nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed(u32);

const CLASS_SHIFT: u32 = 29;
const END_MASK: u32 = (1 << CLASS_SHIFT) - 1;

impl From<Packed> for Link {
    #[inline]
    fn from(packed: Packed) -> Self {
        Self { end: packed.end(), class: (packed.0 >> CLASS_SHIFT) as u8 }
    }
}

impl Packed {
    /// An edge to (or, in a [`Reverse`] graph, from) `end`, which is below [`MAX_NODES`].
    #[inline]
    pub(crate) const fn new(end: u32, class: Class) -> Self {
        Self((class as u32) << CLASS_SHIFT | (end & END_MASK))
    }

    /// The same edge with another class.
    #[inline]
    pub(crate) const fn of_class(self, class: Class) -> Self {
        Self::new(self.end(), class)
    }

    /// The node at its far end.
    #[inline]
    pub(crate) const fn end(self) -> u32 {
        self.0 & END_MASK
    }

    /// What it counts for.
    #[inline]
    pub(crate) const fn class(self) -> Class {
        Class::ALL[(self.0 >> CLASS_SHIFT) as usize]
    }

    /// True if it counts for nothing.
    #[inline]
    pub(crate) const fn is_weak(self) -> bool {
        self.bit() & (Class::Weak.bit() | Class::Kept.bit()) != 0
    }

    /// Bit of its class in a mask.
    #[inline]
    pub(crate) const fn bit(self) -> u8 {
        1 << (self.0 >> CLASS_SHIFT)
    }
}

/// Why a graph cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// More than so many nodes.
    Nodes(u32),
    /// More than [`MAX_EDGES`] edges.
    Edges,
    /// An edge starts or ends at a node that the graph does not have.
    Range(u32),
    /// The temporary file of labels cannot be written or read.
    File(io::ErrorKind),
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(most) => write!(f, "more than {most} nodes"),
            Self::Edges => write!(f, "more than {MAX_EDGES} edges"),
            Self::Range(node) => write!(f, "an edge at node {node}, which does not exist"),
            Self::File(kind) => write!(f, "labels in a temporary file: {kind}"),
        }
    }
}

impl std::error::Error for GraphError {}

impl From<io::Error> for GraphError {
    fn from(error: io::Error) -> Self {
        Self::File(error.kind())
    }
}

/// A graph of more nodes that has few edges: nodes that have one, or that a search may meet, and the edges.
#[derive(Clone, Debug)]
pub(crate) struct Few {
    nodes: u32,
    /// Numbers of these nodes in the graph, ascending, and the other way round.
    members: Vec<u32>,
    numbers: Numbered,
    /// Far end and class of each edge.
    ends: Vec<u32>,
    classes: Vec<u8>,
}

impl Few {
    #[inline(never)]
    fn link(&self, edge: u32) -> Link {
        Link { end: self.ends[edge as usize], class: self.classes[edge as usize] }
    }
}

/// An edge on its way into a graph of few: source, end, class, label and kind.
pub(crate) type FewEdge = (u32, u32, Class, u32, u8);

/// Some edges of a graph, in order.
#[derive(Clone, Debug)]
pub struct Links<'a> {
    here: std::slice::Iter<'a, Packed>,
    few: Option<&'a Few>,
    /// Numbers of those that are left in a graph of few.
    left: Range<usize>,
}

impl Iterator for Links<'_> {
    type Item = Link;

    #[inline]
    fn next(&mut self) -> Option<Link> {
        match self.here.next() {
            Some(&link) => Some(link.into()),
            None => self.next_of_few(),
        }
    }
}

impl Links<'_> {
    #[cold]
    fn next_of_few(&mut self) -> Option<Link> {
        let few = self.few?;
        self.left.next().map(|edge| few.link(edge as u32))
    }
}

/// A finished graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Node v has the edges `offsets[v]..offsets[v + 1]`. Of a graph that has few, only some nodes are in it.
    pub(crate) offsets: Vec<u32>,
    /// The same in place of `offsets`, after the edges were [lent](Self::lend).
    pub(crate) starts: Starts,
    pub(crate) few: Option<Box<Few>>,
    /// The edges, but those of a graph that has few.
    pub(crate) links: Vec<Packed>,
    /// Source and partner of each edge whose class has one, in edge order.
    pub(crate) partners: Vec<(u32, u32)>,
    /// Labels by edge, if the builder was asked to keep them.
    pub(crate) labels: Option<Vec<u32>>,
    /// Kinds by edge, if the builder was asked to keep them.
    pub(crate) kinds: Option<Vec<u8>>,
    /// Both, if the builder was asked to put them aside, and there are many.
    pub(crate) aside: Option<Aside>,
    /// How many nodes it has while its edges are [lent](Self::lend).
    pub(crate) lent: u32,
}

impl Graph {
    /// How many nodes it has.
    pub fn nodes(&self) -> u32 {
        match &self.few {
            Some(few) => few.nodes,
            None if self.offsets.is_empty() => (self.starts.len() as u32).checked_sub(1).unwrap_or(self.lent),
            None => self.offsets.len() as u32 - 1,
        }
    }

    /// A graph of `nodes` nodes with few edges, each with source, label and kind, those of one source in order. It takes memory
    /// for these and for the nodes at their ends and in `more` alone, but a bit for all others.
    pub(crate) fn of_few(nodes: u32, mut edges: Vec<FewEdge>, more: &BitSet) -> Self {
        if !edges.is_sorted_by_key(|edge| edge.0) {
            edges.sort_by_key(|edge| edge.0);
        }
        let mut met = more.clone();
        for &(source, end, ..) in &edges {
            met.insert(source);
            met.insert(end);
        }
        let (mut members, mut numbers) = (Vec::new(), Numbered::default());
        let (mut offsets, mut at) = (Vec::new(), 0);
        for node in met.iter().take_while(|&node| node < nodes) {
            members.push(node);
            numbers.push(node);
            offsets.push(at as u32);
            at += edges[at..].iter().take_while(|edge| edge.0 == node).count();
        }
        offsets.push(at as u32);
        let ends = edges.iter().map(|edge| edge.1).collect();
        let classes = edges.iter().map(|edge| edge.2 as u8).collect();
        let labels = edges.iter().map(|edge| edge.3).collect();
        let kinds = edges.into_iter().map(|edge| edge.4).collect();
        let few = Some(Box::new(Few { nodes, members, numbers, ends, classes }));
        Self { offsets, few, labels: Some(labels), kinds: Some(kinds), ..Self::default() }
    }

    /// Whether it has few edges for its nodes, and only some of these a [place](Self::place).
    pub fn has_few(&self) -> bool {
        self.few.is_some()
    }

    /// How many nodes have a [place](Self::place).
    pub fn places(&self) -> u32 {
        self.few.as_ref().map_or(self.nodes(), |few| few.members.len() as u32)
    }

    /// Where an array with an entry for each node that a search meets has that of this one: its number, but in a graph that has
    /// few edges.
    #[inline]
    pub fn place(&self, node: u32) -> Option<u32> {
        match &self.few {
            None => Some(node),
            Some(few) => few.numbers.get(node),
        }
    }

    /// How many edges it has.
    pub fn edges(&self) -> u32 {
        self.few.as_ref().map_or(self.links.len(), |few| few.ends.len()) as u32
    }

    /// The numbers of `node`'s outgoing edges.
    #[inline]
    pub fn range(&self, node: u32) -> Range<usize> {
        if self.few.is_some() {
            return self.range_of_few(node);
        }
        let node = node as usize;
        if self.offsets.is_empty() {
            return self.starts.get(node) as usize..self.starts.get(node + 1) as usize;
        }
        self.offsets[node] as usize..self.offsets[node + 1] as usize
    }

    #[inline(never)]
    fn range_of_few(&self, node: u32) -> Range<usize> {
        let Some(place) = self.place(node) else { return 0..0 };
        self.offsets[place as usize] as usize..self.offsets[place as usize + 1] as usize
    }

    /// `node`'s outgoing edges, in a graph that has not just few.
    #[inline]
    pub(crate) fn links(&self, node: u32) -> &[Packed] {
        &self.links[self.range(node)]
    }

    /// So many edges, by number.
    #[inline]
    pub fn links_at(&self, edges: Range<usize>) -> Links<'_> {
        match &self.few {
            None => Links { here: self.links[edges].iter(), few: None, left: 0..0 },
            Some(few) => Links { here: [].iter(), few: Some(few), left: edges },
        }
    }

    /// Edge number `edge`.
    #[inline]
    pub fn link(&self, edge: u32) -> Link {
        match &self.few {
            None => self.links[edge as usize].into(),
            Some(few) => few.link(edge),
        }
    }

    /// The node where edge number `edge` starts, in O(log N).
    pub fn source(&self, edge: u32) -> u32 {
        let place = if self.offsets.is_empty() {
            self.starts.up_to(edge)
        } else {
            self.offsets.partition_point(|&start| start <= edge)
        };
        let place = place as u32 - 1;
        self.few.as_ref().map_or(place, |few| few.members[place as usize])
    }

    /// The label given with edge number `edge`; `None` if labels were not kept.
    ///
    /// # Errors
    /// Labels are in a file that cannot be read.
    pub fn label(&self, edge: u32) -> io::Result<Option<u32>> {
        match &self.aside {
            Some(aside) => aside.label(edge).map(Some),
            None => Ok(self.labels.as_ref().map(|labels| labels[edge as usize])),
        }
    }

    /// The kind given with edge number `edge`; `None` if kinds were not kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn kind(&self, edge: u32) -> io::Result<Option<u8>> {
        match &self.aside {
            Some(aside) => aside.kind(edge).map(Some),
            None => Ok(self.kinds.as_ref().map(|kinds| kinds[edge as usize])),
        }
    }

    /// Appends the labels of these edges, as far as labels were kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub fn labels(&self, edges: Range<usize>, out: &mut Vec<u32>) -> io::Result<()> {
        match (&self.aside, &self.labels) {
            (Some(aside), _) => aside.labels(edges.start as u64, edges.len(), out)?,
            (None, Some(labels)) => out.extend_from_slice(&labels[edges]),
            (None, None) => {}
        }
        Ok(())
    }

    /// Appends labels and kinds of these edges, as far as they were kept.
    ///
    /// # Errors
    /// As [`label`](Self::label).
    pub(crate) fn names_of(
        &self,
        edges: Range<usize>,
        labels: &mut Vec<u32>,
        kinds: &mut Vec<u8>,
    ) -> io::Result<()> {
        if let Some(aside) = &self.aside {
            return aside.names(edges.start as u64, edges.len(), labels, kinds);
        }
        labels.extend(self.labels.iter().flat_map(|all| &all[edges.clone()]));
        kinds.extend(self.kinds.iter().flat_map(|all| &all[edges.clone()]));
        Ok(())
    }

    /// A copy without labels and kinds, for [`analyse`](crate::analyse), which consumes it.
    #[must_use]
    pub fn bare(&self) -> Self {
        let Self { offsets, starts, links, partners, .. } = self;
        let offsets = if offsets.is_empty() { starts.all() } else { offsets.clone() };
        Self { offsets, links: links.clone(), partners: partners.clone(), ..Self::default() }
    }

    /// Writes the edges, 4 bytes for each and for each node, from where [`read_edges`] reads them.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_edges(&self, out: &mut impl Write) -> io::Result<()> {
        if self.offsets.is_empty() {
            write_words(&self.starts.all(), |&offset| offset, out)?;
        } else {
            write_words(&self.offsets, |&offset| offset, out)?;
        }
        write_words(&self.links, |link| link.0, out)
    }

    /// Gives the graph away, to be consumed. Labels and kinds stay, and so does the number of nodes; the edges are gone
    /// until [`take_back`](Self::take_back).
    #[must_use]
    pub fn lend(&mut self) -> Self {
        self.lent = self.nodes();
        let (offsets, starts) = (std::mem::take(&mut self.offsets), std::mem::take(&mut self.starts));
        let offsets = if offsets.is_empty() { starts.all() } else { offsets };
        let links = std::mem::take(&mut self.links);
        Self { offsets, links, partners: self.partners.clone(), ..Self::default() }
    }

    /// Gives the edges back, as they were before [`lend`](Self::lend).
    pub fn take_back(&mut self, Edges { starts, links }: Edges) {
        (self.starts, self.links) = (starts, links);
    }

    /// Labels and kinds by edge; `None` if it does not have both.
    pub fn names(&self) -> Option<(&[u32], &[u8])> {
        self.labels.as_deref().zip(self.kinds.as_deref())
    }

    /// Lets go of labels and kinds.
    pub fn forget_names(&mut self) {
        (self.labels, self.kinds, self.aside) = (None, None, None);
    }

    /// Lets go of the labels and kinds in memory, which are in a file now.
    pub fn put_aside(&mut self, names: Aside) {
        (self.labels, self.kinds, self.aside) = (None, None, Some(names));
    }

    /// Makes those edges hold their targets that were [kept](Class::Kept) from a node that is `reached` to one that is not,
    /// and of which `is` holds by their number. The nodes that they are of.
    ///
    /// # Errors
    /// That of `is`.
    pub fn revive<E>(
        &mut self,
        reached: &BitSet,
        mut is: impl FnMut(&Self, u32) -> Result<bool, E>,
    ) -> Result<BitSet, E> {
        let mut revived = BitSet::default();
        for node in (0..self.nodes()).filter(|&node| reached.contains(node)) {
            for edge in self.range(node) {
                let link = self.links[edge];
                if link.class() == Class::Kept && !reached.contains(link.end()) && is(self, edge as u32)? {
                    self.links[edge] = link.of_class(Class::Strong);
                    revived.insert(node);
                }
            }
        }
        Ok(revived)
    }

    /// Makes the edges of some nodes hold nothing.
    pub fn weaken(&mut self, nodes: &[u32]) {
        for &node in nodes {
            let range = self.range(node);
            self.links[range].iter_mut().for_each(|link| *link = link.of_class(Class::Weak));
        }
    }

    /// The partners of those of `node`'s edges whose class has one, in edge order.
    pub fn partners(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.partners.partition_point(|&(source, _)| source < node);
        self.partners[start..]
            .iter()
            .take_while(move |&&(source, _)| source == node)
            .map(|&(_, partner)| partner)
    }

    /// The incoming edges; with their numbers if asked. Takes 4·N + 4·E bytes, with numbers 4·E more.
    pub fn reverse(&self, numbers: bool) -> Reverse {
        let n = self.nodes() as usize;
        let mut offsets = vec![0u32; n + 1];
        for link in &self.links {
            offsets[link.end() as usize] += 1;
        }
        let mut sum = 0;
        for slot in &mut offsets {
            sum += *slot;
            *slot = sum;
        }
        let mut links = vec![Packed(0); self.links.len()];
        let mut edges = numbers.then(|| vec![0u32; self.links.len()]);
        // Backwards, so that each node's incoming edges end up in ascending order.
        for source in (0..n as u32).rev() {
            for edge in self.range(source).rev() {
                let link = self.links[edge];
                let slot = &mut offsets[link.end() as usize];
                *slot -= 1;
                links[*slot as usize] = Packed::new(source, link.class());
                if let Some(edges) = &mut edges {
                    edges[*slot as usize] = edge as u32;
                }
            }
        }
        Reverse { offsets, links, edges }
    }
}

/// The edges of a graph without it, see [`Graph::take_back`].
#[derive(Debug)]
pub struct Edges {
    starts: Starts,
    links: Vec<Packed>,
}

/// Reads the edges of a graph with so many nodes and edges, as [`Graph::write_edges`] wrote them.
///
/// # Errors
/// Those of `from`.
pub fn read_edges(nodes: u32, edges: u32, from: &mut impl Read) -> io::Result<Edges> {
    let (mut starts, mut links) = (Starts::default(), Vec::with_capacity(edges as usize));
    let count = nodes as usize + 1;
    read_words(count, from, |words| starts.extend(words, count))?;
    read_words(edges as usize, from, |words| links.extend(words.iter().map(|&word| Packed(word))))?;
    Ok(Edges { starts, links })
}

/// Words that are written or read at a time.
const WORDS: usize = 1 << 16;

fn write_words<T>(items: &[T], word: impl Fn(&T) -> u32, out: &mut impl Write) -> io::Result<()> {
    let mut words = vec![[0; 4]; WORDS.min(items.len())];
    for chunk in items.chunks(WORDS) {
        for (slot, item) in words.iter_mut().zip(chunk) {
            *slot = word(item).to_le_bytes();
        }
        out.write_all(words[..chunk.len()].as_flattened())?;
    }
    Ok(())
}

fn read_words(count: usize, from: &mut impl Read, mut each: impl FnMut(&[u32])) -> io::Result<()> {
    let (mut bytes, mut words) = (vec![0; WORDS.min(count) * 4], Vec::new());
    let mut left = count;
    while left > 0 {
        let part = &mut bytes[..left.min(WORDS) * 4];
        from.read_exact(part)?;
        words.clear();
        words.extend(part.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)));
        each(&words);
        left -= words.len();
    }
    Ok(())
}

/// The incoming edges of each node, in ascending order of edge number.
#[derive(Clone, Debug)]
pub struct Reverse {
    offsets: Vec<u32>,
    links: Vec<Packed>,
    edges: Option<Vec<u32>>,
}

impl Reverse {
    /// How many nodes it has.
    pub fn nodes(&self) -> u32 {
        (self.offsets.len() as u32).saturating_sub(1)
    }

    /// `node`'s incoming edges, with their numbers in the forward graph ([`NONE`] if those were not kept).
    pub fn links(&self, node: u32) -> impl Iterator<Item = (Link, u32)> + '_ {
        let range = self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize;
        range.map(|i| (self.links[i].into(), self.edges.as_ref().map_or(NONE, |edges| edges[i])))
    }
}
