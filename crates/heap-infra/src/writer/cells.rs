//! From a heap to the entries of a cumulative dump.

use std::io::Write;

use heap_base::Map;

use super::breakdown::{ALL, Table, Value};
use super::dict::Id;
use super::gather::{self, Heap, Ty};
use super::{Dicts, TraceWriter, json};
use crate::texts::NONE;

impl<W: Write> TraceWriter<W> {
    /// The cells of a heap that the cut-off lets through.
    pub(super) fn broken_down(
        &mut self,
        heap: &mut Heap,
        given: bool,
        dicts: &mut Dicts,
        ty_id: &dyn Fn(&Self, Ty, &mut Dicts) -> Id,
    ) {
        // What a source leaves open is no type.
        let other = |writer: &Self, ty: Ty| {
            ty.key.is_none() && writer.text(ty.name).is_none_or(|name| &*name == "<other>")
        };
        let mut types: Vec<Ty> = Vec::new();
        let mut numbers: Map<Ty, u32> = Map::default();
        let mut number = |ty: Ty| {
            *numbers.entry(ty).or_insert_with(|| {
                types.push(ty);
                types.len() as u32 - 1
            })
        };
        let mut cells = Vec::new();
        for cell in &heap.cells {
            let ty = cell.ty.map_or(ALL, &mut number);
            cells.push((cell.frame, ty, Value::new(cell.size, cell.count)));
        }
        let mut rows = Vec::new();
        for row in heap.rows.iter().filter(|_| !given) {
            let ty = if other(self, row.ty) { ALL } else { number(row.ty) };
            rows.push((row.frame, ty, Value::new(row.size, row.count)));
        }
        if self.config.selves && !given {
            self.add_selves(heap, &mut rows);
        }
        let order = heap.order();
        let mut pos = vec![NONE; heap.frames.len()];
        let mut parents = Vec::with_capacity(order.len());
        for (i, &frame) in order.iter().enumerate() {
            pos[frame as usize] = i as u32 + 1;
            let parent = heap.frames[frame as usize].parent;
            parents.push(if parent == NONE { 0 } else { pos[parent as usize] });
        }
        let at = |frame: u32| if frame == NONE { 0 } else { pos[frame as usize] };
        let mut table = Table::new(&parents, types.len());
        for (frame, ty, value) in rows {
            table.add(at(frame), ty, value);
        }
        for (frame, ty, value) in cells {
            if given || ty != ALL {
                table.give(at(frame), ty, value);
            }
        }
        table.finish();
        let cells = table.cells(self.config.cut);
        let frames = self.frame_ids(heap, &mut dicts.frames);
        // Frames of one name below one caller can share an id: what they have is added up.
        let mut entries: Vec<(Option<Id>, Option<Id>, Value)> = Vec::new();
        let mut places: Map<(Option<Id>, Option<Id>), usize> = Map::default();
        for (pos, ty, value) in cells {
            let frame = pos.checked_sub(1).and_then(|i| frames[order[i as usize] as usize].clone());
            let ty = (ty != ALL).then(|| ty_id(self, types[ty as usize], dicts));
            match places.entry((frame, ty)) {
                std::collections::hash_map::Entry::Occupied(at) => {
                    let sum = &mut entries[*at.get()].2;
                    *sum = sum.plus(value);
                }
                std::collections::hash_map::Entry::Vacant(place) => {
                    let (frame, ty) = place.key().clone();
                    place.insert(entries.len());
                    entries.push((frame, ty, value));
                }
            }
        }
        for (i, (frame, ty, value)) in entries.iter().enumerate() {
            json::entry(&mut self.buf, i == 0, frame.as_ref(), ty.as_ref(), value.size, value.count());
        }
    }

    /// Moves what frames with deeper ones have of their own to children `<self>`.
    fn add_selves(&mut self, heap: &mut Heap, rows: &mut [(u32, u32, Value)]) {
        let name = self.own_text(&"<self>".into());
        let mut inner = vec![false; heap.frames.len()];
        let mut inner_root = false;
        for frame in &heap.frames {
            match inner.get_mut(frame.parent as usize) {
                Some(inner) => *inner = true,
                None => inner_root = true,
            }
        }
        let mut selves: Map<u32, u32> = Map::default();
        for (frame, _, value) in rows {
            let deeper = inner.get(*frame as usize).copied().unwrap_or(inner_root);
            if deeper && *value != Value::new(0, Some(0)) {
                let parent = *frame;
                *frame = *selves.entry(parent).or_insert_with(|| {
                    heap.frames.push(gather::Frame {
                        name: Some(name),
                        category: None,
                        key: None,
                        script: None,
                        parent,
                    });
                    heap.frames.len() as u32 - 1
                });
            }
        }
    }
}
