//! From the frame in which a thread left JavaScript to the outermost one.

use crate::heap::Heap;
use crate::objects::Kind;
use crate::space::object_of;

use super::{Frame, Stack, Tier};

/// Bytes in front of a heap in which its isolate has the pointer to the exit frame.
const ISOLATE: u64 = 64 << 10;
/// A stack is no longer than this.
const LONGEST: u64 = 1 << 30;
/// Bytes of a stack that are searched for a frame.
const SEARCHED: u64 = 1 << 20;
/// Frames of one thread.
const MOST_FRAMES: usize = 1 << 17;
/// Arguments of one call.
const MOST_ARGUMENTS: u64 = 1 << 17;
/// Numbers of frame types are below this.
const FRAME_TYPES: u64 = 64;

/// What a frame is, by the word under its frame pointer.
enum Sort {
    /// It has a number for its type.
    Typed(u64),
    /// It runs a function of JavaScript.
    Function,
    /// No frame.
    Other,
}

impl Heap {
    /// The end of the memory that a stack pointer lies in.
    pub(super) fn stack_top(&self, sp: u64) -> u64 {
        // One segment is one mapping: what lies behind it belongs to somebody else.
        let segment = self.memory.segments().find(|s| s.start <= sp && sp < s.end);
        segment.map_or(sp, |s| s.end).min(sp.saturating_add(LONGEST))
    }

    /// Numbers of the frames in which JavaScript is left.
    fn is_exit(&self, word: u64) -> bool {
        word & 1 == 0
            && word / 2 < FRAME_TYPES
            && self.constants.any_with("frametype_", "ExitFrame", |number| number as u64 == word / 2)
    }

    /// Whether a frame pointer is one of an exit frame on a stack.
    fn exits_at(&self, fp: u64, from: u64, top: u64) -> bool {
        fp.is_multiple_of(8)
            && fp > from
            && fp < top
            && self.memory.word(fp - 8).is_some_and(|w| self.is_exit(w))
            && self.memory.word(fp).is_some_and(|next| next > fp && next < top)
    }

    /// The thread that left the JavaScript of an isolate, and the frame in which it did.
    pub(super) fn exit_frame(&self, heap: u64, stacks: &[Stack]) -> Option<(usize, u64)> {
        let mut found: Option<(usize, u64)> = None;
        let mut at = heap.saturating_sub(ISOLATE);
        while at < heap {
            if let Some(word) = self.memory.word(at) {
                let on = |s: &Stack| self.exits_at(word, s.thread.sp.saturating_sub(8), s.top);
                if word > 4096
                    && let Some(number) = stacks.iter().position(on)
                    && found.is_none_or(|(_, least)| word < least)
                {
                    found = Some((number, word));
                }
            }
            at += 8;
        }
        found
    }

    /// The frames behind the first exit frame on a stack that leads to any.
    pub(super) fn scanned_frames(&self, sp: u64, top: u64) -> Vec<Frame> {
        let mut fp = sp.next_multiple_of(8);
        while fp < top.min(sp.saturating_add(SEARCHED)) {
            if self.exits_at(fp, sp, top) {
                let frames = self.frames(fp, top);
                if !frames.is_empty() {
                    return frames;
                }
            }
            fp += 8;
        }
        Vec::new()
    }

    /// The frames from an exit frame on, innermost first.
    pub(super) fn frames(&self, entry: u64, top: u64) -> Vec<Frame> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut fp = entry;
        let mut steps = 0;
        while steps < 2 * MOST_FRAMES && frames.len() < MOST_FRAMES {
            steps += 1;
            let mut next = self.memory.word(fp);
            match self.sort(fp) {
                Sort::Typed(number) if self.is_frame(number, &["EntryFrame", "ConstructEntryFrame"]) => {
                    // C++ called JavaScript here: where it was left before, the entry frame has kept.
                    next = (2..16).find_map(|slot| {
                        let word = self.memory.word(fp - 8 * slot)?;
                        self.exits_at(word, fp, top).then_some(word)
                    });
                }
                Sort::Typed(number) if self.is_frame(number, &["ConstructFrame", "FastConstructFrame"]) => {
                    if let Some(frame) = frames.last_mut() {
                        frame.construct = true;
                    }
                }
                Sort::Function => frames.extend(self.frame(fp)),
                _ => {}
            }
            match next {
                Some(next) if next > fp && next < top => fp = next,
                _ => break,
            }
        }
        frames
    }

    fn is_frame(&self, number: u64, names: &[&str]) -> bool {
        names.iter().any(|name| {
            self.constants.any(&[&format!("frametype_{name}")]).is_some_and(|n| n as u64 == number)
        })
    }

    fn sort(&self, fp: u64) -> Sort {
        match self.memory.word(fp.wrapping_sub(8)) {
            Some(word) if word & 1 == 0 && word / 2 < FRAME_TYPES => Sort::Typed(word / 2),
            Some(word) if word & 3 == 1 && self.kind_of(word) == Some(Kind::Context) => Sort::Function,
            _ => Sort::Other,
        }
    }

    /// Reads a frame that runs a function.
    fn frame(&self, fp: u64) -> Option<Frame> {
        let word = |at: u64| self.memory.word(at);
        let function = word(fp - 16)?;
        if self.kind_of(function) != Some(Kind::JsFunction) {
            return None;
        }
        // The receiver is counted too.
        let count = word(fp - 24).filter(|n| (1..MOST_ARGUMENTS).contains(n)).unwrap_or(1);
        let arguments = (0..count - 1).map_while(|i| word(fp + 24 + 8 * i)).collect();
        let code = word(fp - 32)?;
        let state = word(fp - 40)?;
        let is_bytecode = self.kind_of(code) == Some(Kind::Bytecode);
        let tier = match () {
            () if is_bytecode && state & 1 == 0 => Tier::Interpreted,
            () if is_bytecode => Tier::Baseline,
            () => Tier::Compiled,
        };
        let bytecode = object_of(code).filter(|_| tier == Tier::Interpreted).map(|at| (at, state >> 32));
        Some(Frame {
            function: function - 1,
            context: word(fp - 8)?,
            receiver: word(fp + 16)?,
            arguments,
            tier,
            construct: false,
            bytecode,
            offset: None,
        })
    }
}
