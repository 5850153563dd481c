//! Walks over edges in a file, forwards and backwards, as [`forward`](crate::forward) and [`backward`](crate::backward) go in
//! memory.

use std::cell::Cell;

use heap_base::{BitSet, Result};

use super::edges::{Near, bit, end, flood_to};
use super::lists::Lists;
use super::marked::Marked;
use super::records::Sorter;
use super::ways::shortest;
use super::{FAN, LargeGraph, Room};
use crate::rules::Rules;

/// Edges that a walk goes over, by the node where it meets them.
struct Steps {
    nodes: u32,
    lists: Lists,
    /// Where an edge leads.
    end: fn(u64) -> u32,
}

impl LargeGraph {
    /// What `starts` lead to in at most `depth` edges (`u32::MAX` = any number), themselves included, or with `back` what leads to
    /// them; over edges whose label `via` takes, if there is one, which needs names kept. Says too whether the walk met any.
    ///
    /// Edges by source are there. Others are sorted first: of `via` those that it takes alone.
    ///
    /// # Errors
    /// That of `via`. Temporary files cannot be written or read.
    pub fn walk(
        &mut self,
        starts: &BitSet,
        depth: u32,
        back: bool,
        via: Option<impl FnMut(u32) -> Result<bool>>,
    ) -> Result<(BitSet, bool)> {
        let steps = match via {
            None if !back => Steps { nodes: self.nodes, lists: self.share()?.edges.finish()?, end },
            via => self.steps(back, via)?,
        };
        if depth == u32::MAX { steps.flood(starts) } else { steps.levels(starts, depth) }
    }

    /// The edges that `via` takes, or all of them, by source or target.
    fn steps(&mut self, back: bool, via: Option<impl FnMut(u32) -> Result<bool>>) -> Result<Steps> {
        let Room { sort, block, .. } = self.room;
        let mut sorter = Sorter::<2>::new(sort, FAN);
        let mut add = |source, end| sorter.push(if back { [end, source] } else { [source, end] });
        match via {
            Some(mut via) => self.each_named(
                |source, end, _, (label, _)| {
                    if via(label)? { add(source, end) } else { Ok(()) }
                },
            )?,
            None => self.each_edge(add)?,
        }
        let mut lists = Lists::new(0, block);
        sorter.each(|[at, to]| lists.push(at, std::iter::once(to.into())))?;
        lists.close()?;
        Ok(Steps { nodes: self.nodes, lists, end: |to| to as u32 })
    }

    /// What the roots reach over edges that retain.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn reachable(&mut self, rules: &Rules) -> Result<BitSet> {
        let (nodes, edges) = (self.nodes, self.share()?.edges.finish()?);
        let mut reached = BitSet::new(nodes);
        flood_to(nodes, &edges, rules.roots().iter().copied(), &mut reached, |source, edge| {
            rules.gate(source).holds(bit(edge), end(edge)).then_some(end(edge))
        })?;
        Ok(reached)
    }

    /// The nodes on shortest ways from the roots to `targets`, those that [`Paths`](crate::Paths) takes.
    ///
    /// # Errors
    /// Temporary files cannot be written or read.
    pub fn on_ways(&mut self, rules: &Rules, targets: &BitSet) -> Result<BitSet> {
        let (nodes, edges) = (self.nodes, self.by_source()?);
        let before = shortest((nodes, &edges, end), rules, &BitSet::default(), targets, self.room)?;
        let mut met = BitSet::new(nodes);
        for target in targets.iter() {
            let mut node = target;
            // Ways share their beginnings. Roots and what has no way lead no further.
            while node < nodes && met.insert(node) {
                node = before[node as usize];
            }
        }
        Ok(met)
    }
}

impl Steps {
    /// In sweeps over the file.
    fn flood(&self, starts: &BitSet) -> Result<(BitSet, bool)> {
        let (mut reached, met) = (BitSet::new(self.nodes), Cell::new(false));
        flood_to(self.nodes, &self.lists, starts.iter(), &mut reached, |_, edge| {
            met.set(true);
            Some((self.end)(edge))
        })?;
        Ok((reached, met.get()))
    }

    /// Level by level.
    fn levels(&self, starts: &BitSet, depth: u32) -> Result<(BitSet, bool)> {
        let mut near = Near::new(&self.lists);
        let (mut reached, mut met) = (BitSet::new(self.nodes), false);
        let [mut now, mut next] = [(); 2].map(|()| Marked::new(self.nodes.into()));
        for start in starts.iter().filter(|&start| start < self.nodes) {
            reached.insert(start);
            now.insert(start);
        }
        for _ in 0..depth {
            let Some(first) = now.next(0) else { break };
            let mut at = Some(first);
            while let Some(node) = at {
                now.remove(node);
                near.each(node, |edge| {
                    met = true;
                    let to = (self.end)(edge);
                    if reached.insert(to) {
                        next.insert(to);
                    }
                    Ok(())
                })?;
                at = now.next(node);
            }
            std::mem::swap(&mut now, &mut next);
        }
        Ok((reached, met))
    }
}
