//! What each reference is to the program, by its label and subtype.

use std::ops::Range;

use heap_base::{NumberMap, Result, join};
use heap_graph::HeapGraph;
use heap_record::{Role, StringId, Types};

use super::THREAD_FROM;
use super::clues::{Clues, Word};
use crate::graph::NamedGraph;

/// What a reference is to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Way {
    /// A field of a class.
    Static,
    /// A field or property of an object.
    Member,
    /// A variable of a scope.
    Variable,
    /// An element of a list.
    Element,
    /// To an inner part of the object.
    Inner,
    /// From a weak table or its key to what the entry holds.
    Entry,
    /// To the scope around a scope.
    Previous,
    /// To what the object is, not what it holds.
    Meta,
    /// `process`, to which nearly everything has a way.
    Process,
    /// To a table of all modules, or what has one.
    ModuleCache,
    /// From a module to what it exports, or to the modules that it has loaded.
    Exports,
    /// To a call that was under way.
    Frame,
    /// What a call has.
    Local,
    /// From a function to what describes it.
    Shared,
    /// From a function to the scope that it was made in.
    Context,
    /// To the global object.
    Global,
    /// From what describes a function to its script.
    Script,
    /// From a call that waits, such as an async function, to what it has.
    Registers,
    /// From a call to a value that no variable has.
    Register,
}

impl Way {
    /// All of them, by number.
    pub const ALL: [Self; 19] = [
        Self::Static,
        Self::Member,
        Self::Variable,
        Self::Element,
        Self::Inner,
        Self::Entry,
        Self::Previous,
        Self::Meta,
        Self::Process,
        Self::ModuleCache,
        Self::Exports,
        Self::Frame,
        Self::Local,
        Self::Shared,
        Self::Context,
        Self::Global,
        Self::Script,
        Self::Registers,
        Self::Register,
    ];

    pub(super) fn cost(self) -> u32 {
        match self {
            Self::Static => 8,
            // Less than two inner parts, such as an object's properties and what stands there.
            Self::Member | Self::Variable | Self::Exports => 9,
            Self::Element => 12,
            Self::Inner | Self::Context | Self::Global | Self::Script => 5,
            Self::Previous | Self::Frame => 30,
            Self::Entry | Self::Local | Self::Registers | Self::Register => 40,
            Self::Process => 60,
            Self::ModuleCache => 150,
            Self::Meta | Self::Shared => 350,
        }
    }
}

/// What each reference is to the program, by number: a byte each.
pub(super) fn ways(loaded: &NamedGraph, clues: &Clues) -> Result<Vec<u8>> {
    let (heap, types) = (&loaded.heap, by_subtype(&loaded.context.types));
    let edges = heap.graph.edges() as usize;
    let two = heap.graph.nodes() >= THREAD_FROM;
    let middle = if two { edges / 2 } else { edges };
    let part = |edges| ways_of(heap, edges, &types, clues);
    let (front, back) = join(two, || part(0..middle), || part(middle..edges));
    let mut ways = front?;
    ways.append(&mut back?);
    Ok(ways)
}

fn ways_of(heap: &HeapGraph, edges: Range<usize>, types: &NumberMap<u8>, clues: &Clues) -> Result<Vec<u8>> {
    let graph = &heap.graph;
    let mut at = edges.start as u32;
    let mut ways = Vec::with_capacity(edges.len());
    heap.each_name(edges, |label, kind| {
        let link = graph.link(at);
        at += 1;
        ways.push(way_by(types, (heap, clues), (label, kind), link.end(), link.class().has_partner()) as u8);
    })?;
    Ok(ways)
}

/// What a reference to `end` with this label and subtype is; `paired` are those of ephemerons.
#[inline]
pub(super) fn way_by(
    types: &NumberMap<u8>,
    (heap, clues): (&HeapGraph, &Clues),
    (label, kind): (Option<StringId>, Option<u32>),
    end: u32,
    paired: bool,
) -> Way {
    let by_type = kind.map_or(Way::Inner, |kind| Way::ALL[usize::from(types.get(kind.into()))]);
    let word = |text: Option<_>| text.and_then(|text| clues.word(text));
    // Both lead to all modules.
    let is_modules = || match heap.class(end) {
        None => word(heap.name(end)) == Some(Word::Require),
        class => word(class) == Some(Word::ModuleClass),
    };
    match (word(label), by_type) {
        _ if paired => Way::Entry,
        // A source with one kind of reference gives some no name.
        (None, Way::Member | Way::Variable) if label.is_none() => Way::Inner,
        (Some(Word::Meta | Word::Proto), Way::Inner) | (Some(Word::Proto), Way::Member | Way::Static) => {
            Way::Meta
        }
        (Some(Word::Shared), Way::Inner) => Way::Shared,
        (Some(Word::Script), Way::Inner) => Way::Script,
        (Some(Word::Context), Way::Inner) => Way::Context,
        (Some(Word::Previous), Way::Inner) => Way::Previous,
        (Some(Word::Registers), Way::Inner) => Way::Registers,
        (Some(Word::Register), Way::Member) => Way::Register,
        (Some(Word::Global), Way::Inner) => Way::Global,
        (Some(Word::Process), Way::Member | Way::Variable) => Way::Process,
        (Some(Word::ModuleCache), Way::Member) => Way::ModuleCache,
        (Some(Word::Module | Word::Require), Way::Variable) if is_modules() => Way::ModuleCache,
        (Some(Word::Exports), Way::Member) => Way::Exports,
        (_, way) => way,
    }
}

/// What references are by subtype, as far as their label does not say more.
pub(super) fn by_subtype(types: &Types) -> NumberMap<u8> {
    let mut ways = NumberMap::new(Way::Inner as u8);
    for of in types.edge_types() {
        *ways.slot(of.id.into()) = way_of(&of.name, of.role) as u8;
    }
    ways
}

/// The declared role says what a reference is to the program. Of those that are nothing to it, some say what an object is, or
/// lead to the calls of a thread.
fn way_of(name: &str, role: Role) -> Way {
    let word = name.rsplit(['.', ' ']).next().unwrap_or(name);
    match (role, word) {
        (_, "local" | "receiver" | "argument") => Way::Local,
        (Role::Variable, _) => Way::Variable,
        (Role::Element, _) => Way::Element,
        (Role::Static, _) => Way::Static,
        (Role::Member, _) => Way::Member,
        (Role::Inner, "constant" | "class" | "super" | "loader" | "signers" | "protection_domain") => {
            Way::Meta
        }
        (Role::Inner, "frame") => Way::Frame,
        (Role::Inner, _) => Way::Inner,
    }
}
