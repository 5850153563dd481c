//! What is the program's, as against its runtime's: functions, scopes, classes.
//!
//! A source names the scripts or classes that came with the runtime (`heap.runtime`). A function is the program's if its
//! script has a name that is none of these; a scope (what holds the variables of a function) if such a function has it; a
//! class if none of these names it and, where the source says where functions stand, a function of the program makes it.
//! Where a source says nothing, all classes with a name are taken for the program's.

use std::cell::RefCell;

use heap_base::{BitSet, Map, Result, Set};
use heap_record::StringId;

use super::clues::{Clues, Word};
use super::locations::{Line, Location};
use super::source::{self, Source};
use crate::graph::NamedGraph;

/// The kinds of nodes that searches tell apart, by subtype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

fn sort_of(name: &str) -> Sort {
    let last = name.rsplit(['.', ' ']).next().unwrap_or(name);
    match last {
        "closure" => Sort::Closure,
        "code" | "function_metadata" | "object_shape" | "stable" => Sort::Code,
        "heap_number" | "number" | "symbol" | "bigint" | "oddball" | "date" | "regular_expression" => {
            Sort::Text
        }
        "primitive_array" => Sort::Bytes,
        "array" | "object_array" | "hidden" => Sort::Array,
        "synthetic" | "root" => Sort::Synthetic,
        "frame" => Sort::Frame,
        "class" => Sort::Class,
        _ if last.starts_with("string") => Sort::Text,
        _ if last.ends_with("roots") => Sort::Synthetic,
        _ => Sort::Object,
    }
}

/// What is known of the objects of a class.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
struct ClassFacts {
    /// The class is the program's.
    own: bool,
    /// Its objects are inner parts of others.
    cell: bool,
    /// The runtime made it, and names its fields.
    runtime: bool,
    /// Its objects load classes.
    loader: bool,
}

/// What is the program's in one dump.
pub struct Ownership<'a> {
    loaded: &'a NamedGraph,
    clues: &'a Clues,
    sorts: Vec<Sort>,
    /// Scopes, and those of functions of the program.
    scopes: BitSet,
    own_scopes: BitSet,
    /// Functions by whose they are, where their script is known.
    own_functions: BitSet,
    /// Scopes of functions of the program, each with one of these, ascending.
    functions: Vec<(u32, u32)>,
    /// Names of functions of the program that no function of the runtime has.
    makers: Option<Set<String>>,
    classes: RefCell<Map<StringId, ClassFacts>>,
    scripts: RefCell<Map<u32, Option<String>>>,
}

impl<'a> Ownership<'a> {
    /// Looks at all functions.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn new(loaded: &'a NamedGraph, clues: &'a Clues) -> Result<Self> {
        let highest =
            loaded.context.types.node_types().iter().map(|of| of.id).max().unwrap_or(0).min(1 << 16);
        let sorts = (0..=highest).map(|id| sort_of(&loaded.context.types.node_name(id))).collect();
        let mut own = Self {
            loaded,
            clues,
            sorts,
            scopes: BitSet::default(),
            own_scopes: BitSet::default(),
            own_functions: BitSet::default(),
            functions: Vec::new(),
            makers: None,
            classes: RefCell::default(),
            scripts: RefCell::default(),
        };
        own.look_at_functions()?;
        Ok(own)
    }

    fn look_at_functions(&mut self) -> Result {
        let heap = &self.loaded.heap;
        let (mut of_program, mut of_runtime) = (Set::default(), Set::default());
        let mut any = false;
        for node in 0..heap.graph.nodes() {
            if self.sort(node) != Sort::Closure {
                continue;
            }
            let script = self.script(node)?;
            any |= script.is_some();
            let own = script.is_some_and(|script| !self.is_runtimes(&script));
            if own {
                self.own_functions.insert(node);
            }
            if let Some(name) = heap.name(node) {
                if own {
                    of_program.insert(name)
                } else {
                    of_runtime.insert(name)
                };
            }
            let scope = self.end_of(node, |word| word == Some(Word::Context))?;
            if let Some(scope) =
                scope.filter(|&scope| self.sort(scope) != Sort::Array && !self.is_list(scope))
            {
                self.scopes.insert(scope);
                if own && self.own_scopes.insert(scope) {
                    self.functions.push((scope, node));
                }
            }
        }
        self.functions.sort_unstable();
        if any {
            let text = |id: &StringId| self.loaded.context.strings.text_or_number(*id);
            let runtimes: Set<String> = of_runtime.iter().map(text).collect::<Result<_>>()?;
            let makers = of_program.iter().map(text).collect::<Result<Set<String>>>()?;
            self.makers = Some(makers.into_iter().filter(|name| !runtimes.contains(name)).collect());
        }
        Ok(())
    }

    /// Whether a node is of a class that programs use for lists, and so no scope; or the scope of all, which is the runtime's.
    fn is_list(&self, node: u32) -> bool {
        self.loaded
            .class(node)
            .is_ok_and(|class| class == "Array" || class == "Object" || class.contains("NativeContext"))
    }

    /// Where the first edge of a node leads whose label is such a word.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn end_of(&self, node: u32, is: impl Fn(Option<Word>) -> bool) -> Result<Option<u32>> {
        let heap = &self.loaded.heap;
        let range = heap.graph.range(node);
        let (mut at, mut found) = (range.start as u32, None);
        heap.each_name(range, |label, _| {
            if found.is_none() && is(label.and_then(|label| self.clues.word(label))) {
                found = Some(heap.graph.link(at).end());
            }
            at += 1;
        })?;
        Ok(found)
    }

    /// What kind of node it is.
    pub fn sort(&self, node: u32) -> Sort {
        let heap = &self.loaded.heap;
        if node >= heap.graph.nodes() {
            return Sort::Synthetic;
        }
        self.sorts.get(heap.subtypes.get(node) as usize).copied().unwrap_or(Sort::Object)
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

    /// Whether the source says what came with the runtime.
    pub fn has_runtime(&self) -> bool {
        !self.clues.runtime.is_empty()
    }

    /// Whether the source says of functions in which script they stand.
    pub fn has_scripts(&self) -> bool {
        self.makers.is_some()
    }

    /// The name of the script of a function.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn script(&self, function: u32) -> Result<Option<String>> {
        let Some(code) = self.end_of(function, |word| word == Some(Word::Shared))? else { return Ok(None) };
        if let Some(known) = self.scripts.borrow().get(&code) {
            return Ok(known.clone());
        }
        let name = match self.clues.line(code) {
            Some(Line { script, .. }) => Some(self.loaded.context.strings.text_or_number(script)?),
            None => match self.end_of(code, |word| word == Some(Word::Script))? {
                Some(script) => self.loaded.name(script)?,
                None => None,
            },
        };
        let name = name.filter(|name| !name.is_empty());
        self.scripts.borrow_mut().insert(code, name.clone());
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
        let code = || self.end_of(node, |word| word == Some(Word::Shared));
        let (line, column) = match self.clues.locations.find(self.loaded.id(node)) {
            Some(Location { line, column, .. }) => (line, column),
            None => code()?.and_then(|code| self.clues.line(code)).map_or((0, 0), |at| (at.line, at.column)),
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
        let source = self.maker(&class)?.map(|maker| self.source(maker)).transpose()?.flatten();
        Ok(source::spelt(&class, &source.map_or(String::new(), |source| source.place())))
    }

    /// A function of the program that has a scope.
    pub fn function_of(&self, scope: u32) -> Option<u32> {
        let at = self.functions.binary_search_by_key(&scope, |&(scope, _)| scope).ok()?;
        Some(self.functions[at].1)
    }

    /// A function of the program with this name.
    ///
    /// # Errors
    /// The temporary file of strings or labels cannot be read.
    pub fn maker(&self, name: &str) -> Result<Option<u32>> {
        for node in self.own_functions.iter() {
            if self.loaded.name(node)?.is_some_and(|of| of == name) {
                return Ok(Some(node));
            }
        }
        Ok(None)
    }

    fn class_facts(&self, node: u32) -> ClassFacts {
        let heap = &self.loaded.heap;
        if node >= heap.graph.nodes() {
            return ClassFacts::default();
        }
        let Some(class) = heap.class(node) else { return ClassFacts::default() };
        if let Some(&known) = self.classes.borrow().get(&class) {
            return known;
        }
        let text = self.loaded.context.strings.text_or_number(class).unwrap_or_default();
        let facts = self.facts_of(&text);
        self.classes.borrow_mut().insert(class, facts);
        facts
    }

    fn facts_of(&self, text: &str) -> ClassFacts {
        let element = text.trim_end_matches("[]");
        let is_list = element.len() < text.len();
        let runtime = self.clues.runtime.iter().any(|glob| glob.matches(element));
        let made = self.makers.as_ref().is_none_or(|makers| makers.contains(element));
        let nameless =
            text.is_empty() || text.starts_with('(') || is_primitive(element) || PLAIN.contains(&element);
        let nested = runtime && text.contains('$') || text.starts_with("system / ");
        let own = !nameless && !runtime && made && !is_list;
        let cell = is_list && !is_primitive(element) || nested || text.starts_with("_List");
        ClassFacts { own, cell, runtime: runtime || is_list, loader: text.ends_with("ClassLoader") }
    }

    /// Whether the class of a node is the program's.
    pub fn is_own(&self, node: u32) -> bool {
        self.sort(node) == Sort::Object && self.class_facts(node).own
    }

    /// Whether a node is only the inner part of what holds it: a table, a list of slots, an entry of a table, a scope.
    pub fn is_cell(&self, node: u32) -> bool {
        match self.sort(node) {
            Sort::Array => self.loaded.heap.class(node).is_none() || self.class_facts(node).cell,
            Sort::Code | Sort::Synthetic => true,
            Sort::Object => self.is_scope(node) || self.class_facts(node).cell,
            Sort::Class | Sort::Closure | Sort::Text | Sort::Bytes | Sort::Frame => false,
        }
    }

    /// Whether the fields of a node have names that the program gave them, as far as the source says.
    pub fn names_members(&self, node: u32) -> bool {
        match self.sort(node) {
            Sort::Object if self.is_scope(node) => true,
            Sort::Object | Sort::Array => {
                let facts = self.class_facts(node);
                !facts.cell && !facts.runtime
            }
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
        self.class_facts(node).loader
    }

    /// Whether a node is a class of the program with its static fields.
    pub fn is_own_class(&self, node: u32) -> bool {
        self.is_class(node)
            && self.loaded.name(node).is_ok_and(|name| name.is_some_and(|name| self.facts_of(&name).own))
    }

    /// Whether a node is a call of a function of the program.
    pub fn is_own_frame(&self, node: u32) -> bool {
        if self.sort(node) != Sort::Frame {
            return false;
        }
        let Some(line) = self.clues.line(node) else { return self.clues.runtime.is_empty() };
        let text = |id| self.loaded.context.strings.text_or_number(id).unwrap_or_default();
        let (script, function) = (text(line.script), line.function.map_or(String::new(), text));
        !self.clues.runtime.iter().any(|glob| glob.matches(&script) || glob.matches(&function))
    }

    /// Classes of the program that a loader of the runtime has loaded under a name of their own: the program can name
    /// them wherever it is. Of a name that was loaded twice nobody knows which is meant.
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
            if loader.is_none_or(|loader| self.class_facts(loader).runtime) {
                seeds.push(class);
            }
        }
        seeds.sort_unstable();
        Ok(seeds)
    }
}

/// Classes of containers that any program uses, whoever makes them.
const PLAIN: &[&str] =
    &["Object", "Array", "Map", "Set", "WeakMap", "WeakSet", "Promise", "Function", "global"];

fn is_primitive(class: &str) -> bool {
    matches!(class, "byte" | "char" | "int" | "long" | "short" | "boolean" | "float" | "double")
}

/// The last part of a path or an address; a name with a scheme and without a root, such as `vm:lib/events`, is none.
pub fn file_of(script: &str) -> &str {
    let script = script.split(['?', '#']).next().unwrap_or(script);
    let is_path = |rest: &str| rest.starts_with(['/', '\\']);
    if script.split_once(':').is_some_and(|(scheme, rest)| !scheme.contains(['/', '\\']) && !is_path(rest)) {
        return script;
    }
    script.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(script)
}
