//! What is the program's, as against its runtime's: functions, scopes, classes.
//!
//! A source names the scripts or classes that came with the runtime (`heap.runtime`). A function is the program's if its
//! script has a name that is none of these; a scope (what holds the variables of a function) if such a function has it; a
//! class if none of these names it and, where the source says where functions stand, a function of the program makes it.
//! Where a source says nothing, all classes with a name are taken for the program's.

use std::cell::RefCell;

use heap_base::{BitSet, Map, NumberMap, Result, Set};
use heap_record::StringId;

use super::clues::{Clues, Word};
use super::exports::{Export, exports};
use super::locations::Line;
use super::source::{self, Source};
use super::ways::{self, Way};
use crate::graph::NamedGraph;
use crate::select::Glob;

/// The kinds of nodes that searches tell apart, by subtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sort {
    /// An object or anything else of which the source has no more special word.
    Object,
    /// A function with its variables.
    Closure,
    /// Code, and what describes functions and shapes of objects.
    Code,
    /// A string, number, symbol or the like: contents, not a holder.
    Text,
    /// The inner part of an object: a table, a list of slots.
    Array,
    /// Contents of numbers.
    Bytes,
    /// Made up by the virtual machine, such as a group of roots.
    Synthetic,
    /// A class with its static fields.
    Class,
    /// A call that was under way.
    Frame,
}

impl Sort {
    /// All of them, by number.
    const ALL: [Self; 9] = [
        Self::Object,
        Self::Closure,
        Self::Code,
        Self::Text,
        Self::Array,
        Self::Bytes,
        Self::Synthetic,
        Self::Class,
        Self::Frame,
    ];
}

/// What the name of a subtype says beside its source.
fn kind(subtype: &str) -> &str {
    subtype.rsplit(['.', ' ']).next().unwrap_or(subtype)
}

/// Whether nodes of a subtype are shapes of objects.
pub fn is_shape(subtype: &str) -> bool {
    kind(subtype) == "object_shape"
}

/// Whether nodes of a subtype are arrays of references alone. In the slots of others may be small numbers, which no edge shows.
pub fn has_references_alone(subtype: &str) -> bool {
    kind(subtype) == "object_array"
}

/// Whether one of `patterns` matches a text.
fn is_of(patterns: &[Glob], text: &str) -> bool {
    patterns.iter().any(|glob| glob.matches(text))
}

fn sort_of(name: &str) -> Sort {
    let last = kind(name);
    match last {
        "closure" => Sort::Closure,
        "code" | "function_metadata" | "object_shape" | "stable" => Sort::Code,
        "heap_number" | "number" | "symbol" | "bigint" | "oddball" | "date" | "regular_expression" => {
            Sort::Text
        }
        "primitive_array" => Sort::Bytes,
        "array" | "object_array" | "hidden" | "cell" => Sort::Array,
        "synthetic" | "root" => Sort::Synthetic,
        "frame" => Sort::Frame,
        "class" | "module" => Sort::Class,
        _ if last.starts_with("string") => Sort::Text,
        _ if last.ends_with("roots") => Sort::Synthetic,
        _ => Sort::Object,
    }
}

/// What is known of the objects of a class, as bits.
type Facts = u8;

/// The class is the program's.
const OWN: Facts = 1 << 4;
/// Its objects are inner parts of others.
const CELL: Facts = 1 << 5;
/// The runtime made it, and names its fields.
const RUNTIME: Facts = 1 << 6;
/// Its objects load classes.
const LOADER: Facts = 1 << 7;
/// The bits of a node's [`Sort`].
const SORT: u8 = OWN - 1;

/// A name that functions of the program have.
#[derive(Clone, Copy, Debug)]
struct Maker {
    /// The first function with this name.
    first: u32,
    /// A function of the runtime has it too.
    shared: bool,
}

/// Whether objects of a class are lists; of nodes without a class likewise.
type Lists = Map<Option<StringId>, bool>;

/// Part of the names of scripts that a program has from others.
const LIBRARIES: &str = "/node_modules/";

/// What is the program's in one dump. Memory: a byte an edge, a byte and four bits a node, and some tens of bytes for each
/// name of a function.
pub struct Ownership<'a> {
    loaded: &'a NamedGraph,
    clues: &'a Clues,
    /// What each reference is to the program: [`Way`]s by number.
    ways: Vec<u8>,
    /// The [`Sort`] of each node, with the [`Facts`] of its class.
    nodes: Vec<u8>,
    /// Scopes, and those of functions of the program.
    scopes: BitSet,
    own_scopes: BitSet,
    /// Functions by whose they are, where their script is known.
    own_functions: BitSet,
    /// Threads, and those of kinds that the runtime has for itself.
    threads: BitSet,
    helpers: BitSet,
    /// Arrays of threads, and what else leads to all of them.
    groups: BitSet,
    /// Scopes of functions of the program, each with one of these, ascending.
    functions: Vec<(u32, u32)>,
    /// Variables that modules of the program export.
    exports: Vec<Export>,
    /// Names of functions of the program.
    makers: Map<String, Maker>,
    /// The source says of functions in which script they stand.
    has_scripts: bool,
    /// The script of each piece of code that was asked for.
    scripts: RefCell<Map<u32, Option<StringId>>>,
}

impl<'a> Ownership<'a> {
    /// Looks at all functions and references.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn new(loaded: &'a NamedGraph, clues: &'a Clues) -> Result<Self> {
        let (heap, types) = (&loaded.heap, &loaded.context.types);
        let highest = types.node_types().iter().map(|of| of.id).max().unwrap_or(0).min(1 << 16);
        let sorts: Vec<Sort> = (0..=highest).map(|id| sort_of(&types.node_name(id))).collect();
        let sort = |subtype: u64| sorts.get(subtype as usize).copied().unwrap_or(Sort::Object);
        let mut own = Self {
            loaded,
            clues,
            ways: ways::ways(loaded, clues)?,
            nodes: heap.subtypes.iter().map(|subtype| sort(subtype) as u8).collect(),
            scopes: BitSet::default(),
            own_scopes: BitSet::default(),
            own_functions: BitSet::default(),
            threads: BitSet::default(),
            helpers: BitSet::default(),
            groups: BitSet::default(),
            functions: Vec::new(),
            exports: Vec::new(),
            makers: Map::default(),
            has_scripts: false,
            scripts: RefCell::default(),
        };
        own.nodes.resize(heap.graph.nodes() as usize, sort(0) as u8);
        own.look_at_functions()?;
        own.look_at_modules()?;
        own.look_at_classes()?;
        Ok(own)
    }

    fn look_at_functions(&mut self) -> Result {
        let heap = &self.loaded.heap;
        let mut whose: Map<StringId, bool> = Map::default();
        let mut lists = Lists::default();
        // By name of the function: the first of the program, and whether the runtime has one.
        let mut names: Map<StringId, (Option<u32>, bool)> = Map::default();
        for node in (0..heap.graph.nodes()).filter(|&node| self.nodes[node as usize] == Sort::Closure as u8) {
            let script = match self.end_by(node, Way::Shared) {
                Some(code) => self.script_of(code)?,
                None => None,
            };
            self.has_scripts |= script.is_some();
            let own = match script.map(|script| (script, whose.get(&script))) {
                Some((_, Some(&own))) => own,
                Some((script, None)) => {
                    let own = !self.is_runtimes(&self.loaded.context.strings.text_or_number(script)?);
                    *whose.entry(script).or_insert(own)
                }
                None => false,
            };
            if own {
                self.own_functions.insert(node);
            }
            if let Some(name) = heap.name(node) {
                let (first, shared) = names.entry(name).or_default();
                if own {
                    first.get_or_insert(node);
                } else {
                    *shared = true;
                }
            }
            let scope = self.end_by(node, Way::Context).filter(|&scope| self.sort(scope) != Sort::Array);
            let Some(scope) = scope else { continue };
            if !self.is_list(scope, &mut lists) {
                self.scopes.insert(scope);
                if own && self.own_scopes.insert(scope) {
                    self.functions.push((scope, node));
                }
            }
        }
        self.functions.sort_unstable();
        self.look_outward(&mut lists);
        // A source may have several records of one text.
        let mut runtimes: Set<String> = Set::default();
        for (&name, &(first, shared)) in &names {
            let text = self.loaded.context.strings.text_or_number(name)?;
            if shared {
                runtimes.insert(text.clone());
            }
            if let Some(first) = first {
                let maker = self.makers.entry(text).or_insert(Maker { first, shared });
                maker.first = maker.first.min(first);
            }
        }
        for (name, maker) in &mut self.makers {
            maker.shared = runtimes.contains(name);
        }
        Ok(())
    }

    /// Scopes around those of the program are the program's too, though none of their own functions may be left: what a script
    /// declares outside of functions stands in such a one.
    fn look_outward(&mut self, lists: &mut Lists) {
        for at in 0..self.functions.len() {
            let (mut scope, function) = self.functions[at];
            // What all of the machine's functions are made in is an inner part of it.
            while let Some(outer) = self.end_by(scope, Way::Previous)
                && self.sort(outer) != Sort::Array
                && !self.is_list(outer, lists)
                && self.scopes.insert(outer)
            {
                self.own_scopes.insert(outer);
                self.functions.push((outer, function));
                scope = outer;
            }
        }
        self.functions.sort_unstable();
    }

    /// What an exported variable stands in is a scope with this variable alone.
    fn look_at_modules(&mut self) -> Result {
        let mut exports = exports(self.loaded, self.clues, self)?;
        exports.retain(|export| self.own_functions.contains(export.function));
        for &Export { cell, function, .. } in &exports {
            self.scopes.insert(cell);
            if self.own_scopes.insert(cell) {
                self.functions.push((cell, function));
            }
        }
        self.functions.sort_unstable();
        self.exports = exports;
        Ok(())
    }

    /// The name of the variable that stands in a node, which a module of the program exports.
    pub fn exported(&self, cell: u32) -> Option<&str> {
        let at = self.exports.binary_search_by_key(&cell, |export| export.cell).ok()?;
        Some(&self.exports[at].name)
    }

    /// Adds what is known of its class to each node.
    fn look_at_classes(&mut self) -> Result {
        const UNKNOWN: Facts = SORT;
        let mut known = NumberMap::new(UNKNOWN);
        let (mut threads, mut helpers, mut groups): (Vec<StringId>, Vec<StringId>, Vec<StringId>) =
            Default::default();
        for (node, class) in (0..).zip(self.loaded.heap.classes()) {
            let Some(class) = class else { continue };
            let mut facts = known.get(class);
            if facts == UNKNOWN {
                let text = self.loaded.context.strings.text_or_number(class)?;
                facts = self.facts_of(&text);
                *known.slot(class) = facts;
                let is_thread = is_of(&self.clues.threads, &text);
                if is_thread {
                    threads.push(class);
                }
                // What only a pattern knows for a thread.
                let is_helper = is_thread && !self.clues.threads.iter().any(|glob| glob.pattern() == text);
                if facts & RUNTIME != 0 && is_helper {
                    helpers.push(class);
                }
                let is_said = self.clues.thread_groups.contains(&text);
                if is_said
                    || text.strip_suffix("[]").is_some_and(|element| is_of(&self.clues.threads, element))
                {
                    groups.push(class);
                }
            }
            self.nodes[node as usize] |= facts;
            if threads.contains(&class) {
                self.threads.insert(node);
                if facts & RUNTIME != 0 && helpers.contains(&class) {
                    self.helpers.insert(node);
                }
            }
            if groups.contains(&class) {
                self.groups.insert(node);
            }
        }
        Ok(())
    }

    /// Whether a node is of a class that programs use for lists, and so no scope; or the scope of all, which is the runtime's.
    fn is_list(&self, node: u32, lists: &mut Lists) -> bool {
        let class = self.loaded.heap.class(node);
        *lists.entry(class).or_insert_with(|| {
            self.loaded
                .class(node)
                .is_ok_and(|class| class == "Array" || class == "Object" || class.contains("NativeContext"))
        })
    }

    /// Where the first edge of a node leads whose label is such a word.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn end_of(&self, node: u32, word: Word) -> Result<Option<u32>> {
        let heap = &self.loaded.heap;
        let range = heap.graph.range(node);
        let (mut at, mut found) = (range.start as u32, None);
        heap.each_name(range, |label, _| {
            if found.is_none() && label.is_some_and(|label| self.clues.word(label) == Some(word)) {
                found = Some(heap.graph.link(at).end());
            }
            at += 1;
        })?;
        Ok(found)
    }

    /// What a reference is to the program.
    #[inline]
    pub fn way(&self, edge: u32) -> Way {
        Way::ALL[usize::from(self.ways[edge as usize])]
    }

    /// Where the first such edge of a node leads.
    pub fn end_by(&self, node: u32, way: Way) -> Option<u32> {
        let graph = &self.loaded.heap.graph;
        let range = graph.range(node);
        let at = self.ways[range.clone()].iter().position(|&of| of == way as u8)?;
        Some(graph.link((range.start + at) as u32).end())
    }

    /// What kind of node it is.
    #[inline]
    pub fn sort(&self, node: u32) -> Sort {
        // What is no node is the root of the dominator tree.
        self.nodes.get(node as usize).map_or(Sort::Synthetic, |of| Sort::ALL[usize::from(of & SORT)])
    }

    /// Whether one of `facts` holds of the class of a node.
    #[inline]
    fn has(&self, node: u32, facts: Facts) -> bool {
        self.nodes.get(node as usize).is_some_and(|of| of & facts != 0)
    }

    /// What describes a function: all functions of one place have the same.
    pub fn code(&self, function: u32) -> Option<u32> {
        self.end_by(function, Way::Shared)
    }

    /// The function of the program that a call waits in.
    pub fn callee(&self, call: u32) -> Option<u32> {
        let function = self.end_of(call, Word::Callee).ok().flatten();
        function.filter(|&function| self.is_own_function(function))
    }

    /// Whether a node is what a function makes objects of its name after: called as these are, and none of them.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn is_prototype(&self, node: u32) -> Result<bool> {
        if !self.has_scripts || self.sort(node) != Sort::Object {
            return Ok(false);
        }
        // Labels are in a file: most objects have no such reference to a function, which is seen without.
        let graph = &self.loaded.heap.graph;
        let may_be = |edge| self.way(edge) == Way::Meta && self.sort(graph.link(edge).end()) == Sort::Closure;
        if !graph.range(node).any(|edge| may_be(edge as u32)) {
            return Ok(false);
        }
        let Some(function) = self.end_of(node, Word::Constructor)? else { return Ok(false) };
        let (Some(name), Some(class)) = (self.loaded.heap.name(function), self.loaded.heap.class(node))
        else {
            return Ok(false);
        };
        let strings = &self.loaded.context.strings;
        Ok(name == class || strings.text_or_number(name)? == strings.text_or_number(class)?)
    }

    /// Whether a node holds the variables of a function.
    pub fn is_scope(&self, node: u32) -> bool {
        self.scopes.contains(node)
    }

    /// Whether it holds those of a function of the program.
    pub fn is_own_scope(&self, node: u32) -> bool {
        self.own_scopes.contains(node)
    }

    /// Whether a node is a function of the program.
    pub fn is_own_function(&self, node: u32) -> bool {
        self.own_functions.contains(node)
    }

    fn is_runtimes(&self, name: &str) -> bool {
        name.is_empty() || self.clues.runtime.iter().any(|glob| glob.matches(name))
    }

    /// Whether the label of a reference is a symbol that came with the runtime, such as `<symbol vm:main>`.
    pub fn is_runtimes_symbol(&self, label: &str) -> bool {
        let name = label.strip_prefix("<symbol ").and_then(|name| name.strip_suffix('>'));
        name.is_some_and(|name| self.is_runtimes(name))
    }

    /// Whether the source says what came with the runtime.
    pub fn has_runtime(&self) -> bool {
        !self.clues.runtime.is_empty()
    }

    /// Whether the source says of functions in which script they stand.
    pub fn has_scripts(&self) -> bool {
        self.has_scripts
    }

    /// The name of the script of a function.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn script(&self, function: u32) -> Result<Option<String>> {
        let Some(code) = self.end_by(function, Way::Shared) else { return Ok(None) };
        self.script_of(code)?.map(|script| self.loaded.context.strings.text_or_number(script)).transpose()
    }

    /// The name of the script that code comes from, by string id; none if it is empty.
    fn script_of(&self, code: u32) -> Result<Option<StringId>> {
        if let Some(&known) = self.scripts.borrow().get(&code) {
            return Ok(known);
        }
        let name = match self.clues.line(code) {
            Some(Line { script, .. }) => Some(script),
            None => self.end_by(code, Way::Script).and_then(|script| self.loaded.heap.name(script)),
        };
        let is_empty = |name| self.loaded.context.strings.text_or_number(name).map(|text| text.is_empty());
        let name = match name {
            Some(name) if !is_empty(name)? => Some(name),
            _ => None,
        };
        self.scripts.borrow_mut().insert(code, name);
        Ok(name)
    }

    /// Where a function or call stands, if its script is known.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn source(&self, node: u32) -> Result<Option<Source>> {
        let text = |id| self.loaded.context.strings.text_or_number(id);
        let line = self.clues.line(node);
        if let Some(Line { script, line, column, function: Some(function) }) = line {
            let (function, script) = (text(function)?, text(script)?);
            let source = Source { function, script, line, column };
            return Ok(Some(source).filter(|source| !source.script.is_empty()));
        }
        if self.sort(node) != Sort::Closure {
            return Ok(None);
        }
        let Some(script) = self.script(node)? else { return Ok(None) };
        let function = self.loaded.name(node)?.unwrap_or_default();
        let (line, column) = if let Some(at) = self.clues.locations.find(self.loaded.id(node)) {
            (at.line, at.column)
        } else {
            let code = self.end_by(node, Way::Shared);
            code.and_then(|code| self.clues.line(code)).map_or((0, 0), |at| (at.line, at.column))
        };
        Ok(Some(Source { function, script, line, column }))
    }

    /// A function with its place, as far as the dump says it: `onConfig (app.js:40:12)`.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn function(&self, node: u32) -> Result<String> {
        match self.source(node)? {
            Some(source) => Ok(source.short()),
            None => Ok(source::spelt(&self.loaded.name(node)?.unwrap_or_default(), "")),
        }
    }

    /// A class of the program, with the place of the function that makes its objects.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn class_with_place(&self, node: u32) -> Result<String> {
        let class = self.loaded.class(node)?;
        let source = self.maker(&class).map(|maker| self.source(maker)).transpose()?.flatten();
        Ok(source::spelt(&class, &source.map_or(String::new(), |source| source.place())))
    }

    /// A function, or the class of an object of the program, with its place.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn with_place(&self, node: u32) -> Result<String> {
        if self.is_own_function(node) { self.function(node) } else { self.class_with_place(node) }
    }

    /// Whether a scope is of code that the program has from others.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn is_library(&self, scope: u32) -> Result<bool> {
        self.function_of(scope).map_or(Ok(false), |function| self.is_of_library(function))
    }

    /// The same of a function.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn is_of_library(&self, function: u32) -> Result<bool> {
        Ok(self.script(function)?.is_some_and(|script| script.contains(LIBRARIES)))
    }

    /// A function of the program that has a scope.
    pub fn function_of(&self, scope: u32) -> Option<u32> {
        if !self.is_own_scope(scope) {
            return None;
        }
        let at = self.functions.binary_search_by_key(&scope, |&(scope, _)| scope).ok()?;
        Some(self.functions[at].1)
    }

    /// A function of the program with this name: the first.
    pub fn maker(&self, name: &str) -> Option<u32> {
        self.makers.get(name).map(|maker| maker.first)
    }

    fn facts_of(&self, text: &str) -> Facts {
        let element = text.trim_end_matches("[]");
        let is_list = element.len() < text.len();
        let runtime = is_of(&self.clues.runtime, element);
        let made = !self.has_scripts || self.makers.get(element).is_some_and(|maker| !maker.shared);
        let nameless =
            text.is_empty() || text.starts_with('(') || is_primitive(element) || PLAIN.contains(&element);
        // An entry of a table, or what a variable's value stands in.
        let nested = runtime && (text.contains('$') || text == "Scalar") || text.starts_with("system / ");
        let own = !nameless && !runtime && made && !is_list;
        let cell = is_list && !is_primitive(element) || nested || text.starts_with("_List");
        let facts = [
            (own, OWN),
            (cell, CELL),
            (runtime || is_list, RUNTIME),
            (is_of(&self.clues.loaders, text), LOADER),
        ];
        facts.into_iter().filter(|of| of.0).fold(0, |all, of| all | of.1)
    }

    /// Whether a node is a thread, which has calls, and which people know by its name.
    pub fn is_thread(&self, node: u32) -> bool {
        self.sort(node) == Sort::Object && self.threads.contains(node)
    }

    /// Whether the class of a node is the program's.
    pub fn is_own(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|of| of & (SORT | OWN) == Sort::Object as u8 | OWN)
    }

    /// Whether a node is only the inner part of what holds it: a table, a list of slots, an entry of a table, a scope.
    pub fn is_cell(&self, node: u32) -> bool {
        match self.sort(node) {
            Sort::Array => self.loaded.heap.class(node).is_none() || self.has(node, CELL),
            Sort::Code | Sort::Synthetic => true,
            Sort::Object => self.is_scope(node) || self.has(node, CELL),
            Sort::Class | Sort::Closure | Sort::Text | Sort::Bytes | Sort::Frame => false,
        }
    }

    /// Whether the fields of a node have names that the program gave them, as far as the source says.
    pub fn names_members(&self, node: u32) -> bool {
        match self.sort(node) {
            Sort::Object if self.is_scope(node) => true,
            Sort::Object | Sort::Array => !self.has(node, CELL | RUNTIME),
            Sort::Class => self.is_own_class(node),
            _ => true,
        }
    }

    /// Whether the virtual machine made a node up.
    pub fn is_synthetic(&self, node: u32) -> bool {
        self.sort(node) == Sort::Synthetic
    }

    /// Whether a node is a class with its static fields.
    pub fn is_class(&self, node: u32) -> bool {
        self.sort(node) == Sort::Class
    }

    /// Whether a node loads classes.
    pub fn is_loader(&self, node: u32) -> bool {
        self.has(node, LOADER)
    }

    /// Whether a node is a thread of a kind that the runtime has for work of its own, such as that of a timer.
    pub fn is_helper(&self, node: u32) -> bool {
        self.helpers.contains(node)
    }

    /// Whether a node is an array of threads, as a group of threads has one with all of them, or leads to them by itself.
    pub fn is_group_of_threads(&self, node: u32) -> bool {
        self.groups.contains(node)
    }

    /// Whether a node is a class of the program with its static fields.
    pub fn is_own_class(&self, node: u32) -> bool {
        self.is_class(node)
            && self
                .loaded
                .name(node)
                .is_ok_and(|name| name.is_some_and(|name| self.facts_of(&name) & OWN != 0))
    }

    /// Whether a node is a call of a function of the program.
    pub fn is_own_frame(&self, node: u32) -> bool {
        if self.sort(node) != Sort::Frame {
            return false;
        }
        let Some(line) = self.clues.line(node) else { return !self.clues.has_lines() };
        let text = |id| self.loaded.context.strings.text_or_number(id).unwrap_or_default();
        let (script, function) = (text(line.script), line.function.map_or(String::new(), text));
        !self.clues.runtime.iter().any(|glob| glob.matches(&script) || glob.matches(&function))
    }

    /// Classes of the program that a loader of the runtime has loaded under a name of their own: the program can name
    /// them wherever it is. Of a name that was loaded twice nobody knows which is meant. And what leads to all threads, so that none
    /// is named by what another one has.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn seeds(&self) -> Result<Vec<u32>> {
        let heap = &self.loaded.heap;
        let mut by_name: Map<StringId, (u32, u32)> = Map::default();
        for node in (0..heap.graph.nodes()).filter(|&node| self.is_class(node)) {
            let Some(name) = heap.name(node) else { continue };
            if self.is_own_class(node) {
                let entry = by_name.entry(name).or_insert((node, 0));
                entry.1 += 1;
            }
        }
        let mut seeds = Vec::new();
        for (class, times) in by_name.into_values() {
            if times > 1 {
                continue;
            }
            let (mut at, mut loader) = (heap.graph.range(class).start as u32, None);
            heap.each_name(heap.graph.range(class), |_, kind| {
                let name = kind.map(|kind| self.loaded.context.types.edge_name(kind));
                if name.is_some_and(|name| name.ends_with("loader")) {
                    loader = Some(heap.graph.link(at).end());
                }
                at += 1;
            })?;
            if loader.is_none_or(|loader| self.has(loader, RUNTIME)) {
                seeds.push(class);
            }
        }
        let is_said = |&node: &u32| !self.clues.thread_groups.is_empty() && self.sort(node) == Sort::Object;
        seeds.extend(self.groups.iter().filter(is_said));
        seeds.sort_unstable();
        Ok(seeds)
    }
}

/// Classes of containers that any program uses, whoever makes them.
const PLAIN: &[&str] =
    &["Object", "Array", "Hash", "Map", "Set", "WeakMap", "WeakSet", "Promise", "Function", "global"];

/// Whether a class is that of plain containers, which programs use for anything.
pub fn is_plain(class: &str) -> bool {
    PLAIN.contains(&class)
}

fn is_primitive(class: &str) -> bool {
    matches!(class, "byte" | "char" | "int" | "long" | "short" | "boolean" | "float" | "double")
}

/// The last part of a path or an address; a name with a scheme and without a root, such as `vm:lib/events`, is none. Of
/// `bus/index.js` both parts: many files have that name, and so `bundle.js`; of `bus/dist/cjs/index.js` all from the package on.
pub fn file_of(script: &str) -> &str {
    // An address that is the text itself, perhaps behind what a machine writes before the name.
    let address = script.rsplit(" / ").next().unwrap_or(script);
    if address.starts_with("data:") {
        return address.split([',', ';']).next().unwrap_or(address);
    }
    let script = script.split(['?', '#']).next().unwrap_or(script);
    let is_path = |rest: &str| rest.starts_with(['/', '\\']);
    if script.split_once(':').is_some_and(|(scheme, rest)| !scheme.contains(['/', '\\']) && !is_path(rest)) {
        return script;
    }
    let is_separator = |c| matches!(c, '/' | '\\');
    let script = script.trim_end_matches(is_separator);
    let Some(at) = script.rfind(is_separator) else { return script };
    let above = |at: usize| script[..at].rfind(is_separator).map_or(0, |at| at + 1);
    let folder = above(at);
    if !["index.", "bundle."].iter().any(|name| script[at + 1..].starts_with(name)) || folder == at {
        return &script[at + 1..];
    }
    // Nor do folders that most packages have say more.
    let usual = ["dist", "lib", "build", "src", "out", "cjs", "esm"];
    let (mut from, mut end) = (folder, at);
    while usual.contains(&&script[from..end])
        && let Some(before) = from.checked_sub(1).filter(|&before| above(before) < before)
    {
        (from, end) = (above(before), before);
    }
    &script[from..]
}

#[cfg(test)]
mod tests {
    use super::file_of;

    #[test]
    fn a_file_that_many_folders_have_is_called_with_its_folder() {
        assert_eq!(file_of("/srv/app/node_modules/bus/index.js"), "bus/index.js");
        assert_eq!(file_of("/srv/node_modules/bus/dist/index.cjs"), "bus/dist/index.cjs");
        assert_eq!(file_of("/srv/bus/dist/cjs/index.js"), "bus/dist/cjs/index.js");
        assert_eq!(file_of("bus/lib/index.js"), "bus/lib/index.js");
        assert_eq!(file_of("/lib/index.js"), "lib/index.js");
        assert_eq!(file_of("lib/index.js"), "lib/index.js");
        assert_eq!(file_of("/srv/node_modules/bus/lib/bundle.cjs"), "bus/lib/bundle.cjs");
        assert_eq!(file_of("/srv/app/dist/orders.js"), "orders.js");
        assert_eq!(file_of("index.js"), "index.js");
        assert_eq!(file_of("machine / Script / /srv/app/orders.js"), "orders.js");
        assert_eq!(file_of("machine / Script / data:text/javascript,1"), "data:text/javascript");
        assert_eq!(file_of("data:text/javascript;base64,MS8y"), "data:text/javascript");
        assert_eq!(file_of("/index.js"), "index.js");
        assert_eq!(file_of("C:\\app\\bus\\index.mjs?x"), "bus\\index.mjs");
        assert_eq!(file_of("/srv/app/orders.js"), "orders.js");
        assert_eq!(file_of("https://example.org/"), "example.org");
        assert_eq!(file_of("vm:lib/events"), "vm:lib/events");
    }
}
