//! What must be known of edges before the first node is emitted: fields of nodes that are destinations of edges, and the
//! children of the root.
//!
//! Few nodes have such fields: closures, concatenated and sliced strings. Their edges are reached by counting the commas
//! of all others. Where the edges are not a list as V8 writes it, a pass over all of them finds the same.

use std::ops::Range;

use heap_base::{BitSet, Blob, Result, WorkQueue, join};
use heap_record::{EdgeBatch, Sink, Wants, wants};
use wide::u8x16;

use super::Snapshot;
use super::subtypes::code_of;
use crate::layout::Header;
use crate::layout::marks::{Mark, Marks};
use crate::layout::types::{self, EdgeRule, EdgeType, MOST_CODE};
use crate::lex::ints::boxed;
use crate::lex::triple::{Triple, WINDOW};
use crate::lex::{Divide, Piece, Section};
use crate::nodes::sources::{Owners, Special};

/// No destination.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Bytes of text at a time. Tests go over several such parts.
const TEXT: usize = if cfg!(test) { 320 } else { 64 << 10 };

/// See the module's description.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    /// Destinations that are fields, in node order; [`NOWHERE`] where there is none.
    pub(crate) slots: Vec<u32>,
    /// Which slot is the first of them: 0, unless this is of one piece of the edges.
    first: usize,
    /// Destinations of the root's edges, by ordinal: shortcuts, elements, all.
    pub(crate) shortcuts: BitSet,
    pub(crate) elements: BitSet,
    pub(crate) children: BitSet,
}

impl Ahead {
    /// Nothing yet, of these slots.
    fn new(slots: Range<usize>) -> Self {
        Self { slots: vec![NOWHERE; slots.len()], first: slots.start, ..Self::default() }
    }

    /// Keeps the destination of a field; the first edge that names it counts.
    fn field(&mut self, slot: usize, dest: u32) {
        if let Some(slot) = self.slots.get_mut(slot - self.first).filter(|slot| **slot == NOWHERE) {
            *slot = dest;
        }
    }

    /// Keeps a child of the root, by an edge that this rule is for.
    fn child(&mut self, rule: EdgeRule, dest: u32) {
        self.children.insert(dest);
        match rule {
            EdgeRule::Shortcut => self.shortcuts.insert(dest),
            EdgeRule::Element => self.elements.insert(dest),
            _ => false,
        };
    }

    /// Appends what is known of the next piece of the edges.
    fn append(&mut self, next: Self) {
        // The edges of one node may lie in both.
        let known = &mut self.slots[next.first..];
        let (again, new) = next.slots.split_at(known.len());
        for (known, &again) in known.iter_mut().zip(again).filter(|(known, _)| **known == NOWHERE) {
            *known = again;
        }
        self.slots.extend_from_slice(new);
        let sets = [&mut self.shortcuts, &mut self.elements, &mut self.children];
        for (set, next) in sets.into_iter().zip([next.shortcuts, next.elements, next.children]) {
            for dest in next.iter() {
                set.insert(dest);
            }
        }
    }
}

impl Snapshot<'_> {
    /// Reaches what must be known of edges in `pieces`, which are all of them: the root's children, and if they are asked
    /// for, the `fields`. By two threads if there are many.
    pub(crate) fn reach(&self, pieces: &[Piece], fields: bool) -> Result<Ahead> {
        if !fields {
            return self.reach_root(pieces);
        }
        let edges = self.scan.section("edges");
        let two = edges.worth_a_thread();
        let pieces = if two { pieces } else { &[Piece { section: edges, first: 0 }] };
        let owners = self.owners_of(pieces);
        let slots = |at: usize| {
            let end = owners.get(at + 1).map_or(self.nodes.slots, |next| next.slot + next.special.slots());
            owners[at].slot..end
        };
        let left = WorkQueue::new(0..pieces.len());
        let take = |next: fn(&WorkQueue) -> Option<usize>| -> Result<Vec<Ahead>> {
            let mut all = Vec::new();
            let mut reach = Reach::new(self);
            while let Some(at) = next(&left) {
                let end = pieces.get(at + 1).map_or(self.nodes.edges, |next| next.first);
                reach.go_to(pieces[at].section);
                reach.ahead = Ahead::new(slots(at));
                reach.all(owners[at].clone(), end - pieces[at].first)?;
                all.push(std::mem::take(&mut reach.ahead));
            }
            Ok(all)
        };
        let (front, back) = join(two, || take(WorkQueue::first), || take(WorkQueue::last));
        let mut ahead = Ahead { slots: Vec::with_capacity(self.nodes.slots), ..Ahead::default() };
        front?.into_iter().chain(back?.into_iter().rev()).for_each(|next| ahead.append(next));
        Ok(ahead)
    }

    /// Reaches the edges of the root alone.
    fn reach_root(&self, pieces: &[Piece]) -> Result<Ahead> {
        let edges = &self.nodes.root_edges;
        let at = pieces.partition_point(|piece| piece.first <= edges.start);
        let (Some(piece), Some(last)) = (pieces[..at].last(), pieces.last()) else {
            return Ok(Ahead::default());
        };
        let mut reach = Reach::new(self);
        reach.go_to(Section { start: piece.section.start, ..last.section });
        if !edges.is_empty() {
            reach.skip(edges.start - piece.first)?;
            reach.edges_of(Special::None, 0, true, edges.end - edges.start)?;
        }
        Ok(reach.ahead)
    }

    /// The sources at the beginning of each piece.
    pub(super) fn owners_of(&self, pieces: &[Piece]) -> Vec<Owners<'_>> {
        let mut owners = self.nodes.owners();
        let mut passed = 0;
        let mut all = Vec::with_capacity(pieces.len());
        for piece in pieces {
            owners.skip(piece.first - passed);
            passed = piece.first;
            all.push(owners.clone());
        }
        all
    }
}

/// Reaches edges of some nodes in a list that was counted: digits, commas, and line feeds before commas.
struct Reach<'a> {
    blob: &'a Blob,
    marks: &'a Marks,
    header: &'a Header,
    types: Vec<EdgeType>,
    divide: Divide,
    n_nodes: u32,
    root: Option<usize>,
    /// Whether edges are records as V8 writes them.
    plain: bool,
    text: Box<[u8; TEXT]>,
    pos: usize,
    len: usize,
    /// What of the file comes behind the text.
    next: u64,
    end: u64,
    ahead: Ahead,
}

impl<'a> Reach<'a> {
    fn new(snapshot: &Snapshot<'a>) -> Self {
        let Snapshot { blob, scan, header, nodes, root, .. } = *snapshot;
        Self {
            blob,
            marks: &scan.strings.marks,
            header,
            types: types::edge_types(&header.edge_types),
            divide: Divide::by(header.node.width),
            n_nodes: nodes.count,
            root,
            plain: header.edge.is_plain(),
            text: boxed(0),
            pos: 0,
            len: 0,
            next: 0,
            end: 0,
            ahead: Ahead::default(),
        }
    }

    /// Goes to the first edge of a section.
    fn go_to(&mut self, section: Section) {
        (self.pos, self.len) = (0, 0);
        (self.next, self.end) = (section.start, section.end);
    }

    /// Goes over `count` edges, the sources of which are `owners`.
    fn all(&mut self, mut owners: Owners<'_>, mut count: u64) -> Result {
        let mut between = 0;
        while count > 0 && owners.next() {
            let edges = owners.left.min(count);
            owners.left -= edges;
            count -= edges;
            let root = self.root == Some(owners.ordinal);
            if owners.special.slots() == 0 && !root {
                between += edges;
                continue;
            }
            self.skip(between)?;
            between = 0;
            self.edges_of(owners.special, owners.slot, root, edges)?;
        }
        Ok(())
    }

    /// The next `count` edges, of a node whose fields begin at `slot`.
    fn edges_of(&mut self, special: Special, slot: usize, root: bool, count: u64) -> Result {
        for _ in 0..count {
            let Some((kind, name, to)) = self.edge()? else { continue };
            if kind as usize >= self.types.len() && kind <= MOST_CODE {
                types::add_edge_types(&mut self.types, kind);
            }
            let rule = self.types.get(kind as usize).map_or(EdgeRule::None, |t| t.rule);
            let field = if rule == EdgeRule::Internal { special.slot(self.marks.get(name)) } else { None };
            if field.is_none() && !root {
                continue;
            }
            let Some(dest) = self.divide.node(to, self.n_nodes) else { continue };
            if let Some(field) = field {
                self.ahead.field(slot + field, dest);
            }
            if root {
                self.ahead.child(rule, dest);
            }
        }
        Ok(())
    }

    /// Type, name and destination of the next edge; `None` if one of them is no number of 64 bits.
    #[inline]
    fn edge(&mut self) -> Result<Option<(u64, u64, u64)>> {
        if self.len - self.pos < WINDOW {
            self.refill()?;
        }
        if let Some(triple) = Triple::at(&self.text[self.pos..self.len]).filter(|_| self.plain)
            && let Some((name, to)) = triple.name_and_to()
        {
            self.pos += triple.length;
            return Ok(Some((triple.kind(), name, to)));
        }
        self.edge_by_bytes()
    }

    /// The same of an edge of any shape.
    #[cold]
    fn edge_by_bytes(&mut self) -> Result<Option<(u64, u64, u64)>> {
        let f = &self.header.edge;
        let mut ints = vec![Some(0u64); f.width];
        for int in &mut ints {
            loop {
                if self.pos == self.len {
                    self.refill()?;
                }
                let Some(&byte) = self.text[..self.len].get(self.pos) else { break };
                self.pos += 1;
                match byte {
                    b',' => break,
                    b'0'..=b'9' => {
                        let more = |n: u64| n.checked_mul(10)?.checked_add(u64::from(byte - b'0'));
                        *int = int.and_then(more);
                    }
                    _ => {}
                }
            }
        }
        Ok(ints[f.kind].zip(ints[f.name]).zip(ints[f.to]).map(|((kind, name), to)| (kind, name, to)))
    }

    /// Passes over `count` edges: over as many commas as they have integers.
    fn skip(&mut self, count: u64) -> Result {
        let mut commas = count * self.header.edge.width as u64;
        while commas > 0 {
            if let Some(block) = self.text[self.pos..self.len].first_chunk::<64>() {
                let mut mask = commas_in(block);
                let n = u64::from(mask.count_ones());
                if n < commas {
                    commas -= n;
                    self.pos += 64;
                    continue;
                }
                for _ in 1..commas {
                    mask &= mask - 1;
                }
                self.pos += mask.trailing_zeros() as usize + 1;
                return Ok(());
            }
            if self.next < self.end {
                self.refill()?;
            } else {
                let Some(byte) = self.text[..self.len].get(self.pos) else { break };
                commas -= u64::from(*byte == b',');
                self.pos += 1;
            }
        }
        Ok(())
    }

    /// Moves what is left to the front of the buffer and reads on.
    #[cold]
    fn refill(&mut self) -> Result {
        self.text.copy_within(self.pos..self.len, 0);
        self.len -= self.pos;
        self.pos = 0;
        let room = usize::try_from(self.end - self.next).unwrap_or(TEXT).min(TEXT - self.len);
        let n = self.blob.read_at(&mut self.text[self.len..self.len + room], self.next)?;
        self.len += n;
        // A file that shrank ends here.
        self.next = if n < room { self.end } else { self.next + n as u64 };
        Ok(())
    }
}

/// Which bytes are commas.
#[inline]
fn commas_in(block: &[u8; 64]) -> u64 {
    let mut mask = 0;
    for (k, bytes) in block.as_chunks::<16>().0.iter().enumerate() {
        mask |= u64::from(u8x16::new(*bytes).simd_eq(u8x16::splat(b',')).to_bitmask()) << (16 * k);
    }
    mask
}

/// Takes all edges by index, and keeps what must be known ahead.
pub(super) struct AheadSink<'a> {
    pub(super) ahead: Ahead,
    snapshot: Snapshot<'a>,
    types: Vec<EdgeType>,
    owner: Owners<'a>,
}

impl<'a> AheadSink<'a> {
    pub(super) fn new(snapshot: Snapshot<'a>, fields: bool) -> Self {
        Self {
            ahead: Ahead::new(0..if fields { snapshot.nodes.slots } else { 0 }),
            snapshot,
            types: types::edge_types(&snapshot.header.edge_types),
            owner: snapshot.nodes.owners(),
        }
    }
}

impl Sink for AheadSink<'_> {
    fn wants(&self) -> Wants {
        Wants { edges: wants::Edges::ByIndex, ..Wants::HEAD }
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| {
            while self.owner.ordinal != edge.source as usize {
                self.owner.left = 0;
                if !self.owner.next() {
                    return Ok(());
                }
            }
            let Snapshot { header, scan, root, .. } = self.snapshot;
            let rule = code_of(header, edge.subtype).map_or(EdgeRule::None, |code| {
                types::add_edge_types(&mut self.types, code);
                self.types[code as usize].rule
            });
            let dest = edge.dest.unwrap_or_default() as u32;
            let mark = edge.label.map_or(Mark::None, |label| scan.strings.marks.get(label as u64));
            if rule == EdgeRule::Internal
                && let Some(field) = self.owner.special.slot(mark)
            {
                self.ahead.field(self.owner.slot + field, dest);
            }
            if root == Some(self.owner.ordinal) {
                self.ahead.child(rule, dest);
            }
            Ok(())
        })
    }
}
