//! Sums of classes straight from the first pass: no object is read a second time.

use heap_base::Result;
use heap_record::Heap;

use super::classes::Role;
use super::dump::Dump;
use crate::emit::{NodeType, Out};
use crate::layout::Kind;

/// Delivers one node for all objects of a class.
///
/// # Errors
/// Those of the sink.
pub(crate) fn sums(dump: &Dump, out: &mut Out<'_>) -> Result {
    for (node, &(_, name)) in (0..).zip(&dump.root_kinds) {
        let heap = Heap { size: Some(0), name: Some(name), ..Heap::default() };
        out.node(NodeType::Root, dump.own_value(node), b"", heap, b"")?;
    }
    let frames = dump.threads.frames.len() as u64;
    if frames > 0 {
        let heap = Heap { size: Some(0), count: Some(frames), ..Heap::default() };
        out.node(NodeType::Frame, dump.own_value(dump.root_kinds.len() as u32), b"", heap, b"")?;
    }
    let classes = dump.scan.classes.all();
    let mut dumped = classes.iter().filter(|class| class.dumped).peekable();
    if let Some(first) = dumped.peek().map(|class| class.id) {
        let (count, size) = dumped
            .fold((0, 0_u64), |(count, size), class| (count + 1, size.saturating_add(class.object_size)));
        let class = Some(dump.class_class.0);
        let heap = Heap { size: Some(size), class, count: Some(count), ..Heap::default() };
        out.node(NodeType::Class, dump.value(first), b"", heap, b"")?;
    }
    let layout = dump.guess.layout;
    for class in classes {
        if class.instances > 0 {
            let external = Some(class.external).filter(|&bytes| bytes > 0);
            let heap = Heap {
                size: Some(class.size.saturating_mul(class.instances)),
                class: Some(class.text),
                count: Some(class.instances),
                external,
                ..Heap::default()
            };
            let subtype = if class.role == Role::String { NodeType::String } else { NodeType::Instance };
            out.node(subtype, dump.value(class.first), b"", heap, b"")?;
        }
        let arrays = class.arrays.checked_sub(1).and_then(|at| dump.scan.objects.get(at as usize));
        if let Some(arrays) = arrays {
            let element = layout.reference.into();
            let size = arrays.bytes(layout.array_base(element), element, layout.align.into());
            let (class, count) = (Some(class.text), Some(arrays.count));
            let heap = Heap { size: Some(size), class, count, ..Heap::default() };
            out.node(NodeType::ObjectArray, dump.value(arrays.first), b"", heap, b"")?;
        }
    }
    let primitives = Kind::PRIMITIVES.into_iter().zip(&dump.scan.primitives).zip(dump.primitive_classes);
    for ((kind, arrays), (class, _)) in primitives.filter(|((_, arrays), _)| arrays.count > 0) {
        let element = kind.bytes();
        let size = arrays.bytes(layout.array_base(element), element, layout.align.into());
        let heap =
            Heap { size: Some(size), class: Some(class), count: Some(arrays.count), ..Heap::default() };
        out.node(NodeType::PrimitiveArray, dump.value(arrays.first), b"", heap, b"")?;
    }
    Ok(())
}
