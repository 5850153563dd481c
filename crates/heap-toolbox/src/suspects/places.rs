//! Places by their names, where objects cannot be known again in another dump: what each retains is remembered, and what has
//! grown is found by it.

use std::cmp::Reverse;

use heap_base::{BitSet, Map, Plus, Result, sort_by_key};

use super::Holding;
use super::content::{Sketch, key_inside};
use super::finder::{CLASS, Finder, Row, STEPS};
use super::holders::{self, Point};
use super::items::Items;
use super::locals::Local;
use super::within::Among;
use crate::cells;
use heap_ops::place::{Name, Names, Sort, Way};

/// In the name of what several objects are, or have.
const ANY: &str = "[*]";
/// In the name of a field that several objects have, which is none of these themselves.
const ANY_FIELD: &str = "[*].";
/// Places that retain less are not remembered for later dumps, and no more than so many.
const REMEMBERED: u64 = 512;
const PLACES: usize = 20_000;
/// In front of a name in which several places are, where their number is remembered.
const NUMBER: &str = "number:";

/// Under what the number of places with one name is remembered.
pub(super) fn number_of(name: &str) -> String {
    format!("{NUMBER}{name}")
}

/// Under what the number of things is remembered that a place holds, by its name and their class.
fn number_held(name: &str, class: &str) -> String {
    format!("{NUMBER}{name}\0{class}")
}

/// In front of the class of the only object of a class of the program's that retains something.
const ONLY: &str = "only:";
/// In front of the class and the field of the only place that such a field of the program's leads to.
const FIELD: &str = "field:";
/// Of what has grown to some bytes, what was there of its kind under other names is little below this part.
const LITTLE: u64 = 10;

/// The class of a holder with that of what it holds.
pub(super) fn kind_of(holder: &str, items: &Items) -> String {
    format!("{holder}\0{}", items.holds.first().map_or("", |of| of.class.as_str()))
}

/// Whether two names differ in numbers alone, as those of threads of a pool, each of which came in place of another.
pub(super) fn differ_in_numbers(one: &str, other: &str) -> bool {
    let is_number = |c: char| c.is_ascii_digit();
    one.split(is_number)
        .filter(|part| !part.is_empty())
        .eq(other.split(is_number).filter(|part| !part.is_empty()))
}

/// A place of an earlier dump: its [kind](kind_of), if it had a row; its name, if it had one; and what it retained.
#[derive(Clone, Debug)]
pub(super) struct Known {
    kind: String,
    name: String,
    bytes: u64,
}

/// By what else a rank is known.
fn keys_of(only: &[(u32, String)], rank: u32) -> impl Iterator<Item = &String> {
    let from = only.partition_point(|of| of.0 < rank);
    only[from..].iter().take_while(move |of| of.0 == rank).map(|of| &of.1)
}

/// What has grown, by the names of places; and how else these are known.
#[derive(Default)]
pub(super) struct Grown {
    pub(super) points: Vec<Point>,
    pub(super) others: Others,
}

/// How places of the last dump are known beside by their names.
#[derive(Default)]
pub(super) struct Others {
    /// By rank, see [`Finder::only_ones`].
    only: Vec<(u32, String)>,
    /// Rows: [kind](kind_of) and name.
    rows: Vec<(String, String)>,
}

impl Others {
    /// Adds a row.
    pub(super) fn add(&mut self, kind: &str, keys: &[String]) {
        self.rows.extend(keys.iter().map(|key| (kind.to_owned(), key.clone())));
    }
}

/// What is remembered of the places of a dump whose objects cannot be known again, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// What each retains, and how many there are, see [`number_of`].
    pub(super) figures: Map<String, u64>,
    /// Of a name that several may have, what each retains, the largest first.
    pub(super) each: Map<String, Vec<u64>>,
    /// What their entries say of themselves.
    pub(super) sketches: Map<String, Sketch>,
    /// By [`CLASS`], bytes of what hangs directly below the roots and was large enough for a row of its own.
    pub(super) large: Map<String, Vec<u64>>,
    /// Places that are known by something else, too, and rows.
    pub(super) known: Vec<Known>,
    /// The first by what they are known by, see [`Finder::only_ones`]: where they stand in `known`.
    pub(super) others: Map<String, u64>,
}

impl Places {
    /// What the place of a key retained, where what has `floor` is large enough for a row of its own now. In a small dump that is
    /// what was no more than one of many later.
    pub(super) fn retained(&self, key: &str, floor: u64) -> u64 {
        let large = self.large.get(key).into_iter().flatten().filter(|&&bytes| bytes < floor);
        large.fold(self.figures.get(key).copied().unwrap_or(0), |sum, &bytes| sum.plus(bytes))
    }

    /// The same of so many places of a name that several may have: the largest of them. The one that grows among many is the largest
    /// before it has most of what they have.
    pub(super) fn of_largest(&self, key: &str, count: usize, floor: u64) -> u64 {
        match self.each.get(key) {
            Some(each) => cells::sum(each.iter().take(count).copied()),
            None => self.retained(key, floor),
        }
    }
}

impl<'a> Finder<'a> {
    /// How many of what a place holds there were in the first dump, if it had a row then.
    pub(super) fn number_before(&self, keys: &[String], held: &Holding) -> Option<u64> {
        self.number_held_before(keys, &held.class)
    }

    /// The same of a class, which may be another one than that which is spoken of.
    pub(super) fn number_held_before(&self, keys: &[String], class: &str) -> Option<u64> {
        let [key] = keys else { return None };
        self.earlier.first()?.places.figures.get(&number_held(key, class)).copied()
    }

    /// Ranks of places that may have a name.
    fn ranks_of_places(&self) -> Vec<u32> {
        let tree = self.scene.tree;
        let sizes = (0..tree.len()).map(|rank| (Reverse(tree.retained(rank)), rank));
        let mut largest: Vec<(Reverse<u64>, u32)> = sizes.filter(|of| of.0.0 >= REMEMBERED).collect();
        if largest.len() > PLACES {
            largest.select_nth_unstable(PLACES);
            largest.truncate(PLACES);
        }
        largest.sort_unstable();
        let mut ranks: Vec<u32> = largest.into_iter().map(|(_, rank)| rank).collect();
        // Of a list only the first link: a link further down is no place.
        let links = holders::later_links(self.scene, &ranks);
        ranks.retain(|&rank| !links.contains(rank));
        ranks
    }

    /// How places are known, whatever way leads to them: by class and field, where one of them alone is such a field of an object
    /// of the program's, and by class, where one alone is of a class of the program's.
    fn only_ones(&self, places: &[(u32, String)], names: &Names<'_>) -> Result<Vec<(u32, String)>> {
        let (scene, own) = (self.scene, self.scene.own());
        let (tree, loaded) = (scene.tree, scene.loaded);
        let mut all: Map<String, Option<u32>> = Map::default();
        let mut add = |key: String, rank: Option<u32>| {
            all.entry(key).and_modify(|of| *of = None).or_insert(rank);
        };
        for &(rank, _) in places {
            let Some(edge) = names.last(tree.node(rank)).filter(|&edge| scene.way(edge) == Way::Member)
            else {
                continue;
            };
            let source = loaded.heap.graph.source(edge);
            if own.is_own(source)
                && let Some(label) = loaded.label(edge)?
            {
                add(format!("{FIELD}{}\0{label}", scene.class(source)?), Some(rank));
            }
        }
        let mut of_group: Map<u64, Option<u32>> = Map::default();
        for rank in self.ranks_of_places() {
            let node = tree.node(rank);
            if node < scene.nodes() && own.sort(node) == Sort::Object && own.is_own(node) {
                of_group.entry(scene.group(node)).and_modify(|of| *of = None).or_insert(Some(rank));
            }
        }
        // Several groups may have one name.
        for rank in of_group.into_values().flatten() {
            add(format!("{ONLY}{}", scene.class(tree.node(rank))?), Some(rank));
        }
        // Of each the field first.
        let mut only: Vec<(u32, String)> =
            all.into_iter().filter_map(|(key, rank)| Some((rank?, key))).collect();
        only.sort_unstable();
        Ok(only)
    }

    /// What a place retained in an earlier dump, and its name there. Another way may have led to it, by another name: that of what
    /// is known by the same class or field, or of what alone was of its kind and had a name that differs in numbers. None where
    /// that is not known, but something of its kind was there that has gone.
    pub(super) fn before(
        &self,
        (rank, key, kind): (u32, &str, &str),
        others: &Others,
        dump: &Places,
    ) -> Option<(String, u64)> {
        let scene = self.scene;
        let by_name = dump.of_largest(key, 1, scene.floor);
        if by_name > 0 {
            return Some((key.to_owned(), by_name));
        }
        if let Some(&at) = keys_of(&others.only, rank).find_map(|key| dump.others.get(key)) {
            let known = &dump.known[at as usize];
            return Some((known.name.clone(), known.bytes));
        }
        if kind.is_empty() {
            return Some((key.to_owned(), 0));
        }
        let is_now = |name: &str| others.rows.iter().any(|of| of.0 == kind && of.1 == name);
        let gone = || dump.known.iter().filter(|of| of.kind == kind && !is_now(&of.name));
        let was_then = |name: &str| dump.known.iter().any(|of| of.kind == kind && of.name == name);
        let new = others.rows.iter().filter(|of| of.0 == kind && !was_then(&of.1)).count();
        if let (Some(known), 1, 1) = (gone().next(), gone().count(), new)
            && differ_in_numbers(&known.name, key)
        {
            return Some((known.name.clone(), known.bytes));
        }
        let bytes = cells::sum(gone().map(|of| of.bytes));
        (bytes < scene.tree.retained(rank) / LITTLE || bytes == 0).then(|| (key.to_owned(), 0))
    }

    /// The nodes to which [`by_name`](Self::by_name) and [`grown_places`](Self::grown_places) need the ways.
    pub(super) fn targets_of_places(&self) -> BitSet {
        let (scene, tree) = (self.scene, self.scene.tree);
        let points = holders::points(scene, |rank| tree.retained(rank), scene.floor);
        let ranks = self.ranks_of_places().into_iter().chain(points.iter().map(|point| point.rank));
        let ranks = ranks.chain(points.iter().filter_map(|point| self.next_of(point)));
        let locals = self.locals(REMEMBERED);
        let nodes = ranks.map(|rank| tree.node(rank)).chain(locals.iter().flat_map(Local::nodes));
        nodes.filter(|&node| node < scene.nodes()).collect()
    }

    /// Places with a name by rank; and the ways to these and to `more` nodes.
    fn places(&self, more: impl Iterator<Item = u32>) -> Result<(Vec<(u32, String)>, Names<'a>)> {
        let scene = self.scene;
        let tree = scene.tree;
        let ranks = self.ranks_of_places();
        let nodes = scene.nodes();
        let all = ranks.iter().map(|&rank| tree.node(rank)).chain(more);
        let targets: BitSet = all.filter(|&node| node < nodes).collect();
        let names = Names::new(scene.naming, &targets)?;
        let mut places = Vec::new();
        for rank in ranks {
            let node = tree.node(rank);
            // What stands far down a list is no place, and its name would cost as much as the list is long.
            if node >= nodes || scene.is_root(node) || !names.is_near(node, STEPS) {
                continue;
            }
            // What a name of the program leads to is no inner part, whatever it is to the runtime.
            let by_name = |name: &Name| {
                let way = name.steps.last().map_or(Way::Inner, |step| step.way);
                matches!(way, Way::Variable | Way::Static | Way::Member | Way::Local)
            };
            if let Some(name) = names.name(node)?
                && name.node == node
                && !name.text.is_empty()
                && (by_name(&name) || !scene.own().is_cell(node))
            {
                places.push((rank, self.key_of_name(&name, node)?));
            }
        }
        // Parts of a place may be called as it is; they are in what it retains.
        places.sort_unstable();
        let mut ends: Map<String, u32> = Map::default();
        places.retain(|(rank, name)| match ends.get_mut(name) {
            Some(end) if *rank < *end => false,
            Some(end) => {
                *end = tree.end(*rank);
                true
            }
            None => {
                ends.insert(name.clone(), tree.end(*rank));
                true
            }
        });
        Ok((places, names))
    }

    /// What places retain, by name, and what their entries say, for later dumps in which objects cannot be known again.
    pub(super) fn by_name(&self) -> Result<Places> {
        let scene = self.scene;
        let tree = scene.tree;
        let mut by_name: Map<String, u64> = Map::default();
        let points = holders::points(scene, |rank| tree.retained(rank), scene.floor);
        let more = points.iter().flat_map(|point| [Some(point.rank), self.next_of(point)]).flatten();
        let locals = self.locals(REMEMBERED);
        let variables = locals.iter().flat_map(Local::nodes);
        let (places, names) = self.places(more.map(|rank| tree.node(rank)).chain(variables))?;
        let only = self.only_ones(&places, &names)?;
        let (mut known, mut others) = (Vec::new(), Map::default());
        let mut add = |rank: u32, kind: &str, name: &str| {
            let mut is_known = !kind.is_empty();
            for key in keys_of(&only, rank) {
                others.insert(key.clone(), known.len() as u64);
                is_known = true;
            }
            if is_known {
                let (kind, name) = (kind.to_owned(), name.to_owned());
                known.push(Known { kind, name, bytes: tree.retained(rank) });
            }
        };
        for &(rank, _) in &only {
            add(rank, "", "");
        }
        let mut each: Map<String, Vec<u32>> = Map::default();
        for (rank, name) in places {
            add(rank, "", &name);
            if name.contains(ANY) {
                *by_name.entry(number_of(&name)).or_default() += 1;
                each.entry(name.clone()).or_default().push(rank);
            }
            let sum = by_name.entry(name).or_default();
            *sum = sum.plus(tree.retained(rank));
        }
        // Rows of this dump, as the last one will have them: some measure what only leads to the object that their name names.
        let mut rows: Map<String, Vec<u32>> = Map::default();
        let mut looked_at: Map<String, (Row, Option<u32>)> = Map::default();
        for point in &points {
            let Some(row) = self.row_of(point, &names, false)? else { continue };
            // A later dump may have a row of what is in each of a few.
            if row.items.many.is_some()
                && let Some(row) = self.row_of(point, &names, true)?
                && let ([key], [_, _, ..]) = (&row.keys[..], &row.ranks[..])
            {
                looked_at.insert(key.clone(), (row, None));
            }
            if let ([key], [rank]) = (&row.keys[..], &row.ranks[..])
                && !rows.contains_key(key)
            {
                add(*rank, &kind_of(&scene.class(row.holder)?, &row.items), key);
            }
            // What is in containers will be said if these are no more then.
            let inside = match &row.ranks[..] {
                &[rank] if !row.crowd => self.within(rank, &row.items, Among::Any)?,
                _ => None,
            };
            let inner = inside.as_ref().and_then(|of| of.items.piled()).map(|(node, _)| node);
            for key in row.keys.iter().filter(|key| !key.starts_with(CLASS)) {
                let all = [Some(&row.items), inside.as_ref().map(|of| &of.items)].into_iter().flatten();
                // Where two say a number of one class, it is that of the whole place.
                let mut numbers: Vec<(String, u64)> = Vec::new();
                for held in all.flat_map(|of| &of.holds) {
                    let key = number_held(key, &held.class);
                    if numbers.iter().all(|known| known.0 != key) {
                        numbers.push((key, held.count));
                    }
                }
                let known = rows.entry(key.clone()).or_default();
                let is_apart = |other: &u32| tree.end(*other) <= row.rank || tree.end(row.rank) <= *other;
                if known.iter().all(is_apart) {
                    match looked_at.get_mut(key) {
                        None => drop(looked_at.insert(key.clone(), (row.clone(), inner))),
                        Some((known, _)) => {
                            known.ranks.extend(&row.ranks);
                            known.items.nodes.extend(&row.items.nodes);
                        }
                    }
                    known.extend(&row.ranks);
                    for (number, count) in numbers {
                        *by_name.entry(number).or_default() += count;
                    }
                }
            }
        }
        // The largest of many alike may be a row of a later dump.
        for (name, ranks) in &each {
            let largest = ranks.iter().copied().max_by_key(|&rank| (tree.retained(rank), Reverse(rank)));
            let Some(rank) = largest.filter(|&rank| tree.retained(rank) >= scene.floor) else { continue };
            let links = holders::list_at(scene, rank);
            let point = Point { rank, bytes: tree.retained(rank), links, apart: Vec::new() };
            if !rows.contains_key(name)
                && let Some(row) = self.row_of(&point, &names, false)?
                && row.keys[..] == [name.clone()]
            {
                looked_at.entry(name.clone()).or_insert((row, None));
            }
        }
        let mut sketches: Map<String, Sketch> = Map::default();
        for (key, (row, inner)) in looked_at {
            let inside = self.sketch_inside(&row, inner)?.map(|sketch| (key_inside(&key), sketch));
            sketches.extend(inside);
            sketches.extend(self.sketch(&row)?.map(|sketch| (key, sketch)));
        }
        let bytes = |ranks: Vec<u32>| cells::sum(ranks.into_iter().map(|rank| tree.retained(rank)));
        let mut sizes: Map<String, Vec<u64>> = Map::default();
        for (name, mut ranks) in each {
            // Some rows measure what only leads to the object that has the name.
            let known = rows.remove(&name).unwrap_or_default();
            let is_apart = |rank: u32| known.iter().all(|&of| tree.end(of) <= rank || tree.end(rank) <= of);
            ranks.retain(|&rank| is_apart(rank));
            let mut all: Vec<u64> = ranks.iter().chain(&known).map(|&rank| tree.retained(rank)).collect();
            sort_by_key(&mut all, |&bytes| Reverse(bytes));
            by_name.insert(name.clone(), cells::sum(all.iter().copied()));
            sizes.insert(name, all);
        }
        by_name.extend(rows.into_iter().map(|(key, ranks)| (key, bytes(ranks))));
        // Several may have one name, as those of classes that were loaded again and again.
        let mut of_threads: Map<String, u64> = Map::default();
        for local in &locals {
            if let Some(name) = self.name_of_local(local, &names)? {
                *of_threads.entry(number_of(&name.text)).or_default() += local.threads();
                sizes.remove(&name.text);
                let sum = of_threads.entry(name.text).or_default();
                *sum = sum.plus(local.bytes);
            }
        }
        by_name.extend(of_threads);
        let mut crowds = holders::below_roots(scene, |rank| tree.retained(rank), REMEMBERED);
        // Of two of one class the larger.
        sort_by_key(&mut crowds, |of| (Reverse(of.bytes), of.group));
        let mut large: Map<String, Vec<u64>> = Map::default();
        for of in crowds {
            let Some(&first) = of.ranks.first().or(of.large.first()) else { continue };
            let key = format!("{CLASS}{}", scene.class(tree.node(first))?);
            if by_name.contains_key(&key) {
                continue;
            }
            if of.bytes >= scene.floor
                && let Some(sketch) = self.sketch_of_crowd(&of.ranks)?
            {
                sketches.insert(key.clone(), sketch);
            }
            large.insert(key.clone(), of.large.iter().map(|&rank| tree.retained(rank)).collect());
            by_name.insert(key, of.bytes);
        }
        Ok(Places { figures: by_name, each: sizes, sketches, large, known, others })
    }

    /// Places that have grown since the first dump, where objects cannot be known again: those with the same name are the
    /// same, and grow together. Of places one below the other only the lowest, if they have grown by most of what the others
    /// have; of many with one name, `accounts[*].changes`, small ones are no places, nor are they all if there are more of them
    /// than there were, each no larger: then it is `accounts` that grows.
    pub(super) fn grown_places(&self) -> Result<Grown> {
        let (tree, least) = (self.scene.tree, self.scene.floor);
        let Some(first) = self.earlier.first() else { return Ok(Grown::default()) };
        let (places, names) = self.places(std::iter::empty())?;
        let others = Others { only: self.only_ones(&places, &names)?, ..Others::default() };
        // Of each name what it has now, and that of its large ones, with their numbers.
        let mut sums: Map<&str, [(u64, u64); 2]> = Map::default();
        for (rank, name) in &places {
            let (bytes, sums) = (tree.retained(*rank), sums.entry(name).or_default());
            for (sum, least) in sums.iter_mut().zip([0, least]) {
                if bytes >= least {
                    *sum = (sum.0.plus(bytes), sum.1 + 1);
                }
            }
        }
        let before = |name: &str| first.places.figures.get(name).copied().unwrap_or(0);
        // Each has its part of what its name has grown by.
        let grown = places.iter().filter_map(|(rank, name)| {
            let [(now, count), (large, large_count)] = sums[name.as_str()];
            let mut known = before(name);
            if known == 0 && count == 1 {
                known = self.before((*rank, name, ""), &others, &first.places).map_or(0, |of| of.1);
            }
            let growth = now.saturating_sub(known);
            let bytes = tree.retained(*rank);
            let part =
                |of: u64, all: u64| (u128::from(of) * u128::from(bytes) / u128::from(all.max(1))) as u64;
            if name.contains(ANY) {
                let new = count.saturating_sub(before(&number_of(name)));
                let by_number = u128::from(now) * u128::from(new) / u128::from(count.max(1));
                if by_number * 2 >= u128::from(growth) && new > 0 && (count > 1 || name.contains(ANY_FIELD)) {
                    return None;
                }
                // A few among many that have grown by most of what all have, and were no larger part of these then.
                let then = first.places.of_largest(name, large_count as usize, least);
                let theirs = large.saturating_sub(then);
                if bytes >= least && theirs >= self.floor && theirs.saturating_mul(2) >= growth {
                    return Some((*rank, part(theirs, large), name.as_str()));
                }
            }
            let is_many = name.contains(ANY_FIELD) && bytes >= least && large >= now / 2;
            let is_place = growth >= self.floor && (bytes == now || is_many);
            is_place.then_some((*rank, part(growth, now), name.as_str()))
        });
        let mut grown: Vec<(u32, u64, &str)> = grown.collect();
        heap_base::sort(&mut grown);
        let lower = |&(rank, bytes, _): &(u32, u64, &str)| {
            let from = grown.partition_point(|&(other, ..)| other <= rank);
            let below = grown[from..].iter().take_while(|&&(other, ..)| other < tree.end(rank));
            let mut sums: Map<&str, u64> = Map::default();
            for &(_, part, name) in below {
                let sum = sums.entry(name).or_default();
                *sum = sum.plus(part);
            }
            sums.into_values().max().unwrap_or(0) >= bytes / 2
        };
        let lowest = grown.iter().filter(|place| !lower(place));
        let point = |&(rank, bytes, _): &(u32, u64, &str)| {
            let links = holders::list_at(self.scene, rank);
            Point { rank, bytes, links, apart: Vec::new() }
        };
        let points = lowest.map(point).collect();
        Ok(Grown { points, others })
    }
}
