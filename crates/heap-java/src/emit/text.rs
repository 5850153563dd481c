//! Contents of strings as records.

use heap_base::Result;
use heap_record::StringId;

use super::Out;
use crate::text::{hex, latin1, utf16};

/// Buffers for texts; used again and again.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    text: String,
    hex: String,
}

impl Texts {
    /// A text with one byte for each character.
    pub(crate) fn latin1(&mut self, id: StringId, bytes: &[u8], out: &mut Out<'_>) -> Result {
        if let Ok(text) = std::str::from_utf8(bytes)
            && text.is_ascii()
        {
            return out.string(id, text);
        }
        self.text.clear();
        latin1(bytes, &mut self.text);
        out.string(id, &self.text)
    }

    /// A text of UTF-16 units.
    pub(crate) fn utf16(
        &mut self,
        id: StringId,
        units: impl Iterator<Item = u16> + Clone,
        out: &mut Out<'_>,
    ) -> Result {
        self.text.clear();
        if utf16(units.clone(), &mut self.text) {
            return out.string(id, &self.text);
        }
        self.hex.clear();
        hex(units, &mut self.hex);
        out.inexact_string(id, &self.text, &self.hex)
    }
}
