//! Classes, and functions of one place in the source, that retain much in many places.

use heap_base::{BitSet, Result};
use heap_graph::{Accumulation, group_retained};
use heap_record::{StringId, Value};
use rustc_hash::FxHashMap;

use super::search::{CROWD, Draft, Search};
use super::{Holding, Kind, Suspect};
use crate::graph::NamedGraph;

/// Classes at most: they say less than places do.
const CLASSES: usize = 5;

/// What a crowd has in common: its class or its name, or what its code is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Crowd {
    Text(StringId),
    Function(Value),
}

/// One string id for each text, of which a source may have several.
#[derive(Debug, Default)]
struct Texts {
    ids: FxHashMap<StringId, StringId>,
    texts: FxHashMap<String, StringId>,
}

impl Texts {
    /// The crowd of a text; none if it is empty.
    fn crowd(&mut self, id: StringId, loaded: &NamedGraph) -> Result<Option<Crowd>> {
        let first = if let Some(&first) = self.ids.get(&id) {
            first
        } else {
            let text = loaded.context.strings.text_or_number(id)?;
            let first = if text.is_empty() { StringId::MIN } else { *self.texts.entry(text).or_insert(id) };
            self.ids.insert(id, first);
            first
        };
        Ok((first != StringId::MIN).then_some(Crowd::Text(first)))
    }
}

impl Search<'_> {
    /// Nodes that are not below a point, nor on the way to one.
    fn apart(&self, points: &[Accumulation]) -> BitSet {
        let mut apart = BitSet::new(self.nodes());
        let points: BitSet = points.iter().map(|p| p.node).filter(|&node| !self.is_root(node)).collect();
        let depth = std::cell::Cell::new(0u32);
        self.tree.visit(
            |node| {
                if depth.get() == 0 && self.retained(node) < self.floor && node < self.nodes() {
                    apart.insert(node);
                }
                depth.set(depth.get() + u32::from(points.contains(node)));
                true
            },
            |node| depth.set(depth.get() - u32::from(points.contains(node))),
        );
        apart
    }

    /// Classes that retain much outside of the accumulation points.
    pub(super) fn classes(&self, points: &[Accumulation]) -> Result<Vec<Suspect>> {
        let heap = &self.loaded.heap;
        let apart = self.apart(points);
        let mut texts = Texts::default();
        let mut found = self.crowds(|node| match heap.class(node) {
            Some(class) if apart.contains(node) => texts.crowd(class, self.loaded),
            _ => Ok(None),
        })?;
        found.truncate(CLASSES);
        let suspect = |(_, first, count, retained): (Crowd, u32, u64, u64)| {
            let class = self.loaded.class(first)?;
            let holds = vec![Holding { class: class.clone(), count, retained }];
            let share = self.share(retained);
            Ok(Suspect {
                kind: Kind::Class,
                id: None,
                class,
                retained,
                share,
                growth: None,
                steps: Vec::new(),
                path: Vec::new(),
                holds,
                location: None,
            })
        };
        found.into_iter().map(suspect).collect()
    }

    /// Functions of one place in the source that retain much, outside of the accumulation points.
    pub(super) fn closures(&self, points: &[Accumulation]) -> Result<Vec<Draft>> {
        let Some(closure) = self.loaded.context.types.node_id("closure").map(u64::from) else {
            return Ok(Vec::new());
        };
        let heap = &self.loaded.heap;
        let apart = self.apart(points);
        let mut texts = Texts::default();
        let found = self.crowds(|node| {
            if heap.subtypes.get(node) != closure || !apart.contains(node) {
                return Ok(None);
            }
            if let Some(function) = self.clues.function(node) {
                return Ok(Some(Crowd::Function(function)));
            }
            heap.name(node).map_or(Ok(None), |name| texts.crowd(name, self.loaded))
        })?;
        let draft = |(_, first, count, retained): (Crowd, u32, u64, u64)| -> Result<Draft> {
            let mut draft = Draft::new(Kind::Closures, first, retained);
            let name = self.loaded.name(first)?.unwrap_or_default();
            let class = if name.is_empty() { "(anonymous)".to_owned() } else { name };
            draft.holds = vec![Holding { class: class.clone(), count, retained }];
            draft.class = Some(class);
            draft.location = self.clues.location(self.loaded.id(first));
            Ok(draft)
        };
        found.into_iter().map(draft).collect()
    }

    /// The largest crowds that `of` makes, each with its first node, its count and what it retains.
    fn crowds(
        &self,
        mut of: impl FnMut(u32) -> Result<Option<Crowd>>,
    ) -> Result<Vec<(Crowd, u32, u64, u64)>> {
        let mut groups: FxHashMap<Crowd, u32> = FxHashMap::default();
        let mut firsts: Vec<(u32, u64)> = Vec::new();
        let mut members = vec![u32::MAX; self.nodes() as usize];
        for node in 0..self.nodes() {
            let Some(crowd) = of(node)? else { continue };
            let next = groups.len() as u32;
            let group = *groups.entry(crowd).or_insert(next);
            if group == next {
                firsts.push((node, 0));
            }
            firsts[group as usize].1 += 1;
            members[node as usize] = group;
        }
        let group = |node: u32| members.get(node as usize).copied().filter(|&group| group != u32::MAX);
        let sums = group_retained(&self.tree, &self.analysis.retained, groups.len() as u32, group);
        let mut found: Vec<_> = groups
            .into_iter()
            .map(|(crowd, group)| {
                let (first, count) = firsts[group as usize];
                (crowd, first, count, sums[group as usize])
            })
            .filter(|&(_, _, count, retained)| retained >= self.floor && count >= CROWD)
            .collect();
        found.sort_unstable_by(|a, b| b.3.cmp(&a.3).then(a.1.cmp(&b.1)));
        found.truncate(self.limits.most);
        Ok(found)
    }
}
