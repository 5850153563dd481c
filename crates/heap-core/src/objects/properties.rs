//! Properties: in an object, in the array beside it, in its map, or in a dictionary.

use std::rc::Rc;

use crate::heap::Heap;
use crate::space::{Map, object_of};

use super::Kind;

/// Where a property has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Byte offset in the object.
    Inside(u64),
    /// Index in the property array.
    Outside(u64),
    /// This word: a constant, or an accessor.
    Constant(u64),
}

/// A property of all objects with one map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property {
    /// The name: a string or a symbol.
    pub(crate) key: u64,
    pub(crate) accessor: bool,
    pub(crate) place: Place,
}

/// A property of one object: its name, whether it is an accessor, and the value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Valued {
    pub(crate) key: u64,
    pub(crate) accessor: bool,
    pub(crate) value: u64,
}

/// Dictionaries longer than this are damage: the words of a page's largest object.
const LONGEST: u64 = 1 << 32;

impl Heap {
    /// The properties that a map without dictionary describes.
    pub(crate) fn properties(&self, map: &Map) -> Rc<[Property]> {
        if let Some(known) = self.layouts.borrow().get(&map.address) {
            return Rc::clone(known);
        }
        let found: Rc<[Property]> = self.read_properties(map).into();
        let mut layouts = self.layouts.borrow_mut();
        if layouts.len() > super::MOST_CACHED {
            layouts.clear();
        }
        layouts.insert(map.address, Rc::clone(&found));
        found
    }

    fn read_properties(&self, map: &Map) -> Vec<Property> {
        let mut found = Vec::new();
        let Some(array) = object_of(map.descriptors) else { return found };
        if map.dictionary || self.kind_of(map.descriptors) != Some(Kind::Descriptors) {
            return found;
        }
        let inside = u64::from(map.words.saturating_sub(map.first));
        let count = map.own.min(self.memory.u16(array + 8).unwrap_or(0));
        for i in 0..u64::from(count) {
            let at = array + self.offsets.descriptors + 24 * i;
            let (Some(key), Some(details), Some(value)) =
                (self.memory.word(at), self.memory.word(at + 8), self.memory.word(at + 16))
            else {
                break;
            };
            // The details are a small integer: accessor bit 0, location bit 5, field index bits 19 to 28.
            let details = details >> 32;
            let index = details >> 19 & 1023;
            let place = match () {
                () if details >> 5 & 1 == 1 => Place::Constant(value),
                () if index < inside => Place::Inside(8 * (u64::from(map.first) + index)),
                () => Place::Outside(index - inside),
            };
            found.push(Property { key, accessor: details & 1 == 1, place });
        }
        found
    }

    /// The value of a property of an object.
    #[inline]
    pub(crate) fn value(&self, object: u64, place: Place) -> Option<u64> {
        match place {
            Place::Constant(word) => Some(word),
            Place::Inside(at) => self.memory.word(object + at),
            Place::Outside(index) => {
                let array = object_of(self.memory.word(object + 8)?)?;
                let length = self.memory.word(array + 8)? >> 32 & 1023;
                (index < length).then(|| self.memory.word(array + 16 + 8 * index)).flatten()
            }
        }
    }

    /// Goes over the entries of a dictionary of names.
    pub(crate) fn each_in_dictionary(&self, object: u64, global: bool, each: &mut dyn FnMut(Valued)) {
        let Some(table) = self.memory.word(object + 8).and_then(object_of) else { return };
        let Some(length) = self.array_length(table) else { return };
        if global {
            self.each_global(table, length, each);
            return;
        }
        let first = self.offsets.names_first;
        for entry in 0..length.saturating_sub(first) / 3 {
            let at = table + 16 + 8 * (first + 3 * entry);
            let (Some(key), Some(value), Some(details)) =
                (self.memory.word(at), self.memory.word(at + 8), self.memory.word(at + 16))
            else {
                return;
            };
            if self.is_name(key) {
                each(Valued { key, accessor: details >> 32 & 1 == 1, value });
            }
        }
    }

    /// The global object has a cell for each property.
    fn each_global(&self, table: u64, length: u64, each: &mut dyn FnMut(Valued)) {
        for i in 3..length {
            let Some(word) = self.memory.word(table + 16 + 8 * i) else { return };
            if self.kind_of(word) != Some(Kind::PropertyCell) {
                continue;
            }
            let at = |offset| self.memory.word(word - 1 + offset).unwrap_or(0);
            let (key, details, value) = (at(8), at(16), at(24));
            if self.is_name(key) {
                each(Valued { key, accessor: details >> 32 & 1 == 1, value });
            }
        }
    }

    /// Elements of an array of words, checked against the page that it lies on.
    pub(crate) fn array_length(&self, array: u64) -> Option<u64> {
        let length = self.memory.word(array + 8).filter(|w| w & 1 == 0)? >> 32;
        let (_, page) = self.pages.at(array)?;
        (length < LONGEST && array + 16 + 8 * length <= page.end).then_some(length)
    }

    /// Whether a word refers to a string or a symbol.
    #[inline]
    pub(crate) fn is_name(&self, word: u64) -> bool {
        word & 3 == 1 && self.map_of(word).is_some_and(|id| self.maps.map(id).kind <= 128)
    }
}
