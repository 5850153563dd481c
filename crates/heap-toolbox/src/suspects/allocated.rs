//! Which function of the program allocated objects, where the dump has the stacks.

use heap_base::{Map, Result};

use super::scene::Scene;
use heap_ops::stream::stacks::source;
use heap_record::stacks::Function;

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
    let mut sites = Sites { scene, class, known: Map::default() };
    let stacks = &scene.loaded.context.stacks;
    let mut by_function: Map<Function, (usize, i64)> = Map::default();
    for (stack, count) in by_stack {
        let frame = sites.of(stack)?;
        let Some(function) = stacks.function(frame) else { continue };
        let of = by_function.entry(function).or_insert((0, frame));
        *of = (of.0 + count, of.1.min(frame));
    }
    let most = by_function.into_values().max_by_key(|&(count, frame)| (count, std::cmp::Reverse(frame)));
    let Some((_, frame)) = most.filter(|&(count, _)| count * 2 > all) else { return Ok(None) };
    let source = source(stacks, frame, &scene.loaded.context.strings)?;
    Ok(source.map(|source| source.short()))
}

/// Where stacks are in the program. Stacks share their outer parts, so each frame is looked at once.
struct Sites<'a> {
    scene: &'a Scene<'a>,
    class: &'a str,
    /// By frame: the next frame from it outwards that is of a function of the program.
    known: Map<i64, Option<i64>>,
}

impl Sites<'_> {
    /// The innermost frame of a stack that is of a function of the program; the innermost at all if none is.
    fn of(&mut self, stack: i64) -> Result<i64> {
        let stacks = &self.scene.loaded.context.stacks;
        let (mut way, mut found) = (Vec::new(), None);
        for frame in stacks.frames(stack) {
            if let Some(&known) = self.known.get(&frame) {
                found = known;
                break;
            }
            way.push(frame);
            if self.is_programs(frame)? {
                found = Some(frame);
                break;
            }
        }
        self.known.extend(way.into_iter().map(|frame| (frame, found)));
        Ok(found.unwrap_or(stack))
    }

    fn is_programs(&self, frame: i64) -> Result<bool> {
        let context = &self.scene.loaded.context;
        let Some(source) = source(&context.stacks, frame, &context.strings)? else { return Ok(false) };
        let clues = self.scene.clues;
        let is_runtimes =
            clues.is_runtimes_script(&source.script) || clues.is_runtimes_function(&source.function);
        Ok(!is_runtimes && !is_constructor(&source.function, self.class))
    }
}

/// Whether a function makes objects of a class what they are: it is called as the class is, or is one of the class without a name of
/// the program's, as `app.Session.<init>` is one of `app.Session`.
fn is_constructor(function: &str, class: &str) -> bool {
    let of_class = function.strip_prefix(class);
    of_class.is_some_and(|rest| rest.is_empty() || rest.starts_with(".<"))
}
