//! One among many alike: what rows had in earlier dumps, and what each has of it where one lies inside of another.
//!
//! Where the tree spreads is decided in the last dump. A list among eighty may have been no place of its own before: so a row is
//! measured in each dump as it stands in the last one. One leak is one row: of a holder and a part of it, the part that has grown by
//! all that the holder has is the row, and the holder has the rest; if the holder has grown by parts that come one after the other,
//! such as months or segments, none of these is.

use std::cmp::Reverse;
use std::ops::Range;

use heap_base::{Plus, Result};
use heap_ops::place::{Names, Sort};

use super::Course;
use super::finder::{Finder, REST, Row};
use super::growth::{Earlier, Growth, course as course_of};
use super::holders::Point;
use super::merge::{class_of, is_around};
use super::places::{Others, differ_in_numbers};
use crate::cells::{self, change};

/// Objects around a part that may be the whole, at most.
const AROUND: usize = 3;

/// What rows have in each dump.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    /// Bytes in each dump, the last included; empty if there is only one, or nobody knows.
    pub(super) history: Vec<u64>,
    /// Of a crowd, bytes of what the dump before has, too.
    pub(super) kept: Option<u64>,
    /// What it was called in each earlier dump, where it was known by that.
    pub(super) names_then: Vec<String>,
    /// Ranks inside of it that other rows have.
    pub(super) less: Vec<u32>,
}

impl Figures {
    fn growth(&self) -> i64 {
        let ends = self.history.first().zip(self.history.last());
        ends.map_or(0, |(&first, &last)| change(last, first))
    }

    fn goes_on(&self) -> bool {
        !self.history.is_empty() && matches!(course_of(&self.history), Course::Steady | Course::Grown)
    }
}

/// Whether no step is more than twice another: one part goes on where the one before ended. Two that have grown each for itself only
/// look like that by chance.
fn is_even(history: &[u64]) -> bool {
    let steps = || history.windows(2).map(|pair| change(pair[1], pair[0]));
    let least = steps().min().unwrap_or(0);
    least > 0 && steps().all(|step| step <= least.saturating_mul(2))
}

/// So many tenths are nearly all.
fn is_nearly(part: i64, all: i64) -> bool {
    part.saturating_mul(10) >= all.saturating_mul(8)
}

/// What stands behind a row, without its number and place: `648 Reading (app.js:3:28)` is a `Reading`.
fn thing_of(row: &Row) -> Option<&str> {
    let Some(behind) = row.items.behind.as_deref() else { return class_of(row) };
    let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    Some(behind.split(" (").next().unwrap_or(behind))
}

/// Whether a row speaks of what another one does: of the same class, or of one that stands behind it.
fn is_same_pile(part: &Row, whole: &Row) -> bool {
    let part = thing_of(part);
    part.is_some() && (part == thing_of(whole) || part == class_of(whole))
}

impl<'a> Finder<'a> {
    /// Rows with their figures, without those that are parts of another.
    pub(super) fn apart(
        &self,
        rows: Vec<Row>,
        (names, others): (&Names<'_>, &Others),
    ) -> Result<Vec<(Row, Figures)>> {
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
        } else {
            self.join(&mut all, (names, others))?;
        }
        self.divide(&mut all);
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

    /// Whether what a row measures was there in the first dump, all of it.
    fn was_there(&self, (row, figures): &(Row, Figures)) -> bool {
        let Some(growth) = &self.growth else {
            let first = self.earlier.first();
            let each = |key: &String| first.and_then(|dump| dump.places.each.get(key));
            let is_short = |key: &String| each(key).is_some_and(|each| each.len() < row.ranks.len());
            return figures.history.first().is_some_and(|&first| first > 0) && !row.keys.iter().any(is_short);
        };
        !row.ranks.iter().any(|&rank| growth.is_new(rank))
    }

    /// Of each holder and the rows inside of it: the holder has what these leave over if they have grown by nearly all that it has;
    /// else those go that hold the same, and were not there at first or do not grow steadily, as one month after the other. All is
    /// judged by the figures that rows have before anything is taken from them.
    fn divide(&self, all: &mut Vec<(Row, Figures)>) {
        let (mut less, mut dropped): (Vec<(usize, Vec<usize>)>, Vec<usize>) = Default::default();
        for (at, (row, figures)) in all.iter().enumerate() {
            let growth = figures.growth();
            let grows = figures.goes_on() && growth >= i64::try_from(self.floor).unwrap_or(i64::MAX);
            if row.crowd {
                continue;
            }
            let inside = self.inside(all, at, &self.ranges(&row.ranks));
            let inner: Vec<usize> = inside.iter().copied().filter(|&of| !all[of].0.crowd).collect();
            let is_worth = |of: &Row| of.name.named >= row.name.named && of.items.own >= row.items.own;
            let parts: Vec<usize> = inner
                .iter()
                .copied()
                .filter(|&of| all[of].1.goes_on() && all[of].1.growth() > 0 && is_worth(&all[of].0))
                .collect();
            let old: Vec<usize> = parts.iter().copied().filter(|&of| self.was_there(&all[of])).collect();
            let sum = cells::sum_of_changes(old.iter().map(|&of| all[of].1.growth()));
            // One that has grown by all in each step may have come later.
            let explains = |&of: &usize| {
                let steps = |history: &[u64]| -> Vec<i64> {
                    history.windows(2).map(|pair| change(pair[1], pair[0])).collect()
                };
                let (theirs, ours) = (steps(&all[of].1.history), steps(&figures.history));
                all[of].0.ranks.len() == 1
                    && theirs.iter().zip(&ours).all(|(part, all)| is_nearly(*part, *all))
            };
            let single = parts.iter().copied().find(explains);
            if grows && !old.is_empty() && is_nearly(sum, growth) {
                less.push((at, old));
            } else if let Some(single) = single.filter(|_| grows) {
                less.push((at, vec![single]));
            } else {
                let is_part = |&of: &usize| {
                    let (part, theirs) = &all[of];
                    let passes = !theirs.goes_on() || !self.was_there(&all[of]);
                    passes
                        && theirs.growth() > 0
                        && row.name.named >= part.name.named
                        && row.items.own >= part.items.own
                        && is_same_pile(part, row)
                };
                let passing: Vec<usize> = inner.iter().copied().filter(|of| grows && is_part(of)).collect();
                if passing.is_empty() && inner.iter().any(|&of| is_around(self.scene.tree, &all[of].0, row)) {
                    dropped.push(at);
                }
                dropped.extend(passing);
            }
        }
        for (at, parts) in less {
            let mut taken: Vec<u32> = parts.iter().flat_map(|&of| all[of].0.ranks.clone()).collect();
            taken.sort_unstable();
            taken.dedup();
            let histories: Vec<Vec<u64>> = parts.iter().map(|&of| all[of].1.history.clone()).collect();
            let (row, figures) = &mut all[at];
            for history in histories {
                for (sum, bytes) in figures.history.iter_mut().zip(history) {
                    *sum = sum.saturating_sub(bytes);
                }
            }
            if figures.history.last().is_none_or(|&left| left < self.scene.floor) {
                dropped.push(at);
            }
            let ranges = self.ranges(&taken);
            let tree = self.scene.tree;
            let is_theirs = |&node: &u32| {
                tree.rank(node).is_some_and(|rank| ranges.iter().any(|range| range.contains(&rank)))
            };
            let many = row.items.nodes.len();
            row.items.nodes.retain(|node| !is_theirs(node));
            if let Some(held) = row.items.holds.first_mut() {
                held.count = held.count.saturating_sub((many - row.items.nodes.len()) as u64);
                let bytes = cells::sum(ranges.iter().map(|range| tree.retained(range.start)));
                held.retained = held.retained.saturating_sub(bytes);
            }
            figures.less = taken;
        }
        let mut at = 0;
        all.retain(|_| {
            at += 1;
            !dropped.contains(&(at - 1))
        });
    }

    /// The objects around a rank, the nearest first, without scopes and what is around these.
    fn around(&self, growth: &Growth<'a>, rank: u32) -> Vec<u32> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let (mut found, mut at) = (Vec::new(), rank);
        while let Some(above) = growth.parent(tree, tree.node(at)).filter(|_| found.len() < AROUND) {
            let (node, own) = (tree.node(above), scene.own());
            let is_inside = node < scene.nodes() && !scene.is_root(node) && !own.is_scope(node);
            if !is_inside || !matches!(own.sort(node), Sort::Object | Sort::Array) {
                break;
            }
            if own.sort(node) == Sort::Object && !own.is_cell(node) {
                found.push(above);
            }
            at = above;
        }
        found
    }

    /// Puts rows of one object together that stand beside each other by names that differ in numbers, if some came later and
    /// together they grow steadily: `archive.m1`, which is full, and `archive.m2`.
    fn join(&self, all: &mut Vec<(Row, Figures)>, (names, others): (&Names<'_>, &Others)) -> Result {
        let (scene, Some(growth)) = (self.scene, &self.growth) else { return Ok(()) };
        let tree = scene.tree;
        let mut parents: Vec<(Reverse<u32>, usize)> = Vec::new();
        for (at, (row, figures)) in all.iter().enumerate() {
            if let ([rank], false) = (&row.ranks[..], row.crowd)
                && row.name.named
                && figures.growth() > 0
            {
                parents.extend(self.around(growth, *rank).into_iter().map(|above| (Reverse(above), at)));
            }
        }
        // The innermost first.
        heap_base::sort(&mut parents);
        let (mut joined, mut dropped): (Vec<(Row, Figures)>, Vec<usize>) = Default::default();
        for of in parents.chunk_by(|one, other| one.0 == other.0) {
            let Reverse(parent) = of[0].0;
            let first = &all[of[0].1].0;
            let is_like = |at: &usize| {
                let row = &all[*at].0;
                scene.group(row.holder) == scene.group(first.holder)
                    && thing_of(row) == thing_of(first)
                    && differ_in_numbers(&row.name.text, &first.name.text)
                    && !dropped.contains(at)
            };
            let parts: Vec<usize> = of.iter().map(|of| of.1).filter(is_like).collect();
            let some_pass = parts.iter().any(|&at| !all[at].1.goes_on() || !self.was_there(&all[at]));
            let some_stay = parts.iter().any(|&at| self.was_there(&all[at]));
            if parts.len() < 2 || !some_pass || !some_stay {
                continue;
            }
            let point = Point { rank: parent, bytes: tree.retained(parent), links: None, apart: Vec::new() };
            let Some(row) = self.row_of(&point, names, false)? else { continue };
            let figures = self.figures(&row, others)?;
            let sum = cells::sum_of_changes(parts.iter().map(|&at| all[at].1.growth()));
            let goes_on = figures.goes_on() && is_even(&figures.history);
            let is_known = all.iter().any(|(of, _)| of.holder == row.holder);
            let is_place = row.ranks.len() == 1 && row.name.named && !is_known;
            if is_place && goes_on && is_nearly(sum, figures.growth()) {
                let ranks: Vec<u32> = parts.iter().flat_map(|&at| all[at].0.ranks.clone()).collect();
                let is_inside = |of: &Row| {
                    let within = |at: &u32| ranks.iter().any(|&rank| (rank..tree.end(rank)).contains(at));
                    !of.crowd && of.ranks.iter().all(within)
                };
                dropped.extend((0..all.len()).filter(|&at| is_inside(&all[at].0)));
                joined.push((row, figures));
            }
        }
        let mut at = 0;
        all.retain(|_| {
            at += 1;
            !dropped.contains(&(at - 1))
        });
        all.extend(joined);
        Ok(())
    }
}
