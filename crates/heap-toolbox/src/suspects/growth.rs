//! What has grown: net, from the first dump of a process to the last.
//!
//! What a node has grown by is what is new below it since the first dump, less what has gone from below it since; what is
//! larger than it was, such as a buffer, is new by the difference. What has gone counts where the last dump still has something
//! of its dominators in the first: at the nearest that is left. So both are sums over the dominator tree of the last dump, and
//! add up: the growth of a place is that of its parts, and a cache that is exchanged has none. The difference of retained sizes
//! would not do: objects that come to be held by two places move up the tree with all their old bytes.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::hash_map::Entry;

use heap_base::{Error, Map, Plus, Result};
use heap_graph::{Above, Column, Ids, NONE, Outline};

use super::classes::Classes;
use super::elements::class_of;
use super::exchanged::Texts;
use super::places::Places;
use super::replaced::Gone;
use super::sampling::Stacks;
use super::sites::Sites;
use crate::cells::{change, sum_of_changes};
use heap_record::Value;

use heap_ops::graph::NamedGraph;
use heap_ops::place::Clues;
use heap_ops::series::{Dated, Origin, STRINGS, are_clones, misordered, repeated, strangers};

/// What is remembered of an earlier dump.
///
/// Memory: some 18 bytes a node, and four a text, where objects can be known again, else a few hundred bytes for each place with a name.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Bytes in the heap and outside of it that the roots reach.
    pub(super) total: u64,
    pub(super) tree: Option<Ranked>,
    /// What places retain, by name; where objects cannot be known again.
    pub(super) places: Places,
    /// Where it comes from, and the highest identifier of an object that takes space.
    pub(super) origin: (Origin, Option<Value>),
    /// Some identifiers with the name of their class, ascending; of all nodes with a size.
    types: Vec<(Value, u64)>,
    pub(super) classes: Classes,
    /// It is of allocations, and no heap.
    allocations: bool,
    /// What it says of each stack, where that is more than what is in use.
    pub(super) stacks: Stacks,
    /// Its objects had other identifiers than those of the last dump.
    renumbered: bool,
}

/// The dominator tree of an earlier dump, by rank.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    /// Identifiers, ascending.
    ids: Ids,
    /// The rank of each.
    pub(super) ranks: Vec<u32>,
    pub(super) ends: Vec<u32>,
    pub(super) texts: Texts,
    /// Bytes of each rank, its own and what it retains.
    own: Column,
    retained: Column,
    /// Number of the class of each rank, and the mark of each number.
    kinds: Column,
    marks: Vec<u32>,
}

impl Ranked {
    fn of((loaded, clues): (&NamedGraph, &Clues), tree: &Outline, weights: &Column, kinds: &Kinds) -> Self {
        let nodes = loaded.heap.graph.nodes();
        // In the order of the nodes, in which many sources count.
        let pair = |node| tree.rank(node).map(|rank| (loaded.id(node), rank));
        let mut pairs: Vec<(Value, u32)> = (0..nodes).filter_map(pair).collect();
        pairs.sort_unstable();
        let mut ids = Ids::default();
        for &(id, _) in &pairs {
            ids.push(id);
        }
        let ranks = pairs.iter().map(|&(_, rank)| rank).collect();
        drop(pairs);
        let all = || 0..tree.len();
        let own = |rank| {
            let node = tree.node(rank);
            if node < nodes { weights.get(node) } else { 0 }
        };
        Self {
            ids,
            ranks,
            ends: all().map(|rank| tree.end(rank)).collect(),
            texts: Texts::of((loaded, clues), tree),
            own: all().map(own).collect(),
            retained: all().map(|rank| tree.retained(rank)).collect(),
            kinds: all().map(|rank| kinds.number(rank).map_or(0, |number| number as u64 + 1)).collect(),
            marks: std::iter::once(0).chain(kinds.marks.texts.iter().map(|&mark| mark as u32)).collect(),
        }
    }

    pub(super) fn rank(&self, id: Value) -> Option<u32> {
        self.finder()(id)
    }

    /// Finds ranks, faster for identifiers that are near the one before.
    pub(super) fn finder(&self) -> impl FnMut(Value) -> Option<u32> {
        let mut at = 0;
        move |id| {
            at = self.place(id, at);
            (at < self.ids.len() && self.ids.get(at) == id).then(|| self.ranks[at as usize])
        }
    }

    /// How many of the ranks that count here a later dump has, too, where they count there. O(N).
    pub(super) fn common(
        &self,
        later: &Self,
        counts: impl Fn(u32) -> bool,
        counts_later: impl Fn(u32) -> bool,
    ) -> u64 {
        let mut find = later.finder();
        let mut count = 0;
        for (at, &rank) in self.ranks.iter().enumerate() {
            if counts(rank) {
                count += u64::from(find(self.ids.get(at as u32)).is_some_and(&counts_later));
            }
        }
        count
    }

    /// The first place whose identifier is not less than this one, looked for from another place on, in steps that double.
    fn place(&self, id: Value, from: u32) -> u32 {
        let (count, is_less) = (self.ids.len(), |at: u32| self.ids.get(at) < id);
        // All before `low` are less, none from `high` on is.
        let (mut low, mut high, mut step) = (0, count, 1);
        if from < count && is_less(from) {
            low = from + 1;
            while count - low > step && is_less(low + step) {
                low += step + 1;
                step *= 2;
            }
            high = if count - low > step { low + step } else { count };
        } else {
            high = from.min(high);
            while high >= step && !is_less(high - step) {
                high -= step;
                step *= 2;
            }
            low = low.max((high + 1).saturating_sub(step));
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if is_less(middle) { low = middle + 1 } else { high = middle }
        }
        low
    }

    pub(super) fn retained(&self, rank: u32) -> u64 {
        self.retained.get(rank)
    }

    /// Mark of the class of a rank; 0 of a root that is no node.
    pub(super) fn kind(&self, rank: u32) -> u32 {
        self.marks[self.kinds.get(rank) as usize]
    }
}

impl Earlier {
    pub(super) fn of(
        (loaded, clues): (&NamedGraph, &Clues),
        tree: &Outline,
        weights: &Column,
        places: Places,
    ) -> Result<Self> {
        let total = if tree.is_empty() { 0 } else { tree.retained(Outline::ROOT) };
        let known = clues.has_identity();
        let types = if known { sample_of_types(loaded)? } else { Vec::new() };
        let kinds = Kinds::of(loaded, tree)?;
        let classes = Classes::of(tree, &kinds);
        let tree = known.then(|| Ranked::of((loaded, clues), tree, weights, &kinds));
        let origin = (clues.origin.clone(), highest(loaded));
        Ok(Self { total, tree, places, origin, types, classes, ..Self::default() })
    }

    /// The same of a profile, of which all that is known is what functions hold, by name, and what was allocated at stacks.
    pub(super) fn of_profile(origin: &Origin, sites: &Sites) -> Self {
        let places = Places { figures: sites.by_name(), ..Places::default() };
        let (total, stacks) = (sites.total(), sites.stacks().clone());
        Self { total, places, origin: (origin.clone(), None), allocations: true, stacks, ..Self::default() }
    }

    /// What the object with this identifier retains; zero if there is none.
    fn retained(&self, id: Value) -> u64 {
        let tree = self.tree.as_ref();
        tree.and_then(|tree| Some(tree.retained(tree.rank(id)?))).unwrap_or(0)
    }
}

/// How the last dump differs from those before it, by object.
pub(super) struct Growth<'a> {
    pub(super) earlier: &'a [Earlier],
    /// What is new below each rank of the last dump.
    new: Column,
    /// What has gone from below each rank.
    gone: Column,
    /// Of each rank how many dumps lack it, from the first on: in which step it came.
    pub(super) since: Vec<u8>,
    /// Immediate dominators in the last dump.
    pub(super) above: OnceCell<Above<'a>>,
    /// What the heap has grown by.
    pub(super) total: i64,
    /// For each earlier dump what has gone since, see [`Growth::replaced`].
    pub(super) replaced: OnceCell<Vec<Gone>>,
    /// The strings of the last dump.
    pub(super) now: OnceCell<Texts>,
}

/// The number of the step in which came what none of these dumps has.
fn last_step(earlier: &[Earlier]) -> usize {
    earlier.len().min(usize::from(u8::MAX))
}

impl<'a> Growth<'a> {
    /// `None` if there are no earlier dumps, or objects cannot be known again in all of them. O(N log N) for each dump.
    pub(super) fn new(
        (loaded, clues): (&NamedGraph, &Clues),
        tree: &'a Outline,
        weights: &Column,
        earlier: &'a [Earlier],
    ) -> Option<Self> {
        let trees: Option<Vec<&Ranked>> = earlier.iter().map(|dump| dump.tree.as_ref()).collect();
        let trees = trees.filter(|trees| !trees.is_empty() && clues.has_identity() && !tree.is_empty())?;
        let first = trees[0];
        let nodes = loaded.heap.graph.nodes();
        let steps = last_step(earlier);
        // Where the objects of the first dump are now, and in which step the others came.
        let mut now = vec![NONE; first.ends.len()];
        let mut since = vec![0u8; tree.len() as usize];
        let mut before: Vec<_> = trees.iter().map(|tree| tree.finder()).collect();
        for (node, rank) in (0..nodes).filter_map(|node| Some((node, tree.rank(node)?))) {
            let id = loaded.id(node);
            let mut found = before.iter_mut().enumerate().filter_map(|(step, find)| Some((step, find(id)?)));
            let first = found.next();
            since[rank as usize] = first.map_or(steps, |(step, _)| step.min(steps)) as u8;
            if let Some((0, before)) = first {
                now[before as usize] = rank;
            }
        }
        // The root may be no node; what nothing else is left of has gone from it.
        if let Some(root) = now.first_mut() {
            *root = Outline::ROOT;
        }
        let mut gone = vec![0u64; tree.len() as usize];
        let mut new = vec![0u64; tree.len() as usize];
        let mut left: Vec<(u32, u32)> = Vec::new();
        for (rank, &now) in (0..).zip(&now) {
            while left.pop_if(|&mut (end, _)| end <= rank).is_some() {}
            if now == NONE {
                let at = left.last().map_or(Outline::ROOT, |&(_, at)| at);
                gone[at as usize] = gone[at as usize].plus(first.own.get(rank));
            } else {
                left.push((first.ends[rank as usize], now));
                // What has changed its size where it is.
                let (node, before) = (tree.node(now), first.own.get(rank));
                let bytes = if node < nodes { weights.get(node) } else { before };
                new[now as usize] = bytes.saturating_sub(before);
                gone[now as usize] = gone[now as usize].plus(before.saturating_sub(bytes));
            }
        }
        tree.add_up(&mut gone);
        let gone: Column = gone.into_iter().collect();
        for (rank, &since) in (0..).zip(&since) {
            let node = tree.node(rank);
            if since > 0 && node < nodes {
                new[rank as usize] = weights.get(node);
            }
        }
        tree.add_up(&mut new);
        let new: Column = new.into_iter().collect();
        let total = change(new.get(Outline::ROOT), gone.get(Outline::ROOT));
        let (above, replaced, now) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Some(Self { earlier, new, gone, since, above, total, replaced, now })
    }

    /// What a rank has grown by; nothing if it has shrunk.
    pub(super) fn of(&self, rank: u32) -> u64 {
        self.new.get(rank).saturating_sub(self.gone.get(rank))
    }

    /// New bytes below a rank in place of as many that have gone.
    pub(super) fn turnover(&self, rank: u32) -> u64 {
        self.new.get(rank).min(self.gone.get(rank))
    }

    /// Whether the first dump lacks the node of a rank.
    pub(super) fn is_new(&self, rank: u32) -> bool {
        self.since[rank as usize] > 0
    }

    /// Bytes below a rank that the first dump lacks.
    pub(super) fn new_below(&self, rank: u32) -> u64 {
        self.new.get(rank)
    }

    /// Whether the node of a rank is new, and much of the `bytes` that it retains is not.
    pub(super) fn is_new_with_old(&self, rank: u32, bytes: u64) -> bool {
        self.since[rank as usize] > 0 && self.new.get(rank) < bytes / 10 * 9
    }

    /// How many objects of the class of `node` were below a rank in each dump, the last with them; `None` if a dump lacks it.
    /// O(ranks below it).
    pub(super) fn numbers(
        &self,
        loaded: &NamedGraph,
        tree: &Outline,
        (rank, node): (u32, u32),
    ) -> Result<Option<Vec<u64>>> {
        let (mut marks, mut numbers) = (Marks::default(), Vec::with_capacity(self.earlier.len() + 1));
        let class = marks.of(loaded, node)?;
        for dump in self.earlier {
            let Some(of) = &dump.tree else { return Ok(None) };
            let Some(at) = of.rank(loaded.id(tree.node(rank))) else { return Ok(None) };
            let below = at..of.ends[at as usize];
            numbers.push(below.filter(|&rank| of.kind(rank) == class as u32).count() as u64);
        }
        let mut now = 0;
        for node in (rank..tree.end(rank)).map(|rank| tree.node(rank)) {
            now += u64::from(node < loaded.heap.graph.nodes() && marks.of(loaded, node)? == class);
        }
        numbers.push(now);
        Ok(Some(numbers))
    }

    /// Whether an earlier dump has the node of a rank.
    pub(super) fn was_there(&self, rank: u32) -> bool {
        usize::from(self.since[rank as usize]) < last_step(self.earlier)
    }

    /// The rank of what dominates a node.
    pub(super) fn parent(&self, tree: &'a Outline, node: u32) -> Option<u32> {
        self.above.get_or_init(|| tree.above()).rank(node)
    }

    /// Bytes of an object itself in the first dump.
    pub(super) fn before(&self, id: Value) -> Option<u64> {
        let first = self.earlier.first()?.tree.as_ref()?;
        Some(first.own.get(first.rank(id)?))
    }

    /// What an object retained in each earlier dump.
    pub(super) fn history(&self, id: Value) -> Vec<u64> {
        self.earlier.iter().map(|dump| dump.retained(id)).collect()
    }

    /// What some ranks together retained in each earlier dump, as far as it is in the last: what came later is taken away.
    pub(super) fn history_of(&self, tree: &Outline, weights: &Column, ranks: &[u32], now: u64) -> Vec<u64> {
        let mut came = vec![0u64; self.earlier.len()];
        for rank in ranks.iter().flat_map(|&rank| rank..tree.end(rank)) {
            if let Some(step) = usize::from(self.since[rank as usize]).checked_sub(1) {
                came[step] = came[step].plus(weights.get(tree.node(rank)));
            }
        }
        let mut history = vec![0; came.len()];
        let mut left = now;
        for (slot, came) in history.iter_mut().zip(came).rev() {
            left = left.saturating_sub(came);
            *slot = left;
        }
        history
    }
}

/// Marks of the names of classes, each looked up once.
#[derive(Default)]
pub(super) struct Marks {
    /// The number of each class, by the string ids that the source has for it.
    numbers: Map<(Option<i64>, u64), usize>,
    /// The same by mark: several string ids may have one text.
    by_mark: Map<u64, usize>,
    texts: Vec<u64>,
}

impl Marks {
    /// Classes by name, from 0 on.
    fn number(&mut self, loaded: &NamedGraph, node: u32) -> Result<usize> {
        let heap = &loaded.heap;
        Ok(match self.numbers.entry((heap.class(node), heap.subtypes.get(node))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let mark = heap_base::hash::mark(&class_of(loaded, node)?);
                let number = *self.by_mark.entry(mark).or_insert_with(|| {
                    self.texts.push(mark);
                    self.texts.len() - 1
                });
                *new.insert(number)
            }
        })
    }

    /// The mark of a number.
    fn mark(&self, number: usize) -> u64 {
        self.texts[number]
    }

    /// The mark of the class of a node.
    pub(super) fn of(&mut self, loaded: &NamedGraph, node: u32) -> Result<u64> {
        let number = self.number(loaded, node)?;
        Ok(self.mark(number))
    }
}

/// The classes of all ranks.
pub(super) struct Kinds {
    marks: Marks,
    /// Numbers of classes by rank; [`NONE`] for a root that is no node.
    numbers: Vec<u32>,
}

impl Kinds {
    pub(super) fn of(loaded: &NamedGraph, tree: &Outline) -> Result<Self> {
        let (mut marks, mut numbers) = (Marks::default(), Vec::with_capacity(tree.len() as usize));
        for rank in 0..tree.len() {
            let node = tree.node(rank);
            let is_node = node < loaded.heap.graph.nodes();
            numbers.push(if is_node { marks.number(loaded, node)? as u32 } else { NONE });
        }
        Ok(Self { marks, numbers })
    }

    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.marks.texts.len()
    }

    /// The class of a rank, by number.
    pub(super) fn number(&self, rank: u32) -> Option<usize> {
        Some(self.numbers[rank as usize]).filter(|&number| number != NONE).map(|number| number as usize)
    }

    /// The mark of a class.
    pub(super) fn mark_of(&self, number: usize) -> u64 {
        self.marks.mark(number)
    }
}

/// How a series of sizes goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Each step is more than a tenth of the average step, but for first ones that are next to nothing: later dumps alone would
    /// show the same.
    Steady,
    /// In one step alone.
    Jumped,
    /// In several steps, and by next to nothing in the last one.
    Stopped,
    /// By less each time: what is filled up or warms up.
    Slowing,
    /// In some steps, and by next to nothing in others.
    Pauses,
    /// Up and down.
    Wavers,
    /// The same in all dumps.
    Flat,
    /// Two dumps: nobody knows.
    Grown,
}

impl Course {
    /// The word for it in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Jumped => "jumped",
            Self::Stopped => "stopped",
            Self::Slowing => "slowing",
            Self::Pauses => "pauses",
            Self::Wavers => "wavers",
            Self::Flat => "flat",
            Self::Grown => "grown",
        }
    }
}

/// Whether steps, all up, become so small that they are about to end: the last is below a third of the first. What has grown by
/// little of what it was `before` is nearly full, and below four fifths is enough; leaks take the same in each step.
fn slows(steps: &[i64], before: u64) -> bool {
    let (Some(&first), Some(&last)) = (steps.first(), steps.last()) else { return false };
    let growth = sum_of_changes(steps.iter().copied());
    let is_full = growth.saturating_mul(4) < i64::try_from(before).unwrap_or(i64::MAX);
    last.saturating_mul(3) < first || is_full && is_less(first, last)
}

fn is_less(first: i64, last: i64) -> bool {
    last.saturating_mul(5) < first.saturating_mul(4)
}

/// What is to come is little if so many times as much is no more than what there is.
const NEARLY_FULL: f64 = 8.0;

/// The same of sizes that are exact: if each step went on to be as much smaller than the one before, all that is to come would be
/// little beside what there is `now`.
fn nears_its_end(steps: &[i64], now: u64) -> bool {
    let (Some(&first), Some(&last)) = (steps.first(), steps.last()) else { return false };
    let turns = steps.len().saturating_sub(1).max(1) as f64;
    let factor = (last as f64 / first as f64).powf(turns.recip());
    let to_come = last as f64 * factor / (1.0 - factor);
    is_less(first, last) && to_come * NEARLY_FULL <= now as f64
}

/// How sizes, one for each dump, go.
pub(super) fn course(history: &[u64]) -> Course {
    let steps = steps_of(since_quiet(history));
    match course_of_samples(history) {
        Course::Steady if nears_its_end(&steps, history.last().copied().unwrap_or(0)) => Course::Slowing,
        course => course,
    }
}

/// Whether numbers grow steadily, by hardly less in the last step than in the first.
pub(super) fn goes_on(numbers: &[u64]) -> bool {
    let steps = steps_of(numbers);
    let slows = matches!(steps[..], [first, .., last] if is_less(first, last));
    course(numbers) == Course::Steady && !slows
}

fn steps_of(history: &[u64]) -> Vec<i64> {
    history.windows(2).map(|pair| change(pair[1], pair[0])).collect()
}

/// How sizes go that are made up of samples, whose steps are smaller or larger by chance.
pub(super) fn course_of_samples(history: &[u64]) -> Course {
    let steps = steps_of(history);
    let growth = sum_of_changes(steps.iter().copied());
    if steps.iter().all(|&step| step == 0) {
        return Course::Flat;
    }
    if steps.len() < 2 {
        return Course::Grown;
    }
    let average = growth / steps.len() as i64;
    let rises = |step: &i64| step.saturating_mul(10) > average;
    if growth <= 0 {
        return Course::Wavers;
    }
    if steps.iter().all(rises) {
        return if slows(&steps, history[0]) { Course::Slowing } else { Course::Steady };
    }
    let moves = |step: &&i64| step.saturating_abs().saturating_mul(10) > growth;
    if steps.iter().filter(moves).count() == 1 {
        // Such as a table that doubles.
        return Course::Jumped;
    }
    let is_never_less = steps.iter().all(|step| rises(step) || rests(*step, average));
    if is_never_less && steps.last().is_some_and(|&last| rests(last, average)) {
        return Course::Stopped;
    }
    let active = since_quiet(history);
    let later = if active.len() < history.len() { course_of_samples(active) } else { Course::Wavers };
    match later {
        Course::Steady | Course::Slowing => later,
        _ if is_never_less => Course::Pauses,
        _ => Course::Wavers,
    }
}

/// Sizes without the first ones that hardly differ from those behind them.
pub(super) fn since_quiet(history: &[u64]) -> &[u64] {
    let steps = steps_of(history);
    let average = sum_of_changes(steps.iter().copied()) / steps.len().max(1) as i64;
    let rests = |step: &&i64| rests(**step, average);
    &history[steps.iter().take_while(rests).count()..]
}

/// Whether a step is next to nothing beside the average one.
fn rests(step: i64, average: i64) -> bool {
    step.unsigned_abs().saturating_mul(10) <= average.unsigned_abs()
}

/// Identifiers, ascending, with a hash of the name of their type: all of a small heap, one of sixteen of a large one. Nodes
/// without a size and strings are left out.
fn sample_of_types(loaded: &NamedGraph) -> Result<Vec<(Value, u64)>> {
    let heap = &loaded.heap;
    let nodes = heap.graph.nodes();
    let each = if nodes < 1 << 16 { 1 } else { 16 };
    let (mut sample, mut marks) = (Vec::new(), Marks::default());
    let strings = STRINGS.map(heap_base::hash::mark);
    for node in (0..nodes).filter(|&node| heap.sizes.get(node) > 0) {
        let id = loaded.id(node);
        if (id >> 1) % each == 0 {
            let mark = marks.of(loaded, node)?;
            if !strings.contains(&mark) {
                sample.push((id, mark));
            }
        }
    }
    sample.sort_unstable();
    Ok(sample)
}

/// How many objects of two samples have one identifier, and how many of these differ in class.
fn compare(one: &[(Value, u64)], other: &[(Value, u64)]) -> (u64, u64) {
    let (mut one, mut both, mut changed) = (one.iter().peekable(), 0, 0);
    for &(id, hash) in other {
        while one.next_if(|known| known.0 < id).is_some() {}
        if let Some(known) = one.next_if(|known| known.0 == id) {
            both += 1;
            changed += u64::from(known.1 != hash);
        }
    }
    (both, changed)
}

fn highest(loaded: &NamedGraph) -> Option<Value> {
    let heap = &loaded.heap;
    (0..heap.graph.nodes()).filter(|&node| heap.sizes.get(node) > 0).map(|node| loaded.id(node)).max()
}

/// What makes growth uncertain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Growth is less exact than it could be.
    Vague(&'static str),
    /// A dump may be there twice.
    Repeated(String),
    /// Growth means nothing.
    Unsound(String),
}

impl Doubt {
    /// The warning.
    pub fn text(&self) -> &str {
        match self {
            Self::Vague(text) => text,
            Self::Repeated(text) | Self::Unsound(text) => text,
        }
    }
}

/// How many threads of the process have heaps of their own, in each dump.
pub(super) fn elsewhere(last: &Origin, earlier: &[Earlier]) -> Vec<u64> {
    earlier.iter().map(|dump| dump.origin.0.elsewhere).chain([last.elsewhere]).collect()
}

/// Whether a dump goes on the series of `earlier` ones.
///
/// # Errors
/// Another virtual machine wrote one, sizes are of different values, or some are heaps and some profiles or differences.
pub(super) fn is_series(origin: &Origin, allocations: bool, earlier: &[Earlier]) -> Result {
    let sources = earlier.iter().map(|dump| &dump.origin.0).chain([origin]);
    let what = match strangers(sources) {
        Some(what) => format!("dumps {what},"),
        None if earlier.iter().any(|dump| dump.allocations != allocations) => {
            "a heap and a profile of allocations".to_owned()
        }
        None => return Ok(()),
    };
    Err(Error::refused(format!("{what} are no series: judge each by itself")))
}

/// A dump that comes before an older one.
pub(super) fn disorder(last: Dated<'_>, earlier: &[Earlier]) -> Option<Doubt> {
    let dumps = earlier.iter().map(|dump| (&dump.origin.0, dump.origin.1));
    misordered(dumps.chain([(last.0, last.1)])).map(Doubt::Unsound)
}

/// A dump that is there twice.
pub(super) fn repetition(last: Dated<'_>, earlier: &[Earlier]) -> Option<Doubt> {
    let dumps = earlier.iter().map(|dump| (&dump.origin.0, dump.origin.1, Some(dump.total)));
    repeated(dumps.chain([last])).map(Doubt::Repeated)
}

/// What makes growth since `earlier` dumps uncertain, for a warning.
///
/// # Errors
/// Strings that cannot be read back.
pub(super) fn doubts(
    (loaded, clues): (&NamedGraph, &Clues),
    total: u64,
    earlier: &[Earlier],
) -> Result<Option<Doubt>> {
    if earlier.is_empty() {
        return Ok(None);
    }
    let last = (&clues.origin, highest(loaded), Some(total));
    if let Some(doubt) = disorder(last, earlier) {
        return Ok(Some(doubt));
    }
    let trees: Option<Vec<&Ranked>> = earlier.iter().map(|dump| dump.tree.as_ref()).collect();
    let Some(trees) = trees.filter(|_| clues.has_identity()) else {
        let why = "objects cannot be known again in these dumps; growth is that of places with the same name";
        if earlier.iter().any(|dump| dump.renumbered) {
            let why = format!("{RENUMBERED}; growth is that of places with the same name");
            return Ok(Some(Doubt::Unsound(why)));
        }
        return Ok(repetition(last, earlier).or(Some(Doubt::Vague(why))));
    };
    let nodes = loaded.heap.graph.nodes();
    let mut find = trees[0].finder();
    let old = (0..nodes).filter(|&node| find(loaded.id(node)).is_some()).count();
    if old * 10 < nodes as usize && !are_of_one((loaded, clues), earlier)? {
        let why = "hardly any object of the first dump is in the last; one process?";
        return Ok(Some(Doubt::Unsound(why.to_owned())));
    }
    let unsound = are_renumbered((loaded, clues), earlier)?
        .then(|| Doubt::Unsound(format!("{RENUMBERED}, and growth means nothing")));
    Ok(unsound.or_else(|| repetition(last, earlier)))
}

/// Why objects cannot be known again though they have identifiers that last.
const RENUMBERED: &str = "objects with equal identifiers differ in class: the dumps are of different processes, or of \
                          different connections to one (heap-dump --count takes several by one)";

/// Whether identifiers of the last dump are those of other objects in earlier ones.
fn are_renumbered(last: (&NamedGraph, &Clues), earlier: &[Earlier]) -> Result<bool> {
    Ok(met_again(last, earlier)?.iter().any(|&(both, changed)| are_clones(changed, both)))
}

/// Whether dumps are of one process though most objects are others: so many as are met again in the first and have their class
/// are so in no two processes by chance. A server may exchange nearly all that it has from dump to dump.
fn are_of_one(last: (&NamedGraph, &Clues), earlier: &[Earlier]) -> Result<bool> {
    let met = met_again(last, earlier)?;
    Ok(met.first().is_some_and(|&(both, changed)| both >= ENOUGH && !are_clones(changed, both)))
}

/// So many objects of two dumps that have one identifier say whether these are of one process.
const ENOUGH: u64 = 100;

/// For each earlier dump, of a sample, how many objects of the last have identifiers that it has, and how many of these differ in
/// class. None where fields are part of the identity: identifiers are used again there.
fn met_again((loaded, clues): (&NamedGraph, &Clues), earlier: &[Earlier]) -> Result<Vec<(u64, u64)>> {
    if clues.reuses_identifiers() || earlier.iter().all(|dump| dump.types.is_empty()) {
        return Ok(Vec::new());
    }
    let types = sample_of_types(loaded)?;
    Ok(earlier.iter().map(|dump| compare(&dump.types, &types)).collect())
}

/// The earlier dumps as they can be compared with the last one: by names of places, if its objects have other identifiers and all
/// of them remember places.
pub(super) fn known_by_name<'e>(
    last: (&NamedGraph, &Clues),
    earlier: &'e [Earlier],
) -> Result<Cow<'e, [Earlier]>> {
    let have_places = earlier.iter().all(|dump| !dump.places.figures.is_empty() && dump.tree.is_some());
    if !have_places || !are_renumbered(last, earlier)? {
        return Ok(Cow::Borrowed(earlier));
    }
    let by_name = |dump: &Earlier| Earlier {
        total: dump.total,
        tree: None,
        places: dump.places.clone(),
        // Nor do identifiers say which dump is younger.
        origin: (Origin { ascending: false, ..dump.origin.0.clone() }, dump.origin.1),
        types: Vec::new(),
        classes: dump.classes.clone(),
        allocations: dump.allocations,
        stacks: Stacks::default(),
        renumbered: true,
    };
    Ok(Cow::Owned(earlier.iter().map(by_name).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps that double, from any place, find what a look at all identifiers finds.
    #[test]
    fn ranks_are_found_from_anywhere() {
        for count in [0, 1, 2, 3, 10, 100, 257] {
            let known: Vec<Value> = (0..count).map(|at| at * at % 7 + at * 8 - 300).collect();
            let mut ids = Ids::default();
            for &id in &known {
                ids.push(id);
            }
            let columns = || Column::default();
            let tree = Ranked {
                ids,
                ranks: (0..count as u32).map(|at| at ^ 5).collect(),
                ends: Vec::new(),
                texts: Texts::default(),
                own: columns(),
                retained: columns(),
                kinds: columns(),
                marks: Vec::new(),
            };
            for far in [1, 3, 50, 700, 1999] {
                let mut find = tree.finder();
                let mut asked = -310;
                for _ in 0..4000 {
                    asked = (asked + 310 + far) % 2500 - 310;
                    let found = known.iter().position(|&id| id == asked).map(|at| at as u32 ^ 5);
                    assert_eq!(find(asked), found, "{asked} of {count}");
                }
            }
        }
    }
}
