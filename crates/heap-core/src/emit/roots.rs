//! Roots: what the data of an isolate, its handles and the stacks refer to; and the nodes of threads and frames.
//!
//! Nothing says which words of a stack are references: each that refers to where an object begins counts as one.

use rustc_hash::FxHashSet;

use crate::heap::Heap;
use crate::stacks::{Frame, Stack};

/// Bytes of an isolate in front of its heap, and behind.
const BEFORE: u64 = 64 << 10;
const BEHIND: u64 = 4 << 10;
/// Bytes of a block of handles.
const HANDLES: u64 = 1022 * 8;

/// Identifiers of nodes that have no address: small odd numbers.
const ISOLATE: i64 = 1;
const HANDLE: i64 = 3;
const FIRST_THREAD: i64 = 5;

/// What an isolate begins with.
#[derive(Debug)]
pub(super) struct Roots<'a> {
    heap: &'a Heap,
    isolate: u64,
    /// Threads that run this isolate, or none; with the identifier of each and of its first frame.
    pub(super) threads: Vec<RootThread<'a>>,
    has_data: bool,
}

/// A thread, and the identifiers of its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootThread<'a> {
    pub(super) stack: &'a Stack,
    pub(super) id: i64,
}

impl RootThread<'_> {
    /// The frames with their identifiers, innermost first.
    pub(super) fn frames(&self) -> impl Iterator<Item = (i64, &Frame)> {
        let first = self.id + 2;
        (0..).map(move |i| first + 2 * i).zip(&self.stack.frames)
    }
}

impl<'a> Roots<'a> {
    pub(super) fn new(heap: &'a Heap, isolate: u64, stacks: &'a [Stack]) -> Self {
        let mut id = FIRST_THREAD;
        let mut threads = Vec::new();
        // A thread that runs another isolate has nothing to do with this one.
        for stack in stacks.iter().filter(|s| s.heap.is_none_or(|h| h == isolate)) {
            threads.push(RootThread { stack, id });
            id += 2 + 2 * stack.frames.len() as i64;
        }
        let has_data = heap.memory.word(isolate - 8).is_some();
        Self { heap, isolate, threads, has_data }
    }

    /// Which roots were found.
    pub(super) fn kinds(&self) -> &'static str {
        match (self.has_data, self.threads.is_empty()) {
            (true, false) => "isolate handles stacks",
            (true, true) => "isolate handles",
            (false, false) => "stacks",
            (false, true) => "none",
        }
    }

    /// The roots that have no thread: identifier and name.
    pub(super) fn nodes(&self) -> &'static [(i64, &'static str)] {
        if self.has_data { &[(ISOLATE, "(isolate)"), (HANDLE, "(handles)")] } else { &[] }
    }

    /// Identifiers of all roots.
    pub(super) fn identifiers(&self) -> Vec<i64> {
        let nodes = self.nodes().iter().map(|&(id, _)| id);
        nodes.chain(self.threads.iter().map(|t| t.id)).collect()
    }

    /// Words that a root refers to, each once. The words may be anything.
    pub(super) fn words(&self, id: i64) -> Vec<u64> {
        let mut words = Words::default();
        match id {
            ISOLATE => {
                self.region(self.isolate.saturating_sub(BEFORE), self.isolate + BEHIND, &mut words);
            }
            HANDLE => self.handles(&mut words),
            _ => {
                if let Some(RootThread { stack, .. }) = self.threads.iter().find(|t| t.id == id) {
                    stack.thread.registers.iter().for_each(|&word| words.add(word));
                    // The red zone below the stack pointer belongs to it.
                    self.region((stack.thread.sp & !7).saturating_sub(128), stack.top, &mut words);
                }
            }
        }
        words.list
    }

    fn region(&self, from: u64, to: u64, words: &mut Words) {
        let mut at = from;
        while at < to {
            match self.heap.memory.word(at) {
                Some(word) => words.add(word),
                None if at > from => return,
                None => {}
            }
            at += 8;
        }
    }

    /// Blocks of handles: the isolate has where the next one goes, and where the block ends.
    fn handles(&self, words: &mut Words) {
        let memory = &self.heap.memory;
        let mut at = self.isolate.saturating_sub(BEFORE);
        while at < self.isolate {
            if let (Some(next), Some(limit)) = (memory.word(at), memory.word(at + 8))
                && next > 1 << 16
                && next.is_multiple_of(8)
                && limit.is_multiple_of(8)
                && next <= limit
                && limit - next < HANDLES
                && limit != self.isolate
            {
                let begin = limit.saturating_sub(HANDLES);
                if memory.word(begin).is_some() && self.heap.pages.at(begin).is_none() {
                    self.region(begin, next, words);
                }
            }
            at += 8;
        }
    }
}

/// Words that may refer to objects, each once.
#[derive(Default)]
struct Words {
    seen: FxHashSet<u64>,
    list: Vec<u64>,
}

impl Words {
    fn add(&mut self, word: u64) {
        if word & 3 == 1 && word > 1 << 16 && self.seen.insert(word) {
            self.list.push(word);
        }
    }
}
