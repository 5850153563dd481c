//! Strings: where their characters are, and short texts joined.

use crate::heap::Heap;
use crate::space::{Map, object_of};

/// How a string is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Characters of `width` bytes at an address; where that is 0 they are not in the core.
    Flat { at: u64, width: u8 },
    /// Two strings one after the other.
    Cons { first: u64, second: u64 },
    /// A part of another one.
    Sliced { parent: u64, offset: u64 },
    /// Another string stands for it.
    Thin { actual: u64 },
}

/// Names longer than this are cut.
const LONGEST_NAME: usize = 1 << 10;
/// How many pieces of one string are joined.
const MOST_PIECES: usize = 1 << 16;

impl Heap {
    /// How many units a string has.
    pub(crate) fn string_length(&self, address: u64) -> u32 {
        self.memory.u32(address + 12).unwrap_or(0)
    }

    /// How a string is made.
    pub(crate) fn string_shape(&self, address: u64, map: &Map) -> Shape {
        let word = |at: u64| self.memory.word(address + at).unwrap_or(0);
        let width = if map.kind & 8 == 0 { 2 } else { 1 };
        match map.kind & 7 {
            1 => Shape::Cons { first: word(16), second: word(24) },
            // Bit 4: the pointer to the characters is not kept in the string.
            2 => Shape::Flat { at: if map.kind & 16 == 0 { word(24) } else { 0 }, width },
            3 => Shape::Sliced { parent: word(16), offset: word(24) >> 32 },
            5 => Shape::Thin { actual: word(16) },
            _ => Shape::Flat { at: address + 16, width },
        }
    }

    /// The string that a word refers to: its address and map. Thin strings are followed.
    pub(crate) fn string_at(&self, word: u64) -> Option<(u64, Map)> {
        let mut word = word;
        for _ in 0..8 {
            let map = self.maps.map(self.map_of(word).filter(|_| word & 3 == 1)?);
            if map.kind >= 128 {
                return None;
            }
            match self.string_shape(word - 1, &map) {
                Shape::Thin { actual } => word = actual,
                _ => return Some((word - 1, map)),
            }
        }
        None
    }

    /// The text of a string, at most `most` units of it, and whether that is all. Halves of pairs become U+FFFD.
    pub(crate) fn text(&self, word: u64, most: usize) -> Option<(String, bool)> {
        let (address, _) = self.string_at(word)?;
        let whole = self.string_length(address) as usize;
        let mut units = Vec::new();
        self.part(word, 0, whole.min(most) as u64, &mut units);
        Some((String::from_utf16_lossy(&units), units.len() == whole))
    }

    /// Appends a part of a string, as far as it is in the core.
    pub(crate) fn part(&self, word: u64, skip: u64, take: u64, units: &mut Vec<u16>) {
        let mut todo = vec![(word, skip, take)];
        let mut pieces = 0;
        while let Some((word, skip, take)) = todo.pop() {
            pieces += 1;
            if take == 0 || pieces > MOST_PIECES {
                continue;
            }
            let Some((at, map)) = self.string_at(word) else { continue };
            match self.string_shape(at, &map) {
                Shape::Flat { at: chars, width } => {
                    let most = u64::from(self.string_length(at)).saturating_sub(skip);
                    self.units(chars, width, skip, take.min(most), units);
                }
                Shape::Sliced { parent, offset } => todo.push((parent, skip.saturating_add(offset), take)),
                Shape::Cons { first, second } => {
                    let head = self.string_at(first).map_or(0, |(at, _)| u64::from(self.string_length(at)));
                    let of_head = head.saturating_sub(skip).min(take);
                    todo.push((second, skip.saturating_sub(head), take - of_head));
                    todo.push((first, skip, of_head));
                }
                Shape::Thin { .. } => {}
            }
        }
    }

    /// Appends characters that lie in a row, as far as they are in the core.
    fn units(&self, at: u64, width: u8, skip: u64, take: u64, out: &mut Vec<u16>) {
        if at == 0 {
            return;
        }
        let width = u64::from(width);
        let mut bytes = [0; 4096];
        let mut at = at.saturating_add(skip.saturating_mul(width));
        let mut left = take.saturating_mul(width);
        // A length is believed as far as the core has the characters.
        while left > 0 {
            let want = left.min(bytes.len() as u64);
            let n = self.memory.read(at, &mut bytes[..want as usize]);
            if width == 1 {
                out.extend(bytes[..n].iter().map(|&b| u16::from(b)));
            } else {
                out.extend(bytes[..n].as_chunks::<2>().0.iter().map(|&b| u16::from_le_bytes(b)));
            }
            if (n as u64) < want {
                return;
            }
            left -= want;
            at = at.saturating_add(want);
        }
    }

    /// The text of a name.
    pub(crate) fn name(&self, word: u64) -> Option<String> {
        self.text(word, LONGEST_NAME).map(|(text, _)| text)
    }

    /// What a property or a symbol is called: symbols as `<symbol a>`, private names as `#a`.
    pub(crate) fn label(&self, word: u64) -> Option<String> {
        if let Some(text) = self.name(word) {
            return Some(text);
        }
        if self.kind_of(word) != Some(super::Kind::Symbol) {
            return None;
        }
        let description = self.memory.word(object_of(word)? + 16).and_then(|w| self.name(w));
        Some(match description {
            Some(text) if text.starts_with('#') => text,
            Some(text) => format!("<symbol {text}>"),
            None => "<symbol>".to_owned(),
        })
    }
}
