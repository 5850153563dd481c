//! Core dumps of Node.js: the heaps, the stacks and the arguments of a process that died.
//!
//! A core is an ELF file with the memory of a process. Read are 64-bit little-endian cores of Linux, of Node 18 to 26
//! (V8 10.2 to 14.6). Nothing in a core says where V8 has what: pages are found by headers that agree with the spaces
//! that own them, objects by maps that are maps of maps, and what differs from version to version is taken from the
//! numbers that each executable exports (`v8dbg_*`), of which those of five releases are built in.
//!
//! # What becomes of it
//!
//! * Each isolate (the main thread's, and one for each worker) is a snapshot, and `heap.part` says whose: `main`, or
//!   `worker 3`, counted as their threads began. The last one is that of the thread that died, else the main one; if that
//!   is read alone because nobody chose, `core.note` says so, and its threads are those of all isolates. The read-only page
//!   belongs to all.
//! * An object has the identifier address + 1. What is garbage is there too, and no root reaches it.
//! * Objects of JavaScript have the class that a heap snapshot of the same moment gives them. Objects of V8's own are
//!   `v8.array`, `v8.hidden`, `v8.object_shape` or `code`, named by their instance type.
//! * Properties, elements and variables lead to objects, small integers, or floats (`heap.value`). Entries of Maps and
//!   Sets are edges `v8.key` and `v8.value` with the number of the entry. Words without a name are `v8.hidden`. Of
//!   V8's own references those to `undefined` and the like, and to the empty arrays that all share, are left out, as in
//!   snapshots.
//! * Strings have their whole text. Concatenated strings refer to their halves, sliced ones to their parents.
//! * Each thread is a `heap.thread`, each call on it a `heap.frame`, and `v8.tier` says what it is. Functions of
//!   JavaScript have script, line and column, and edges to receiver and arguments. Code of Sparkplug has its line by a
//!   table that must fit the bytecodes, code of Turbofan by the places of its calls, code of Maglev by how it can be left
//!   there; these also say which functions were inlined (`inlined`: without arguments). Where Maglev's code is never left
//!   at a call, and where what of Node's own came from its cache has no places, `v8.line` is the line in which the function
//!   begins. What a loop's frame says of its line is not believed once optimized code has taken the loop over.
//! * Frames of C++ and of V8's built-in functions (`native`) are found by the unwinding tables of the executable and of
//!   libraries, and named by their symbols as linkers write them, if these files are the builds that ran: on x86-64. Where
//!   calls cannot be followed stands a frame that says why (`gap`); it goes on where JavaScript was left.
//! * One root holds the global objects, which are the roots of the program, the data of the isolate, its handles, and
//!   the threads with all words of stacks and registers that refer to where an object begins (`core.roots`). Handles that
//!   C++ keeps elsewhere are not looked for.
//!
//! # Time and memory
//!
//! Pages are gone over once to find where objects begin, then once for strings, nodes and edges, as far as these are
//! wanted; for sums once. Kept are 32 MiB of blocks read last, a bit for each word of the pages and another for strings,
//! and what is known of maps, scopes and scripts.

mod constants;
mod elf;
mod emit;
mod heap;
mod info;
mod lines;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod live;
mod memory;
mod native;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod no_live;
mod objects;
mod space;
mod stacks;
mod start;
#[cfg(test)]
mod tests;
mod version;

use heap_base::{Dump, Result};
use heap_record::{Info, Sink, SnapshotSelector};

use heap::Heap;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
use no_live as live;

/// What `target_source` says.
const FORMAT: &str = "core";

pub use live::capture;

/// True if `head`, the first bytes of an input, begins a 64-bit core file.
pub fn sniff(head: &[u8]) -> bool {
    elf::is_core(head)
}

/// Reads a core and drives `sink` with one or all of its isolates. The last is that of the thread that died.
///
/// # Errors
/// A core of another program, or of a version of V8 that is not known; failures of reading and of the sink; damage, after
/// all that is intact was delivered.
pub fn read(dump: &Dump, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    emit::read(&Heap::open(dump)?, pick, sink)
}

/// What a core is, from its notes, pages and stacks.
///
/// # Errors
/// A core of another program, or of a version of V8 that is not known; failures of reading.
pub fn info(dump: &Dump) -> Result<Info> {
    info::info(&Heap::open(dump)?)
}
