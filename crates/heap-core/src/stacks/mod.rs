//! Stacks: which thread runs which isolate, and the calls on it.

mod arguments;
mod compiled;
mod position;
mod walk;

use std::rc::Rc;

use crate::elf::Thread;
use crate::heap::Heap;
use crate::lines::Lines;
use crate::native::{self, Files, Native, Place};
use crate::objects::{Code, Compiler};

pub(crate) use position::Form;
#[cfg(test)]
pub(crate) use {arguments::parameters, compiled::bytecode_at, position::source_offset};

/// What runs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tier {
    /// Bytecode: the frame knows where it stands.
    Interpreted,
    /// Machine code that V8 made, by the compiler that made it.
    Made(Compiler),
    /// A function of V8's own.
    Compiled,
}

impl Tier {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Interpreted => "interpreted",
            Self::Made(Compiler::Sparkplug) => "sparkplug",
            Self::Made(Compiler::Maglev) => "maglev",
            Self::Made(Compiler::Turbofan) => "turbofan",
            Self::Made(Compiler::Other) | Self::Compiled => "compiled",
        }
    }
}

/// A frame of JavaScript.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The function's object.
    pub(crate) function: u64,
    /// The scope that it runs in, as a tagged word.
    pub(crate) context: u64,
    /// Tagged words.
    pub(crate) receiver: u64,
    pub(crate) arguments: Vec<u64>,
    pub(crate) tier: Tier,
    /// Whether `new` called it.
    pub(crate) construct: bool,
    /// The bytecodes, and where it stands in them as the frame says it.
    bytecode: Option<(u64, u64)>,
    /// The code that V8 made for it, and where it stands.
    code: Option<(Code, u64)>,
    /// Offset in the script, in units.
    pub(crate) offset: Option<u32>,
}

/// A call on a stack.
#[derive(Clone, Debug)]
pub(crate) enum Call {
    Script(Frame),
    /// A function that another one has taken into its code: its metadata, and the offset in its script.
    Inlined {
        shared: u64,
        offset: Option<u32>,
    },
    Native(Native),
    /// Calls that could not be followed, and why.
    Gap(String),
}

impl Call {
    pub(crate) fn script(&self) -> Option<&Frame> {
        if let Self::Script(frame) = self { Some(frame) } else { None }
    }

    fn script_mut(&mut self) -> Option<&mut Frame> {
        if let Self::Script(frame) = self { Some(frame) } else { None }
    }

    fn native_mut(&mut self) -> Option<&mut Native> {
        if let Self::Native(native) = self { Some(native) } else { None }
    }

    fn native(place: &Place, code: &native::Code) -> Self {
        let code = if let native::Code::In(module, address) = code {
            Some((Rc::clone(module), *address))
        } else {
            None
        };
        Self::Native(Native::new(place, code))
    }
}

/// A thread of the process.
#[derive(Clone, Debug)]
pub(crate) struct Stack {
    pub(crate) thread: Thread,
    /// The isolate that it runs, if that was found.
    pub(crate) heap: Option<u64>,
    /// First address above the stack.
    pub(crate) top: u64,
    /// Whether the frames were found by searching the stack, which may find old ones.
    pub(crate) scanned: bool,
    /// Innermost first.
    pub(crate) calls: Vec<Call>,
}

impl Stack {
    /// The frames of JavaScript, innermost first.
    pub(crate) fn scripts(&self) -> impl Iterator<Item = &Frame> {
        self.calls.iter().filter_map(Call::script)
    }
}

impl Heap {
    /// All threads, in the order of the core: the one that died comes first.
    pub(crate) fn stacks(&self) -> Vec<Stack> {
        let files = Files::new(self);
        let mut stacks: Vec<Stack> = self
            .notes
            .threads
            .iter()
            .map(|thread| {
                let top = self.stack_top(thread.sp);
                Stack { thread: thread.clone(), heap: None, top, calls: Vec::new(), scanned: false }
            })
            .collect();
        let heaps = self.pages.heaps();
        let mut exits = vec![None; stacks.len()];
        for &heap in &heaps {
            if let Some((number, entry)) = self.exit_frame(heap, &stacks) {
                stacks[number].heap = Some(heap);
                exits[number] = Some(entry);
            }
        }
        for (stack, exit) in stacks.iter_mut().zip(exits) {
            stack.calls = self.walk(&files, &self.place(&stack.thread), exit, stack.top);
            // A thread that is in JavaScript itself has not left it anywhere.
            if stack.heap.is_none() {
                let page = stack.scripts().next().and_then(|frame| self.pages.at(frame.function));
                stack.heap = page.map(|(_, page)| page.heap);
            }
        }
        // A core without the data of its only isolate: its first thread may still show where it left JavaScript.
        if let ([heap], Some(stack)) = (&heaps[..], stacks.first_mut())
            && self.memory.word(heap - 8).is_none()
            && stack.scripts().next().is_none()
        {
            let calls = self.scanned(&files, stack.thread.sp, stack.top);
            if !calls.is_empty() {
                (stack.calls, stack.heap, stack.scanned) = (calls, Some(*heap), true);
            }
        }
        let calls = stacks.iter_mut().flat_map(|s| &mut s.calls);
        let mut natives: Vec<&mut Native> = calls.filter_map(Call::native_mut).collect();
        Files::name(&mut natives);
        self.find_positions(&mut stacks);
        stacks
    }

    /// Finds where interpreted frames stand. Versions differ in how tables of positions are written: the way under which
    /// more frames stand exactly at a call is the right one.
    fn find_positions(&self, stacks: &mut [Stack]) {
        // The header is counted in what a frame says.
        let header = self.offsets.bytecodes - 1;
        let look_up = |frame: &Frame, form: Form| {
            let (bytecodes, raw) = frame.bytecode?;
            self.source_offset(bytecodes, raw.checked_sub(header)? as i64, form)
        };
        let exact = |form: Form| {
            let frames = stacks.iter().flat_map(Stack::scripts);
            frames.filter(|frame| look_up(frame, form).is_some_and(|(_, exact)| exact)).count()
        };
        let form = if exact(Form::Flagged) > exact(Form::Signed) { Form::Flagged } else { Form::Signed };
        for stack in stacks {
            let mut calls = Vec::with_capacity(stack.calls.len());
            for mut call in std::mem::take(&mut stack.calls) {
                if let Call::Script(frame) = &mut call {
                    frame.offset = look_up(frame, form).map(|(offset, _)| offset);
                    let spots = frame.code.and_then(|(code, pc)| self.optimized_spots(&code, pc, form));
                    for spot in spots.into_iter().flatten() {
                        match spot.shared {
                            Some(shared) => calls.push(Call::Inlined { shared, offset: spot.offset }),
                            None => frame.offset = spot.offset,
                        }
                    }
                }
                calls.push(call);
            }
            stack.calls = calls;
        }
    }

    /// The isolates in the order of their snapshots: that of the thread that died, or the main one, comes last.
    pub(crate) fn isolates(&self, stacks: &[Stack]) -> Vec<u64> {
        let mut heaps = self.pages.heaps();
        let running = stacks.iter().find_map(|s| s.heap);
        // Nothing runs: the one with most pages.
        let pages = |heap: u64| self.pages.pages.iter().filter(|p| p.heap == heap).count();
        let main =
            running.or_else(|| heaps.iter().copied().max_by_key(|&h| (pages(h), std::cmp::Reverse(h))));
        heaps.sort_by_key(|&heap| Some(heap) == main);
        heaps
    }

    /// The lines of a script.
    pub(crate) fn lines(&self, script: u64) -> Rc<Lines> {
        if let Some(lines) = self.lines.borrow().get(&script) {
            return Rc::clone(lines);
        }
        let lines = Rc::new(self.read_lines(script));
        self.lines.borrow_mut().insert(script, Rc::clone(&lines));
        lines
    }
}
