//! What is wrong here? Suspects of one dump, or of several of one process in order: heap-suspects.
//!
//! An accumulation point is a node below which the dominator tree stops being a chain and spreads
//! ([`heap_graph::accumulations`]). Growth is the same search with the bytes that earlier dumps lack as sizes, so it is
//! attributed to the point where it spreads. Other kinds are about what lies in many places: classes, functions of one
//! source location, equal strings, arrays with hardly anything in them, detached nodes.
//!
//! What people know a point by is its holder, the last object on its retaining path that a name of the program leads
//! to: the `Map` behind `pageCache`, not the table inside of it (`Place`).

mod clues;
mod columns;
mod crowds;
mod growth;
mod locations;
mod options;
mod place;
mod points;
pub mod rows;
mod runtime;
mod search;
#[cfg(test)]
mod tests;
pub(crate) mod texts;
mod unreached;
mod waste;

use heap_base::{Map, Result, join};
use heap_graph::{HeapGraph, Keep, Outline, Outlined, Rules, outline};
use heap_record::{StringId, Value};

use crate::path::PathStep;
pub use clues::{Clues, Earlier, SuspectLoader};
pub use columns::{SuspectColumns, value};
use heap_ops::graph::{NamedGraph, Written};
pub use locations::Location;
pub use options::TOOL;
pub use place::{Reach, place, reach};
use search::Search;
pub use unreached::Unreached;
use waste::FlatStrings;
pub(crate) use waste::equal_texts;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The share of the heap, of the growth or of the waste from which something is a suspect; 0 to 1.
    pub share: f64,
    /// Suspects of each kind at most.
    pub most: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { share: 0.05, most: 10 }
    }
}

/// What kind of suspect it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What earlier dumps lack hangs together below one object.
    Growth,
    /// Much hangs together below one object.
    Accumulation,
    /// Nodes of a document that are no longer in it.
    Detached,
    /// Equal strings.
    Duplicates,
    /// Arrays with hardly anything in them.
    Sparse,
    /// Many functions of one source location, or of one name where the source has no locations.
    Closures,
    /// Many objects of one class, here and there.
    Class,
}

impl Kind {
    /// All names.
    pub const NAMES: &[&str] = &[
        Self::Growth.name(),
        Self::Accumulation.name(),
        Self::Detached.name(),
        Self::Duplicates.name(),
        Self::Sparse.name(),
        Self::Closures.name(),
        Self::Class.name(),
    ];

    /// The word for it in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Growth => "growth",
            Self::Accumulation => "accumulation",
            Self::Detached => "detached",
            Self::Duplicates => "duplicates",
            Self::Sparse => "sparse",
            Self::Closures => "closures",
            Self::Class => "class",
        }
    }
}

/// Objects of one type that a suspect holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// Their type name.
    pub class: String,
    /// How many they are.
    pub count: u64,
    /// What they retain, in bytes.
    pub retained: u64,
}

/// Something that may be wrong.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// What kind it is.
    pub kind: Kind,
    /// Identifier and the source's number of the holder, or of an example.
    pub id: Option<(Value, u64)>,
    /// Type name of the holder, or the class, function or text.
    pub class: String,
    /// Bytes that it accounts for; of waste those that could be saved.
    pub retained: u64,
    /// Those as a part of all that the roots retain, 0 to 1.
    pub share: f64,
    /// Bytes of it that are new since the first dump; `None` if there is only one.
    pub growth: Option<u64>,
    /// Those new in each later dump in turn; empty if there is only one dump.
    pub steps: Vec<u64>,
    /// The way from the root to the holder, or to an example; empty for classes.
    pub path: Vec<PathStep>,
    /// What it holds, largest first.
    pub holds: Vec<Holding>,
    /// Where in the source its functions stand.
    pub location: Option<Location>,
    /// The runtime brought it with it: it says nothing about the program.
    pub runtime: bool,
}

/// Heaps of fewer nodes are not worth a second thread.
const THREAD_FROM: u32 = 1 << 20;

/// What a graph must have kept.
const KEEP: Keep = Keep {
    ids: true,
    table: false,
    classes: true,
    names: true,
    subtypes: true,
    labels: true,
    kinds: true,
    aside: true,
    weak: false,
    strong_only: false,
};

/// The suspects of one dump, worst first, and what no root reaches; `clues` as [`SuspectLoader`] gathers them, with those of
/// earlier dumps.
///
/// Memory: beside the graph what [`heap_graph::analyse`] needs, then 24 bytes a node. Labels of the edges of a large graph,
/// and the edges while dominators are worked out, lie in files.
///
/// # Errors
/// A temporary file cannot be read or written.
pub fn suspects(mut loaded: NamedGraph, clues: &Clues, limits: Limits) -> Result<(Vec<Suspect>, Unreached)> {
    let written = Written::of(&loaded.heap.graph)?;
    let (graph, edges) = loaded.lend(written);
    let HeapGraph { sizes, policy, .. } = &loaded.heap;
    let equal = || equal_texts(&loaded, &clues.texts);
    let (found, equal, links) = outline(graph, sizes, policy, (0, |_| None), equal, || edges.read());
    loaded.take_back(links?);
    let Outlined { outline: tree, reachable, rules, .. } = found;
    let found = suspects_in(&loaded, (&tree, &rules), (clues, &equal?), limits)?;
    let (_, unreached) = Unreached::of(&loaded.heap.sizes, &tree, &reachable);
    Ok((found, unreached))
}

/// As [`suspects`], of a dump whose retained sizes are there already, and with [`equal_texts`].
pub(crate) fn suspects_in(
    loaded: &NamedGraph,
    (tree, rules): (&Outline, &Rules),
    (clues, equal): (&Clues, &Map<StringId, StringId>),
    limits: Limits,
) -> Result<Vec<Suspect>> {
    let search = Search::new(loaded, (tree, rules), (clues, equal), limits);
    let strings = &FlatStrings::new(loaded, tree, &clues.texts);
    let points = search.points(search.floor);
    let others = || -> Result<_> {
        let before =
            [search.grown()?, search.accumulated(&points, search.floor)?, search.detached()?].concat();
        let apart = search.apart(&points);
        let after = [search.sparse()?, search.closures(&apart)?].concat();
        Ok((before, after, search.classes(&apart)?))
    };
    let two = loaded.heap.graph.nodes() >= THREAD_FROM;
    let (others, repeated) = join(two, others, || strings.repeated(equal));
    let (mut drafts, after, classes) = others?;
    drafts.extend(search.duplicates(&repeated)?);
    drafts.extend(after);
    let mut found = search.placed(drafts)?;
    found.extend(search.smaller(&points, &found)?);
    found.extend(classes);
    found.sort_by(|a, b| order(a).cmp(&order(b)).then(b.weight().cmp(&a.weight())));
    Ok(found)
}

/// What people can act on first: what grew each time, what grew, what has a place, what the runtime brought with it, then what
/// is everywhere.
fn order(suspect: &Suspect) -> (u8, bool) {
    let first = match suspect.kind {
        Kind::Growth if suspect.steps.iter().all(|&step| step > 0) => 0,
        Kind::Growth => 1,
        Kind::Class => 4,
        _ if suspect.runtime => 3,
        _ => 2,
    };
    (first, !place::is_named(&suspect.path))
}

impl Suspect {
    /// Whether it hangs together at a place that the program has a name for.
    fn is_programs(&self) -> bool {
        matches!(self.kind, Kind::Growth | Kind::Accumulation) && !self.runtime && place::is_named(&self.path)
    }

    /// The bytes by which it ranks among its like.
    fn weight(&self) -> u64 {
        if self.kind == Kind::Growth { self.growth.unwrap_or(0) } else { self.retained }
    }
}
