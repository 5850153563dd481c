//! Stacks: which thread runs which isolate, and the calls on it.

mod arguments;
mod bytecodes;
mod compiled;
mod declared;
mod died;
mod locals;
mod maglev;
mod position;
mod program;
mod suspended;
mod walk;
mod wasm;

use heap_base::{sort_by, sort_by_key};
use std::rc::Rc;

use crate::elf::Thread;
use crate::heap::Heap;
use crate::lines::Lines;
use crate::native::{self, Files, Native, Place};
use crate::objects::{Code, Compiler};

pub(crate) use locals::Variables;
pub(crate) use position::Form;
pub(crate) use suspended::Suspended;
pub(crate) use wasm::Wasm;
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
    /// Its frame pointer.
    fp: u64,
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

/// Bytes of the stack of an idle thread that are searched.
const MOST_IDLE: u64 = 256 << 10;
/// Bytes around a heap that its isolate has.
const ISOLATE: u64 = 64 << 10;
/// Pointers into an isolate from which on a thread is one of its own.
const SEVERAL: u64 = 3;

/// Whose isolate it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Main,
    Worker(usize),
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Main => f.write_str("main"),
            Self::Worker(number) => write!(f, "worker {number}"),
        }
    }
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
    Wasm(Wasm),
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

    fn as_native(&self) -> Option<&Native> {
        if let Self::Native(native) = self { Some(native) } else { None }
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
    /// What the stacks lack because of files that are not at hand, or that lack names.
    pub(crate) fn lost_calls(&self, stacks: &[Stack]) -> Option<String> {
        if let Some(why) = Files::new(self).lacking() {
            return Some(why);
        }
        let executable = self.notes.executable()?;
        let natives = stacks.iter().flat_map(|stack| &stack.calls).filter_map(Call::as_native);
        // Libraries of the system have names for what they export, and nobody expects more.
        let own = natives.filter(|native| native.file() == Some(executable));
        let (own, nameless) = own
            .fold((0, 0), |(own, nameless), call| (own + 1, nameless + u32::from(call.function.is_none())));
        let name = executable.rsplit('/').next()?;
        (nameless > 0).then(|| {
            format!(
                "{name} has no names for {nameless} of {own} of its frames: it was stripped of its symbols"
            )
        })
    }

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
        self.give_idle(&heaps, &mut stacks);
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
        let form = self.form(exact(Form::Signed), exact(Form::Flagged));
        for stack in &mut *stacks {
            let mut calls = Vec::with_capacity(stack.calls.len());
            for mut call in std::mem::take(&mut stack.calls) {
                if let Call::Script(frame) = &mut call {
                    frame.offset = look_up(frame, form).map(|(offset, _)| offset);
                    let spots = frame
                        .code
                        .and_then(|(code, pc)| self.optimized_spots(&code, pc, frame.function, form));
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
        self.find_wasm(stacks, form);
    }

    /// How tables of positions are written: as more places say, else as the version has it.
    pub(crate) fn form(&self, signed: usize, flagged: usize) -> Form {
        let new = || self.v8_major() >= Some(14);
        match flagged.cmp(&signed) {
            std::cmp::Ordering::Greater => Form::Flagged,
            std::cmp::Ordering::Less => Form::Signed,
            std::cmp::Ordering::Equal => {
                if new() {
                    Form::Flagged
                } else {
                    Form::Signed
                }
            }
        }
    }

    /// Finds the threads of isolates that run no JavaScript right now: a thread has pointers into the data of its isolate on
    /// its stack. The main thread comes first; others are believed if they have several, because a thread that helps all
    /// isolates keeps old ones.
    fn give_idle(&self, heaps: &[u64], stacks: &mut [Stack]) {
        if heaps.len() < 2 {
            return;
        }
        let mut hits: Vec<(bool, u64, usize, u64)> = Vec::new();
        for (number, stack) in stacks.iter().enumerate().filter(|(_, s)| s.heap.is_none()) {
            let main = Some(stack.thread.lwp) == self.notes.pid;
            let mut counts = heap_base::Map::<u64, u64>::default();
            let end = stack.top.min(stack.thread.sp.saturating_add(MOST_IDLE));
            let mut at = stack.thread.sp & !7;
            while let Some(word) = self.memory.word(at).filter(|_| at < end) {
                let near = heaps.iter().find(|&&heap| word.abs_diff(heap) < ISOLATE);
                if let Some(&heap) = near {
                    *counts.entry(heap).or_default() += 1;
                }
                at += 8;
            }
            let enough = counts.into_iter().filter(|&(_, count)| main || count >= SEVERAL);
            hits.extend(enough.map(|(heap, count)| (main, count, number, heap)));
        }
        sort_by(&mut hits, |a, b| b.cmp(a));
        for (_, _, number, heap) in hits {
            if stacks[number].heap.is_none() && stacks.iter().all(|s| s.heap != Some(heap)) {
                stacks[number].heap = Some(heap);
            }
        }
    }

    /// Which thread of the program runs an isolate: the main one, or a worker by its number, from 1 in the order in which
    /// their threads began.
    pub(crate) fn role(&self, isolate: u64, stacks: &[Stack]) -> Option<Role> {
        let lwp = stacks.iter().find(|s| s.heap == Some(isolate))?.thread.lwp;
        if Some(lwp) == self.notes.pid {
            return Some(Role::Main);
        }
        let others = stacks.iter().filter(|s| s.heap.is_some() && Some(s.thread.lwp) != self.notes.pid);
        Some(Role::Worker(1 + others.filter(|s| s.thread.lwp < lwp).count()))
    }

    /// The isolates in the order of their snapshots: that of the thread that died, or the main one, comes last.
    pub(crate) fn isolates(&self, stacks: &[Stack]) -> Vec<u64> {
        let mut heaps = self.pages.heaps();
        let running = stacks.iter().find_map(|s| s.heap);
        // Nothing runs: the one with most pages.
        let pages = |heap: u64| self.pages.pages.iter().filter(|p| p.heap == heap).count();
        let main =
            running.or_else(|| heaps.iter().copied().max_by_key(|&h| (pages(h), std::cmp::Reverse(h))));
        sort_by_key(&mut heaps, |&heap| Some(heap) == main);
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
