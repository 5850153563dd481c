//! The `strings` section: literals in order, what they say, and those that mean something to a reader.

use heap_base::literal::{self, Contents, Decoder};
use heap_base::{Blob, Error, Result, Window};
use heap_record::{Sink, Str, StringId};

use crate::layout::marks::Marks;

/// The strings of a snapshot, as the scan found them; the text stays in the file.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    /// Offset of the first byte after `[`.
    start: u64,
    /// How many are intact.
    pub(crate) count: u64,
    /// Whether the section was read to its end.
    pub(crate) intact: bool,
    /// Whether any text is written as raw UTF-8, not as escapes.
    pub(crate) raw_utf8: bool,
    /// What the strings mean.
    pub(crate) marks: Marks,
}

impl Strings {
    /// Reads the section from behind its `[` to behind its `]`. The error, if any, says where it stops being one.
    pub(crate) fn scan(win: &mut Window<'_>) -> Result<(Self, Option<Error>)> {
        let mut this = Self { start: win.at(), ..Self::default() };
        let mut decoder = Decoder::default();
        let outcome = literal::each(win, "strings", |raw, kind| {
            this.raw_utf8 |= kind != Contents::Plain && !raw.is_ascii();
            if kind == Contents::Escaped {
                this.marks.add(decoder.decode(raw)?);
            } else {
                this.marks.add(raw);
            }
            this.count += 1;
            Ok(true)
        });
        this.intact = outcome.is_ok();
        match outcome {
            Ok(()) => Ok((this, None)),
            Err(e) if matches!(e.kind(), heap_base::error::Kind::Input { .. }) => Ok((this, Some(e))),
            Err(e) => Err(e),
        }
    }

    /// The string id of an index, if there is such a string.
    #[inline]
    pub(crate) fn id(&self, index: u64) -> Option<StringId> {
        (index < self.count).then_some(index as StringId)
    }

    /// What the indexes of strings that are there stay below.
    pub(crate) fn known(&self) -> u64 {
        self.count.min(u32::MAX.into())
    }

    /// The largest string index that is not known to be wrong.
    pub(crate) fn limit(&self) -> u64 {
        if self.intact { self.count.min(u32::MAX.into()) } else { u32::MAX.into() }
    }

    /// Emits all strings.
    pub(crate) fn emit(&self, blob: &Blob, sink: &mut dyn Sink) -> Result {
        self.emit_those(blob, |_| true, self.count, sink)
    }

    /// Emits the strings with these indexes, which ascend.
    pub(crate) fn emit_some(&self, blob: &Blob, mut indexes: &[u64], sink: &mut dyn Sink) -> Result {
        let end = indexes.last().map_or(0, |&last| last + 1);
        let among = |index| {
            let found = indexes.first() == Some(&index);
            indexes = &indexes[usize::from(found)..];
            found
        };
        self.emit_those(blob, among, end.min(self.count), sink)
    }

    /// Emits those strings before `end` that are `wanted`.
    fn emit_those(
        &self,
        blob: &Blob,
        mut wanted: impl FnMut(u64) -> bool,
        end: u64,
        sink: &mut dyn Sink,
    ) -> Result {
        if end == 0 {
            return Ok(());
        }
        let mut win = Window::new(blob, self.start);
        let mut decoder = Decoder::default();
        let mut rest = Vec::new();
        let mut index = 0;
        literal::each(&mut win, "strings", |raw, kind| {
            if wanted(index) {
                // Canonical as it stands: no escapes but the short ones, nothing that should be escaped.
                let data = match std::str::from_utf8(raw) {
                    Ok(text) if literal::canonical(raw, kind) => heap_record::Data::Escaped(text),
                    _ => {
                        decoder.decode(raw)?;
                        rest.clear();
                        heap_record::Data::Plain(decoder.text(&mut rest))
                    }
                };
                sink.string(&Str { id: index as StringId, data, rest: &rest, ..Str::default() })?;
                rest.clear();
            }
            index += 1;
            Ok(index < end)
        })
    }
}
