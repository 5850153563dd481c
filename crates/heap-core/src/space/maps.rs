//! Maps: what V8 calls the hidden classes of objects. Each is read once.

use std::cell::RefCell;

use crate::constants::Constants;
use crate::memory::Memory;
use heap_base::Result;

/// Number of a map, in the order in which maps were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MapId(pub(crate) u32);

/// The fields of a map.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "bits that V8 keeps side by side")]
pub(crate) struct Map {
    /// Where it is, without a tag.
    pub(crate) address: u64,
    /// Instance type.
    pub(crate) kind: u16,
    /// Size of an instance in words; 0 if instances vary.
    pub(crate) words: u8,
    /// Where properties begin in an instance, in words.
    pub(crate) first: u8,
    /// Kind of the elements.
    pub(crate) elements: u8,
    pub(crate) dictionary: bool,
    /// Whether instances are prototypes.
    pub(crate) of_prototypes: bool,
    /// Whether `new` made instances by a base constructor.
    pub(crate) new_target_is_base: bool,
    /// Whether functions have a slot for their prototype.
    pub(crate) has_prototype_slot: bool,
    /// Own descriptors.
    pub(crate) own: u16,
    /// Tagged words.
    pub(crate) prototype: u64,
    pub(crate) constructor: u64,
    pub(crate) descriptors: u64,
}

/// Where fields of maps are, and those that were read.
#[derive(Debug)]
pub(crate) struct Maps {
    map_type: u16,
    dictionary_bit: u32,
    own_shift: u32,
    elements_shift: u32,
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    by_word: heap_base::Map<u64, MapId>,
    maps: Vec<Map>,
    /// The last one that was asked for: neighbours are often alike.
    last: Option<(u64, MapId)>,
}

/// The object that a word refers to, be the reference strong or weak.
#[inline]
pub(crate) fn object_of(word: u64) -> Option<u64> {
    match word & 3 {
        1 => Some(word - 1),
        3 if word != 3 => Some(word - 3),
        _ => None,
    }
}

impl Maps {
    /// Takes the places of fields from the constants.
    ///
    /// # Errors
    /// Constants that are missing.
    pub(crate) fn new(constants: &Constants) -> Result<Self> {
        Ok(Self {
            map_type: constants.need("type_MAP_TYPE")? as u16,
            dictionary_bit: constants.need("bit_field3_is_dictionary_map_shift")?,
            own_shift: constants.need("bit_field3_number_of_own_descriptors_shift")?,
            elements_shift: constants.need("bit_field2_elements_kind_shift")?,
            inner: RefCell::default(),
        })
    }

    /// The map that a word refers to, if it does refer to one.
    #[inline]
    pub(crate) fn get(&self, memory: &Memory, word: u64) -> Option<MapId> {
        if word & 3 != 1 {
            return None;
        }
        {
            let mut inner = self.inner.borrow_mut();
            if let Some((last, id)) = inner.last
                && last == word
            {
                return Some(id);
            }
            if let Some(&id) = inner.by_word.get(&word) {
                inner.last = Some((word, id));
                return Some(id);
            }
        }
        self.read(memory, word)
    }

    /// The fields of a map.
    #[inline]
    pub(crate) fn map(&self, id: MapId) -> Map {
        self.inner.borrow().maps[id.0 as usize]
    }

    /// How many maps were met.
    pub(crate) fn len(&self) -> usize {
        self.inner.borrow().maps.len()
    }

    /// Whether a word refers to something whose own map has the type of maps and is its own map, or has such a map.
    fn is_map(&self, memory: &Memory, word: u64) -> bool {
        let type_of = |word: u64| memory.u16(word.wrapping_sub(1).wrapping_add(12));
        let map_of = |word: u64| memory.word(word.wrapping_sub(1)).filter(|w| w & 3 == 1);
        let Some(meta) = map_of(word) else { return false };
        if type_of(meta) != Some(self.map_type) {
            return false;
        }
        let Some(above) = map_of(meta) else { return false };
        above == meta || type_of(above) == Some(self.map_type) && map_of(above) == Some(above)
    }

    #[cold]
    fn read(&self, memory: &Memory, word: u64) -> Option<MapId> {
        if word < 8 || !self.is_map(memory, word) {
            return None;
        }
        let at = word - 1;
        let (bits2, bits3) = (memory.byte(at + 15)?, memory.u32(at + 16)?);
        let map = Map {
            address: at,
            kind: memory.u16(at + 12)?,
            words: memory.byte(at + 8)?,
            first: memory.byte(at + 9)?,
            elements: bits2 >> self.elements_shift,
            dictionary: bits3 >> self.dictionary_bit & 1 == 1,
            of_prototypes: bits3 >> (self.dictionary_bit - 1) & 1 == 1,
            new_target_is_base: bits2 & 1 == 1,
            has_prototype_slot: memory.byte(at + 14)? >> 7 == 1,
            own: (bits3 >> self.own_shift & 1023) as u16,
            prototype: memory.word(at + 24)?,
            constructor: memory.word(at + 32)?,
            descriptors: memory.word(at + 40)?,
        };
        let mut inner = self.inner.borrow_mut();
        let id = MapId(inner.maps.len() as u32);
        inner.maps.push(map);
        inner.by_word.insert(word, id);
        Some(id)
    }
}
