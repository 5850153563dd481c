//! What a stream begins with: metadata and declarations.

use heap_base::Result;
use heap_record::{Declared, FieldKind, Fields, IdRule, Retains, Role, Sink, field as f, head};

use crate::kinds::{KINDS, Kind};
use crate::scan::Scan;

/// Edge subtypes, by the number that edges say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum EdgeType {
    /// An instance variable, or a member of a Struct.
    Property = 1,
    /// An element of an array.
    Element,
    /// A local variable that a closure or a binding keeps.
    Variable,
    /// A key or a value of a hash, or its default.
    Entry,
    /// Any other reference.
    Reference,
    /// To the class.
    Class,
    /// From a class to the one above it.
    Super,
    /// From a root.
    Root,
    /// From code to what its text refers to: constants, classes, methods.
    Constant,
}

use FieldKind::{Address, Boolean, Float, Integer, String, Text, Value};

const RECORDS: [(&str, Fields<'static>); 3] = [
    (
        "node",
        &[
            f("subtype", Integer),
            f("identifier", Value),
            f("heap.size", Integer),
            f("heap.class", String),
            f("heap.name", String),
            f("ruby.class", Value),
            f("ruby.superclass", Value),
            f("ruby.slot_size", Integer),
            f("ruby.shape", Integer),
            f("ruby.bytesize", Integer),
            f("ruby.capacity", Integer),
            f("ruby.encoding", String),
            f("ruby.coderange", String),
            f("ruby.size", Integer),
            f("ruby.ivars", Integer),
            f("ruby.fd", Integer),
            f("ruby.struct", String),
            f("ruby.value", String),
            f("ruby.node_type", String),
            f("ruby.called", String),
            f("ruby.receiver_class", Value),
            f("ruby.frozen", Boolean),
            f("ruby.embedded", Boolean),
            f("ruby.shared", Boolean),
            f("ruby.fstring", Boolean),
            f("ruby.broken", Boolean),
            f("ruby.chilled", Boolean),
            f("ruby.singleton", Boolean),
            f("ruby.complex_shape", Boolean),
            f("ruby.file", String),
            f("ruby.line", Integer),
            f("ruby.method", String),
            f("ruby.generation", Integer),
            f("ruby.flags", Text),
        ],
    ),
    ("edge", &[f("subtype", Integer), f("source", Value), f("dest", Value), f("label", String)]),
    (
        "ruby.shape",
        &[
            f("id", Integer),
            f("address", Address),
            f("parent", Integer),
            f("kind", String),
            f("name", String),
            f("depth", Integer),
            f("edges", Integer),
            f("size", Integer),
        ],
    ),
];

const ARRAY: Fields<'static> = &[f("length", Integer)];
const STRING: Fields<'static> = &[f("length", Integer), f("data", String)];
const FLOAT: Fields<'static> = &[f("value", Float)];

/// The fields that only nodes of a kind have.
fn own(kind: Kind) -> Fields<'static> {
    match kind {
        Kind::ARRAY => ARRAY,
        Kind::STRING => STRING,
        Kind::FLOAT => FLOAT,
        _ => &[],
    }
}

const EDGES: [(EdgeType, &str, Role); 9] = [
    (EdgeType::Property, "object property", Role::Member),
    (EdgeType::Element, "array element", Role::Element),
    (EdgeType::Variable, "closure variable", Role::Variable),
    (EdgeType::Entry, "ruby.entry", Role::Element),
    (EdgeType::Reference, "ruby.reference", Role::Inner),
    (EdgeType::Class, "ruby.class", Role::Inner),
    (EdgeType::Super, "ruby.super", Role::Inner),
    (EdgeType::Root, "ruby.root", Role::Inner),
    (EdgeType::Constant, "ruby.constant", Role::Inner),
];

/// Classes of Ruby and of what it loads by itself. Those of errors are not among them: programs raise them to say what is
/// wrong with them. Nor are Hash and Array, whose entries the program names.
const RUNTIME: &[&str] = &[
    // What lies at the top level is held by Object, whose singleton leads to it and names nothing.
    "#<Class:BasicObject>",
    "#<Class:Object>",
    "Binding",
    "Bundler",
    "Bundler::*",
    "ConditionVariable",
    "Data",
    "Delegator",
    "DidYouMean",
    "DidYouMean::*",
    "Dir",
    "Encoding",
    "Encoding::*",
    "Enumerator",
    "Enumerator::*",
    "ErrorHighlight",
    "ErrorHighlight::*",
    "Fiber",
    "Fiber::*",
    "File",
    "File::*",
    "Gem",
    "Gem::*",
    "IO",
    "IO::*",
    "Kernel",
    "MatchData",
    "Method",
    "Monitor",
    "MonitorMixin",
    "MonitorMixin::*",
    "Mutex",
    "ObjectSpace",
    "ObjectSpace::*",
    "Proc",
    "Process",
    "Process::*",
    "Queue",
    "Ractor",
    "Ractor::*",
    "Random",
    "Random::*",
    "Range",
    "RbConfig",
    "RubyVM",
    "RubyVM::*",
    "Set",
    "SimpleDelegator",
    "SizedQueue",
    "StringIO",
    "Thread",
    "Thread::*",
    "ThreadGroup",
    "Time",
    "TracePoint",
    "UnboundMethod",
    "WeakRef",
];

/// Emits the metadata that all dumps of a file share, and the declarations.
pub(crate) fn head(sink: &mut dyn Sink) -> Result {
    head::begin(sink, crate::FORMAT, IdRule::Address)?;
    // Addresses are used again, so the class is compared too, and the generation where allocations are traced.
    head::metadata(sink, "heap.identity", "identifier ruby.generation")
}

const NO_ROOTS: &str = "the dump has no roots: one of dump_all(since: N) lacks all objects that are older, and what holds \
                        its objects; else its beginning is missing";

/// Says that the last dump of a file was chosen, behind so many others.
pub(crate) fn others(before: u64, sink: &mut dyn Sink) -> Result {
    let which = match before {
        1 => "@0 is the one before it".to_owned(),
        _ => format!("@0 to @{} are those before it", before - 1),
    };
    let note =
        format!("{} dumps in one file, this is the last: {which}, and @all is all of them", before + 1);
    head::metadata(sink, "ruby.note", &note)
}

/// Emits the metadata of one dump.
pub(crate) fn snapshot(scan: &Scan, sink: &mut dyn Sink) -> Result {
    for number in 0..scan.roots.len() {
        head::metadata(sink, "heap.root", &root_id(number).to_string())?;
    }
    if scan.roots.is_empty() {
        // What came since a generation refers to what was there before.
        head::metadata(sink, "heap.dangling", "any *")?;
        head::metadata(sink, "ruby.note", NO_ROOTS)?;
    }
    if let Some((lost, all)) = scan.lost() {
        let note = format!(
            "{lost} of {all} references of the roots end at no object of the dump: most of it is missing, as of one that was \
             cut at the end of a line"
        );
        head::metadata(sink, "ruby.note", &note)?;
    }
    if !scan.repeated.is_empty() {
        let note = format!(
            "addresses that several lines have: {}; of these the last line counts, but lines of two dumps that were mixed, \
             as by sort, are no heap",
            scan.repeated.len()
        );
        head::metadata(sink, "ruby.note", &note)?;
    }
    RUNTIME.iter().try_for_each(|names| head::metadata(sink, "heap.runtime", names))?;
    head::metadata(sink, "heap.thread", "Thread")?;
    head::metadata(sink, "heap.threads", "Ractor")?;
    head::metadata(sink, "ruby.form", scan.form())?;
    for (key, count) in [
        ("ruby.traced", scan.traced),
        ("ruby.free_slots", scan.free_slots),
        ("ruby.repeated", scan.repeated.len() as u64),
        ("ruby.repaired", scan.repaired),
        ("ruby.damaged", scan.damaged),
    ] {
        if count > 0 {
            head::metadata(sink, key, &count.to_string())?;
        }
    }
    Ok(())
}

/// Emits the declarations; `others` are the kinds behind the known ones.
pub(crate) fn declarations(others: &[std::string::String], sink: &mut dyn Sink) -> Result {
    for (name, fields) in RECORDS {
        sink.declare(&Declared::Record { name, fields }.into())?;
    }
    let known = KINDS.iter().map(|(_, name)| *name);
    for (number, name) in known.chain(others.iter().map(std::string::String::as_str)).enumerate() {
        let kind = Kind(number as u32);
        let fields = own(kind);
        let table = (!fields.is_empty()).then_some(name);
        sink.declare(&Declared::Node { id: kind.subtype(), name, table, fields }.into())?;
    }
    for (id, name, role) in EDGES {
        sink.declare(
            &Declared::Edge { id: id as u32, name, retains: Retains::Yes, role: Some(role), rest: b"" }
                .into(),
        )?;
    }
    Ok(())
}

/// The identifier of the node for roots of one name. Objects have even addresses below 2^63, in practice.
pub(crate) fn root_id(number: usize) -> heap_record::Value {
    -(number as i64) * 2 - 1
}
