//! Tables out of objects and the stacks at which they were allocated.

use heap_base::{Map, Result, Set};
use heap_graph::{HeapGraph, NONE};
use heap_record::Stacks;

use super::load::{Labels, TableSpec, TreeLoader, value_of};
use super::table::{Builder, TOP, Table, Value};
use crate::place::id_of;
use crate::stream::{Context, stacks::source};

/// Stacks × types: each object counts at the innermost frame of the stack at which it was allocated. Objects without one are in
/// no tree: most dumps have more of these than of others, for what a program allocates when it starts is rarely recorded.
pub(super) fn build(load: &TreeLoader, heap: &HeapGraph, spec: TableSpec) -> Result<Table> {
    let mut builder = Builder::new(spec.types);
    let Positions { of, roots } = positions(load.context(), &mut builder)?;
    let mut labels = Labels::default();
    let mut without = Value::default();
    for node in (0..heap.sizes.len() as u32).filter(|&node| load.counts(node)) {
        let stack = (node < load.stacks.len() as u32).then(|| id_of(load.stacks.get(node)));
        let value = value_of(load, heap, node);
        let Some(&pos) = stack.and_then(|stack| of.get(&stack)) else {
            without = without.plus(value);
            continue;
        };
        let ty = labels.of(heap, node, &mut builder.names, load.context())?;
        builder.own(pos, ty, value, false);
    }
    let mut table = builder.finish(spec.selves, |pos| roots.contains(&pos));
    table.without_stack = without;
    Ok(table)
}

/// Where frames ended up.
#[derive(Default)]
struct Positions {
    /// By number of the frame.
    of: Map<i64, u32>,
    /// Those of outermost frames that are no function, but stand for all that was allocated.
    roots: Set<u32>,
}

/// A position for each frame, below that of its caller; frames of one name that one frame called share theirs.
fn positions(context: &Context, builder: &mut Builder) -> Result<Positions> {
    let Context { stacks, strings, .. } = context;
    let mut positions = Positions::default();
    let mut way = Vec::new();
    for frame in stacks.numbers() {
        let mut parent = climb(stacks, frame, &mut positions.of, &mut way);
        while let Some(frame) = way.pop() {
            let source = source(stacks, frame, strings)?.unwrap_or_default();
            let name = builder.names.number(source.name());
            let pos = builder.child(parent, name);
            if parent == TOP && source.script.is_empty() && source.function.starts_with('(') {
                positions.roots.insert(pos);
            }
            positions.of.insert(frame, pos);
            parent = pos;
        }
    }
    Ok(positions)
}

/// Puts the frames from this one outwards that have no position on the way, and marks them; returns the position above the last.
/// Of frames that call each other in a circle one is taken for the outermost.
fn climb(stacks: &Stacks, frame: i64, positions: &mut Map<i64, u32>, way: &mut Vec<i64>) -> u32 {
    for frame in stacks.frames(frame) {
        match positions.get(&frame) {
            None => {
                positions.insert(frame, NONE);
                way.push(frame);
            }
            Some(&NONE) => return TOP,
            Some(&known) => return known,
        }
    }
    TOP
}
