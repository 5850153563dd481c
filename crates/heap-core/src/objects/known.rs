//! Objects that every heap has and that mean something: the hole, `undefined`, names of two properties.

use heap_base::Set;

use crate::heap::{Heap, Object};
use crate::space::object_of;

use super::Kind;

/// More holes than any version has.
const HOLES: usize = 16;

/// A word that no field holds: for objects that the core does not have.
const ABSENT: u64 = 3;

/// No array without elements is larger.
const EMPTY: u64 = 24;

/// Words that refer to what means that there is nothing. Snapshots have no edges to these but those that a program made.
#[derive(Debug, Default)]
pub(crate) struct Nothing {
    words: Set<u64>,
    first: u64,
    last: u64,
}

impl Nothing {
    fn add(&mut self, word: u64) {
        self.first = if self.words.is_empty() { word } else { self.first.min(word) };
        self.last = self.last.max(word);
        self.words.insert(word);
    }

    /// Whether a word refers to such an object.
    #[inline]
    pub(crate) fn has(&self, word: u64) -> bool {
        self.first <= word && word <= self.last && self.words.contains(&word)
    }
}

/// Tagged words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// What stands where an element or an entry is missing: newer versions have one for each purpose. Those that are not
    /// there are equal to the first.
    holes: [u64; HOLES],
    pub(crate) undefined: u64,
    pub(crate) to_string_tag: u64,
    pub(crate) constructor: u64,
}

impl Heap {
    /// Looks for them on the read-only pages, then on all others.
    pub(crate) fn find_known(&mut self) {
        let mut known = Known::default();
        let mut nothing = Nothing::default();
        for shared in [true, false] {
            if known.is_whole() {
                break;
            }
            for page in self.pages.pages.iter().filter(|p| (p.heap == 0) == shared) {
                let mut walked = crate::heap::Walked::default();
                self.walk_page(page, &mut walked, &mut |object| {
                    self.take_known(object.address, &mut known);
                    if self.says_nothing(object, shared) {
                        nothing.add(object.address + 1);
                    }
                });
            }
        }
        self.known = known;
        self.nothing = nothing;
    }

    /// Whether an object means that there is nothing: an oddball, or the empty array of a kind, which all share.
    fn says_nothing(&self, object: Object, shared: bool) -> bool {
        let at = |offset| self.memory.word(object.address + offset);
        match self.kind(&self.maps.map(object.id)) {
            Kind::Oddball | Kind::Hole => true,
            Kind::Array | Kind::PropertyArray | Kind::Doubles | Kind::Raw => {
                shared && object.size <= EMPTY && at(8) == Some(0)
            }
            Kind::Descriptors => shared && object.size <= EMPTY,
            _ => false,
        }
    }

    fn take_known(&self, address: u64, known: &mut Known) {
        let word = address + 1;
        let Some(id) = self.map_of(word) else { return };
        let map = self.maps.map(id);
        let mut hole = 0;
        let slot = match self.kind(&map) {
            Kind::Oddball => {
                let text = self.memory.word(address + 16).and_then(|w| self.name(w));
                let is_hole = self.memory.word(address + 40).is_some_and(|kind| kind >> 32 == 2);
                match text.as_deref() {
                    Some("undefined") => &mut known.undefined,
                    _ if is_hole => &mut hole,
                    _ => return,
                }
            }
            Kind::Hole => &mut hole,
            Kind::Symbol => {
                let description = self.memory.word(address + 16).filter(|&w| object_of(w).is_some());
                if description.and_then(|w| self.name(w)).as_deref() != Some("Symbol.toStringTag") {
                    return;
                }
                &mut known.to_string_tag
            }
            // An internalized string of one-byte characters.
            Kind::String if map.kind == 8 && self.string_length(address) == 11 => {
                if self.name(word).as_deref() != Some("constructor") {
                    return;
                }
                &mut known.constructor
            }
            _ => return,
        };
        if *slot == ABSENT {
            *slot = word;
        } else if *slot == 0 {
            known.add_hole(word);
        }
    }
}

impl Default for Known {
    fn default() -> Self {
        Self { holes: [ABSENT; HOLES], undefined: ABSENT, to_string_tag: ABSENT, constructor: ABSENT }
    }
}

impl Known {
    /// Whether a word is a hole.
    #[inline]
    pub(crate) fn is_hole(&self, word: u64) -> bool {
        self.holes.contains(&word)
    }

    fn add_hole(&mut self, word: u64) {
        if self.holes[0] == ABSENT {
            self.holes = [word; HOLES];
        } else if let Some(free) = (1..HOLES).find(|&i| self.holes[i] == self.holes[0]) {
            self.holes[free] = word;
        }
    }

    fn is_whole(&self) -> bool {
        [self.holes[0], self.undefined, self.to_string_tag, self.constructor]
            .iter()
            .all(|&word| word != ABSENT)
    }
}
