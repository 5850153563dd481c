//! What people call an object: by the field that its dominator has it in, or by its own name.

use heap_base::Result;

use heap_ops::graph::NamedGraph;
use heap_ops::place::spell;
use heap_record::Role;

/// Edges of an object that are looked at for the one that leads to a child. A list of more elements names nobody.
pub(super) const EDGES: usize = 1 << 12;

/// `.pageCache`, `[7]`, `{variable}`; of an object without class its own name, such as that of a function. `None` if there
/// is neither.
pub(super) fn label(loaded: &NamedGraph, parent: u32, node: u32) -> Result<Option<String>> {
    let heap = &loaded.heap;
    if heap.class(node).is_none()
        && let Some(name) = loaded.name(node)?
        && !name.is_empty()
    {
        return Ok(Some(name));
    }
    if parent >= heap.graph.nodes() {
        return Ok(None);
    }
    let edges = heap.graph.range(parent);
    let mut found =
        edges.take(EDGES).map(|edge| edge as u32).filter(|&edge| heap.graph.link(edge).end() == node);
    let Some(edge) = found.next() else { return Ok(None) };
    let Some(label) = loaded.label(edge)? else { return Ok(None) };
    Ok(match loaded.role(edge)? {
        // Slots of the virtual machine that have no name say nothing.
        Role::Inner if label.bytes().all(|b| b.is_ascii_digit()) => None,
        role => Some(spell::named(&label, role)),
    })
}
