//! Tables out of the dominator tree, and of all nodes at one position.

use heap_base::{Map, Plus, Result, sort_by};
use heap_graph::{Config, DomTree, HeapGraph, NONE, analyse};

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
    let retained = |node: u32| analysis.retained[node as usize];
    let sum = |nodes: &mut dyn Iterator<Item = u32>| nodes.map(retained).fold(0, u64::plus);
    let whole = match analysis.retained.get(tree.root() as usize) {
        Some(&whole) => whole,
        None => sum(&mut tree.children(tree.root())),
    };

    let mut builder = Builder::new(spec.types);
    let mut labels = Labels::default();
    let subtype = |name| load.context().types.node_id(name).map(u64::from);
    let stacks = ["heap.frame", "heap.root"].map(subtype);
    let root = if spec.stacks { stacks[1] } else { None };
    let allocation = if spec.stacks { subtype(ALLOCATION) } else { None };
    let is = |node: u32, wanted: Option<u64>| wanted.is_some() && wanted == Some(heap.subtypes.get(node));
    let mut label = |node: u32, builder: &mut Builder| match heap.name(node) {
        _ if is(node, root) => Ok(builder.names.number(&root_name(load, &heap, node)?)),
        // Backtraces differ by the names of their frames.
        Some(name) if heap.class(node).is_none() && stacks.contains(&Some(heap.subtypes.get(node))) => {
            labels.string(name, &mut builder.names, load.context())
        }
        _ => labels.of(&heap, node, &mut builder.names, load.context()),
    };
    let mut pos = vec![NONE; nodes as usize];
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
            if is_untyped(load, &heap, child) || is(child, allocation) && heap.class(child).is_none() {
                pos[child as usize] = parent; // It is what its frame has of its own.
            } else {
                children.push((label(child, &mut builder)?, child));
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

    if spec.labels {
        label_edges(load, &heap, &analysis.idom, &pos, &mut builder)?;
    }

    // What has no position counts where it hangs. Parents come first, so theirs is known.
    let mut rest = heap_base::BitSet::default();
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

/// Gathers the labels of edges that lead from a dominator to what it dominates immediately, by position.
fn label_edges(
    load: &TreeLoader,
    heap: &HeapGraph,
    idom: &[u32],
    pos: &[u32],
    builder: &mut Builder,
) -> Result {
    let mut texts = Texts::default();
    let mut gathered: Map<u32, Gathered> = Map::default();
    for source in 0..heap.graph.nodes() {
        for edge in heap.graph.range(source) {
            let end = heap.graph.link(edge as u32).end() as usize;
            if idom[end] == source && pos[end] != NONE && pos[end] != TOP {
                let label = texts.label(heap.label(edge as u32)?, load.context())?;
                gathered.entry(pos[end]).or_default().add(label, heap.kind(edge as u32)?);
            }
        }
    }
    let kind = |kind: u32| EdgeKind::of(&load.context().types, kind);
    builder.edges = gathered.into_iter().map(|(pos, labels)| (pos, labels.named(&texts, kind))).collect();
    Ok(())
}
