//! The same of dumps whose edges are in files.
//!
//! In memory are what is known of each node, the dominator tree, and few edges: those by which functions, scopes, scripts,
//! classes and threads are known. What is asked of edges beside that is
//! - a pass over all of them: what holds a crowd, which arrays are nearly empty;
//! - those of single nodes, from the file: what stands behind objects, by which field a holder has them;
//! - ways: a search in the file says which edges are on the cheapest ways to the nodes that rows need. The graph in memory
//!   gets these, with all edges of the program's objects on them, and the usual code goes on with it.

use heap_base::{BitSet, Map, Result, sort_by};
use heap_graph::LargeGraph;
use heap_record::StringId;

use super::analysis::{Analysed, analyse_far};
use super::finder::Finder;
use super::growth::{is_series, known_by_name};
use super::places::ByName;
use super::scene::Scene;
use super::sites::Sites;
use super::{Earlier, Findings, Limits, Suspect, explained, findings, is_gapless, order};
use crate::view::is_allocations;
use heap_ops::graph::NamedGraph;
use heap_ops::place::{Clues, Far, Naming, Ways};

/// Bytes a node that suspects need beside what is kept of each while the dominator tree is made.
const NODE: u64 = 9;

/// A dump whose edges are in files.
struct Dump<'a> {
    loaded: NamedGraph,
    clues: &'a Clues,
    analysed: Analysed,
    far: Far,
    equal: Map<StringId, StringId>,
    limits: Limits,
    /// Arrays that have few edges for their size.
    arrays: BitSet,
}

impl<'a> Dump<'a> {
    fn new(mut loaded: NamedGraph, clues: &'a Clues, mut large: LargeGraph, limits: Limits) -> Result<Self> {
        large.check_for(NODE)?;
        // What this needs is free again when the tree is made.
        let equal = loaded.context.strings.equal()?;
        let analysed = analyse_far(&loaded, &mut large)?;
        let far = Far::new(&mut loaded, clues, large, analysed.rules.clone())?;
        Ok(Self { loaded, clues, analysed, far, equal, limits, arrays: BitSet::default() })
    }

    /// Asks something of the dump as it is in memory now.
    fn ask<T>(&self, ask: impl FnOnce(&Scene<'_>, &Far) -> Result<T>) -> Result<T> {
        let Self { loaded, clues, analysed, far, equal, limits, arrays } = self;
        let naming = Naming::new(loaded, clues, &analysed.rules)?;
        let mut scene = Scene::new(loaded, (clues, &naming), analysed, equal, *limits, Some(far));
        scene.arrays = Some(arrays.clone());
        ask(&scene, far)
    }

    /// Says that what is in files could not be read.
    fn check(&self) -> Result {
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
    is_series(&clues.origin, false, earlier)?;
    let earlier = &*known_by_name((&loaded, clues), earlier)?;
    let mut dump = Dump::new(loaded, clues, large, limits)?;
    dump.arrays = dump.ask(|scene, _| scene.few_edges())?;
    let looked_at = dump.ask(|scene, _| Ok(scene.sparse_nodes()))?;
    let mut waste = dump.ask(|scene, _| scene.waste(&scene.strings().repeated(scene.equal)))?;
    if looked_at.count() > 0 {
        dump.far.pick(&mut dump.loaded, clues, (&Ways::default(), &looked_at), &BitSet::default())?;
        waste.extend(dump.ask(|scene, _| scene.sparse())?);
    }
    let targets = dump.ask(|scene, _| {
        let finder = Finder::new(scene, earlier);
        Ok(finder.needs_names().then(|| finder.targets_of_places()))
    })?;
    let grown = match targets {
        Some(targets) => {
            dump.bring(&targets, &[])?;
            dump.ask(|scene, _| Finder::new(scene, earlier).grown_places())?
        }
        None => Vec::new(),
    };
    let (plan, targets, asked) = dump.ask(|scene, _| {
        let finder = Finder::new(scene, earlier);
        let mut plan = finder.plan(grown)?;
        plan.waste = waste;
        let targets = finder.targets(&plan);
        let asked = finder.asked(&plan)?;
        Ok((plan, targets, asked))
    })?;
    dump.bring(&targets, &asked)?;
    let (mut suspects, explained, grown, targets) = dump.ask(|scene, _| {
        let finder = Finder::new(scene, earlier);
        let mut suspects: Vec<Suspect> = finder.rows(plan)?;
        sort_by(&mut suspects, |a, b| order(a).cmp(&order(b)).then(b.weight().cmp(&a.weight())));
        let explained = explained(&suspects, finder.grown());
        let grown = finder.grown_classes(&suspects, explained)?;
        let targets = finder.targets_of_classes(&grown);
        Ok((suspects, explained, grown, targets))
    })?;
    if !grown.is_empty() {
        dump.bring(&targets, &[])?;
        suspects.extend(dump.ask(|scene, _| Finder::new(scene, earlier).class_rows(grown))?);
    }
    let unreached = dump.analysed.unreached;
    let found = dump.ask(|scene, _| findings(scene, earlier, (suspects, explained), unreached))?;
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
        return Ok(Earlier::of_profile(&clues.origin, sites.total(), sites.by_name()));
    }
    let mut dump = Dump::new(loaded, clues, large, limits)?;
    let by_name = if clues.has_identity() && !is_gapless(&dump.loaded) {
        ByName::default()
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
