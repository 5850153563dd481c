//! Texts of UTF8 records by their identifiers.

use crate::text::modified_utf8;

/// The texts of a file: every symbol of the virtual machine.
#[derive(Debug, Default)]
pub(crate) struct Names {
    texts: Vec<u8>,
    /// Identifier, and where the text begins and ends.
    entries: Vec<(u64, u32, u32)>,
    sorted: bool,
}

impl Names {
    /// Adds a text. What does not fit in 4 GiB with all others is left out.
    pub(crate) fn push(&mut self, id: u64, text: &[u8]) {
        let start = self.texts.len();
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(start + text.len())) else { return };
        self.texts.extend_from_slice(text);
        self.entries.push((id, start, end));
        self.sorted = false;
    }

    /// Call before the first [`get`](Self::get). The first text of an identifier is the one that counts.
    pub(crate) fn sort(&mut self) {
        self.entries.sort_unstable();
        self.entries.dedup_by_key(|entry| entry.0);
        self.sorted = true;
    }

    /// The bytes of a text.
    pub(crate) fn bytes(&self, id: u64) -> Option<&[u8]> {
        debug_assert!(self.sorted || self.entries.is_empty(), "sorted before use");
        let at = self.entries.binary_search_by_key(&id, |entry| entry.0).ok()?;
        let (_, start, end) = self.entries[at];
        self.texts.get(start as usize..end as usize)
    }

    /// The text with this identifier.
    pub(crate) fn get(&self, id: u64) -> Option<String> {
        self.bytes(id).map(modified_utf8)
    }
}
