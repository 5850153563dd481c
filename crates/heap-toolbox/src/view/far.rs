//! The same of dumps whose edges are in files.
//!
//! Beside what suspects ask of the edges, a view asks for two things: which arrays one object alone refers to, two passes over
//! all of them before there is a dominator tree; and the labels of objects that have a cell each, edges that few nodes have
//! from what dominates them, which the graph in memory gets at the end. All else is in the dominator tree and in what is known
//! of each node.

use heap_base::Result;
use heap_graph::LargeGraph;

use super::classes::Groups;
use super::labels::EDGES;
use super::{Extent, HeapTotals, HeapView, Parts, cells, texts};
use crate::strings::arrays::OwnArrays;
use crate::suspects::far::{Dump, equal_texts};
use crate::suspects::{Earlier, Findings, Limits};
use heap_ops::graph::NamedGraph;
use heap_ops::place::Clues;

/// As [`Loaded::build`](super::Loaded::build).
pub(super) fn build(
    (loaded, clues, mut large): (NamedGraph, &Clues, LargeGraph),
    extent: Extent,
    earlier: &[Earlier],
) -> Result<HeapView> {
    let equal = equal_texts(&loaded, &large)?;
    let arrays = OwnArrays::of_large(&loaded.heap, &loaded.context.types, &mut large)?;
    let strings = texts::table(&loaded, clues, &equal, &arrays, extent.strings)?;
    drop(arrays);
    let (groups, edges) = (Groups::of_nodes(&loaded)?, large.edges());
    let mut dump = Dump::new(loaded, (clues, equal), large, Limits::default())?;
    let findings = if extent.picture { Findings::default() } else { dump.findings(earlier)? };
    let (nodes, count) = (dump.loaded.heap.sizes.len() as u32, groups.rows.len() as u32);
    let (heap, analysed) = (&dump.loaded.heap, &dump.analysed);
    let outline = &analysed.outline;
    let (of, sums) = outline.grouped(count, |node| groups.of(heap, node))?;
    let mut cells = cells::build(analysed.weights(heap), outline, (&groups.rows, &of), extent.shape);
    of.check()?;
    drop(of);
    let totals =
        HeapTotals { nodes: nodes.into(), edges, size: analysed.size, unreached: analysed.unreached };
    let mut labels = cells.edges(nodes);
    dump.bring_first(&mut labels, EDGES)?;
    cells.keep(&labels);
    let parts = Parts { totals, strings, findings, cells, groups };
    let view = parts.named(&dump.loaded, &dump.naming()?.own, &sums, extent)?;
    dump.check()?;
    Ok(view)
}
