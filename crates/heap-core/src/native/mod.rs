//! Frames of machine code that was there before JavaScript: C++ of Node and V8, the C library, V8's built-in functions.
//!
//! Each file with code says how to get from a frame to its caller. What is not at hand, or is another build than the one
//! that ran, says nothing: then there is a gap, and nothing is guessed.

mod module;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;

use heap_base::{Blob, Map};

use crate::elf::{Machine, Notes};
use crate::heap::Heap;
use crate::memory::Memory;

pub(crate) use module::{Caller, FP, Module, Place};

/// A frame of machine code.
#[derive(Clone, Debug)]
pub(crate) struct Native {
    /// Where it stands.
    pub(crate) pc: u64,
    /// Whether it stands behind a call.
    called: bool,
    /// The file, and the address that its instruction was linked for.
    code: Option<(Rc<Module>, u64)>,
    /// The function, as far as its file has a name for it; names of C++ are as linkers write them.
    pub(crate) function: Option<String>,
}

impl Native {
    pub(crate) fn new(place: &Place, code: Option<(Rc<Module>, u64)>) -> Self {
        Self { pc: place.pc, called: place.called, code, function: None }
    }

    /// The file that the code is in.
    pub(crate) fn file(&self) -> Option<&str> {
        self.code.as_ref().map(|(module, _)| module.path.as_str())
    }

    /// What the frame is called: the function, else where it is in its file.
    pub(crate) fn name(&self) -> String {
        match (&self.function, &self.code) {
            (Some(name), _) => name.clone(),
            (None, Some((module, address))) => {
                format!("{}+0x{:x}", base(&module.path), address.wrapping_add(self.called.into()))
            }
            (None, None) => "(code made by V8)".to_owned(),
        }
    }
}

/// What lies at an address.
#[derive(Debug)]
pub(crate) enum Code {
    /// No file.
    None,
    /// A file that cannot be used, and why.
    Missing(String),
    /// A file, and the address that was linked for.
    In(Rc<Module>, u64),
}

/// A file, or why it cannot be used.
type Opened = Result<Rc<Module>, String>;

/// The files that a process ran code of.
#[derive(Debug)]
pub(crate) struct Files<'a> {
    heap: &'a Heap,
    opened: RefCell<Map<&'a str, Opened>>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(heap: &'a Heap) -> Self {
        Self { heap, opened: RefCell::default() }
    }

    /// Whether frames of machine code can be found at all: the executable is needed for any of them.
    pub(crate) fn any(&self) -> bool {
        // How registers are saved is known here for x86-64 alone.
        self.heap.machine == Machine::X86
            && self.heap.notes.executable().is_some_and(|name| self.open(name).is_ok())
    }

    /// Why no frame of machine code can be found, if so.
    pub(crate) fn lacking(&self) -> Option<String> {
        let lost = "calls of C++ and of V8's own functions are missing";
        if self.heap.machine != Machine::X86 {
            return Some(format!("{lost}: they are found on x86-64 alone"));
        }
        let Some(name) = self.heap.notes.executable() else {
            return Some(format!("{lost}: the core names no executable"));
        };
        let why = || {
            format!(
                "{lost}: {}, as the build that ran, is not at hand; --executable FILE names it",
                base(name)
            )
        };
        self.open(name).err().map(|_| why())
    }

    /// What lies at an address.
    pub(crate) fn at(&self, address: u64) -> Code {
        let range = self.heap.notes.files.iter().find(|f| (f.start..f.end).contains(&address));
        let Some(range) = range else { return Code::None };
        match self.open(&range.name) {
            Ok(module) => match module.address(range.offset.saturating_add(address - range.start)) {
                Some(linked) => Code::In(module, linked),
                None => Code::Missing(format!("{} has no code there", base(&range.name))),
            },
            Err(why) => Code::Missing(why),
        }
    }

    fn open(&self, name: &'a str) -> Opened {
        let mut opened = self.opened.borrow_mut();
        opened.entry(name).or_insert_with(|| self.open_file(name)).clone()
    }

    fn open_file(&self, name: &str) -> Opened {
        let heap = self.heap;
        let not_there = || format!("{} is not at hand", base(name));
        let given = heap.executable.clone().filter(|_| heap.notes.executable() == Some(name));
        let was_given = given.is_some();
        let blob = given.or_else(|| heap.notes.on_disk(name)).ok_or_else(not_there)?;
        match (build_in_core(&heap.memory, &heap.notes, name), module::build_id_of_file(&blob)) {
            (Some(wanted), Some(found)) if wanted == found => {}
            // The version of what was given is checked elsewhere. What a process has mapped has its name while it is there.
            (None, _) if was_given || heap.notes.live.is_some() => {}
            (None, _) => return Err(format!("the core does not say which build of {} ran", base(name))),
            _ => return Err(format!("{} is not the build that ran", base(name))),
        }
        Module::open(name, blob).map(Rc::new).map_err(|_| not_there())
    }

    /// Gives frames the names of their functions. Each file is gone over once.
    ///
    /// A frame stands in front of where it goes on, but for those that V8 makes when it leaves optimized code: these go on
    /// where a function begins, and nothing lies in front of that.
    pub(crate) fn name(frames: &mut [&mut Native]) {
        let mut by_file: Map<*const Module, Vec<usize>> = Map::default();
        for (number, frame) in frames.iter().enumerate() {
            if let Some((module, _)) = &frame.code {
                by_file.entry(Rc::as_ptr(module)).or_default().push(number);
            }
        }
        for numbers in by_file.into_values() {
            let code = |number: &usize| frames[*number].code.clone();
            let Some((module, _)) = numbers.first().and_then(code) else { continue };
            let addresses: Vec<u64> = numbers.iter().filter_map(code).map(|(_, address)| address).collect();
            // Names are all that is lost.
            let both: Vec<u64> =
                addresses.iter().flat_map(|&address| [address, address.wrapping_add(1)]).collect();
            let Ok(names) = module.names(&both) else { continue };
            for (number, address) in numbers.into_iter().zip(addresses) {
                let next = address.wrapping_add(1);
                let begins = || names.get(&next).filter(|(_, start)| *start == next);
                let found = names.get(&address).or_else(|| begins().filter(|_| frames[number].called));
                frames[number].function = found.map(|(name, _)| name.clone());
            }
        }
    }
}

/// The number of the build of a file that the process had mapped, if the core says it.
fn build_in_core(memory: &Memory, notes: &Notes, name: &str) -> Option<Vec<u8>> {
    let begin = notes.files.iter().find(|f| f.name == name && f.offset == 0)?;
    module::build_id_in_core(memory, begin.start)
}

/// Whether a file is the very build that the process had mapped.
pub(crate) fn is_build(memory: &Memory, notes: &Notes, name: &str, blob: &Blob) -> bool {
    let wanted = build_in_core(memory, notes, name);
    wanted.is_some() && wanted == module::build_id_of_file(blob)
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
