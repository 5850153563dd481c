//! From the frame in which a thread left JavaScript to the outermost one.

use crate::elf::{Machine, Thread};
use crate::heap::Heap;
use crate::native::{Caller, Code, FP, Files, Place};
use crate::objects::Kind;
use crate::space::object_of;

use super::{Call, Frame, Stack, Tier, Wasm};

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

/// Where the registers of x86-64 in the order of DWARF stand in PRSTATUS: rax rdx rcx rbx rsi rdi rbp rsp r8 to r15.
const DWARF_ORDER: [usize; 16] = [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0];

/// What the frame before was, one further in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// There is none.
    Nothing,
    Native,
    /// One of V8's own. The one that called it is another, or C++ that keeps frame pointers.
    Script,
}

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
    pub(crate) fn stack_top(&self, sp: u64) -> u64 {
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

    /// The calls behind the first exit frame on a stack that leads to any of JavaScript.
    pub(super) fn scanned(&self, files: &Files<'_>, sp: u64, top: u64) -> Vec<Call> {
        let mut fp = sp.next_multiple_of(8);
        while fp < top.min(sp.saturating_add(SEARCHED)) {
            if self.exits_at(fp, sp, top) {
                let calls = self.walk(files, &Place::default(), Some(fp), top);
                if calls.iter().any(|call| matches!(call, Call::Script(_))) {
                    return calls;
                }
            }
            fp += 8;
        }
        Vec::new()
    }

    /// Where a thread stands.
    pub(super) fn place(&self, thread: &Thread) -> Place {
        let mut place = Place::new(thread.pc, false);
        if self.machine == Machine::X86 {
            for (number, at) in DWARF_ORDER.into_iter().enumerate() {
                place.set(number, thread.registers.get(at).copied());
            }
        }
        place.with(thread.fp, Some(thread.sp))
    }

    /// The calls of a thread, innermost first. `exit` is the frame in which it left JavaScript, where frames of V8 go on
    /// if those of machine code cannot be followed to there.
    ///
    /// A stack has frames of two makers. Those of machine code are followed by the unwinding tables of their file; those of
    /// V8 by the frame pointer, since each begins with its caller's and a return address:
    ///
    /// ```text
    ///   abort, raise, …          machine code: `module.caller` gives the next place
    ///   builtin exit frame       `exit`: the frame pointer that the isolate keeps where JavaScript was left
    ///   f, g, h                  frames of V8: [fp] is the caller's fp, [fp + 8] where it goes on
    ///   entry frame              C++ called JavaScript; a slot of it keeps the exit before, if there was one
    ///   node::…, main            machine code again
    /// ```
    ///
    /// Each turn decides by what stands at the program counter who made the frame (`own`: V8), adds its call, and goes to
    /// the caller. Every step goes up the stack, so damage ends the walk: where a step would not, or no file says how, there
    /// is a [`Call::Gap`] with the reason, and the walk goes on at `exit`, if that lies further out.
    pub(super) fn walk(
        &self,
        files: &Files<'_>,
        place: &Place,
        mut exit: Option<u64>,
        top: u64,
    ) -> Vec<Call> {
        let native = files.any();
        let mut calls: Vec<Call> = Vec::new();
        let mut place = *place;
        let mut before = Before::Nothing;
        while calls.len() < 2 * MOST_FRAMES {
            let code = if native { files.at(place.instruction()) } else { Code::None };
            let (mut why, own) = match &code {
                Code::In(module, address) => match module.caller(&self.memory, &place, *address) {
                    Caller::Found(next) => {
                        calls.push(Call::native(&place, &code));
                        if next.sp() > place.sp() && next.sp() <= top {
                            (place, before) = (next, Before::Native);
                            continue;
                        }
                        (Some("the stack makes no sense".to_owned()), false)
                    }
                    Caller::Nobody => {
                        calls.push(Call::native(&place, &code));
                        return calls;
                    }
                    Caller::Broken => {
                        calls.push(Call::native(&place, &code));
                        (Some("registers are not known".to_owned()), false)
                    }
                    Caller::Unknown => (None, true),
                },
                Code::Missing(why) => (Some(why.clone()), false),
                Code::None => (None, before == Before::Script || self.pages.at(place.pc).is_some()),
            };
            let fp = place.register(FP).unwrap_or(0);
            // Of code outside of heap and files, such as WebAssembly's, nothing says whose it is; without files that of no
            // code: its frames have to lead to where JavaScript began.
            let own = own
                || before == Before::Nothing
                    && exit.is_none()
                    && matches!(code, Code::None)
                    && self.leads_to_entry(fp, top);
            let sort = if fp.is_multiple_of(8) && fp >= place.sp() && fp < top {
                self.sort(fp)
            } else {
                Sort::Other
            };
            if own && !matches!(sort, Sort::Other) {
                let is_first = before == Before::Nothing && place.pc != 0;
                // Builtins and stubs have frames of V8, too: only a function's has a call of the program's.
                let script = if matches!(sort, Sort::Function) { self.frame(fp, place.pc) } else { None };
                let wasm = matches!(sort, Sort::Typed(number) if self.is_frame(number, &["WasmFrame"]));
                if let Some(instance) =
                    self.memory.word(fp.wrapping_sub(16)).filter(|_| wasm && place.pc != 0)
                {
                    calls.push(Call::Wasm(Wasm::new(place.instruction(), instance)));
                } else if native
                    && place.pc != 0
                    && (script.is_none() || is_first && matches!(code, Code::In(..)))
                {
                    calls.push(Call::native(&place, &code));
                }
                calls.extend(script.map(Call::Script));
                before = Before::Script;
                if let Sort::Typed(number) = sort {
                    if self.is_frame(number, &["ConstructFrame", "FastConstructFrame"]) {
                        let frame = calls.iter_mut().rev().find_map(Call::script_mut);
                        if let Some(frame) = frame {
                            frame.construct = true;
                        }
                    }
                    if self.is_frame(number, &["EntryFrame", "ConstructEntryFrame"]) {
                        before = Before::Native;
                        // C++ called JavaScript here: where it was left before, the entry frame has kept.
                        exit = (2..16).find_map(|slot| {
                            let word = self.memory.word(fp - 8 * slot)?;
                            self.exits_at(word, fp, top).then_some(word)
                        });
                    }
                }
                if let (Some(caller), Some(pc)) = (self.memory.word(fp), self.memory.word(fp + 8))
                    && (before == Before::Native || caller > fp && caller < top)
                {
                    place = Place::new(pc, true).with(caller, Some(fp + 16));
                    continue;
                }
                why = Some("the stack makes no sense".to_owned());
            }
            // The chain ends here. It goes on where JavaScript was left, if that is further out.
            if native && place.pc != 0 && !matches!(code, Code::None) {
                calls.push(Call::Gap(why.unwrap_or_else(|| "it is not known who called".to_owned())));
            }
            match exit.take().filter(|&exit| exit > place.sp()) {
                Some(exit) => {
                    place = Place::new(0, true).with(exit, None);
                    before = Before::Script;
                }
                None => break,
            }
        }
        calls
    }

    /// Whether frames of V8 lead from here to where C++ called JavaScript.
    fn leads_to_entry(&self, mut fp: u64, top: u64) -> bool {
        for _ in 0..MOST_FRAMES {
            match if fp.is_multiple_of(8) && fp < top { self.sort(fp) } else { Sort::Other } {
                Sort::Typed(number) if self.is_frame(number, &["EntryFrame", "ConstructEntryFrame"]) => {
                    return true;
                }
                Sort::Other => return false,
                _ => {}
            }
            match self.memory.word(fp) {
                Some(next) if next > fp => fp = next,
                _ => return false,
            }
        }
        false
    }

    fn is_frame(&self, number: u64, names: &[&str]) -> bool {
        names.iter().any(|name| {
            self.constants.any(&[&format!("frametype_{name}")]).is_some_and(|n| n as u64 == number)
        })
    }

    fn sort(&self, fp: u64) -> Sort {
        match self.memory.word(fp.wrapping_sub(8)) {
            Some(word) if word & 1 == 0 && word / 2 < FRAME_TYPES => Sort::Typed(word / 2),
            Some(word)
                if word & 3 == 1
                    && matches!(self.kind_of(word), Some(Kind::Context | Kind::NativeContext)) =>
            {
                Sort::Function
            }
            _ => Sort::Other,
        }
    }

    /// Reads a frame that runs a function and stands at `pc`.
    fn frame(&self, fp: u64, pc: u64) -> Option<Frame> {
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
        // Code that took over in the middle of a loop has kept the frame of the interpreter, and what that says of its place
        // is old: the interpreter itself lies outside of the heap.
        let made = self.pages.at(pc).is_some();
        let code_made = if made { self.code_at(pc) } else { None };
        let tier = match code_made {
            _ if is_bytecode && state & 1 == 0 && !made => Tier::Interpreted,
            Some(code) => Tier::Made(code.compiler),
            None => Tier::Compiled,
        };
        let bytecode = match code_made {
            _ if tier == Tier::Interpreted => object_of(code).map(|at| (at, state >> 32)),
            // As the interpreter would say it.
            Some(code) => {
                let found = self.baseline_offset(&code, pc);
                found.map(|(array, at)| (array, at + self.offsets.bytecodes - 1))
            }
            None => None,
        };
        Some(Frame {
            fp,
            function: function - 1,
            context: word(fp - 8)?,
            receiver: word(fp + 16)?,
            arguments,
            tier,
            construct: false,
            bytecode,
            code: code_made.map(|code| (code, pc)),
            offset: None,
        })
    }
}
