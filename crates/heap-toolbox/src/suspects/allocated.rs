//! Which function of the program allocated objects, where the dump has the stacks.

use heap_base::{Map, Result};

use super::scene::Scene;
use heap_ops::stream::stacks::Function;

/// The function of the program that allocated most of some objects of a class, with its place: `load (app.js:14:15)`. What calls
/// the constructor of a class says more than that, and what calls the runtime more than the runtime's own.
pub(super) fn allocated(
    scene: &Scene<'_>,
    nodes: impl ExactSizeIterator<Item = u32>,
    class: &str,
) -> Result<Option<String>> {
    let all = nodes.len();
    if !scene.loaded.context.stacks.are_there() {
        return Ok(None);
    }
    let mut by_stack: Map<i64, usize> = Map::default();
    for stack in nodes.filter_map(|node| scene.clues.stack(node)) {
        *by_stack.entry(stack).or_default() += 1;
    }
    let mut by_function: Map<Function, (usize, i64)> = Map::default();
    for (stack, count) in by_stack {
        let Some((function, frame)) = site(scene, stack, class)? else { continue };
        let of = by_function.entry(function).or_insert((0, frame));
        *of = (of.0 + count, of.1.min(frame));
    }
    let most = by_function.into_values().max_by_key(|&(count, frame)| (count, std::cmp::Reverse(frame)));
    let Some((_, frame)) = most.filter(|&(count, _)| count * 2 > all) else { return Ok(None) };
    let source = scene.loaded.context.stacks.source(frame, &scene.loaded.context.strings)?;
    Ok(source.map(|source| source.short()))
}

/// The innermost function of the program in a stack, with its frame; the innermost at all if the program has none in it.
fn site(scene: &Scene<'_>, stack: i64, class: &str) -> Result<Option<(Function, i64)>> {
    let (stacks, strings) = (&scene.loaded.context.stacks, &scene.loaded.context.strings);
    let mut first = None;
    for frame in stacks.frames(stack) {
        let (Some(function), Some(source)) = (stacks.function(frame), stacks.source(frame, strings)?) else {
            continue;
        };
        if !scene.clues.is_runtimes_script(&source.script) && source.function != class {
            return Ok(Some((function, frame)));
        }
        first.get_or_insert((function, frame));
    }
    Ok(first)
}
