//! Variables of which each thread has a value of its own, such as Java's `ThreadLocal`.
//!
//! A thread holds the value, and of the variable the source says no more than whose value it is. But it is the variable that
//! the program has a name for, and what piles up in the threads of a pool is one leak and not one for each of them:
//! `Tracing.OPEN_SPANS of 4 threads`.
//!
//! The same holds of objects that wait for their finalizer. What the virtual machine keeps them by is in several lists at once, and
//! hangs in the dominator tree as these happen to cross: in one dump all below the first of one list, in the next below many.

use std::cmp::Reverse;

use heap_base::{Map, Plus, Result};
use heap_record::Value;

use super::finder::{Finder, Row};
use super::holders::{self, Shared};
use super::items;
use super::places::number_of;
use heap_ops::place::{Name, Names};

/// What objects are said to be in that wait for their finalizer.
const QUEUE: &str = "the queue of finalizers";
/// In place of the identifier of a variable, which is odd, what keeps these.
const WAITING: Value = 0;

/// A variable with the values that threads have of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Local {
    /// The node of the variable; none of what keeps objects for a finalizer.
    variable: Option<u32>,
    /// Ranks of the values, ascending; none is below another.
    ranks: Vec<u32>,
    /// What these retain.
    pub(super) bytes: u64,
    /// The node of the largest.
    largest: u32,
}

impl Local {
    /// How many threads have a value of it.
    pub(super) fn threads(&self) -> u64 {
        self.ranks.len() as u64
    }

    /// The nodes that its name needs the ways to.
    pub(super) fn nodes(&self) -> [u32; 2] {
        [self.variable.unwrap_or(self.largest), self.largest]
    }
}

impl Finder<'_> {
    /// The variables of threads whose values have `floor` together; those with most first.
    pub(super) fn locals(&self, floor: u64) -> Vec<Local> {
        let scene = self.scene;
        let tree = scene.tree;
        let values = scene.clues.thread_locals.iter();
        let mut values: Vec<(u32, Value)> =
            values.filter_map(|&(node, of)| Some((self.content(tree.rank(node)?), of))).collect();
        values.extend(self.waiting().into_iter().map(|rank| (rank, WAITING)));
        values.sort_unstable();
        let mut found: Map<Value, (Vec<u32>, u64)> = Map::default();
        for (rank, of) in values {
            let (ranks, bytes) = found.entry(of).or_default();
            if ranks.last().is_none_or(|&last| tree.end(last) <= rank) {
                ranks.push(rank);
                *bytes = bytes.plus(tree.retained(rank));
            }
        }
        found.retain(|_, &mut (_, bytes)| bytes >= floor);
        let count = found.len();
        let local = |variable: Option<u32>| {
            let (ranks, bytes) = found.remove(&variable.map_or(WAITING, |node| scene.loaded.id(node)))?;
            let largest = ranks.iter().max_by_key(|&&rank| (tree.retained(rank), Reverse(rank)))?;
            let largest = tree.node(*largest);
            Some(Local { variable, ranks, bytes, largest })
        };
        // Goes no further than to the last of them.
        let variables = std::iter::once(None).chain((0..scene.nodes()).map(Some));
        let mut locals: Vec<Local> = variables.filter_map(local).take(count).collect();
        heap_base::sort_by_key(&mut locals, |local| (Reverse(local.bytes), local.variable));
        locals
    }

    /// Ranks of what keeps objects for a finalizer, ascending.
    fn waiting(&self) -> Vec<u32> {
        let scene = self.scene;
        let mut ranks: Vec<u32> = scene.waiting.iter().filter_map(|node| scene.tree.rank(node)).collect();
        ranks.sort_unstable();
        ranks
    }

    /// By what name the program knows a variable; none if it is the runtime's, or a part of something else. Nor has it one here
    /// if something of the program has the values, too: that is what holds them. What has the threads, such as a pool, does not:
    /// nobody who reads of it looks for the variable, and the threads stay whatever they have.
    pub(super) fn name_of_local(&self, local: &Local, names: &Names<'_>) -> Result<Option<Name>> {
        let steps = names.steps(local.largest)?.unwrap_or_default();
        let Some(variable) = local.variable else {
            let (node, text) = (local.largest, QUEUE.to_owned());
            return Ok(Some(Name { node, text, named: true, certain: false, steps }));
        };
        let name = names.name(variable)?;
        let Some(name) = name.filter(|name| name.named && !name.text.is_empty() && name.node == variable)
        else {
            return Ok(None);
        };
        let own = self.scene.own();
        let is_programs = |node| {
            own.is_own(node) || own.is_own_class(node) || own.is_own_frame(node) || own.is_own_scope(node)
        };
        let thread = steps.iter().rposition(|step| own.is_thread(step.node));
        let last = steps.len().saturating_sub(1);
        let of_thread = thread.is_some_and(|at| {
            let between = steps.get(at + 1..last).unwrap_or_default();
            !between.iter().any(|step| is_programs(step.node))
        });
        Ok(of_thread.then_some(name))
    }

    /// Whether many threads have as much of a variable each, and it is the threads that pile up: they are more than there were, or
    /// in a dump alone something of the program stands behind them.
    pub(super) fn is_of_crowd(&self, (local, name): (&Local, &Name), crowds: &[Shared]) -> Result<bool> {
        let scene = self.scene;
        if local.variable.is_none()
            || !holders::is_crowd_of_threads(local.ranks.iter().map(|&rank| scene.tree.retained(rank)))
        {
            return Ok(false);
        }
        if let Some(first) = self.earlier.first() {
            let before = first.places.figures.get(&number_of(&name.text)).copied().unwrap_or(0);
            return Ok(local.threads() >= before.saturating_add(before / 2));
        }
        for of in crowds.iter().filter(|of| self.has_locals(&of.ranks, local.bytes, &[local])) {
            if items::of(scene, &of.ranks[..1], &of.ranks)?.behind.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The row of a variable.
    pub(super) fn row_of_local(&self, local: &Local, mut name: Name) -> Result<Row> {
        let (scene, ranks) = (self.scene, local.ranks.clone());
        let mut items = match ranks[..] {
            [only] => items::below(scene, only, None)?,
            _ => items::below_all(scene, &ranks)?,
        };
        // Objects of the program's that many threads have, or that hold nothing that piles up, speak for themselves.
        let is_few = items.holds.first().is_none_or(|of| (of.count as usize) < holders::MANY);
        if scene.own().is_own(local.largest) && (is_few || ranks.len() >= holders::MANY) {
            items = items::of(scene, &ranks[..1], &ranks)?;
        }
        let keys = vec![name.text.clone()];
        if local.variable.is_none() {
            let all = self.waiting();
            items = items::of(scene, &all[..1], &all)?;
            // Some are below others.
            for held in &mut items.holds {
                held.retained = local.bytes;
            }
        }
        name.text = match ranks.len() {
            _ if local.variable.is_none() => name.text,
            1 => format!("{} of a thread", name.text),
            many => format!("{} of {many} threads", name.text),
        };
        Ok(Row::new((ranks[0], ranks), (local.largest, name), items, keys))
    }

    /// Whether a place is a value of such a variable or a part of one, or has most of its bytes there, as a thread has.
    pub(super) fn is_of_locals(&self, rank: u32, locals: &[&Local]) -> bool {
        let tree = self.scene.tree;
        let all = || locals.iter().flat_map(|local| &local.ranks);
        all().any(|&of| (of..tree.end(of)).contains(&rank))
            || self.has_locals(&[rank], tree.retained(rank), locals)
    }

    /// Whether values of such variables are most of the `bytes` that ranks have; these are ascending.
    pub(super) fn has_locals(&self, ranks: &[u32], bytes: u64, locals: &[&Local]) -> bool {
        let tree = self.scene.tree;
        let inside = |of: &&u32| {
            let next = ranks.partition_point(|rank| rank <= *of);
            next > 0 && **of < tree.end(ranks[next - 1])
        };
        let inner = locals.iter().flat_map(|local| &local.ranks).filter(inside);
        let sum = inner.fold(0u64, |sum, &of| sum.plus(tree.retained(of)));
        sum > 0 && sum.saturating_mul(2) >= bytes
    }
}
