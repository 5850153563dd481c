//! What the runtime brought with it, as against what the program made.

use heap_base::{Map, Result};

use crate::path::PathStep;
use heap_ops::graph::NamedGraph;
use heap_ops::select::Glob;

/// Whose functions are: those whose code refers to a script that the source says is the runtime's (`heap.runtime`).
pub(super) struct Runtime<'a> {
    loaded: &'a NamedGraph,
    names: &'a [Glob],
    /// Subtypes: functions, what their code may be, and texts.
    closure: Option<u64>,
    codes: [Option<u64>; 2],
    text: Option<u64>,
    /// Of code whether it refers to such a script.
    known: Map<u32, bool>,
}

impl<'a> Runtime<'a> {
    pub(super) fn new(loaded: &'a NamedGraph, names: &'a [Glob]) -> Self {
        let subtype = |name| loaded.context.types.node_id(name).map(u64::from);
        let (closure, text) = (subtype("closure"), subtype("string_flat"));
        let codes = ["code", "function_metadata"].map(subtype);
        Self { loaded, names, closure, codes, text, known: Map::default() }
    }

    /// Whether a function is the runtime's; `None` of what is no function.
    fn owns(&mut self, node: u32) -> Result<Option<bool>> {
        let (loaded, names) = (self.loaded, self.names);
        let heap = &loaded.heap;
        let subtype = |node| Some(heap.subtypes.get(node));
        let ends = |node| heap.graph.links(node).iter().map(|link| link.end());
        if subtype(node) != self.closure {
            return Ok(None);
        }
        for code in ends(node).filter(|&end| self.codes.contains(&subtype(end))) {
            let known = self.known.get(&code).copied();
            let refers = if let Some(known) = known {
                known
            } else {
                let mut refers = false;
                for end in ends(code).filter(|&end| subtype(end) != self.text) {
                    let name = loaded.name(end)?;
                    refers |= name.is_some_and(|name| names.iter().any(|glob| glob.matches(&name)));
                }
                self.known.insert(code, refers);
                refers
            };
            if refers {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    /// Whether the runtime brought what lies at the end of `path`: the last function on the path is the runtime's, and so
    /// are most of those that the nodes `below` are or refer to. What the program gave the runtime to keep, such as its
    /// timers, leads to functions of the program.
    pub(super) fn brought(&mut self, path: &[PathStep], below: impl Iterator<Item = u32>) -> Result<bool> {
        if self.names.is_empty() {
            return Ok(false);
        }
        let loaded = self.loaded;
        let heap = &loaded.heap;
        let mut holds = false;
        for step in path.iter().rev() {
            if let Some(owns) = heap.ids.find(step.id).map(|node| self.owns(node)).transpose()?.flatten() {
                holds = owns;
                break;
            }
        }
        if !holds {
            return Ok(false);
        }
        let (mut own, mut all) = (0u64, 0u64);
        for node in below.filter(|&node| node < heap.graph.nodes()) {
            let near = heap.graph.links(node).iter().map(|link| link.end());
            for function in near.chain([node]) {
                if let Some(owns) = self.owns(function)? {
                    own += u64::from(owns);
                    all += 1;
                }
            }
        }
        Ok(own * 2 > all)
    }
}
