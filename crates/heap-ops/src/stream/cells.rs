//! Cumulative cells (`chrome.cell`): what a dump says of a frame and all that it calls, by type, where it does not say
//! what each frame holds itself (Chromium's heap dumps of version 1).
//!
//! Allocations that add up to these cells are in such streams too. A report by stack and type takes the cells, since
//! allocations do not say what the dump left open.

use heap_base::json::{Json, each, scalar};
use heap_base::{Result, Set, member};
use heap_record::{Declaration, Declared, Extension, Node, StringId, Value};

use super::Context;

/// The record type.
const KIND: &str = "chrome.cell";
/// The subtype of nodes that stand for what was allocated at one place. Without a count they do not say how many objects.
pub const ALLOCATION: &str = "heap.allocation";

/// One cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct CumulativeCell {
    /// The frame, or the root of a heap.
    pub frame: Value,
    /// The type; all types if there is none.
    pub class: Option<StringId>,
    /// Cumulative bytes.
    pub size: u64,
    /// Cumulative number of allocations.
    pub count: Option<u64>,
}

impl CumulativeCell {
    /// The cell that a record is.
    pub fn of(record: &Extension<'_>) -> Option<Self> {
        if record.kind != KIND {
            return None;
        }
        let (mut frame, mut cell) = (None, Self::default());
        for (key, raw) in each(record.body) {
            let value = scalar(raw).and_then(|v| v.as_int());
            match key {
                "frame" => frame = value,
                "class" => cell.class = value,
                "size" => cell.size = value.map_or(0, |n| n as u64),
                "count" => cell.count = value.map(|n| n as u64),
                _ => {}
            }
        }
        frame.map(|frame| Self { frame, ..cell })
    }
}

/// Whether a root is of the format before version 1, which has cells too, but own values beside them.
///
/// # Errors
/// The temporary file of strings cannot be read.
pub fn is_previous(rest: &[u8], context: &Context) -> Result<bool> {
    Ok(match member(rest, "chrome.format").and_then(scalar) {
        Some(Json::Text(text)) => text == "previous",
        Some(value) => match value.as_int() {
            Some(id) => context.strings.text_or_number(id)? == "previous",
            None => false,
        },
        None => false,
    })
}

/// Groups with nodes that stand for objects whose number the source does not give: allocations without a count.
#[derive(Debug, Default)]
pub struct Uncounted {
    allocation: Option<u32>,
    groups: Set<u32>,
    /// Groups of nodes whose subtype had not been declared.
    open: Set<(u32, u32)>,
}

impl Uncounted {
    /// A new stream begins: the subtype may have another number there, or there may be none.
    pub fn begin_stream(&mut self) {
        self.allocation = None;
    }

    /// Learns the number of the subtype.
    pub fn declare(&mut self, record: &Declaration<'_>) {
        if let Declared::Node { id, name: ALLOCATION, .. } = record.what {
            self.allocation = Some(id);
        }
    }

    /// Takes a node of a group.
    #[inline]
    pub fn node(&mut self, group: u32, node: &Node<'_>, context: &Context) {
        if node.heap.count.is_some() || node.heap.size.unwrap_or(0) == 0 {
            return;
        }
        if self.allocation == Some(node.subtype) {
            self.groups.insert(group);
        } else if self.allocation.is_none() && context.types.node(node.subtype).is_none() {
            self.open.insert((group, node.subtype));
        }
    }

    /// The groups of the snapshot, which ends.
    pub fn take(&mut self) -> Set<u32> {
        let open = std::mem::take(&mut self.open).into_iter();
        self.groups.extend(open.filter(|&(_, t)| self.allocation == Some(t)).map(|(group, _)| group));
        std::mem::take(&mut self.groups)
    }
}
