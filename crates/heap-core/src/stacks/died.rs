//! What a process died of, if that was an exception that nobody caught.
//!
//! V8 or Node end the process while they throw: functions of theirs that do so are innermost on the stack, and between them
//! and the call that threw lie the references to the exception.

use crate::heap::Heap;
use crate::objects::Kind;

use super::{Call, Stack};

/// Parts of the names of functions that end the process for an exception, as linkers write them.
const ENDS: [&str; 3] = ["24TriggerUncaughtException", "20CreateMessageOrAbort", "7Isolate5Throw"];
/// Bytes of the stack that are searched.
const SEARCHED: u64 = 64 << 10;

impl Heap {
    /// The error that ended the process: the address of the object. `None` if it is not certain which. `handles` are the
    /// words of handles of the isolate of the thread that died: where no reference is on the stack, one is there.
    pub(crate) fn died_of(&self, stacks: &[Stack], handles: &[u64]) -> Option<u64> {
        self.notes.signal?;
        let stack = stacks.first()?;
        let (mut ends, mut outer) = (false, None);
        for call in &stack.calls {
            match call {
                Call::Native(native) => ends |= ENDS.iter().any(|part| native.name().contains(part)),
                Call::Script(frame) => {
                    outer = Some(frame.fp);
                    break;
                }
                _ => {}
            }
        }
        if !ends {
            return None;
        }
        let from = stack.thread.sp & !7;
        let to = outer.unwrap_or(stack.top).min(from.saturating_add(SEARCHED));
        let on_stack: Vec<u64> = (from..to).step_by(8).map_while(|at| self.memory.word(at)).collect();
        let (error, sure) = self.only_error(&on_stack).or_else(|| self.only_error(handles))?;
        sure.then_some(error)
    }

    /// The first error among words, and whether it is the only one.
    fn only_error(&self, words: &[u64]) -> Option<(u64, bool)> {
        let is_error = |word: &&u64| **word & 3 == 1 && self.kind_of(**word) == Some(Kind::JsError);
        let mut errors = words.iter().filter(is_error);
        let &first = errors.next()?;
        Some((first - 1, errors.all(|&word| word == first)))
    }
}
