//! Tables out of allocations at stack frames, and out of cumulative cells.

use std::collections::BTreeMap;

use heap_base::json::{Json, member, scalar};
use heap_base::{Result, Set};
use heap_graph::{HeapGraph, NONE};

use super::load::{Axis, Labels, TableSpec, TreeLoader, is_untyped};
use super::table::{ALL, Builder, TOP, Table, Value};
use crate::stream::cells::{CumulativeCell, is_previous};

/// A frame that is being placed: seen on the way up from a deeper one.
const BUSY: u32 = NONE - 1;

/// Frames and allocations by node: who called or allocated them.
struct Stacks {
    frames: Vec<bool>,
    roots: Vec<bool>,
    callers: Vec<u32>,
}

fn stacks(load: &TreeLoader, heap: &HeapGraph) -> Result<Stacks> {
    let subtype = |name| load.context().types.node_id(name).map(u64::from);
    let (root, frame) = (subtype("heap.root"), subtype("heap.frame"));
    let n = heap.graph.nodes();
    let is = |node: u32, wanted: Option<u64>| wanted == Some(heap.subtypes.get(node));
    let roots: Vec<bool> = (0..n).map(|node| is(node, root)).collect();
    let frames: Vec<bool> = (0..n).map(|node| is(node, root) || is(node, frame)).collect();
    let kind = |name| load.context().types.edge_id(name);
    let (calls, allocated) = (kind("heap.calls"), kind("heap.allocated"));
    let mut callers = vec![NONE; n as usize];
    for source in (0..n).filter(|&node| frames[node as usize]) {
        for edge in heap.graph.range(source) {
            let end = heap.graph.link(edge as u32).end();
            let kind = heap.kind(edge as u32)?;
            let fits =
                if frames[end as usize] { kind == calls && !roots[end as usize] } else { kind == allocated };
            // A frame has one caller; where a source says more the first holds.
            if fits && kind.is_some() && callers[end as usize] == NONE {
                callers[end as usize] = source;
            }
        }
    }
    Ok(Stacks { frames, roots, callers })
}

/// Where every frame ended up.
struct Placed {
    pos: Vec<u32>,
    /// The frame without a caller above it.
    tops: Vec<u32>,
}

/// Backtraces × types. What Chromium's cumulative dumps say is taken as it is; all else is added up from
/// allocations.
///
/// A heap is known by the frame without a caller that its stacks begin with, its top. There are three sorts of heaps, and
/// they may stand in one dump:
/// - allocations alone: each counts at the frame that made it, with its type;
/// - cells alone (`celled`, format v1): cumulative values by frame and type, which cannot be derived, since v1 says the
///   types of all stacks together;
/// - both (`old`, the format before): allocations are more exact, so cells say only the sums of types that no allocation has.
pub(super) fn build(mut load: TreeLoader, mut heap: HeapGraph, spec: TableSpec) -> Result<Table> {
    let stacks = stacks(&load, &heap)?;
    let cells = cells(&mut load, &mut heap, &stacks)?;
    let mut builder = Builder::new(spec.types);
    let mut labels = Labels::default();

    // Heaps that have cells alone: v1. The previous format has cells too, but its own values are more exact.
    let tops = tops(&stacks);
    let previous = |root: u32| -> Result<bool> {
        load.roots.get(&root).map_or(Ok(false), |root| is_previous(&root.rest, load.context()))
    };
    let mut celled = Set::default();
    let mut old = Set::default();
    for &(node, _) in &cells {
        let top = tops[node as usize];
        if !celled.contains(&top) && !old.contains(&top) {
            if previous(top)? {
                old.insert(top)
            } else {
                celled.insert(top)
            };
        }
    }

    let placed = place(&load, &heap, &stacks, tops, &celled, spec.axis, &mut builder, &mut labels)?;

    // Own types of heaps of the previous format, against which their column sums are held.
    let mut known: Set<(u32, u32)> = Set::default();
    let other = builder.names.number("<other>");
    for node in 0..heap.graph.nodes() {
        let caller = stacks.callers[node as usize];
        if stacks.frames[node as usize] || caller == NONE || !load.counts(node) {
            continue;
        }
        let top = placed.tops[caller as usize];
        if celled.contains(&top) {
            continue;
        }
        let mut ty = match heap.class(node) {
            Some(class) if !is_untyped(&load, &heap, node) => {
                labels.string(class, &mut builder.names, load.context())?
            }
            _ => ALL,
        };
        if ty == other {
            ty = ALL;
        }
        if old.contains(&top) {
            known.insert((top, ty));
        }
        let value = Value::new(heap.sizes.get(node), load.count(node));
        builder.own(placed.pos[caller as usize], ty, value, false);
    }

    // Cells. Sums of a type over several heaps are made here.
    let mut sums: BTreeMap<u32, Value> = BTreeMap::new();
    let single = stacks.roots.iter().filter(|&&root| root).count() <= 1;
    for (node, cell) in cells {
        let top = placed.tops[node as usize];
        // With one position only the cells of the heaps' roots say everything.
        if spec.axis == Axis::None && node != top {
            continue;
        }
        let pos = placed.pos[node as usize];
        let ty = match cell.class {
            Some(class) => labels.string(class, &mut builder.names, load.context())?,
            None => ALL,
        };
        let value = Value::new(cell.size, cell.count);
        if celled.contains(&top) {
            builder.given(pos, ty, value);
        } else if node == top && ty != ALL && !known.contains(&(top, ty)) {
            builder.marginal(pos, ty, value);
        } else {
            continue;
        }
        if node == top && ty != ALL && pos != TOP && !single {
            let sum = sums.entry(ty).or_default();
            *sum = sum.plus(value);
        }
    }
    // No source says the types of several heaps together.
    for (ty, value) in sums {
        builder.marginal(TOP, ty, value);
    }
    let tops: Set<u32> =
        stacks.roots.iter().zip(&placed.pos).filter(|(root, _)| **root).map(|(_, &pos)| pos).collect();
    Ok(builder.finish(spec.selves, |pos| tops.contains(&pos)))
}

/// The cells that count, with their frames.
fn cells(load: &mut TreeLoader, heap: &mut HeapGraph, stacks: &Stacks) -> Result<Vec<(u32, CumulativeCell)>> {
    let mut found = Vec::new();
    for cell in std::mem::take(&mut load.cells) {
        let Ok(Some(node)) = heap.table.get(cell.frame) else { continue };
        if stacks.frames[node as usize] && load.cell_counts(&cell, node, heap.name(node))? {
            found.push((node, cell));
        }
    }
    Ok(found)
}

/// By frame: the frame at the top of its stack. Of frames that call each other in a circle one is taken for the top.
fn tops(stacks: &Stacks) -> Vec<u32> {
    let mut tops = vec![NONE; stacks.callers.len()];
    let mut way = Vec::new();
    for node in (0..tops.len()).filter(|&node| stacks.frames[node]) {
        let mut at = node as u32;
        let top = loop {
            match tops[at as usize] {
                NONE => {}
                BUSY => break at,
                top => break top,
            }
            tops[at as usize] = BUSY;
            way.push(at);
            match stacks.callers[at as usize] {
                NONE => break at,
                caller => at = caller,
            }
        };
        for frame in way.drain(..) {
            tops[frame as usize] = top;
        }
    }
    tops
}

#[allow(clippy::too_many_arguments, reason = "one step of `build`, cut out for its length")]
fn place(
    load: &TreeLoader,
    heap: &HeapGraph,
    stacks: &Stacks,
    tops: Vec<u32>,
    celled: &Set<u32>,
    axis: Axis,
    builder: &mut Builder,
    labels: &mut Labels,
) -> Result<Placed> {
    let own = builder.names.number("<self>");
    let mut pos = vec![NONE; tops.len()];
    let mut way = Vec::new();
    for node in (0..tops.len()).filter(|&node| stacks.frames[node]) {
        let mut at = node as u32;
        while pos[at as usize] == NONE {
            way.push(at);
            if tops[at as usize] == at {
                break;
            }
            at = stacks.callers[at as usize];
        }
        while let Some(frame) = way.pop() {
            let at_top = tops[frame as usize] == frame;
            if !at_top && axis == Axis::None {
                pos[frame as usize] = pos[tops[frame as usize] as usize];
                continue;
            }
            let parent = if at_top { TOP } else { pos[stacks.callers[frame as usize] as usize] };
            let label = match heap.name(frame) {
                _ if at_top && stacks.roots[frame as usize] => {
                    let text = root_name(load, heap, frame)?;
                    builder.names.number(&text)
                }
                Some(name) => labels.string(name, &mut builder.names, load.context())?,
                None => labels.subtype(heap.subtypes.get(frame) as u32, &mut builder.names, load.context()),
            };
            // Where own values are known, what the source calls `<self>` is what its frame has of its own.
            let is_own = label == own && !at_top && !celled.contains(&tops[frame as usize]);
            pos[frame as usize] = if is_own { parent } else { builder.child(parent, label) };
        }
    }
    Ok(Placed { pos, tops })
}

/// `malloc`, or where the process is known `malloc (Renderer 4711)`.
pub(super) fn root_name(load: &TreeLoader, heap: &HeapGraph, node: u32) -> Result<String> {
    let strings = &load.context().strings;
    let name = match heap.name(node) {
        Some(name) => strings.text_or_number(name)?,
        None => {
            crate::select::field::bracketed(&load.context().types.node_name(heap.subtypes.get(node) as u32))
        }
    };
    let root = load.roots.get(&node);
    let field = |name| root.and_then(|root| member(&root.rest, name)).and_then(scalar);
    let process = match field("chrome.process") {
        Some(Json::Text(text)) => Some(text.into_owned()),
        Some(value) => value.as_int().map(|id| strings.text_or_number(id)).transpose()?,
        None => None,
    };
    let pid = field("chrome.pid").and_then(|pid| pid.as_int());
    Ok(match (process, pid) {
        (Some(process), Some(pid)) => format!("{name} ({process} {pid})"),
        (None, Some(pid)) => format!("{name} (pid {pid})"),
        _ => name,
    })
}
