//! Ways from the roots over edges in a file, and the few edges that are then wanted in memory.

use heap_base::{BitSet, Error, Result};

use super::edges::{LOW, Near, Position, bit, end, flood_to};
use super::lists::Lists;
use super::records::Sorter;
use super::{FAN, Gates, LargeGraph, Room, beside_sorts, too_little};
use crate::builder::Builder;
use crate::graph::{Class, Graph, GraphError, MAX_EDGES, NONE};
use crate::rules::{Policy, Rules};

/// Bits of a code.
const CODE: u32 = 5;

/// Edges by source, with a code each, in the order that a graph in memory has them.
#[derive(Debug)]
pub struct Coded {
    nodes: u32,
    edges: Lists,
    room: Room,
}

/// Reads edges of sources that are near each other.
pub struct CodedReader<'a>(Near<'a>);

/// Where the edges of single sources were read last.
#[derive(Debug, Default)]
pub struct Cursor(Position);

/// An edge as its class, its code and its end.
#[inline]
fn coded(edge: u64, code: u8) -> u64 {
    u64::from(end(edge)) << (LOW + CODE) | u64::from(code) << LOW | edge & 7
}

#[inline]
fn end_of(edge: u64) -> u32 {
    (edge >> (LOW + CODE)) as u32
}

impl LargeGraph {
    /// Another one with the same edges in the same files.
    ///
    /// # Errors
    /// Temporary files cannot be written.
    pub fn share(&mut self) -> Result<Self> {
        self.edges.close()?;
        let Self { nodes, edges, names, ephemerons, lone, room, held } = self;
        Ok(Self {
            nodes: *nodes,
            edges: edges.clone(),
            names: names.clone(),
            ephemerons: ephemerons.clone(),
            lone: lone.clone(),
            room: *room,
            held: *held,
        })
    }

    /// What retains.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn rules(&mut self, policy: &Policy) -> Result<Rules> {
        let edges = self.share()?.edges.finish()?;
        Ok(Gates::new(self.nodes, &edges, policy)?.into_rules(policy, self.nodes))
    }

    /// Table, key and value of each ephemeron, and whether the table's half came.
    pub fn ephemerons(&self) -> impl Iterator<Item = ([u32; 3], bool)> + '_ {
        let whole = self.ephemerons.iter().map(|&parts| (parts, true));
        whole.chain(self.lone.iter().map(|&parts| (parts, false)))
    }

    /// Gives each half of an ephemeron the class that `class` says by its source and end, if it says one.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn set_halves(&mut self, class: impl Fn(u32, u32) -> Option<Class>) -> Result {
        self.edges.reclass(
            None,
            |source, end, now, _| {
                if now.has_partner() { class(source, end).unwrap_or(now) } else { now }
            },
        )
    }

    /// Makes the edges of some nodes hold nothing.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn weaken(&mut self, nodes: &[u32]) -> Result {
        self.edges.reclass(None, |source, _, now, _| if nodes.contains(&source) { Class::Weak } else { now })
    }

    /// Makes those edges hold their targets that were [kept](Class::Kept) from a node that is `reached` to one that is not,
    /// and that are of one of these kinds. The nodes that they are of. Needs names kept.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn revive(&mut self, reached: &BitSet, kinds: &[u8]) -> Result<BitSet> {
        let mut revived = BitSet::default();
        self.edges.reclass(self.names.as_ref(), |source, end, now, kind| {
            let is_late = now == Class::Kept && reached.contains(source) && !reached.contains(end);
            if is_late && kinds.contains(&kind) {
                revived.insert(source);
                return Class::Strong;
            }
            now
        })?;
        Ok(revived)
    }

    /// Adds what `starts` reach over edges that retain, halves of ephemerons left out, along paths that avoid `reached`.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn reach(&mut self, rules: &Rules, starts: &[u32], reached: &mut BitSet) -> Result {
        let nodes = self.nodes;
        let edges = self.share()?.edges.finish()?;
        flood_to(nodes, &edges, starts.iter().copied(), reached, |source, edge| {
            let holds = bit(edge) != Class::Key.bit() && rules.gate(source).holds(bit(edge), end(edge));
            holds.then_some(end(edge))
        })
    }

    /// A graph of all nodes with few edges: those that `keep` takes by their source, end, label and kind and whether they are
    /// halves of an ephemeron. Searches in it meet the ends of these and `more`. Needs names kept.
    ///
    /// # Errors
    /// Temporary files cannot be read. There are too many edges.
    pub fn pick_few(
        &mut self,
        more: &BitSet,
        mut keep: impl FnMut(u32, u32, bool, (u32, u8)) -> bool,
    ) -> Result<Graph> {
        let mut few = Vec::new();
        self.each_named(|source, edge, class, (label, kind)| {
            if keep(source, edge, class.has_partner(), (label, kind)) {
                if few.len() >= MAX_EDGES as usize {
                    return Err(refused(GraphError::Edges));
                }
                few.push((source, edge, class, label, kind));
            }
            Ok(())
        })?;
        Ok(Graph::of_few(self.nodes, few, more))
    }

    /// The whole graph. Needs names kept.
    ///
    /// # Errors
    /// Temporary files cannot be read. There are more nodes than a graph in memory can have.
    pub fn whole(&mut self) -> Result<Graph> {
        let mut builder = Builder::new(true, true);
        self.each_named(|source, end, class, (label, kind)| {
            builder.edge(source, end, class, label, kind).map_err(refused)
        })?;
        builder.finish(self.nodes).map_err(refused)
    }

    /// The edges by source, those of one source in the order in which they came.
    pub(super) fn by_source(&mut self) -> Result<Lists> {
        if self.edges.is_in_order() {
            return self.share()?.edges.finish();
        }
        let mut sorter = Sorter::<4>::new(self.room.sort, FAN);
        let mut number = 0;
        self.edges.each(|source, edge| {
            number = next(number)?;
            sorter.push([source, number, end(edge), edge as u32 & 7])
        })?;
        let mut lists = Lists::new(LOW, self.room.block);
        sorter.each(|[source, _, end, class]| {
            lists.push(source, std::iter::once(u64::from(end) << LOW | u64::from(class)))
        })?;
        lists.close()?;
        Ok(lists)
    }

    /// Calls `each` with source and end of each edge, in the order in which they came.
    ///
    /// # Errors
    /// That of `each`. Temporary files cannot be read.
    pub fn each_edge(&mut self, mut each: impl FnMut(u32, u32) -> Result) -> Result {
        self.edges.each(|source, edge| each(source, end(edge)))
    }

    /// Calls `each` with source and end of each edge that keeps its target alive wherever it starts.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub(crate) fn each_strong(&mut self, mut each: impl FnMut(u32, u32)) -> Result {
        self.edges.each(|source, edge| {
            if Class::of_number(edge).is_strong() {
                each(source, end(edge));
            }
            Ok(())
        })
    }

    /// Calls `each` with source, end, class and name of each edge, in the order in which they came.
    pub(super) fn each_named(
        &mut self,
        mut each: impl FnMut(u32, u32, Class, (u32, u8)) -> Result,
    ) -> Result {
        let names = self.names.take().unwrap_or_default();
        self.edges
            .each_named(&names, |source, edge, name| each(source, end(edge), Class::of_number(edge), name))?;
        self.names = Some(names);
        Ok(())
    }

    /// Calls `each` with end and name of each edge that `keep` takes by source and end, by source, those of one source in the order
    /// in which they came. Needs names kept.
    ///
    /// # Errors
    /// That of `each`. Temporary files cannot be written or read.
    pub fn each_of(
        &mut self,
        keep: impl Fn(u32, u32) -> bool,
        mut each: impl FnMut(u32, (u32, u8)) -> Result,
    ) -> Result {
        if self.edges.is_in_order() {
            return self
                .each_named(|source, end, _, name| if keep(source, end) { each(end, name) } else { Ok(()) });
        }
        let mut sorter = Sorter::<5>::new(self.room.sort, FAN);
        let mut number = 0;
        self.each_named(|source, end, _, (label, kind)| {
            if keep(source, end) {
                number = next(number)?;
                sorter.push([source, number, end, label, kind.into()])?;
            }
            Ok(())
        })?;
        sorter.each(|[_, _, end, label, kind]| each(end, (label, kind as u8)))
    }

    /// The edges with what `code` makes of their ends, their names and whether they are halves of an ephemeron. Needs names kept.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn coded(&mut self, mut code: impl FnMut(u32, bool, (u32, u8)) -> u8) -> Result<Coded> {
        let Self { nodes, edges, names, room, .. } = self;
        let names = names.clone().unwrap_or_default();
        let mut made = Lists::new(LOW + CODE, room.block);
        let mut code = |edge, name| coded(edge, code(end(edge), Class::of_number(edge).has_partner(), name));
        if edges.is_in_order() {
            edges.each_named(&names, |source, edge, name| {
                made.push(source, std::iter::once(code(edge, name)))
            })?;
        } else {
            let mut sorter = Sorter::<4>::new(room.sort, FAN);
            let mut number = 0;
            edges.each_named(&names, |source, edge, name| {
                let edge = code(edge, name);
                number = next(number)?;
                sorter.push([source, number, edge as u32, (edge >> 32) as u32])
            })?;
            sorter.each(|[source, _, low, high]| {
                made.push(source, std::iter::once(u64::from(low) | u64::from(high) << 32))
            })?;
        }
        made.close()?;
        Ok(Coded { nodes: *nodes, edges: made, room: *room })
    }

    /// Says that [`pick_few`](Self::pick_few) and searches have too little memory.
    ///
    /// # Errors
    /// They have.
    pub fn check(&self) -> Result {
        self.check_for(NODE)
    }

    /// Says that there is too little memory for so many bytes a node and what is sorted.
    ///
    /// # Errors
    /// There is.
    pub fn check_for(&self, node: u64) -> Result {
        let (by_node, room) = (u64::from(self.nodes) * node, self.room.beside(self.held));
        let all = by_node + 2 * room.sort as u64;
        if all > room.limit { Err(too_little(&room, beside_sorts(by_node, 2))) } else { Ok(()) }
    }
}

/// Bytes a node that a search for ways takes: what the cheapest way costs and where it comes from, what kind of node it is, and
/// what waits.
const NODE: u64 = 9;

/// The number behind this one, of edges that came out of order.
fn next(number: u32) -> Result<u32> {
    number.checked_add(1).ok_or_else(|| refused(GraphError::Edges))
}

#[cold]
fn refused(error: GraphError) -> Error {
    Error::refused(error.to_string())
}

impl Coded {
    /// A reader of edges.
    pub fn reader(&self) -> CodedReader<'_> {
        CodedReader(Near::new(&self.edges))
    }

    /// Adds what `starts` reach over edges that retain, halves of ephemerons left out, along paths that avoid `reached`.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub fn reach(&self, rules: &Rules, starts: &[u32], reached: &mut BitSet) -> Result {
        flood_to(self.nodes, &self.edges, starts.iter().copied(), reached, |source, edge| {
            let holds = bit(edge) != Class::Key.bit() && rules.gate(source).holds(bit(edge), end_of(edge));
            holds.then_some(end_of(edge))
        })
    }

    /// The edges of `source` in order: code and end of each, and whether it retains.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn of(
        &self,
        cursor: &mut Cursor,
        rules: &Rules,
        source: u32,
        mut each: impl FnMut(u8, u32, bool),
    ) -> Result {
        let gate = rules.gate(source);
        cursor.0.each(&self.edges, source, |edge| {
            each((edge >> LOW & 31) as u8, end_of(edge), gate.holds(bit(edge), end_of(edge)));
            Ok(())
        })
    }

    /// Code and end of each edge by source, and whether it retains, in order, all of one source at once.
    ///
    /// # Errors
    /// Those of `each`. Temporary files cannot be read.
    pub fn each(&self, rules: &Rules, mut each: impl FnMut(u32, &[(u8, u32, bool)])) -> Result {
        let mut all = Vec::new();
        let mut last = NONE;
        self.edges.each(true, |source, edges| {
            if source != last && !all.is_empty() {
                each(last, &all);
                all.clear();
            }
            last = source;
            let gate = rules.gate(source);
            all.extend(
                edges.iter().map(|&edge| {
                    ((edge >> LOW & 31) as u8, end_of(edge), gate.holds(bit(edge), end_of(edge)))
                }),
            );
            Ok(())
        })?;
        if !all.is_empty() {
            each(last, &all);
        }
        Ok(())
    }

    /// The node before each on its shortest way from a root, as far as the ways to `targets` need it; [`NONE`] where there is
    /// none, the node itself for roots. Goes not beyond nodes in `avoid`. Of several ways it is the one that
    /// [`Paths`](crate::Paths) takes.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn shortest(&self, rules: &Rules, avoid: &BitSet, targets: &BitSet) -> Result<Vec<u32>> {
        shortest((self.nodes, &self.edges, end_of), rules, avoid, targets, self.room)
    }
}

/// As [`Coded::shortest`], over `edges` that lead where `end` says.
///
/// Level by level: nodes of a level wait sorted by number with their rank in the queue, what they lead to is sorted by
/// their rank. So the file is read in its order, and ends are met in that of the queue.
pub(super) fn shortest(
    (nodes, edges, end): (u32, &Lists, impl Fn(u64) -> u32),
    rules: &Rules,
    avoid: &BitSet,
    targets: &BitSet,
    room: Room,
) -> Result<Vec<u32>> {
    let mut before = vec![NONE; nodes as usize];
    let (mut near, mut left) = (Near::new(edges), targets.count());
    let mut level = Sorter::<2>::new(room.sort, FAN);
    let mut many = 0;
    for &root in rules.roots() {
        before[root as usize] = root;
        left -= u64::from(targets.contains(root));
        if !avoid.contains(root) {
            level.push([root, many])?;
            many += 1;
        }
    }
    while many > 0 && left > 0 {
        let mut found = Sorter::<4>::new(room.sort, FAN);
        level.each(|[node, rank]| {
            let (gate, mut number) = (rules.gate(node), 0);
            near.each(node, |edge| {
                number += 1;
                let to = end(edge);
                if gate.holds(bit(edge), to) && before[to as usize] == NONE {
                    found.push([rank, number, to, node])?;
                }
                Ok(())
            })
        })?;
        (level, many) = (Sorter::new(room.sort, FAN), 0);
        found.each(|[_, _, to, from]| {
            let slot = &mut before[to as usize];
            if *slot == NONE {
                *slot = from;
                left -= u64::from(targets.contains(to));
                if !avoid.contains(to) {
                    level.push([to, many])?;
                    many += 1;
                }
            }
            Ok(())
        })?;
    }
    Ok(before)
}

impl CodedReader<'_> {
    /// The edges of `source` in order: code and end of each, and whether it retains.
    ///
    /// # Errors
    /// The temporary file cannot be read.
    pub fn all(&mut self, rules: &Rules, source: u32, mut each: impl FnMut(u8, u32, bool)) -> Result {
        let gate = rules.gate(source);
        self.0.each(source, |edge| {
            each((edge >> LOW & 31) as u8, end_of(edge), gate.holds(bit(edge), end_of(edge)));
            Ok(())
        })
    }
}
