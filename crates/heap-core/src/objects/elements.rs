//! Elements: what stands at the indexes of arrays and of objects with numbered properties.

use crate::heap::Heap;
use crate::space::{Map, object_of};

use super::Kind;

/// Bits of the float that stands for a missing element.
pub(crate) const HOLE: u64 = 0xfff7_ffff_fff7_ffff;

/// A value at an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Element {
    /// A tagged word.
    Word(u64),
    /// A float that has no object of its own.
    Double(f64),
}

impl Heap {
    /// The `length` of an array of JavaScript.
    pub(crate) fn js_array_length(&self, address: u64) -> u32 {
        let word = self.memory.word(address + 24).unwrap_or(0);
        self.number(word).map_or(0, |n| n as u32)
    }

    /// The number that a word stands for: a small integer or a heap number.
    pub(crate) fn number(&self, word: u64) -> Option<f64> {
        if word & 1 == 0 {
            return Some(f64::from((word >> 32) as i32));
        }
        let at = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::HeapNumber))?;
        self.memory.word(at + 8).map(f64::from_bits)
    }

    /// Goes over the elements of an object, by rising index but for dictionaries.
    pub(crate) fn each_element(&self, address: u64, map: &Map, each: &mut dyn FnMut(u32, Element)) {
        let Some(store) = self.memory.word(address + 16).and_then(object_of) else { return };
        let Some(store_map) = self.map_of(store + 1).map(|id| self.maps.map(id)) else { return };
        let store_kind = self.kind(&store_map);
        let dictionary = self.offsets.dictionary_elements;
        let most = if self.kind(map) == Kind::JsArray { self.js_array_length(address) } else { u32::MAX };
        match map.elements {
            4 | 5 if store_kind == Kind::Doubles => self.doubles(store, most, each),
            kind if kind == dictionary || kind == dictionary + 4 => self.numbered(store, each),
            kind if kind == dictionary + 1 || kind == dictionary + 2 => {
                self.arguments(store, kind == dictionary + 2, each);
            }
            kind if kind < dictionary || kind == dictionary + 3 => {
                if store_kind == Kind::Array {
                    self.words(store, most, each);
                } else if store_kind == Kind::Doubles {
                    self.doubles(store, most, each);
                }
            }
            _ => {}
        }
    }

    fn words(&self, store: u64, most: u32, each: &mut dyn FnMut(u32, Element)) {
        let count = self.array_length(store).unwrap_or(0).min(most.into());
        for i in 0..count {
            let Some(word) = self.memory.word(store + 16 + 8 * i) else { return };
            if !self.known.is_hole(word) {
                each(i as u32, Element::Word(word));
            }
        }
    }

    fn doubles(&self, store: u64, most: u32, each: &mut dyn FnMut(u32, Element)) {
        let count = self.array_length(store).unwrap_or(0).min(most.into());
        for i in 0..count {
            let Some(bits) = self.memory.word(store + 16 + 8 * i) else { return };
            if bits != HOLE {
                each(i as u32, Element::Double(f64::from_bits(bits)));
            }
        }
    }

    /// A dictionary of numbers: key, value and details for each entry.
    fn numbered(&self, store: u64, each: &mut dyn FnMut(u32, Element)) {
        let Some(length) = self.array_length(store) else { return };
        let first = self.offsets.numbers_first;
        for entry in 0..length.saturating_sub(first) / 3 {
            let at = store + 16 + 8 * (first + 3 * entry);
            let (Some(key), Some(value)) = (self.memory.word(at), self.memory.word(at + 8)) else { return };
            let key = self.number(key).filter(|n| (0.0..f64::from(u32::MAX)).contains(n));
            if let Some(key) = key
                && !self.known.is_hole(value)
            {
                each(key as u32, Element::Word(value));
            }
        }
    }

    /// The arguments of a sloppy function: some live in slots of its context.
    fn arguments(&self, store: u64, slow: bool, each: &mut dyn FnMut(u32, Element)) {
        let Some(mapped) = self.memory.word(store + 8).map(|w| w >> 32) else { return };
        let Some((_, page)) = self.pages.at(store) else { return };
        let at = |offset: u64| self.memory.word(store + offset).and_then(object_of);
        let (Some(context), Some(arguments)) = (at(16), at(24)) else { return };
        let mapped = mapped.min((page.end - store) / 8);
        let mut live = Vec::new();
        for i in 0..mapped {
            let Some(word) = self.memory.word(store + 32 + 8 * i) else { return };
            if word & 1 == 0
                && let Some(value) = self.memory.word(context + 16 + 8 * (word >> 32))
            {
                live.push(i as u32);
                each(i as u32, Element::Word(value));
            }
        }
        let mut others = |i: u32, element| {
            if !live.contains(&i) {
                each(i, element);
            }
        };
        if slow {
            self.numbered(arguments, &mut others);
        } else {
            self.words(arguments, u32::MAX, &mut others);
        }
    }
}
