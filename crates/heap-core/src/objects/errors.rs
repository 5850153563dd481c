//! Errors: what they say, and the calls that they were made in, also where nobody asked for the text.
//!
//! An error keeps the calls under a symbol without a name, as a list of objects or, in newer versions, of their fields. Once
//! somebody has read `stack`, the text is there instead. Code comes before the receiver, or behind the function:
//!
//! ```text
//! receiver  function  code      offset  flags       parameters       up to V8 11
//! code      receiver  function  offset  flags       parameters       since
//! code      receiver  function  offset  parameters  flags            V8 14, all in one list
//! ```

use std::fmt::Write as _;

use crate::heap::Heap;
use crate::space::object_of;
use crate::stacks::Form;

use super::Kind;
use super::properties::Place;

/// Units of a text that are kept.
const LONGEST: usize = 16 << 10;
/// Calls of one error.
const MOST_CALLS: u64 = 200;
/// Prototypes that are asked for a name.
const DEEPEST: usize = 16;
/// Fields of a call.
const FIELDS: u64 = 6;
/// Flags of a call.
const CONSTRUCT: u64 = 1 << 3;
const ASYNC: u64 = 1 << 5;

impl Heap {
    /// What an error says, and its stack as V8 writes it, but without receivers.
    pub(crate) fn error_texts(&self, address: u64, form: Form) -> (Option<String>, Option<String>) {
        let message = self.text_property(address, "message");
        let stack = self.error_stack(address, message.as_deref(), form);
        (message, stack)
    }

    /// An error in a line: `TypeError: x is not a function`.
    pub(crate) fn error_line(&self, class: &str, address: u64) -> String {
        match self.text_property(address, "message").filter(|text| !text.is_empty()) {
            Some(message) => format!("{class}: {message}"),
            None => class.to_owned(),
        }
    }

    /// The own property of an object with a name, if it is a text.
    fn text_property(&self, address: u64, name: &str) -> Option<String> {
        let mut found = None;
        self.each_own(address, &mut |key, value| {
            if found.is_none() && self.name(key).as_deref() == Some(name) {
                found = self.text(value, LONGEST).map(|(text, _)| text);
            }
        });
        found
    }

    /// Goes over the own properties that are no accessors.
    fn each_own(&self, address: u64, each: &mut dyn FnMut(u64, u64)) {
        let Some(map) = self.map_of(address + 1).map(|id| self.maps.map(id)) else { return };
        if map.dictionary {
            self.each_in_dictionary(address, false, &mut |p| {
                if !p.accessor {
                    each(p.key, p.value);
                }
            });
            return;
        }
        for property in self.properties(&map).iter() {
            let accessor = property.accessor && matches!(property.place, Place::Constant(_));
            if let Some(value) = self.value(address, property.place).filter(|_| !accessor) {
                each(property.key, value);
            }
        }
    }

    /// What an error is called: the nearest property `name` of it and its prototypes.
    fn error_name(&self, address: u64) -> Option<String> {
        let mut at = address;
        for _ in 0..DEEPEST {
            if let Some(name) = self.text_property(at, "name") {
                return Some(name);
            }
            let map = self.maps.map(self.map_of(at + 1)?);
            at = object_of(map.prototype)?;
        }
        None
    }

    fn error_stack(&self, address: u64, message: Option<&str>, form: Form) -> Option<String> {
        let mut written = None;
        let mut calls = None;
        self.each_own(address, &mut |key, value| {
            if self.kind_of(key) != Some(Kind::Symbol) {
                return;
            }
            match self.kind_of(value).filter(|_| value & 3 == 1) {
                Some(Kind::Array) if calls.is_none() => calls = object_of(value),
                Some(Kind::String) if written.is_none() => {
                    written =
                        self.text(value, LONGEST).map(|(text, _)| text).filter(|t| t.contains("\n    at "));
                }
                _ => {}
            }
        });
        if written.is_some() {
            return written;
        }
        let calls = self.error_calls(calls?, form);
        if calls.is_empty() {
            return None;
        }
        let name = self.error_name(address).unwrap_or_else(|| "Error".to_owned());
        let mut text = match message.filter(|text| !text.is_empty()) {
            Some(message) => format!("{name}: {message}"),
            None => name,
        };
        for call in calls {
            let _ = write!(text, "\n    at {call}");
        }
        Some(text)
    }

    /// The calls in a list of an error.
    fn error_calls(&self, array: u64, form: Form) -> Vec<String> {
        let count = self.array_length(array).unwrap_or(0);
        let element = |i: u64| self.memory.word(array + 16 + 8 * i);
        let is_call = |word: u64| {
            let map = self.map_of(word).map(|id| self.maps.map(id));
            map.is_some_and(|map| self.kind(&map) == Kind::Struct && u64::from(map.words) > FIELDS)
        };
        let mut calls = Vec::new();
        let mut at = 0;
        while at < count && (calls.len() as u64) < MOST_CALLS {
            let Some(first) = element(at) else { break };
            let fields: Option<Vec<u64>> =
                if is_call(first) && self.call_of(&self.fields_of(first), form).is_some() {
                    at += 1;
                    Some(self.fields_of(first))
                } else {
                    let fields = (at..at + FIELDS).map(element).collect();
                    at += FIELDS;
                    fields
                };
            match fields.and_then(|fields| self.call_of(&fields, form)) {
                Some(call) => calls.push(call),
                None => break,
            }
        }
        calls
    }

    fn fields_of(&self, word: u64) -> Vec<u64> {
        (1..=FIELDS).map_while(|i| self.memory.word(word - 1 + 8 * i)).collect()
    }

    /// A call as a line of a stack.
    fn call_of(&self, fields: &[u64], form: Form) -> Option<String> {
        let &[first, second, third, offset, fifth, sixth] = fields else { return None };
        let is_function = |word: u64| word & 3 == 1 && self.kind_of(word) == Some(Kind::JsFunction);
        let is_code = |word: u64| {
            matches!(
                self.kind_of(word),
                Some(Kind::Bytecode | Kind::Code | Kind::Instructions | Kind::CodeData)
            )
        };
        let (function, code) = if is_function(second) && is_code(third) {
            (second, third)
        } else if is_function(third) {
            (third, first)
        } else {
            return None;
        };
        let shared = self.shared(function - 1)?;
        let name = self.shared_name(shared).and_then(|name| self.name(name)).filter(|name| !name.is_empty());
        let small = |word: u64| (word & 1 == 0).then_some(word >> 32);
        // Where parameters come first, those are a list.
        let flags = small(fifth).or_else(|| small(sixth))?;
        let place = self.call_place(shared, code, small(offset)?, form);
        let mut line = String::new();
        for (bit, word) in [(ASYNC, "async "), (CONSTRUCT, "new ")] {
            if flags & bit != 0 {
                line.push_str(word);
            }
        }
        match (name, place) {
            (Some(name), Some(place)) => {
                let _ = write!(line, "{name} ({place})");
            }
            (Some(name), None) => line.push_str(&name),
            (None, Some(place)) => line.push_str(&place),
            (None, None) => line.push_str("<anonymous>"),
        }
        Some(line)
    }

    /// `/srv/app.js:12:7`; the script alone if the place is not known.
    fn call_place(&self, shared: u64, code: u64, offset: u64, form: Form) -> Option<String> {
        let script = self.shared_script(shared)?;
        let file = self.memory.word(script + self.offsets.script_name).and_then(|name| self.name(name))?;
        let array = if self.kind_of(code) == Some(Kind::Bytecode) {
            object_of(code)
        } else {
            self.kind_of(code).filter(|&kind| kind == Kind::Struct).and_then(|_| {
                let words = [8, 16].into_iter().filter_map(|at| self.memory.word(code - 1 + at));
                words.into_iter().find(|&word| self.kind_of(word) == Some(Kind::Bytecode)).and_then(object_of)
            })
        };
        let position = array.and_then(|array| self.source_offset(array, i64::try_from(offset).ok()?, form));
        let place = position.and_then(|(offset, _)| self.lines(script).place(offset));
        Some(match place {
            Some((line, column)) => format!("{file}:{line}:{column}"),
            None => file,
        })
    }
}
