//! What a process was started with: its arguments and its environment.
//!
//! The kernel puts them on the stack of the main thread, in front of the auxiliary vector, of which a core has a copy:
//!
//! ```text
//! count  argument … 0  variable … 0  auxiliary vector …  texts
//! ```

use crate::heap::Heap;

/// Bytes of the end of a stack that are searched, in which the kernel puts all texts, and of one text.
const SEARCHED: u64 = 8 << 20;
const LONGEST: u64 = 128 << 10;
/// Arguments or variables.
const MOST: u64 = 1 << 14;
/// Bytes of all texts.
const ALL: usize = 4 << 20;

/// What a process was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) arguments: Vec<String>,
    /// As `NAME=value`.
    pub(crate) environment: Vec<String>,
}

impl Heap {
    /// Finds what the process was started with. `None` if its stack is not in the core to its end.
    pub(crate) fn start(&self) -> Option<Start> {
        let wanted = &self.notes.auxiliary;
        let thread = self.notes.threads.iter().find(|t| Some(t.lwp) == self.notes.pid)?;
        let &first = wanted.first()?;
        let top = self.stack_top(thread.sp);
        let from = thread.sp.max(top.saturating_sub(SEARCHED)).next_multiple_of(8);
        let is_vector = |at: u64| {
            self.memory.word(at) == Some(first)
                && wanted
                    .iter()
                    .enumerate()
                    .all(|(i, word)| self.memory.word(at + 8 * i as u64) == Some(*word))
        };
        let vector = (from..top).step_by(8).find(|&at| is_vector(at))?;
        let (environment, before) = self.pointers(vector.checked_sub(8)?)?;
        let (arguments, count) = self.pointers(before)?;
        if self.memory.word(count)? != arguments.len() as u64 {
            return None;
        }
        let mut room = ALL;
        let mut texts =
            |list: Vec<u64>| list.into_iter().map_while(|at| self.text_at(at, &mut room)).collect();
        Some(Start { arguments: texts(arguments), environment: texts(environment) })
    }

    /// The pointers in front of the zero at an address, and the address of what is in front of them: another zero, or a
    /// number below any address.
    fn pointers(&self, zero: u64) -> Option<(Vec<u64>, u64)> {
        if self.memory.word(zero)? != 0 {
            return None;
        }
        let mut list = Vec::new();
        let mut at = zero;
        loop {
            at = at.checked_sub(8)?;
            let word = self.memory.word(at)?;
            if word <= MOST {
                list.reverse();
                return Some((list, at));
            }
            if list.len() as u64 > MOST {
                return None;
            }
            list.push(word);
        }
    }

    /// A text that ends in a zero.
    fn text_at(&self, at: u64, room: &mut usize) -> Option<String> {
        let mut length = 256;
        loop {
            let bytes = self.memory.bytes(at, length);
            if let Some(end) = memchr::memchr(0, &bytes) {
                *room = room.checked_sub(end)?;
                return Some(String::from_utf8_lossy(&bytes[..end]).into_owned());
            }
            if (bytes.len() as u64) < length || length >= LONGEST {
                return None;
            }
            length *= 4;
        }
    }
}
