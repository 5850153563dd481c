//! The same of dumps whose edges are in files.
//!
//! In memory are what is known of each node, the dominator tree, and few edges: those by which functions, scopes, scripts,
//! classes and threads are known. What is asked of edges beside that is
//! - a pass over all of them: what holds a crowd, which arrays are nearly empty;
//! - those of single nodes, from the file: what stands behind objects, by which field a holder has them;
//! - ways: a search in the file says which edges are on the cheapest ways to the nodes that rows need. The graph in memory
//!   gets these, with all edges of the program's objects on them, and the usual code goes on with it.

use heap_base::{BitSet, Map, Result, sort_by};
use heap_graph::{Cursor, LargeGraph};
use heap_record::StringId;

use super::analysis::{Analysed, analyse_far};
use super::finder::Finder;
use super::growth::{is_series, known_by_name};
use super::places::{Grown, Places};
use super::scene::Scene;
use super::sites::Sites;
use super::{Earlier, Findings, Limits, Suspect, explained, findings, is_gapless, order};
use crate::view::is_allocations;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, Far, Naming, Ways};

/// Bytes a node that suspects need beside what is kept of each while the dominator tree is made.
const NODE: u64 = 9;

/// [Equal texts](heap_ops::stream::Strings::equal) of a dump. What finding them needs is free again when a [`Dump`] is made.
///
/// # Errors
/// There is too little memory for that. The temporary file of strings cannot be read.
pub(crate) fn equal_texts(loaded: &NamedGraph, large: &LargeGraph) -> Result<Map<StringId, StringId>> {
    large.check_for(NODE)?;
    loaded.context.strings.equal()
}

/// A dump whose edges are in files.
pub(crate) struct Dump<'a> {
    pub(crate) loaded: NamedGraph,
    pub(crate) clues: &'a Clues,
    pub(crate) analysed: Analysed,
    far: Far,
    equal: Map<StringId, StringId>,
    limits: Limits,
    /// Arrays that have few edges for their size.
    arrays: BitSet,
}

impl<'a> Dump<'a> {
    /// Makes the dominator tree. `equal` as [`equal_texts`] has them.
    ///
    /// # Errors
    /// Temporary files cannot be written or read. There is too little memory.
    pub(crate) fn new(
        mut loaded: NamedGraph,
        (clues, equal): (&'a Clues, Map<StringId, StringId>),
        mut large: LargeGraph,
        limits: Limits,
    ) -> Result<Self> {
        let analysed = analyse_far(&loaded, &mut large)?;
        let far = Far::new(&mut loaded, clues, large, analysed.rules.clone())?;
        Ok(Self { loaded, clues, analysed, far, equal, limits, arrays: BitSet::default() })
    }

    /// What is known of names.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub(crate) fn naming(&self) -> Result<Naming<'_>> {
        Naming::new(&self.loaded, self.clues, &self.analysed.rules)
    }

    /// Asks something of the dump as it is in memory now.
    fn ask<T>(&self, ask: impl FnOnce(&Scene<'_>, &Far) -> Result<T>) -> Result<T> {
        let Self { loaded, clues, analysed, far, equal, limits, arrays } = self;
        let naming = self.naming()?;
        let mut scene = Scene::new(loaded, (clues, &naming), analysed, equal, *limits, Some(far));
        scene.arrays = Some(arrays.clone());
        ask(&scene, far)
    }

    /// Says that what is in files could not be read.
    ///
    /// # Errors
    /// It could not.
    pub(crate) fn check(&self) -> Result {
        self.loaded.check()?;
        self.clues.check()?;
        self.analysed.outline.check()
    }

    /// Brings the ways to some nodes into memory, and all edges of some more.
    fn bring(&mut self, targets: &BitSet, more: &[u32]) -> Result {
        let (ways, whole) = self.ask(|scene, far| {
            let ways = far.ways(scene.naming, targets)?;
            // Of these the fields are listed by which they hold what they do.
            let own = scene.own();
            let listed = |&node: &u32| own.is_own(node) || own.is_own_scope(node) || own.is_own_class(node);
            let nodes = ways.edges().iter().flat_map(|&(from, to)| [from, to]).chain(targets.iter());
            let mut whole: BitSet = nodes.filter(listed).collect();
            for &node in more {
                whole.insert(node);
            }
            Ok((ways, whole))
        })?;
        self.far.pick(&mut self.loaded, self.clues, (&ways, &whole), targets)
    }

    /// Brings those of some edges into memory that are among the first `most` of their source, and forgets the others. They are
    /// given by source and end, ascending.
    ///
    /// # Errors
    /// Temporary files cannot be read.
    pub(crate) fn bring_first(&mut self, edges: &mut Vec<(u32, u32)>, most: usize) -> Result {
        let (mut cursor, mut near) = (Cursor::default(), vec![false; edges.len()]);
        let mut begin = 0;
        for of_one in edges.chunk_by(|a, b| a.0 == b.0) {
            let (source, mut number) = (of_one[0].0, 0);
            self.far.of(&mut cursor, source, |(_, end, _)| {
                number += 1;
                if number <= most
                    && let Ok(at) = of_one.binary_search(&(source, end))
                {
                    near[begin + at] = true;
                }
            })?;
            begin += of_one.len();
        }
        let mut near = near.into_iter();
        edges.retain(|_| near.next() == Some(true));
        let (ways, none) = (Ways::of(edges.clone()), BitSet::default());
        self.far.pick(&mut self.loaded, self.clues, (&ways, &none), &none)
    }

    /// The suspects, as [`find`](super::find) has them.
    ///
    /// # Errors
    /// The dumps are no series. Temporary files cannot be written or read.
    pub(crate) fn findings(&mut self, earlier: &[Earlier]) -> Result<Findings> {
        is_series(&self.clues.origin, false, earlier)?;
        let earlier = &*known_by_name((&self.loaded, self.clues), earlier)?;
        self.arrays = self.ask(|scene, _| scene.few_edges())?;
        let looked_at = self.ask(|scene, _| Ok(scene.sparse_nodes()))?;
        let mut waste = self.ask(|scene, _| scene.waste(&scene.strings().repeated(scene.equal)))?;
        if looked_at.count() > 0 {
            self.far.pick(
                &mut self.loaded,
                self.clues,
                (&Ways::default(), &looked_at),
                &BitSet::default(),
            )?;
            waste.extend(self.ask(|scene, _| scene.sparse())?);
        }
        let targets = self.ask(|scene, _| {
            let finder = Finder::new(scene, earlier);
            Ok(finder.needs_names().then(|| finder.targets_of_places()))
        })?;
        let grown = match targets {
            Some(targets) => {
                self.bring(&targets, &[])?;
                self.ask(|scene, _| Finder::new(scene, earlier).grown_places())?
            }
            None => Grown::default(),
        };
        let (plan, targets, asked) = self.ask(|scene, _| {
            let finder = Finder::new(scene, earlier);
            let mut plan = finder.plan(grown)?;
            plan.waste = waste;
            let targets = finder.targets(&plan);
            let asked = finder.asked(&plan)?;
            Ok((plan, targets, asked))
        })?;
        self.bring(&targets, &asked)?;
        let (mut suspects, explained, grown, targets) = self.ask(|scene, _| {
            let finder = Finder::new(scene, earlier);
            let mut suspects: Vec<Suspect> = finder.rows(plan)?;
            sort_by(&mut suspects, |a, b| order(a).cmp(&order(b)).then(b.weight().cmp(&a.weight())));
            let explained = explained(&suspects, finder.grown());
            let grown = finder.grown_classes(&suspects, explained)?;
            let targets = finder.targets_of_classes(&grown);
            Ok((suspects, explained, grown, targets))
        })?;
        if !grown.is_empty() {
            self.bring(&targets, &[])?;
            suspects.extend(self.ask(|scene, _| Finder::new(scene, earlier).class_rows(grown))?);
        }
        let unreached = self.analysed.unreached;
        self.ask(|scene, _| findings(scene, earlier, (suspects, explained), unreached))
    }
}

/// As [`suspects`](super::suspects).
pub(super) fn suspects(
    mut loaded: NamedGraph,
    clues: &Clues,
    mut large: LargeGraph,
    earlier: &[Earlier],
    limits: Limits,
) -> Result<Findings> {
    if is_allocations(&loaded) {
        // A profile is small.
        loaded.heap.graph = large.whole()?;
        return Sites::new(&loaded, clues)?.findings(earlier, limits);
    }
    // Said before the work is done.
    is_series(&clues.origin, false, earlier)?;
    let equal = equal_texts(&loaded, &large)?;
    let mut dump = Dump::new(loaded, (clues, equal), large, limits)?;
    let found = dump.findings(earlier)?;
    dump.check()?;
    Ok(found)
}

/// As [`remember`](super::remember).
pub(super) fn remember(
    mut loaded: NamedGraph,
    clues: &Clues,
    mut large: LargeGraph,
    limits: Limits,
) -> Result<Earlier> {
    if is_allocations(&loaded) {
        loaded.heap.graph = large.whole()?;
        let sites = Sites::new(&loaded, clues)?;
        return Ok(Earlier::of_profile(&clues.origin, &sites));
    }
    let equal = equal_texts(&loaded, &large)?;
    let mut dump = Dump::new(loaded, (clues, equal), large, limits)?;
    let by_name = if clues.has_identity() && !is_gapless(&dump.loaded) {
        Places::default()
    } else {
        let targets = dump.ask(|scene, _| Ok(Finder::new(scene, &[]).targets_of_places()))?;
        dump.bring(&targets, &[])?;
        dump.ask(|scene, _| Finder::new(scene, &[]).by_name())?
    };
    let Dump { loaded, analysed, .. } = &dump;
    let found = Earlier::of((loaded, clues), &analysed.outline, analysed.weights(&loaded.heap), by_name)?;
    dump.check()?;
    Ok(found)
}
