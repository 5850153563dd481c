//! Classes, and functions of one place in the source, that retain much in many places.

use heap_base::{BitSet, Result};
use heap_graph::{Accumulation, NONE, group_retained};
use heap_record::{StringId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::search::{CROWD, Draft, Search};
use super::texts::{ByCode, code};
use super::{Holding, Kind, Location, Suspect};
use crate::graph::NamedGraph;

/// Classes at most: they say less than places do.
const CLASSES: usize = 5;

/// What a crowd has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Common {
    /// Its class or its name.
    Text(StringId),
    /// What its code is made from.
    Function(Value),
    /// Its place in the source.
    Place(Location),
}

/// Numbers of crowds. Those of texts are found without hashing, since every node of the heap may ask.
#[derive(Debug, Default)]
struct Crowds {
    by_text: ByCode,
    /// Of texts: a source may have several strings of one text.
    texts: FxHashMap<String, u32>,
    by_other: FxHashMap<Common, u32>,
    /// By number.
    list: Vec<Crowd>,
}

impl Crowds {
    /// Counts `node`, which retains so much, with those it has something in common with.
    fn add(&mut self, common: Common, node: u32, retained: u64, loaded: &NamedGraph) -> Result {
        let next = self.list.len() as u32;
        let known = match common {
            Common::Text(id) => self.by_text.slot(code(id)),
            other => self.by_other.entry(other).or_insert(NONE),
        };
        if *known == NONE {
            *known = match common {
                Common::Text(id) => {
                    *self.texts.entry(loaded.context.strings.text_or_number(id)?).or_insert(next)
                }
                _ => next,
            };
        }
        let number = *known;
        if number == next {
            self.list.push(Crowd { first: node, count: 0, retained: 0 });
        }
        let crowd = &mut self.list[number as usize];
        crowd.count += 1;
        crowd.retained = crowd.retained.saturating_add(retained);
        Ok(())
    }

    /// The number of the crowd of what was added.
    fn of(&self, common: Common) -> Option<u32> {
        let number = match common {
            Common::Text(id) => self.by_text.get(code(id)),
            other => self.by_other.get(&other).copied().unwrap_or(NONE),
        };
        (number != NONE).then_some(number)
    }
}

/// Nodes that have something in common and retain much.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    first: u32,
    count: u64,
    retained: u64,
}

impl Search<'_> {
    /// Nodes that are not below a point, nor on the way to one.
    pub(super) fn apart(&self, points: &[Accumulation]) -> BitSet {
        let mut below = BitSet::new(self.nodes());
        let mut stack: Vec<u32> = points.iter().map(|p| p.node).filter(|&node| !self.is_root(node)).collect();
        while let Some(node) = stack.pop() {
            stack.extend(self.tree.children(node).filter(|&child| below.insert(child)));
        }
        let apart = |&node: &u32| self.retained(node) < self.floor && !below.contains(node);
        (0..self.nodes()).filter(apart).filter(|&node| self.analysis.in_tree(node)).collect()
    }

    /// Classes that retain much in the nodes `apart`, which are outside of the accumulation points.
    pub(super) fn classes(&self, apart: &BitSet) -> Result<Vec<Suspect>> {
        let heap = &self.loaded.heap;
        let class = |node| if apart.contains(node) { heap.class(node).map(Common::Text) } else { None };
        let mut found: Vec<(Crowd, String)> = Vec::new();
        for crowd in self.crowds(class)? {
            let class = self.loaded.class(crowd.first)?;
            if !class.is_empty() && found.len() < CLASSES {
                found.push((crowd, class));
            }
        }
        let suspect = |(Crowd { count, retained, .. }, class): (Crowd, String)| Suspect {
            kind: Kind::Class,
            id: None,
            holds: vec![Holding { class: class.clone(), count, retained }],
            class,
            retained,
            share: self.share(retained),
            growth: None,
            steps: Vec::new(),
            path: Vec::new(),
            location: None,
        };
        Ok(found.into_iter().map(suspect).collect())
    }

    /// Functions of one place in the source that retain much, of the nodes `apart`.
    pub(super) fn closures(&self, apart: &BitSet) -> Result<Vec<Draft>> {
        let Some(closure) = self.loaded.context.types.node_id("closure").map(u64::from) else {
            return Ok(Vec::new());
        };
        let heap = &self.loaded.heap;
        let located = !self.clues.locations.is_empty();
        let common = |node| {
            if !apart.contains(node) || heap.subtypes.get(node) != closure {
                return None;
            }
            let function = || self.clues.function(node).map(Common::Function);
            let name = || heap.name(node).map(Common::Text);
            if located { name().or_else(function) } else { function().or_else(name) }
        };
        let mut found = self.crowds(common)?;
        if located && !found.is_empty() {
            // Those of one place have one name, so only those of names that retain much are looked for by place.
            let suspects: FxHashSet<Common> = found.iter().filter_map(|crowd| common(crowd.first)).collect();
            let mut places: FxHashMap<Value, Option<Location>> = FxHashMap::default();
            let of_crowd = |node| common(node).filter(|common| suspects.contains(common));
            for node in (0..self.nodes()).filter(|&node| of_crowd(node).is_some()) {
                places.insert(self.loaded.id(node), None);
            }
            for (id, place) in self.clues.locations.iter() {
                if let Some(slot) = places.get_mut(&id) {
                    *slot = Some(place);
                }
            }
            let place = |node| places.get(&self.loaded.id(node)).copied().flatten().map(Common::Place);
            found = self.crowds(|node| of_crowd(node).map(|common| place(node).unwrap_or(common)))?;
        }
        let mut drafts = Vec::new();
        for Crowd { first, count, retained } in found {
            let name = self.loaded.name(first)?.unwrap_or_default();
            let location = self.clues.locations.find(self.loaded.id(first));
            if name.is_empty() && location.is_none() && self.clues.function(first).is_none() {
                continue;
            }
            let mut draft = Draft::new(Kind::Closures, first, retained);
            let class = if name.is_empty() { "(anonymous)".to_owned() } else { name };
            draft.holds = vec![Holding { class: class.clone(), count, retained }];
            draft.class = Some(class);
            draft.location = location;
            drafts.push(draft);
        }
        Ok(drafts)
    }

    /// The largest crowds of nodes by what they have in `common`.
    fn crowds(&self, common: impl Fn(u32) -> Option<Common>) -> Result<Vec<Crowd>> {
        let mut crowds = Crowds::default();
        for node in 0..self.nodes() {
            if let Some(common) = common(node) {
                crowds.add(common, node, self.retained(node), self.loaded)?;
            }
        }
        // Together they retain no more than the sum of what each does, which takes no walk to know.
        let large = |crowd: &Crowd| crowd.count >= CROWD && crowd.retained >= self.floor;
        if !crowds.list.iter().any(large) {
            return Ok(Vec::new());
        }
        let group = |node| {
            common(node).and_then(|common| crowds.of(common)).filter(|&of| large(&crowds.list[of as usize]))
        };
        let sums = group_retained(self.tree, &self.analysis.retained, crowds.list.len() as u32, group);
        let mut found: Vec<Crowd> =
            crowds.list.iter().zip(sums).map(|(crowd, retained)| Crowd { retained, ..*crowd }).collect();
        found.retain(large);
        found.sort_unstable_by(|a, b| b.retained.cmp(&a.retained).then(a.first.cmp(&b.first)));
        found.truncate(self.limits.most);
        Ok(found)
    }
}
