//! Verdicts on nodes, remembered by class.

use std::cell::Cell;

use heap_base::{Map, Result};
use heap_record::{IdRule, Node, Types};

use super::columns::column;
use super::condition::{Condition, Values};
use super::field::{Content, Field, bracketed};
use super::pattern::any;
use super::{Glob, Id, Selection};
use crate::stream::{Context, Strings};

/// Applies a [`Selection`], remembering the verdict for each class.
#[derive(Debug, Default)]
pub struct Matcher {
    selection: Selection,
    rule: IdRule,
    /// Verdicts of `--type` and `--class` by class and by subtype.
    classes: Map<i64, bool>,
    subtypes: Map<(u32, bool), bool>,
    /// Those of the lowest subtypes, for nodes without a class: most are, and these need not be looked up.
    unclassed: [Option<bool>; 32],
    last: Option<(i64, bool)>,
    /// Nothing but `--type` and `--class` counts, which verdicts remember.
    by_type: bool,
    /// The fields of conditions.
    fields: Vec<WhereField>,
}

impl Matcher {
    /// Applies `selection`.
    pub fn new(selection: Selection) -> Self {
        let mut fields: Vec<WhereField> = Vec::new();
        for name in selection.wheres.iter().flat_map(Condition::names) {
            if fields.iter().all(|known| *known.name != *name) {
                let (asked, met) = (Cell::new(false), Cell::new(false));
                fields.push(WhereField { name: name.into(), field: column(name), asked, met });
            }
        }
        Self { by_type: selection.is_by_type(), selection, fields, ..Self::default() }
    }

    /// The selection.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Sets how `@N` becomes an identifier.
    pub fn set_rule(&mut self, rule: IdRule) {
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
    pub fn missing(&self, context: &Context) -> Vec<String> {
        let missing =
            self.fields.iter().filter(|f| f.asked.get() && !f.met.get() && !f.field.is_known(context));
        missing.map(|f| f.field.missing()).collect()
    }

    /// Whether `node` is selected, if the verdict on its class or subtype is known.
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

    /// True if the strings that a verdict may need have come, and what `@N` stands for.
    pub fn ready(&self, node: &Node<'_>, context: &Context) -> bool {
        let s = &self.selection;
        if !context.rule_known && s.ids.iter().any(|id| !matches!(id.test(), Id::Plain(_))) {
            return false;
        }
        if !s.wheres.is_empty() {
            return context.has_strings_of(node) && (!s.needs_stacks() || context.has_stack_of(node));
        }
        (!s.types_count() || context.has(node.heap.class))
            && (s.names.is_empty() || context.has(node.heap.name))
    }

    /// True if `node` is selected.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn matches(&mut self, node: &Node<'_>, context: &Context) -> Result<bool> {
        let selected = self.holds(node, context)? != self.selection.invert;
        self.selection.judged.set(true);
        if selected {
            self.selection.selected.set(true);
        }
        Ok(selected)
    }

    fn holds(&mut self, node: &Node<'_>, context: &Context) -> Result<bool> {
        let mut holds = self.meets_flags(node, context)?;
        let wheres = &self.selection.wheres;
        if wheres.is_empty() {
            return Ok(holds);
        }
        let row = Row { node, context, fields: &self.fields };
        for condition in wheres {
            // One that seeks a text sees all nodes, so that the warning is true that none has it.
            if holds || condition.seeks() {
                holds &= condition.holds(&row)?;
            }
        }
        Ok(holds)
    }

    /// All flags but `--where`.
    fn meets_flags(&mut self, node: &Node<'_>, context: &Context) -> Result<bool> {
        let Context { types, strings, .. } = context;
        let s = &self.selection;
        let typed = s.types_count() || !s.subtypes.is_empty();
        if typed && !self.type_holds(node, types, strings)? {
            return Ok(false);
        }
        let s = &self.selection;
        let size = node.heap.size.unwrap_or(0);
        if s.min_size.is_some_and(|min| size < min) || s.max_size.is_some_and(|max| size > max) {
            return Ok(false);
        }
        if s.among.as_ref().is_some_and(|ids| !ids.contains(node.id)) {
            return Ok(false);
        }
        if !any(&s.ids, |id| id.names(node, self.rule)) {
            return Ok(false);
        }
        if !s.names.is_empty() {
            let Some(name) = node.heap.name.map(|id| strings.get(id)).transpose()?.flatten() else {
                return Ok(false);
            };
            let name = name.text();
            return Ok(any(&s.names, |g| g.matches(&name)));
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
                let bracketed = bracketed(&name);
                let subtype = any(&s.subtypes, |g| g.matches(&name) || g.matches(&bracketed));
                // Reports print `(closure)` where a class would stand, so that is taken for one.
                let class = with_class || any(&s.classes, |g| g.is_bracketed() && g.matches(&bracketed));
                let kind = with_class || any(&s.types, |g| g.matches(&name) || g.matches(&bracketed));
                subtype && class && kind
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
            let matches = |list| any(list, |g: &Glob| g.matches(&name));
            let verdict = matches(&s.types) & matches(&s.classes);
            self.classes.insert(class, verdict);
            verdict
        };
        self.last = Some((class, verdict));
        Ok(verdict)
    }
}

/// A node as the conditions see it.
struct Row<'a, 'n> {
    node: &'a Node<'n>,
    context: &'a Context,
    fields: &'a [WhereField],
}

impl Values for Row<'_, '_> {
    fn get(&self, name: &str) -> Result<Option<Content>> {
        let Some(known) = self.fields.iter().find(|known| *known.name == *name) else {
            return Ok(None);
        };
        let content = known.field.of(self.node, self.context)?;
        known.asked.set(true);
        known.met.set(known.met.get() || content.is_some());
        Ok(content)
    }
}

/// A field of conditions.
#[derive(Debug)]
struct WhereField {
    /// As the condition has it.
    name: Box<str>,
    field: Field,
    /// Whether any node was asked for it.
    asked: Cell<bool>,
    /// Whether any node had it.
    met: Cell<bool>,
}
