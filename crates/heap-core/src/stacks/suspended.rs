//! Calls that wait: asynchronous functions that stand at an `await`, and which of them wait for each other.
//!
//! ```text
//! generator of the inner call           reaction            handler          scope
//!   function, receiver                    next                context ──────►  generator of the outer call
//!   position  bytecode it stands at       handlers ──────────►
//!   registers                             promise made of it
//!   promise ──► reactions ───────────────►
//! ```
//!
//! Where a field of a reaction is differs from version to version, so that all are looked at: what they refer to says what
//! they are.

use heap_base::Set;

use crate::heap::Heap;
use crate::objects::Kind;
use crate::space::object_of;

use super::position::Form;

/// Promises and reactions that are followed from one promise, and calls that wait for one.
const MOST_STEPS: usize = 1 << 14;
const MOST_WAITERS: usize = 1 << 10;
/// Where generators of asynchronous functions have their promise, or the requests that they serve: from here on.
const PROMISES: u64 = 80;
/// The first slot of a scope for variables.
const FIRST_SLOT: u64 = 32;

/// A call that waits.
#[derive(Clone, Debug)]
pub(crate) struct Suspended {
    /// The object that keeps its state.
    pub(crate) generator: u64,
    /// The function's object.
    pub(crate) function: u64,
    /// Tagged words.
    pub(crate) context: u64,
    pub(crate) receiver: u64,
    /// The bytecodes, and the offset of the one it stands at.
    pub(crate) bytecode: Option<(u64, i64)>,
    /// Offset in the script, in units.
    pub(crate) offset: Option<u32>,
    /// Generators of the calls that wait for it.
    pub(crate) waiters: Vec<u64>,
}

impl Heap {
    /// The calls that wait among generators, and how their tables of positions are written.
    pub(crate) fn suspended(&self, generators: &[u64]) -> (Vec<Suspended>, Form) {
        let mut calls: Vec<Suspended> = generators.iter().filter_map(|&at| self.suspended_call(at)).collect();
        let look_up = |call: &Suspended, form| {
            let (array, at) = call.bytecode?;
            self.source_offset(array, at, form)
        };
        let exact =
            |form| calls.iter().filter(|call| look_up(call, form).is_some_and(|(_, exact)| exact)).count();
        let form = self.form(exact(Form::Signed), exact(Form::Flagged));
        for call in &mut calls {
            // Sparkplug counts its tag, too.
            if let (None | Some((_, false)), Some((array, at))) = (look_up(call, form), call.bytecode) {
                let before = self.source_offset(array, at - 1, form).is_some_and(|(_, exact)| exact);
                call.bytecode = Some((array, if before { at - 1 } else { at }));
            }
            call.offset = look_up(call, form).filter(|(_, exact)| *exact).map(|(offset, _)| offset);
        }
        (calls, form)
    }

    fn suspended_call(&self, generator: u64) -> Option<Suspended> {
        let word = |offset: u64| self.memory.word(generator + offset);
        // Where it goes on; not of one that runs or has ended.
        word(64).filter(|w| w & 1 == 0 && (*w as i64) >= 0)?;
        let promises = self.promises_of(generator);
        if promises.is_empty() {
            return None;
        }
        let function = word(24).and_then(object_of)?;
        if self.kind_of(function + 1) != Some(Kind::JsFunction) {
            return None;
        }
        let array = self.shared(function).and_then(|shared| self.bytecodes_of(shared));
        // The header is counted in what it says.
        let header = self.offsets.bytecodes as i64 - 1;
        let at = word(48).filter(|w| w & 1 == 0).map(|w| (w >> 32) as i64 - header);
        Some(Suspended {
            generator,
            function,
            context: word(32)?,
            receiver: word(40)?,
            bytecode: array.zip(at.filter(|&at| at >= 0)),
            offset: None,
            waiters: self.waiters(promises),
        })
    }

    /// The promise of an asynchronous function, or those of whoever asked a generator for values.
    fn promises_of(&self, generator: u64) -> Vec<u64> {
        let Some(id) = self.map_of(generator + 1) else { return Vec::new() };
        let size = u64::from(self.maps.map(id).words) * 8;
        let mut found = Vec::new();
        for offset in (PROMISES..size).step_by(8) {
            let word = self.memory.word(generator + offset).unwrap_or(0);
            match self.kind_of(word).filter(|_| word & 3 == 1) {
                Some(Kind::JsPromise) => found.push(word - 1),
                // A request has the promise among its fields.
                Some(Kind::Struct) => found.extend(self.promises_in(word - 1)),
                _ => {}
            }
        }
        found
    }

    /// Promises that an object of V8's own refers to.
    fn promises_in(&self, object: u64) -> Vec<u64> {
        let Some(map) = self.map_of(object + 1).map(|id| self.maps.map(id)) else { return Vec::new() };
        let words = (1..u64::from(map.words)).filter_map(|i| self.memory.word(object + 8 * i));
        words.filter(|&w| w & 3 == 1 && self.kind_of(w) == Some(Kind::JsPromise)).map(|w| w - 1).collect()
    }

    /// The generators that wait for any of the promises, or for one made of them.
    fn waiters(&self, promises: Vec<u64>) -> Vec<u64> {
        let mut waiters = Vec::new();
        let mut seen: Set<u64> = promises.iter().copied().collect();
        let mut todo = promises;
        let mut steps = 0;
        while let Some(object) = todo.pop() {
            steps += 1;
            if steps > MOST_STEPS || waiters.len() > MOST_WAITERS {
                break;
            }
            let mut go = |word: u64| {
                if let Some(at) = object_of(word).filter(|&at| seen.insert(at)) {
                    todo.push(at);
                }
            };
            match self.kind_of(object + 1) {
                Some(Kind::JsPromise) => {
                    // What is settled waits for nobody.
                    if self.memory.word(object + 32).is_some_and(|flags| (flags >> 32).is_multiple_of(4))
                        && let Some(word) = self.memory.word(object + 24)
                        && self.kind_of(word) == Some(Kind::Struct)
                    {
                        go(word);
                    }
                }
                // A reaction, or the two functions that settle a promise.
                Some(Kind::Struct) => {
                    let Some(map) = self.map_of(object + 1).map(|id| self.maps.map(id)) else { continue };
                    for i in 1..u64::from(map.words) {
                        let Some(word) = self.memory.word(object + 8 * i) else { continue };
                        if word & 3 != 1 {
                            continue;
                        }
                        match self.kind_of(word) {
                            Some(Kind::JsFunction) => self.reaction(word - 1, &mut waiters, &mut go),
                            Some(Kind::JsPromise | Kind::Struct) => go(word),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        waiters
    }

    /// What a function of V8's own does when a promise is settled: it lets a generator go on, or settles another promise.
    fn reaction(&self, function: u64, waiters: &mut Vec<u64>, go: &mut dyn FnMut(u64)) {
        if self.shared(function).is_none_or(|shared| self.shared_script(shared).is_some()) {
            return;
        }
        let context = self.memory.word(function + self.offsets.function_context).and_then(object_of);
        let Some(context) = context.filter(|at| self.kind_of(at + 1) == Some(Kind::Context)) else { return };
        let count = self.memory.word(context + 8).unwrap_or(0) >> 32;
        for slot in 2..count.min(8) {
            let word = self.memory.word(context + FIRST_SLOT + 8 * (slot - 2)).unwrap_or(0);
            match self.kind_of(word).filter(|_| word & 3 == 1) {
                Some(Kind::JsGenerator) if !waiters.contains(&(word - 1)) => waiters.push(word - 1),
                Some(Kind::JsPromise | Kind::Struct) => go(word),
                _ => {}
            }
        }
    }

    /// The bytecodes of a function, whatever it runs on.
    fn bytecodes_of(&self, shared: u64) -> Option<u64> {
        let is_bytecode = |word: u64| word & 3 == 1 && self.kind_of(word) == Some(Kind::Bytecode);
        for at in [8, 16] {
            let Some(word) = self.memory.word(shared + at).filter(|w| w & 3 == 1) else { continue };
            if is_bytecode(word) {
                return Some(word - 1);
            }
            let offset = match self.kind_of(word) {
                Some(Kind::Code) => self.offsets.code.data,
                Some(Kind::Struct) => 8,
                _ => continue,
            };
            let inner =
                [offset, offset + 8].into_iter().filter_map(|offset| self.memory.word(word - 1 + offset));
            if let Some(word) = inner.into_iter().find(|&word| is_bytecode(word)) {
                return Some(word - 1);
            }
        }
        None
    }
}
