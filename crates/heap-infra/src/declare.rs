//! What the streams of this crate declare: frames, allocations, the edges among them, and Chromium's own records.

use std::borrow::Cow;

use heap_base::Result;
use heap_record::{Declared, FieldKind, Retains, Role, Sink};

/// Subtype of the root of a process and allocator.
pub(crate) const NODE_ROOT: u32 = 1;
/// Subtype of a stack frame.
pub(crate) const NODE_FRAME: u32 = 2;
/// Subtype of what was allocated at one backtrace with one type.
pub(crate) const NODE_ALLOCATION: u32 = 3;
/// Edge subtype from caller to callee.
pub(crate) const EDGE_CALLS: u32 = 1;
/// Edge subtype from a frame to what it allocated.
pub(crate) const EDGE_ALLOCATED: u32 = 2;

/// Turns names and kinds into declared fields.
pub(crate) fn fields(list: &[(&'static str, FieldKind)]) -> Vec<(Cow<'static, str>, FieldKind)> {
    list.iter().map(|&(name, kind)| (Cow::Borrowed(name), kind)).collect()
}

/// What nodes and edges of stacks and allocations have, whatever the source; `more` are the source's own fields.
pub(crate) fn declare_stacks(sink: &mut dyn Sink, more: &[(&'static str, FieldKind)]) -> Result {
    use FieldKind::{Integer, String, Value};
    let mut common = fields(&[
        ("subtype", Integer),
        ("identifier", Value),
        ("heap.size", Integer),
        ("heap.class", String),
        ("heap.name", String),
        ("heap.count", Integer),
    ]);
    common.extend(fields(more));
    sink.declare(&Declared::Record { name: "node", fields: &common }.into())?;
    let edge = fields(&[("subtype", Integer), ("source", Value), ("dest", Value), ("label", String)]);
    sink.declare(&Declared::Record { name: "edge", fields: &edge }.into())?;
    let frame =
        fields(&[("function", String), ("script_name", String), ("line", Integer), ("column", Integer)]);
    for (id, name, table, own) in [
        (NODE_ROOT, "heap.root", None, &[][..]),
        (NODE_FRAME, "heap.frame", Some("heap_frame"), &frame),
        (NODE_ALLOCATION, "heap.allocation", Some("heap_allocation"), &frame),
    ] {
        sink.declare(&Declared::Node { id, name, table, fields: own }.into())?;
    }
    for (id, name) in [(EDGE_CALLS, "heap.calls"), (EDGE_ALLOCATED, "heap.allocated")] {
        sink.declare(
            &Declared::Edge { id, name, retains: Retains::Yes, role: Some(Role::Inner), rest: b"" }.into(),
        )?;
    }
    Ok(())
}

/// The declarations of a memory-infra stream.
pub(crate) fn declare_chrome(sink: &mut dyn Sink) -> Result {
    use FieldKind::{Address, Boolean, Float, Integer, String, Value};
    declare_stacks(
        sink,
        &[
            ("chrome.pid", Integer),
            ("chrome.allocator", String),
            ("chrome.process", String),
            ("chrome.format", String),
            ("chrome.exact", Boolean),
            ("chrome.skipped", Integer),
            ("chrome.unresolved", Integer),
            ("chrome.unplaced", Integer),
            ("chrome.inconsistent", Integer),
            ("chrome.frame_id", Integer),
            ("chrome.frame_key", String),
            ("chrome.category", String),
            ("chrome.module", String),
            ("chrome.offset", Address),
            ("chrome.type_id", Integer),
            ("chrome.type_key", String),
        ],
    )?;
    let records: [(&str, &[(&str, FieldKind)]); 5] = [
        (
            "chrome.dump",
            &[
                ("pid", Integer),
                ("process", String),
                ("dump_id", String),
                ("trigger", String),
                ("level_of_detail", String),
                ("ts", Float),
            ],
        ),
        (
            "chrome.total",
            &[
                ("pid", Integer),
                ("allocator", String),
                ("attribute", String),
                ("units", String),
                ("value", Integer),
            ],
        ),
        (
            "chrome.type",
            &[
                ("pid", Integer),
                ("type_id", Integer),
                ("type_key", String),
                ("class", String),
                ("recorded", String),
            ],
        ),
        (
            "chrome.region",
            &[
                ("pid", Integer),
                ("start", Address),
                ("size", Integer),
                ("protection", Integer),
                ("file", String),
            ],
        ),
        (
            "chrome.cell",
            &[
                ("frame", Value),
                ("class", String),
                ("size", Integer),
                ("count", Integer),
                ("type_id", Integer),
                ("type_key", String),
            ],
        ),
    ];
    for (name, list) in records {
        sink.declare(&Declared::Record { name, fields: &fields(list) }.into())?;
    }
    Ok(())
}
