//! Texts, and numbers for them. The first use of a text emits its string record.

use std::borrow::Cow;

use heap_base::Result;
use heap_base::json::unescape;
use heap_record::texts::Numbered;
use heap_record::{Sink, StringId};

use crate::line::Text;

impl<'a> Text<'a> {
    /// The text; what is not UTF-8 becomes U+FFFD.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        match String::from_utf8_lossy(self.bytes) {
            Cow::Borrowed(text) if self.escaped => unescape(text),
            Cow::Owned(text) if self.escaped => Cow::Owned(unescape(&text).into_owned()),
            text => text,
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), escaped: false }
    }
}

#[derive(Debug)]
pub(crate) struct Strings(Numbered);

impl Strings {
    /// `wanted`: whether the sink wants string records. The numbers from 1 up to `first` are taken.
    pub(crate) fn new(wanted: bool, first: StringId) -> Self {
        Self(Numbered::new(wanted, first + 1))
    }

    /// Number of a name, of which there are few. It is the same with an escape and without.
    pub(crate) fn name(&mut self, text: Text<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if text.escaped {
            let plain = text.decode();
            return self.0.name(plain.as_bytes(), || Cow::Borrowed(&plain), sink);
        }
        self.0.name(text.bytes, || text.decode(), sink)
    }

    /// Number of the contents of a string.
    pub(crate) fn content(&mut self, text: Text<'_>, sink: &mut dyn Sink) -> Result<StringId> {
        if text.escaped {
            let plain = text.decode();
            return self.0.content(plain.as_bytes(), || Cow::Borrowed(&plain), sink);
        }
        self.0.content(text.bytes, || text.decode(), sink)
    }

    /// Number of an array index.
    pub(crate) fn index(&mut self, index: u64, sink: &mut dyn Sink) -> Result<Option<StringId>> {
        self.0.index(index, sink)
    }
}
