//! What a one-pass tool judges nodes by: the selection, and what the stream has told so far.

use heap_base::Result;
use heap_record::{Declaration, Metadata, Node};

use crate::context::{Begins, Context};
use crate::select::{Matcher, Selection};

/// A selection at work on a stream.
///
/// A node that is not [`ready`](Self::ready) to be judged belongs into a [`Held`](crate::held::Held), whose
/// [`nodes`](crate::held::Held::nodes) come back once there will be no more strings: what is still missing then has none.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    /// What the stream has told so far.
    pub(crate) context: Context,
    matcher: Matcher,
}

impl Judge {
    /// Judges by `selection`.
    pub(crate) fn new(selection: Selection) -> Self {
        Self { context: Context::default(), matcher: Matcher::new(selection) }
    }

    /// The selection.
    pub(crate) fn selection(&self) -> &Selection {
        self.matcher.selection()
    }

    /// Warnings about fields in conditions that no node had. Call when all nodes have been judged.
    pub(crate) fn missing(&self) -> Vec<String> {
        self.matcher.missing(&self.context.types)
    }

    /// Takes a metadata record in. Judge what belongs to the records before, then call this.
    pub(crate) fn metadata(&mut self, record: &Metadata<'_>) {
        self.context.metadata(record);
        self.matcher.set_rule(self.context.rule);
        if Context::begins(record) == Some(Begins::Stream) {
            self.matcher.clear();
        }
    }

    /// Takes a declaration in.
    pub(crate) fn declare(&mut self, record: &Declaration<'_>) {
        self.context.declare(record);
        self.matcher.clear();
    }

    /// True if the strings have come that a verdict on `node` may need.
    pub(crate) fn ready(&self, node: &Node<'_>) -> bool {
        self.matcher.ready(node, &self.context)
    }

    /// True if `node` is selected.
    pub(crate) fn selects(&mut self, node: &Node<'_>) -> Result<bool> {
        self.matcher.matches(node, &self.context.types, &self.context.strings)
    }
}
