//! Which nodes a tool works on: the selection flags that all tools share.

mod columns;
pub mod condition;
pub mod field;
pub mod glob;
mod id;
mod matcher;
mod pattern;
mod selector;

use std::cell::Cell;
use std::rc::Rc;

use self::condition::{Columns, Condition, Kind, bytes};
pub use self::field::{Content, Field};
pub use self::glob::Glob;
pub use self::id::Id;
pub use self::matcher::Matcher;
use self::pattern::Pattern;
pub use self::selector::Selector;
use heap_record::Types;

use crate::stream::{IdSet, stacks};

/// Conditions on nodes. All kinds given must hold; of one kind any, but of `--where` all.
///
/// Clones share what is known of matches, so that one warning can speak of all inputs.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    types: Vec<Pattern<Glob>>,
    subtypes: Vec<Pattern<Glob>>,
    names: Vec<Pattern<Glob>>,
    classes: Vec<Pattern<Glob>>,
    ids: Vec<Pattern<Id>>,
    min_size: Option<u64>,
    max_size: Option<u64>,
    /// All of these must hold.
    wheres: Vec<Condition>,
    /// One of them names a field that a stack may say.
    of_place: bool,
    among: Option<Rc<IdSet>>,
    invert: bool,
    judged: Rc<Cell<bool>>,
    selected: Rc<Cell<bool>>,
}

impl Selection {
    /// Adds the condition of one flag, by its long name. False if there is no such selection flag.
    ///
    /// # Errors
    /// What is wrong with the value, in one line.
    pub fn flag(&mut self, name: &str, value: &str) -> std::result::Result<bool, String> {
        let size = |v| {
            bytes(v).ok_or_else(|| format!("expected a number of bytes such as 4096, 10K or 2M, not '{v}'"))
        };
        match name {
            "type" => self.types.push(Pattern::new(value, Glob::new(value))),
            "subtype" => self.subtypes.push(Pattern::new(value, Glob::new(value))),
            "name" => self.names.push(Pattern::new(value, Glob::new(value))),
            "class" => self.classes.push(Pattern::new(value, Glob::new(value))),
            "id" => self.ids.push(Pattern::new(value, Id::parse(value)?)),
            "min-size" => self.min_size = Some(size(value)?),
            "max-size" => self.max_size = Some(size(value)?),
            "where" => {
                let condition = Condition::parse(value, &columns::NodeFields)?;
                self.of_place |= condition.names().any(stacks::is_of_place);
                self.wheres.push(condition);
            }
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

    /// A warning if nodes were judged and some pattern matched none of them; if `alone`, also if each pattern has matches and
    /// no node was selected, for which there is no other warning then. That no node is large enough, or has a value, is an
    /// answer and needs no warning.
    pub fn unmatched(&self, alone: bool) -> Option<String> {
        if self.is_all() || !self.judged.get() {
            return None;
        }
        let of = |flag: &'static str, list: &[Pattern<Glob>]| -> Vec<String> {
            list.iter().filter_map(|p| p.unmatched(flag)).collect()
        };
        let mut lost = of("type", &self.types);
        lost.extend(of("subtype", &self.subtypes));
        lost.extend(of("name", &self.names));
        lost.extend(of("class", &self.classes));
        lost.extend(self.ids.iter().filter_map(|p| p.unmatched("id")));
        let texts = |column: &str| columns::NodeFields.kind(column) == Some(Kind::Text);
        let unmet = self.wheres.iter().flat_map(|of| of.unmet(texts));
        lost.extend(unmet.map(|(column, operator, text)| format!("--where '{column} {operator} {text}'")));
        if !lost.is_empty() {
            return Some(format!("no node matches {}", lost.join(", ")));
        }
        if let Some(mistake) = self.wheres.iter().find_map(Condition::mistake) {
            return Some(mistake);
        }
        let patterns =
            self.types_count() || !(self.subtypes.is_empty() && self.names.is_empty() && self.ids.is_empty());
        (alone && patterns && !self.selected.get()).then(|| "no node meets all conditions".to_owned())
    }

    /// The same where the declarations are known: what browsers call detached by its class is a field in dumps.
    pub fn unmatched_of(&self, alone: bool, types: &Types) -> Option<String> {
        let what = self.unmatched(alone)?;
        let fields = types.record("node").into_iter().flat_map(heap_record::types::OwnedFields::iter);
        let mut detached = fields.filter(|(name, _)| name.ends_with(".detachedness"));
        Some(match detached.next().filter(|_| what.contains("Detached")) {
            Some((field, _)) => format!("{what}; detached nodes are those with --where '{field} = 2'"),
            None => what,
        })
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

    /// True if conditions need other strings than classes.
    pub fn needs_names(&self) -> bool {
        !self.names.is_empty() || !self.wheres.is_empty()
    }

    /// True if conditions may ask where objects were allocated.
    pub fn needs_stacks(&self) -> bool {
        self.of_place
    }

    /// True if conditions need more fields than subtype, size, class and name. The source's own number needs no more: where
    /// a reader had to replace it, every node has it.
    pub fn needs_details(&self) -> bool {
        !self.wheres.is_empty()
    }
}
