//! Text searched, and joined to the nodes that hold it: heap-grep.

mod options;
pub mod rows;

pub use options::TOOL;

use heap_base::{BitSet, Error, NumberSet, Result};
use heap_record::wants::{Edges, Nodes};
use heap_record::{Edge, FieldKind, Metadata, Node, Str, StringId, Value, Wants};
use regex::Regex;

use heap_ops::report::{OnePass, Report};
use heap_ops::select::field::{bracketed, source_number, type_name};
use heap_ops::select::{Selection, Selector};
use heap_ops::stream::ropes::{Extent, Part};
use heap_ops::stream::roster::Roster;
use heap_ops::stream::{Context, Owner, Ropes, refers};

/// Where text was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundIn {
    /// In a string's value, or another text that is the node's contents.
    Value,
    /// In the node's own name.
    Name,
    /// In the name of its class.
    Class,
    /// In the label of an edge that starts from it.
    Label,
}

impl FoundIn {
    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Name => "name",
            Self::Class => "class",
            Self::Label => "label",
        }
    }

    /// The place that a word names.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Value, Self::Name, Self::Class, Self::Label].into_iter().find(|p| p.name() == name)
    }

    /// The places of a list separated by commas.
    ///
    /// # Errors
    /// The first word that names none.
    pub fn list(words: &str) -> Result<Vec<Self>, &str> {
        words.split(',').map(|word| Self::named(word).ok_or(word)).collect()
    }
}

/// A match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The node that holds the text.
    pub id: Value,
    /// Its source's number, as in `@N`.
    pub number: i64,
    /// Its type name.
    pub class: String,
    /// Where.
    pub place: FoundIn,
    /// The whole text that matched.
    pub text: String,
    /// For a label: where the edge points.
    pub dest: Option<Value>,
}

/// What to search for, and where.
#[derive(Clone, Debug)]
pub struct Search {
    /// Any of these: see [`patterns`].
    pub patterns: Vec<Regex>,
    /// In any of these.
    pub places: Vec<FoundIn>,
    /// Of these nodes.
    pub selection: Selection,
    /// How many matches in an input are enough.
    pub most: Option<u64>,
}

/// Patterns as people write them.
///
/// # Errors
/// What is wrong with a pattern, in one line.
pub fn patterns(texts: &[String], fixed: bool, ignore_case: bool) -> std::result::Result<Vec<Regex>, String> {
    let one = |text: &String| {
        let pattern = if fixed { regex::escape(text) } else { text.clone() };
        let built = regex::RegexBuilder::new(&pattern).case_insensitive(ignore_case).build();
        built.map_err(|e| {
            let what = e.to_string();
            let last = what.lines().last().unwrap_or_default().trim_start_matches("error: ");
            format!("bad pattern '{text}': {last}")
        })
    };
    texts.iter().map(one).collect()
}

/// Searches each string of an input once, and finds every node that refers to one that matches. Stops the reader when
/// there are enough.
///
/// Texts that are kept in parts are joined, see [`Ropes`]; they come last.
///
/// Memory: the stream's strings, a bit for each, 40 bytes a string node, and 32 bytes a node if labels are searched.
pub struct Grep<F> {
    patterns: Vec<Regex>,
    places: Vec<FoundIn>,
    /// Strings that match.
    marks: NumberSet,
    roster: Roster,
    ropes: Ropes,
    most: Option<u64>,
    count: u64,
    found: F,
}

impl<F: FnMut(Found)> Grep<F> {
    /// Calls `found` with every match.
    pub fn new(search: Search, found: F) -> OnePass<Self> {
        let grep = Self {
            patterns: search.patterns,
            places: search.places,
            marks: NumberSet::default(),
            roster: Roster::default(),
            ropes: Ropes::default(),
            most: search.most,
            count: 0,
            found,
        };
        OnePass::new(grep, search.selection)
    }

    /// How many matches there were so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn searches(&self, place: FoundIn) -> bool {
        self.places.contains(&place)
    }

    fn is_enough(&self) -> bool {
        self.most.is_some_and(|most| self.count >= most)
    }

    fn emit(&mut self, found: Found) -> Result {
        self.count += 1;
        (self.found)(found);
        if self.is_enough() { Err(Error::stop()) } else { Ok(()) }
    }

    fn emit_node(&mut self, node: &Node<'_>, place: FoundIn, text: StringId, context: &Context) -> Result {
        let class = type_name(node, &context.types, &context.strings)?;
        let number = source_number(node).unwrap_or_else(|| context.rule.number(node.id));
        let text = context.strings.text_or_number(text)?;
        self.emit(Found { id: node.id, number, class, place, text, dest: None })
    }

    fn emit_edge(&mut self, edge: &Edge<'_>, context: &Context) -> Result {
        let Some(label) = edge.label.filter(|&label| self.marks.contains(label)) else { return Ok(()) };
        let Some(source) = self.roster.get(edge.source) else { return Ok(()) };
        let class = source.class(context)?;
        let number = context.rule.number(edge.source);
        let text = context.strings.text_or_number(label)?;
        self.emit(Found { id: edge.source, number, class, place: FoundIn::Label, text, dest: edge.dest })
    }

    /// Searches the texts of strings that are pairs of others.
    fn search_joined(&mut self, ropes: &mut Ropes, context: &Context) -> Result {
        if ropes.is_empty() || self.is_enough() {
            return Ok(());
        }
        let mut matching = BitSet::default();
        ropes.each(&context.strings, |ropes, index, text, extent| {
            let matches = self.patterns.iter().any(|p| p.is_match(text))
                || extent == Extent::Long
                    && ropes.parts(index).into_iter().any(|part| match part {
                        Part::Flat(id) => self.marks.contains(id),
                        Part::Pair(part) => matching.contains(part as u32),
                        Part::Other => false,
                    });
            if matches {
                matching.insert(index as u32);
            }
            if !(matches && ropes.is_selected(index)) {
                return Ok(());
            }
            let (id, class) = (ropes.id(index), bracketed(&context.types.node_name(ropes.subtype(index))));
            let (number, text) = (context.rule.number(id), text.to_owned());
            self.emit(Found { id, number, class, place: FoundIn::Value, text, dest: None })
        })
    }

    /// Whether anything of `node` matches.
    fn is_match(&self, node: &Node<'_>, context: &Context) -> bool {
        let is = |place, id: Option<StringId>| {
            self.searches(place) && id.is_some_and(|id| self.marks.contains(id))
        };
        self.value(node, context).is_some()
            || is(FoundIn::Name, node.heap.name)
            || is(FoundIn::Class, node.heap.class)
    }

    /// The first matching string that fields of `node` refer to.
    fn value(&self, node: &Node<'_>, context: &Context) -> Option<StringId> {
        let mut value = None;
        if self.searches(FoundIn::Value) && !(node.own.is_empty() && node.rest.is_empty()) {
            for members in [node.own, node.rest] {
                refers(&context.types, Owner::Node(node.subtype), members, |kind, id| {
                    if kind == FieldKind::String && value.is_none() && self.marks.contains(id) {
                        value = Some(id);
                    }
                });
            }
        }
        value
    }
}

impl<F: FnMut(Found)> Report for Grep<F> {
    fn wants(&self, _: &Selection) -> Wants {
        let edges = if self.searches(FoundIn::Label) { Edges::ById } else { Edges::None };
        Wants { nodes: Nodes::Full, edges, ..Wants::NODES }
    }

    fn begin_stream(&mut self) {
        (self.marks, self.ropes) = (NumberSet::default(), Ropes::default());
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if record.key == "heap.string_limit" {
            self.ropes.set_limit(record.value.parse().ok());
        }
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) {
        let text = record.data.text();
        let matches = self.patterns.iter().any(|p| p.is_match(&text));
        if matches {
            self.marks.insert(record.id);
        } else {
            self.marks.remove(record.id);
        }
    }

    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        let context = &selector.context;
        context.has_strings_of(node)
            && selector.ready(node)
            && (context.rule_known || !self.is_match(node, context))
    }

    fn fold(&mut self, node: &Node<'_>, _number: u32, selector: &mut Selector) -> Result {
        if self.is_enough() {
            return Err(Error::stop());
        }
        let selected = selector.selects(node)?;
        if self.searches(FoundIn::Value) {
            self.ropes.insert(node, &selector.context.types, selected);
        }
        if !selected {
            return Ok(());
        }
        if self.searches(FoundIn::Label) {
            self.roster.insert(node);
        }
        let context = &selector.context;
        let value = self.value(node, context);
        if let Some(id) = value {
            self.emit_node(node, FoundIn::Value, id, context)?;
        }
        // A name that is the value as well is one match.
        match node.heap.name {
            Some(id) if self.searches(FoundIn::Name) && self.marks.contains(id) && value != Some(id) => {
                self.emit_node(node, FoundIn::Name, id, context)?;
            }
            _ => {}
        }
        match node.heap.class {
            Some(id) if self.searches(FoundIn::Class) && self.marks.contains(id) => {
                self.emit_node(node, FoundIn::Class, id, context)
            }
            _ => Ok(()),
        }
    }

    fn fold_edge(&mut self, edge: &Edge<'_>, complete: bool, selector: &Selector) -> Result<bool> {
        let Some(label) = edge.label.filter(|_| self.searches(FoundIn::Label)) else { return Ok(true) };
        let known = complete
            || match (selector.context.strings.contains(label), self.marks.contains(label)) {
                (true, false) => return Ok(true),
                (true, true) => selector.context.rule_known && self.roster.get(edge.source).is_some(),
                _ => false,
            };
        if known {
            self.emit_edge(edge, &selector.context)?;
        }
        Ok(known)
    }

    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        self.roster.clear();
        let mut ropes = std::mem::take(&mut self.ropes);
        let result = self.search_joined(&mut ropes, &selector.context);
        ropes.clear();
        self.ropes = ropes;
        result
    }
}
