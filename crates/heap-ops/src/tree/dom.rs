//! Tables out of the dominator tree, and of all nodes at one position.

use heap_base::{BitSet, Map, Plus, Result, sort_by};
use heap_graph::{Config, DomTree, HeapGraph, LargeGraph, NONE, Outline, analyse};
use heap_record::StringId;

use super::frames::root_name;
use super::load::{Labels, TableSpec, TreeLoader, is_untyped, value_of};
use super::table::{Builder, TOP, Table};
use crate::graph::EdgeKind;
use crate::labels::{Gathered, Texts};
use crate::stream::cells::ALLOCATION;

/// Every selected node at the top.
pub(super) fn flat(load: &TreeLoader, heap: &HeapGraph) -> Result<Table> {
    let mut builder = Builder::new(true);
    let mut labels = Labels::default();
    for node in (0..heap.graph.nodes()).filter(|&node| load.counts(node)) {
        let ty = labels.of(heap, node, &mut builder.names, load.context())?;
        builder.own(TOP, ty, value_of(load, heap, node), false);
    }
    Ok(builder.finish(false, |_| false))
}

/// The dominator tree with children of one type merged under their parent. Groups that the cut-off or the depth
/// leaves out get no position; their bytes count where they hang.
///
/// A position of the table stands for a group of nodes that have one label and dominators of one position. `pos` says the
/// position of each node; [`NONE`] is a node below a group that was left out, until the end, when such a node gets the
/// position of its dominator. Groups are broken down depth first, from a stack: positions are numbered parents first,
/// which the table relies on, and the nodes of a group are dropped as soon as those of its children are known.
pub(super) fn build(load: &TreeLoader, mut heap: HeapGraph, spec: TableSpec) -> Result<Table> {
    let nodes = heap.graph.nodes();
    let graph = if spec.labels { heap.graph.bare() } else { std::mem::take(&mut heap.graph) };
    let config = Config { retained: true, ..Config::default() };
    let analysis = if load.everything() {
        analyse(graph, &heap.sizes, &heap.policy, config)
    } else {
        let sizes = (0..nodes).map(|node| if load.counts(node) { heap.sizes.get(node) } else { 0 }).collect();
        analyse(graph, &sizes, &heap.policy, config)
    };
    let tree = DomTree::new(analysis.root, &analysis.idom);
    let whole = match analysis.retained.get(tree.root() as usize) {
        Some(&whole) => whole,
        None => tree.children(tree.root()).map(|node| analysis.retained[node as usize]).fold(0, u64::plus),
    };
    let by_node = ByNode { tree: &tree, retained: &analysis.retained };
    let Grown { mut builder, mut labels, mut pos } = grow(load, &heap, spec, whole, &by_node)?;

    if spec.labels {
        label_edges(load, &heap, &analysis.idom, &pos, &mut builder)?;
    }

    // What has no position counts where it hangs. Parents come first, so theirs is known.
    let mut rest = BitSet::default();
    tree.visit(
        |node| {
            if (node as usize) < pos.len() && pos[node as usize] == NONE {
                pos[node as usize] = pos.get(analysis.idom[node as usize] as usize).copied().unwrap_or(TOP);
                rest.insert(node);
            }
            true
        },
        |_| {},
    );
    drop(tree);
    drop(analysis);
    for node in (0..nodes).filter(|&node| pos[node as usize] != NONE && load.counts(node)) {
        let ty = if spec.types { labels.of(&heap, node, &mut builder.names, load.context())? } else { 0 };
        builder.own(pos[node as usize], ty, value_of(load, &heap, node), rest.contains(node));
    }
    Ok(builder.finish(spec.selves, |_| false))
}

/// Bytes a node that a tree takes beside one in files: positions, and the places of a level. It is 16, of which what was sorted
/// has left three.
const IN_FILES: u64 = 13;

/// The same of a graph whose edges are in files: places are ranks.
pub(super) fn build_far(
    load: &TreeLoader,
    heap: &HeapGraph,
    mut large: LargeGraph,
    spec: TableSpec,
) -> Result<Table> {
    let nodes = large.nodes();
    large.check_for(IN_FILES)?;
    let outlined = if load.everything() {
        large.outline(&heap.sizes, &heap.policy)?
    } else {
        let sizes = (0..nodes).map(|node| if load.counts(node) { heap.sizes.get(node) } else { 0 }).collect();
        large.outline(&sizes, &heap.policy)?
    };
    let tree = outlined.outline;
    let whole = tree.retained(Outline::ROOT);
    let Grown { mut builder, mut labels, mut pos } = grow(load, heap, spec, whole, &tree)?;
    if spec.labels {
        let above = tree.above();
        let at = |end: u32| tree.rank(end).map_or(NONE, |rank| pos[rank as usize]);
        let is_named =
            |source: u32, end: u32| !matches!(at(end), NONE | TOP) && above.node(end) == Some(source);
        let mut gathered = Edges::default();
        large.each_of(is_named, |end, (label, kind)| {
            let (label, kind) = heap.named(label, kind);
            gathered.add(at(end), label, kind, load)
        })?;
        gathered.give(load, &mut builder);
    }

    // As in memory, with the places that are open: where each ends, and its position. What ends where the next one does has nothing
    // else, so a list takes one entry.
    let mut rest = BitSet::default();
    let mut open: Vec<(u32, u32)> = Vec::new();
    for rank in 0..tree.len() {
        let end = tree.end(rank);
        while open.pop_if(|&mut (of, _)| of <= rank).is_some() {}
        if pos[rank as usize] == NONE {
            pos[rank as usize] = open.last().map_or(TOP, |&(_, at)| at);
            rest.insert(rank);
        }
        while open.pop_if(|&mut (of, _)| of <= end).is_some() {}
        open.push((end, pos[rank as usize]));
    }
    for node in (0..nodes).filter(|&node| load.counts(node)) {
        let Some(rank) = tree.rank(node) else { continue };
        let ty = if spec.types { labels.of(heap, node, &mut builder.names, load.context())? } else { 0 };
        builder.own(pos[rank as usize], ty, value_of(load, heap, node), rest.contains(rank));
    }
    tree.check()?;
    heap.check()?;
    Ok(builder.finish(spec.selves, |_| false))
}

/// A dominator tree whose places are numbers.
trait Places {
    /// They are below this number, but perhaps that of the root.
    fn bound(&self) -> u32;
    fn root(&self) -> u32;
    fn node(&self, place: u32) -> u32;
    fn retained(&self, place: u32) -> u64;
    fn children(&self, place: u32) -> impl Iterator<Item = u32>;
}

/// One in memory: places are nodes.
struct ByNode<'a> {
    tree: &'a DomTree,
    retained: &'a [u64],
}

impl Places for ByNode<'_> {
    fn bound(&self) -> u32 {
        self.retained.len() as u32
    }

    fn root(&self) -> u32 {
        self.tree.root()
    }

    fn node(&self, place: u32) -> u32 {
        place
    }

    fn retained(&self, place: u32) -> u64 {
        self.retained[place as usize]
    }

    fn children(&self, place: u32) -> impl Iterator<Item = u32> {
        self.tree.children(place)
    }
}

impl Places for Outline {
    fn bound(&self) -> u32 {
        self.len()
    }

    fn root(&self) -> u32 {
        Self::ROOT
    }

    fn node(&self, place: u32) -> u32 {
        self.node(place)
    }

    fn retained(&self, place: u32) -> u64 {
        self.retained(place)
    }

    fn children(&self, place: u32) -> impl Iterator<Item = u32> {
        self.children(place)
    }
}

/// The positions of a tree, without what nodes have of their own.
struct Grown {
    builder: Builder,
    labels: Labels,
    /// By place.
    pos: Vec<u32>,
}

fn grow(
    load: &TreeLoader,
    heap: &HeapGraph,
    spec: TableSpec,
    whole: u64,
    tree: &impl Places,
) -> Result<Grown> {
    let sum = |places: &mut dyn Iterator<Item = u32>| places.map(|at| tree.retained(at)).fold(0, u64::plus);
    let mut builder = Builder::new(spec.types);
    let mut labels = Labels::default();
    let subtype = |name| load.context().types.node_id(name).map(u64::from);
    let stacks = ["heap.frame", "heap.root"].map(subtype);
    let root = if spec.stacks { stacks[1] } else { None };
    let allocation = if spec.stacks { subtype(ALLOCATION) } else { None };
    let is = |node: u32, wanted: Option<u64>| wanted.is_some() && wanted == Some(heap.subtypes.get(node));
    let mut label = |node: u32, builder: &mut Builder| match heap.name(node) {
        _ if is(node, root) => Ok(builder.names.number(&root_name(load, heap, node)?)),
        // Backtraces differ by the names of their frames.
        Some(name) if heap.class(node).is_none() && stacks.contains(&Some(heap.subtypes.get(node))) => {
            labels.string(name, &mut builder.names, load.context())
        }
        _ => labels.of(heap, node, &mut builder.names, load.context()),
    };
    let mut pos = vec![NONE; tree.bound() as usize];
    let mut groups = vec![(TOP, 0, whole, vec![tree.root()])];
    if let Some(slot) = pos.get_mut(tree.root() as usize) {
        *slot = TOP;
    }
    while let Some((parent, depth, size, members)) = groups.pop() {
        if depth >= spec.depth {
            continue;
        }
        let mut children = Vec::new();
        for child in members.iter().flat_map(|&member| tree.children(member)) {
            let node = tree.node(child);
            if is_untyped(load, heap, node) || is(node, allocation) && heap.class(node).is_none() {
                pos[child as usize] = parent; // It is what its frame has of its own.
            } else {
                children.push((label(node, &mut builder)?, child));
            }
        }
        drop(members);
        children.sort_unstable();
        // Sorted by label, equal ones stand together; each group has the sum of what its nodes retain.
        let mut found: Vec<_> = children
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| (group[0].0, sum(&mut group.iter().map(|child| child.1)), group))
            .collect();
        // Equal ones by name, as they are shown: a cut-off may go through the midst of them.
        let names = &builder.names;
        sort_by(&mut found, |a, b| b.1.cmp(&a.1).then_with(|| names.text(a.0).cmp(names.text(b.0))));
        // With types a position is kept for any of its types, by its own floor; else the rule looks at the siblings.
        let kept = if spec.types {
            let floor = spec.cut.floor(whole);
            found.partition_point(|group| group.1 >= floor)
        } else {
            spec.cut.keep(whole, size, found.iter().map(|group| group.1))
        };
        for (label, size, group) in found.drain(..kept) {
            let at = builder.push(parent, label);
            let members: Vec<u32> = group.iter().map(|child| child.1).collect();
            for &member in &members {
                pos[member as usize] = at;
            }
            groups.push((at, depth + 1, size, members));
        }
    }
    Ok(Grown { builder, labels, pos })
}

/// Gathers the labels of edges that lead from a dominator to what it dominates immediately, by position.
fn label_edges(
    load: &TreeLoader,
    heap: &HeapGraph,
    idom: &[u32],
    pos: &[u32],
    builder: &mut Builder,
) -> Result {
    let mut gathered = Edges::default();
    for source in 0..heap.graph.nodes() {
        for edge in heap.graph.range(source) {
            let end = heap.graph.link(edge as u32).end() as usize;
            if idom[end] == source && pos[end] != NONE && pos[end] != TOP {
                gathered.add(pos[end], heap.label(edge as u32)?, heap.kind(edge as u32)?, load)?;
            }
        }
    }
    gathered.give(load, builder);
    Ok(())
}

/// Labels of edges by position.
#[derive(Default)]
struct Edges {
    texts: Texts,
    by_position: Map<u32, Gathered>,
}

impl Edges {
    fn add(&mut self, pos: u32, label: Option<StringId>, kind: Option<u32>, load: &TreeLoader) -> Result<()> {
        let label = self.texts.label(label, load.context())?;
        self.by_position.entry(pos).or_default().add(label, kind);
        Ok(())
    }

    fn give(self, load: &TreeLoader, builder: &mut Builder) {
        let Self { texts, by_position } = self;
        let kind = |kind: u32| EdgeKind::of(&load.context().types, kind);
        builder.edges =
            by_position.into_iter().map(|(pos, labels)| (pos, labels.named(&texts, kind))).collect();
    }
}
