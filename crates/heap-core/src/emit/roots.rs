//! Roots: what the data of an isolate, its handles and the stacks refer to; and the nodes of threads and frames.
//!
//! Nothing says which words of a stack are references: each that refers to where an object begins counts as one.
//!
//! One root holds all of these, and the global objects, which are the roots of the program. So the rule of snapshots
//! holds: what a global object reaches is retained by the program, and not by a word on a stack.
//!
//! Where C++ works on the elements of an array or the table of a Map, a stack or a handle refers to these, past the object
//! that they belong to. Such a reference is weak: what the program keeps is kept by its object. So is one to the value of a
//! variable that a call on the stack sees, which the call keeps by its name.

use heap_base::{Map, Set};

use crate::heap::Heap;
use crate::objects::Kind;
use crate::stacks::{Call, Stack};

/// Bytes of an isolate in front of its heap, and behind.
const BEFORE: u64 = 64 << 10;
const BEHIND: u64 = 4 << 10;
/// Bytes of a block of handles.
const HANDLES: u64 = 1022 * 8;
/// Scopes of handles that are open at a time, and blocks.
const DEEPEST: u32 = 1 << 16;
const MOST_BLOCKS: u64 = 1 << 16;

/// Identifiers of nodes that have no address: small odd numbers.
pub(super) const ROOT: i64 = 1;
const ISOLATE: i64 = 3;
pub(super) const HANDLE: i64 = 5;
const FIRST_THREAD: i64 = 7;

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
    /// The calls with their identifiers, innermost first.
    pub(super) fn calls(&self) -> impl Iterator<Item = (i64, &Call)> {
        let first = self.id + 2;
        (0..).map(move |i| first + 2 * i).zip(&self.stack.calls)
    }
}

impl<'a> Roots<'a> {
    pub(super) fn new(heap: &'a Heap, isolate: u64, stacks: &'a [Stack], all: bool) -> Self {
        let mut id = FIRST_THREAD;
        let mut threads = Vec::new();
        // A thread that runs another isolate keeps nothing of this one.
        for stack in stacks.iter().filter(|s| all || s.heap.is_none_or(|h| h == isolate)) {
            threads.push(RootThread { stack, id });
            id += 2 + 2 * stack.calls.len() as i64;
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

    /// The root, and those of its parts that are no thread: identifier and name.
    pub(super) fn nodes(&self) -> &'static [(i64, &'static str)] {
        if self.has_data {
            &[(ROOT, "(root)"), (ISOLATE, "(isolate)"), (HANDLE, "(handles)")]
        } else {
            &[(ROOT, "(root)")]
        }
    }

    /// Identifiers of what the root holds beside the global objects.
    pub(super) fn parts(&self) -> Vec<i64> {
        let nodes = self.nodes().iter().skip(1).map(|&(id, _)| id);
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

    /// Handles: the isolate has where the next one goes, where its block ends, and how deep scopes are nested.
    fn handles(&self, words: &mut Words) {
        for at in self.around() {
            let Some((block, next)) = self.current_block(at) else { continue };
            for full in self.earlier_blocks(block) {
                self.region(full, full.saturating_add(HANDLES), words);
            }
            self.region(block, next, words);
        }
    }

    /// Addresses of words that may belong to the isolate.
    fn around(&self) -> impl Iterator<Item = u64> {
        (self.isolate.saturating_sub(BEFORE)..self.isolate.saturating_add(BEFORE)).step_by(8)
    }

    /// The block that is being filled, and where the next handle goes, if these words say so: all that was filled are
    /// tagged words, and at least one scope is open.
    fn current_block(&self, at: u64) -> Option<(u64, u64)> {
        let memory = &self.heap.memory;
        let (next, limit) = (memory.word(at)?, memory.word(at + 8)?);
        let block = limit.checked_sub(HANDLES)?;
        if !next.is_multiple_of(8) || !limit.is_multiple_of(8) || !(block..=limit).contains(&next) {
            return None;
        }
        let (level, sealed) = (memory.u32(at + 16)?, memory.u32(at + 20)?);
        let tagged = |at| {
            let word = memory.word(at)?;
            Some(word << 32 == 0 || word & 3 == 1 && self.heap.map_of(word).is_some())
        };
        ((1..=DEEPEST).contains(&level)
            && sealed <= level
            && (block..next).step_by(8).all(|at| tagged(at) == Some(true)))
        .then_some((block, next))
    }

    /// The blocks before the one that is being filled: an object of the isolate has a list of all, with its length two
    /// words behind its address.
    fn earlier_blocks(&self, last: u64) -> Vec<u64> {
        let memory = &self.heap.memory;
        let list = self.around().find_map(|at| {
            let holder = memory.word(at).filter(|&w| w > 1 << 16 && w.is_multiple_of(8))?;
            let (list, count) = (memory.word(holder.checked_add(8)?)?, memory.word(holder.checked_add(24)?)?);
            let end = list.checked_add(8 * (1..=MOST_BLOCKS).contains(&count).then(|| count - 1)?)?;
            (memory.word(end)? == last).then_some(list..end)
        });
        list.into_iter().flatten().step_by(8).map_while(|at| memory.word(at)).collect()
    }
}

/// Of what the roots refer to, what belongs to an object of JavaScript.
#[derive(Debug, Default)]
pub(super) struct Owned {
    /// Whether an owner was found, by tagged word.
    stores: Map<u64, bool>,
    first: u64,
    last: u64,
}

impl Owned {
    /// Takes what may belong to an object. Owners are looked for later.
    pub(super) fn new(heap: &Heap, roots: &Roots<'_>) -> Self {
        let words = roots.parts().into_iter().flat_map(|id| roots.words(id));
        let is_store = |word: &u64| {
            let kind = heap.kind_of(*word);
            matches!(kind, Some(Kind::Array | Kind::PropertyArray | Kind::Doubles | Kind::EphemeronTable))
                && !heap.nothing.has(*word)
        };
        let mut stores: Map<u64, bool> = words.filter(is_store).map(|word| (word, false)).collect();
        let first = stores.keys().copied().min().unwrap_or(u64::MAX);
        let last = stores.keys().copied().max().unwrap_or(0);
        for frame in roots.threads.iter().flat_map(|thread| thread.stack.scripts()) {
            let seen = heap.seen_from(frame.context).into_iter().filter(|word| !heap.nothing.has(*word));
            stores.extend(seen.map(|word| (word, true)));
        }
        Self { stores, first, last }
    }

    /// Looks at an object of JavaScript: properties, elements, and the word where Maps and Sets have their table.
    #[inline]
    pub(super) fn look_at(&mut self, heap: &Heap, object: u64) {
        if self.first > self.last {
            return;
        }
        for offset in [8, 16, 24] {
            let word = heap.memory.word(object + offset).unwrap_or(0);
            if (self.first..=self.last).contains(&word)
                && let Some(owned) = self.stores.get_mut(&word)
            {
                *owned = true;
            }
        }
    }

    /// Whether a word refers to what belongs to an object or to a variable.
    pub(super) fn has(&self, word: u64) -> bool {
        self.stores.get(&word) == Some(&true)
    }
}

/// Words that may refer to objects, each once.
#[derive(Default)]
struct Words {
    seen: Set<u64>,
    list: Vec<u64>,
}

impl Words {
    fn add(&mut self, word: u64) {
        if word & 3 == 1 && word > 1 << 16 && self.seen.insert(word) {
            self.list.push(word);
        }
    }
}
