//! What a stream from MoarVM begins with: metadata and declarations.

use heap_base::Result;
use heap_record::{Declared, FieldKind, Fields, IdRule, Retains, Role, SnapshotSelector, field as f, head};

use super::Emitter;
use super::edges::{INTERGEN, REFERENCE};
use crate::kinds;

use FieldKind::{Integer, String, Text, Value};

const RECORDS: [(&str, Fields<'static>); 5] = [
    (
        "node",
        &[
            f("subtype", Integer),
            f("identifier", Value),
            f("heap.size", Integer),
            f("heap.class", String),
            f("heap.name", String),
            f("heap.external", Integer),
            f("moar.type", Integer),
            f("moar.frame", Integer),
            f("moar.type_or_frame", Integer),
        ],
    ),
    (
        "edge",
        &[
            f("subtype", Integer),
            f("source", Value),
            f("dest", Value),
            f("label", String),
            f("moar.index", Integer),
            f("moar.description", Integer),
        ],
    ),
    ("moar.type", &[f("index", Integer), f("repr", String), f("name", String)]),
    (
        "moar.static_frame",
        &[f("index", Integer), f("name", String), f("cuid", String), f("line", Integer), f("file", String)],
    ),
    ("moar.highscore", &[f("order", Text), f("rank", Integer), f("id", Integer), f("score", Integer)]),
];

/// Classes of the virtual machine, the compiler, and the language's own containers and texts.
const RUNTIME: &[&str] = &[
    "BOOT*",
    "NQP*",
    "Perl6::*",
    "QRegex::*",
    "QAST::*",
    "MAST::*",
    "MoarVM::*",
    "HLL::*",
    "CompUnit*",
    "Distribution::*",
    "Rakudo::*",
    "ContainerDescriptor*",
    "StaticFrameSpesh",
    "SpeshLog",
    "SCRef",
    "VMString",
    "ParseShared",
    "NFAType",
    "MultiToIncorporate",
    "Stash",
    "Scalar",
    "Array",
    "Array[*",
    "Hash",
    "Hash[*",
    "List",
    "Map",
    "Slip",
    "Seq",
    "Pair",
    "Range",
    "Set",
    "Bag",
    "Mix",
    "SetHash",
    "BagHash",
    "MixHash",
    "IterationBuffer",
    "Str",
    "Int",
    "Num",
    "Rat",
    "Complex",
    "Bool",
    "Mu",
    "Any",
    "Nil",
    "Whatever",
    "WhateverCode",
    "Code",
    "Block",
    "Sub",
    "Sub+*",
    "Method",
    "Method+*",
    "Submethod",
    "Submethod+*",
    "Routine",
    "Regex",
    "Match",
    "Signature",
    "Parameter",
    "Capture",
    "Attribute",
    "Attribute+*",
    "Proxy",
    "Version",
    "Lock",
    "Lock::*",
    "Promise",
    "Channel",
    "Channel::*",
    "Supply",
    "Supply::*",
    "Supplier",
    "Supplier::*",
    "Tap",
    "Thread",
    "ThreadPoolScheduler",
    "ThreadPoolScheduler::*",
    "Instant",
    "Duration",
    "DateTime",
    "Date",
    "IO::*",
    "Encoding::*",
    "Buf*",
    "Blob*",
    "Exception",
    "X::*",
    "Failure",
    "Backtrace*",
];

impl Emitter<'_> {
    pub(crate) fn metadata(&mut self, key: &str, value: &str) -> Result {
        head::metadata(self.sink, key, value)
    }

    /// The first metadata of every stream.
    pub(crate) fn head(&mut self, pick: SnapshotSelector, version: &str) -> Result {
        head::begin(self.sink, crate::FORMAT, IdRule::Index)?;
        RUNTIME.iter().try_for_each(|names| self.metadata("heap.runtime", names))?;
        self.metadata("heap.thread", "Thread")?;
        if pick != SnapshotSelector::All {
            self.metadata("heap.root", "1")?;
        }
        self.metadata("moar.version", version)
    }

    /// Which of several snapshots this is: in the head for a single one, before each otherwise.
    pub(crate) fn snapshot(&mut self, pick: SnapshotSelector, index: usize, of: usize) -> Result {
        if pick == SnapshotSelector::All {
            self.metadata("heap.snapshot", &index.to_string())?;
            // `heap.snapshot` voids all identifiers before it, the root's too.
            return self.metadata("heap.root", "1");
        }
        if of > 1 {
            self.metadata("moar.snapshot", &index.to_string())?;
            self.metadata("moar.snapshots", &of.to_string())?;
        }
        Ok(())
    }

    /// Record types and subtypes.
    pub(crate) fn declare(&mut self) -> Result {
        for (name, fields) in RECORDS {
            self.sink.declare(&Declared::Record { name, fields }.into())?;
        }
        for (id, name) in (1..).zip(&kinds::NAMES[1..]) {
            self.sink.declare(&Declared::Node { id, name, table: None, fields: &[] }.into())?;
        }
        let edges = [
            (REFERENCE, "moar.reference", Retains::Yes, Role::Member),
            (INTERGEN, "moar.intergen", Retains::No, Role::Inner),
        ];
        for (id, name, retains, role) in edges {
            self.sink.declare(&Declared::Edge { id, name, retains, role: Some(role), rest: b"" }.into())?;
        }
        Ok(())
    }
}
