//! Names: the constructor's name, as a heap snapshot of the same moment has it.

use std::cell::RefCell;

use crate::heap::Heap;
use crate::space::{Map, MapId, object_of};

use super::Kind;
use super::properties::Place;

/// Prototype chains longer than this are damage.
const LONGEST_CHAIN: usize = 1 << 10;
/// Back pointers from map to map likewise.
const MOST_TRANSITIONS: usize = 1 << 12;

/// Number of an interned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameId(pub(crate) u32);

/// Interned texts, and which map or prototype has which of them for its class.
#[derive(Debug, Default)]
pub(crate) struct Names {
    inner: RefCell<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    names: Vec<String>,
    by_name: heap_base::Map<String, NameId>,
    /// Of maps all of whose objects have one class; `None` where it depends on the object.
    by_map: heap_base::Map<MapId, Option<NameId>>,
    /// What objects are called that inherit from this one, if it or one behind it says so.
    chains: heap_base::Map<u64, Option<NameId>>,
}

/// What the own properties of an object say.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    /// For the object itself and for those that inherit from it.
    tag: Option<NameId>,
    /// For those that inherit from it.
    constructor: Option<NameId>,
}

impl Names {
    /// The number of a text.
    pub(crate) fn intern(&self, name: &str) -> NameId {
        let mut inner = self.inner.borrow_mut();
        if let Some(&id) = inner.by_name.get(name) {
            return id;
        }
        let id = NameId(inner.names.len() as u32);
        inner.names.push(name.to_owned());
        inner.by_name.insert(name.to_owned(), id);
        id
    }

    /// The text with a number.
    pub(crate) fn name(&self, id: NameId) -> String {
        self.inner.borrow().names.get(id.0 as usize).cloned().unwrap_or_default()
    }

    /// How many texts there are so far.
    pub(crate) fn len(&self) -> usize {
        self.inner.borrow().names.len()
    }
}

impl Heap {
    /// The class of an object of JavaScript.
    #[inline]
    pub(crate) fn class(&self, names: &Names, address: u64, id: MapId) -> NameId {
        let known = names.inner.borrow().by_map.get(&id).copied();
        match known {
            Some(Some(class)) => class,
            Some(None) => self.own_class(names, address, &self.maps.map(id)),
            None => self.first_class(names, address, id),
        }
    }

    /// The class of the first object that has this map.
    #[cold]
    fn first_class(&self, names: &Names, address: u64, id: MapId) -> NameId {
        let map = self.maps.map(id);
        let of_map = self.class_of_map(names, address, &map);
        names.inner.borrow_mut().by_map.insert(id, of_map);
        of_map.unwrap_or_else(|| self.own_class(names, address, &map))
    }

    /// The class that all objects with this map have, if they do.
    fn class_of_map(&self, names: &Names, address: u64, map: &Map) -> Option<NameId> {
        if self.kind(map) == Kind::JsProxy {
            return Some(names.intern("Proxy"));
        }
        if !map.of_prototypes && map.new_target_is_base {
            let function = self.constructor(map).filter(|&f| self.prototype_of(f) != Some(address + 1));
            let name = function.and_then(|f| self.given_name(f).or_else(|| self.written_name(f)));
            if let Some(name) = name.filter(|n| says_a_class(n)) {
                return Some(names.intern(&name));
            }
        }
        let own = |key| self.properties(map).iter().any(|p| p.key == key);
        if map.dictionary || own(self.known.to_string_tag) {
            return None;
        }
        Some(self.inherited(names, map))
    }

    /// The class of an object whose own tag counts. Its own `constructor` does not: that is for those that inherit it.
    #[cold]
    fn own_class(&self, names: &Names, address: u64, map: &Map) -> NameId {
        self.said_by(names, address, map).tag.unwrap_or_else(|| self.inherited(names, map))
    }

    /// The class that only the prototypes of a map say.
    fn inherited(&self, names: &Names, map: &Map) -> NameId {
        let chain = self.chain(names, map.prototype);
        chain.unwrap_or_else(|| names.intern(self.kind(map).class().unwrap_or("Object")))
    }

    /// What a prototype and those behind it say. The nearest that says anything counts, and of one its tag before its
    /// constructor: what inherits from a class on top of `Map`, whose prototype has a tag, is of that class.
    fn chain(&self, names: &Names, prototype: u64) -> Option<NameId> {
        let mut links = Vec::new();
        let mut word = prototype;
        let mut chain = None;
        while links.len() < LONGEST_CHAIN {
            if let Some(&known) = names.inner.borrow().chains.get(&word) {
                chain = known;
                break;
            }
            let Some(id) = self.map_of(word).filter(|_| word & 3 == 1) else { break };
            let map = self.maps.map(id);
            if !self.kind(&map).is_js() || links.iter().any(|&(w, _)| w == word) {
                break;
            }
            links.push((word, self.said_by(names, word - 1, &map)));
            word = map.prototype;
        }
        for &(word, said) in links.iter().rev() {
            chain = said.tag.or(said.constructor).or(chain);
            names.inner.borrow_mut().chains.insert(word, chain);
        }
        chain
    }

    /// What the own properties of an object say.
    fn said_by(&self, names: &Names, address: u64, map: &Map) -> Said {
        let mut tag = None;
        let mut constructor = None;
        let known = self.known;
        let mut take = |key: u64, accessor: bool, value: u64| {
            if accessor {
            } else if key == known.to_string_tag {
                tag = tag.or(Some(value));
            } else if key == known.constructor {
                constructor = constructor.or(Some(value));
            }
        };
        if map.dictionary {
            let global = self.kind(map) == Kind::JsGlobalObject;
            self.each_in_dictionary(address, global, &mut |p| take(p.key, p.accessor, p.value));
        } else {
            for property in self.properties(map).iter() {
                if property.key == known.to_string_tag || property.key == known.constructor {
                    let accessor = property.accessor && matches!(property.place, Place::Constant(_));
                    take(property.key, accessor, self.value(address, property.place).unwrap_or(0));
                }
            }
        }
        let function = constructor.filter(|&w| self.kind_of(w) == Some(Kind::JsFunction));
        let constructor = function.and_then(object_of).and_then(|f| self.written_name(f));
        let constructor = constructor.filter(|name| says_a_class(name)).map(|name| names.intern(&name));
        let tag = tag.and_then(|w| self.name(w)).map(|name| names.intern(&name));
        Said { tag, constructor }
    }

    /// The name that the source gives a function.
    fn written_name(&self, function: u64) -> Option<String> {
        self.function_name(function).and_then(|word| self.name(word))
    }

    /// The text that the program put in the place of a function's name. Versions before 14 of V8 do not ask for it.
    fn given_name(&self, function: u64) -> Option<String> {
        let map = self.maps.map(self.map_of(function + 1).filter(|_| self.v8_major() >= Some(14))?);
        let mut value = None;
        let mut take = |key: u64, word: Option<u64>| {
            if value.is_none() && self.name(key).as_deref() == Some("name") {
                value = word;
            }
        };
        if map.dictionary {
            let plain = |p: super::properties::Valued| (!p.accessor).then_some(p.value);
            self.each_in_dictionary(function, false, &mut |p| take(p.key, plain(p)));
        } else {
            for property in self.properties(&map).iter().filter(|p| !p.accessor) {
                take(property.key, self.value(function, property.place));
            }
        }
        value.and_then(|word| self.name(word))
    }

    /// The prototype that objects made by a function get, as a tagged word.
    pub(crate) fn prototype_of(&self, function: u64) -> Option<u64> {
        let map = self.maps.map(self.map_of(function + 1)?);
        if !map.has_prototype_slot {
            return None;
        }
        let word = self.memory.word(function + self.offsets.function_prototype)?;
        match self.kind_of(word) {
            Some(Kind::Map) => self.memory.word(object_of(word)? + 24),
            _ => Some(word),
        }
    }

    /// The function that made a map, behind all its transitions.
    pub(crate) fn constructor(&self, map: &Map) -> Option<u64> {
        let mut word = map.constructor;
        for _ in 0..MOST_TRANSITIONS {
            let map = self.maps.map(self.map_of(word).filter(|_| word & 3 == 1)?);
            match self.kind(&map) {
                Kind::Map => word = self.memory.word(word - 1 + 32)?,
                Kind::JsFunction => return Some(word - 1),
                _ => return None,
            }
        }
        None
    }
}

/// Whether the name of a constructor says more than that something is an object.
fn says_a_class(name: &str) -> bool {
    !name.is_empty() && name != "Object"
}
