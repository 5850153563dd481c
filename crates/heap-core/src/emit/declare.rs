//! What a stream from a core begins with: metadata and declarations.

use heap_base::Result;
use heap_record::{Declared, FieldKind, Fields, IdRule, Retains, Role, Sink, field as f, head};

use crate::elf::signal_name;
use crate::heap::{Heap, Walked};
use crate::objects::Link;

/// Node subtypes, by the number that nodes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub(crate) enum NodeType {
    Array = 1,
    Object,
    Flat,
    Cons,
    Sliced,
    Code,
    Closure,
    Function,
    RegExp,
    Date,
    Number,
    Native,
    Oddball,
    /// Arrays of V8's own.
    Backing,
    /// Other objects of V8's own.
    Hidden,
    Symbol,
    BigInt,
    /// Maps and what describes them.
    ObjectShape,
    Root,
    Thread,
    Frame,
}

use FieldKind::{Address, Boolean, Float, Integer, String, Text, Value};

const RECORDS: [(&str, Fields<'static>); 2] = [
    (
        "node",
        &[
            f("subtype", Integer),
            f("identifier", Value),
            f("heap.size", Integer),
            f("heap.class", String),
            f("heap.name", String),
            f("heap.external", Integer),
            f("v8.thin", Boolean),
            f("v8.byte_offset", Integer),
            f("v8.byte_length", Integer),
            f("v8.state", Text),
            f("v8.fd", Integer),
            f("v8.message", Text),
            f("v8.stack", Text),
            f("v8.line", Integer),
            f("v8.column", Integer),
            f("v8.tier", Text),
            f("v8.construct", Boolean),
            f("v8.partial", Boolean),
            f("v8.scanned", Boolean),
            f("v8.pc", Integer),
            f("v8.lwp", Integer),
        ],
    ),
    (
        "edge",
        &[
            f("subtype", Integer),
            f("source", Value),
            f("dest", Value),
            f("label", String),
            f("heap.value", Float),
            f("heap.key", Value),
            f("heap.table", Value),
        ],
    ),
];

const NODES: [(NodeType, &str, Fields<'static>); 21] = [
    (NodeType::Array, "array", &[f("length", Integer)]),
    (NodeType::Object, "object", &[f("constructor", Value)]),
    (NodeType::Flat, "string_flat", &[f("length", Integer), f("data", String)]),
    (NodeType::Cons, "string_cons", &[f("length", Integer), f("s1", Value), f("s2", Value)]),
    (NodeType::Sliced, "string_sliced", &[f("length", Integer), f("source", Value), f("offset", Integer)]),
    (NodeType::Code, "code", &[]),
    (NodeType::Closure, "closure", &[f("metadata", Value)]),
    (
        NodeType::Function,
        "function_metadata",
        &[f("name", String), f("script_name", String), f("position", Integer)],
    ),
    (NodeType::RegExp, "regular_expression", &[f("source", String), f("flags", String)]),
    (NodeType::Date, "date", &[f("timestamp", Float)]),
    (NodeType::Number, "heap_number", &[f("value", Float)]),
    (NodeType::Native, "native", &[f("address", Address)]),
    (NodeType::Oddball, "oddball", &[f("name", String)]),
    (NodeType::Backing, "v8.array", &[]),
    (NodeType::Hidden, "v8.hidden", &[]),
    (NodeType::Symbol, "v8.symbol", &[]),
    (NodeType::BigInt, "v8.bigint", &[f("value", Text)]),
    (NodeType::ObjectShape, "v8.object_shape", &[]),
    (NodeType::Root, "heap.root", &[]),
    (NodeType::Thread, "heap.thread", &[]),
    (
        NodeType::Frame,
        "heap.frame",
        &[f("function", String), f("script_name", String), f("line", Integer), f("column", Integer)],
    ),
];

/// Edge subtypes from stacks and roots, behind those of [`Link`].
pub(crate) const FIRST_STACK_EDGE: u32 = 20;
pub(crate) const EDGE_FRAME: u32 = FIRST_STACK_EDGE;
pub(crate) const EDGE_RECEIVER: u32 = FIRST_STACK_EDGE + 1;
pub(crate) const EDGE_ARGUMENT: u32 = FIRST_STACK_EDGE + 2;
pub(crate) const EDGE_ROOT: u32 = FIRST_STACK_EDGE + 3;
pub(crate) const EDGE_GLOBAL: u32 = FIRST_STACK_EDGE + 4;
pub(crate) const EDGE_LOCAL: u32 = FIRST_STACK_EDGE + 5;
pub(crate) const EDGE_AWAITS: u32 = FIRST_STACK_EDGE + 6;

const EDGES: [(u32, &str, Retains, Role); 16] = [
    (edge_type(Link::Property), "object property", Retains::Yes, Role::Member),
    (edge_type(Link::Element), "array element", Retains::Yes, Role::Element),
    (edge_type(Link::Variable), "closure variable", Retains::Yes, Role::Variable),
    (edge_type(Link::Internal), "v8.internal", Retains::Yes, Role::Inner),
    (edge_type(Link::Hidden), "v8.hidden", Retains::Yes, Role::Inner),
    (edge_type(Link::Weak), "v8.weak", Retains::No, Role::Inner),
    (edge_type(Link::EntryKey), "v8.key", Retains::Yes, Role::Element),
    (edge_type(Link::EntryValue), "v8.value", Retains::Yes, Role::Element),
    // The table's half of a WeakMap's entry: the value lives as long as the key, `heap.key`.
    (edge_type(Link::Ephemeron), "v8.ephemeron", Retains::No, Role::Inner),
    (EDGE_FRAME, "heap.frame", Retains::Yes, Role::Inner),
    (EDGE_RECEIVER, "heap.receiver", Retains::Yes, Role::Variable),
    (EDGE_ARGUMENT, "heap.argument", Retains::Yes, Role::Variable),
    (EDGE_ROOT, "heap.reference", Retains::Yes, Role::Inner),
    // As snapshots call those to the global objects.
    (EDGE_GLOBAL, "v8.shortcut", Retains::Root, Role::Inner),
    (EDGE_LOCAL, "heap.local", Retains::Yes, Role::Variable),
    (EDGE_AWAITS, "heap.awaits", Retains::No, Role::Inner),
];

/// The number of an edge subtype.
pub(crate) const fn edge_type(link: Link) -> u32 {
    link as u32 + 1
}

/// Delivers what the core says of itself.
pub(super) fn metadata(heap: &Heap, sink: &mut dyn Sink) -> Result {
    let source = if heap.notes.live.is_some() { "process" } else { crate::FORMAT };
    head::begin(sink, source, IdRule::Address)?;
    let mut emit = |key: &str, value: &str| head::metadata(sink, key, value);
    // Names of Node's own scripts, which those of files cannot be.
    emit("heap.runtime", "node:*")?;
    if let Some(pid) = heap.notes.pid {
        emit("target_pid", &pid.to_string())?;
    }
    // The notes have the first 80 bytes.
    let start = heap.start().unwrap_or_default();
    let all = Some(start.arguments.join(" ")).filter(|all| !all.is_empty());
    if let Some(arguments) = all.as_ref().or(heap.notes.arguments.as_ref()) {
        emit("target_psargs", arguments)?;
    }
    for argument in &start.arguments {
        emit("core.argument", argument)?;
    }
    for variable in &start.environment {
        emit("core.environment", variable)?;
    }
    if let Some((signal, sender)) = heap.notes.signal {
        emit("target_signal_sig", &signal_name(signal).map_or_else(|| signal.to_string(), str::to_owned))?;
        if let Some(sender) = sender {
            emit("target_signal_pid", &sender.to_string())?;
        }
    }
    if let Some(live) = &heap.notes.live {
        emit("target_hostname", &live.host)?;
        emit("crtime", &live.time)?;
        if live.left_out > 0 {
            emit("core.left_out_bytes", &live.left_out.to_string())?;
        }
    }
    emit("target_model", "LP64")?;
    if let Some(version) = &heap.version.v8 {
        emit("v8.version", version)?;
    }
    if let Some(version) = &heap.version.node {
        emit("v8.node", version)?;
    }
    emit("v8.constants", &heap.constants.source)?;
    if heap.missing > 0 {
        emit("core.missing_bytes", &heap.missing.to_string())?;
    }
    Ok(())
}

/// The metadata of what a reader of the stream should know: heap-check has a row for each.
const WARNING: &str = "core.warning";

/// Pages of which a larger part than one in this many is no object were not understood, or are damaged.
const SOUND: u64 = 20;

/// Delivers what holds for one isolate: its roots, of which the global objects are the program's, and how well its pages
/// were understood.
pub(super) fn isolate(globals: &[i64], kinds: &str, walked: Walked, sink: &mut dyn Sink) -> Result {
    let mut emit = |key: &str, value: &str| head::metadata(sink, key, value);
    emit("core.roots", kinds)?;
    emit("core.skipped_bytes", &walked.skipped.to_string())?;
    emit("core.page_bytes", &walked.area.to_string())?;
    if walked.skipped > walked.area / SOUND {
        let Walked { skipped, area, .. } = walked;
        emit(WARNING, &format!("{skipped} of {area} bytes of heap pages belong to no object"))?;
    }
    if walked.unsure > walked.objects / SOUND {
        emit(WARNING, &format!("behind {} of {} objects none begins", walked.unsure, walked.objects))?;
    }
    emit("heap.root", &super::roots::ROOT.to_string())?;
    globals.iter().try_for_each(|global| emit("heap.user_root", &global.to_string()))
}

/// Delivers the declarations.
pub(super) fn declarations(sink: &mut dyn Sink) -> Result {
    for (name, fields) in RECORDS {
        sink.declare(&Declared::Record { name, fields }.into())?;
    }
    for (id, name, fields) in NODES {
        // The draft gives code no table.
        let table = (!fields.is_empty()).then_some(name);
        sink.declare(&Declared::Node { id: id as u32, name, table, fields }.into())?;
    }
    for (id, name, retains, role) in EDGES {
        sink.declare(&Declared::Edge { id, name, retains, role: Some(role), rest: &[] }.into())?;
    }
    Ok(())
}
