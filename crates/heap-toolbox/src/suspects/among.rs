//! One among many alike: what rows had in earlier dumps, and what each has of it where one lies inside of another.
//!
//! Where the tree spreads is decided in the last dump. A list among eighty may have been no place of its own before: so a row is
//! measured in each dump as it stands in the last one.

use std::ops::Range;

use heap_base::{Plus, Result};

use super::finder::{Finder, REST, Row};
use super::growth::{Earlier, Growth};
use super::places::Others;
use crate::cells;

/// What rows have in each dump.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Bytes in each dump, the last included; empty if there is only one, or nobody knows.
    pub(super) history: Vec<u64>,
    /// Of a crowd, bytes of what the dump before has, too.
    pub(super) kept: Option<u64>,
    /// What it was called in each earlier dump, where it was known by that.
    pub(super) names_then: Vec<String>,
}

impl<'a> Finder<'a> {
    /// Rows with their figures.
    pub(super) fn apart(&self, rows: Vec<Row>, others: &Others) -> Result<Vec<(Row, Figures)>> {
        let mut all = Vec::with_capacity(rows.len());
        for row in rows {
            let figures = self.figures(&row, others)?;
            all.push((row, figures));
        }
        if self.earlier.is_empty() {
            return Ok(all);
        }
        if self.needs_names() {
            self.measure_rests(&mut all);
        }
        Ok(all)
    }

    /// What a row had in each dump.
    fn figures(&self, row: &Row, others: &Others) -> Result<Figures> {
        let mut figures = Figures::default();
        let weight = self.bytes(&row.ranks);
        let history = match &self.growth {
            Some(growth) => Some(self.by_identity(growth, row, &mut figures)?),
            None if self.earlier.is_empty() => None,
            None => {
                let kind = row.kind(self.scene)?;
                let bytes_then = |Earlier { places, .. }: &Earlier| {
                    let ([rank], [key], false) = (&row.ranks[..], &row.keys[..], row.crowd) else {
                        let (floor, count) = (self.scene.floor, row.ranks.len());
                        let bytes = |key: &String| {
                            if row.crowd {
                                places.retained(key, floor)
                            } else {
                                places.of_largest(key, count, floor)
                            }
                        };
                        return Some(cells::sum(row.keys.iter().map(bytes)));
                    };
                    let (name, bytes) = self.before((*rank, key, &kind), others, places)?;
                    figures.names_then.push(name);
                    Some(bytes)
                };
                self.earlier.iter().map(bytes_then).collect()
            }
        };
        figures.history = history.unwrap_or_default();
        if !figures.history.is_empty() {
            figures.history.push(weight);
        }
        Ok(figures)
    }

    /// The same of earlier dumps, where objects are known again.
    fn by_identity(&self, growth: &Growth<'a>, row: &Row, figures: &mut Figures) -> Result<Vec<u64>> {
        let scene = self.scene;
        let (tree, loaded, ranks, crowd) = (scene.tree, scene.loaded, &row.ranks, row.crowd);
        let (mut history, others) = if ranks.len() > 1 {
            growth.siblings(loaded, tree, ranks)?
        } else {
            (vec![0; self.earlier.len()], ranks.clone())
        };
        let mut add = |bytes: Vec<u64>| {
            history.iter_mut().zip(bytes).for_each(|(sum, bytes)| *sum = sum.plus(bytes));
        };
        let is_left = |rank: u32| crowd || growth.is_new_with_old(rank, tree.retained(rank));
        add(growth.replaced((loaded, scene.weights), tree, &others, is_left)?);
        if crowd {
            let weight = self.bytes(ranks);
            figures.kept = growth.history_of(tree, scene.weights, ranks, weight).pop();
            let mut old: Vec<u32> = others.iter().copied().filter(|&rank| !growth.is_new(rank)).collect();
            if row.keys.iter().any(|key| key.starts_with(REST)) {
                // What a thing had that has gone since is of its past, though another is there now.
                for rank in old.drain(..) {
                    let left = growth.history_of(tree, scene.weights, &[rank], tree.retained(rank));
                    let then = growth.history(loaded.id(tree.node(rank)));
                    add(left.into_iter().zip(then).map(|(left, then)| left.max(then)).collect());
                }
            }
            add(growth.history_of(tree, scene.weights, &old, self.bytes(&old)));
        } else {
            let themselves = others.iter().filter(|&&rank| !is_left(rank));
            themselves.for_each(|&rank| add(growth.history(loaded.id(tree.node(rank)))));
        }
        Ok(history)
    }

    /// What some ranks and all below them are.
    fn ranges(&self, ranks: &[u32]) -> Vec<Range<u32>> {
        ranks.iter().map(|&rank| rank..self.scene.tree.end(rank)).collect()
    }

    /// The rows all of whose ranks are in these ranges, but for one, and for those in others of them.
    fn inside(&self, all: &[(Row, Figures)], but: usize, ranges: &[Range<u32>]) -> Vec<usize> {
        let is_in = |row: &Row, ranges: &[Range<u32>]| {
            row.ranks.iter().all(|rank| {
                let at = ranges.partition_point(|range| range.end <= *rank);
                ranges.get(at).is_some_and(|range| range.contains(rank))
            })
        };
        let mut found: Vec<usize> =
            (0..all.len()).filter(|&at| at != but && is_in(&all[at].0, ranges)).collect();
        let inner: Vec<usize> = found
            .iter()
            .copied()
            .filter(|&at| {
                let around = |&&other: &&usize| {
                    other != at
                        && !all[other].0.crowd
                        && all[other].0.ranks != all[at].0.ranks
                        && is_in(&all[at].0, &self.ranges(&all[other].0.ranks))
                };
                found.iter().find(around).is_some()
            })
            .collect();
        found.retain(|at| !inner.contains(at));
        found
    }

    /// Where objects cannot be known again: what is left over of a holder was all of it, less what stands apart in the last dump.
    /// In an earlier one that may have been no place of its own.
    fn measure_rests(&self, all: &mut [(Row, Figures)]) {
        let tree = self.scene.tree;
        let mut measured: Vec<(usize, Vec<u64>)> = Vec::new();
        for (at, (row, figures)) in all.iter().enumerate() {
            let ([key], true) = (&row.keys[..], row.crowd) else { continue };
            let of_name = tree.rank(row.name.node).zip(tree.rank(row.holder));
            let Some((name, (rank, holder))) = key.strip_prefix(REST).zip(of_name) else { continue };
            // The holder may be the table of the object that has the name, but no small part of it.
            let is_whole = (rank..tree.end(rank)).contains(&holder)
                && tree.retained(holder) >= tree.retained(rank) / 10 * 9;
            if row.name.text.is_empty() || !is_whole || figures.history.is_empty() {
                continue;
            }
            let apart = self.inside(all, at, &self.ranges(&[rank]));
            let apart: Vec<&[u64]> =
                apart.into_iter().filter(|&of| !all[of].0.crowd).map(|of| &all[of].1.history[..]).collect();
            let now = figures.history.last().copied().unwrap_or(0);
            let theirs = cells::sum(apart.iter().filter_map(|of| of.last().copied()));
            // What holds all of them.
            let frame = tree.retained(rank).saturating_sub(now).saturating_sub(theirs);
            let then = |(step, dump): (usize, &Earlier)| {
                let known = figures.history.get(step).copied().unwrap_or(0);
                let whole = dump.places.of_largest(name, 1, self.scene.floor);
                let parts: Vec<u64> = apart.iter().map(|of| of.get(step).copied().unwrap_or(0)).collect();
                let sum = cells::sum(parts.iter().copied());
                let rest = whole.saturating_sub(sum).saturating_sub(frame);
                let is_known = if known == 0 {
                    whole > 0
                } else {
                    // Else the name was that of something else then.
                    parts.iter().all(|&bytes| bytes > 0) && whole >= known
                };
                if is_known { rest } else { known }
            };
            let history = self.earlier.iter().enumerate().map(then).chain([now]).collect();
            measured.push((at, history));
        }
        for (at, history) in measured {
            all[at].1.history = history;
        }
    }
}
