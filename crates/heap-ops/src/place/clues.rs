//! What a search needs beside the graph: texts, functions and where they stand, words among labels, detached nodes.

use heap_base::json::{inside, may_begin, member};
use heap_base::{BitSet, NumberMap, Result, Set};
use heap_graph::{Keep, LargeGraph};
use heap_record::{Data, Extension, Metadata, NodeBatch, Sink, Str, StringId, Value, Wants, wants::Nodes};

use super::locations::{Line, Locations};
use super::source::line_of;
use super::texts::NodeTexts;
use crate::graph::{GraphLoader, NamedGraph};
use crate::select::field::int_field;
use crate::select::{Glob, Selection};
use crate::series::{Identity, Origin};
use crate::stream::{Context, may_be_cut};

/// What a label says beyond a name: virtual machines have few words for what an object is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// What the object is, and not what it holds: its shape, its class, its prototype, its code.
    Meta,
    /// As `Meta`, by a word that no program uses for its own properties.
    Proto,
    /// As `Proto`, from what functions make objects after to the function.
    Constructor,
    /// The same for a function: what describes it, shared by all functions of one place.
    Shared,
    /// From a function to the scope that it was made in.
    Context,
    /// From what describes a function to its script.
    Script,
    /// From a scope to the one around it.
    Previous,
    /// From a call that waits to what it has.
    Registers,
    /// From a call to a value that it works with, which no variable has.
    Register,
    /// From a call that waits to its function.
    Callee,
    /// The object that stands for the process and refers to nearly everything.
    Process,
    /// A table of all modules, or of all that one was compiled into.
    ModuleCache,
    /// What a module gives to others, and the modules that it has loaded.
    Exports,
    /// The object that stands for a module, which has it as a variable.
    Module,
    /// The function that loads other modules, likewise.
    Require,
    /// The class of such objects.
    ModuleClass,
    /// The name of a module's file.
    FileName,
    /// From the scope of all to the global object.
    Global,
    /// The name of a thread.
    Name,
    /// To the table of a collection.
    Table,
    /// What an error remembers of a call that it was made in.
    CallSite,
    /// A module whose variables others import.
    EsModule,
    /// What such a variable stands in.
    Cell,
}

/// Words by text. `Meta` counts on references of the virtual machine alone: programs use these words as names.
pub(super) const WORDS: &[(&str, Word)] = &[
    ("__proto__", Word::Proto),
    ("constructor", Word::Constructor),
    ("prototype", Word::Proto),
    ("map", Word::Meta),
    ("code", Word::Meta),
    ("feedback_cell", Word::Meta),
    ("native_context", Word::Meta),
    ("transitions", Word::Meta),
    ("back_pointer", Word::Meta),
    ("dependent_code", Word::Meta),
    ("descriptors", Word::Meta),
    ("initial_map", Word::Meta),
    ("prototype_info", Word::Meta),
    ("scope_info", Word::Meta),
    ("<resolved_references>", Word::Proto),
    ("<STable>", Word::Proto),
    ("Static code object", Word::Proto),
    ("Static frame", Word::Proto),
    ("HOW", Word::Proto),
    ("WHO", Word::Proto),
    ("shared", Word::Shared),
    ("context", Word::Context),
    ("script_or_debug_info", Word::Script),
    ("script", Word::Script),
    ("previous", Word::Previous),
    ("parameters_and_registers", Word::Registers),
    ("Register", Word::Register),
    ("function", Word::Callee),
    ("process", Word::Process),
    ("_cache", Word::ModuleCache),
    ("Code refs array entry", Word::ModuleCache),
    ("exports", Word::Exports),
    ("children", Word::Exports),
    ("module", Word::Module),
    ("require", Word::Require),
    ("Module", Word::ModuleClass),
    ("filename", Word::FileName),
    ("global_object", Word::Global),
    ("global_proxy_object", Word::Global),
    ("name", Word::Name),
    ("table", Word::Table),
    ("system / CallSiteInfo", Word::CallSite),
    ("system / SourceTextModule", Word::EsModule),
    ("system / Cell", Word::Cell),
];

/// What a node of a profile says of all that was allocated at a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocated {
    /// Bytes, freed or not.
    pub bytes: u64,
    /// The mark of its labels, which tell nodes of one stack apart: Go gives the size of an object.
    pub labels: u64,
}

/// What the records of a dump say beside its graph.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    /// Where and when the dump comes from, and how objects are known again in another one.
    pub origin: Origin,
    /// Names of scripts or classes that are the runtime's own.
    pub runtime: Vec<Glob>,
    /// Names of classes whose objects are entries and other parts of the runtime's collections.
    pub entries: Vec<Glob>,
    /// Names of classes of threads, and patterns of those made from them.
    pub threads: Vec<Glob>,
    /// Classes of objects that lead to all threads.
    pub thread_groups: Vec<String>,
    /// Names of classes whose objects load classes.
    pub loaders: Vec<Glob>,
    /// Classes of global objects that have what their machine gives all programs.
    pub globals: Vec<String>,
    /// Nodes that are no longer part of their document.
    pub detached: BitSet,
    /// Nodes that the program has ended with, such as screens that were destroyed.
    pub destroyed: BitSet,
    /// Nodes with the value that a variable of threads has for one of them, and the identifier of the variable, ascending.
    pub thread_locals: Vec<(u32, Value)>,
    /// Texts of strings.
    pub texts: NodeTexts,
    /// UTF-16 units after which the source cuts texts, where it does.
    pub string_limit: Option<u64>,
    /// Records of texts that it may have cut.
    cut: Set<StringId>,
    /// What the code of closures is made from, by node, ascending.
    functions: Vec<(u32, Value)>,
    /// Nodes that say in which script they stand, ascending: frames, descriptions of functions.
    lines: Vec<(u32, Line)>,
    /// Where objects stand in their source.
    pub locations: Locations,
    /// How many objects nodes stand for, ascending; nodes of profiles say so.
    counts: Vec<(u32, u64)>,
    /// Bytes that were ever allocated where nodes of a profile say it, ascending; what is in use of them is their size.
    allocated: Vec<(u32, Allocated)>,
    /// The stacks at which nodes were allocated, ascending.
    stacks: Vec<(u32, i64)>,
    /// Bytes of a reference in an array; 0 if nothing says so.
    slot: u64,
    /// Sizes are of a sample, one allocation for so many bytes; 0 if they are of all.
    pub sampled: u64,
    /// Some node is part of a document.
    attached: bool,
    /// Words by the string id of their text.
    words: NumberMap<Option<Word>>,
    /// The lowest bits of these ids: most labels are no such word, and need no look at the map.
    likely: BitSet,
}

/// Which of so many places in [`Clues::likely`] a label has.
const fn place_of(label: StringId) -> u32 {
    label as u32 & 0xFFF
}

impl Clues {
    /// Bytes of a reference in an array.
    pub fn slot(&self) -> u64 {
        if self.slot == 0 { 8 } else { self.slot }
    }

    /// What a closure's code is made from: the same for all closures of one place in the source.
    pub fn function(&self, node: u32) -> Option<Value> {
        self.functions.binary_search_by_key(&node, |&(n, _)| n).ok().map(|at| self.functions[at].1)
    }

    /// The script and line that a node itself gives.
    pub fn line(&self, node: u32) -> Option<Line> {
        self.lines.binary_search_by_key(&node, |&(n, _)| n).ok().map(|at| self.lines[at].1)
    }

    /// Whether the source may have cut the text of this record.
    pub fn may_be_cut(&self, id: StringId) -> bool {
        self.cut.contains(&id)
    }

    fn note_cut(&mut self, id: StringId, text: &str) {
        if may_be_cut(text, self.string_limit) {
            self.cut.insert(id);
        }
    }

    /// How many objects a node of a profile stands for; 0 where that is not known.
    pub fn count(&self, node: u32) -> u64 {
        self.counts.binary_search_by_key(&node, |&(n, _)| n).map_or(0, |at| self.counts[at].1)
    }

    /// What a node of a profile says of all that was allocated there, freed or not.
    pub fn allocated(&self, node: u32) -> Option<Allocated> {
        self.allocated.binary_search_by_key(&node, |&(n, _)| n).ok().map(|at| self.allocated[at].1)
    }

    /// Whether some node says how many bytes were ever allocated.
    pub fn has_allocated(&self) -> bool {
        !self.allocated.is_empty()
    }

    /// The stack at which a node was allocated, if that is known.
    pub fn stack(&self, node: u32) -> Option<i64> {
        self.stacks.binary_search_by_key(&node, |&(n, _)| n).ok().map(|at| self.stacks[at].1)
    }

    /// Whether some node says in which script and line it stands.
    pub fn has_lines(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Whether a script is the runtime's own, or there is none where the source says what the runtime's own are.
    pub fn is_runtimes_script(&self, name: &str) -> bool {
        !self.runtime.is_empty() && (name.is_empty() || self.runtime.iter().any(|glob| glob.matches(name)))
    }

    /// Whether a function is one of what came with the runtime, where the source says that by names of functions.
    pub fn is_runtimes_function(&self, name: &str) -> bool {
        self.runtime.iter().any(|glob| glob.matches(name))
    }

    /// What a label says beyond a name.
    #[inline]
    pub fn word(&self, label: StringId) -> Option<Word> {
        if self.likely.contains(place_of(label)) { self.words.get(label) } else { None }
    }

    /// Whether some text is this word.
    pub(super) fn has_word(&self, word: Word) -> bool {
        self.words.iter().any(|(_, of)| of == Some(word))
    }

    /// Says that what is in files could not be read. Ask where edges are in files, at the end.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        self.texts.check()
    }

    /// Whether identifiers hold over the life of the process.
    pub fn has_identity(&self) -> bool {
        self.origin.identity.keeps_identifiers()
    }

    /// Whether another object may have the identifier later.
    pub fn reuses_identifiers(&self) -> bool {
        matches!(self.origin.identity, Identity::Fields(_))
    }
}

/// Builds the graph of a dump and gathers [`Clues`].
///
/// Memory: that of [`GraphLoader`], some 4 bytes for each string whose text is no name, some 10 for each location, and
/// 16 for each closure that says what its code is made from.
#[derive(Debug)]
pub struct ClueLoader {
    graph: GraphLoader,
    clues: Clues,
    has_strings: bool,
    /// The source's limit of texts came behind some of them.
    limit_is_late: bool,
    /// Objects are to be known by numbers.
    numbers: bool,
}

impl ClueLoader {
    /// Notes the nodes of `selection`. The graph keeps what `keep` says, and what [`Naming`](super::Naming) needs.
    pub fn new(selection: Selection, keep: Keep) -> Self {
        Self::of(GraphLoader::new(selection, needed(keep), true))
    }

    /// The same of no nodes, beside a sink that holds the strings; the graph lacks them.
    pub fn beside_strings(keep: Keep) -> Self {
        Self::of(GraphLoader::new(Selection::default(), needed(keep), false))
    }

    fn of(graph: GraphLoader) -> Self {
        Self { graph, clues: Clues::default(), has_strings: false, limit_is_late: false, numbers: false }
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    ///
    /// # Errors
    /// The temporary file of deferred nodes cannot be read.
    pub fn missing(&mut self) -> Result<Vec<String>> {
        self.graph.missing()
    }

    /// Puts edges into files where the graph takes more memory than this, as [`GraphLoader::with_limit`] has it. Labels must
    /// go aside.
    #[must_use]
    pub fn with_limit(self, bytes: u64, each: (u64, u64)) -> Self {
        Self { graph: self.graph.with_limit(bytes, each), ..self }
    }

    /// Asks for the numbers by which objects may be known in another dump, if `numbers`.
    #[must_use]
    pub fn with_numbers(self, numbers: bool) -> Self {
        Self { numbers, ..self }
    }

    /// The graph and the clues. Call when no more records come.
    ///
    /// # Errors
    /// As [`GraphLoader::build`].
    pub fn build(self) -> Result<(NamedGraph, Clues)> {
        self.build_within().map(|(graph, clues, _)| (graph, clues))
    }

    /// As [`build`](Self::build), with a limit as [`GraphLoader::build_within`].
    ///
    /// # Errors
    /// As [`GraphLoader::build_within`].
    pub fn build_within(self) -> Result<(NamedGraph, Clues, Option<LargeGraph>)> {
        let mut clues = self.clues;
        clues.texts.shrink();
        if !clues.attached {
            // Where nothing is part of a document, the word is of something else: Node has it of its own handles.
            clues.detached = BitSet::default();
        }
        let (graph, large) = self.graph.build_within()?;
        if self.limit_is_late {
            let strings = &graph.context.strings;
            let ids: Vec<StringId> = strings.hashes().map(|(id, _)| id).collect();
            for id in ids {
                clues.note_cut(id, &strings.text_or_number(id)?);
            }
        }
        if large.is_some() {
            clues.texts.put_away()?;
        }
        Ok((graph, clues, large))
    }
}

/// What naming needs of a graph, and `keep`.
fn needed(keep: Keep) -> Keep {
    Keep { ids: true, classes: true, names: true, subtypes: true, labels: true, kinds: true, ..keep }
}

pub(super) fn word(text: &str) -> Option<Word> {
    let is_word = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'<' | b'>' | b' ' | b'/');
    if text.len() > 25 || !text.bytes().all(is_word) {
        return None;
    }
    WORDS.iter().find(|(word, _)| *word == text).map(|&(_, word)| word)
}

impl Sink for ClueLoader {
    fn wants(&self) -> Wants {
        let graph = self.graph.wants();
        Wants { nodes: graph.nodes.max(Nodes::Clues), extensions: true, numbers: self.numbers, ..graph }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "heap.sampled" => self.clues.sampled = record.value.parse().unwrap_or(0),
            "heap.slot" => self.clues.slot = record.value.parse().unwrap_or(0),
            "heap.string_limit" => {
                self.clues.string_limit = record.value.parse().ok();
                self.limit_is_late = self.has_strings;
            }
            "heap.runtime" => self.clues.runtime.push(Glob::new(record.value)),
            "heap.entry" => self.clues.entries.push(Glob::new(record.value)),
            "heap.thread" => self.clues.threads.push(Glob::new(record.value)),
            "heap.threads" => self.clues.thread_groups.push(record.value.to_owned()),
            "heap.loader" => self.clues.loaders.push(Glob::new(record.value)),
            "heap.global" => self.clues.globals.push(record.value.to_owned()),
            _ => self.clues.origin.metadata(record),
        }
        self.graph.metadata(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        let (Data::Plain(text) | Data::Escaped(text)) = record.data;
        self.has_strings = true;
        // Escapes make a text longer, never shorter.
        if self.clues.string_limit.is_some_and(|limit| text.len() as u64 >= limit) {
            self.clues.note_cut(record.id, &record.data.text());
        }
        if let Some(word) = word(text) {
            *self.clues.words.slot(record.id) = Some(word);
            self.clues.likely.insert(place_of(record.id));
        }
        self.graph.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        let Self { graph, clues, .. } = self;
        let Clues {
            texts,
            functions,
            detached,
            destroyed,
            attached,
            lines,
            counts,
            allocated,
            thread_locals,
            stacks,
            ..
        } = clues;
        let Context { types, stacks: known, .. } = graph.context();
        let traced = known.are_there();
        texts.nodes(batch, types, |number, node| {
            let function =
                may_begin(node.own, *b"me").then(|| member(node.own, "metadata").and_then(int_field));
            if let Some(function) = function.flatten() {
                functions.push((number, function));
            } else if may_begin(node.own, *b"sc")
                && let Some(line) = line_of(node)
            {
                lines.push((number, line));
            }
            if let Some(count) = node.heap.count.filter(|&count| count > 0) {
                counts.push((number, count));
            }
            // Nodes of profiles have a count, even if nothing is in use.
            if node.heap.count.is_some()
                && let Some(bytes) = of_any(node.rest, "alloc_space").and_then(int_field)
                && let Ok(bytes) = u64::try_from(bytes)
            {
                let labels = of_any(node.rest, "labels").unwrap_or_default();
                allocated.push((number, Allocated { bytes, labels: heap_base::hash::mark(labels) }));
            }
            if traced && let Some(stack) = known.of(node) {
                stacks.push((number, stack));
            }
            // 1 is attached, 2 detached; the namespace is the source's.
            if may_begin(node.rest, *b"de") {
                let (state, ended) = states(node.rest);
                *attached |= state == Some(1);
                if state == Some(2) {
                    detached.insert(number);
                }
                if ended {
                    destroyed.insert(number);
                }
            }
            if may_begin(node.rest, *b"th")
                && let Some(variable) = of_any(node.rest, "thread_local").and_then(int_field)
            {
                thread_locals.push((number, variable));
            }
        });
        graph.nodes(batch)
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.clues.locations.add(record.body);
        self.graph.extension(record)
    }

    heap_record::pass_on!(graph: declare edges sharded);
}

/// A member of any namespace.
fn of_any<'a>(rest: &'a [u8], name: &str) -> Option<&'a [u8]> {
    heap_base::json::each(rest).find_map(|(_, value)| member(inside(value)?, name))
}

/// Whether a node is part of its document, and whether the program has ended with it.
fn states(rest: &[u8]) -> (Option<u64>, bool) {
    let (mut state, mut destroyed) = (None, false);
    for members in heap_base::json::each(rest).filter_map(|(_, value)| inside(value)) {
        for (key, value) in heap_base::json::each(members) {
            match key {
                "detachedness" => state = state.or_else(|| std::str::from_utf8(value).ok()?.parse().ok()),
                "destroyed" => destroyed |= value == b"true",
                _ => {}
            }
        }
    }
    (state, destroyed)
}
