//! Edges in a file, by source, and what the policy says of them.

use std::sync::Arc;

use heap_base::spool::no_room;
use heap_base::{BitSet, Result};

use super::lists::{Block, Lists, Store};
use super::marked::Marked;
use super::records::Sorter;
use super::{FAN, Room};
use crate::aside::Aside;
use crate::graph::{Class, NONE};
use crate::rules::{Policy, Rules, Unreachable};

/// Bits of a class.
pub(super) const LOW: u32 = 3;

/// An edge as the file has it.
#[inline]
fn coded(dest: u32, class: Class) -> u64 {
    u64::from(dest) << LOW | class as u64
}

#[inline]
pub(super) fn end(edge: u64) -> u32 {
    (edge >> LOW) as u32
}

/// Bit of the class in a mask.
#[inline]
pub(super) fn bit(edge: u64) -> u8 {
    1 << (edge & 7)
}

/// Edges on their way into a file.
#[derive(Clone, Debug)]
pub(crate) struct EdgeFile {
    lists: Lists,
    room: Room,
    /// The last source.
    last: u32,
    in_order: bool,
    count: u64,
}

impl EdgeFile {
    pub(crate) fn new(store: Arc<Store>, room: Room) -> Self {
        Self { lists: Lists::within(store, LOW, room.block), room, last: 0, in_order: true, count: 0 }
    }

    /// Adds the edges of another one in the same file.
    pub(crate) fn append(&mut self, mut other: Self) -> Result {
        other.lists.close()?;
        if let Some(first) = other.lists.first() {
            self.in_order &= other.in_order && first >= self.last;
            self.last = other.last;
        }
        self.count += other.count;
        self.lists.append(&other.lists)
    }

    /// How many edges came so far.
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// Adds edges of one source.
    pub(crate) fn push(&mut self, source: u32, edges: impl Iterator<Item = (u32, Class)> + Clone) -> Result {
        self.in_order &= source >= self.last;
        self.last = source;
        self.count += edges.clone().count() as u64;
        self.lists.push(source, edges.map(|(dest, class)| coded(dest, class)))
    }

    /// Gives node v the number `map[v]`, and drops edges at nodes whose new number is [`NONE`], with their names. Returns how
    /// many were dropped.
    pub(crate) fn renumber(&mut self, map: &[u32], mut names: Option<&mut Aside>) -> Result<u64> {
        self.lists.close()?;
        let new = |node: u32| map.get(node as usize).copied().unwrap_or(NONE);
        let mut made = Self::new(Arc::default(), self.room);
        let mut kept_names = Aside::default();
        let (mut labels, mut kinds) = (Vec::new(), Vec::new());
        let mut reader = names.as_deref().map(Aside::reader);
        self.lists.each(true, |source, edges| {
            let source = new(source);
            let is_kept = |dest: u32| source != NONE && dest != NONE;
            if let Some(reader) = &mut reader {
                for &edge in edges {
                    let (label, kind) = reader.next().map_err(no_room)?;
                    if is_kept(new(end(edge))) {
                        labels.push(label);
                        kinds.push(kind);
                    }
                }
                if Aside::takes(labels.len()) {
                    kept_names.push(&labels, &kinds).map_err(no_room)?;
                    labels.clear();
                    kinds.clear();
                }
            }
            let edges = edges.iter().map(|&edge| (new(end(edge)), edge & 7));
            let kept = edges.filter(|&(dest, _)| is_kept(dest));
            made.in_order &= source == NONE || source >= made.last;
            made.last = if source == NONE { made.last } else { source };
            made.count += kept.clone().count() as u64;
            made.lists.push(source, kept.map(|(dest, class)| u64::from(dest) << LOW | class))
        })?;
        drop(reader);
        if let Some(names) = &mut names {
            kept_names.push(&labels, &kinds).map_err(no_room)?;
            **names = kept_names;
        }
        let dropped = self.count - made.count;
        *self = made;
        Ok(dropped)
    }

    /// Calls `each` with source and edge, in the order in which they came.
    pub(super) fn each(&mut self, mut each: impl FnMut(u32, u64) -> Result) -> Result {
        self.lists.close()?;
        self.lists.each(true, |source, edges| edges.iter().try_for_each(|&edge| each(source, edge)))
    }

    /// Calls `each` with source, edge and its name, in the order in which they came.
    pub(super) fn each_named(
        &mut self,
        names: &Aside,
        mut each: impl FnMut(u32, u64, (u32, u8)) -> Result,
    ) -> Result {
        self.lists.close()?;
        let mut reader = names.reader();
        self.lists.each(true, |source, edges| {
            edges.iter().try_for_each(|&edge| each(source, edge, reader.next().map_err(no_room)?))
        })
    }

    /// Gives each edge the class that `class` says, by its source, end, present class and kind. Kinds are known with names.
    pub(super) fn reclass(
        &mut self,
        names: Option<&Aside>,
        mut class: impl FnMut(u32, u32, Class, u8) -> Class,
    ) -> Result {
        self.lists.close()?;
        let mut made = Lists::within(Arc::default(), LOW, self.room.block);
        let mut reader = names.map(Aside::reader);
        let mut new = Vec::new();
        self.lists.each(true, |source, edges| {
            new.clear();
            for &edge in edges {
                let kind = match &mut reader {
                    Some(reader) => reader.next().map_err(no_room)?.1,
                    None => u8::MAX,
                };
                new.push(coded(end(edge), class(source, end(edge), Class::of_number(edge), kind)));
            }
            made.push(source, new.iter().copied())
        })?;
        made.close()?;
        self.lists = made;
        Ok(())
    }

    /// Writes what is left, so that a copy has all of it.
    pub(super) fn close(&mut self) -> Result {
        self.lists.close()
    }

    /// Whether sources came in order.
    pub(super) fn is_in_order(&self) -> bool {
        self.in_order
    }

    /// The edges by source. Sorts them if they came out of order.
    pub(super) fn finish(mut self) -> Result<Lists> {
        self.lists.close()?;
        if self.in_order {
            return Ok(self.lists);
        }
        let mut sorter = Sorter::<3>::new(self.room.sort, FAN);
        self.lists.each(true, |source, edges| {
            edges.iter().try_for_each(|&edge| sorter.push([source, end(edge), (edge & 7) as u32]))
        })?;
        let mut lists = Lists::new(LOW, self.room.block);
        sorter.each(|[source, dest, class]| {
            lists.push(source, std::iter::once(u64::from(dest) << LOW | u64::from(class)))
        })?;
        lists.close()?;
        Ok(lists)
    }
}

const INNER: u8 = Class::Strong.bit() | Class::StrongUnmeasured.bit() | Class::Key.bit();
const ROOT: u8 = INNER | Class::Root.bit() | Class::RootUnmeasured.bit();
const WEAK: u8 = Class::Weak.bit() | Class::Kept.bit();

/// Which edges retain, as [`Rules`](crate::Rules) has it for graphs in memory.
#[derive(Clone)]
pub(super) struct Gates {
    pub(super) roots: BitSet,
    /// What the user roots reach, if there are any.
    owned: Option<BitSet>,
}

impl Gates {
    /// Makes `policy` ready in passes over the edges.
    pub(super) fn new(nodes: u32, edges: &Lists, policy: &Policy) -> Result<Self> {
        let owned = if policy.user_roots.is_empty() {
            None
        } else {
            let mut owned = BitSet::new(nodes);
            flood(nodes, edges, policy.user_roots.iter().copied(), &mut owned, |_, edge| {
                bit(edge) & WEAK == 0
            })?;
            Some(owned)
        };
        let mut gates = Self { roots: BitSet::new(nodes), owned };
        policy.roots.iter().filter(|&&root| root < nodes).for_each(|&root| {
            gates.roots.insert(root);
        });
        if gates.roots.count() == 0 {
            gates.roots = not_retained(nodes, edges, &gates, &BitSet::default())?;
        }
        Ok(gates)
    }

    /// The same for graphs in memory.
    pub(super) fn into_rules(self, policy: &Policy, nodes: u32) -> Rules {
        let mut roots: Vec<u32> = policy.roots.iter().copied().filter(|&root| root < nodes).collect();
        if roots.is_empty() {
            roots = self.roots.iter().collect();
        }
        let mut seen = BitSet::default();
        roots.retain(|&root| seen.insert(root));
        Rules::of_parts(roots, self.roots, self.owned)
    }

    #[inline]
    fn retains(&self, source: u32, edge: u64) -> bool {
        let root = self.roots.contains(source);
        let may_be = !root && bit(edge) != Class::Key.bit();
        let barred = |owned: &BitSet| may_be && owned.contains(end(edge)) && !owned.contains(source);
        bit(edge) & if root { ROOT } else { INNER } != 0
            && end(edge) != source
            && !self.owned.as_ref().is_some_and(barred)
    }
}

/// The edges that count for dominators, and the nodes that do.
pub(super) struct Retaining {
    /// The root of the dominator tree: the dump's only root, or N where it has none or several.
    pub(super) root: u32,
    /// Nodes that the tree's root reaches.
    pub(super) reached: BitSet,
    /// Those that the roots reach, if that is less.
    pub(super) reachable: Option<BitSet>,
    /// Those to which the tree's root has an edge: it dominates them, whatever else leads to them.
    pub(super) held: BitSet,
    /// Target and source of each edge into a node that is not held, sorted.
    pub(super) edges: Lists,
}

impl Retaining {
    /// Sorts out what `gates` and `policy` say, in passes over the edges by source.
    pub(super) fn new(nodes: u32, edges: Lists, gates: Gates, policy: &Policy, room: Room) -> Result<Self> {
        let one = gates.roots.count() == 1;
        let root = gates.roots.iter().next().filter(|_| one).unwrap_or(nodes);
        let mut reached = BitSet::new(nodes);
        flood(nodes, &edges, gates.roots.iter(), &mut reached, |source, edge| gates.retains(source, edge))?;
        let mut held = BitSet::new(nodes);
        if one {
            Near::new(&edges).each(root, |edge| {
                if gates.retains(root, edge) {
                    held.insert(end(edge));
                }
                Ok(())
            })?;
        } else {
            held.clone_from(&gates.roots);
        }
        let mut reachable = None;
        if policy.unreachable == Unreachable::Root && reached.count() < u64::from(nodes) {
            reachable = Some(reached.clone());
            // Tops of what is unreachable hang on the root, with all that they lead to.
            let words = not_retained(nodes, &edges, &gates, &reached)?;
            let tops = words.words().iter().zip(reached.words()).map(|(top, reached)| top & !reached);
            let tops = BitSet::from_words(tops.collect());
            tops.iter().for_each(|top| {
                held.insert(top);
            });
            flood(nodes, &edges, tops.iter(), &mut reached, |source, edge| gates.retains(source, edge))?;
        }
        let mut sorter = Sorter::<2>::new(room.sort, FAN);
        edges.each(true, |source, edges| {
            if source == root || !reached.contains(source) {
                return Ok(());
            }
            for &edge in edges {
                if gates.retains(source, edge) && end(edge) != root && !held.contains(end(edge)) {
                    sorter.push([end(edge), source])?;
                }
            }
            Ok(())
        })?;
        drop((edges, gates));
        let mut by_target = Lists::new(0, room.block);
        let mut list = List { lists: &mut by_target, key: NONE, values: Vec::new() };
        sorter.each(|[target, source]| list.push(target, source))?;
        list.end()?;
        by_target.close()?;
        Ok(Self { root, reachable, reached, held, edges: by_target })
    }
}

/// A list that is gathered from its numbers in ascending order.
struct List<'a> {
    lists: &'a mut Lists,
    key: u32,
    values: Vec<u32>,
}

impl List<'_> {
    #[inline]
    fn push(&mut self, key: u32, value: u32) -> Result {
        if key != self.key || self.values.len() >= 1 << 10 {
            // What comes twice across two pieces does no harm.
            self.end()?;
            self.key = key;
        }
        if self.values.last() != Some(&value) {
            self.values.push(value);
        }
        Ok(())
    }

    fn end(&mut self) -> Result {
        self.lists.push(self.key, self.values.iter().map(|&value| value.into()))?;
        self.values.clear();
        Ok(())
    }
}

/// Nodes without an incoming edge that retains, from a node outside `skip`.
fn not_retained(nodes: u32, edges: &Lists, gates: &Gates, skip: &BitSet) -> Result<BitSet> {
    let mut retained = BitSet::new(nodes);
    edges.each(true, |source, edges| {
        if !skip.contains(source) {
            for &edge in edges.iter().filter(|&&edge| gates.retains(source, edge)) {
                retained.insert(end(edge));
            }
        }
        Ok(())
    })?;
    let mut words: Vec<u64> = retained.words().iter().map(|word| !word).collect();
    if let Some(last) = words.last_mut()
        && !nodes.is_multiple_of(64)
    {
        *last &= (1 << (nodes % 64)) - 1;
    }
    Ok(BitSet::from_words(words))
}

/// Reads the edges of sources that are near each other: a block stays until another one is needed.
pub(super) struct Near<'a> {
    edges: &'a Lists,
    position: Position,
}

/// The block that was read last.
#[derive(Debug)]
pub(super) struct Position {
    block: Block,
    loaded: usize,
    at: usize,
}

impl Default for Position {
    fn default() -> Self {
        Self { block: Block::default(), loaded: usize::MAX, at: 0 }
    }
}

impl<'a> Near<'a> {
    pub(super) fn new(edges: &'a Lists) -> Self {
        Self { edges, position: Position::default() }
    }

    /// The edges of one source.
    pub(super) fn each(&mut self, source: u32, each: impl FnMut(u64) -> Result) -> Result {
        self.position.each(self.edges, source, each)
    }
}

impl Position {
    /// The edges of one source.
    pub(super) fn each(&mut self, edges: &Lists, source: u32, mut each: impl FnMut(u64) -> Result) -> Result {
        let Self { block, loaded, at } = self;
        let blocks = if edges.is_only(*loaded, source) { *loaded..*loaded + 1 } else { edges.find(source) };
        for number in blocks {
            if number != *loaded {
                edges.read(number, block)?;
                (*loaded, *at) = (number, 0);
            }
            *at = block.find(source, *at);
            while *at < block.len() && block.list(*at).0 == source {
                block.list(*at).1.iter().try_for_each(|&edge| each(edge))?;
                *at += 1;
            }
        }
        Ok(())
    }
}

/// Adds what `starts` reach over edges that `follow` takes, along paths that avoid `reached`.
///
/// Nodes wait until the sweep comes by, upwards and downwards in turn, so that a sweep over many of them reads the file in its
/// order; where few are left, only their blocks are read.
fn flood(
    nodes: u32,
    edges: &Lists,
    starts: impl Iterator<Item = u32>,
    reached: &mut BitSet,
    follow: impl Fn(u32, u64) -> bool,
) -> Result {
    flood_to(nodes, edges, starts, reached, |source, edge| follow(source, edge).then_some(end(edge)))
}

/// The same; `follow` says where an edge leads, if it is taken.
pub(super) fn flood_to(
    nodes: u32,
    edges: &Lists,
    starts: impl Iterator<Item = u32>,
    reached: &mut BitSet,
    follow: impl Fn(u32, u64) -> Option<u32>,
) -> Result {
    let mut waiting = Marked::new(nodes.into());
    for start in starts.filter(|&start| start < nodes) {
        if reached.insert(start) {
            waiting.insert(start);
        }
    }
    let mut near = Near::new(edges);
    let (mut up, mut here) = (true, 0);
    loop {
        let found = if up { waiting.next(here) } else { waiting.before(here) };
        let Some(node) = found else {
            up = !up;
            here = if up { 0 } else { u32::MAX };
            let left = if up { waiting.next(here) } else { waiting.before(here) };
            if left.is_none() {
                return Ok(());
            }
            continue;
        };
        waiting.remove(node);
        here = node;
        near.each(node, |edge| {
            if let Some(end) = follow(node, edge)
                && reached.insert(end)
            {
                waiting.insert(end);
            }
            Ok(())
        })?;
    }
}
