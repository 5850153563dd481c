//! What stood in earlier dumps where something new stands now.
//!
//! A list that is made anew each time is another object each time. Its past is that of what has gone from its place: objects of its
//! class below what is still there and holds the new one.

use heap_base::{Map, Plus, Result};
use heap_graph::{Column, NONE, Outline};

use super::Earlier;
use super::growth::{Growth, Marks};
use heap_ops::graph::NamedGraph;

/// The rank in the last dump of what holds objects, and the mark of their class.
type Key = (u32, u32);

/// What a dump has and the last one lacks: the topmost objects below each that is left, with their places by identifier and what
/// they retained; ascending.
pub(super) struct Gone(Vec<(Key, u32, u64)>);

impl Gone {
    fn of(loaded: &NamedGraph, tree: &Outline, dump: &Earlier) -> Self {
        let mut gone = Vec::new();
        let Some(known) = &dump.tree else { return Self(gone) };
        let nodes = loaded.heap.graph.nodes();
        let mut now = vec![NONE; known.ends.len()];
        let mut find = known.finder();
        for (node, rank) in (0..nodes).filter_map(|node| Some((node, tree.rank(node)?))) {
            if let Some(before) = find(loaded.id(node)) {
                now[before as usize] = rank;
            }
        }
        if let Some(root) = now.first_mut() {
            *root = Outline::ROOT;
        }
        let mut above: Vec<(u32, u32)> = Vec::new();
        for (rank, &now) in (0..).zip(&now) {
            while above.pop_if(|&mut (end, _)| end <= rank).is_some() {}
            if now == NONE
                && let Some(&(_, at)) = above.last()
                && at != NONE
            {
                gone.push(((at, known.kind(rank)), rank, known.retained(rank)));
            }
            above.push((known.ends[rank as usize], now));
        }
        // From ranks to places by identifier.
        let mut places = vec![0; now.len()];
        for (place, &rank) in (0..).zip(&known.ranks) {
            places[rank as usize] = place;
        }
        for of in &mut gone {
            of.1 = places[of.1 as usize];
        }
        heap_base::sort(&mut gone);
        Self(gone)
    }

    /// What each object retained that has gone from a place, by identifier.
    fn at(&self, key: Key) -> impl ExactSizeIterator<Item = u64> + Clone {
        let from = self.0.partition_point(|of| of.0 < key);
        let to = self.0.partition_point(|of| of.0 <= key);
        self.0[from..to].iter().map(|of| of.2)
    }
}

impl<'a> Growth<'a> {
    /// What stood in each earlier dump where these ranks are now: objects of their class that have gone since, below what is
    /// still there and holds the new ones. Of ranks that were there themselves it is nothing. A rank that is most of what
    /// is new above it, too, stands for that: parts of an object whose identifiers do not last have no other way to it.
    ///
    /// A copy has much of what the one before had. So of ranks that have `old` bytes it is at least what of these was there: a list
    /// that grows at its head has another first link each time, and none has gone.
    ///
    /// Other new objects of the class may be there. If as many have gone as are new, and younger ones have higher identifiers, each
    /// has the one in its place; else what has gone is divided as what is new.
    pub(super) fn replaced(
        &self,
        (loaded, weights): (&NamedGraph, &Column),
        tree: &'a Outline,
        ranks: &[u32],
        old: impl Fn(u32) -> bool,
    ) -> Result<Vec<u64>> {
        let mut marks = Marks::default();
        let mut keys: Vec<(Key, u32, u32)> = Vec::new();
        for &rank in ranks.iter().filter(|&&rank| self.since[rank as usize] > 0) {
            let parents = self.above.get_or_init(|| tree.above());
            let mut at = rank;
            let mut above = parents.rank(tree.node(at));
            while let Some(parent) = above
                && (Outline::ROOT + 1..at).contains(&parent)
                && self.since[parent as usize] > 0
                && tree.retained(at) >= tree.retained(parent) / 10 * 9
            {
                at = parent;
                above = parents.rank(tree.node(at));
            }
            let key = match above {
                Some(above) => (above, marks.of(loaded, tree.node(at))? as u32),
                None => (NONE, 0),
            };
            keys.push((key, at, rank));
        }
        let mut history = vec![0u64; self.earlier.len()];
        heap_base::sort(&mut keys);
        for of in keys.chunk_by(|one, other| one.0 == other.0) {
            let mut ours: Vec<u32> = of.iter().map(|of| of.1).collect();
            ours.dedup();
            let with_old: Vec<u32> = of.iter().map(|of| of.2).filter(|&rank| old(rank)).collect();
            let now = with_old.iter().fold(0u64, |sum, &rank| sum.plus(tree.retained(rank)));
            let left = self.history_of(tree, weights, &with_old, now);
            let gone = match of[0].0 {
                (NONE, _) => vec![0; left.len()],
                key => self.of_place((loaded, &mut marks), tree, key, &ours)?,
            };
            for (sum, (left, gone)) in history.iter_mut().zip(left.into_iter().zip(gone)) {
                *sum = sum.plus(left.max(gone));
            }
        }
        Ok(history)
    }

    /// What objects of the classes of some ranks retained in each earlier dump that hung directly below what these hang below, or
    /// below the roots, where they are all of their class there: two tables that hold the same things lose them one by one to each
    /// other. And the ranks of other classes; all of them if a dump lacks what they hang below. O(nodes below that).
    pub(super) fn siblings(
        &self,
        loaded: &NamedGraph,
        tree: &'a Outline,
        ranks: &[u32],
    ) -> Result<(Vec<u64>, Vec<u32>)> {
        let nothing = vec![0; self.earlier.len()];
        let Some(above) = ranks.first().and_then(|&rank| self.parent(tree, tree.node(rank))) else {
            return Ok((nothing, ranks.to_vec()));
        };
        // By class: how many there are, and how many of them are ours.
        let (mut marks, mut classes) = (Marks::default(), Map::<u32, (usize, usize)>::default());
        let mut class_of = |rank: u32| match tree.node(rank) {
            node if node < loaded.heap.graph.nodes() => marks.of(loaded, node).map(|mark| mark as u32),
            _ => Ok(0),
        };
        let mut others = Vec::new();
        for rank in tree.children(above) {
            let of = classes.entry(class_of(rank)?).or_default();
            of.0 += 1;
            of.1 += usize::from(ranks.binary_search(&rank).is_ok());
        }
        for &rank in ranks {
            let is_all = classes.get(&class_of(rank)?).is_some_and(|&(all, ours)| all == ours);
            if !is_all || self.parent(tree, tree.node(rank)) != Some(above) {
                others.push(rank);
            }
        }
        classes.retain(|&class, &mut (all, ours)| all == ours && class != 0);
        let of = |dump: &Earlier| {
            let known = dump.tree.as_ref()?;
            let at = match above {
                Outline::ROOT => above,
                _ => known.rank(loaded.id(tree.node(above)))?,
            };
            let (mut rank, mut sum) = (at + 1, 0u64);
            while rank < known.ends[at as usize] {
                let bytes = if classes.contains_key(&known.kind(rank)) { known.retained(rank) } else { 0 };
                (rank, sum) = (known.ends[rank as usize], sum.plus(bytes));
            }
            Some(sum)
        };
        let history: Option<Vec<u64>> = self.earlier.iter().map(of).collect();
        Ok(history.map_or((nothing, ranks.to_vec()), |history| (history, others)))
    }

    /// The part that `ours` have of what has gone from one place, in each earlier dump; these are ascending.
    fn of_place(
        &self,
        (loaded, marks): (&NamedGraph, &mut Marks),
        tree: &Outline,
        key: Key,
        ours: &[u32],
    ) -> Result<Vec<u64>> {
        let mut all: Vec<u32> = Vec::new();
        for at in tree.children(key.0).filter(|&at| self.since[at as usize] > 0) {
            if marks.of(loaded, tree.node(at))? as u32 == key.1 {
                all.push(at);
            }
        }
        heap_base::sort_by_key(&mut all, |&at| loaded.id(tree.node(at)));
        let is_ours = |at: &u32| ours.binary_search(at).is_ok();
        let bytes = |of: &[u32]| of.iter().fold(0u64, |sum, &at| sum.plus(tree.retained(at)));
        let dump = |(step, gone): (usize, &Gone)| {
            let gone = gone.at(key);
            let sum = gone.clone().fold(0, u64::plus);
            // From that dump on.
            let new: Vec<u32> =
                all.iter().copied().filter(|&at| usize::from(self.since[at as usize]) > step).collect();
            let our: Vec<u32> = new.iter().copied().filter(is_ours).collect();
            if our.is_empty() || our.len() == new.len() {
                return if our.is_empty() { 0 } else { sum };
            }
            // What is not in the heap itself has negative ones, in no order.
            let in_order = self.earlier[step].origin.0.ascending && loaded.id(tree.node(new[0])) > 0;
            if gone.len() == new.len() && in_order {
                return gone
                    .zip(&new)
                    .filter(|(_, at)| is_ours(at))
                    .fold(0, |sum, (bytes, _)| sum.plus(bytes));
            }
            (u128::from(sum) * u128::from(bytes(&our)) / u128::from(bytes(&new).max(1))) as u64
        };
        let gone = self
            .replaced
            .get_or_init(|| self.earlier.iter().map(|dump| Gone::of(loaded, tree, dump)).collect());
        Ok(gone.iter().enumerate().map(dump).collect())
    }
}
