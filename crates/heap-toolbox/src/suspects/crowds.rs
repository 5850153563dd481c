//! Classes, and functions of one place in the source, that retain much in many places.

use std::ops::Range;

use heap_base::{BitSet, Map, Result, Set};
use heap_graph::{Accumulation, NONE, Outline};
use heap_record::{StringId, Value};

use super::search::{CROWD, Draft, Search};
use super::texts::{ByCode, code};
use super::{Holding, Kind, Location, Suspect};
use heap_ops::graph::NamedGraph;

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
    texts: Map<String, u32>,
    by_other: Map<Common, u32>,
    /// By number.
    list: Vec<Crowd>,
}

impl Crowds {
    /// Counts the node of a rank with those it has something in common with. Ranks ascend.
    fn add(&mut self, common: Common, rank: u32, tree: &Outline, loaded: &NamedGraph) -> Result {
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
            self.list.push(Crowd { first: NONE, count: 0, retained: 0, end: 0 });
        }
        let crowd = &mut self.list[number as usize];
        crowd.first = crowd.first.min(tree.node(rank));
        crowd.count += 1;
        if rank >= crowd.end {
            crowd.end = tree.end(rank);
            crowd.retained = crowd.retained.saturating_add(tree.retained(rank));
        }
        Ok(())
    }
}

/// Nodes that have something in common and retain much.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    /// The first in the dump.
    first: u32,
    count: u64,
    /// What they retain together: those below another one of them are left out.
    retained: u64,
    /// The rank behind all that the last of these dominates.
    end: u32,
}

impl Search<'_> {
    /// Ranks of nodes that are not below a point, nor on the way to one.
    pub(super) fn apart(&self, points: &[Accumulation]) -> BitSet {
        let mut apart = BitSet::new(self.tree.len());
        let mut below: Vec<u32> = points.iter().filter(|p| !self.is_root(p.node)).map(|p| p.rank).collect();
        below.sort_unstable();
        let mut add = |ranks: Range<u32>| {
            for rank in ranks.filter(|&rank| self.tree.retained(rank) < self.floor) {
                apart.insert(rank);
            }
        };
        // The root, which may be no node, is on the way to all.
        let mut start = 1;
        for point in below {
            add(start..point);
            start = start.max(self.tree.end(point));
        }
        add(start..self.tree.len());
        apart
    }

    /// Classes that retain much in the nodes `apart`, which are outside of the accumulation points.
    pub(super) fn classes(&self, apart: &BitSet) -> Result<Vec<Suspect>> {
        let heap = &self.loaded.heap;
        let class = |rank| Some((rank, Common::Text(heap.class(self.tree.node(rank))?)));
        let mut found: Vec<(Crowd, String)> = Vec::new();
        for crowd in self.crowds(apart.iter().filter_map(class))? {
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
            runtime: false,
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
        let all = (0..self.nodes()).filter(|&node| heap.subtypes.get(node) == closure);
        let mut closures: Vec<u32> =
            all.filter_map(|node| self.tree.rank(node)).filter(|&rank| apart.contains(rank)).collect();
        closures.sort_unstable();
        let closures = || closures.iter().map(|&rank| (rank, self.tree.node(rank)));
        let common = |node| {
            let function = || self.clues.function(node).map(Common::Function);
            let name = || heap.name(node).map(Common::Text);
            if located { name().or_else(function) } else { function().or_else(name) }
        };
        let mut found = self.crowds(closures().filter_map(|(rank, node)| Some((rank, common(node)?))))?;
        if located && !found.is_empty() {
            // Those of one place have one name, so only those of names that retain much are looked for by place.
            let suspects: Set<Common> = found.iter().filter_map(|crowd| common(crowd.first)).collect();
            let mut places: Map<Value, Option<Location>> = Map::default();
            let of_crowd = |node| common(node).filter(|common| suspects.contains(common));
            for (_, node) in closures().filter(|&(_, node)| of_crowd(node).is_some()) {
                places.insert(self.loaded.id(node), None);
            }
            for (id, place) in self.clues.locations.iter() {
                if let Some(slot) = places.get_mut(&id) {
                    *slot = Some(place);
                }
            }
            let place = |node| places.get(&self.loaded.id(node)).copied().flatten().map(Common::Place);
            let common = |node| of_crowd(node).map(|common| place(node).unwrap_or(common));
            found = self.crowds(closures().filter_map(|(rank, node)| Some((rank, common(node)?))))?;
        }
        let mut drafts = Vec::new();
        for Crowd { first, count, retained, .. } in found {
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

    /// The largest crowds of nodes, which come by rank, ascending, with what they have in common.
    fn crowds(&self, nodes: impl Iterator<Item = (u32, Common)>) -> Result<Vec<Crowd>> {
        let mut crowds = Crowds::default();
        for (rank, common) in nodes {
            crowds.add(common, rank, self.tree, self.loaded)?;
        }
        let mut found = crowds.list;
        found.retain(|crowd| crowd.count >= CROWD && crowd.retained >= self.floor);
        found.sort_unstable_by(|a, b| b.retained.cmp(&a.retained).then(a.first.cmp(&b.first)));
        found.truncate(self.limits.most);
        Ok(found)
    }
}
