//! Variables that modules export. Such a variable stands in a cell of its own, which no scope has: the module has a table of
//! names and cells, and each module that imports the variable has the cell in a list.

use heap_base::{BitSet, Map, Result, Set};
use heap_graph::{Graph, HeapGraph, Link};

use super::clues::{Clues, Word};
use super::whose::{Ownership, Sort};
use crate::graph::NamedGraph;

/// The table of a module is its first part.
const TABLE: &str = "0";

/// A variable that a module exports.
#[derive(Clone, Debug)]
pub(super) struct Export {
    /// What the variable stands in.
    pub(super) cell: u32,
    /// The function that the code of the module is.
    pub(super) function: u32,
    /// Its name.
    pub(super) name: String,
}

/// Whether the class or the name of a node is this word.
fn is(heap: &HeapGraph, clues: &Clues, node: u32, word: Word) -> bool {
    let has = |text: Option<_>| text.is_some_and(|text| clues.word(text) == Some(word));
    has(heap.class(node)) || has(heap.name(node))
}

/// The modules of a dump.
pub(super) fn modules(heap: &HeapGraph, clues: &Clues) -> BitSet {
    if !clues.has_word(Word::EsModule) {
        return BitSet::default();
    }
    (0..heap.sizes.len() as u32).filter(|&node| is(heap, clues, node, Word::EsModule)).collect()
}

/// The variables that modules export, by cell, ascending. Of modules that pass one on the module that has it counts.
///
/// # Errors
/// The temporary file of strings or labels cannot be read.
pub(super) fn exports(loaded: &NamedGraph, clues: &Clues, own: &Ownership<'_>) -> Result<Vec<Export>> {
    let (heap, graph) = (&loaded.heap, &loaded.heap.graph);
    // By cell: what exports it, and whether that has the cell in a list beside the table.
    let mut found: Map<u32, (Export, bool)> = Map::default();
    // Each table and list is of one module, whatever a file says: all of them are read once.
    let mut seen = BitSet::default();
    for module in modules(heap, clues).iter() {
        let mut function = None;
        for node in ends(graph, module) {
            function = match own.sort(node) {
                Sort::Closure => Some(node),
                Sort::Object => own.end_of(node, Word::Callee)?,
                _ => None,
            };
            if function.is_some() {
                break;
            }
        }
        let (Some(function), Some(table)) = (function, table(loaded, module)?) else { continue };
        if !seen.insert(table) {
            continue;
        }
        let mut listed: Set<u32> = Set::default();
        for list in ends(graph, module).filter(|&part| own.sort(part) == Sort::Array) {
            if seen.insert(list) {
                listed.extend(ends(graph, list));
            }
        }
        // Behind the slot of a name stands its cell.
        let mut last: Option<(u32, u32)> = None;
        for edge in graph.range(table) {
            let edge = edge as u32;
            let end = graph.link(edge).end();
            let slot = loaded.label(edge)?.and_then(|label| label.parse::<u32>().ok());
            let (name, before) = (last.take(), slot.and_then(|slot| slot.checked_sub(1)));
            if own.sort(end) == Sort::Text {
                last = slot.map(|slot| (slot, end));
            } else if let Some((_, name)) = name.filter(|&(slot, _)| Some(slot) == before)
                && is(heap, clues, end, Word::Cell)
                && let Some(text) = clues.texts.text(heap, name).or(heap.name(name))
            {
                let is_its = listed.contains(&end);
                if found.get(&end).is_none_or(|&(_, before)| is_its && !before) {
                    let name = loaded.context.strings.text_or_number(text)?;
                    found.insert(end, (Export { cell: end, function, name }, is_its));
                }
            }
        }
    }
    let mut exports: Vec<Export> = found.into_values().map(|(export, _)| export).collect();
    exports.sort_unstable_by_key(|export| export.cell);
    Ok(exports)
}

fn ends(graph: &Graph, node: u32) -> impl Iterator<Item = u32> {
    graph.links_at(graph.range(node)).map(Link::end)
}

/// The table of what a module exports.
fn table(loaded: &NamedGraph, module: u32) -> Result<Option<u32>> {
    for edge in loaded.heap.graph.range(module) {
        if loaded.label(edge as u32)?.is_some_and(|label| label == TABLE) {
            return Ok(Some(loaded.heap.graph.link(edge as u32).end()));
        }
    }
    Ok(None)
}
