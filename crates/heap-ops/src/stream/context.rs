//! What one-pass tools remember of a stream: its declarations, strings and identifier rule.

use heap_base::Result;
use heap_record::{Declaration, FieldKind, IdRule, Metadata, Node, Stacks, Str, StringId, Types};

use super::{Owner, refers, stacks};
use crate::parts::PART_KEY;
use crate::stream::strings::Strings;

/// Declarations, strings and the like, up to the last record.
#[derive(Debug, Default)]
pub struct Context {
    /// Declarations.
    pub types: Types,
    /// String records.
    pub strings: Strings,
    /// How `@N` becomes an identifier.
    pub rule: IdRule,
    /// Whether the stream has said so. What needs it waits for it, up to the end of the snapshot.
    pub rule_known: bool,
    /// The snapshot that records belong to, where the stream says so: its number, or the part of the process that it is of.
    pub snapshot: Option<String>,
    /// Packages of classes are paths, which end at the first dot behind the last slash: metadata `heap.packages`.
    pub paths: bool,
    /// At which stacks objects were allocated. Extension records say it, which a tool passes on if it needs that.
    pub stacks: Stacks,
}

/// What a metadata record begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// Another stream: identifiers, declarations and strings are void.
    Stream,
    /// Another snapshot of the same stream: identifiers are void.
    Snapshot,
}

impl Context {
    /// What `record` is about to begin. Finish what belongs to the records before, then call
    /// [`metadata`](Self::metadata).
    pub fn begins(record: &Metadata<'_>) -> Option<Begins> {
        match record.key {
            "version_major" => Some(Begins::Stream),
            "heap.snapshot" => Some(Begins::Snapshot),
            _ => None,
        }
    }

    /// Takes a metadata record in.
    pub fn metadata(&mut self, record: &Metadata<'_>) {
        match record.key {
            "version_major" => *self = Self::default(),
            "heap.snapshot" => {
                self.snapshot = Some(record.value.to_owned());
                self.stacks.clear();
            }
            heap_record::stacks::KEY => self.stacks.metadata(record),
            "heap.packages" => self.paths = record.value == "paths",
            PART_KEY if self.snapshot.is_some() => self.snapshot = Some(record.value.to_owned()),
            _ => {
                if let Some(rule) = IdRule::of(record) {
                    (self.rule, self.rule_known) = (rule, true);
                }
            }
        }
    }

    /// Takes a declaration in.
    pub fn declare(&mut self, record: &Declaration<'_>) {
        self.types.declare(record);
    }

    /// Takes a string record in.
    ///
    /// # Errors
    /// The temporary file of strings cannot be written.
    pub fn string(&mut self, record: &Str<'_>) -> Result {
        self.strings.insert(record)
    }

    /// True if this string has come, or none is asked for.
    #[inline]
    pub fn has(&self, id: Option<StringId>) -> bool {
        id.is_none_or(|id| self.strings.contains(id))
    }

    /// True if all strings that members refer to have come.
    pub fn has_strings(&self, owner: Owner<'_>, members: &[u8]) -> bool {
        let mut all = true;
        if !members.is_empty() {
            refers(&self.types, owner, members, |kind, id| {
                all &= kind != FieldKind::String || self.strings.contains(id);
            });
        }
        all
    }

    /// True if all has come that says where a node was allocated.
    pub fn has_stack_of(&self, node: &Node<'_>) -> bool {
        !self.stacks.are_there() || stacks::ready(&self.stacks, node, &self.strings)
    }

    /// True if all strings that a node refers to have come.
    pub fn has_strings_of(&self, node: &Node<'_>) -> bool {
        let owner = Owner::Node(node.subtype);
        self.has(node.heap.class)
            && self.has(node.heap.name)
            && self.has_strings(owner, node.own)
            && self.has_strings(owner, node.rest)
    }
}
