//! Classes that have grown: what is said of growth that rows of places explain little of.

use heap_base::{BitSet, Map, Plus, Result, sort_by};
use heap_graph::Outline;

use super::allocated::allocated;
use super::common::{common, samples};
use super::finder::{Finder, path};
use super::growth::{Kinds, course, goes_on};
use super::holders::{MANY, Shared};
use super::levels::is_trifle;
use super::{Holding, Kind, Level, Suspect, Unseen};
use crate::cells::change;
use heap_ops::place::{Name, Names};

/// Classes are named where rows explain less than this part of the growth, and no more than so many.
const LITTLE: f64 = 0.5;
const MOST: usize = 5;

/// What the objects of each class retain together, by the mark of its name.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes(Map<u64, Class>);

#[derive(Clone, Copy, Debug, Default)]
struct Class {
    count: u64,
    bytes: u64,
    /// The first rank of it.
    first: u32,
    /// The end of the last that is below no other of it.
    end: u32,
}

impl Classes {
    /// One pass over the ranks, which are in depth-first order: what is below another of its class is no more.
    pub(super) fn of(tree: &Outline, kinds: &Kinds) -> Self {
        let mut classes = vec![Class::default(); kinds.len()];
        for rank in 0..tree.len() {
            let Some(number) = kinds.number(rank) else { continue };
            let class = &mut classes[number];
            if class.count == 0 {
                class.first = rank;
            }
            class.count += 1;
            if class.end <= rank {
                class.bytes = class.bytes.plus(tree.retained(rank));
                class.end = tree.end(rank);
            }
        }
        Self(classes.into_iter().enumerate().map(|(number, class)| (kinds.mark_of(number), class)).collect())
    }

    fn get(&self, mark: u64) -> Class {
        self.0.get(&mark).copied().unwrap_or_default()
    }
}

/// A class that has grown.
pub(super) struct Grown {
    name: String,
    mark: u64,
    class: Class,
    /// By so many bytes since the first dump.
    by: u64,
    /// It is not the program's.
    runtime: bool,
    /// Ranks that the first dump lacks.
    new: Vec<u32>,
    /// Bytes outside of the heap that it retains.
    external: u64,
}

impl Finder<'_> {
    /// The classes that have grown most, those of the program first, if `suspects` explain little of a growth that is no little
    /// of the heap.
    pub(super) fn grown_classes(&self, suspects: &[Suspect], explained: Option<f64>) -> Result<Vec<Grown>> {
        let is_little = self.is_little(self.grown().max(0) as u64);
        if is_little || explained.is_none_or(|part| part >= LITTLE) {
            return Ok(Vec::new());
        }
        let scene = self.scene;
        let tree = scene.tree;
        let kinds = Kinds::of(scene.loaded, tree)?;
        let mut grown = self.most_grown(&Classes::of(tree, &kinds), suspects)?;
        if grown.is_empty() {
            return Ok(Vec::new());
        }
        let mut ends = vec![0; grown.len()];
        for rank in 0..tree.len() {
            let mark = kinds.number(rank).map(|number| kinds.mark_of(number));
            let Some(at) = grown.iter().position(|of| Some(of.mark) == mark) else { continue };
            if self.is_new(rank) {
                grown[at].new.push(rank);
            }
            if ends[at] <= rank {
                grown[at].external = grown[at].external.plus(scene.outside(rank));
                ends[at] = tree.end(rank);
            }
        }
        Ok(grown)
    }

    /// The nodes to which [`class_rows`](Self::class_rows) needs the ways.
    pub(super) fn targets_of_classes(&self, grown: &[Grown]) -> BitSet {
        grown.iter().flat_map(|of| samples(&of.new)).map(|rank| self.scene.tree.node(rank)).collect()
    }

    /// Rows of classes that have grown, each with the common part of the ways to what is new of it.
    pub(super) fn class_rows(&self, grown: Vec<Grown>) -> Result<Vec<Suspect>> {
        let Self { scene, earlier, .. } = self;
        if grown.is_empty() {
            return Ok(Vec::new());
        }
        let names = Names::new(scene.naming, &self.targets_of_classes(&grown))?;
        let mut rows: Vec<Suspect> = Vec::new();
        for Grown { name, mark, class, runtime, new, external, .. } in grown {
            let mut classes: Vec<Class> = earlier.iter().map(|dump| dump.classes.get(mark)).collect();
            classes.push(class);
            // The first alone: others may be parts of it.
            let is_leak = rows.is_empty() && !runtime && self.only_comes_of(&classes, new.len() as u64);
            let allocated = allocated(scene, new.iter().map(|&rank| scene.tree.node(rank)), &name)?;
            let of = Shared { group: 0, ranks: new, bytes: class.bytes, large: Vec::new() };
            let place: Name = common(scene, &of, &names)?.unwrap_or_default();
            let history: Vec<u64> = classes.iter().map(|of| of.bytes).collect();
            rows.push(Suspect {
                kind: Kind::Class,
                level: if is_leak { Level::Leak } else { Level::Note },
                id: None,
                retained: class.bytes.saturating_sub(external),
                external,
                share: scene.share(class.bytes),
                growth: Some(change(class.bytes, history[0])),
                course: Some(course(&history)),
                history,
                turnover: 0,
                place: place.text,
                path: path(scene, &place.steps)?,
                holds: vec![Holding {
                    class: name.clone(),
                    count: class.count,
                    retained: class.bytes,
                    own: !runtime,
                }],
                class: name,
                behind: None,
                allocated,
                certain: place.certain,
                runtime,
                left_over: true,
                unseen: Unseen::Nothing,
                site: None,
            });
        }
        Ok(rows)
    }

    /// Whether a class of which these are in each dump, so many of them new, is most of what the heap has grown by, grows steadily,
    /// and next to none of it has gone.
    fn only_comes_of(&self, classes: &[Class], new: u64) -> bool {
        let numbers: Vec<u64> = classes.iter().map(|of| of.count).collect();
        let sizes: Vec<u64> = classes.iter().map(|of| of.bytes).collect();
        let (Some(&then), Some(&now)) = (classes.first(), classes.last()) else { return false };
        let gone = then.count.plus(new).saturating_sub(now.count);
        let growth = change(now.bytes, then.bytes);
        new >= MANY as u64
            && is_trifle(gone, new)
            && goes_on(&numbers)
            && goes_on(&sizes)
            && growth.saturating_mul(2) >= self.grown()
    }

    /// The classes that have grown by as much as a row takes and that no row of growth speaks of, in order.
    fn most_grown(&self, now: &Classes, suspects: &[Suspect]) -> Result<Vec<Grown>> {
        let scene = self.scene;
        let Some(first) = self.earlier.first() else { return Ok(Vec::new()) };
        let mut grown = Vec::new();
        for (&mark, &class) in &now.0 {
            let node = scene.tree.node(class.first);
            let by = class.bytes.saturating_sub(first.classes.get(mark).bytes);
            if by < self.floor() || scene.is_root(node) || scene.own().is_cell(node) {
                continue;
            }
            let name = scene.class(node)?;
            let says = |row: &Suspect| {
                row.kind == Kind::Growth
                    && (row.class == name || row.holds.first().is_some_and(|of| of.class == name))
            };
            if !suspects.iter().any(says) {
                let runtime = !scene.own().is_own(node);
                grown.push(Grown { name, mark, class, by, runtime, new: Vec::new(), external: 0 });
            }
        }
        sort_by(&mut grown, |a, b| (a.runtime, b.by, &a.name).cmp(&(b.runtime, a.by, &b.name)));
        grown.truncate(MOST);
        Ok(grown)
    }
}
