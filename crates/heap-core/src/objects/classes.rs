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
    /// What a prototype chain says, from this object on.
    chains: heap_base::Map<u64, Chain>,
}

/// What a prototype chain says of objects that inherit from it.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    tag: Option<NameId>,
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
        match self.kind(map) {
            Kind::JsFunction | Kind::JsBoundFunction => return Some(names.intern("Function")),
            Kind::JsRegExp => return Some(names.intern("RegExp")),
            Kind::JsProxy => return Some(names.intern("Proxy")),
            _ => {}
        }
        if !map.of_prototypes && map.new_target_is_base {
            let function = self.constructor(map).filter(|&f| self.prototype_of(f) != Some(address + 1));
            let name = function.and_then(|f| self.function_name(f)).and_then(|n| self.name(n));
            if let Some(name) = name.filter(|n| !n.is_empty() && n != "Object") {
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
        let own = self.said_by(names, address, map);
        let chain = self.chain(names, map.prototype);
        own.tag.or(chain.tag).or(chain.constructor).unwrap_or_else(|| self.class_of_kind(names, map))
    }

    /// The class that only the prototypes of a map say.
    fn inherited(&self, names: &Names, map: &Map) -> NameId {
        let chain = self.chain(names, map.prototype);
        chain.tag.or(chain.constructor).unwrap_or_else(|| self.class_of_kind(names, map))
    }

    /// The class of what no prototype names: the state of an asynchronous function has none.
    fn class_of_kind(&self, names: &Names, map: &Map) -> NameId {
        names.intern(if self.kind(map) == Kind::JsGenerator { "Generator" } else { "Object" })
    }

    /// What a prototype and those behind it say.
    fn chain(&self, names: &Names, prototype: u64) -> Chain {
        let mut links = Vec::new();
        let mut word = prototype;
        let mut chain = Chain::default();
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
            chain =
                Chain { tag: said.tag.or(chain.tag), constructor: said.constructor.or(chain.constructor) };
            names.inner.borrow_mut().chains.insert(word, chain);
        }
        chain
    }

    /// What the own properties of an object say.
    fn said_by(&self, names: &Names, address: u64, map: &Map) -> Chain {
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
        let named = |name: Option<String>| name.filter(|n| !n.is_empty()).map(|n| names.intern(&n));
        let function = constructor.filter(|&w| self.kind_of(w) == Some(Kind::JsFunction));
        let function = function.and_then(object_of);
        let constructor = named(function.and_then(|f| self.function_name(f)).and_then(|n| self.name(n)));
        Chain { tag: named(tag.and_then(|w| self.name(w))), constructor }
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
