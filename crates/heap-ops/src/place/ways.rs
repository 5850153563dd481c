//! What each reference is to the program, by its label and subtype.

use std::ops::Range;

use heap_base::{NumberMap, Result, join};
use heap_graph::{HeapGraph, Link};
use heap_record::{Role, StringId, Types};

use super::THREAD_FROM;
use super::clues::{Clues, WORDS, Word};
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
    let (heap, kinds) = (&loaded.heap, Kinds::new(&loaded.heap, clues, &loaded.context.types));
    let edges = heap.graph.edges() as usize;
    let two = heap.graph.nodes() >= THREAD_FROM;
    let middle = if two { edges / 2 } else { edges };
    let (front, back) = join(two, || kinds.ways(0..middle), || kinds.ways(middle..edges));
    let mut ways = front?;
    ways.append(&mut back?);
    Ok(ways)
}

/// What references are by label and kind.
pub(super) struct Kinds<'a> {
    heap: &'a HeapGraph,
    clues: &'a Clues,
    /// By kind, as far as the label does not say more.
    by_kind: Vec<Way>,
    /// By word of the label, and by what it is by kind.
    by_word: Vec<[Way; Way::ALL.len()]>,
}

impl<'a> Kinds<'a> {
    pub(super) fn new(heap: &'a HeapGraph, clues: &'a Clues, types: &Types) -> Self {
        let mut by_type = NumberMap::new(Way::Inner as u8);
        for of in types.edge_types() {
            *by_type.slot(of.id.into()) = way_of(&of.name, of.role) as u8;
        }
        let way = |kind: u32| Way::ALL[usize::from(by_type.get(kind.into()))];
        let by_kind = (0..=u8::MAX).map(|kind| heap.named(0, kind).1.map_or(Way::Inner, way)).collect();
        let mut by_word = vec![Way::ALL; WORDS.len()];
        for &(_, word) in WORDS {
            by_word[word as usize] = Way::ALL.map(|way| of_word(word, way));
        }
        Self { heap, clues, by_kind, by_word }
    }

    /// What so many references are, by number.
    fn ways(&self, edges: Range<usize>) -> Result<Vec<u8>> {
        let mut ways = Vec::with_capacity(edges.len());
        self.heap.codes(edges, |edges, labels, kinds| {
            let of = |(at, link): (usize, Link)| {
                let (label, kind) = (labels.get(at).copied(), kinds.get(at).copied());
                self.way(label.unwrap_or(0), kind, link.end(), link.class().has_partner()) as u8
            };
            ways.extend(self.heap.graph.links_at(edges).enumerate().map(of));
        })?;
        Ok(ways)
    }

    /// What a reference to `end` with this label and kind is; `paired` are those of ephemerons.
    #[inline]
    pub(super) fn way(&self, label: u32, kind: Option<u8>, end: u32, paired: bool) -> Way {
        if paired {
            return Way::Entry;
        }
        let by_kind = kind.map_or(Way::Inner, |kind| self.by_kind[usize::from(kind)]);
        if matches!(by_kind, Way::Inner | Way::Member | Way::Static | Way::Variable) {
            self.labelled(self.heap.named(label, 0).0, by_kind, end)
        } else {
            by_kind
        }
    }

    #[inline]
    fn labelled(&self, label: Option<StringId>, by_kind: Way, end: u32) -> Way {
        let Some(label) = label else {
            // A source with one kind of reference gives some no name.
            return if matches!(by_kind, Way::Member | Way::Variable) { Way::Inner } else { by_kind };
        };
        let Some(word) = self.clues.word(label) else { return by_kind };
        if matches!(word, Word::Module | Word::Require) && !self.is_modules(end) {
            return by_kind;
        }
        self.by_word[word as usize][by_kind as usize]
    }

    /// Whether a node leads to all modules: the object that stands for one, and the function that loads others.
    #[cold]
    fn is_modules(&self, node: u32) -> bool {
        let word = |text: Option<_>| text.and_then(|text| self.clues.word(text));
        match self.heap.class(node) {
            None => word(self.heap.name(node)) == Some(Word::Require),
            class => word(class) == Some(Word::ModuleClass),
        }
    }
}

/// What a reference is whose label is such a word. Those to modules must lead to what is one.
fn of_word(word: Word, by_kind: Way) -> Way {
    match (word, by_kind) {
        (Word::Meta | Word::Proto | Word::Constructor, Way::Inner)
        | (Word::Proto | Word::Constructor, Way::Member | Way::Static) => Way::Meta,
        (Word::Shared, Way::Inner) => Way::Shared,
        (Word::Script, Way::Inner) => Way::Script,
        (Word::Context, Way::Inner) => Way::Context,
        (Word::Previous, Way::Inner) => Way::Previous,
        (Word::Registers, Way::Inner) => Way::Registers,
        (Word::Register, Way::Member) => Way::Register,
        (Word::Global, Way::Inner) => Way::Global,
        (Word::Process, Way::Member | Way::Variable) => Way::Process,
        (Word::ModuleCache, Way::Member) | (Word::Module | Word::Require, Way::Variable) => Way::ModuleCache,
        (Word::Exports, Way::Member) => Way::Exports,
        _ => by_kind,
    }
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
