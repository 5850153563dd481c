//! Classes that have grown: what is said of growth that rows of places explain little of.

use heap_base::{Map, Result};
use heap_graph::Outline;

use super::finder::{Finder, common, path, samples};
use super::growth::{Marks, course};
use super::holders::Shared;
use super::{Holding, Kind, Level, Suspect};
use crate::cells::change;
use heap_ops::graph::NamedGraph;
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
    /// The first rank of it, and the end of the last that is below no other of it.
    first: u32,
    end: u32,
}

impl Classes {
    /// One pass over the ranks, which are in depth-first order: what is below another of its class is no more.
    pub(super) fn of(loaded: &NamedGraph, tree: &Outline, marks: &mut Marks) -> Result<Self> {
        let mut classes: Vec<Class> = Vec::new();
        for rank in 0..tree.len() {
            let node = tree.node(rank);
            if node >= loaded.heap.graph.nodes() {
                continue;
            }
            let at = marks.number(loaded, node)?;
            if classes.len() <= at {
                classes.resize(at + 1, Class::default());
            }
            let class = &mut classes[at];
            if class.count == 0 {
                class.first = rank;
            }
            class.count += 1;
            if class.end <= rank {
                class.bytes = class.bytes.saturating_add(tree.retained(rank));
                class.end = tree.end(rank);
            }
        }
        let known = classes.into_iter().enumerate().filter(|(_, class)| class.count > 0);
        Ok(Self(known.map(|(at, class)| (marks.mark(at), class)).collect()))
    }

    fn bytes(&self, mark: u64) -> u64 {
        self.0.get(&mark).map_or(0, |class| class.bytes)
    }
}

impl Finder<'_> {
    /// Rows of the classes that have grown most, those of the program first, if `suspects` explain little of the growth: each with
    /// the common part of the ways to what is new of it.
    pub(super) fn grown_classes(&self, suspects: &[Suspect], explained: Option<f64>) -> Result<Vec<Suspect>> {
        let Self { scene, earlier, .. } = self;
        let Some(first) = earlier.first().filter(|_| explained.is_some_and(|part| part < LITTLE)) else {
            return Ok(Vec::new());
        };
        let (loaded, tree) = (scene.loaded, scene.tree);
        let mut marks = Marks::default();
        let now = Classes::of(loaded, tree, &mut marks)?;
        let mut grown = Vec::new();
        for (&mark, class) in &now.0 {
            let node = tree.node(class.first);
            let more = class.bytes.saturating_sub(first.classes.bytes(mark));
            if more < self.floor() || scene.is_root(node) || scene.own().is_cell(node) {
                continue;
            }
            let name = loaded.class(node)?;
            let is_said = |row: &Suspect| {
                row.kind == Kind::Growth
                    && (row.class == name || row.holds.first().is_some_and(|of| of.class == name))
            };
            if !suspects.iter().any(is_said) {
                grown.push((!scene.own().is_own(node), std::cmp::Reverse(more), name, mark, *class));
            }
        }
        grown.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
        grown.truncate(MOST);
        if grown.is_empty() {
            return Ok(Vec::new());
        }
        // Of each class what is new, and bytes outside of the heap below those that are below no other of it.
        let mut new = vec![(Vec::new(), 0u64, 0u32); grown.len()];
        for rank in 0..tree.len() {
            let node = tree.node(rank);
            if node >= scene.nodes() {
                continue;
            }
            let mark = marks.of(loaded, node)?;
            let Some(at) = grown.iter().position(|class| class.3 == mark) else { continue };
            let (ranks, outside, end) = &mut new[at];
            if self.is_new(rank) {
                ranks.push(rank);
            }
            if *end <= rank {
                *outside = outside.saturating_add(scene.outside(rank));
                *end = tree.end(rank);
            }
        }
        let targets = new.iter().flat_map(|(ranks, ..)| samples(ranks)).map(|rank| tree.node(rank)).collect();
        let names = Names::new(scene.naming, &targets)?;
        let mut rows = Vec::new();
        for ((runtime, _, name, mark, class), (ranks, external, _)) in grown.into_iter().zip(new) {
            let of = Shared { group: 0, ranks, bytes: class.bytes };
            let place: Name = common(scene, &of, &names)?.unwrap_or_default();
            let mut history: Vec<u64> = earlier.iter().map(|dump| dump.classes.bytes(mark)).collect();
            history.push(class.bytes);
            rows.push(Suspect {
                kind: Kind::Class,
                level: Level::Note,
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
                holds: vec![Holding { class: name.clone(), count: class.count, retained: class.bytes }],
                class: name,
                behind: None,
                certain: place.certain,
                runtime,
                left_over: true,
                site: None,
            });
        }
        Ok(rows)
    }
}
