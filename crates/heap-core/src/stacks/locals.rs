//! Variables of a call that waits, by name.
//!
//! V8 keeps the names of variables that functions inside see, with their scope. All others are in registers without names.
//! A name is given to a register only if source and bytecode agree: the table of positions has a statement where the
//! variable gets its first value, and the code from there to where the value ends writes the register. Registers of
//! variables come before those for values in between, so it is the first one that is written there:
//!
//! ```text
//! const label = 'truck-' + id;        18: LdaConstant     entry at the value
//!               ^                     20: Star r9         in between
//!                                     24: Add r9
//!                                     27: Star r1         label
//! ```

use std::rc::Rc;

use crate::heap::Heap;
use crate::objects::Kind;
use crate::space::object_of;

use super::bytecodes::{Bytecodes, Set};
use super::compiled::offset_of;
use super::declared::declared;
use super::position::{Entries, Form};
use super::suspended::Suspended;

/// Units of a function that are taken apart.
const MOST_SOURCE: u64 = 1 << 18;
/// Scopes around each other.
const DEEPEST: usize = 1 << 8;
/// Variables of one scope.
const MOST_VARIABLES: u64 = 1 << 12;
/// Parameters of one function.
const MOST_PARAMETERS: u64 = 1 << 12;

/// A variable and its value, a tagged word.
pub(crate) type Local = (String, u64);

/// A variable that has a register.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    register: u64,
    /// Offset of the bytecode that gives it its first value.
    code: i64,
    /// The part of the script in which it is seen.
    scope: (u32, u32),
}

/// What is known of a function's variables.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    parameters: Vec<String>,
    registers: Vec<Named>,
    /// The register that holds the generator.
    own: u64,
}

impl Heap {
    /// The arguments of a call that waits, and its variables.
    pub(crate) fn variables(&self, call: &Suspended, form: Form) -> (Vec<Local>, Vec<Local>) {
        let Some(shared) = self.shared(call.function) else { return (Vec::new(), Vec::new()) };
        let mut scoped = self.scoped(call);
        let variables = self.variables_of(shared, call.bytecode.map(|(array, _)| array), form);
        let saved = self.memory.word(call.generator + 72).and_then(object_of);
        let count = saved.and_then(|array| self.array_length(array)).unwrap_or(0);
        let value = |index: u64| {
            let array = saved.filter(|_| index < count)?;
            self.memory.word(array + 16 + 8 * index).filter(|&word| self.is_value(word))
        };
        // Behind the arguments come the registers, of which one holds the generator.
        let generator = (0..count).find(|&i| value(i) == Some(call.generator + 1));
        let parameters = generator.and_then(|at| at.checked_sub(variables.own));
        let mut arguments = Vec::new();
        for number in 0..parameters.unwrap_or(0).min(MOST_PARAMETERS) {
            let name = variables.parameters.get(number as usize).filter(|name| !name.is_empty());
            let inner = name.and_then(|name| scoped.iter().position(|(other, _)| other == name));
            let word = match inner {
                Some(at) => Some(scoped.remove(at).1),
                None => value(number),
            };
            let name = name.cloned().unwrap_or_default();
            arguments.extend(word.map(|word| (name, word)));
        }
        let mut locals = Vec::new();
        if let (Some(parameters), Some((_, at)), Some(offset)) = (parameters, call.bytecode, call.offset) {
            let seen = |named: &&Named| named.code < at && (named.scope.0..named.scope.1).contains(&offset);
            for named in variables.registers.iter().filter(seen) {
                let hidden = variables.registers.iter().filter(seen).any(|other| {
                    other.name == named.name && other.scope != named.scope && other.scope.0 >= named.scope.0
                });
                if !hidden && scoped.iter().all(|(name, _)| *name != named.name) {
                    locals.extend(value(parameters + named.register).map(|word| (named.name.clone(), word)));
                }
            }
        }
        locals.append(&mut scoped);
        (arguments, locals)
    }

    /// Whether a word is a value of JavaScript, and not what stands for one that is missing or was given up.
    fn is_value(&self, word: u64) -> bool {
        if self.known.is_hole(word) {
            return false;
        }
        match self.kind_of(word).filter(|_| word & 1 == 1) {
            None => word & 1 == 0,
            Some(Kind::Hole) => false,
            Some(Kind::Oddball) => {
                let text = self.memory.word(word - 1 + 16).and_then(|text| self.name(text));
                matches!(text.as_deref(), Some("undefined" | "null" | "true" | "false"))
            }
            Some(_) => true,
        }
    }

    /// Variables in scopes of the call's own: from where it waits out to where the function was made.
    fn scoped(&self, call: &Suspended) -> Vec<Local> {
        let outer = self.memory.word(call.function + self.offsets.function_context).unwrap_or(0);
        let mut found: Vec<Local> = Vec::new();
        let mut word = call.context;
        for _ in 0..DEEPEST {
            let Some(at) = object_of(word).filter(|_| self.kind_of(word) == Some(Kind::Context)) else {
                break;
            };
            if word == outer {
                break;
            }
            let length = self.memory.word(at + 8).unwrap_or(0) >> 32;
            let scope = self.memory.word(at + 16).and_then(|word| self.scope(word));
            let names = scope.as_ref().map_or(&[][..], |scope| &scope.variables);
            let first = 2 + u64::from(length == names.len() as u64 + 3);
            for (slot, &name) in (first..length.min(MOST_VARIABLES)).zip(names) {
                let value = self.memory.word(at + 16 + 8 * slot).filter(|&word| self.is_value(word));
                let name = self.name(name).filter(|name| !name.starts_with('.'));
                if let (Some(name), Some(value)) = (name, value)
                    && found.iter().all(|(other, _)| *other != name)
                {
                    found.push((name, value));
                }
            }
            word = self.memory.word(at + 24).unwrap_or(0);
        }
        found
    }

    fn variables_of(&self, shared: u64, bytecodes: Option<u64>, form: Form) -> Rc<Variables> {
        if let Some(known) = self.variables.borrow().get(&shared) {
            return Rc::clone(known);
        }
        let found = bytecodes.and_then(|array| self.read_variables(shared, array, form));
        let found = Rc::new(found.unwrap_or_default());
        self.variables.borrow_mut().insert(shared, Rc::clone(&found));
        found
    }

    fn read_variables(&self, shared: u64, array: u64, form: Form) -> Option<Variables> {
        let set = Set::of(self.version.v8.as_deref()?)?;
        let count = self.memory.word(array + 8).filter(|w| w & 1 == 0)? >> 32;
        let bytes = self.memory.bytes(array + self.offsets.bytecodes, count.min(self.room(array)));
        let mut all = Bytecodes::new(&bytes, set.lengths);
        let mut written = Vec::new();
        let mut own = None;
        for bytecode in all.by_ref() {
            // It begins with a jump to where it waits, which names the generator.
            if bytecode.at == 0 {
                own = bytecode.operand(0).and_then(|operand| set.register(operand));
            }
            written.extend(set.written(&bytecode).map(|register| (bytecode.at as i64, register)));
        }
        let own = own.filter(|_| all.is_whole())?;
        let (start, end) = self.shared_position(shared)?;
        let script = self.shared_script(shared)?;
        let mut units = Vec::new();
        let length = u64::from(end - start);
        if length <= MOST_SOURCE {
            let source = self.memory.word(script + self.offsets.script_source)?;
            self.part(source, start.into(), length, &mut units);
        }
        let parameters = super::arguments::parameters(&String::from_utf16_lossy(&units));
        let table = self.byte_array(self.memory.word(array + self.offsets.positions)?)?;
        let entries: Vec<(i64, u32, bool)> = Entries::new(&table, form)
            .filter_map(|entry| Some((entry.code, offset_of(entry.position)?, entry.statement)))
            .collect();
        let mut registers: Vec<Named> = Vec::new();
        for variable in declared(&units) {
            let range = start + variable.at..start + variable.end.max(variable.at + 1);
            // A value is a statement somewhere in it, a name stands for itself.
            let begins = |&(_, offset, statement): &(i64, u32, bool)| {
                if variable.given { statement && range.contains(&offset) } else { offset == range.start }
            };
            let Some(last) = entries.iter().rposition(begins) else { continue };
            let from = entries[last].0;
            let behind = entries[last + 1..]
                .iter()
                .find(|&&(_, offset, statement)| statement || !range.contains(&offset))
                .map_or(i64::MAX, |&(code, ..)| code);
            let stores = written.iter().filter(|(at, _)| (from..behind).contains(at));
            // The first of the registers that are written.
            if let Some(&(code, register)) = stores.min_by_key(|&&(at, register)| (register, at)) {
                let scope = (start + variable.scope.0, start + variable.scope.1);
                registers.push(Named { name: variable.name, register, code, scope });
            }
        }
        // Two names of one register: at least one is wrong.
        let numbers: Vec<u64> = registers.iter().map(|named| named.register).collect();
        registers.retain(|named| {
            named.register != own && numbers.iter().filter(|&&number| number == named.register).count() == 1
        });
        Some(Variables { parameters, registers, own })
    }
}
