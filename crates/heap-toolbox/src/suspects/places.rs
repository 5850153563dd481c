//! Places by their names, where objects cannot be known again in another dump: what each retains is remembered, and what has
//! grown is found by it.

use std::cmp::Reverse;

use heap_base::{BitSet, Map, Plus, Result, sort_by_key};

use super::Holding;
use super::content::Sketch;
use super::finder::{CLASS, Finder, STEPS};
use super::holders::{self, Point};
use super::locals::Local;
use crate::cells;
use heap_ops::place::{Name, Names, Sort, Way};

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

/// What is remembered of the places of a dump whose objects cannot be known again, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// What each retains, and how many there are, see [`number_of`].
    pub(super) figures: Map<String, u64>,
    /// What their entries say of themselves.
    pub(super) sketches: Map<String, Sketch>,
    /// By [`CLASS`], bytes of what hangs directly below the roots and was large enough for a row of its own.
    pub(super) large: Map<String, Vec<u64>>,
}

impl Places {
    /// What the place of a key retained, where what has `floor` is large enough for a row of its own now. In a small dump that is
    /// what was no more than one of many later.
    pub(super) fn retained(&self, key: &str, floor: u64) -> u64 {
        let large = self.large.get(key).into_iter().flatten().filter(|&&bytes| bytes < floor);
        large.fold(self.figures.get(key).copied().unwrap_or(0), |sum, &bytes| sum.plus(bytes))
    }
}

impl<'a> Finder<'a> {
    /// How many of what a place holds there were in the first dump, if it had a row then.
    pub(super) fn number_before(&self, keys: &[String], held: &Holding) -> Option<u64> {
        let [key] = keys else { return None };
        self.earlier.first()?.places.figures.get(&number_held(key, &held.class)).copied()
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

    /// The only objects of their classes among places, of the program's classes, by class.
    fn only_ones(&self) -> Result<Map<String, Option<u32>>> {
        let scene = self.scene;
        let mut of_group: Map<u64, Option<u32>> = Map::default();
        for rank in self.ranks_of_places() {
            let node = scene.tree.node(rank);
            if node < scene.nodes() && scene.own().sort(node) == Sort::Object && scene.own().is_own(node) {
                of_group.entry(scene.group(node)).and_modify(|of| *of = None).or_insert(Some(rank));
            }
        }
        // Several groups may have one name.
        let mut of_class: Map<String, Option<u32>> = Map::default();
        for rank in of_group.into_values().flatten() {
            let class = scene.loaded.class(scene.tree.node(rank))?;
            of_class.entry(class).and_modify(|of| *of = None).or_insert(Some(rank));
        }
        Ok(of_class)
    }

    /// What an object retained in an earlier dump in which no place has its name, as another way led to it: what the only one of
    /// its class did, if it is the only one itself.
    pub(super) fn retained_by_class(&self, rank: u32, dump: &Places) -> Result<u64> {
        let class = self.scene.loaded.class(self.scene.tree.node(rank))?;
        let Some(&bytes) = dump.figures.get(&format!("{ONLY}{class}")) else { return Ok(0) };
        let is_only = self.only_ones()?.get(&class).is_some_and(|only| *only == Some(rank));
        Ok(if is_only { bytes } else { 0 })
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
        for (rank, name) in places {
            if name.contains(ANY_FIELD) {
                *by_name.entry(number_of(&name)).or_default() += 1;
            }
            let sum = by_name.entry(name).or_default();
            *sum = sum.plus(tree.retained(rank));
        }
        // Rows of this dump, as the last one will have them: some measure what only leads to the object that their name names.
        let mut rows: Map<String, Vec<u32>> = Map::default();
        let mut sketches: Map<String, Sketch> = Map::default();
        for point in &points {
            let Some(row) = self.row_of(point, &names, false)? else { continue };
            let is_new = row.keys.iter().any(|key| !key.starts_with(CLASS) && !rows.contains_key(key));
            let mut sketch = if is_new { self.sketch(&row)? } else { None };
            for key in row.keys.into_iter().filter(|key| !key.starts_with(CLASS)) {
                let number = row.items.holds.first().map(|held| (number_held(&key, &held.class), held.count));
                let known = rows.entry(key.clone()).or_default();
                let is_apart = |other: &u32| tree.end(*other) <= row.rank || tree.end(row.rank) <= *other;
                if known.iter().all(is_apart) {
                    // Several places of one name are no place whose entries are known.
                    match sketch.take().filter(|_| known.is_empty()) {
                        Some(sketch) => drop(sketches.insert(key.clone(), sketch)),
                        None => drop(sketches.remove(&key)),
                    }
                    known.extend(&row.ranks);
                    if let Some((number, count)) = number {
                        *by_name.entry(number).or_default() += count;
                    }
                }
            }
        }
        let bytes = |ranks: Vec<u32>| cells::sum(ranks.into_iter().map(|rank| tree.retained(rank)));
        by_name.extend(rows.into_iter().map(|(key, ranks)| (key, bytes(ranks))));
        // Several may have one name, as those of classes that were loaded again and again.
        let mut of_threads: Map<String, u64> = Map::default();
        for local in &locals {
            if let Some(name) = self.name_of_local(local, &names)? {
                *of_threads.entry(number_of(&name.text)).or_default() += local.threads();
                let sum = of_threads.entry(name.text).or_default();
                *sum = sum.plus(local.bytes);
            }
        }
        by_name.extend(of_threads);
        for (class, rank) in self.only_ones()? {
            if let Some(rank) = rank {
                by_name.insert(format!("{ONLY}{class}"), tree.retained(rank));
            }
        }
        let mut crowds = holders::below_roots(scene, |rank| tree.retained(rank), REMEMBERED);
        // Of two of one class the larger.
        sort_by_key(&mut crowds, |of| (Reverse(of.bytes), of.group));
        let mut large: Map<String, Vec<u64>> = Map::default();
        for of in crowds {
            let Some(&first) = of.ranks.first().or(of.large.first()) else { continue };
            let key = format!("{CLASS}{}", scene.loaded.class(tree.node(first))?);
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
        Ok(Places { figures: by_name, sketches, large })
    }

    /// Places that have grown since the first dump, where objects cannot be known again: those with the same name are the
    /// same, and grow together. Of places one below the other only the lowest, if they have grown by most of what the others
    /// have; of many with one name, `accounts[*].changes`, small ones are no places, nor are they all if there are more of them
    /// than there were, each no larger: then it is `accounts` that grows.
    pub(super) fn grown_places(&self) -> Result<Vec<Point>> {
        let (tree, least) = (self.scene.tree, self.scene.floor);
        let Some(first) = self.earlier.first() else { return Ok(Vec::new()) };
        let (places, _) = self.places(std::iter::empty())?;
        // Of each name what it has now, and that of its large ones.
        let mut sums: Map<&str, (u64, u64, u64)> = Map::default();
        for (rank, name) in &places {
            let (bytes, sum) = (tree.retained(*rank), sums.entry(name).or_default());
            sum.0 = sum.0.plus(bytes);
            sum.1 = sum.1.plus(if bytes >= least { bytes } else { 0 });
            sum.2 += 1;
        }
        let before = |name: &str| first.places.figures.get(name).copied().unwrap_or(0);
        // Each has its part of what its name has grown by.
        let grown = places.iter().filter_map(|(rank, name)| {
            let (now, large, count) = sums[name.as_str()];
            let growth = now.saturating_sub(before(name));
            if name.contains(ANY_FIELD) {
                let new = count.saturating_sub(before(&number_of(name)));
                let by_number = u128::from(now) * u128::from(new) / u128::from(count.max(1));
                if by_number * 2 >= u128::from(growth) && new > 0 {
                    return None;
                }
            }
            let bytes = tree.retained(*rank);
            let part = (u128::from(growth) * u128::from(bytes) / u128::from(now.max(1))) as u64;
            let is_many = name.contains(ANY_FIELD) && bytes >= least && large >= now / 2;
            let is_place = growth >= self.floor && (bytes == now || is_many);
            is_place.then_some((*rank, part, name.as_str()))
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
        Ok(lowest.map(point).collect())
    }
}
