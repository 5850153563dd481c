//! Which row a node becomes, and where the row's references lie.

use heap_base::{Error, Result};
use heap_record::{LeftOut, Retains, Types};
use heap_spool::{Ids, Link, Links};

use super::gather::Snapshot;

/// Rows and references of a snapshot.
#[derive(Debug)]
pub(super) struct Layout {
    /// The node that becomes row 0, and those before it move down; none if a root is made.
    pub(super) moved: Option<u32>,
    pub(super) rows: u64,
    pub(super) refs: u64,
    /// References by row: how many, and the first.
    pub(super) counts: Vec<u32>,
    pub(super) starts: Vec<u64>,
    /// Rows that a root that is made refers to.
    pub(super) roots: Vec<u64>,
    /// True if the edges have to be put in the order of their sources.
    pub(super) scattered: bool,
}

/// Why an edge is left out.
const GONE: [&str; 4] =
    ["weak edges", "edges to small integers", "edges without a target", "edges of nodes that are not there"];

impl Layout {
    /// Lays the rows and references of all edges out. `native`: the stream comes from MoarVM.
    pub(super) fn new(
        snapshot: &Snapshot,
        native: bool,
        types: &Types,
        left_out: &mut LeftOut,
    ) -> Result<Self> {
        let moved = snapshot.root.filter(|_| native).map(|(at, _)| at);
        let rows = u64::from(snapshot.ids.len()) + u64::from(moved.is_none());
        let mut layout = Self {
            moved,
            rows,
            refs: 0,
            counts: vec![0; rows as usize],
            starts: vec![0; rows as usize],
            roots: Vec::new(),
            scattered: false,
        };
        let mut targets = vec![0u64; if moved.is_none() { rows.div_ceil(64) as usize } else { 0 }];
        let mut gone = [0; GONE.len()];
        let mut last = u64::MAX;
        let mut links = snapshot.links.in_order();
        while let Some(link) = links.next()? {
            let (source, dest) = match ends(&link, &snapshot.ids, types) {
                Ok(ends) => ends,
                Err(why) => {
                    gone[why] += 1;
                    continue;
                }
            };
            let (row, dest) = (layout.place(source), layout.place(dest));
            let count = &mut layout.counts[row as usize];
            if row != last {
                layout.scattered |= *count > 0;
                layout.starts[row as usize] = layout.refs;
                last = row;
            }
            *count =
                count.checked_add(1).ok_or_else(|| Error::refused("a node with more than 2^32 edges"))?;
            layout.refs += 1;
            if let Some(word) = targets.get_mut(dest as usize / 64) {
                *word |= 1 << (dest % 64);
            }
        }
        for (kind, count) in GONE.into_iter().zip(gone) {
            left_out.add(kind, count);
        }
        if moved.is_none() {
            layout.add_root(snapshot, &targets);
        }
        if layout.scattered {
            let mut at = layout.roots.len() as u64;
            for node in 0..snapshot.ids.len() {
                let row = layout.place(node) as usize;
                layout.starts[row] = if layout.counts[row] > 0 { at } else { 0 };
                at += u64::from(layout.counts[row]);
            }
        }
        Ok(layout)
    }

    /// A root refers to the stream's roots; if it names none, to every row that nothing refers to.
    fn add_root(&mut self, snapshot: &Snapshot, targets: &[u64]) {
        self.roots =
            snapshot.roots.iter().filter_map(|&id| snapshot.ids.find(id)).map(|n| self.place(n)).collect();
        self.roots.dedup();
        if self.roots.is_empty() {
            let free = |row: &u64| targets[*row as usize / 64] & 1 << (row % 64) == 0;
            self.roots = (1..self.rows).filter(free).collect();
        }
        if self.roots.is_empty() && self.rows > 1 {
            self.roots.push(1);
        }
        let added = self.roots.len() as u64;
        self.counts[0] = added as u32;
        self.refs += added;
        for (start, &count) in self.starts.iter_mut().zip(&self.counts).skip(1) {
            *start += if count > 0 { added } else { 0 };
        }
    }

    /// The row of a node.
    #[inline]
    pub(super) fn place(&self, node: u32) -> u64 {
        match self.moved {
            None => u64::from(node) + 1,
            Some(moved) if node == moved => 0,
            Some(moved) => u64::from(node) + u64::from(node < moved),
        }
    }

    /// The references in the order of the table: the edge and its target's row. Those of the root that is made
    /// are not among them.
    pub(super) fn each_ref(
        &self,
        links: Links,
        ids: &Ids,
        types: &Types,
        mut each: impl FnMut(&Link, u64) -> Result,
    ) -> Result {
        let mut visit = |link: &Link| match ends(link, ids, types) {
            Ok((_, dest)) => each(link, self.place(dest)),
            Err(_) => Ok(()),
        };
        if self.scattered {
            return links.by_source(ids)?.for_each(ids, |_, link| visit(&link));
        }
        let mut links = links.in_order();
        while let Some(link) = links.next()? {
            visit(&link)?;
        }
        Ok(())
    }
}

/// The nodes that an edge connects, or why it is left out.
#[inline]
fn ends(link: &Link, ids: &Ids, types: &Types) -> Result<(u32, u32), usize> {
    // The list of old objects retains nothing either, but is MoarVM's own.
    if types.retains(link.subtype) == Retains::No && types.edge_name(link.subtype) != "moar.intergen" {
        return Err(0);
    }
    let dest = link.dest.ok_or(2usize)?;
    if dest & 1 == 0 {
        return Err(1);
    }
    Ok((ids.find(link.source).ok_or(3usize)?, ids.find(dest).ok_or(3usize)?))
}
