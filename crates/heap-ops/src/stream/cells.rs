//! Cumulative cells (`chrome.cell`): what a dump says of a frame and all that it calls, by type, where it does not say
//! what each frame holds itself (Chromium's heap dumps of version 1).
//!
//! Own values along the frames are in such streams too, yet all of them have the class `<other>`. A report by type
//! takes the cells of the heaps' roots instead, and leaves in `<other>` what they leave open.

use heap_base::Plus;
use heap_base::json::{Json, each, scalar};
use heap_base::{Map, Result, Set, member};
use heap_record::{Data, Declaration, Declared, Extension, Heap, Node, Str, StringId, Value};

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

/// The cells of the heaps' roots, as nodes that a sum can take. Cells wait for the end of the snapshot, so records may come
/// in any order. Memory: the roots.
#[derive(Debug, Default)]
pub struct RootCells {
    declared: bool,
    /// The class of what is left open.
    other: Option<StringId>,
    roots: Map<Value, Root>,
}

#[derive(Debug)]
struct Root {
    subtype: u32,
    name: Option<StringId>,
    rest: Box<[u8]>,
}

impl RootCells {
    /// A new stream begins.
    pub fn begin_stream(&mut self) {
        *self = Self::default();
    }

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
        let (Data::Plain(text) | Data::Escaped(text)) = record.data;
        if text == "<other>" && self.other.is_none() {
            self.other = Some(record.id);
        }
    }

    /// True if there will be no cells, as far as is known.
    pub fn are_none(&self) -> bool {
        !self.declared
    }

    /// Notes the roots of heaps, which have a `chrome.format`.
    #[inline]
    pub fn node(&mut self, node: &Node<'_>) {
        if node.rest.starts_with(b"\"chrome\":") && member(node.rest, "chrome.format").is_some() {
            let root = Root { subtype: node.subtype, name: node.heap.name, rest: node.rest.into() };
            self.roots.insert(node.id, root);
        }
    }

    /// A root's cell of one type as a node, and what that takes from the class `<other>`. The cell of all types is no node
    /// of its own; then the other is what the root has in all. All nodes and strings of the snapshot must have come.
    ///
    /// # Errors
    /// The temporary file of strings cannot be read.
    pub fn nodes(
        &self,
        record: &Extension<'_>,
        context: &Context,
    ) -> Result<Option<(Option<Node<'_>>, Node<'_>)>> {
        let Some(cell) = CumulativeCell::of(record) else { return Ok(None) };
        let (Some(root), Some(other)) = (self.roots.get(&cell.frame), self.other) else { return Ok(None) };
        if context.types.node_name(root.subtype) != "heap.root" || is_previous(&root.rest, context)? {
            return Ok(None);
        }
        let node = |class| Node {
            subtype: context.types.node_id(ALLOCATION).unwrap_or(u32::MAX),
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
        Ok(Some((cell.class.map(|class| node(Some(class))), node(Some(other)))))
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

/// Whether a record waits for the nodes of its snapshot.
pub fn waits(record: &Extension<'_>) -> bool {
    record.kind == KIND
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

    /// Takes a group whose number of objects is not known.
    pub fn group(&mut self, group: u32) {
        self.groups.insert(group);
    }

    /// The groups of the snapshot, which ends.
    pub fn take(&mut self) -> Set<u32> {
        let open = std::mem::take(&mut self.open).into_iter();
        self.groups.extend(open.filter(|&(_, t)| self.allocation == Some(t)).map(|(group, _)| group));
        std::mem::take(&mut self.groups)
    }
}

/// How many objects the cells of the types leave open, by group: what the roots have in all less the cells. Own values
/// along the frames do not say: where frames were cut off, their counts are lost.
#[derive(Debug, Default)]
pub struct OpenCounts(Map<u32, Open>);

#[derive(Debug, Default)]
struct Open {
    whole: u64,
    typed: u64,
    /// Roots with a cell of all types, and those with cells of types.
    roots: Set<Value>,
    typed_roots: Set<Value>,
    unknown: bool,
}

impl OpenCounts {
    /// Takes the cell of all types of a root: that of `node`, which belongs to `group`.
    pub fn whole(&mut self, group: u32, node: &Node<'_>) {
        let open = self.0.entry(group).or_default();
        open.roots.insert(node.id);
        open.unknown |= node.heap.count.is_none();
        open.whole = open.whole.plus(node.heap.count.unwrap_or(0));
    }

    /// Takes a cell of one type, which takes something from `group`.
    pub fn typed(&mut self, group: u32, node: &Node<'_>) {
        let open = self.0.entry(group).or_default();
        open.typed_roots.insert(node.id);
        open.unknown |= node.heap.count.is_none();
        open.typed = open.typed.plus(node.heap.count.unwrap_or(0));
    }

    /// Groups that cells took something from, with what is left; `None` if that is not known.
    pub fn left(&mut self) -> Vec<(u32, Option<u64>)> {
        let open = std::mem::take(&mut self.0).into_iter().filter(|(_, open)| !open.typed_roots.is_empty());
        open.map(|(group, open)| {
            let known = !open.unknown && open.typed_roots.is_subset(&open.roots);
            (group, known.then(|| open.whole.saturating_sub(open.typed)))
        })
        .collect()
    }
}
