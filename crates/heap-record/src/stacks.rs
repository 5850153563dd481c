//! Stacks at which objects were allocated, where a dump has them: metadata `heap.stacks` names the field of nodes and the
//! records that say them.
//!
//! A stack is a number, that of its innermost frame; each frame names the one that called it, so that many stacks share
//! their outer parts.

use heap_base::Map;
use heap_base::json::{member, scalar};

use crate::model::{Extension, Metadata, Node, StringId};

/// The key of the metadata record.
pub const KEY: &str = "heap.stacks";

/// What the stream calls the parts of stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The field of nodes that has the number of a stack.
    pub field: Box<str>,
    /// Records of frames.
    pub frames: Box<str>,
    /// Records of functions.
    pub functions: Box<str>,
}

impl Names {
    /// Those that the value of the metadata record says, if it is one.
    pub fn parse(value: &str) -> Option<Self> {
        let mut words = value.split(' ').map(Box::from);
        let names = Self { field: words.next()?, frames: words.next()?, functions: words.next()? };
        words.next().is_none().then_some(names)
    }
}

/// A function, as its record says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Function {
    /// Its name.
    pub name: Option<StringId>,
    /// The name of its script.
    pub script: Option<StringId>,
    /// Its line, from 1; 0 if that is not known.
    pub line: i64,
    /// Its column, from 1; 0 if that is not known.
    pub column: i64,
}

/// A frame, in the tree of all stacks.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// The number of the frame that called it; itself if none did.
    parent: i64,
    /// The number of its function, from 0.
    function: i64,
}

/// The stacks of a snapshot.
///
/// Memory: some 40 bytes for each frame and for each function.
#[derive(Debug, Default)]
pub struct Stacks {
    names: Option<Names>,
    frames: Map<i64, Frame>,
    functions: Vec<Function>,
}

impl Stacks {
    /// Takes a metadata record in.
    pub fn metadata(&mut self, record: &Metadata<'_>) {
        if record.key == KEY {
            self.names = Names::parse(record.value);
        }
    }

    /// Takes an extension record in; true if it is one of stacks.
    pub fn extension(&mut self, record: &Extension<'_>) -> bool {
        let Some(names) = &self.names else { return false };
        let int = |name| int(record.body, name);
        if *names.frames == *record.kind {
            if let (Some(id), Some(function)) = (int("id"), int("function")) {
                let parent = int("parent").unwrap_or(id);
                self.frames.entry(id).or_insert(Frame { parent, function });
            }
            true
        } else if *names.functions == *record.kind {
            self.functions.push(Function {
                name: int("name"),
                script: int("script_name"),
                line: int("line").unwrap_or(0),
                column: int("column").unwrap_or(0),
            });
            true
        } else {
            false
        }
    }

    /// Another snapshot begins.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.functions.clear();
    }

    /// Whether the stream says at which stacks objects were allocated.
    #[inline]
    pub fn are_there(&self) -> bool {
        self.names.is_some()
    }

    /// The stack at which a node was allocated, if that is known.
    pub fn of(&self, node: &Node<'_>) -> Option<i64> {
        let names = self.names.as_ref().filter(|_| !node.rest.is_empty())?;
        int(node.rest, &names.field).filter(|&stack| stack != 0)
    }

    /// The numbers of all frames, in ascending order.
    pub fn numbers(&self) -> Vec<i64> {
        let mut numbers: Vec<i64> = self.frames.keys().copied().collect();
        heap_base::sort(&mut numbers);
        numbers
    }

    /// The frame that called this one.
    pub fn caller(&self, frame: i64) -> Option<i64> {
        self.frames.get(&frame).map(|of| of.parent).filter(|&parent| parent != frame)
    }

    /// The frames of a stack, innermost first. Of frames that call each other in a circle each comes once at least.
    pub fn frames(&self, stack: i64) -> impl Iterator<Item = i64> + '_ {
        let first = self.frames.contains_key(&stack).then_some(stack);
        let known = |frame: &i64| self.frames.contains_key(frame);
        std::iter::successors(first, move |&frame| self.caller(frame).filter(known)).take(self.frames.len())
    }

    /// All functions, by number.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The function of a frame.
    pub fn function(&self, frame: i64) -> Option<Function> {
        self.function_number(frame).and_then(|number| self.functions.get(number as usize)).copied()
    }

    /// The number of the function of a frame, if there is one of that number.
    pub fn function_number(&self, frame: i64) -> Option<u32> {
        let number = u32::try_from(self.frames.get(&frame)?.function).ok();
        number.filter(|&number| (number as usize) < self.functions.len())
    }

    /// Namespace and name of the field of nodes that has the number of a stack, if it is in one.
    pub fn field(&self) -> Option<(&str, &str)> {
        self.names.as_ref()?.field.split_once('.')
    }
}

/// A member that is a whole number.
fn int(members: &[u8], name: &str) -> Option<i64> {
    scalar(member(members, name)?)?.as_int()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stacks that the stream calls by these names, with a function for each frame.
    fn stacks(frames: &[(i64, Option<i64>)]) -> Stacks {
        let mut stacks = Stacks::default();
        stacks.metadata(&Metadata { key: KEY, value: "x.stack x.frame x.function", ..Metadata::default() });
        for (function, &(id, parent)) in frames.iter().enumerate() {
            let parent = parent.map_or(String::new(), |parent| format!(",\"parent\":{parent}"));
            let body = format!("\"id\":{id}{parent},\"function\":{function}");
            let record = Extension { kind: "x.frame", body: body.as_bytes(), ..Extension::default() };
            stacks.extension(&record);
            let record = Extension { kind: "x.function", body: b"\"name\":7,\"line\":3", ..record };
            stacks.extension(&record);
        }
        stacks
    }

    #[test]
    fn a_stack_goes_from_its_innermost_frame_outwards() {
        let stacks = stacks(&[(1, None), (2, Some(1)), (5, Some(2)), (4, Some(9))]);
        let of = |stack| stacks.frames(stack).collect::<Vec<_>>();
        assert_eq!(of(5), [5, 2, 1]);
        assert_eq!(of(4), [4], "its caller has no record");
        assert_eq!(of(3), [] as [i64; 0]);
        let function = stacks.function(5).expect("a function");
        assert_eq!((function.name, function.script, function.line, function.column), (Some(7), None, 3, 0));
    }

    #[test]
    fn frames_that_call_each_other_end() {
        let stacks = stacks(&[(1, Some(2)), (2, Some(1)), (3, Some(3))]);
        assert_eq!(stacks.frames(1).take(2).collect::<Vec<_>>(), [1, 2]);
        assert!(stacks.frames(1).count() <= 3);
        assert_eq!(stacks.frames(3).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_node_has_the_stack_that_its_field_says() {
        let stacks = stacks(&[(2, None)]);
        let stack = |rest: &'static [u8]| stacks.of(&Node { rest, ..Node::default() });
        assert_eq!(stack(br#""x":{"stack":2}"#), Some(2));
        assert_eq!(stack(br#""x":{"stack":0}"#), None);
        assert_eq!(stack(br#""x":{"other":2}"#), None);
        assert_eq!(stack(b""), None);
        let none = Stacks::default();
        assert_eq!(none.of(&Node { rest: br#""x":{"stack":2}"#, ..Node::default() }), None);
    }
}
