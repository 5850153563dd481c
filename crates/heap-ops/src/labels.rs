//! What edges that were folded into one are called, in one phrase.

use heap_base::{Map, Result};
use heap_record::StringId;

use crate::graph::EdgeKind;
use crate::stream::Context;

/// No more names than this are kept.
const NAMES: usize = 3;

/// The labels of edges that were folded into one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Subtype of the first edge.
    pub kind: Option<EdgeKind>,
    /// The first names, in the order they were met.
    pub names: Vec<String>,
    /// True if there are more names.
    pub more: bool,
    /// The smallest and the largest number.
    pub numbers: Option<(u64, u64)>,
}

impl Labels {
    /// `sessions`, `0…2999`, `a, b, c, …`; `None` if no edge had a label.
    pub fn text(&self) -> Option<String> {
        let range = |(low, high)| if low == high { format!("{low}") } else { format!("{low}…{high}") };
        let numbers = self.numbers.map(range);
        let more = self.more.then(|| "…".to_owned());
        let all: Vec<String> = self.names.iter().cloned().chain(numbers).chain(more).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// A label of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// The edge has none.
    None,
    /// An index, or a name that is a number.
    Number(u64),
    /// A number of [`Texts`].
    Name(u32),
}

impl Label {
    /// The same for all labels that are folded into one: numbers are alike.
    #[must_use]
    pub fn group(self) -> Self {
        match self {
            Self::Number(_) => Self::Number(0),
            other => other,
        }
    }
}

/// Texts, each once, by number.
#[derive(Debug, Default)]
pub struct Texts {
    list: Vec<String>,
    numbers: Map<String, u32>,
    labels: Map<i64, Label>,
}

impl Texts {
    /// The number of a text, which gets one.
    pub fn number(&mut self, text: String) -> u32 {
        let next = self.list.len() as u32;
        *self.numbers.entry(text).or_insert_with_key(|text| {
            self.list.push(text.clone());
            next
        })
    }

    /// The text with a number.
    pub fn text(&self, number: u32) -> &str {
        self.list.get(number as usize).map_or("", String::as_str)
    }

    /// The label that is this string.
    pub fn label(&mut self, id: Option<StringId>, context: &Context) -> Result<Label> {
        let Some(id) = id else { return Ok(Label::None) };
        if id < 0 {
            return Ok(Label::Number(!id as u64));
        }
        if let Some(&known) = self.labels.get(&id) {
            return Ok(known);
        }
        let text = context.strings.text_or_number(id)?;
        let label = match text.parse() {
            Ok(number) => Label::Number(number),
            Err(_) => Label::Name(self.number(text)),
        };
        self.labels.insert(id, label);
        Ok(label)
    }
}

/// [`Labels`] while they are gathered.
#[derive(Debug, Default)]
pub struct Gathered {
    kind: Option<u32>,
    names: Vec<u32>,
    more: bool,
    numbers: Option<(u64, u64)>,
}

impl Gathered {
    /// Takes the label of one edge, and its subtype.
    pub fn add(&mut self, label: Label, kind: Option<u32>) {
        self.kind = self.kind.or(kind);
        match label {
            Label::None => {}
            Label::Number(n) => self.span(n, n),
            Label::Name(name) if self.names.contains(&name) => {}
            Label::Name(name) if self.names.len() < NAMES => self.names.push(name),
            Label::Name(_) => self.more = true,
        }
    }

    fn span(&mut self, low: u64, high: u64) {
        self.numbers = Some(self.numbers.map_or((low, high), |(a, b)| (a.min(low), b.max(high))));
    }

    /// Takes what another one gathered.
    pub fn join(&mut self, other: &Self) {
        other.names.iter().for_each(|&name| self.add(Label::Name(name), other.kind));
        self.more |= other.more;
        if let Some((low, high)) = other.numbers {
            self.span(low, high);
        }
    }

    /// The labels as texts; `kind` names a subtype.
    pub fn named(&self, texts: &Texts, kind: impl Fn(u32) -> EdgeKind) -> Labels {
        Labels {
            kind: self.kind.map(kind),
            names: self.names.iter().map(|&name| texts.text(name).to_owned()).collect(),
            more: self.more,
            numbers: self.numbers,
        }
    }
}
