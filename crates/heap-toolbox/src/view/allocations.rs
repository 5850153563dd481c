//! Backtraces of allocation dumps as cells.

use heap_base::sort_by;
use std::collections::BinaryHeap;

use heap_base::Plus;
use heap_graph::NONE;

use super::cells::{Cell, CellKind, CellTree, Names, OTHER, Shape};
use heap_ops::graph::NamedGraph;
use heap_ops::select::Selection;
use heap_ops::tree::{Axes, Axis, Table, TreeLoader, TreeOptions};

/// True if a dump says what was allocated where, and has no objects that refer to others.
pub fn is_allocations(loaded: &NamedGraph) -> bool {
    let known = |name: &str| loaded.context.types.node_id(name).map(u64::from);
    let stacks = ["heap.frame", "heap.allocation", "heap.root"].map(known);
    let mut subtypes = loaded.heap.subtypes.iter();
    stacks[..2].iter().any(Option::is_some) && subtypes.all(|subtype| stacks.contains(&Some(subtype)))
}

/// Takes in what [`allocation_cells`] needs.
pub fn backtraces() -> TreeLoader {
    let axes = Axes { axis: Axis::Frame, types: false };
    let plan = TreeOptions { axes, ..TreeOptions::default() }.plan(false);
    TreeLoader::new(plan.spec, Selection::default())
}

/// The backtraces that a [`Table`] by frames has, as cells.
pub fn allocation_cells(table: &Table, shape: Shape) -> CellTree {
    let mut names = Names::default();
    let other = names.number(OTHER);
    let value = |pos: u32| (table.all(pos).size, table.all(pos).count().unwrap_or(0));
    let whole = value(0);
    let floor = (whole.0 / shape.grain.max(1)).max(1);
    let cell = |parent, name, (size, count): (u64, u64), depth| Cell {
        parent,
        kind: CellKind::Named,
        name,
        label: None,
        number: None,
        count,
        size,
        own: size,
        depth,
        closed: true,
    };
    let mut cells = vec![cell(NONE, names.number("(allocations)"), whole, 0)];
    let mut open = BinaryHeap::from([(whole.0, std::cmp::Reverse(0u32), 0u32)]);
    while let Some((size, std::cmp::Reverse(at), pos)) = open.pop() {
        let depth = cells[at as usize].depth;
        let mut children: Vec<u32> = table.children(pos).filter(|&child| value(child).0 > 0).collect();
        let below = children.iter().map(|&child| value(child).0).fold(0, u64::plus);
        cells[at as usize].own = size.saturating_sub(below);
        if cells.len() >= shape.cells || depth >= shape.depth {
            continue;
        }
        cells[at as usize].closed = false;
        sort_by(&mut children, |&a, &b| {
            value(b).0.cmp(&value(a).0).then_with(|| table.name(a).cmp(table.name(b)))
        });
        let kept = children.iter().take(shape.children).take_while(|&&child| value(child).0 >= floor).count();
        for &child in &children[..kept] {
            let new = cells.len() as u32;
            cells.push(cell(at, names.number(table.name(child)), value(child), depth + 1));
            open.push((value(child).0, std::cmp::Reverse(new), child));
        }
        if kept < children.len() {
            let rest = children[kept..].iter().map(|&child| value(child));
            let rest = rest.fold((0u64, 0u64), |sum, v| (sum.0.plus(v.0), sum.1.plus(v.1)));
            cells.push(Cell { kind: CellKind::Other, ..cell(at, other, rest, depth + 1) });
        }
    }
    CellTree { cells, names: names.texts, kinds: Vec::new(), allocations: true }
}
