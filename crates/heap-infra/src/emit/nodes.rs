//! Nodes and edges.

use heap_base::Plus;
use heap_base::json::{push_int, push_uint};
use heap_base::{Members, Result, sort_by_key};
use heap_record::wants::SumBy;
use heap_record::{
    Edge, EdgeBatch, EdgeSlice, Ends, Heap as HeapFields, Node, NodeBatch, Sink, StringId, Value, index_id,
};

use super::{Emitter, Plan};
use crate::declare::{EDGE_ALLOCATED, EDGE_CALLS, NODE_ALLOCATION, NODE_FRAME, NODE_ROOT};
use crate::heap::{Heap, OTHER, SELF};
use crate::ids::Key;
use crate::load::{Loaded, Names};
use crate::rows::{NO_COUNT, Rows};
use crate::texts::NONE;

impl Emitter<'_> {
    /// `"chrome":{"pid":1,"allocator":2`, without the end.
    fn namespace(&self, loaded: &Loaded, heap: &Heap) -> Vec<u8> {
        let mut out = b"\"chrome\":{\"pid\":".to_vec();
        push_int(&mut out, self.trace.index.dumps[loaded.dump].pid);
        if let Some(allocator) = self.trace.texts.string(heap.allocator) {
            out.extend_from_slice(b",\"allocator\":");
            push_int(&mut out, allocator);
        }
        out
    }

    pub(super) fn emit_root(&self, loaded: &Loaded, heap: &Heap, plan: &Plan, sink: &mut dyn Sink) -> Result {
        let dump = self.trace.index.dumps[loaded.dump];
        let process = self.process_name(dump.pid);
        let texts = &self.trace.texts;
        let mut members = Members::new();
        members.open("chrome").int("pid", dump.pid);
        for (key, text) in [
            ("allocator", heap.allocator),
            ("process", process),
            ("format", texts.find(heap.format.name()).unwrap_or(NONE)),
        ] {
            if let Some(string) = texts.string(text) {
                members.int(key, string);
            }
        }
        if heap.root_inexact {
            members.boolean("exact", false);
        }
        for (key, n) in [
            ("skipped", heap.skipped),
            ("unresolved", heap.unresolved),
            ("unplaced", heap.unplaced),
            ("inconsistent", heap.inconsistent),
        ] {
            if n > 0 {
                members.uint(key, n);
            }
        }
        members.close();
        let node = Node {
            subtype: NODE_ROOT,
            id: index_id(plan.root),
            heap: no_object(texts.string(heap.allocator)),
            // Who adds cells up needs the format.
            rest: members.as_bytes(),
            ..Node::default()
        };
        sink.nodes(&NodeBatch::one(&node))
    }

    pub(super) fn emit_frames(
        &self,
        loaded: &Loaded,
        heap: &Heap,
        plan: &Plan,
        sink: &mut dyn Sink,
    ) -> Result {
        let Some(Names { dict, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let namespace = self.namespace(loaded, heap);
        let mut inexact = heap.inexact.iter().peekable();
        let (mut own, mut rest) = (Members::new(), Vec::new());
        for (slot, (names, &frame)) in plan.frames.iter().zip(&heap.frames).enumerate() {
            own.clear();
            rest.clear();
            let is_inexact = inexact.next_if(|&&at| at == slot as u32).is_some();
            if self.wants.node_details() {
                if let Some(function) = texts.string(names.function) {
                    own.int("function", function);
                }
                rest.extend_from_slice(&namespace);
                match dict.frame_key(frame).filter(|_| frame != SELF) {
                    Some(Key::Number(n)) => push_member(&mut rest, "frame_id", n),
                    Some(Key::Text(text)) => push_string(&mut rest, "frame_key", texts.string(text)),
                    None => {}
                }
                if frame != SELF {
                    push_string(&mut rest, "category", texts.string(dict.frame_category(frame)));
                }
                if names.module != NONE {
                    push_string(&mut rest, "module", texts.string(names.module));
                    push_member(&mut rest, "offset", names.offset);
                }
                if is_inexact {
                    rest.extend_from_slice(b",\"exact\":false");
                }
                rest.push(b'}');
            }
            let node = Node {
                subtype: NODE_FRAME,
                id: plan.id(slot as u32),
                own: own.as_bytes(),
                heap: no_object(texts.string(names.name)),
                rest: &rest,
                ..Node::default()
            };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    pub(super) fn emit_rows(&self, loaded: &Loaded, heap: &Heap, plan: &Plan, sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, classes, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let class_of = |class: u32| {
            texts.string(match class {
                OTHER => self.fixed.other,
                ty => classes.name(ty),
            })
        };
        if self.wants.sums() == Some(SumBy::Class) {
            for ClassSum { first, class, count, size } in sums_by_class(&heap.rows) {
                let (class, size) = (class_of(class), Some(size));
                let heap = HeapFields { size, class, count, ..HeapFields::default() };
                let id = plan.row_id(first);
                let node = Node { subtype: NODE_ALLOCATION, id, heap, ..Node::default() };
                sink.nodes(&NodeBatch::one(&node))?;
            }
            return Ok(());
        }
        let mut rest = self.namespace(loaded, heap);
        let prefix = rest.len();
        let allocator = texts.string(heap.allocator);
        let mut inexact = heap.inexact_rows.iter().peekable();
        for (i, row) in heap.rows.iter().enumerate() {
            if self.wants.node_details() {
                rest.truncate(prefix);
                if row.class < OTHER {
                    match dict.type_key(row.class) {
                        Some(Key::Number(n)) => push_member(&mut rest, "type_id", n),
                        Some(Key::Text(text)) => push_string(&mut rest, "type_key", texts.string(text)),
                        None => {}
                    }
                }
                if inexact.next_if(|&&at| at as usize == i).is_some() {
                    rest.extend_from_slice(b",\"exact\":false");
                }
                rest.push(b'}');
            }
            let name = match plan.frames.get(row.slot as usize) {
                Some(names) => texts.string(names.name),
                None => allocator,
            };
            let node = Node {
                subtype: NODE_ALLOCATION,
                id: plan.row_id(i),
                heap: HeapFields {
                    size: Some(row.size),
                    class: class_of(row.class),
                    name,
                    count: (row.count != NO_COUNT).then_some(row.count),
                    ..HeapFields::default()
                },
                rest: if self.wants.node_details() { &rest } else { b"" },
                ..Node::default()
            };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }
}

impl Plan {
    /// Emits the edges from callers to callees, then those from frames to what they allocated.
    pub(super) fn emit_edges(&self, heap: &Heap, sink: &mut dyn Sink) -> Result {
        let calls = (0..).zip(&heap.parents).map(|(slot, &parent)| (self.id(parent), self.id(slot)));
        emit_edges(EDGE_CALLS, calls, sink)?;
        let rows = heap.rows.slots.iter().enumerate();
        emit_edges(EDGE_ALLOCATED, rows.map(|(row, &slot)| (self.id(slot), self.row_id(row))), sink)
    }
}

/// Edges of a batch.
const BATCH: usize = 64;

/// Emits edges of one subtype: source and destination of each.
pub(crate) fn emit_edges(
    subtype: u32,
    ends: impl Iterator<Item = (Value, Value)>,
    sink: &mut dyn Sink,
) -> Result {
    let mut batch = [Edge { subtype, ..Edge::default() }; BATCH];
    let mut n = 0;
    for (source, dest) in ends {
        (batch[n].source, batch[n].dest) = (source, Some(dest));
        n += 1;
        if n == BATCH {
            sink.edges(&by_id(&batch))?;
            n = 0;
        }
    }
    if n > 0 { sink.edges(&by_id(&batch[..n])) } else { Ok(()) }
}

fn by_id<'a>(edges: &'a [Edge<'a>]) -> EdgeBatch<'a> {
    EdgeBatch { ends: Ends::Identifiers, partner: None, edges: EdgeSlice::Records(edges) }
}

/// The rows of one type, added up.
#[derive(Clone)]
struct ClassSum {
    /// Index of the first.
    first: usize,
    class: u32,
    /// `None` if a row has none.
    count: Option<u64>,
    size: u64,
}

/// Adds the rows up by type, in the order in which the types first occur.
fn sums_by_class(rows: &Rows) -> Vec<ClassSum> {
    let types =
        rows.classes.iter().filter(|&&class| class < OTHER).fold(0, |n, &class| n.max(class + 1)) as usize;
    // By type; the two classes that are no types come last.
    let mut sums = vec![ClassSum { first: usize::MAX, class: NONE, count: Some(0), size: 0 }; types + 2];
    for (i, row) in rows.iter().enumerate() {
        let place =
            if row.class < OTHER { row.class as usize } else { types + usize::from(row.class == OTHER) };
        let sum = &mut sums[place];
        sum.first = sum.first.min(i);
        sum.class = row.class;
        let count = (row.count != NO_COUNT).then_some(row.count);
        sum.count = sum.count.zip(count).map(|(sum, count)| sum.plus(count));
        sum.size = sum.size.plus(row.size);
    }
    sums.retain(|sum| sum.first < usize::MAX);
    sort_by_key(&mut sums, |sum| sum.first);
    sums
}

/// The common fields of a root or a frame. It is no object of the heap, so its count is 0: then counts add up to those
/// of the dump.
pub(crate) fn no_object(name: Option<StringId>) -> HeapFields<'static> {
    HeapFields { size: Some(0), name, count: Some(0), ..HeapFields::default() }
}

fn push_member(out: &mut Vec<u8>, key: &str, n: u64) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
    push_uint(out, n);
}

fn push_string(out: &mut Vec<u8>, key: &str, string: Option<StringId>) {
    if let Some(string) = string {
        push_member(out, key, string as u64);
    }
}
