//! Edges on their way into a graph, in any order.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use heap_base::{Error, Set};

use crate::aside::Aside;
use crate::graph::{Class, Graph, GraphError, MAX_EDGES, MAX_NODES, NONE, Packed};
use crate::large::{EdgeFile, LargeGraph, MOST_NODES, Room, Store};

/// Gathers edges into a [`Graph`].
///
/// Edges that come grouped by source, in node order, are appended and never moved. Once one comes out of order
/// the sources are kept too and a counting sort at the end puts the edges in place; the edges of one node keep
/// the order they came in.
#[derive(Debug, Default)]
pub struct Builder {
    sources: Sources,
    links: Vec<Packed>,
    partners: Vec<(u32, u32)>,
    labels: Option<Vec<u32>>,
    kinds: Option<Vec<u8>>,
    /// Labels and kinds of the edges before those of the two lists.
    aside: Option<Aside>,
    /// One more than the largest node number used.
    bound: u32,
    /// Where edges go that take more memory than there is.
    spill: Option<Spill>,
}

/// What becomes of edges that take more memory than there is: they go to a file or are counted only, and none stays in memory.
#[derive(Debug)]
struct Spill {
    room: Room,
    shared: Arc<Shared>,
    /// How many of the edges in memory have been counted for all builders, and when they are counted again.
    counted: usize,
    ask: usize,
    edges: Spilled,
    halves: Halves,
}

/// Where edges are.
#[derive(Debug)]
enum Spilled {
    /// In memory.
    No,
    File(EdgeFile),
    /// Nowhere: they are counted, to say how much memory would do.
    Counted,
}

/// Ephemerons whose edges are in a file: table, key and value of each.
#[derive(Debug, Default)]
struct Halves {
    /// Those of which the table's half came, with its label and kind.
    tables: Vec<([u32; 3], u32, u8)>,
    /// Those of which the key's half came.
    keys: Set<[u32; 3]>,
}

impl Halves {
    fn add(&mut self, class: Class, (source, partner, dest): (u32, u32, u32), (label, kind): (u32, u8)) {
        if partner == NONE {
        } else if class == Class::Table {
            self.tables.push(([source, partner, dest], label, kind));
        } else {
            self.keys.insert([partner, source, dest]);
        }
    }

    fn append(&mut self, other: Self) {
        self.tables.extend(other.tables);
        self.keys.extend(other.keys);
    }

    fn renumber(&mut self, map: &[u32]) {
        let new = |parts: [u32; 3]| {
            let parts = parts.map(|node| map.get(node as usize).copied().unwrap_or(NONE));
            Some(parts).filter(|parts| !parts.contains(&NONE))
        };
        let tables = self.tables.iter().filter_map(|&(parts, label, kind)| Some((new(parts)?, label, kind)));
        self.tables = tables.collect();
        self.keys = self.keys.iter().filter_map(|&parts| new(parts)).collect();
    }
}

/// What builders share whose edges are joined.
#[derive(Debug, Default)]
struct Shared {
    edges: AtomicU64,
    /// One of them puts its edges into the file, so all will.
    spilled: AtomicBool,
    store: Arc<Store>,
    /// Where labels and kinds go then, if they were in memory until then.
    names: Aside,
}

/// So many edges come before it is asked again.
const ASK: usize = if cfg!(test) { 4 } else { 1 << 20 };

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

    /// An empty builder that keeps labels and kinds, but in a file where there are many, which [`Graph::label`] reads. Edges out
    /// of order bring them back into memory.
    pub fn with_names_aside() -> Self {
        Self { aside: Some(Aside::default()), ..Self::new(true, true) }
    }

    /// Puts edges into a file when sums of the graph would take more memory than `room` has. Labels and kinds go aside.
    pub(crate) fn spill_beyond(&mut self, room: Room) {
        let (shared, halves) = (Arc::default(), Halves::default());
        self.spill = Some(Spill { room, shared, counted: 0, ask: ASK, edges: Spilled::No, halves });
    }

    /// Puts all edges into a file if a graph with so many nodes does not fit in memory, or `must` be there. Without a limit
    /// none does so.
    pub(crate) fn ask(&mut self, nodes: u32, must: bool) -> Result<(), GraphError> {
        let Some(spill) = self.spill.as_mut().filter(|spill| matches!(spill.edges, Spilled::No)) else {
            return Ok(());
        };
        let more = self.links.len().saturating_sub(spill.counted) as u64;
        let edges = spill.shared.edges.fetch_add(more, Relaxed) + more;
        (spill.counted, spill.ask) = (self.links.len(), self.links.len() + ASK);
        let needed = spill.room.needed(nodes.into(), edges);
        let fits = nodes <= spill.room.most && edges <= MAX_EDGES.into() && needed <= spill.room.limit;
        if fits && !must && !spill.shared.spilled.load(Relaxed) {
            return Ok(());
        }
        if !spill.room.files {
            self.count_only();
            return Ok(());
        }
        spill.shared.spilled.store(true, Relaxed);
        let mut file = EdgeFile::new(Arc::clone(&spill.shared.store), spill.room);
        let spill = self.spill.take();
        self.write_to(&mut file)?;
        let halves = self.halves()?;
        (self.links, self.partners, self.sources) = (Vec::new(), Vec::new(), Sources::default());
        self.spill = spill.map(|spill| Spill { counted: 0, edges: Spilled::File(file), halves, ..spill });
        if self.labels.is_some() {
            let names = || self.spill.as_ref().map(|spill| spill.shared.names.fork()).unwrap_or_default();
            self.aside = self.aside.take().or_else(|| Some(names()));
            self.put_aside()?;
        }
        Ok(())
    }

    /// From now on only counts edges. Those that are in memory have been counted.
    #[cold]
    fn count_only(&mut self) {
        let bound = self.bound;
        let spill = self.spill.take().map(|spill| Spill { counted: 0, edges: Spilled::Counted, ..spill });
        *self = Self { bound, spill, ..Self::default() };
    }

    /// Whether edges are only counted, since they take too much memory.
    pub(crate) fn is_counting(&self) -> bool {
        self.spill.as_ref().is_some_and(|spill| matches!(spill.edges, Spilled::Counted))
    }

    /// Counts so many edges.
    pub(crate) fn count(&self, edges: usize) {
        if let Some(spill) = &self.spill {
            spill.shared.edges.fetch_add(edges as u64, Relaxed);
        }
    }

    /// Whether so many nodes take too much memory by themselves: then edges are only counted.
    pub(crate) fn has_too_many(&mut self, nodes: u32) -> bool {
        let is_beyond =
            |spill: &Spill| !spill.room.files && spill.room.needed(nodes.into(), 0) > spill.room.limit;
        if !self.is_counting() && self.spill.as_ref().is_some_and(is_beyond) {
            // A limit that is not kept is no error here.
            let _ = self.ask(nodes, true);
        }
        self.is_counting()
    }

    /// The limit, and how much memory so many nodes would take with all edges that were counted.
    pub(crate) fn needed(&self, nodes: u64) -> Result<(u64, u64), GraphError> {
        let Some(spill) = &self.spill else { return Ok((0, 0)) };
        let edges = spill.shared.edges.load(Relaxed);
        match () {
            () if nodes > spill.room.most.into() => Err(GraphError::Nodes(spill.room.most)),
            () if edges > MAX_EDGES.into() => Err(GraphError::Edges),
            () => Ok((spill.room.limit, spill.room.needed(nodes, edges))),
        }
    }

    /// Writes all edges that are in memory.
    fn write_to(&self, file: &mut EdgeFile) -> Result<(), GraphError> {
        let edges = |range: Range<usize>| self.links[range].iter().map(|link| (link.end(), link.class()));
        match &self.sources {
            Sources::Grouped(grouped) => {
                for source in grouped.first..grouped.end() {
                    file.push(source, edges(grouped.range(source, self.links.len())))?;
                }
            }
            Sources::Scattered(sources) => {
                for (at, &source) in sources.iter().enumerate() {
                    file.push(source, edges(at..at + 1))?;
                }
            }
        }
        Ok(())
    }

    /// Bytes of memory beyond which edges go to a file.
    pub(crate) fn limit(&self) -> u64 {
        self.spill.as_ref().filter(|spill| spill.room.files).map_or(u64::MAX, |spill| spill.room.limit)
    }

    /// How many nodes there may be.
    pub(crate) fn most_nodes(&self) -> u32 {
        if self.spill.as_ref().is_some_and(|spill| spill.room.files) { MOST_NODES } else { MAX_NODES }
    }

    /// Whether edges are in a file.
    pub(crate) fn is_spilled(&self) -> bool {
        self.spill.as_ref().is_some_and(|spill| matches!(spill.edges, Spilled::File(_)))
    }

    /// The graph of `nodes` nodes whose edges are in a file.
    pub(crate) fn finish_large(mut self, nodes: u32) -> Result<LargeGraph, GraphError> {
        if self.bound > nodes {
            return Err(GraphError::Range(self.bound - 1));
        }
        let Some(Spill { room, edges: Spilled::File(mut file), halves: Halves { tables, mut keys }, .. }) =
            self.spill.take()
        else {
            return Err(GraphError::Edges);
        };
        let halves: Set<[u32; 3]> = tables.iter().map(|of| of.0).collect();
        let mut lone: Vec<[u32; 3]> = keys.iter().filter(|parts| !halves.contains(*parts)).copied().collect();
        drop(halves);
        heap_base::sort(&mut lone);
        if let Some(&node) = lone.iter().flatten().find(|&&node| node >= nodes) {
            return Err(GraphError::Range(node));
        }
        // A value is kept alive through the key, whose half may not have come.
        for &(parts, label, kind) in &tables {
            if let Some(&node) = parts.iter().find(|&&node| node >= nodes) {
                return Err(GraphError::Range(node));
            }
            if keys.insert(parts) {
                file.push(parts[1], std::iter::once((parts[2], Class::Key)))?;
                self.names(std::iter::once((label, kind)))?;
            }
        }
        self.put_aside()?;
        let ephemerons = tables.into_iter().map(|(parts, ..)| parts).collect();
        Ok(LargeGraph::new(nodes, file, self.aside.take(), (ephemerons, lone), room))
    }

    /// An empty builder that keeps the same.
    pub(crate) fn fork(&self) -> Self {
        let aside = self.aside.as_ref().map(Aside::fork);
        let spill = self.spill.as_ref().map(|spill| {
            let (room, shared) = (spill.room, Arc::clone(&spill.shared));
            let edges = if self.is_counting() { Spilled::Counted } else { Spilled::No };
            Spill { room, shared, counted: 0, ask: ASK, edges, halves: Halves::default() }
        });
        Self { aside, spill, ..Self::new(self.labels.is_some(), self.kinds.is_some()) }
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
        self.names(std::iter::once((label, kind)))
    }

    /// Adds edges of one source, each with its target and class. Labels and kinds, if they are kept, are for the caller.
    #[inline]
    pub(crate) fn edges_from(
        &mut self,
        source: u32,
        edges: impl Iterator<Item = (u32, Class)> + Clone,
    ) -> Result<(), GraphError> {
        if let Some(spill) = &self.spill
            && (!matches!(spill.edges, Spilled::No) || self.links.len() >= spill.ask)
            && self.spill_edges(source, edges.clone())?
        {
            return Ok(());
        }
        let more = edges.clone();
        let before = self.links.len();
        let mut largest = source;
        self.links.extend(edges.map(|(dest, class)| {
            largest = largest.max(dest);
            Packed::new(dest, class)
        }));
        if largest >= self.bound {
            if largest >= MAX_NODES {
                self.links.truncate(before);
                self.ask(largest, true)?;
                return if self.spill_edges(source, more)? {
                    Ok(())
                } else {
                    Err(GraphError::Nodes(MAX_NODES))
                };
            }
            self.bound = largest + 1;
        }
        if self.links.len() > MAX_EDGES as usize {
            self.links.truncate(before);
            self.ask(self.bound, true)?;
            return if self.spill_edges(source, more)? { Ok(()) } else { Err(GraphError::Edges) };
        }
        let count = self.links.len();
        match &mut self.sources {
            Sources::Grouped(grouped) => {
                if !grouped.go(source, before as u32) {
                    self.scatter(before)?.resize(count, source);
                }
            }
            Sources::Scattered(sources) => sources.resize(count, source),
        }
        Ok(())
    }

    /// Puts edges into the file, if there is one or has to be, or counts them; else false.
    #[cold]
    fn spill_edges(
        &mut self,
        source: u32,
        edges: impl Iterator<Item = (u32, Class)> + Clone,
    ) -> Result<bool, GraphError> {
        self.ask(self.bound, false)?;
        let file = match &mut self.spill {
            Some(Spill { edges: Spilled::File(file), .. }) => file,
            Some(Spill { edges: Spilled::Counted, shared, .. }) => {
                shared.edges.fetch_add(edges.count() as u64, Relaxed);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let largest = edges.clone().fold(source, |largest, (dest, _)| largest.max(dest));
        if largest >= MOST_NODES {
            return Err(GraphError::Nodes(MOST_NODES));
        }
        self.bound = self.bound.max(largest + 1);
        file.push(source, edges)?;
        Ok(true)
    }

    /// Labels and kinds of edges that [`edges_from`](Self::edges_from) took, as far as they are kept.
    #[inline]
    pub(crate) fn names(&mut self, names: impl Iterator<Item = (u32, u8)> + Clone) -> Result<(), GraphError> {
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
        let waiting = self.labels.as_ref().map_or(0, Vec::len);
        if self.aside.is_some() && Aside::takes(waiting) { self.put_aside() } else { Ok(()) }
    }

    /// Puts the labels and kinds aside that are in memory.
    #[cold]
    fn put_aside(&mut self) -> Result<(), GraphError> {
        if let (Some(aside), Some(labels), Some(kinds)) = (&mut self.aside, &mut self.labels, &mut self.kinds)
        {
            aside.push(labels, kinds)?;
            labels.clear();
            kinds.clear();
        }
        Ok(())
    }

    /// From now on keeps all labels and kinds in memory, where they can be changed.
    #[cold]
    fn gather(&mut self) -> Result<(), GraphError> {
        if let Some(aside) = self.aside.take() {
            let (mut labels, mut kinds) = aside.gather()?;
            labels.extend(self.labels.take().into_iter().flatten());
            kinds.extend(self.kinds.take().into_iter().flatten());
            (self.labels, self.kinds) = (Some(labels), Some(kinds));
        }
        Ok(())
    }

    /// Gives all edges other labels and kinds, as far as they are kept.
    pub(crate) fn rename(
        &mut self,
        label: impl Fn(u32) -> u32,
        kind: impl Fn(u8) -> u8,
    ) -> Result<(), GraphError> {
        self.gather()?;
        self.labels.iter_mut().flatten().for_each(|old| *old = label(*old));
        self.kinds.iter_mut().flatten().for_each(|old| *old = kind(*old));
        Ok(())
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
        match &mut self.spill {
            Some(Spill { edges: Spilled::File(_), halves, .. }) => {
                halves.add(class, (source, partner, dest), (label, kind));
                return Ok(());
            }
            Some(Spill { edges: Spilled::Counted, .. }) => return Ok(()),
            _ => {}
        }
        self.partners.push((source, partner));
        Ok(())
    }

    /// Adds the edges of another builder, which keeps as much, behind its own: moves them if it has none yet, else copies
    /// them.
    pub(crate) fn append(&mut self, mut other: Self) -> Result<(), GraphError> {
        if self.is_counting() || other.is_counting() {
            // Both share their count.
            other.ask(other.bound, true)?;
            return self.ask(self.bound.max(other.bound), true);
        }
        if self.is_spilled() || other.is_spilled() {
            return self.append_in_file(other);
        }
        if other.links.is_empty() {
            return Ok(());
        }
        if let (Some(spill), Some(more)) = (&mut self.spill, &other.spill) {
            spill.counted += more.counted;
        }
        if self.links.is_empty() {
            *self = Self { spill: self.spill.take(), ..other };
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
            let sources = std::mem::take(other.scatter(other.links.len())?);
            self.scatter(before)?.extend(sources);
        }
        if self.aside.is_none() {
            other.gather()?;
        } else if other.aside.as_ref().is_some_and(|more| more.len() > 0) {
            self.put_aside()?;
            if let (Some(aside), Some(more)) = (&mut self.aside, &other.aside) {
                aside.append(more);
            }
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

    /// The same where one of the two has its edges in a file.
    fn append_in_file(&mut self, mut other: Self) -> Result<(), GraphError> {
        let bound = self.bound.max(other.bound);
        self.ask(bound, true)?;
        self.append_names(&mut other)?;
        let Some(Spill { edges: Spilled::File(file), halves, .. }) = &mut self.spill else {
            return Err(GraphError::Edges);
        };
        self.bound = bound;
        if let Some(Spill { edges: Spilled::File(more), halves: others, .. }) = other.spill.take() {
            halves.append(others);
            return file.append(more).map_err(GraphError::from);
        }
        halves.append(other.halves()?);
        other.write_to(file)
    }

    /// Adds the labels and kinds of another builder, if they are kept, to those that are aside.
    fn append_names(&mut self, other: &mut Self) -> Result<(), GraphError> {
        self.put_aside()?;
        let Some(aside) = self.aside.as_mut().filter(|_| self.labels.is_some()) else { return Ok(()) };
        match &other.aside {
            Some(more) if aside.shares(more) => aside.append(more),
            _ => other.gather()?,
        }
        let (labels, kinds) = (other.labels.as_deref(), other.kinds.as_deref());
        aside.push(labels.unwrap_or_default(), kinds.unwrap_or_default())?;
        Ok(())
    }

    /// From now on keeps the source of each edge; there are `count` whose sources are known.
    #[cold]
    fn scatter(&mut self, count: usize) -> Result<&mut Vec<u32>, GraphError> {
        self.gather()?;
        if let Sources::Grouped(grouped) = &self.sources {
            let mut sources = Vec::with_capacity(self.links.len());
            for source in grouped.first..grouped.end() {
                sources.resize(sources.len() + grouped.range(source, count).len(), source);
            }
            self.sources = Sources::Scattered(sources);
        }
        match &mut self.sources {
            Sources::Scattered(sources) => Ok(sources),
            Sources::Grouped(_) => unreachable!("just scattered"),
        }
    }

    /// Gives node v the number `map[v]`, and drops edges at nodes whose new number is [`NONE`].
    /// Returns how many were dropped.
    ///
    /// # Errors
    /// If labels were put aside, and their file cannot be read.
    pub fn renumber(&mut self, map: &[u32]) -> Result<u64, GraphError> {
        if self.is_spilled() {
            self.put_aside()?;
            let Some(Spill { edges: Spilled::File(file), halves, .. }) = &mut self.spill else {
                return Ok(0);
            };
            self.bound = 0;
            halves.renumber(map);
            return file.renumber(map, self.aside.as_mut()).map_err(GraphError::from);
        }
        self.scatter(self.links.len())?;
        let Sources::Scattered(sources) = &mut self.sources else { return Ok(0) };
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
                self.links[out] = Packed::new(dest, link.class());
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
        Ok(dropped)
    }

    /// Adds the key's half to each ephemeron that came with the table's half alone: its value is kept alive
    /// through the key.
    fn complete(&mut self) -> Result<(), GraphError> {
        // Most graphs have none.
        if self.partners.is_empty() {
            return Ok(());
        }
        let mut tables = Vec::new();
        let mut keys = Set::default();
        self.each_half(|at, link, (source, partner)| {
            if link.class() == Class::Key {
                keys.insert((partner, source, link.end()));
            } else if partner != NONE {
                tables.push((at, (source, partner, link.end())));
            }
        });
        for (at, triple) in tables {
            if keys.insert(triple) {
                self.gather()?;
                let (table, key, value) = triple;
                let label = self.labels.as_ref().map_or(0, |labels| labels[at]);
                let kind = self.kinds.as_ref().map_or(0, |kinds| kinds[at]);
                self.ephemeron(key, value, Class::Key, table, label, kind)?;
            }
        }
        Ok(())
    }

    /// Number, far end, source and partner of each edge that is half of an ephemeron.
    fn each_half(&self, mut each: impl FnMut(usize, Packed, (u32, u32))) {
        let halves = |edges: Range<usize>| {
            let links = self.links[edges.clone()].iter().copied();
            edges.zip(links).filter(|(_, link)| link.class().has_partner())
        };
        if let Sources::Grouped(grouped) = &self.sources {
            for partners in self.partners.chunk_by(|a, b| a.0 == b.0) {
                let edges = halves(grouped.range(partners[0].0, self.links.len()));
                edges.zip(partners).for_each(|((at, link), &partner)| each(at, link, partner));
            }
        } else {
            let edges = halves(0..self.links.len());
            edges.zip(&self.partners).for_each(|((at, link), &partner)| each(at, link, partner));
        }
    }

    /// The halves of ephemerons in memory.
    fn halves(&self) -> Result<Halves, GraphError> {
        let (mut halves, mut found) = (Halves::default(), Vec::new());
        self.each_half(|at, link, partner| found.push((at, link, partner)));
        let aside = self.aside.as_ref().filter(|_| self.labels.is_some());
        let behind = aside.map_or(0, |aside| aside.len() as usize);
        for (at, link, (source, partner)) in found {
            let name = match (aside, at.checked_sub(behind)) {
                (Some(aside), None) => (aside.label(at as u32)?, aside.kind(at as u32)?),
                (_, at) => {
                    let at = at.unwrap_or(0);
                    let label = self.labels.as_ref().and_then(|labels| labels.get(at)).copied();
                    let kind = self.kinds.as_ref().and_then(|kinds| kinds.get(at)).copied();
                    (label.unwrap_or(0), kind.unwrap_or(0))
                }
            };
            halves.add(link.class(), (source, partner, link.end()), name);
        }
        Ok(halves)
    }

    /// The graph of `nodes` nodes.
    ///
    /// # Errors
    /// If there are too many nodes or edges, or an edge at a node that does not exist.
    pub fn finish(mut self, nodes: u32) -> Result<Graph, GraphError> {
        if nodes > MAX_NODES {
            return Err(GraphError::Nodes(MAX_NODES));
        }
        if self.bound > nodes {
            return Err(GraphError::Range(self.bound - 1));
        }
        if let Some(&(_, partner)) = self.partners.iter().find(|&&(_, p)| p != NONE && p >= nodes) {
            return Err(GraphError::Range(partner));
        }
        self.complete()?;
        if self.aside.as_ref().is_some_and(|aside| aside.len() > 0) {
            self.put_aside()?;
            (self.labels, self.kinds) = (None, None);
        } else {
            self.aside = None;
        }
        let Self { sources, mut links, mut partners, mut labels, mut kinds, aside, .. } = self;
        let offsets = match sources {
            Sources::Grouped(Grouped { first, mut starts }) => {
                if first > 0 {
                    starts.splice(0..0, std::iter::repeat_n(0, first as usize));
                }
                starts.resize(nodes as usize + 1, links.len() as u32);
                // A list that two builders made has up to half of its room left.
                starts.shrink_to_fit();
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
                links = placed(&links, &sources, &mut offsets.clone(), Packed::new(0, Class::Strong));
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
        Ok(Graph { offsets, links, partners, labels, kinds, aside, ..Graph::default() })
    }
}

impl From<Error> for GraphError {
    /// An error of the file of edges.
    #[cold]
    fn from(error: Error) -> Self {
        match error.kind() {
            heap_base::error::Kind::Read(e) | heap_base::error::Kind::Write(e) => Self::File(e.kind()),
            _ => Self::Edges,
        }
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
