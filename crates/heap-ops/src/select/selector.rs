//! A selection at work on a stream.

use heap_base::Result;
use heap_record::{Declaration, Metadata, Node, Str};

use super::{Matcher, Selection};
use crate::stream::{Begins, Context};

/// A selection with what is known of the stream so far.
///
/// A node that is not [`ready`](Self::ready) belongs into a [`Deferred`](crate::stream::Deferred). At the end of the
/// snapshot it can be judged: a string that has not come by then does not exist.
#[derive(Debug, Default)]
pub struct Selector {
    /// What is known of the stream so far.
    pub context: Context,
    matcher: Matcher,
}

impl Selector {
    /// Selects by `selection`.
    pub fn new(selection: Selection) -> Self {
        Self { context: Context::default(), matcher: Matcher::new(selection) }
    }

    /// The selection.
    pub fn selection(&self) -> &Selection {
        self.matcher.selection()
    }

    /// Warnings about fields in conditions that no node had. Call when all nodes have been judged.
    pub fn missing(&self) -> Vec<String> {
        self.matcher.missing(&self.context)
    }

    /// Takes a metadata record. Judge the nodes of the records before it first.
    pub fn metadata(&mut self, record: &Metadata<'_>) {
        self.context.metadata(record);
        self.matcher.set_rule(self.context.rule);
        if Context::begins(record) == Some(Begins::Stream) {
            self.matcher.clear();
        }
    }

    /// Another stream begins, whether it says so or not: forgets what is known of the one before.
    pub(crate) fn begin_stream(&mut self) {
        self.context = Context::default();
        self.matcher.set_rule(self.context.rule);
        self.matcher.clear();
    }

    /// Takes a declaration.
    pub fn declare(&mut self, record: &Declaration<'_>) {
        self.context.declare(record);
        self.matcher.clear();
    }

    /// Takes a string record.
    ///
    /// # Errors
    /// The temporary file of strings cannot be written.
    pub fn string(&mut self, record: &Str<'_>) -> Result {
        self.context.string(record)
    }

    /// True if the strings have come that a verdict on `node` may need.
    pub fn ready(&self, node: &Node<'_>) -> bool {
        self.matcher.ready(node, &self.context)
    }

    /// True if `node` is selected.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn selects(&mut self, node: &Node<'_>) -> Result<bool> {
        self.matcher.matches(node, &self.context)
    }
}
