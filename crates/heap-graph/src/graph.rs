//! The graph: outgoing edges by node, in the order of the dump, four bytes each.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::Range;

/// No node, no edge, no number.
pub const NONE: u32 = u32::MAX;
/// How many nodes a graph can have; three bits of an edge's word say its class.
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
        Self::Weak,
    ];

    /// Bit of this class in a mask.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// True for the halves of an ephemeron.
    pub const fn has_partner(self) -> bool {
        matches!(self, Self::Table | Self::Key)
    }
}

/// The far end of an edge and its class.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Link(u32);

const CLASS_SHIFT: u32 = 29;
const END_MASK: u32 = (1 << CLASS_SHIFT) - 1;

impl Link {
    /// An edge to (or, in a [`Reverse`] graph, from) `end`, which is below [`MAX_NODES`].
    #[inline]
    pub const fn new(end: u32, class: Class) -> Self {
        Self((class as u32) << CLASS_SHIFT | (end & END_MASK))
    }

    /// The node at its far end.
    #[inline]
    pub const fn end(self) -> u32 {
        self.0 & END_MASK
    }

    /// What it counts for.
    #[inline]
    pub const fn class(self) -> Class {
        Class::ALL[(self.0 >> CLASS_SHIFT) as usize]
    }

    /// True if it counts for nothing.
    #[inline]
    pub(crate) const fn is_weak(self) -> bool {
        self.bit() & Class::Weak.bit() != 0
    }

    /// Bit of its class in a mask.
    #[inline]
    pub const fn bit(self) -> u8 {
        1 << (self.0 >> CLASS_SHIFT)
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}", self.end(), self.class())
    }
}

/// Why a graph cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphError {
    /// More than [`MAX_NODES`] nodes.
    Nodes,
    /// More than [`MAX_EDGES`] edges.
    Edges,
    /// An edge starts or ends at a node that the graph does not have.
    Range(u32),
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes => write!(f, "more than {MAX_NODES} nodes"),
            Self::Edges => write!(f, "more than {MAX_EDGES} edges"),
            Self::Range(node) => write!(f, "an edge at node {node}, which does not exist"),
        }
    }
}

impl std::error::Error for GraphError {}

/// A finished graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Node v has the edges `offsets[v]..offsets[v + 1]`.
    pub(crate) offsets: Vec<u32>,
    pub(crate) links: Vec<Link>,
    /// Source and partner of each edge whose class has one, in edge order.
    pub(crate) partners: Vec<(u32, u32)>,
    /// Labels by edge, if the builder was asked to keep them.
    pub(crate) labels: Option<Vec<u32>>,
    /// Kinds by edge, if the builder was asked to keep them.
    pub(crate) kinds: Option<Vec<u8>>,
}

impl Graph {
    /// How many nodes it has.
    pub fn nodes(&self) -> u32 {
        (self.offsets.len() as u32).saturating_sub(1)
    }

    /// How many edges it has.
    pub fn edges(&self) -> u32 {
        self.links.len() as u32
    }

    /// The numbers of `node`'s outgoing edges.
    #[inline]
    pub fn range(&self, node: u32) -> Range<usize> {
        self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize
    }

    /// `node`'s outgoing edges.
    #[inline]
    pub fn links(&self, node: u32) -> &[Link] {
        &self.links[self.range(node)]
    }

    /// Edge number `edge`.
    pub fn link(&self, edge: u32) -> Link {
        self.links[edge as usize]
    }

    /// The node where edge number `edge` starts, in O(log N).
    pub fn source(&self, edge: u32) -> u32 {
        self.offsets.partition_point(|&start| start <= edge) as u32 - 1
    }

    /// The label given with edge number `edge`; `None` if labels were not kept.
    pub fn label(&self, edge: u32) -> Option<u32> {
        self.labels.as_ref().map(|labels| labels[edge as usize])
    }

    /// The kind given with edge number `edge`; `None` if kinds were not kept.
    pub fn kind(&self, edge: u32) -> Option<u8> {
        self.kinds.as_ref().map(|kinds| kinds[edge as usize])
    }

    /// A copy without labels and kinds, for [`analyse`](crate::analyse), which consumes it.
    #[must_use]
    pub fn bare(&self) -> Self {
        let Self { offsets, links, partners, .. } = self;
        let (offsets, links, partners) = (offsets.clone(), links.clone(), partners.clone());
        Self { offsets, links, partners, labels: None, kinds: None }
    }

    /// Gives the graph away, to be consumed, and writes its edges to `out`, from where [`take_back`](Self::take_back) reads
    /// them. Labels and kinds stay.
    ///
    /// # Errors
    /// Those of `out`; then nothing is given away.
    pub fn lend(&mut self, out: &mut impl Write) -> io::Result<Self> {
        let mut bytes = Vec::with_capacity(1 << 18);
        for chunk in self.links.chunks(1 << 16) {
            bytes.clear();
            bytes.extend(chunk.iter().flat_map(|link| link.0.to_le_bytes()));
            out.write_all(&bytes)?;
        }
        let (offsets, partners) = (self.offsets.clone(), self.partners.clone());
        Ok(Self { offsets, partners, links: std::mem::take(&mut self.links), labels: None, kinds: None })
    }

    /// Reads the edges back that [`lend`](Self::lend) wrote.
    ///
    /// # Errors
    /// Those of `from`.
    pub fn take_back(&mut self, from: &mut impl Read) -> io::Result<()> {
        let edges = self.offsets.last().copied().unwrap_or(0) as usize;
        self.links.reserve_exact(edges);
        let mut bytes = vec![0; 1 << 18];
        while self.links.len() < edges {
            let part = &mut bytes[..((edges - self.links.len()) * 4).min(1 << 18)];
            from.read_exact(part)?;
            let (words, _) = part.as_chunks();
            self.links.extend(words.iter().map(|&word| Link(u32::from_le_bytes(word))));
        }
        Ok(())
    }

    /// Labels and kinds by edge; `None` if it does not have both.
    pub fn names(&self) -> Option<(&[u32], &[u8])> {
        self.labels.as_deref().zip(self.kinds.as_deref())
    }

    /// Lets go of labels and kinds.
    pub fn forget_names(&mut self) {
        (self.labels, self.kinds) = (None, None);
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
        let mut links = vec![Link(0); self.links.len()];
        let mut edges = numbers.then(|| vec![0u32; self.links.len()]);
        // Backwards, so that each node's incoming edges end up in ascending order.
        for source in (0..n as u32).rev() {
            for edge in self.range(source).rev() {
                let link = self.links[edge];
                let slot = &mut offsets[link.end() as usize];
                *slot -= 1;
                links[*slot as usize] = Link::new(source, link.class());
                if let Some(edges) = &mut edges {
                    edges[*slot as usize] = edge as u32;
                }
            }
        }
        Reverse { offsets, links, edges }
    }
}

/// The incoming edges of each node, in ascending order of edge number.
#[derive(Clone, Debug)]
pub struct Reverse {
    offsets: Vec<u32>,
    links: Vec<Link>,
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
        range.map(|i| (self.links[i], self.edges.as_ref().map_or(NONE, |edges| edges[i])))
    }
}

/// Gathers edges into a [`Graph`].
///
/// Edges that come grouped by source, in node order, are appended and never moved. Once one comes out of order
/// the sources are kept too and a counting sort at the end puts the edges in place; the edges of one node keep
/// the order they came in.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    sources: Sources,
    links: Vec<Link>,
    partners: Vec<(u32, u32)>,
    labels: Option<Vec<u32>>,
    kinds: Option<Vec<u8>>,
    /// One more than the largest node number used.
    bound: u32,
}

#[derive(Clone, Debug)]
enum Sources {
    Grouped(Grouped),
    /// Source of each edge.
    Scattered(Vec<u32>),
}

impl Default for Sources {
    fn default() -> Self {
        Self::Grouped(Grouped::default())
    }
}

/// Edges that come grouped by source, in node order.
#[derive(Clone, Debug, Default)]
struct Grouped {
    /// The first source.
    first: u32,
    /// First edge of each source from there to the last one.
    starts: Vec<u32>,
}

impl Grouped {
    /// Goes to `source`, where edge number `edge` is the next; false if it comes before the last one.
    #[inline]
    fn go(&mut self, source: u32, edge: u32) -> bool {
        let place = source.wrapping_sub(self.first) as usize;
        place + 1 == self.starts.len() || self.go_on(source, place, edge)
    }

    #[inline]
    fn go_on(&mut self, source: u32, place: usize, edge: u32) -> bool {
        if self.starts.is_empty() {
            self.first = source;
            self.starts.push(edge);
            return true;
        }
        let behind = source >= self.first && place >= self.starts.len();
        if behind {
            self.starts.resize(place + 1, edge);
        }
        behind
    }

    /// Takes up other sources, whose edges begin at number `edge`; false if one comes before the last one.
    fn append(&mut self, more: &Self, edge: u32) -> bool {
        let behind = self.go(more.first, edge);
        if behind {
            self.starts.extend(more.starts.iter().skip(1).map(|start| start + edge));
        }
        behind
    }

    /// The source behind the last one.
    fn end(&self) -> u32 {
        self.first + self.starts.len() as u32
    }

    /// The edges of `source`, which is one of them; there are `edges` in all.
    fn range(&self, source: u32, edges: usize) -> Range<usize> {
        let place = (source - self.first) as usize;
        let end = self.starts.get(place + 1).map_or(edges, |&end| end as usize);
        self.starts[place] as usize..end
    }
}

impl Builder {
    /// An empty builder that keeps labels and kinds only if asked to.
    pub fn new(labels: bool, kinds: bool) -> Self {
        Self { labels: labels.then(Vec::new), kinds: kinds.then(Vec::new), ..Self::default() }
    }

    /// How many edges came so far.
    pub fn edges(&self) -> u32 {
        self.links.len() as u32
    }

    /// Adds an edge. `label` and `kind` mean what the caller likes.
    ///
    /// # Errors
    /// If there are too many nodes or edges, or an edge at a node that does not exist.
    #[inline]
    pub fn edge(
        &mut self,
        source: u32,
        dest: u32,
        class: Class,
        label: u32,
        kind: u8,
    ) -> Result<(), GraphError> {
        self.edges_from(source, std::iter::once((dest, class)))?;
        if let Some(labels) = &mut self.labels {
            labels.push(label);
        }
        if let Some(kinds) = &mut self.kinds {
            kinds.push(kind);
        }
        Ok(())
    }

    /// Adds edges of one source, each with its target and class. Labels and kinds, if they are kept, are for the caller.
    #[inline]
    pub(crate) fn edges_from(
        &mut self,
        source: u32,
        edges: impl Iterator<Item = (u32, Class)>,
    ) -> Result<(), GraphError> {
        let before = self.links.len();
        let mut largest = source;
        self.links.extend(edges.map(|(dest, class)| {
            largest = largest.max(dest);
            Link::new(dest, class)
        }));
        if largest >= self.bound {
            if largest >= MAX_NODES {
                self.links.truncate(before);
                return Err(GraphError::Nodes);
            }
            self.bound = largest + 1;
        }
        if self.links.len() > MAX_EDGES as usize {
            self.links.truncate(before);
            return Err(GraphError::Edges);
        }
        let count = self.links.len();
        match &mut self.sources {
            Sources::Grouped(grouped) => {
                if !grouped.go(source, before as u32) {
                    self.scatter(before).resize(count, source);
                }
            }
            Sources::Scattered(sources) => sources.resize(count, source),
        }
        Ok(())
    }

    /// Labels and kinds of edges that [`edges_from`](Self::edges_from) took, as far as they are kept.
    #[inline]
    pub(crate) fn names(&mut self, names: impl Iterator<Item = (u32, u8)> + Clone) {
        match (&mut self.labels, &mut self.kinds) {
            (Some(labels), Some(kinds)) => {
                for (label, kind) in names {
                    labels.push(label);
                    kinds.push(kind);
                }
            }
            (Some(labels), None) => labels.extend(names.map(|(label, _)| label)),
            (None, Some(kinds)) => kinds.extend(names.map(|(_, kind)| kind)),
            (None, None) => {}
        }
    }

    /// Gives all edges other labels and kinds, as far as they are kept.
    pub(crate) fn rename(&mut self, label: impl Fn(u32) -> u32, kind: impl Fn(u8) -> u8) {
        self.labels.iter_mut().flatten().for_each(|old| *old = label(*old));
        self.kinds.iter_mut().flatten().for_each(|old| *old = kind(*old));
    }

    /// Adds one half of an ephemeron: `class` is [`Class::Table`] with the key as partner ([`NONE`] if unknown)
    /// or [`Class::Key`] with the table.
    ///
    /// # Errors
    /// If there are too many nodes or edges, or an edge at a node that does not exist.
    pub fn ephemeron(
        &mut self,
        source: u32,
        dest: u32,
        class: Class,
        partner: u32,
        label: u32,
        kind: u8,
    ) -> Result<(), GraphError> {
        debug_assert!(class.has_partner(), "only these classes have a partner");
        self.edge(source, dest, class, label, kind)?;
        self.partners.push((source, partner));
        Ok(())
    }

    /// Adds the edges of another builder, which keeps as much, behind its own: moves them if it has none yet, else copies
    /// them.
    pub(crate) fn append(&mut self, mut other: Self) -> Result<(), GraphError> {
        if other.links.is_empty() {
            return Ok(());
        }
        if self.links.is_empty() {
            *self = other;
            return Ok(());
        }
        let before = self.links.len();
        if before + other.links.len() > MAX_EDGES as usize {
            return Err(GraphError::Edges);
        }
        let grouped = match (&mut self.sources, &other.sources) {
            (Sources::Grouped(mine), Sources::Grouped(more)) => mine.append(more, before as u32),
            _ => false,
        };
        if !grouped {
            let sources = std::mem::take(other.scatter(other.links.len()));
            self.scatter(before).extend(sources);
        }
        self.links.append(&mut other.links);
        if let (Some(mine), Some(more)) = (&mut self.labels, &mut other.labels) {
            mine.append(more);
        }
        if let (Some(mine), Some(more)) = (&mut self.kinds, &mut other.kinds) {
            mine.append(more);
        }
        self.partners.append(&mut other.partners);
        self.bound = self.bound.max(other.bound);
        Ok(())
    }

    /// From now on keeps the source of each edge; there are `count` whose sources are known.
    #[cold]
    fn scatter(&mut self, count: usize) -> &mut Vec<u32> {
        if let Sources::Grouped(grouped) = &self.sources {
            let mut sources = Vec::with_capacity(self.links.len());
            for source in grouped.first..grouped.end() {
                sources.resize(sources.len() + grouped.range(source, count).len(), source);
            }
            self.sources = Sources::Scattered(sources);
        }
        match &mut self.sources {
            Sources::Scattered(sources) => sources,
            Sources::Grouped(_) => unreachable!("just scattered"),
        }
    }

    /// Gives node v the number `map[v]`, and drops edges at nodes whose new number is [`NONE`].
    /// Returns how many were dropped.
    pub fn renumber(&mut self, map: &[u32]) -> u64 {
        self.scatter(self.links.len());
        let Sources::Scattered(sources) = &mut self.sources else { return 0 };
        let new = |node: u32| map.get(node as usize).copied().unwrap_or(NONE);
        let (mut out, mut partners_out, mut partners_in) = (0, 0, 0);
        let mut bound = 0;
        for at in 0..self.links.len() {
            let link = self.links[at];
            let (source, dest) = (new(sources[at]), new(link.end()));
            let keep = source != NONE && dest != NONE;
            if link.class().has_partner() {
                let (_, partner) = self.partners[partners_in];
                partners_in += 1;
                if keep {
                    self.partners[partners_out] = (source, new(partner));
                    partners_out += 1;
                }
            }
            if keep {
                sources[out] = source;
                self.links[out] = Link::new(dest, link.class());
                if let Some(labels) = &mut self.labels {
                    labels[out] = labels[at];
                }
                if let Some(kinds) = &mut self.kinds {
                    kinds[out] = kinds[at];
                }
                bound = bound.max(source.max(dest) + 1);
                out += 1;
            }
        }
        let dropped = (self.links.len() - out) as u64;
        sources.truncate(out);
        self.links.truncate(out);
        self.partners.truncate(partners_out);
        if let Some(labels) = &mut self.labels {
            labels.truncate(out);
        }
        if let Some(kinds) = &mut self.kinds {
            kinds.truncate(out);
        }
        self.bound = bound;
        dropped
    }

    /// Adds the key's half to each ephemeron that came with the table's half alone: its value is kept alive
    /// through the key.
    fn complete(&mut self) -> Result<(), GraphError> {
        // Most graphs have none.
        if self.partners.is_empty() {
            return Ok(());
        }
        let mut tables = Vec::new();
        let mut keys = HashSet::new();
        let mut take = |at: usize, link: Link, (source, partner): (u32, u32)| {
            if link.class() == Class::Key {
                keys.insert((partner, source, link.end()));
            } else if partner != NONE {
                tables.push((at, (source, partner, link.end())));
            }
        };
        let halves = |edges: Range<usize>| {
            let links = self.links[edges.clone()].iter().copied();
            edges.zip(links).filter(|(_, link)| link.class().has_partner())
        };
        if let Sources::Grouped(grouped) = &self.sources {
            for partners in self.partners.chunk_by(|a, b| a.0 == b.0) {
                let edges = halves(grouped.range(partners[0].0, self.links.len()));
                edges.zip(partners).for_each(|((at, link), &partner)| take(at, link, partner));
            }
        } else {
            let edges = halves(0..self.links.len());
            edges.zip(&self.partners).for_each(|((at, link), &partner)| take(at, link, partner));
        }
        for (at, triple) in tables {
            if keys.insert(triple) {
                let (table, key, value) = triple;
                let label = self.labels.as_ref().map_or(0, |labels| labels[at]);
                let kind = self.kinds.as_ref().map_or(0, |kinds| kinds[at]);
                self.ephemeron(key, value, Class::Key, table, label, kind)?;
            }
        }
        Ok(())
    }

    /// The graph of `nodes` nodes.
    ///
    /// # Errors
    /// If there are too many nodes or edges, or an edge at a node that does not exist.
    pub fn finish(mut self, nodes: u32) -> Result<Graph, GraphError> {
        if nodes > MAX_NODES {
            return Err(GraphError::Nodes);
        }
        if self.bound > nodes {
            return Err(GraphError::Range(self.bound - 1));
        }
        if let Some(&(_, partner)) = self.partners.iter().find(|&&(_, p)| p != NONE && p >= nodes) {
            return Err(GraphError::Range(partner));
        }
        self.complete()?;
        let Self { sources, mut links, mut partners, mut labels, mut kinds, .. } = self;
        let offsets = match sources {
            Sources::Grouped(Grouped { first, mut starts }) => {
                if first > 0 {
                    starts.splice(0..0, std::iter::repeat_n(0, first as usize));
                }
                starts.resize(nodes as usize + 1, links.len() as u32);
                starts
            }
            Sources::Scattered(sources) => {
                let mut offsets = vec![0u32; nodes as usize + 1];
                for &source in &sources {
                    offsets[source as usize] += 1;
                }
                let mut sum = 0;
                for slot in &mut offsets {
                    sum += *slot;
                    *slot = sum;
                }
                links = placed(&links, &sources, &mut offsets.clone(), Link(0));
                labels = labels.map(|old| placed(&old, &sources, &mut offsets.clone(), 0));
                kinds = kinds.map(|old| placed(&old, &sources, &mut offsets.clone(), 0));
                // The sums are ends; starts are what the graph keeps.
                offsets.rotate_right(1);
                if let Some(first) = offsets.first_mut() {
                    *first = 0;
                }
                // Stable, so partners stay in step with their edges.
                partners.sort_by_key(|&(source, _)| source);
                offsets
            }
        };
        links.shrink_to_fit();
        Ok(Graph { offsets, links, partners, labels, kinds })
    }
}

/// Counting sort by source, stable. `ends` holds the end of each source's range and is used up.
fn placed<T: Copy>(items: &[T], sources: &[u32], ends: &mut [u32], blank: T) -> Vec<T> {
    let mut out = vec![blank; items.len()];
    for (item, &source) in items.iter().zip(sources).rev() {
        let slot = &mut ends[source as usize];
        *slot -= 1;
        out[*slot as usize] = *item;
    }
    out
}
