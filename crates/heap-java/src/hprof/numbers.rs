//! Numbers by which objects may be known in another dump: addresses do not last.
//!
//! Boxes and UUIDs are numbers themselves. Of instances of the program's classes the fields of four and eight bytes say what
//! they are, an identifier or a time; what is small is a count, a size or a state as often, and takes memory in all objects. A field
//! whose name says that it changes, as `lastSeen` and `hitCount` do, says nothing of what has it.

use std::hash::BuildHasher as _;
use std::sync::LazyLock;

use heap_base::hash::{Seed, mark};
use heap_record::numbers::{self, NumberMark};

use super::classes::{Class, NONE, Role};
use super::dump::Dump;
use super::scan::Scan;
use super::values::{Number, bits, number};
use crate::emit::is_runtimes;
use crate::layout::Kind;
use crate::strings::Strings;

/// Numbers of fields nearer to zero say nothing.
const LEAST: u64 = 1024;
/// Fields of a class at most.
const FIELDS: usize = 8;
/// Bytes of a number that is drawn so that it comes once in the world.
const WIDE: u64 = 16;

/// Words in the name of a field that changes while the object is there, whatever the case.
const CHANGING: [&str; 12] = [
    "last", "latest", "seen", "used", "accessed", "touched", "updated", "modified", "count", "counter",
    "hits", "total",
];

/// A field of an instance that may have such a number: where it stands in the body, its type, its group, and the mark of its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberField {
    offset: u32,
    kind: Kind,
    group: u32,
    name: u64,
}

/// The fields that may have such numbers, of all classes with instances.
pub(crate) fn plans(scan: &mut Scan, strings: &Strings) -> Vec<NumberField> {
    let mut plans = Vec::new();
    for number in 0..scan.classes.len() {
        let Some(class) = scan.classes.get(number) else { break };
        let start = plans.len();
        // So a field never stands beyond the body of an instance that the file has.
        if class.instances > 0 && class.body == u64::from(class.first_body) {
            plan(scan, class, strings, &mut plans);
            plans.truncate(start + FIELDS);
        }
        if let Some(class) = scan.classes.get_mut(number) {
            class.numbers = (start as u32, plans.len() as u32);
        }
    }
    plans
}

fn plan(scan: &Scan, class: &Class, strings: &Strings, plans: &mut Vec<NumberField>) {
    let size = usize::from(scan.header.id_size);
    let is_number = class.role == Role::Number;
    let (mut offset, mut next, mut taken) = (0, Some(class), 0);
    while let Some(declaring) = next {
        let name = strings.text(declaring.text);
        let is_programs = is_number || !is_runtimes(name);
        for field in scan.classes.fields(declaring) {
            let fits = matches!(field.kind, Kind::Int | Kind::Long | Kind::Float | Kind::Double)
                && (is_number || !changes(scan.names.bytes(field.name).unwrap_or_default()));
            if is_programs && fits {
                let own = scan.names.bytes(field.name);
                let group = numbers::group(own.unwrap_or_default(), &mut taken);
                plans.push(NumberField { offset, kind: field.kind, group, name: mark((name, own)) });
            }
            offset += field.kind.bytes_in(size) as u32;
        }
        next = if declaring.parent == NONE { None } else { scan.classes.get(declaring.parent) };
    }
}

/// Whether the name of a field says that another number may come in its place.
fn changes(name: &[u8]) -> bool {
    name.chunk_by(|last, next| last.is_ascii_alphabetic() && next.is_ascii_lowercase())
        .any(|word| CHANGING.iter().any(|of| word.eq_ignore_ascii_case(of.as_bytes())))
}

/// Appends what an instance of a class with this body may be known by.
pub(crate) fn push(dump: &Dump, class: &Class, body: &[u8], own: &mut Vec<u8>) {
    let Some(fields) = &dump.numbers else { return };
    let fields = &fields[class.numbers.0 as usize..class.numbers.1 as usize];
    let bits = |field: &NumberField| bits(&body[field.offset as usize..], field.kind);
    let mut marks = [NumberMark::default(); numbers::MOST];
    let mut count = 0;
    if class.role == Role::Number {
        let whole = fields.iter().fold(0, |whole, field| hash(whole ^ field.name, bits(field)));
        let bytes: u64 = fields.iter().map(|field| field.kind.bytes()).sum();
        (marks[0], count) = (NumberMark::boxed(whole, bytes >= WIDE), 1);
    }
    let is_fixed = class.role == Role::Record;
    for field in fields.iter().filter(|_| class.role != Role::Number) {
        let bits = bits(field);
        if count < marks.len() && says_something(number(field.kind, bits)) {
            marks[count] = NumberMark::field(field.group, hash(field.name, bits), is_fixed);
            count += 1;
        }
    }
    if is_fixed && count == 0 {
        // One that all have says that its texts do not change.
        (marks[0], count) = (NumberMark::field(1, 0, true), 1);
    }
    numbers::push(own, &marks[..count]);
}

/// All dumps that this process reads have one seed.
fn hash(name: u64, bits: u64) -> u64 {
    static SEED: LazyLock<Seed> = LazyLock::new(Seed::default);
    SEED.hash_one((name, bits))
}

fn says_something(number: Number) -> bool {
    match number {
        Number::Small(n) => n.unsigned_abs() >= LEAST,
        Number::Long(_) => true,
        Number::Float(x) => x.is_finite() && (x.fract() != 0.0 || x.abs() >= LEAST as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::changes;

    #[test]
    fn the_name_of_a_field_says_that_it_changes() {
        for name in ["lastSeen", "last_seen", "hitCount", "_count", "used", "count2", "Last"] {
            assert!(changes(name.as_bytes()), "{name}");
        }
        for name in ["id", "account", "accountId", "country", "elastic", "due", "", "focused"] {
            assert!(!changes(name.as_bytes()), "{name}");
        }
    }
}
