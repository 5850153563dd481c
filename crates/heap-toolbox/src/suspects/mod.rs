//! What is wrong here? Suspects of one dump, or of several of one process in order: heap-suspects.
//!
//! Only what is alive is judged, and only what holds: the dominator tree is that of strong references (`analysis`). A
//! *place* is a node of it where the way down from the root ends or spreads (`holders`). Its *holder* is the last object on
//! the cheapest way to it that a name of the program leads to ([`Names`](heap_ops::place::Names)): the `Map` behind `pageCache`, not the table
//! inside of it. What it holds is counted below the holder (`items`). With earlier dumps the same search goes by what
//! each node has grown by, net (`growth`), or where objects cannot be known again by the names of places (`places`). What
//! threads have of one variable is one place (`locals`). A row is measured in all dumps as it stands in the last one, and of rows
//! inside of each other no bytes are said twice as growth (`among`). A level says what a row is worth (`levels`).

mod allocated;
mod among;
mod analysis;
mod came;
mod chunks;
mod classes;
mod columns;
mod common;
mod content;
mod elements;
mod exchanged;
pub(crate) mod far;
mod filling;
mod finder;
mod growth;
mod holders;
mod items;
mod levels;
mod locals;
mod merge;
mod options;
mod passing;
mod places;
mod replaced;
pub mod rows;
mod sampling;
mod scene;
pub mod sentences;
pub(crate) mod sites;
#[cfg(test)]
mod tests;
mod unreached;
mod waste;
mod within;

use heap_base::{Map, Plus, Result, join, sort_by, sort_by_key};
use heap_graph::{Keep, LargeGraph};
use heap_record::{StringId, Value};

use crate::path::PathStep;
use crate::view::is_allocations;
pub(crate) use analysis::{Analysed, analyse};
pub use columns::{SuspectColumns, value};
use finder::Finder;
pub use growth::{Course, Doubt, Earlier};
use heap_ops::graph::NamedGraph;
use heap_ops::place::{ClueLoader, Clues, Naming, THREAD_FROM};
use heap_ops::select::Selection;
use heap_ops::series::Sizes;
pub use options::TOOL;
use places::{Grown, Places};
use scene::Scene;
use sites::Sites;
pub use unreached::Unreached;

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The part of the heap from which something is a suspect; 0 to 1.
    pub share: f64,
    /// The part of what the heap grew by from which growth is a suspect; 0 to 1.
    pub growth: f64,
    /// The bytes from which something is a suspect; `None` for the usual ones.
    pub least: Option<u64>,
    /// Suspects of each kind at most.
    pub most: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { share: 0.01, growth: 0.05, least: None, most: 10 }
    }
}

/// What a suspect is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// It grows steadily over three dumps or more, at a place that the program has a name for.
    Leak,
    /// Much at one place.
    Large,
    /// Memory that could be saved.
    Waste,
    /// Good to know: the runtime's own, what lies in many places, what is small.
    Note,
}

impl Level {
    /// All names.
    pub const NAMES: &[&str] =
        &[Self::Leak.name(), Self::Large.name(), Self::Waste.name(), Self::Note.name()];

    /// The word for it in rows.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leak => "leak",
            Self::Large => "large",
            Self::Waste => "waste",
            Self::Note => "note",
        }
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
    /// Objects that the program has ended with.
    Destroyed,
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
        Self::Destroyed.name(),
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
            Self::Destroyed => "destroyed",
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
    /// Whether their type is one of the program's.
    pub own: bool,
}

/// Something that may be wrong.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// What kind it is.
    pub kind: Kind,
    /// What it is worth.
    pub level: Level,
    /// Identifier and the source's number of the holder, or of an example; none of what lies in many places.
    pub id: Option<(Value, i64)>,
    /// Type name of the holder, or the class, function or text.
    pub class: String,
    /// Bytes in the heap that it accounts for; of waste those that could be saved.
    pub retained: u64,
    /// Bytes outside of the heap that go with it.
    pub external: u64,
    /// Both as a part of all that the roots retain, 0 to 1.
    pub share: f64,
    /// By how many bytes both together have grown since the first dump; `None` if there is only one.
    pub growth: Option<i64>,
    /// Both together in each dump, the last included; empty if there is only one.
    pub history: Vec<u64>,
    /// How these go.
    pub course: Option<Course>,
    /// New bytes in place of as many that have gone.
    pub turnover: u64,
    /// By what name the program knows the holder, or an example: `global.pageCache`.
    pub place: String,
    /// The way from the root to it; repeats are there once.
    pub path: Vec<PathStep>,
    /// What it holds, what to speak of first.
    pub holds: Vec<Holding>,
    /// What of the program stands behind that: a class or a function, with its place in the source.
    pub behind: Option<String>,
    /// Which function of the program allocated most of what it holds, with its place in the source.
    pub allocated: Option<String>,
    /// A variable, a static field, a module, a call or a global object leads to it, and not objects alone.
    pub certain: bool,
    /// Nothing of the program is on the way to it or in it.
    pub runtime: bool,
    /// A class that has grown where the other rows explain little of the growth.
    pub left_over: bool,
    /// What the dump does not show of it.
    pub unseen: Unseen,
    /// Of a profile: what else is known of the function.
    pub site: Option<Site>,
}

/// What a dump does not show of what a row of waste speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// Nothing.
    Nothing,
    /// Small numbers, in slots of arrays where no reference is.
    Numbers,
    /// The ends of texts: the source has cut them.
    Ends,
}

/// What is known of a function that allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// What the bytes are.
    pub sizes: Sizes,
    /// Who called it: `main.serve ← main.main`; empty if nobody of the program did.
    pub callers: String,
}

/// Suspects, and what they are judged by.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Worst first.
    pub suspects: Vec<Suspect>,
    /// Bytes of the heap that the roots reach, in each dump; with those outside of it.
    pub totals: Vec<u64>,
    /// Bytes outside of the heap in the last dump.
    pub external: u64,
    /// How much of the growth the rows explain, 0 to 1; `None` if nothing has grown.
    pub explained: Option<f64>,
    /// What no root reaches.
    pub unreached: Unreached,
    /// How many threads of the process have heaps of their own, which are not in the dumps, by dump.
    pub elsewhere: Vec<u64>,
    /// What makes growth uncertain.
    pub doubt: Option<Doubt>,
    /// What the bytes are.
    pub sizes: Sizes,
}

impl Findings {
    /// What heaps of other threads leave unseen, for a warning; nothing if there are none.
    pub(crate) fn unseen(&self) -> Option<String> {
        let &last = self.elsewhere.last()?;
        let course: Vec<String> = self.elsewhere.iter().map(u64::to_string).collect();
        let steps = self.elsewhere.windows(2).any(|pair| pair[0] != pair[1]);
        let course = if steps { format!(" ({})", course.join(" → ")) } else { String::new() };
        match last {
            0 => None,
            1 => Some(format!("1 worker{course} has a heap of its own, which is not in the dump")),
            _ => Some(format!("{last} workers{course} have heaps of their own, which are not in the dump")),
        }
    }
}

/// Bytes a node and an edge that suspects take in memory.
const IN_MEMORY: (u64, u64) = (42, 5);

/// Loads a dump for [`suspects_within`] or [`remember_within`]: its edges go to files if it takes more memory.
pub fn limited(bytes: u64) -> ClueLoader {
    loader().with_limit(bytes, IN_MEMORY)
}

/// As [`suspects`], of a dump whose edges may be in files.
///
/// # Errors
/// As [`suspects`]. There is too little memory.
pub fn suspects_within(
    (loaded, large): (NamedGraph, Option<LargeGraph>),
    clues: &Clues,
    earlier: &[Earlier],
    limits: Limits,
) -> Result<Findings> {
    match large {
        Some(large) => far::suspects(loaded, clues, large, earlier, limits),
        None => suspects(loaded, clues, earlier, limits),
    }
}

/// As [`remember`], of a dump whose edges may be in files.
///
/// # Errors
/// As [`suspects_within`].
pub fn remember_within(
    (loaded, large): (NamedGraph, Option<LargeGraph>),
    clues: &Clues,
    limits: Limits,
) -> Result<Earlier> {
    match large {
        Some(large) => far::remember(loaded, clues, large, limits),
        None => remember(loaded, clues, limits),
    }
}

/// Loads a dump for [`suspects`] or [`remember`].
pub fn loader() -> ClueLoader {
    let keep = Keep { aside: true, strong_only: true, kept: true, external: true, ..Keep::default() };
    ClueLoader::new(Selection::default(), keep)
}

/// The suspects of one dump, with `earlier` dumps of the same process in order; `clues` as [`loader`] gathers them.
///
/// # Errors
/// A temporary file cannot be read or written.
pub fn suspects(
    mut loaded: NamedGraph,
    clues: &Clues,
    earlier: &[Earlier],
    limits: Limits,
) -> Result<Findings> {
    if is_allocations(&loaded) {
        return Sites::new(&loaded, clues)?.findings(earlier, limits);
    }
    let (analysed, equal) = with_texts(&mut loaded, true)?;
    let naming = Naming::new(&loaded, clues, &analysed.rules)?.within(&analysed.outline);
    find(&loaded, &analysed, (clues, &naming, &equal.unwrap_or_default()), earlier, limits)
}

/// What a dump is analysed to without groups, with [equal texts](heap_ops::stream::Strings::equal) if `texts`.
fn with_texts(loaded: &mut NamedGraph, texts: bool) -> Result<(Analysed, Option<Map<StringId, StringId>>)> {
    let equal = |loaded: &NamedGraph| texts.then(|| loaded.context.strings.equal());
    let (analysed, equal) = analyse(loaded, (0, |_, _| None), equal)?;
    Ok((analysed, equal.transpose()?))
}

/// What later dumps need to remember of this one.
///
/// # Errors
/// As [`suspects`].
pub fn remember(mut loaded: NamedGraph, clues: &Clues, limits: Limits) -> Result<Earlier> {
    if is_allocations(&loaded) {
        let sites = Sites::new(&loaded, clues)?;
        return Ok(Earlier::of_profile(&clues.origin, &sites));
    }
    let by_name = !clues.has_identity() || is_gapless(&loaded);
    let (analysed, equal) = with_texts(&mut loaded, by_name)?;
    let by_name = match equal {
        Some(equal) => {
            let naming = Naming::new(&loaded, clues, &analysed.rules)?.within(&analysed.outline);
            let scene = Scene::new(&loaded, (clues, &naming), &analysed, &equal, limits, None);
            Finder::new(&scene, &[]).by_name()?
        }
        None => Places::default(),
    };
    // Edges are no longer needed.
    drop(loaded.heap.graph.lend());
    Earlier::of((&loaded, clues), &analysed.outline, analysed.weights(&loaded.heap), by_name)
}

/// Whether identifiers have no gap: those of a first dump that lasts, or of one that is numbered for itself, as the next one
/// will show. What is not in the heap itself may have others, which are negative.
fn is_gapless(loaded: &NamedGraph) -> bool {
    let ids = (0..loaded.heap.graph.nodes()).map(|node| loaded.id(node)).filter(|&id| id > 0);
    let (mut least, mut most, mut count) = (Value::MAX, 0, 0u64);
    for id in ids {
        (least, most, count) = (least.min(id), most.max(id), count + 1);
    }
    // All are odd.
    count > 0 && most.abs_diff(least) / 2 < count
}

/// As [`suspects`], of a dump that is analysed already, and with [equal texts](heap_ops::stream::Strings::equal).
pub(crate) fn find(
    loaded: &NamedGraph,
    analysed: &Analysed,
    (clues, naming, equal): (&Clues, &Naming<'_>, &Map<StringId, StringId>),
    earlier: &[Earlier],
    limits: Limits,
) -> Result<Findings> {
    growth::is_series(&clues.origin, false, earlier)?;
    let earlier = &*growth::known_by_name((loaded, clues), earlier)?;
    let scene = Scene::new(loaded, (clues, naming), analysed, equal, limits, None);
    let finder = Finder::new(&scene, earlier);
    let plan = || {
        let grown = if finder.needs_names() { finder.grown_places()? } else { Grown::default() };
        finder.plan(grown)
    };
    let strings = scene.strings();
    let (plan, repeated) = join(scene.nodes() >= THREAD_FROM, plan, || strings.repeated(equal));
    let mut plan = plan?;
    plan.waste = [scene.waste(&repeated)?, scene.sparse()?].concat();
    let mut suspects = finder.rows(plan)?;
    sort_by(&mut suspects, |a, b| order(a).cmp(&order(b)).then(b.weight().cmp(&a.weight())));
    let explained = explained(&suspects, finder.grown());
    let grown = finder.grown_classes(&suspects, explained)?;
    suspects.extend(finder.class_rows(grown)?);
    findings(&scene, earlier, (suspects, explained), analysed.unreached)
}

/// What is known of all together.
fn findings(
    scene: &Scene<'_>,
    earlier: &[Earlier],
    (mut suspects, explained): (Vec<Suspect>, Option<f64>),
    unreached: Unreached,
) -> Result<Findings> {
    // Rows of classes, which are the last, may be leaks.
    sort_by_key(&mut suspects, |row| row.level);
    let mut totals: Vec<u64> = earlier.iter().map(|dump| dump.total).collect();
    totals.push(scene.total);
    let doubt = growth::doubts((scene.loaded, scene.clues), scene.total, earlier)?;
    let external = if scene.tree.is_empty() { 0 } else { scene.outside(0) };
    let (elsewhere, sizes) = (growth::elsewhere(&scene.clues.origin, earlier), scene.clues.origin.sizes);
    Ok(Findings { suspects, totals, external, explained, unreached, elsewhere, doubt, sizes })
}

/// What people can act on first: of one level, what has grown before what is only large.
fn order(suspect: &Suspect) -> (Level, bool, bool, bool) {
    (suspect.level, suspect.kind != Kind::Growth, suspect.runtime, !suspect.certain)
}

/// How much of the growth the rows explain. Rows do not overlap.
fn explained(suspects: &[Suspect], grown: i64) -> Option<f64> {
    let rows = suspects.iter().filter(|suspect| suspect.kind == Kind::Growth);
    let sum = crate::cells::sum_of_changes(rows.map(|suspect| suspect.growth.unwrap_or(0)));
    (grown > 0).then(|| (sum as f64 / grown as f64).clamp(0.0, 1.0))
}

impl Suspect {
    /// Bytes that it accounts for, in the heap and outside.
    pub fn bytes(&self) -> u64 {
        self.retained.plus(self.external)
    }

    /// The bytes by which it ranks among its like.
    fn weight(&self) -> u64 {
        match (self.kind, self.growth) {
            (Kind::Growth, Some(growth)) => growth.max(0) as u64,
            _ => self.bytes(),
        }
    }
}
