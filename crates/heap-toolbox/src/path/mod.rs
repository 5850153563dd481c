//! Why objects are alive: retaining paths, one by one or folded into a tree: heap-path.

mod merge;
mod options;
pub mod rows;
mod tree;

use heap_base::{BitSet, Result};
use heap_graph::{Disjoint, EveryPath, Path, Paths, Rules, disjoint, every};
use heap_record::Value;

use heap_ops::graph::{EdgeKind, NamedGraph};
use heap_ops::place::{Clues, Names, Naming, Ownership, Source, Step, Way};
use heap_ops::select::glob::Glob;

pub use heap_ops::labels::Labels;
pub use merge::{Merged, merged};
pub use options::TOOL;
pub use tree::{Branch, MergeBy};

/// A node on a path, with the edge that leads to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathStep {
    /// Label of the edge; none for the root.
    pub label: Option<String>,
    /// Subtype of the edge; none for the root.
    pub kind: Option<EdgeKind>,
    /// Identifier of the node.
    pub id: Value,
    /// Its source's number, as in `@N`.
    pub number: i64,
    /// Its type name.
    pub class: String,
    /// Its own name.
    pub name: Option<String>,
    /// Of a function or call where it stands in its source.
    pub source: Option<Source>,
    /// Its shallow size in bytes.
    pub size: u64,
}

/// Which paths to an object are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ways {
    /// One that is shortest.
    Shortest,
    /// The one that gives the object its place.
    Named,
    /// So many that share no object between their root and the target.
    Disjoint(usize),
    /// So many that differ in at least one step.
    Every(usize),
}

/// The retaining paths to an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathsTo {
    /// The object.
    pub target: PathStep,
    /// Where it hangs as the program's source names it: the cheapest way, which need not be one of the paths.
    pub place: Option<String>,
    /// Whether the shortest path goes around what holds the object by a name of the program's.
    pub around: bool,
    /// Its paths, shortest first, each from the root on. None if no root retains it.
    pub paths: Vec<Vec<PathStep>>,
    /// With [`Ways::Disjoint`], if there are fewer than asked for: objects on the paths through which all others lead.
    pub through: Vec<PathStep>,
    /// False if a search of [`Ways::Every`] ended before it had all that were asked for.
    pub complete: bool,
}

/// Retaining paths to each of the selected nodes. Nodes whose type name matches `avoid` are gone around.
///
/// Calls `found` for each of them, until it returns false.
///
/// # Errors
/// That of `found`, or the temporary file of strings cannot be read.
pub fn each(
    (loaded, clues): (&NamedGraph, &Clues),
    ways: Ways,
    avoid: &[Glob],
    mut found: impl FnMut(PathsTo) -> Result<bool>,
) -> Result {
    let graph = &loaded.heap.graph;
    let rules = loaded.rules();
    let naming = Naming::new(loaded, clues, &rules)?;
    let names = Names::new(&naming, &loaded.chosen_set())?;
    let step = |node, edge| step(loaded, &naming.own, node, edge);
    let steps = |path: &Path| -> Result<Vec<PathStep>> {
        let edges = path.edges.iter().map(|&edge| step(graph.link(edge).end(), Some(edge)));
        std::iter::once(step(path.root, None)).chain(edges).collect()
    };
    let avoid = loaded.of_types(avoid)?;
    let shortest = match ways {
        Ways::Shortest => Some(Paths::new(graph, &rules, &avoid, Some(&loaded.chosen_set()))),
        _ => None,
    };
    let hubs = match ways {
        Ways::Disjoint(_) => hubs(loaded, &rules)?,
        _ => BitSet::default(),
    };
    for &target in &loaded.chosen {
        let (mut around, named) = (false, names.steps(target)?);
        let (paths, through, complete) = match ways {
            Ways::Shortest => {
                let path = shortest.as_ref().and_then(|all| all.path(target));
                let holder = named.as_deref().and_then(named_holder);
                let passes = |path: &Path, node| {
                    path.root == node || path.edges.iter().any(|&edge| graph.link(edge).end() == node)
                };
                around = path.as_ref().zip(holder).is_some_and(|(path, node)| !passes(path, node));
                (path.into_iter().collect(), Vec::new(), true)
            }
            Ways::Named => {
                let path = named.as_ref().map(|steps| Path {
                    root: steps.first().map_or(target, |step| step.node),
                    edges: steps.iter().filter_map(|step| step.edge).collect(),
                });
                (path.into_iter().collect(), Vec::new(), true)
            }
            Ways::Disjoint(k) => {
                let Disjoint { paths, through } = disjoint(graph, &rules, &avoid, &hubs, target, k);
                (paths, through, true)
            }
            Ways::Every(most) => {
                let EveryPath { paths, complete } = every(graph, &loaded.heap.policy, &avoid, target, most);
                let complete = complete || paths.len() == most;
                (paths, Vec::new(), complete)
            }
        };
        let paths = paths.iter().map(steps).collect::<Result<_>>()?;
        let through = through.into_iter().map(|node| step(node, None)).collect::<Result<_>>()?;
        let place = named.map_or(Ok(None), |steps| names.place_by(target, steps))?;
        let target = step(target, None)?;
        if !found(PathsTo { target, place, around, paths, through, complete })? {
            return Ok(());
        }
    }
    Ok(())
}

/// The last object before the end of a way to which a name of the program leads.
fn named_holder(way: &[Step]) -> Option<u32> {
    let (_, before) = way.split_last()?;
    let named = |step: &&Step| {
        matches!(step.way, Way::Static | Way::Member | Way::Variable | Way::Exports | Way::Local)
    };
    before.iter().rev().find(named).map(|step| step.node)
}

/// Nodes into which a dump sorts what its roots hold, such as `(GC roots)`: they are of the roots' type and have
/// no bytes. Two ways through one of them share nothing of the program.
fn hubs(loaded: &NamedGraph, rules: &Rules) -> Result<BitSet> {
    let graph = &loaded.heap.graph;
    let mut hubs = BitSet::default();
    let mut open = Vec::new();
    for &root in rules.roots() {
        if loaded.heap.sizes.get(root) == 0 && hubs.insert(root) {
            open.push((root, loaded.class(root)?));
        }
    }
    while let Some((node, class)) = open.pop() {
        for edge in graph.range(node) {
            let child = graph.link(edge as u32).end();
            if loaded.heap.sizes.get(child) == 0 && !hubs.contains(child) && loaded.class(child)? == class {
                hubs.insert(child);
                open.push((child, class.clone()));
            }
        }
    }
    for &root in rules.roots() {
        hubs.remove(root);
    }
    Ok(hubs)
}

fn step(loaded: &NamedGraph, own: &Ownership<'_>, node: u32, edge: Option<u32>) -> Result<PathStep> {
    Ok(PathStep {
        label: edge.map(|e| loaded.label(e)).transpose()?.flatten(),
        kind: edge.map(|e| loaded.kind(e)).transpose()?.flatten(),
        id: loaded.id(node),
        number: loaded.number(node),
        class: loaded.class(node)?,
        name: loaded.name(node)?,
        source: own.source(node)?,
        size: loaded.heap.sizes.get(node),
    })
}
