//! Text searched, and joined to the nodes that hold it: heap-grep.

use heap_base::{Error, Result};
use heap_record::{Declaration, Edge, FieldKind, Metadata, Node, Sink, Str, StringId, Value, Wants};
use regex::Regex;

use crate::context::{Context, Owner, refers};
use crate::field::type_name;
use crate::held::Held;
use crate::roster::{Marks, Roster};
use crate::select::{Matcher, Selection};

/// Where text was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a string's value, or another text that is the node's contents.
    Value,
    /// In the node's own name.
    Name,
    /// In the name of its class.
    Class,
    /// In the label of an edge that starts from it.
    Label,
}

impl Place {
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

    /// The places of a list parted by commas. Gives the first word that names none.
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
    pub number: u64,
    /// Its type name.
    pub class: String,
    /// Where.
    pub place: Place,
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
    pub places: Vec<Place>,
    /// Of these nodes.
    pub selection: Selection,
    /// How many matches in an input are enough.
    pub most: Option<u64>,
}

/// Patterns as people write them; an error says in one line what is wrong with one.
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

/// Searches the strings of one input once each, and tells `found` of every node that refers to one that matches. Stops
/// the reader when there are enough.
///
/// Memory: the stream's strings, a bit for each, and 32 bytes a node once any string has matched and labels
/// are searched.
pub struct Grep<F> {
    patterns: Vec<Regex>,
    places: Vec<Place>,
    matcher: Matcher,
    context: Context,
    marks: Marks,
    roster: Roster,
    late: Held,
    most: Option<u64>,
    count: u64,
    found: F,
}

impl<F: FnMut(Found)> Grep<F> {
    /// Tells `found` of every match.
    pub fn new(search: Search, found: F) -> Self {
        Self {
            patterns: search.patterns,
            places: search.places,
            matcher: Matcher::new(search.selection),
            context: Context::default(),
            marks: Marks::default(),
            roster: Roster::default(),
            late: Held::default(),
            most: search.most,
            count: 0,
            found,
        }
    }

    /// How many matches there were so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Warnings about fields in conditions that no node had. Call when all records have come.
    pub fn missing(&self) -> Vec<String> {
        self.matcher.missing(&self.context.types)
    }

    fn searches(&self, place: Place) -> bool {
        self.places.contains(&place)
    }

    fn is_enough(&self) -> bool {
        self.most.is_some_and(|most| self.count >= most)
    }

    fn count_in(&mut self, found: Found) -> Result {
        self.count += 1;
        (self.found)(found);
        if self.is_enough() { Err(Error::stop()) } else { Ok(()) }
    }

    fn tell(&mut self, node: &Node<'_>, place: Place, text: StringId) -> Result {
        let class = type_name(node, &self.context.types, &self.context.strings)?;
        let number = crate::field::source_number(node).unwrap_or_else(|| self.context.rule.number(node.id));
        let text = self.context.strings.text_or_number(text)?;
        self.count_in(Found { id: node.id, number, class, place, text, dest: None })
    }

    fn take(&mut self, node: &Node<'_>) -> Result {
        if self.is_enough() {
            return Err(Error::stop());
        }
        if !self.matcher.matches(node, &self.context.types, &self.context.strings)? {
            return Ok(());
        }
        if self.searches(Place::Label) {
            self.roster.insert(node);
        }
        let mut value = None;
        if self.searches(Place::Value) && !(node.own.is_empty() && node.rest.is_empty()) {
            for members in [node.own, node.rest] {
                refers(&self.context.types, Owner::Node(node.subtype), members, |kind, id| {
                    if kind == FieldKind::String && value.is_none() && self.marks.has(id) {
                        value = Some(id);
                    }
                });
            }
        }
        if let Some(id) = value {
            self.tell(node, Place::Value, id)?;
        }
        // A name that is the value as well is told once.
        match node.heap.name {
            Some(id) if self.searches(Place::Name) && self.marks.has(id) && value != Some(id) => {
                self.tell(node, Place::Name, id)?;
            }
            _ => {}
        }
        match node.heap.class {
            Some(id) if self.searches(Place::Class) && self.marks.has(id) => {
                self.tell(node, Place::Class, id)
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self) -> Result {
        if !self.late.is_empty() {
            // Nodes first: an edge is told with the class of its source.
            let mut edges = Held::default();
            std::mem::take(&mut self.late).replay(&mut Settle { grep: self, edges: Some(&mut edges) })?;
            edges.replay(&mut Settle { grep: self, edges: None })?;
        }
        self.roster.clear();
        Ok(())
    }

    fn take_edge(&mut self, edge: &Edge<'_>) -> Result {
        let Some(label) = edge.label.filter(|&label| self.marks.has(label)) else { return Ok(()) };
        let Some(source) = self.roster.get(edge.source) else { return Ok(()) };
        let class = source.class(&self.context)?;
        let number = self.context.rule.number(edge.source);
        let text = self.context.strings.text_or_number(label)?;
        self.count_in(Found { id: edge.source, number, class, place: Place::Label, text, dest: edge.dest })
    }
}

/// Hears what was held back.
struct Settle<'a, F> {
    grep: &'a mut Grep<F>,
    edges: Option<&'a mut Held>,
}

impl<F: FnMut(Found)> Sink for Settle<'_, F> {
    fn node(&mut self, node: &Node<'_>) -> Result {
        self.grep.take(node)
    }
    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        match &mut self.edges {
            Some(edges) => edges.edge(edge),
            None => self.grep.take_edge(edge),
        }
    }
}

impl<F: FnMut(Found)> Sink for Grep<F> {
    fn wants(&self) -> Wants {
        Wants { details: true, edges: self.searches(Place::Label), ..Wants::NODES }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        if Context::begins(record).is_some() {
            self.settle()?;
        }
        self.context.metadata(record);
        self.matcher.set_rule(self.context.rule);
        if record.key == "version_major" {
            self.matcher.clear();
            self.marks = Marks::default();
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.context.declare(record);
        self.matcher.clear();
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        let text = record.data.text();
        let matches = self.patterns.iter().any(|p| p.is_match(&text));
        self.marks.set(record.id, matches);
        self.context.string(record)
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        if self.context.has_strings_of(node) { self.take(node) } else { self.late.node(node) }
    }

    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        let Some(label) = edge.label.filter(|_| self.searches(Place::Label)) else { return Ok(()) };
        match (self.context.strings.contains(label), self.marks.has(label)) {
            (true, false) => Ok(()),
            (true, true) if self.roster.get(edge.source).is_some() => self.take_edge(edge),
            _ => self.late.edge(edge),
        }
    }

    /// What was held back is searched, unless there are enough already.
    fn finish(&mut self, _whole: bool) -> Result {
        if self.is_enough() {
            return Ok(());
        }
        match self.settle() {
            Err(e) if e.is_stop() => Ok(()),
            result => result,
        }
    }
}
