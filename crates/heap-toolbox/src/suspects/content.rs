//! Entries of a place known by what they say of themselves, where objects cannot be known again in another dump.
//!
//! An entry is an object that a row speaks of, with the cell of a table that holds it and its key. Of some entries of a place the
//! hashes of *words* are remembered that no other of them has: texts and numbers, such as a token, an address, the number of an
//! order. In a later dump an entry is still there if one of its words is anywhere below the place, in one entry alone.
//!
//! Doubt counts as staying: an entry is gone only if one of its words at least is nowhere below the place now while none is in one
//! entry. What has no word, or shares all of them with others, stays. So a row loses its level only by what was seen to go.
//!
//! Not all words say the same ([`Kind`]). A text that is the key of a cell is what the entry is known by in the program: without it
//! the entry has gone, though others of its words, such as the name of a language, are in an entry now. Else texts say most,
//! and what was drawn to be known by, a UUID. A number that is a key may be the time when something is due, so it does not
//! outweigh texts that are there. Where texts have gone and such keys are still there, either the entries have new texts, or others have
//! their keys, as users have who come back: nearly all keys must be found for the former.
//!
//! The number of a field is what the entry is known by, or the time when it came or is due. So it has gone if that is nowhere any
//! more, where no other number of it is there: what stays has something that stays. What the entry holds may be exchanged, so its
//! fields never say that. That such a number is found again says less than that a text or a key is not, since places and times
//! are counted anew as often: it counts only where there are none of these. A field of which some numbers are in several entries
//! by now counts things, and is left out; so does the reader leave out one whose name says that it changes.
//!
//! A record cannot exchange what it has: one text or number of it that is nowhere says that it has gone, though others of its
//! words are somewhere, as those are that several have. Under the key of the entry there may be another record.
//!
//! Of a place that holds no more things than before, each of which holds more, these are the entries, too.
//!
//! One thing looks as if it went and has not: an entry whose only words of its own are exchanged.

use std::ops::Range;

use heap_base::{BitSet, Result, hash};
use heap_graph::Outline;

use super::finder::{CLASS, Finder, REST, Row};
use super::items;
use super::scene::{Scene, apart};
use super::waste::text_of;
use super::{Earlier, Holding};
use heap_ops::place::Sort;

/// Entries of a place that are remembered, at most.
const ENTRIES: usize = 128;
/// Words of each, at most.
const WORDS: usize = 8;
/// Nodes of each that are looked at.
const NODES: usize = 256;
/// So many must have words of their own.
const LEAST: usize = 20;
/// What is left of the first dump is next to nothing if so many times as much is no more than what a place has grown by.
const LEFT: u128 = 6;
/// Nearly all of what was there has stayed.
const STAY: (u128, u128) = (19, 20);
/// Of the words of a field that are found, so many may be in several entries, as one part.
const BY_CHANCE: u32 = 16;
/// In front of the name of a place whose things hold what is known.
const INSIDE: &str = "in:";
/// Hashes of keys are others than those of the same number elsewhere.
const KEY: u32 = 1 << 31;

/// What kind of word it is. Fields of a class are in groups from 1 to 31 ([`NumberMark`](heap_record::NumberMark)); the
/// group of a box is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A text that is the entry's key.
    Name,
    /// A number that is.
    Key,
    /// A text of an entry that never changes.
    Given,
    /// A text, or a number that comes once in the world.
    Own,
    /// A number of the entry that does not change while the entry is there.
    Fixed(u8),
    /// One that may be another tomorrow.
    Field(u8),
    /// The number of something that the entry holds.
    Part(u8),
}

impl Kind {
    /// How many there are.
    const COUNT: usize = 100;

    const fn index(self) -> usize {
        match self {
            Self::Name => 0,
            Self::Key => 1,
            Self::Given => 2,
            Self::Own => 3,
            Self::Fixed(group) => group as usize + 4,
            Self::Field(group) => group as usize + 36,
            Self::Part(group) => group as usize + 68,
        }
    }
}

/// What an entry says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Word {
    hash: u32,
    /// The entry, by number; there are [`ENTRIES`] at most.
    entry: u8,
    kind: Kind,
}

/// What some entries of a place say of themselves. Memory: 8 bytes for each word and each entry, 9 KB at most.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    /// Mark of the class of what the place holds.
    class: u64,
    /// Bytes of each entry that was looked at, without those of entries below it.
    sizes: Vec<u64>,
    /// Words that one entry alone has, by hash.
    words: Vec<Word>,
}

/// In how many entries a word is now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nowhere,
    /// In that with this rank.
    In(u32),
    InSeveral,
}

/// How many words of one kind there were, and how many of them are in one entry now and in several.
#[derive(Clone, Copy, Default)]
struct Tally {
    all: u32,
    one: u32,
    several: u32,
}

impl Tally {
    /// Whether numbers are found again by chance, as those that count something are.
    fn by_chance(self) -> bool {
        self.several * BY_CHANCE > self.one
    }

    /// Whether so many are still there that texts beside them were exchanged.
    fn stays(self) -> bool {
        self.one * 3 >= self.all * 2
    }
}

/// What has become of the words of one entry.
#[derive(Clone, Copy, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a question of its own")]
struct Fate {
    /// A text is there; one that is a key; a number that is, with nearly all others or not; another number.
    text: bool,
    name: bool,
    keys: bool,
    key: bool,
    number: bool,
    /// A text or a key is nowhere; a text that is a key; a text or a number of what never changes.
    lost: bool,
    renamed: bool,
    fixed: bool,
    /// The number of a field is nowhere.
    field: bool,
}

impl Fate {
    fn add(&mut self, kind: Kind, found: Found, tally: Tally) {
        match (kind, found) {
            (_, Found::InSeveral) | (Kind::Part(_), Found::Nowhere) => {}
            (Kind::Name, Found::In(_)) => self.name = true,
            (Kind::Name, Found::Nowhere) => self.renamed = true,
            (Kind::Own | Kind::Given, Found::In(_)) => self.text = true,
            (Kind::Given, Found::Nowhere) => self.fixed = true,
            (Kind::Key, Found::In(_)) => {
                self.key = true;
                self.keys |= tally.stays();
            }
            (Kind::Own | Kind::Key, Found::Nowhere) => self.lost = true,
            _ if tally.by_chance() => {}
            (_, Found::In(_)) => self.number = true,
            (Kind::Fixed(_), Found::Nowhere) => self.fixed = true,
            (Kind::Field(_), Found::Nowhere) => self.field = true,
        }
    }

    fn is_there(self) -> bool {
        if self.renamed && !self.name || self.fixed && !self.name && !self.key {
            false
        } else if self.lost {
            self.text || self.keys
        } else {
            self.text || self.key || self.number || !(self.fixed || self.field)
        }
    }
}

impl Sketch {
    /// Bytes of the entries that were looked at, and of those that are still there; `found` has each of the words.
    fn kept(&self, found: &[Found]) -> (u128, u128) {
        let mut tallies = [Tally::default(); Kind::COUNT];
        for (word, found) in self.words.iter().zip(found) {
            let tally = &mut tallies[word.kind.index()];
            tally.all += 1;
            tally.one += u32::from(matches!(found, Found::In(_)));
            tally.several += u32::from(*found == Found::InSeveral);
        }
        let mut fates = vec![Fate::default(); self.sizes.len()];
        for (word, &found) in self.words.iter().zip(found) {
            fates[usize::from(word.entry)].add(word.kind, found, tallies[word.kind.index()]);
        }
        let (mut all, mut stayed) = (0, 0);
        for (&size, fate) in self.sizes.iter().zip(fates) {
            (all, stayed) =
                (all + u128::from(size), stayed + if fate.is_there() { u128::from(size) } else { 0 });
        }
        (all, stayed)
    }
}

/// The objects that are of one group with the node `like`, from a rank on, by rank: each with the cell of a table that it alone is
/// in. One may lie below another, as links of a chain do.
fn entries(scene: &Scene<'_>, rank: u32, like: u32) -> Vec<Range<u32>> {
    let (tree, heap) = (scene.tree, &scene.loaded.heap);
    let (class, subtype, group) = (heap.class(like), heap.subtypes.get(like), scene.group(like));
    let is_element = scene.is_element(like);
    // Most are of another class, which is seen at once.
    let is_like = |node: u32| {
        node < scene.nodes()
            && (is_element || heap.class(node) == class)
            && heap.subtypes.get(node) == subtype
            && scene.group(node) == group
    };
    let mut entries: Vec<Range<u32>> = Vec::new();
    // What the present node is in, with the entry directly in it.
    let mut open: Vec<(Range<u32>, Only)> = Vec::new();
    for at in rank..tree.end(rank) {
        while let Some(cell) = open.pop_if(|(cell, _)| cell.end <= at) {
            widen(scene, &mut entries, cell);
        }
        let end = tree.end(at);
        if is_like(tree.node(at)) {
            if let Some((_, only)) = open.last_mut().filter(|(cell, _)| cell.start != rank) {
                *only = if *only == Only::Nothing { Only::Entry(entries.len()) } else { Only::Several };
            }
            entries.push(at..end);
        }
        if end > at + 1 {
            open.push((at..end, Only::Nothing));
        }
    }
    while let Some(cell) = open.pop() {
        widen(scene, &mut entries, cell);
    }
    heap_base::sort_by_key(&mut entries, |entry| entry.start);
    entries
}

/// Those of several places, which are one by their name.
fn entries_in(scene: &Scene<'_>, ranks: &[u32], like: u32) -> Vec<Range<u32>> {
    apart(ranks.iter().map(|&rank| rank..scene.tree.end(rank)))
        .into_iter()
        .flat_map(|place| entries(scene, place.start, like))
        .collect()
}

/// Under what is remembered what the things of a place hold.
pub(super) fn key_inside(key: &str) -> String {
    format!("{INSIDE}{key}")
}

/// What hangs directly below a node of the entries of a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Only {
    Nothing,
    /// One, by its place among the entries.
    Entry(usize),
    Several,
}

/// Makes an entry begin with the cell that holds it and no other.
fn widen(scene: &Scene<'_>, entries: &mut [Range<u32>], (cell, only): (Range<u32>, Only)) {
    if let Only::Entry(at) = only
        && scene.own().is_cell(scene.tree.node(cell.start))
    {
        entries[at] = cell;
    }
}

/// The words that the node of a rank is or refers to, each with its kind; `first`: the entry begins with it, so it may be the cell
/// that holds the entry. `like` is an entry.
fn words_at(
    scene: &Scene<'_>,
    rank: u32,
    (first, like): (bool, u32),
    each: &mut dyn FnMut(u32, Kind),
) -> Result {
    let (heap, strings, texts) = (&scene.loaded.heap, &scene.loaded.context.strings, &scene.clues.texts);
    let node = scene.tree.node(rank);
    if node >= scene.nodes() {
        return Ok(());
    }
    let is_entry = scene.group(node) == scene.group(like);
    let of = |group| if is_entry { Kind::Field(group) } else { Kind::Part(group) };
    // The entry itself may be made so that it cannot change; what else cannot is exchanged as a whole.
    let is_fixed = is_entry && texts.numbers(node).any(|mark| mark.group() > 0 && mark.is_fixed());
    let mut word = |node: u32, is_key: bool, of_text: Kind| {
        if scene.own().sort(node) == Sort::Text {
            if let Some(hash) = text_of(heap, texts, node).and_then(|id| strings.hash(id)) {
                each(hash, of_text);
                if is_key {
                    each(hash ^ KEY, Kind::Name);
                }
            }
        } else if let Some(mark) = texts.numbers(node).next().filter(|mark| mark.group() == 0) {
            match (is_key, mark.is_fixed()) {
                (true, _) => each(mark.0 ^ KEY, Kind::Key),
                (false, true) => each(mark.0, Kind::Own),
                (false, false) => each(mark.0, of(0)),
            }
        }
    };
    word(node, false, Kind::Own);
    // A text or a number to which a cell of the runtime's refers is a key, as the entry is none.
    let is_cell = first && scene.own().is_cell(node) && !scene.own().is_own(node);
    scene.edges(node, |(_, end, _)| {
        // Another entry has its own words.
        if end < scene.nodes() && (first || scene.group(end) != scene.group(like)) {
            word(end, is_cell, if is_fixed { Kind::Given } else { Kind::Own });
        }
    })?;
    for mark in texts.numbers(node).filter(|mark| mark.group() > 0) {
        let group = mark.group() as u8;
        each(mark.0, if is_fixed && mark.is_fixed() { Kind::Fixed(group) } else { of(group) });
    }
    Ok(())
}

/// Of the words of all entries those that one alone has, by hash: of each entry a few, those first that say most, and of these
/// those that come first, since hashes are others in each process.
fn own_words(words: Vec<Word>) -> Vec<Word> {
    let mut words: Vec<(Word, u32)> = words.into_iter().zip(0..).collect();
    heap_base::sort(&mut words);
    // Of several kinds that which says most: the node of a number that a field has is not in the entry itself.
    words.dedup_by_key(|(word, _)| (word.hash, word.entry));
    let own = words.chunk_by(|(one, _), (other, _)| one.hash == other.hash).filter(|same| same.len() == 1);
    let mut own: Vec<(Word, u32)> = own.flatten().copied().collect();
    heap_base::sort_by_key(&mut own, |(word, at)| (word.entry, word.kind, *at));
    let few =
        own.chunk_by(|(one, _), (other, _)| one.entry == other.entry).flat_map(|of| of.iter().take(WORDS));
    let mut own: Vec<Word> = few.map(|(word, _)| *word).collect();
    heap_base::sort_by_key(&mut own, |word| word.hash);
    own
}

/// Of the things that a place holds: one of what piles up, with their number; all that the row speaks of; and how many these are.
type Things<'a> = (Option<(u32, u64)>, &'a [u32], Option<&'a Holding>);

impl Finder<'_> {
    /// What is remembered of the entries of a place; `None` if too few say something of themselves. O(nodes below it), and the edges
    /// of [`NODES`] for each of [`ENTRIES`].
    pub(super) fn sketch(&self, row: &Row) -> Result<Option<Sketch>> {
        let Some((first, _)) = row.items.piled() else { return Ok(None) };
        if row.crowd {
            return self.sketch_of(&self.all_like(&row.ranks, first), first);
        }
        self.sketch_of(&entries_in(self.scene, &row.ranks, first), first)
    }

    /// The same of what each of its things holds: of those that are as `inner` is, where that is known.
    pub(super) fn sketch_inside(&self, row: &Row, inner: Option<u32>) -> Result<Option<Sketch>> {
        match inner.or_else(|| items::most_in(self.scene, &row.ranks, &row.items.nodes)) {
            Some(node) if !row.crowd => self.sketch_of(&entries_in(self.scene, &row.ranks, node), node),
            _ => Ok(None),
        }
    }

    /// The same of objects of one class that hang directly below the roots, by rank.
    pub(super) fn sketch_of_crowd(&self, ranks: &[u32]) -> Result<Option<Sketch>> {
        let tree = self.scene.tree;
        let Some(&first) = ranks.first() else { return Ok(None) };
        let all: Vec<Range<u32>> = ranks.iter().map(|&rank| rank..tree.end(rank)).collect();
        self.sketch_of(&all, tree.node(first))
    }

    /// Those of some ranks that are of one group with a node, as far as what is below them reaches.
    fn all_like(&self, ranks: &[u32], node: u32) -> Vec<Range<u32>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let group = scene.group(node);
        let like = ranks.iter().filter(|&&rank| scene.group(tree.node(rank)) == group);
        like.map(|&rank| rank..tree.end(rank)).collect()
    }

    fn sketch_of(&self, entries: &[Range<u32>], first: u32) -> Result<Option<Sketch>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        if entries.len() < LEAST {
            return Ok(None);
        }
        let step = entries.len().div_ceil(ENTRIES);
        let (mut words, mut sizes): (Vec<Word>, Vec<u64>) = (Vec::new(), Vec::new());
        for (number, first_of) in (0..).zip((0..entries.len()).step_by(step)) {
            let Range { start, end } = entries[first_of].clone();
            let (mut at, mut next, mut size, mut looked) = (start, first_of + 1, tree.retained(start), 0);
            while at < end {
                // What lies in another entry is that one's.
                let other = entries.get(next).map_or(end, |other| other.start.min(end));
                for rank in (at..other).take(NODES - looked) {
                    words_at(scene, rank, (rank == start, first), &mut |hash, kind| {
                        words.push(Word { hash, entry: number, kind });
                    })?;
                    looked += 1;
                }
                at = other;
                if at < end {
                    size = size.saturating_sub(tree.retained(at));
                    at = entries[next].end;
                    next += entries[next..].partition_point(|other| other.start < at);
                }
            }
            sizes.push(size);
        }
        let words = own_words(words);
        let known: BitSet = words.iter().map(|word| word.entry.into()).collect();
        let is_enough = known.count() >= LEAST as u64;
        if !is_enough {
            return Ok(None);
        }
        Ok(Some(Sketch { class: hash::mark(&scene.class(first)?), sizes, words }))
    }

    /// Whether what a place holds comes and goes, by what its entries say of themselves: most of those that were there in the dump
    /// before have gone, and those that have stayed are few beside what it has grown by, as
    /// [`come_and_go`](super::growth::Growth::come_and_go) has it. So are they if next to nothing is left of the first dump, which
    /// had as much as half of that: what had piled up by then would still be there. `then` is how the place was called in
    /// each dump. O(edges below it).
    pub(super) fn is_renewed(
        &self,
        (keys, then): (&[String], &[String]),
        (ranks, (piled, items, held), crowd): (&[u32], Things<'_>, bool),
        history: &[u64],
    ) -> Result<bool> {
        let (None, Some((first, _)), [key, ..]) = (&self.growth, piled, keys) else { return Ok(false) };
        if crowd {
            let of_class = format!("{CLASS}{}", self.scene.class(first)?);
            let key = if key.starts_with(REST) { key } else { &of_class };
            let all = self.all_like(ranks, first);
            return self.have_gone((key, key), (&all, &all), first, history);
        }
        if keys.len() > 1 {
            return Ok(false);
        }
        let (old, last) = (then.first().unwrap_or(key), then.last().unwrap_or(key));
        let places = apart(ranks.iter().map(|&rank| rank..self.scene.tree.end(rank)));
        let all = entries_in(self.scene, ranks, first);
        if self.have_gone((old, last), (&places, &all), first, history)? {
            return Ok(true);
        }
        // No more things than before, each of which holds more.
        let are_more = |held: &Holding| {
            let before = self.number_before(std::slice::from_ref(old), held);
            before.is_none_or(|before| held.count * 10 > before * 11)
        };
        if held.is_none_or(are_more) {
            return Ok(false);
        }
        match items::most_in(self.scene, ranks, items) {
            Some(node) => {
                let keys = (&*key_inside(old), &*key_inside(last));
                self.have_gone(keys, (&places, &entries_in(self.scene, ranks, node)), node, history)
            }
            None => Ok(false),
        }
    }

    /// The opposite: whether nearly all that was looked at in the first dump and in the one before is still there.
    pub(super) fn all_stay(
        &self,
        (keys, then): (&[String], &[String]),
        (ranks, (piled, ..), crowd): (&[u32], Things<'_>, bool),
    ) -> Result<bool> {
        let (None, Some((first, _)), [key]) = (&self.growth, piled, keys) else { return Ok(false) };
        let class = self.scene.class(first)?;
        let of_class = format!("{CLASS}{class}");
        let all = if crowd { self.all_like(ranks, first) } else { entries_in(self.scene, ranks, first) };
        let places = apart(ranks.iter().map(|&rank| rank..self.scene.tree.end(rank)));
        let mark = hash::mark(&class);
        for (dump, then) in [(self.earlier.first(), then.first()), (self.earlier.last(), then.last())] {
            let key = if crowd && !key.starts_with(REST) { &of_class } else { then.unwrap_or(key) };
            let sketch = dump.and_then(|dump| dump.places.sketches.get(key)).filter(|of| of.class == mark);
            let Some(sketch) = sketch else { return Ok(false) };
            let (looked, kept) = self.kept(sketch, (if crowd { &all } else { &places }, &all), first)?;
            if looked == 0 || kept * STAY.1 < looked * STAY.0 {
                return Ok(false);
            }
        }
        Ok(!self.earlier.is_empty())
    }

    /// [`is_renewed`](Self::is_renewed) of the entries of some places that are as `first` is, remembered under these names in the
    /// first dump and in the one before.
    fn have_gone(
        &self,
        (old, last): (&str, &str),
        there: (&[Range<u32>], &[Range<u32>]),
        first: u32,
        history: &[u64],
    ) -> Result<bool> {
        let class = hash::mark(&self.scene.class(first)?);
        let &[start, .., before, now] = history else { return Ok(false) };
        let kept = |dump: Option<&Earlier>, key: &str| {
            let sketches = &dump?.places.sketches;
            let of = |key: &str| sketches.get(key).filter(|of| of.class == class);
            let sketch = of(key).or_else(|| of(&key_inside(key)))?;
            Some(self.kept(sketch, there, first))
        };
        let growth = u128::from(now.saturating_sub(start));
        match kept(self.earlier.last(), last).transpose()? {
            Some((looked, kept)) if kept * 2 > looked => return Ok(false),
            Some((looked, kept)) if kept * u128::from(before) * 4 <= growth * looked => return Ok(true),
            // It was a table too large for what it held.
            _ => {}
        }
        let Some((looked, kept)) = kept(self.earlier.first(), old).transpose()? else { return Ok(false) };
        Ok(u128::from(start) * 2 >= growth && kept * u128::from(start) * LEFT <= growth * looked)
    }

    /// Bytes of the entries of a sketch that were looked at, and of those that are still in these places.
    fn kept(
        &self,
        sketch: &Sketch,
        (places, entries): (&[Range<u32>], &[Range<u32>]),
        first: u32,
    ) -> Result<(u128, u128)> {
        let mut found = vec![Found::Nowhere; sketch.words.len()];
        // The entries that the present node is in, the innermost last.
        let (mut open, mut next): (Vec<Range<u32>>, _) = (Vec::new(), entries.iter().cloned().peekable());
        for at in places.iter().cloned().flatten() {
            while open.pop_if(|entry| entry.end <= at).is_some() {}
            open.extend(next.next_if(|entry| entry.start == at));
            let entry = open.last().map_or(Outline::ROOT, |entry| entry.start);
            words_at(self.scene, at, (entry == at, first), &mut |hash, _| {
                if let Ok(word) = sketch.words.binary_search_by_key(&hash, |word| word.hash) {
                    found[word] = match found[word] {
                        Found::Nowhere => Found::In(entry),
                        Found::In(other) if other == entry => Found::In(entry),
                        _ => Found::InSeveral,
                    };
                }
            })?;
        }
        Ok(sketch.kept(&found))
    }
}
