//! Java heap dumps: HPROF, IBM portable heap dumps (PHD) and classic text.
//!
//! HPROF is described at the top of `services/heapDumper.cpp` of OpenJDK, Android's additions in `src/hprof/hprof.h` of ART;
//! the other two in `dump_heapdump.md` of eclipse-openj9/openj9-docs.
//!
//! # What becomes what
//!
//! * An object is the node whose identifier is its address with the lowest bit set. Nodes of our own, kinds of roots and
//!   frames, have negative identifiers. Classes have Java's names; the address in the name of a hidden class is
//!   `java.hidden`.
//! * Instances are `java.instance`, strings `string_flat` with their contents as `data`; the array behind them stays a
//!   node. Arrays have `java.length`, arrays of references `java.used` too: how many elements are not null. Classes are
//!   `java.class` with `java.super`, `java.loader`, `java.instance_size`; instances of classes that a loader made have
//!   `java.loader`. Direct buffers that own memory and map no file have `heap.external`, and so have the objects
//!   that free what arenas of JDK 25 allocate, one for each allocation: slices and mapped files have none.
//! * Fields are edges with the field's name, `Class.name` where a subclass hides it. Statics, the class, the superclass, the
//!   loader and so on have edge subtypes of their own, and so have the four kinds of weak references.
//! * A thread object has edges `heap.frame` to its frames, and these `heap.local` to what they hold. Other roots hang on one
//!   `heap.root` node for each kind. A dump that names no sticky class keeps the classes of the boot loader alive.
//!   What classes keep for a `ClassValue` stands in a field of class objects, which no dump has: it is an `unknown` root.
//! * PHD and classic text have no roots: a node refers to all classes, and what nothing refers to is a root too. With a
//!   javacore as the companion of the dump, its threads with their frames and locks, and the boot loader with its classes are
//!   roots in place of the classes; other loaders hold theirs.
//! * Shallow sizes of HPROF are computed, see [`Layout`]; metadata `java.layout` says the rule and `java.layout_fit` how many
//!   objects of a sample have a size that is the distance to the next object. Extension records `java.field` say which
//!   fields a class declares: `class`, `label`, `kind` (number of the type in HPROF), `static`. Values of
//!   primitive fields are edges if asked for: to a small integer, with `heap.value` for a float, and with `java.long` beside
//!   it for a long beyond 63 bits. Not carried: contents of primitive arrays.
//! * Where objects have traces with frames, those of agents and of Android, nodes have the serial number as `java.trace`, and
//!   metadata `heap.stacks` name the records of frames and functions, `java.trace_node` and `java.trace_function`.
//! * Dumps of Android state the sizes of instances. Arrays that are parts of other objects have what is left of these; the
//!   name of the heap that an object is in is `java.heap`. Activities that Android has destroyed have `java.destroyed`.
//! * Who asks for numbers by which objects may be known in another dump gets marks of boxes, of UUIDs and of up to three wide
//!   numbers in fields of the program's classes, as a member `numbers` of instances.
//! * An entry with the value that a thread has of a `ThreadLocal` has the identifier of that variable as `java.thread_local`.
//! * A file whose end mark is missing ends early; files of version 1 and heaps in one record have none.
//! * What is wrong with an HPROF file that can be read all the same is metadata `java.warning`, one for each kind of fault;
//!   `java.note` is what people should know of a sound one.
//! * The version of the JDK is `java.jdk`, where the dump has that text. It decides how fields are packed and what HotSpot adds
//!   to classes; else what `String` and `Class` declare decides.
//! * An HPROF file may hold several dumps, which agents add one by one: each is a snapshot.
//!
//! # Time and memory
//!
//! A sum by class is one pass and holds names, classes and roots, nothing per object. Otherwise nodes and edges take a pass
//! each, contents of strings two. Edges by index need the address of every object, which is one more pass: a bit for each
//! place where one may begin, with counts, which is less than a byte for each object of a compacted heap, and four bytes
//! more where the file is not in the order of addresses. Contents of strings need two such sets for the arrays behind them.
//!
//! Edges by index are taken by two threads in pieces of the heap, which the scan cuts at objects: one thread from the first
//! piece on into the sink, behind the nodes, the other from the last on into shards of it. Before that, the second finds
//! the addresses while the first delivers the nodes. The sink gets the same records in the same order from one thread.
//!
//! Measured: 14 MB for a sum of 722 MB; for retained sizes by class 34 bytes an object with 2.8 references (14 million
//! objects), 33 with 2.4 (417 million), the graph included. Names and classes are in memory: 0.5 KB a class, 0.7 with
//! fields and an object.

mod addresses;
mod emit;
mod flat;
mod hprof;
mod layout;
mod strings;
#[cfg(test)]
mod tests;
mod text;
mod window;
pub mod writer;

use heap_base::{Blob, Dump, Result};
use heap_record::{Info, Sink, SnapshotSelector};

use flat::Format;

pub use layout::{Fields, Layout, Overrides};

/// Which references keep their targets alive, beside ordinary ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refs {
    /// All, as in Eclipse MAT's dominator tree.
    #[default]
    All,
    /// Soft and final ones, but neither weak nor phantom ones.
    Strong,
    /// None.
    Hard,
}

impl Refs {
    /// The word of the command line and of metadata.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Strong => "strong",
            Self::Hard => "hard",
        }
    }

    /// The rule with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::All, Self::Strong, Self::Hard].into_iter().find(|refs| refs.name() == name)
    }
}

/// How a user wants a Java heap read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is known of the layout of objects.
    pub layout: Overrides,
    /// Which references keep their targets alive.
    pub refs: Refs,
    /// Whether primitive fields are edges to their values.
    pub values: bool,
    /// Whether primitive fields of instances are fields of their nodes too, in the namespace `field`.
    pub fields: bool,
}

/// True if an input that begins with `head` is a Java heap dump.
pub fn sniff(head: &[u8]) -> bool {
    hprof::sniff(head) || Format::sniff(head).is_some()
}

/// True if a file that begins with `head` is a javacore, the companion of an IBM dump.
pub fn sniff_javacore(head: &[u8]) -> bool {
    flat::sniff_javacore(head)
}

/// True if a dump that begins with `head` is one that a javacore explains: an IBM dump.
pub fn takes_javacore(head: &[u8]) -> bool {
    Format::sniff(head).is_some()
}

/// Reads a dump and drives `sink` with it. The companion of an IBM dump is its javacore.
///
/// # Errors
/// Damage, with its place, after all that is intact before it was delivered; failures of reading and of the sink.
pub fn read(dump: &Dump, snapshot: SnapshotSelector, options: Options, sink: &mut dyn Sink) -> Result {
    match flat_format(dump)? {
        Some(format) => flat::read(format, dump, snapshot, options, sink),
        None => hprof::read(dump, snapshot, options, sink),
    }
}

/// What the heads of a dump say.
///
/// # Errors
/// Damage in the head; failures of reading.
pub fn info(dump: &Dump) -> Result<Info> {
    match flat_format(dump)? {
        Some(format) => flat::info(format, dump),
        None => hprof::info(dump),
    }
}

/// Which of IBM's formats a dump has, if it has one of them.
fn flat_format(blob: &Blob) -> Result<Option<Format>> {
    let mut head = vec![0; 4096];
    let len = blob.read_at(&mut head, 0)?;
    Ok(Format::sniff(&head[..len]))
}
