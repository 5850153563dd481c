//! Functions and their scopes: names, places in the source, variables.

use std::rc::Rc;

use crate::heap::Heap;
use crate::space::object_of;

use super::Kind;

/// More variables than this in one scope are damage.
const MOST_VARIABLES: u64 = 1 << 16;
/// Scopes around one.
const DEEPEST: usize = 1 << 10;
/// Names are in the scope itself below this number, else in a table.
const INLINE_NAMES: u64 = 75;

/// What a scope says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Names of its variables, in the order of their slots.
    pub(crate) variables: Vec<u64>,
    /// The function's name.
    pub(crate) name: Option<u64>,
    /// Where it begins and ends in its script.
    pub(crate) position: Option<(u32, u32)>,
}

impl Heap {
    /// The scope that a word refers to.
    pub(crate) fn scope(&self, word: u64) -> Option<Rc<Scope>> {
        if let Some(known) = self.scopes.borrow().get(&word) {
            return known.clone();
        }
        let scope = self.read_scope(word).map(Rc::new);
        let mut scopes = self.scopes.borrow_mut();
        if scopes.len() > super::MOST_CACHED {
            scopes.clear();
        }
        scopes.insert(word, scope.clone());
        scope
    }

    fn read_scope(&self, word: u64) -> Option<Scope> {
        let id = self.map_of(word)?;
        let map = self.maps.map(id);
        if self.kind(&map) != Kind::ScopeInfo || word & 3 != 1 {
            return None;
        }
        let address = word - 1;
        let (_, page) = self.pages.at(address)?;
        let words = self.size(address, &map, page.end).0 / 8;
        let at = |i: u64| (i < words).then(|| self.memory.word(address + 8 * i)).flatten();
        let small = |w: u64| (w & 1 == 0).then_some(w >> 32);
        let is_string = |w: u64| self.string_at(w).is_some();
        // In words from the map on: flags 1, parameters 2, variables 3.
        let count = small(at(3)?)?;
        if count > MOST_VARIABLES {
            return None;
        }
        let mut scope = Scope::default();
        let mut next = self.offsets.scope_names;
        if self.offsets.scope_flat {
            scope.position = small(at(4)?).zip(small(at(5)?)).map(|(a, b)| (a as u32, b as u32));
        }
        // A module has a number more in front of the names.
        let names_at = |i: u64| match at(i) {
            Some(w) if count > 0 => w & 1 == 1,
            _ => true,
        };
        if !names_at(next) && names_at(next + 1) {
            next += 1;
        }
        if count >= INLINE_NAMES {
            scope.variables = self.table_of_names(at(next)?, count);
            next += 1;
        } else {
            for _ in 0..count {
                scope.variables.push(at(next).filter(|&w| is_string(w))?);
                next += 1;
            }
        }
        next += count;
        let rest: Vec<u64> = (next..words).map_while(at).collect();
        scope.name = rest.iter().take(4).copied().find(|&w| is_string(w));
        if scope.position.is_none() {
            scope.position = position(&rest);
        }
        Some(scope)
    }

    /// What code that runs in a scope sees: the scopes from this one outwards but for the last, which all code has, and
    /// the objects that are values of their variables.
    pub(crate) fn seen_from(&self, context: u64) -> Vec<u64> {
        let mut seen = Vec::new();
        let mut word = context;
        for _ in 0..DEEPEST {
            let Some(at) = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Context)) else {
                break;
            };
            seen.push(word);
            let length = self.memory.word(at + 8).unwrap_or(0) >> 32;
            let values =
                (2..length.min(MOST_VARIABLES)).map_while(|slot| self.memory.word(at + 16 + 8 * slot));
            seen.extend(values.filter(|value| value & 3 == 1));
            word = self.memory.word(at + 24).unwrap_or(0);
        }
        seen
    }

    /// Names by slot, out of a table of pairs of name and slot.
    fn table_of_names(&self, word: u64, count: u64) -> Vec<u64> {
        let mut names = vec![0; count as usize];
        let Some(table) = object_of(word) else { return names };
        let length = self.memory.word(table + 8).unwrap_or(0) >> 32;
        for entry in 0..(length.saturating_sub(3) / 2).min(count.saturating_mul(8)) {
            let at = table + 16 + 8 * (3 + 2 * entry);
            let (key, slot) = (self.memory.word(at), self.memory.word(at + 8));
            if let (Some(key), Some(slot)) = (key, slot)
                && slot & 1 == 0
                && let Some(name) = names.get_mut((slot >> 32) as usize)
                && self.string_at(key).is_some()
            {
                *name = key;
            }
        }
        names
    }

    /// The name of what a function object is made from: a string.
    pub(crate) fn shared_name(&self, shared: u64) -> Option<u64> {
        let word = self.memory.word(shared + self.offsets.shared_name)?;
        if self.string_at(word).is_some() {
            return Some(word);
        }
        self.scope(word)?.name
    }

    /// The metadata of a function: a shared function info.
    pub(crate) fn shared(&self, function: u64) -> Option<u64> {
        let word = self.memory.word(function + self.offsets.function_shared)?;
        (self.kind_of(word) == Some(Kind::SharedFunctionInfo)).then(|| word - 1)
    }

    /// The name of a function, if it has one.
    pub(crate) fn function_name(&self, function: u64) -> Option<u64> {
        self.shared(function).and_then(|shared| self.shared_name(shared))
    }

    /// Where a function begins in its script.
    pub(crate) fn shared_position(&self, shared: u64) -> Option<(u32, u32)> {
        let word = self.memory.word(shared + self.offsets.shared_name)?;
        if let Some(scope) = self.scope(word) {
            return scope.position.filter(|&(start, end)| start <= end && end > 0);
        }
        // Not compiled yet: what the preparser found.
        let data = [8, 16].into_iter().find_map(|at| {
            let word = self.memory.word(shared + at)?;
            let id = self.map_of(word)?;
            self.uncompiled.contains(&self.maps.map(id).kind).then(|| object_of(word)).flatten()
        })?;
        let at = data + self.offsets.uncompiled_start;
        self.memory.u32(at).zip(self.memory.u32(at + 4)).filter(|(a, b)| a <= b && *b > 0)
    }

    /// The script of a function.
    pub(crate) fn shared_script(&self, shared: u64) -> Option<u64> {
        let word = self.memory.word(shared + self.offsets.shared_script)?;
        (self.kind_of(word) == Some(Kind::Script)).then(|| word - 1)
    }
}

/// The last two small integers before anything but names.
fn position(rest: &[u64]) -> Option<(u32, u32)> {
    let small = |w: u64| w & 1 == 0;
    let mut found = None;
    for pair in rest.windows(2).take(8) {
        if small(pair[0]) && small(pair[1]) {
            let (start, end) = (pair[0] >> 32, pair[1] >> 32);
            if start <= end && end < 1 << 31 {
                found = Some((start as u32, end as u32));
            }
        } else if found.is_some() && !small(pair[1]) {
            break;
        }
    }
    found
}
