//! Secrets in texts that are kept in parts: a part by itself may look like nothing.

use heap_base::Result;
use heap_record::{Declaration, Declared, Metadata, NodeBatch, Sink, Str, Types, Wants};

use super::Audit;
use super::rules::{Judged, TextRole};
use super::secret::is_known;
use heap_ops::stream::{Begins, Context, Ropes, Strings};

/// Joins the texts of what is left after redaction, and passes everything on.
///
/// Memory: the strings that are left, and that of [`Ropes`].
#[derive(Debug)]
pub struct Joined<S> {
    out: S,
    types: Types,
    strings: Strings,
    ropes: Ropes,
    audit: Audit,
}

impl<S: Sink> Joined<S> {
    /// Passes records on to `out`.
    pub fn new(out: S) -> Self {
        let (types, strings) = (Types::default(), Strings::default());
        Self { out, types, strings, ropes: Ropes::default(), audit: Audit::default() }
    }

    /// What looks like a secret once its parts are joined. Call when all records of an input have come.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn take_audit(&mut self) -> Result<Audit> {
        self.end_snapshot()?;
        Ok(std::mem::take(&mut self.audit))
    }

    /// Forgets the texts of the snapshot that has come last, and what was found so far.
    pub fn forget(&mut self) {
        self.ropes.clear();
        self.audit = Audit::default();
    }

    fn end_snapshot(&mut self) -> Result {
        let Self { ropes, audit, strings, .. } = self;
        ropes.each(strings, |_, _, text, _| {
            if let Some(looks) = is_known(text) {
                let judged = Judged { looks: Some(looks), ..Judged::default() };
                audit.count(TextRole::Value.bit(), judged, text);
            }
            Ok(())
        })?;
        ropes.clear();
        Ok(())
    }
}

impl<S: Sink> Sink for Joined<S> {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match Context::begins(record) {
            Some(Begins::Stream) => {
                self.end_snapshot()?;
                (self.types, self.strings) = (Types::default(), Strings::default());
            }
            Some(Begins::Snapshot) => self.end_snapshot()?,
            None => {}
        }
        self.out.metadata(record)
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        // Texts in parts are fields of nodes; a stream may declare any number of other things.
        if matches!(record.what, Declared::Node { .. } | Declared::Record { name: "node", .. }) {
            self.types.declare(record);
        }
        self.out.declare(record)
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.strings.insert(record)?;
        self.out.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.iter().for_each(|node| self.ropes.insert(&node, &self.types, true));
        self.out.nodes(batch)
    }

    fn finish(&mut self, intact: bool) -> Result {
        self.end_snapshot()?;
        self.out.finish(intact)
    }

    heap_record::pass_on!(out: edges extension flush);
}
