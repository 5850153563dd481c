//! Which nodes a tool works on: the selection flags that all tools share.

use std::rc::Rc;

use heap_base::Result;
use heap_base::json::hex_text;
use heap_record::{Node, Types, Value, index_id};
use rustc_hash::FxHashMap;

use crate::compare::{Comparison, bytes};
use crate::context::Context;
use crate::field::{Field, source_number};
use crate::glob::Glob;
use crate::ids::IdSet;
use crate::strings::Strings;

/// Conditions on nodes. All kinds given must hold; of one kind, any.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    types: Vec<Glob>,
    subtypes: Vec<Glob>,
    names: Vec<Glob>,
    classes: Vec<Glob>,
    ids: Vec<Id>,
    min_size: Option<u64>,
    max_size: Option<u64>,
    wheres: Vec<Comparison>,
    among: Option<Rc<IdSet>>,
    invert: bool,
}

/// An identifier as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// `@N`: the source's own number.
    Source(u64),
    /// A bare number: the stream's identifier.
    Plain(Value),
}

/// How a source's own numbers become identifiers: the stream's `heap.identifier`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Odd ids stand for themselves, an even one e for −(e+1).
    V8,
    /// i stands for 2·i+1.
    #[default]
    Index,
    /// An address stands for itself with the lowest bit set.
    Address,
}

impl Rule {
    /// The rule that the metadata names.
    pub fn named(name: &str) -> Self {
        match name {
            "v8" => Self::V8,
            "address" => Self::Address,
            _ => Self::Index,
        }
    }

    /// The identifier of the source's number.
    pub fn identifier(self, number: u64) -> Value {
        match self {
            Self::V8 if number & 1 == 0 => -(number as i64).wrapping_add(1),
            Self::V8 => number as i64,
            Self::Address => (number | 1) as i64,
            Self::Index => index_id(number),
        }
    }

    /// The source's number of an identifier: what stands after `@`.
    pub fn number(self, id: Value) -> u64 {
        match self {
            Self::V8 if id < 0 => (id.wrapping_neg() - 1) as u64,
            Self::V8 | Self::Address => id as u64,
            Self::Index => id as u64 >> 1,
        }
    }
}

impl Id {
    /// Reads `@6163`, `@0x7f…`, `6163`, `-5`.
    pub fn parse(text: &str) -> std::result::Result<Self, String> {
        let bad = || format!("expected @NUMBER or an identifier, not '{text}'");
        let number = |t: &str| hex_text(t).or_else(|| t.parse::<i128>().ok());
        match text.strip_prefix('@') {
            Some(rest) => number(rest).and_then(|n| u64::try_from(n).ok()).map(Self::Source).ok_or_else(bad),
            None => number(text)
                .and_then(|n| i64::try_from(n).ok().or_else(|| u64::try_from(n).ok().map(|n| n as i64)))
                .map(Self::Plain)
                .ok_or_else(bad),
        }
    }

    /// True if this names `node`. A source number that a reader had to replace stands in `v8.id`.
    pub fn names(self, node: &Node<'_>, rule: Rule) -> bool {
        match self {
            Self::Plain(id) => node.id == id,
            Self::Source(number) => match source_number(node) {
                Some(own) => own == number,
                None => node.id == rule.identifier(number),
            },
        }
    }
}

impl Selection {
    /// Adds the condition of one flag, by its long name. False if there is no such selection flag.
    pub fn flag(&mut self, name: &str, value: &str) -> std::result::Result<bool, String> {
        let size = |v| {
            bytes(v).ok_or_else(|| format!("expected a number of bytes such as 4096, 10K or 2M, not '{v}'"))
        };
        match name {
            "type" => self.types.push(Glob::new(value)),
            "subtype" => self.subtypes.push(Glob::new(value)),
            "name" => self.names.push(Glob::new(value)),
            "class" => self.classes.push(Glob::new(value)),
            "id" => self.ids.push(Id::parse(value)?),
            "min-size" => self.min_size = Some(size(value)?),
            "max-size" => self.max_size = Some(size(value)?),
            "where" => self.wheres.push(Comparison::parse(value)?),
            "invert" => self.invert = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds the condition that a node is among these.
    #[must_use]
    pub fn among(mut self, ids: IdSet) -> Self {
        self.among = Some(Rc::new(ids));
        self
    }

    /// True if every node is selected.
    pub fn is_all(&self) -> bool {
        !self.invert && !self.types_count() && !self.others_count()
    }

    /// True if type names decide, and nothing else.
    fn is_by_type(&self) -> bool {
        self.types_count() && !self.others_count()
    }

    /// Whether there are conditions on type names.
    fn types_count(&self) -> bool {
        !(self.types.is_empty() && self.classes.is_empty())
    }

    /// Whether there are any others.
    fn others_count(&self) -> bool {
        !(self.subtypes.is_empty()
            && self.names.is_empty()
            && self.ids.is_empty()
            && self.wheres.is_empty()
            && self.among.is_none()
            && self.min_size.is_none()
            && self.max_size.is_none())
    }

    /// True if conditions look at other strings than classes.
    pub fn needs_names(&self) -> bool {
        !self.names.is_empty() || !self.wheres.is_empty()
    }

    /// True if conditions look at more than subtype, size, class and name. The source's own number is no detail: where
    /// a reader had to replace it, it tells it with every node.
    pub fn needs_details(&self) -> bool {
        !self.wheres.is_empty()
    }
}

/// Applies a [`Selection`], remembering the verdict for each class.
#[derive(Debug, Default)]
pub struct Matcher {
    selection: Selection,
    rule: Rule,
    /// Verdicts of `--type` and `--class` by class and by subtype.
    classes: FxHashMap<i64, bool>,
    subtypes: FxHashMap<(u32, bool), bool>,
    /// Those of the lowest subtypes, for nodes without a class: most are, and these need not be looked up.
    unclassed: [Option<bool>; 32],
    last: Option<(i64, bool)>,
    /// Nothing but `--type` and `--class` counts, which verdicts remember.
    by_type: bool,
    /// The fields of conditions, whether any node was asked for one, and whether one had it.
    fields: Vec<(Field, bool, bool)>,
}

impl Matcher {
    /// Applies `selection`.
    pub fn new(selection: Selection) -> Self {
        let fields = selection.wheres.iter().map(|w| (Field::new(w.name()), false, false)).collect();
        Self { by_type: selection.is_by_type(), selection, fields, ..Self::default() }
    }

    /// The selection.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Sets how `@N` becomes an identifier.
    pub fn set_rule(&mut self, rule: Rule) {
        self.rule = rule;
    }

    /// Forgets verdicts: declarations or strings have changed.
    pub fn clear(&mut self) {
        self.classes.clear();
        self.subtypes.clear();
        self.unclassed = [None; 32];
        self.last = None;
    }

    /// Warnings about fields in conditions that no node had and no declaration names: most likely misspelt.
    pub fn missing(&self, types: &Types) -> Vec<String> {
        let missing =
            self.fields.iter().filter(|(field, asked, met)| *asked && !met && !field.is_known(types));
        missing.map(|(field, ..)| field.missing()).collect()
    }

    /// Whether `node` is selected, where others of its class or subtype have told.
    #[inline]
    pub fn known(&mut self, node: &Node<'_>) -> Option<bool> {
        if !self.by_type {
            return None;
        }
        let holds = match (node.heap.class, self.last) {
            (Some(class), Some((last, verdict))) if last == class => verdict,
            (Some(class), _) => {
                let verdict = *self.classes.get(&class)?;
                self.last = Some((class, verdict));
                verdict
            }
            (None, _) => match self.unclassed.get(node.subtype as usize) {
                Some(verdict) => (*verdict)?,
                None => *self.subtypes.get(&(node.subtype, false))?,
            },
        };
        Some(holds != self.selection.invert)
    }

    /// True if the strings that a verdict may need have come.
    pub fn ready(&self, node: &Node<'_>, context: &Context) -> bool {
        let s = &self.selection;
        if !s.wheres.is_empty() {
            return context.has_strings_of(node);
        }
        (!s.types_count() || context.has(node.heap.class))
            && (s.names.is_empty() || context.has(node.heap.name))
    }

    /// True if `node` is selected.
    pub fn matches(&mut self, node: &Node<'_>, types: &Types, strings: &Strings) -> Result<bool> {
        Ok(self.holds(node, types, strings)? != self.selection.invert)
    }

    fn holds(&mut self, node: &Node<'_>, types: &Types, strings: &Strings) -> Result<bool> {
        let s = &self.selection;
        let size = node.heap.size.unwrap_or(0);
        if s.min_size.is_some_and(|min| size < min) || s.max_size.is_some_and(|max| size > max) {
            return Ok(false);
        }
        let typed = s.types_count() || !s.subtypes.is_empty();
        if typed && !self.type_holds(node, types, strings)? {
            return Ok(false);
        }
        let s = &self.selection;
        if s.among.as_ref().is_some_and(|ids| !ids.contains(node.id)) {
            return Ok(false);
        }
        if !s.ids.is_empty() && !s.ids.iter().any(|id| id.names(node, self.rule)) {
            return Ok(false);
        }
        if !s.names.is_empty() {
            let Some(name) = node.heap.name.map(|id| strings.get(id)).transpose()?.flatten() else {
                return Ok(false);
            };
            let name = name.text();
            if !s.names.iter().any(|g| g.matches(&name)) {
                return Ok(false);
            }
        }
        if !s.wheres.is_empty() {
            for (condition, (field, asked, met)) in s.wheres.iter().zip(&mut self.fields) {
                let content = field.of(node, types, strings)?;
                *asked = true;
                *met |= content.is_some();
                if content.is_some_and(|content| condition.holds(&content)) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// `--type`, `--class` and `--subtype`.
    fn type_holds(&mut self, node: &Node<'_>, types: &Types, strings: &Strings) -> Result<bool> {
        let s = &self.selection;
        let with_class = node.heap.class.is_some();
        if !s.subtypes.is_empty() || !with_class {
            let holds = *self.subtypes.entry((node.subtype, with_class)).or_insert_with(|| {
                let name = types.node_name(node.subtype);
                let bracketed = crate::field::bracketed(&name);
                let subtype = s.subtypes.is_empty() || s.subtypes.iter().any(|g| g.matches(&name));
                let kind = with_class
                    || s.classes.is_empty()
                        && (s.types.is_empty()
                            || s.types.iter().any(|g| g.matches(&name) || g.matches(&bracketed)));
                subtype && kind
            });
            if !with_class && let Some(verdict) = self.unclassed.get_mut(node.subtype as usize) {
                *verdict = Some(holds);
            }
            if !holds {
                return Ok(false);
            }
        }
        let Some(class) = node.heap.class else { return Ok(true) };
        if !s.types_count() {
            return Ok(true);
        }
        if let Some((last, verdict)) = self.last
            && last == class
        {
            return Ok(verdict);
        }
        let verdict = if let Some(&verdict) = self.classes.get(&class) {
            verdict
        } else {
            let name = strings.text_or_number(class)?;
            let any = |globs: &[Glob]| globs.is_empty() || globs.iter().any(|g| g.matches(&name));
            let verdict = any(&s.types) && any(&s.classes);
            self.classes.insert(class, verdict);
            verdict
        };
        self.last = Some((class, verdict));
        Ok(verdict)
    }
}
