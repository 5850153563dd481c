//! Emits loaded heaps as records.
//!
//! The nodes of a snapshot are numbered in the order in which they are emitted (node i has the identifier 2·i+1): first
//! the roots, one per process and allocator; then for every heap its frames, callers before callees, then its rows in
//! file order.

mod extensions;
mod nodes;

use heap_base::Result;
use heap_record::{Sink, Wants, head, index_id};

use crate::declare::declare_chrome;
use crate::heap::{Heap, OTHER, ROOT, SELF};
use crate::ids::Key;
use crate::load::{Loaded, Names, Snapshot, Trace};
use crate::names::code_address;
use crate::texts::{NONE, TextId};

pub(crate) use nodes::{emit_edges, no_object};

/// Names of a frame.
#[derive(Clone, Copy, Debug)]
struct FrameNames {
    function: TextId,
    /// `heap.name`: the function, or `module+0x12ab` for an address in a known module.
    name: TextId,
    module: TextId,
    offset: u64,
}

/// Node numbers and frame names of a heap.
#[derive(Debug)]
struct Plan {
    /// Number of the root node.
    root: u64,
    /// Number of the first frame; the first row follows the last frame.
    first: u64,
    /// By slot.
    frames: Vec<FrameNames>,
}

impl Plan {
    fn id(&self, slot: u32) -> i64 {
        index_id(if slot == ROOT { self.root } else { self.first + u64::from(slot) })
    }

    fn row_id(&self, row: usize) -> i64 {
        index_id(self.first + self.frames.len() as u64 + row as u64)
    }
}

/// Texts that are in no dictionary.
#[derive(Debug)]
struct Fixed {
    other: TextId,
    own: TextId,
}

/// Emits snapshots of a trace.
#[derive(Debug)]
pub(crate) struct Emitter<'t> {
    trace: &'t mut Trace,
    wants: Wants,
    fixed: Fixed,
    declared: bool,
}

impl<'t> Emitter<'t> {
    pub(crate) fn new(trace: &'t mut Trace, wants: Wants) -> Self {
        let fixed = Fixed { other: trace.texts.id("<other>"), own: trace.texts.id("<self>") };
        Self { trace, wants, fixed, declared: false }
    }

    /// The trace that the snapshots come from.
    pub(crate) fn trace(&mut self) -> &mut Trace {
        self.trace
    }

    /// Emits all records of a snapshot. `facts` are metadata that say which one it is.
    pub(crate) fn snapshot(
        &mut self,
        snapshot: &Snapshot,
        facts: &[(&str, String)],
        sink: &mut dyn Sink,
    ) -> Result {
        let plans = self.plan(snapshot);
        let processes = || snapshot.loaded.iter().zip(&plans);

        for plan in plans.iter().flatten() {
            head::metadata(sink, "heap.root", &index_id(plan.root).to_string())?;
        }
        for (key, value) in facts {
            head::metadata(sink, key, value)?;
        }
        for warning in &snapshot.warnings {
            head::metadata(sink, "chrome.warning", warning)?;
        }
        if !std::mem::replace(&mut self.declared, true) {
            declare_chrome(sink)?;
        }

        for (loaded, process) in processes() {
            self.emit_strings(loaded, process, sink)?;
        }
        if self.wants.any_nodes() {
            for (loaded, process) in processes() {
                for (heap, plan) in loaded.heaps.iter().zip(process) {
                    self.emit_root(loaded, heap, plan, sink)?;
                }
            }
            for (loaded, process) in processes() {
                for (heap, plan) in loaded.heaps.iter().zip(process) {
                    self.emit_frames(loaded, heap, plan, sink)?;
                    self.emit_rows(loaded, heap, plan, sink)?;
                }
            }
        }
        if self.wants.any_edges() {
            for (loaded, process) in processes() {
                for (heap, plan) in loaded.heaps.iter().zip(process) {
                    plan.emit_edges(heap, sink)?;
                }
            }
        }
        for (loaded, process) in processes() {
            if self.wants.extensions {
                self.emit_extensions(loaded, process, sink)?;
                self.emit_cells(loaded, process, sink)?;
            }
        }
        Ok(())
    }

    /// Numbers the nodes and looks their names up.
    fn plan(&mut self, snapshot: &Snapshot) -> Vec<Vec<Plan>> {
        let n_roots: usize = snapshot.loaded.iter().map(|loaded| loaded.heaps.len()).sum();
        let mut root = 0;
        let mut next = n_roots as u64;
        let mut plans = Vec::new();
        for loaded in &snapshot.loaded {
            let mut heaps = Vec::new();
            for heap in &loaded.heaps {
                heaps.push(Plan { root, first: next, frames: self.frame_names(loaded, heap) });
                root += 1;
                next += heap.n_nodes();
            }
            plans.push(heaps);
        }
        plans
    }

    fn frame_names(&mut self, loaded: &Loaded, heap: &Heap) -> Vec<FrameNames> {
        let own = self.fixed.own;
        let Some((names, texts)) = self.trace.names_and_texts(loaded) else { return Vec::new() };
        let dict = &names.dict;
        let mut label = String::new();
        let names_of = |&frame: &u32| {
            let function = if frame == SELF { own } else { dict.frame_name(frame) };
            let mut names = FrameNames { function, name: function, module: NONE, offset: 0 };
            if let Some(address) = code_address(texts.get(function))
                && let Some((module, offset)) = loaded.regions.find(address, texts)
            {
                use std::fmt::Write;
                label.clear();
                let path = texts.get(module);
                label.push_str(path.rsplit(['/', '\\']).next().unwrap_or(path));
                let _ = write!(label, "+{offset:#x}");
                names = FrameNames { function, name: texts.id(&label), module, offset };
            }
            names
        };
        heap.frames.iter().map(names_of).collect()
    }

    /// Emits the strings that the records of a process refer to.
    fn emit_strings(&mut self, loaded: &Loaded, process: &[Plan], sink: &mut dyn Sink) -> Result {
        let dump = self.trace.index.dumps[loaded.dump];
        let details = self.wants.node_details() || self.wants.extensions;
        let mut texts: Vec<TextId> = loaded.heaps.iter().map(|heap| heap.allocator).collect();
        if loaded.heaps.iter().any(|heap| heap.rows.classes.contains(&OTHER)) {
            texts.push(self.fixed.other);
        }
        if let Some(Names { classes, .. }) = self.trace.names(loaded) {
            texts.extend(classes.used().iter().map(|&ty| classes.name(ty)));
        }
        for (heap, plan) in loaded.heaps.iter().zip(process) {
            texts.extend(plan.frames.iter().map(|frame| frame.name));
            texts.push(self.trace.texts.id(heap.format.name()));
            if details {
                texts.extend(plan.frames.iter().flat_map(|frame| [frame.function, frame.module]));
            }
        }
        if details {
            texts.extend([self.process_name(dump.pid), dump.id, dump.trigger, dump.members.level]);
            texts.extend(loaded.totals.iter().flat_map(|total| [total.attribute, total.units]));
            if let Some(Names { dict, classes, .. }) = self.trace.names(loaded) {
                for &frame in loaded.heaps.iter().flat_map(|heap| &heap.frames) {
                    texts.push(dict.frame_category(frame));
                    texts.extend(key_text(dict.frame_key(frame)));
                }
                for &ty in classes.used() {
                    texts.push(dict.type_recorded(ty));
                    texts.extend(key_text(dict.type_key(ty)));
                }
            }
        }
        for text in texts {
            self.trace.texts.emit(text, self.wants.any_strings(), sink)?;
        }
        Ok(())
    }

    fn process_name(&self, pid: i64) -> TextId {
        self.trace.index.process_names.get(&pid).copied().unwrap_or(NONE)
    }
}

/// The text of a key that is text.
fn key_text(key: Option<Key>) -> Option<TextId> {
    match key {
        Some(Key::Text(text)) => Some(text),
        _ => None,
    }
}
