//! Cumulative cells (`chrome.cell`): what a dump says of a frame and all that it calls, by type, where it does not say
//! what each frame holds itself (Chromium's heap dumps of version 1).
//!
//! Own values along the frames are in such streams too, yet all of them have the class `<other>`. A report by type
//! takes the cells of the heaps' roots instead, and leaves in `<other>` what they leave open.

use heap_base::json::{each, scalar};
use heap_base::{Result, member};
use heap_record::{Declaration, Declared, Extension, Heap, Node, Str, StringId, Value};
use rustc_hash::FxHashMap;

use super::Context;
use crate::select::field::int_field;

/// The record type.
const KIND: &str = "chrome.cell";

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

/// The cells of the heaps' roots, as nodes that a sum can take. Memory: the roots.
#[derive(Debug, Default)]
pub struct RootCells {
    declared: bool,
    /// The class of what is left open.
    other: Option<StringId>,
    roots: FxHashMap<Value, Root>,
}

#[derive(Debug)]
struct Root {
    name: Option<StringId>,
    rest: Box<[u8]>,
}

impl RootCells {
    /// A new snapshot begins.
    pub fn clear(&mut self) {
        self.roots.clear();
    }

    /// Learns whether there will be cells.
    pub fn declare(&mut self, record: &Declaration<'_>) {
        self.declared |= matches!(record.what, Declared::Record { name: KIND, .. });
    }

    /// Learns the number of `<other>`.
    pub fn string(&mut self, record: &Str<'_>) {
        if self.declared && self.other.is_none() && record.data.text() == "<other>" {
            self.other = Some(record.id);
        }
    }

    /// True if there will be no cells, as far as is known.
    pub fn are_none(&self) -> bool {
        !self.declared
    }

    /// Notes the roots of heaps whose cells count. The old format has cells too, but own values beside them.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    #[inline]
    pub fn node(&mut self, node: &Node<'_>, context: &Context) -> Result {
        if self.declared && context.types.node_name(node.subtype) == "heap.root" {
            let format = member(node.rest, "chrome.format").and_then(int_field);
            let old = match format {
                Some(id) => context.strings.text_or_number(id)? == "previous",
                None => false,
            };
            if !old {
                self.roots.insert(node.id, Root { name: node.heap.name, rest: node.rest.into() });
            }
        }
        Ok(())
    }

    /// A root's cell of one type as a node, and what that takes from the class `<other>`.
    pub fn nodes(&self, record: &Extension<'_>, context: &Context) -> Option<(Node<'_>, Node<'_>)> {
        let cell = CumulativeCell::of(record)?;
        let root = self.roots.get(&cell.frame)?;
        let node = |class| Node {
            subtype: context.types.node_id("heap.allocation").unwrap_or(u32::MAX),
            id: cell.frame,
            heap: Heap {
                size: Some(cell.size),
                class,
                name: root.name,
                count: cell.count,
                ..Heap::default()
            },
            rest: &root.rest,
            ..Node::default()
        };
        Some((node(Some(cell.class?)), node(Some(self.other?))))
    }
}
