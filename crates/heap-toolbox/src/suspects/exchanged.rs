//! What comes and goes, and is only more or larger than it was: what is under way where more is asked for from dump to dump, what
//! a table is emptied of and filled with again, a cache that has as many things as before, all of them others.
//!
//! Objects are known again by their identifiers. Those of texts do not last: the machine makes one piece of several, or has
//! one copy of equal ones. So a text is known by what it says: it has stayed if any text of the dump before says the same. Of
//! a text in several pieces nobody knows what it says; as many as there were before may be what others are now.

use std::ops::Range;

use heap_base::{BitSet, Map, Plus, Result, Set};
use heap_graph::{HeapGraph, Outline};
use heap_record::StringId;

use super::finder::Finder;
use super::growth::{Earlier, Growth, Marks, Ranked};
use super::holders::MANY;
use super::items::nearest;
use super::scene::{Scene, apart};
use super::waste::{flat_subtypes, subtypes, text_of};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, NodeTexts, Sort, Way};
use heap_ops::stream::Strings;

/// Texts that are looked at for what they begin with, at most; and what part of them may begin with a text of before.
const LOOKED_AT: usize = 64;
const FEW: usize = 8;
/// What a longer one begins with nobody asks: that takes the square of its bytes.
const LONGEST: usize = 2048;
/// So many things where so many were are more than before.
const MORE: (u64, u64) = (10, 11);
/// Of things that are copied as a whole, what part is found again, at least; and so many times as many have come as texts have gone.
const NEARLY: (u64, u64) = (19, 20);
const FEW_GONE: u64 = 4;
/// Of the keys of things that are saved anew such a part is still there: all, but for those that nobody knows.
const KEYS: (u64, u64) = (3, 4);
/// Steps and nodes in which an object leads back to the thing that has it, such as a connection to its present request.
const BACK: (usize, usize) = (3, 64);
/// Objects of the program behind one that is outside of the heap, at most, or of those behind one of the program's.
const FOR_EACH: u64 = 8;
/// A slot of a table has so many bytes at most, with what hashes need.
const SLOT: u64 = 128;
/// So few references of a table say nothing of it.
const LEAST: u64 = 20;
/// What has so many bytes itself and nothing below it is a buffer, or has one.
const BUFFER: u64 = 64;

/// Which nodes are strings, and what they say.
struct Strung<'a> {
    heap: &'a HeapGraph,
    texts: &'a NodeTexts,
    strings: &'a Strings,
    /// Subtypes of strings, and of those in one piece.
    all: Vec<u64>,
    flat: Vec<u64>,
}

impl<'a> Strung<'a> {
    fn new(loaded: &'a NamedGraph, clues: &'a Clues) -> Self {
        let is_string =
            |name: &str| name.rsplit(['.', ' ']).next().is_some_and(|last| last.starts_with("string"));
        let (heap, strings) = (&loaded.heap, &loaded.context.strings);
        let (all, flat) = (subtypes(loaded, is_string), flat_subtypes(loaded));
        Self { heap, texts: &clues.texts, strings, all, flat }
    }

    fn is(&self, node: u32) -> bool {
        node < self.heap.graph.nodes() && self.all.contains(&self.heap.subtypes.get(node))
    }

    /// The text of a string in one piece, with its hash.
    fn text(&self, node: u32) -> Option<(StringId, u32)> {
        let is_flat = self.flat.contains(&self.heap.subtypes.get(node));
        let text = text_of(self.heap, self.texts, node).filter(|_| is_flat)?;
        Some((text, self.strings.hash(text)?))
    }
}

/// The strings of a dump.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// Their ranks, and those of strings of which the dump does not show what they say.
    all: BitSet,
    hidden: BitSet,
    /// What the others say, by hash, ascending.
    hashes: Vec<u32>,
}

impl Texts {
    pub(super) fn of((loaded, clues): (&NamedGraph, &Clues), tree: &Outline) -> Self {
        let strung = Strung::new(loaded, clues);
        let (mut all, mut hidden, mut hashes) =
            (BitSet::new(tree.len()), BitSet::new(tree.len()), Vec::new());
        for rank in (0..tree.len()).filter(|&rank| strung.is(tree.node(rank))) {
            all.insert(rank);
            match strung.text(tree.node(rank)) {
                Some((_, hash)) => hashes.push(hash),
                None => _ = hidden.insert(rank),
            }
        }
        hashes.sort_unstable();
        hashes.dedup();
        hashes.shrink_to_fit();
        Self { all, hidden, hashes }
    }

    fn say(&self, hash: u32) -> bool {
        self.hashes.binary_search(&hash).is_ok()
    }

    /// How many texts are not in a later dump. O(texts of both).
    fn gone(&self, later: &Self) -> u64 {
        let mut rest = later.hashes.iter().peekable();
        let gone = self.hashes.iter().filter(|hash| {
            while rest.next_if(|later| later < hash).is_some() {}
            rest.peek() != Some(hash)
        });
        gone.count() as u64
    }
}

/// How many things of one kind a place has had.
#[derive(Clone, Copy, Debug, Default)]
struct Exchange {
    /// In the first dump, in the one before, and now.
    first: u64,
    before: u64,
    now: u64,
    /// Those of the dump before that are still there.
    kept: u64,
    /// Those of the first dump that were there in the one before, and that are still there.
    stayed: u64,
    lasting: u64,
}

impl Exchange {
    /// Whether most have gone.
    fn has_gone(self) -> bool {
        self.kept * 2 <= self.before
    }

    /// Whether those that have stayed are few beside what their number has grown by, too, or next to none of them came after the first
    /// dump. What piles up stays, so that all that it had grown by before would still be there.
    fn comes_and_goes(self) -> bool {
        let growth = self.now.saturating_sub(self.first);
        let later = self.kept.saturating_sub(self.lasting);
        let have_gone = self.kept * 4 <= growth || later * 8 <= growth || self.go_later(growth);
        self.has_gone() && growth > 0 && have_gone
    }

    /// Whether as large a part of the first dump's stayed for a while as of those of the dump before, and most of these have gone
    /// since: they live longer than from dump to dump, as sessions do. Of what piled up all that had stayed would still be there.
    fn go_later(self, growth: u64) -> bool {
        let part = |of: u64, all: u64| u128::from(of) * u128::from(all);
        self.lasting * 2 <= self.stayed
            && self.lasting * 4 <= growth
            && part(self.stayed, self.before) * 2 >= part(self.kept, self.first)
    }
}

/// Calls `each` with the strings in some ranges that are no part of another one or of a thing; `is` says which ranks are strings,
/// and which are things.
fn strings_in(
    ranges: &[Range<u32>],
    end: impl Fn(u32) -> u32,
    mut is: impl FnMut(u32) -> Result<(bool, bool)>,
    mut each: impl FnMut(u32),
) -> Result {
    for range in ranges {
        let (mut at, mut inside) = (range.start, 0);
        while at < range.end {
            let (is_string, is_thing) = is(at)?;
            if is_string {
                if at >= inside {
                    each(at);
                }
                at = end(at).max(at + 1);
                continue;
            }
            if is_thing && at > range.start {
                inside = inside.max(end(at));
            }
            at += 1;
        }
    }
    Ok(())
}

fn tree_of(dump: Option<&Earlier>) -> Option<&Ranked> {
    dump.and_then(|dump| dump.tree.as_ref())
}

impl<'a> Growth<'a> {
    /// The first dump and the one before.
    fn ends(&self) -> Option<(&'a Ranked, &'a Ranked)> {
        Some((tree_of(self.earlier.first())?, tree_of(self.earlier.last())?))
    }

    /// What the strings of the last dump say.
    fn texts(&self, scene: &Scene<'_>) -> &Texts {
        self.now.get_or_init(|| Texts::of((scene.loaded, scene.clues), scene.tree))
    }

    /// What has become of the objects of the class of `node` below some ranks. Without ranks, or if a dump lacks them, all of the
    /// class count. `None` without earlier dumps. O(ranks below them); O(N) of all of the class, or if most have gone.
    fn things(
        &self,
        loaded: &NamedGraph,
        tree: &Outline,
        (ranks, node): (&[u32], u32),
    ) -> Result<Option<Exchange>> {
        let Some((first_dump, last)) = self.ends() else { return Ok(None) };
        let mut marks = Marks::default();
        let class = marks.of(loaded, node)?;
        let below = |of: &Ranked| below(of, loaded, tree, ranks);
        let (mut in_first, mut in_last) = (below(first_dump), below(last));
        let mut now = apart(ranks.iter().map(|&rank| rank..tree.end(rank)));
        if in_first.is_empty() || in_last.is_empty() {
            let all = |end| std::iter::once(Outline::ROOT..end).collect();
            (in_first, in_last) = (all(first_dump.ends.len() as u32), all(last.ends.len() as u32));
            now = all(tree.len());
        }
        let count = |of: &Ranked, ranges: &[Range<u32>]| {
            let ranks = ranges.iter().cloned().flatten();
            ranks.filter(|&rank| of.kind(rank) == class as u32).count() as u64
        };
        let (first, before) = (count(first_dump, &in_first), count(last, &in_last));
        let mut found = Exchange { first, before, ..Exchange::default() };
        for rank in now.into_iter().flatten() {
            let node = tree.node(rank);
            if node < loaded.heap.graph.nodes() && marks.of(loaded, node)? == class {
                found.now += 1;
                // Where the memory of what has gone is used again, something else may have been there.
                let was_in =
                    |of: &Ranked| of.rank(loaded.id(node)).is_some_and(|at| of.kind(at) == class as u32);
                let was_there = self.was_there(rank);
                found.kept += u64::from(was_there && was_in(last));
                found.lasting += u64::from(was_there && !self.is_new(rank) && was_in(first_dump));
            }
        }
        if found.has_gone() {
            let is_below = |rank: u32| {
                let at = in_first.partition_point(|range| range.end <= rank);
                in_first.get(at).is_some_and(|range| range.contains(&rank))
            };
            let is_of = |of: &Ranked, rank: u32| of.kind(rank) == class as u32;
            let was_there = |rank: u32| is_of(first_dump, rank) && is_below(rank);
            found.stayed = first_dump.common(last, was_there, |rank| is_of(last, rank));
        }
        Ok(Some(found))
    }

    /// Whether the objects of the class of `node` below some ranks come and go, as [`things`](Self::things) has them.
    pub(super) fn come_and_go(&self, loaded: &NamedGraph, tree: &Outline, of: (&[u32], u32)) -> Result<bool> {
        Ok(self.things(loaded, tree, of)?.is_some_and(Exchange::comes_and_goes))
    }

    /// How many of the class of `node` below some ranks have gone, of the first dump or of the one before, whichever lost more, and how
    /// many more there are than in the first. `None` as [`things`](Self::things) has it.
    pub(super) fn most_gone(
        &self,
        loaded: &NamedGraph,
        tree: &Outline,
        of: (&[u32], u32),
    ) -> Result<Option<(u64, u64)>> {
        let most = |of: Exchange| {
            let gone = |all: u64, left: u64| all.saturating_sub(left);
            (gone(of.first, of.lasting).max(gone(of.before, of.kept)), gone(of.now, of.first))
        };
        Ok(self.things(loaded, tree, of)?.map(most))
    }

    /// What has become of the strings below some ranks that are no part of a `thing`, an object of those that the place holds: each
    /// is known by what it says. `None` if a dump lacks these ranks. O(ranks below them).
    fn words(&self, scene: &Scene<'_>, (ranks, thing): (&[u32], u32)) -> Result<Option<Exchange>> {
        let (loaded, tree) = (scene.loaded, scene.tree);
        let Some((first, last)) = self.ends() else { return Ok(None) };
        let there = |of: &Ranked| ranks.iter().all(|&rank| of.rank(loaded.id(tree.node(rank))).is_some());
        if ranks.is_empty() || !there(first) || !there(last) {
            return Ok(None);
        }
        let strung = Strung::new(loaded, scene.clues);
        let mut marks = Marks::default();
        let class = marks.of(loaded, thing)?;
        let (mut words, mut hidden) = (Exchange::default(), [0u64; 2]);
        // Strings of the first dump that are known again by their identifiers.
        let mut pieces = BitSet::new(first.ends.len() as u32);
        for (of, is_first) in [(first, true), (last, false)] {
            let end = |rank: u32| of.ends[rank as usize];
            let is = |rank: u32| Ok((of.texts.all.contains(rank), of.kind(rank) == class as u32));
            strings_in(&below(of, loaded, tree, ranks), end, is, |rank| {
                *(if is_first { &mut words.first } else { &mut words.before }) += 1;
                let is_hidden = of.texts.hidden.contains(rank);
                hidden[usize::from(is_first)] += u64::from(is_hidden);
                if is_first && is_hidden {
                    pieces.insert(rank);
                }
            })?;
        }
        // Those that may be what one of before was that nobody knows; and those with the identifier of one.
        let (mut unknown, mut changed) = (0u64, Vec::new());
        let now = apart(ranks.iter().map(|&rank| rank..tree.end(rank)));
        let is = |rank: u32| {
            let node = tree.node(rank);
            let is_node = node < loaded.heap.graph.nodes();
            Ok((strung.is(node), is_node && marks.of(loaded, node)? == class))
        };
        let end = |rank| tree.end(rank);
        strings_in(&now, end, is, |rank| {
            words.now += 1;
            let text = strung.text(tree.node(rank));
            words.lasting += u64::from(match text {
                Some((_, hash)) => first.texts.say(hash),
                None => !self.is_new(rank),
            });
            match text {
                Some((_, hash)) if last.texts.say(hash) => words.kept += 1,
                Some((text, _)) if self.was_there(rank) => changed.push(text),
                Some(_) => unknown += 1,
                None => words.kept += u64::from(self.was_there(rank)),
            }
        })?;
        words.kept += unknown.min(hidden[0]);
        words.lasting += unknown.min(hidden[1]);
        words.stayed = first.common(last, |at| pieces.contains(at), |at| last.texts.all.contains(at));
        // What is written on where it is has stayed.
        if goes_on(&strung, &last.texts, || self.texts(scene), &changed)? {
            words.kept += changed.len() as u64;
        }
        Ok(Some(words))
    }

    /// Bytes below a rank of what the dump before has, too: all of it, and what the first dump lacks, of objects alone if
    /// `objects`. O(ranks below it).
    fn stayed(&self, scene: &Scene<'_>, rank: u32, objects: bool) -> (u64, u64) {
        let tree = scene.tree;
        let (mut all, mut later) = (0u64, 0u64);
        for at in (rank..tree.end(rank)).filter(|&at| self.was_there(at)) {
            let bytes = scene.weights.get(tree.node(at));
            all = all.plus(bytes);
            let counts = !objects || matches!(scene.own().sort(tree.node(at)), Sort::Object | Sort::Closure);
            later = later.plus(if counts && self.is_new(at) { bytes } else { 0 });
        }
        (all, later)
    }
}

/// Where some ranks were in an earlier dump.
fn below(of: &Ranked, loaded: &NamedGraph, tree: &Outline, ranks: &[u32]) -> Vec<Range<u32>> {
    let known = ranks.iter().filter_map(|&rank| of.rank(loaded.id(tree.node(rank))));
    apart(known.map(|rank| rank..of.ends[rank as usize]))
}

/// Whether more than a few of some texts begin with all that a text of before says, which is half of each or more, and which is
/// nowhere `now`: they have been written on. So may long ones have been.
fn goes_on<'t>(
    strung: &Strung<'_>,
    before: &Texts,
    now: impl FnOnce() -> &'t Texts,
    texts: &[StringId],
) -> Result<bool> {
    let (mut looked, mut long, mut longer) = (0, 0, Vec::new());
    for &text in texts.iter().step_by(texts.len().div_ceil(LOOKED_AT).max(1)) {
        let Some(entry) = strung.strings.get(text)? else { continue };
        let bytes = entry.escaped().as_bytes();
        looked += 1;
        if bytes.len() > LONGEST {
            long += 1;
            continue;
        }
        let parts = (bytes.len().div_ceil(2).max(1)..bytes.len()).map(|end| Strings::hash_of(&bytes[..end]));
        longer.push(parts.filter(|&part| before.say(part)).collect::<Vec<u32>>());
    }
    longer.retain(|parts| !parts.is_empty());
    if (long + longer.len()) * FEW <= looked {
        return Ok(false);
    }
    // A part that all of them begin with is still there as it was.
    let now = now();
    longer.retain(|parts| parts.iter().any(|&part| !now.say(part)));
    Ok((long + longer.len()) * FEW > looked)
}

impl Finder<'_> {
    /// Whether what a row speaks of comes and goes, and is only more than it was, or larger. Of tables nobody knows: the machine
    /// replaces them, with what is in them. What is not in the heap itself, with a negative identifier that may not last, goes with
    /// what of the program stands behind each. Of a crowd, `kept` are bytes of what the dump before has, too.
    pub(super) fn is_exchanged(
        &self,
        (ranks, nodes): (&[u32], &[u32]),
        (piled, in_few): (Option<(u32, u64)>, Option<u32>),
        kept: Option<u64>,
        history: &[u64],
    ) -> Result<bool> {
        let scene = self.scene;
        let Some(growth) = &self.growth else { return Ok(false) };
        let &[start, .., before, now] = history else { return Ok(false) };
        let Some((first, number)) = piled else {
            return self.are_other_references(growth, (ranks, false), (start, before, now));
        };
        let lasts = |node: u32| {
            scene.loaded.id(node) > 0 && matches!(scene.own().sort(node), Sort::Object | Sort::Closure)
        };
        if self.are_saved_anew(growth, (ranks, first), number)? {
            return Ok(false);
        }
        if Strung::new(scene.loaded, scene.clues).is(first) && kept.is_none() {
            return self.are_other_texts(growth, (ranks, first), (start, before, now));
        }
        if !lasts(first) {
            return self.goes_with(growth, nodes, (number, start, now));
        }
        // Of a crowd those that have gone were in no place that is there now.
        let known = |of: &Ranked, rank: u32| of.rank(scene.loaded.id(scene.tree.node(rank))).is_some();
        let ends = growth.ends();
        let have_all = kept.is_none()
            || ends
                .is_some_and(|(one, other)| ranks.iter().all(|&rank| known(one, rank) && known(other, rank)));
        let things = growth.things(scene.loaded, scene.tree, (if have_all { ranks } else { &[] }, first))?;
        let Some(things) = things else { return Ok(false) };
        if let Some(kept) = kept {
            // What stood in the place of the crowd has gone, and what has stayed is little beside what it has grown by. Or only what
            // the things lie beside has stayed, such as the connections of requests.
            let is_little =
                kept.saturating_mul(2) <= before && kept.saturating_mul(4) <= now.saturating_sub(start);
            return Ok(is_little
                || things.comes_and_goes()
                || self.are_guests(growth, (ranks, things), (start, before, now)));
        }
        if things.comes_and_goes() || self.are_larger(growth, (ranks, things), (start, before, now))? {
            return Ok(true);
        }
        let &[rank] = ranks else { return Ok(false) };
        if self.are_guests(growth, (ranks, things), (start, before, now)) {
            return Ok(true);
        }
        let (stayed, later) = growth.stayed(scene, rank, false);
        // It is another each time, and has nothing of what the one before had: a copy of a list that grows would. But a table or a
        // buffer that is copied to become larger is all new, too.
        let is_table = || {
            let largest = (rank..scene.tree.end(rank)).map(|at| scene.weights.get(scene.tree.node(at))).max();
            largest.is_some_and(|bytes| bytes.saturating_mul(2) >= scene.tree.retained(rank))
        };
        if !growth.was_there(rank) && stayed.saturating_mul(4) <= before && !is_table() {
            return Ok(true);
        }
        // What is in a few tables comes and goes, and nothing else has stayed of what had come before.
        let in_few = in_few.filter(|&node| lasts(node));
        match in_few.filter(|_| later.saturating_mul(2) <= before.saturating_sub(start)) {
            Some(node) => growth.come_and_go(scene.loaded, scene.tree, (ranks, node)),
            None => Ok(false),
        }
    }

    /// Whether nodes without identifiers that last, which have grown from `start` bytes to so many, come and go with objects of the
    /// program that stand behind them, some for each: of those next to none has stayed.
    fn goes_with(
        &self,
        growth: &Growth<'_>,
        nodes: &[u32],
        (number, start, now): (u64, u64, u64),
    ) -> Result<bool> {
        let scene = self.scene;
        let Some((behind, false)) = nearest(scene, nodes, true, &[])? else { return Ok(false) };
        let lasts = scene.loaded.id(behind) > 0 && scene.own().is_own(behind);
        let Some(things) = growth.things(scene.loaded, scene.tree, (&[], behind))?.filter(|_| lasts) else {
            return Ok(false);
        };
        let came = u128::from(number) * u128::from(now.saturating_sub(start)) / u128::from(now.max(1));
        let stayed = u128::from(things.kept.saturating_sub(things.lasting));
        let are_theirs = things.now <= number.saturating_mul(FOR_EACH) && things.now * FOR_EACH >= number;
        Ok(are_theirs && things.comes_and_goes() && stayed * 4 <= came)
    }

    /// Whether what the tables of a place refer to is other than before; of that which is others', too, such as the names of jobs
    /// beside their queue, or of the `whole`. How much they referred to before, their sizes say. O(ranks below it, and edges of the
    /// tables).
    fn are_other_references(
        &self,
        growth: &Growth<'_>,
        (ranks, whole): (&[u32], bool),
        (start, before, now): (u64, u64, u64),
    ) -> Result<bool> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let Some((_, last)) = growth.ends() else { return Ok(false) };
        let strung = Strung::new(scene.loaded, scene.clues);
        let (mut all, mut kept) = (0u64, 0u64);
        for &rank in ranks {
            let inside = rank..tree.end(rank);
            for node in inside.clone().map(|at| tree.node(at)) {
                if node >= scene.nodes() || !scene.own().is_cell(node) {
                    continue;
                }
                scene.edges(node, |(_, end, _)| {
                    let Some(at) = tree.rank(end).filter(|at| whole || !inside.contains(at)) else { return };
                    let is_there = match (strung.is(end), strung.text(end)) {
                        (true, Some((_, hash))) => last.texts.say(hash),
                        (true, None) => growth.was_there(at),
                        _ if matches!(scene.own().sort(end), Sort::Object | Sort::Closure) => {
                            growth.was_there(at) || scene.loaded.id(end) <= 0
                        }
                        _ => return,
                    };
                    all += 1;
                    kept += u64::from(is_there);
                })?;
            }
        }
        let part = |bytes: u64| u128::from(all) * u128::from(bytes) / u128::from(now.max(1));
        let grown = u128::from(all).saturating_sub(part(start));
        Ok(all >= LEAST && u128::from(kept) * 4 <= part(before).min(grown))
    }

    /// Whether things become more and each has been saved anew, as a session is with each visit: of those that came between the first
    /// dump and the one before, half or more have left something in those of now, a name or an object, or a key beside them, which
    /// may be others' too. O(edges of what is below the ranks).
    /// Of `number` things there may be others of their class inside of them.
    fn are_saved_anew(
        &self,
        growth: &Growth<'_>,
        (ranks, first): (&[u32], u32),
        number: u64,
    ) -> Result<bool> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let Some((start, last)) = growth.ends() else { return Ok(false) };
        let Some(things) = growth.things(scene.loaded, tree, (ranks, first))? else { return Ok(false) };
        let part = |of: u64| {
            (u128::from(of) * u128::from(number.min(things.now)) / u128::from(things.now.max(1))) as u64
        };
        let came = part(things.before.saturating_sub(things.first));
        if came == 0 || things.now * MORE.0 < things.before * MORE.1 {
            return Ok(false);
        }
        let strung = Strung::new(scene.loaded, scene.clues);
        // Where the memory of what has gone is used again, something else may have been there.
        let lasts = !scene.clues.reuses_identifiers();
        let is_later = |rank: u32| lasts && growth.is_new(rank) && growth.was_there(rank);
        // That several say the same says nothing of any of them. What is in several pieces stays with its identifier.
        let known = |node: u32, said: &mut Set<u64>| match strung.is(node).then(|| strung.text(node)) {
            Some(Some((_, hash))) => {
                last.texts.say(hash) && !start.texts.say(hash) && said.insert(u64::from(hash))
            }
            Some(None) => tree.rank(node).is_some_and(is_later) && said.insert(u64::from(node) | 1 << 32),
            None => false,
        };
        let mut marks = Marks::default();
        let thing = marks.of(scene.loaded, first)?;
        let mut class = |node: u32| match node {
            node if node < scene.nodes() => marks.of(scene.loaded, node),
            _ => Ok(0),
        };
        // What has stayed as it was is not saved anew.
        let is_same = |node: u32| lasts && tree.rank(node).is_some_and(|rank| growth.was_there(rank));
        let (mut inside, mut stayed, mut ends) = (0, 0u64, Vec::new());
        // The thing that the present node is in.
        let mut around = Outline::ROOT;
        let (mut said, mut said_beside, mut keys) = (Set::default(), Set::default(), 0);
        // Keys beside things that the dump before had, too, be they those of the first.
        let (mut said_before, mut old_keys) = (Set::default(), 0);
        // What new texts of new things say, and whether only one does.
        let mut copies: Map<u32, bool> = Map::default();
        for at in apart(ranks.iter().map(|&rank| rank..tree.end(rank))).into_iter().flatten() {
            let node = tree.node(at);
            let of = class(node)?;
            if at < inside && scene.own().sort(node) == Sort::Object {
                stayed += u64::from(is_later(at) && !self.leads_back(at, around)?);
            } else if at < inside && growth.was_there(at) {
                // The same text in other things may be that of others: an article that is bought again.
                stayed += u64::from(known(node, &mut said));
            } else if lasts
                && at < inside
                && strung.is(node)
                && let Some((_, hash)) = strung.text(node)
                && last.texts.say(hash)
                && !start.texts.say(hash)
            {
                copies.entry(hash).and_modify(|is_one| *is_one = false).or_insert(true);
            }
            if of == thing {
                if !is_same(node) {
                    if at >= inside {
                        around = at;
                    }
                    inside = inside.max(tree.end(at));
                }
            } else if scene.own().is_cell(node) {
                ends.clear();
                scene.edges(node, |(_, end, _)| ends.push(end))?;
                // Each thing that has stayed has its key, too.
                let (mut has_things, mut of_same, mut same) = (false, 0, 0);
                for &end in &ends {
                    let is_thing = class(end)? == thing;
                    has_things |= is_thing && !is_same(end);
                    of_same += u64::from(is_thing && tree.rank(end).is_some_and(is_later));
                    same += u64::from(is_thing && is_same(end));
                }
                let is_old = |end: u32| match strung.text(end) {
                    Some((_, hash)) => last.texts.say(hash),
                    None => is_same(end),
                };
                let old = ends
                    .iter()
                    .filter(|&&end| has_things && strung.is(end) && said_before.insert(end) && is_old(end));
                old_keys += (old.count() as u64).saturating_sub(same);
                let found = ends.iter().filter(|&&end| has_things && known(end, &mut said_beside)).count();
                keys += (found as u64).saturating_sub(of_same);
            }
        }
        // Of people who come back some do not; of things that are saved anew all keys are there.
        let have_all = old_keys * KEYS.1 >= part(things.before.saturating_sub(things.kept)) * KEYS.0;
        if stayed * 2 >= came || keys * 2 >= came && have_all {
            return Ok(true);
        }
        // All that has come is there once more, text by text, and hardly any text has gone: a copy of the whole, as of a state that
        // is replaced with each change. Of what comes and goes some would have gone.
        let copies = copies.values().filter(|&&is_one| is_one).count() as u64;
        Ok(copies * NEARLY.1 >= came * NEARLY.0 && last.texts.gone(growth.texts(scene)) * FEW_GONE <= came)
    }

    /// Whether what lies in a thing leads back to it in a few steps: it has the thing, as a connection has its request, and is no
    /// part of it.
    fn leads_back(&self, rank: u32, around: u32) -> Result<bool> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let thing = tree.node(around);
        let (mut level, mut seen) = (vec![tree.node(rank)], Set::default());
        let mut leads = false;
        for _ in 0..BACK.0 {
            let mut next = Vec::new();
            for node in level.drain(..) {
                scene.edges(node, |(way, end, retains)| {
                    leads |= end == thing;
                    let is_near = retains && !matches!(way, Way::Meta | Way::Shared) && seen.len() < BACK.1;
                    if is_near && seen.insert(end) {
                        next.push(end);
                    }
                })?;
            }
            level = next;
        }
        Ok(leads)
    }

    /// Whether things stay and are no more than before, and the objects that it has grown by come and go, whatever they
    /// are: of those that came between the first dump and the one before next to nothing is left. O(ranks below them).
    fn are_guests(
        &self,
        growth: &Growth<'_>,
        (ranks, things): (&[u32], Exchange),
        (start, before, now): (u64, u64, u64),
    ) -> bool {
        let (scene, tree) = (self.scene, self.scene.tree);
        let grown = now.saturating_sub(start);
        let was_there = |&rank: &u32| growth.was_there(rank) && !growth.is_new(rank);
        let stay = things.lasting * MORE.1 >= things.first * MORE.0 && ranks.iter().all(was_there);
        if !stay || things.now * MORE.0 > things.first * MORE.1 || grown == 0 || before <= start {
            return false;
        }
        // What has only come to hang on them was there before.
        let all = ranks.iter().fold(0u64, |sum, &rank| sum.plus(growth.new_below(rank)));
        if all.saturating_mul(2) < grown {
            return true;
        }
        // New objects with what they have, as far as it is new, too; `inside` is the end of the outermost one.
        let (mut new, mut later, mut inside, mut is_later) = (0u64, 0u64, 0, false);
        let below = apart(ranks.iter().map(|&rank| rank..tree.end(rank)));
        for at in below.into_iter().flatten().filter(|&at| growth.is_new(at)) {
            let node = tree.node(at);
            if at >= inside {
                if !matches!(scene.own().sort(node), Sort::Object | Sort::Closure) {
                    continue;
                }
                (inside, is_later) = (tree.end(at), growth.was_there(at));
            }
            let bytes = scene.weights.get(node);
            new = new.plus(bytes);
            later = later.plus(if is_later { bytes } else { 0 });
        }
        let came = u128::from(new) * u128::from(before - start) / u128::from(grown);
        new.saturating_mul(2) >= grown && u128::from(later) * 4 <= came
    }

    /// Whether the texts that a place holds are others than before, and no objects beside them have stayed of what had come
    /// before.
    fn are_other_texts(
        &self,
        growth: &Growth<'_>,
        (ranks, first): (&[u32], u32),
        (start, before, now): (u64, u64, u64),
    ) -> Result<bool> {
        let scene = self.scene;
        let later = ranks.iter().fold(0u64, |sum, &rank| sum.plus(growth.stayed(scene, rank, true).1));
        if later.saturating_mul(2) > before.saturating_sub(start) {
            return Ok(false);
        }
        if !ranks.iter().any(|&rank| growth.was_there(rank)) {
            return self.are_other_references(growth, (ranks, true), (start, before, now));
        }
        let words = growth.words(scene, (ranks, first))?;
        // Texts that others had, too, before were elsewhere in the tree.
        let Some(keys) = words.filter(|of| of.before > 0) else { return Ok(false) };
        Ok(keys.comes_and_goes() || self.are_larger(growth, (ranks, keys), (start, before, now))?)
    }

    /// Whether most of some things have gone, and there are no more of them now but each is larger: next to nothing is left of
    /// what the place had before. What is copied to become larger is all new, too: a table, a buffer, a text that is written on.
    fn are_larger(
        &self,
        growth: &Growth<'_>,
        (ranks, things): (&[u32], Exchange),
        (start, before, now): (u64, u64, u64),
    ) -> Result<bool> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let Some((_, last)) = growth.ends() else { return Ok(false) };
        let was_there = |&rank: &u32| growth.was_there(rank) && !growth.is_new(rank);
        // Or they are the things, none of which was there.
        let are_things = ranks.len() >= MANY
            && ranks.len() as u64 == things.now
            && !ranks.iter().any(|&rank| growth.was_there(rank));
        if things.before == 0 || !things.has_gone() || !(are_things || ranks.iter().all(was_there)) {
            return Ok(false);
        }
        let strung = Strung::new(scene.loaded, scene.clues);
        let there = below(last, scene.loaded, tree, ranks);
        let hidden = there.into_iter().flatten().filter(|&rank| last.texts.hidden.contains(rank)).count();
        let (mut stayed, mut copied, mut texts, mut said) = (0u64, 0u64, Vec::new(), Set::default());
        let mut of_texts = 0u64;
        let places = apart(ranks.iter().map(|&rank| rank..tree.end(rank)));
        let is_inside = |rank: u32| {
            let next = places.partition_point(|place| place.start <= rank);
            next > 0 && rank < places[next - 1].end
        };
        // Where a table refers to much in the place, that says itself whether it is new.
        let is_full = |(node, bytes): (u32, u64)| -> Result<bool> {
            let mut inside = 0u64;
            scene.edges(node, |(_, end, _)| inside += u64::from(tree.rank(end).is_some_and(is_inside)))?;
            Ok(inside * SLOT >= bytes)
        };
        for at in places.iter().cloned().flatten() {
            let node = tree.node(at);
            if node >= scene.nodes() {
                continue;
            }
            let bytes = scene.weights.get(node);
            let text = if strung.is(node) { strung.text(node) } else { None };
            let to = match (text, scene.own().sort(node)) {
                // That several say the same, as names of routes, says nothing of any of them.
                (Some((_, hash)), _) if last.texts.say(hash) => {
                    if said.insert(hash) {
                        &mut stayed
                    } else {
                        continue;
                    }
                }
                _ if growth.was_there(at) => &mut stayed,
                (Some((text, _)), _) => {
                    texts.push(text);
                    &mut of_texts
                }
                (None, Sort::Text | Sort::Closure) => continue,
                (None, Sort::Object) if bytes < BUFFER || tree.end(at) > at + 1 => continue,
                (None, Sort::Array) if is_full((node, bytes))? => continue,
                _ => &mut copied,
            };
            *to = to.plus(bytes);
        }
        // As many as nobody knew what they said may be written on.
        let written = u128::from(of_texts) * hidden.min(texts.len()) as u128 / texts.len().max(1) as u128;
        let copied = copied.plus(written as u64);
        let grown = now.saturating_sub(start);
        let is_little = stayed.saturating_mul(2) <= before && stayed.saturating_mul(4) <= grown;
        Ok(is_little
            && copied.saturating_mul(2) <= grown
            && !goes_on(&strung, &last.texts, || growth.texts(scene), &texts)?)
    }
}
