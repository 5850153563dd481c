//! Loaded heaps as records.
//!
//! Numbering within a snapshot (identifier 2·i+1): first the roots, one per process and allocator; then for every
//! heap its frames, callers before callees, then its rows in the order of the file.

use heap_base::json::{push_int, push_uint};
use heap_base::{Members, Result};
use heap_record::{Edge, Extension, Folds, Heap as HeapFields, Node, Sink, StringId, Wants, index_id};

use crate::declare::{
    EDGE_ALLOCATED, EDGE_CALLS, NODE_ALLOCATION, NODE_FRAME, NODE_ROOT, declare_chrome, metadata,
};
use crate::heap::{Format, Heap, NO_COUNT, OTHER, ROOT, SELF};
use crate::ids::Key;
use crate::load::{Loaded, Names, Snapshot, Trace};
use crate::names::code_address;
use crate::rows::Rows;
use crate::texts::{NONE, TextId, Texts};

/// A frame of the dictionary as the stream shows it.
#[derive(Clone, Copy, Debug)]
struct Shown {
    function: TextId,
    /// What people read: the function, or `module+0x12ab` for an address in a known module.
    name: TextId,
    module: TextId,
    offset: u64,
}

/// What emission adds to a heap.
#[derive(Debug)]
struct Plan {
    /// Number of the root node.
    root: u64,
    /// Number of the first frame; the first row follows the last frame.
    first: u64,
    /// By slot.
    shown: Vec<Shown>,
}

impl Plan {
    fn id(&self, slot: u32) -> i64 {
        index_id(if slot == ROOT { self.root } else { self.first + u64::from(slot) })
    }

    fn row_id(&self, row: usize) -> i64 {
        index_id(self.first + self.shown.len() as u64 + row as u64)
    }
}

/// Texts that the records themselves need.
#[derive(Debug)]
struct Fixed {
    other: TextId,
    own: TextId,
}

/// Rows of one type.
#[derive(Clone)]
struct Total {
    /// Index of the first.
    first: usize,
    class: u32,
    count: u64,
    size: u64,
}

/// The rows added up by type, in the order in which the types are first met. A row without a count is one object.
fn totals(rows: &Rows) -> Vec<Total> {
    let types =
        rows.classes.iter().filter(|&&class| class < OTHER).fold(0, |n, &class| n.max(class + 1)) as usize;
    // By type; the two classes that are no types come last.
    let mut totals = vec![Total { first: usize::MAX, class: NONE, count: 0, size: 0 }; types + 2];
    for (i, row) in rows.iter().enumerate() {
        let place =
            if row.class < OTHER { row.class as usize } else { types + usize::from(row.class == OTHER) };
        let total = &mut totals[place];
        total.first = total.first.min(i);
        total.class = row.class;
        total.count = total.count.saturating_add(if row.count == NO_COUNT { 1 } else { row.count });
        total.size = total.size.saturating_add(row.size);
    }
    totals.retain(|total| total.first < usize::MAX);
    totals.sort_unstable_by_key(|total| total.first);
    totals
}

/// Writes a snapshot.
#[derive(Debug)]
pub(crate) struct Emitter<'t> {
    trace: &'t mut Trace,
    wants: Wants,
    /// Rows come added up by type.
    folds: bool,
    members: Members,
    fixed: Fixed,
    declared: bool,
}

impl<'t> Emitter<'t> {
    pub(crate) fn new(trace: &'t mut Trace, wants: Wants, folds: Folds) -> Self {
        let fixed = Fixed { other: trace.texts.id("<other>"), own: trace.texts.id("<self>") };
        let folds = folds == Folds::Classes && !wants.full_nodes();
        Self { trace, wants, folds, members: Members::new(), fixed, declared: false }
    }

    /// The trace that the snapshots come from.
    pub(crate) fn trace(&mut self) -> &mut Trace {
        self.trace
    }

    /// Writes everything about a snapshot. `facts` are metadata that tell which one it is.
    pub(crate) fn snapshot(
        &mut self,
        snapshot: &Snapshot,
        facts: &[(&str, String)],
        sink: &mut dyn Sink,
    ) -> Result {
        let plans = self.plan(snapshot);
        let processes = || snapshot.loaded.iter().zip(&plans);

        for plan in plans.iter().flatten() {
            metadata(sink, "heap.root", &index_id(plan.root).to_string())?;
        }
        for (key, value) in facts {
            metadata(sink, key, value)?;
        }
        for warning in &snapshot.warnings {
            metadata(sink, "chrome.warning", warning)?;
        }
        if !std::mem::replace(&mut self.declared, true) {
            declare_chrome(sink)?;
        }

        for (loaded, process) in processes() {
            self.write_strings(loaded, process, sink)?;
        }
        if self.wants.any_nodes() {
            for (loaded, process) in processes() {
                for (heap, plan) in loaded.heaps.iter().zip(process) {
                    self.write_root(loaded, heap, plan, sink)?;
                }
            }
            for (loaded, process) in processes() {
                for (heap, plan) in loaded.heaps.iter().zip(process) {
                    self.write_frames(loaded, heap, plan, sink)?;
                    self.write_rows(loaded, heap, plan, sink)?;
                }
            }
        }
        if self.wants.any_edges() {
            for (loaded, process) in processes() {
                for (heap, plan) in loaded.heaps.iter().zip(process) {
                    write_edges(heap, plan, sink)?;
                }
            }
        }
        for (loaded, process) in processes() {
            if self.wants.extensions {
                self.write_others(loaded, process, sink)?;
            }
            self.write_cells(loaded, process, sink)?;
        }
        Ok(())
    }

    /// Numbers the nodes and finds the names.
    fn plan(&mut self, snapshot: &Snapshot) -> Vec<Vec<Plan>> {
        let n_roots: usize = snapshot.loaded.iter().map(|loaded| loaded.heaps.len()).sum();
        let mut root = 0;
        let mut next = n_roots as u64;
        let mut plans = Vec::new();
        for loaded in &snapshot.loaded {
            let mut heaps = Vec::new();
            for heap in &loaded.heaps {
                heaps.push(Plan { root, first: next, shown: self.show(loaded, heap) });
                root += 1;
                next += heap.n_nodes();
            }
            plans.push(heaps);
        }
        plans
    }

    fn show(&mut self, loaded: &Loaded, heap: &Heap) -> Vec<Shown> {
        let own = self.fixed.own;
        let Some((names, texts)) = self.trace.names_and_texts(loaded) else { return Vec::new() };
        let dict = &names.dict;
        let mut label = String::new();
        let show = |&frame: &u32| {
            let function = if frame == SELF { own } else { dict.frame_name(frame) };
            let mut shown = Shown { function, name: function, module: NONE, offset: 0 };
            if let Some(address) = code_address(texts.get(function))
                && let Some((module, offset)) = loaded.regions.find(address, texts)
            {
                use std::fmt::Write;
                label.clear();
                let path = texts.get(module);
                label.push_str(path.rsplit(['/', '\\']).next().unwrap_or(path));
                let _ = write!(label, "+{offset:#x}");
                shown = Shown { function, name: texts.id(&label), module, offset };
            }
            shown
        };
        heap.frames.iter().map(show).collect()
    }

    /// Writes the texts that the records of a process refer to.
    fn write_strings(&mut self, loaded: &Loaded, process: &[Plan], sink: &mut dyn Sink) -> Result {
        let dump = self.trace.index.dumps[loaded.dump];
        let details = self.wants.full_nodes() || self.wants.extensions;
        let mut texts: Vec<TextId> = loaded.heaps.iter().map(|heap| heap.allocator).collect();
        if loaded.heaps.iter().any(|heap| heap.rows.classes.contains(&OTHER)) {
            texts.push(self.fixed.other);
        }
        if let Some(Names { classes, .. }) = self.trace.names(loaded) {
            texts.extend(classes.used().iter().map(|&ty| classes.name(ty)));
        }
        for (heap, plan) in loaded.heaps.iter().zip(process) {
            texts.extend(plan.shown.iter().map(|shown| shown.name));
            if details {
                texts.push(self.trace.texts.id(heap.format.name()));
                texts.extend(plan.shown.iter().flat_map(|shown| [shown.function, shown.module]));
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
            self.trace.texts.write(text, self.wants.any_strings(), sink)?;
        }
        Ok(())
    }

    fn process_name(&self, pid: i64) -> TextId {
        self.trace.index.process_names.get(&pid).copied().unwrap_or(NONE)
    }

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

    fn write_root(&mut self, loaded: &Loaded, heap: &Heap, plan: &Plan, sink: &mut dyn Sink) -> Result {
        let dump = self.trace.index.dumps[loaded.dump];
        let process = self.process_name(dump.pid);
        let texts = &self.trace.texts;
        let members = &mut self.members;
        members.clear();
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
        for (key, n) in
            [("skipped", heap.skipped), ("unresolved", heap.unresolved), ("inconsistent", heap.inconsistent)]
        {
            if n > 0 {
                members.uint(key, n);
            }
        }
        members.close();
        sink.node(&Node {
            subtype: NODE_ROOT,
            id: index_id(plan.root),
            heap: no_object(texts.string(heap.allocator)),
            rest: if self.wants.full_nodes() { members.as_bytes() } else { b"" },
            ..Node::default()
        })
    }

    fn write_frames(&self, loaded: &Loaded, heap: &Heap, plan: &Plan, sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let namespace = self.namespace(loaded, heap);
        let mut inexact = heap.inexact.iter().peekable();
        let (mut own, mut rest) = (Members::new(), Vec::new());
        for (slot, (shown, &frame)) in plan.shown.iter().zip(&heap.frames).enumerate() {
            own.clear();
            rest.clear();
            let is_inexact = inexact.next_if(|&&at| at == slot as u32).is_some();
            if self.wants.full_nodes() {
                if let Some(function) = texts.string(shown.function) {
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
                if shown.module != NONE {
                    push_string(&mut rest, "module", texts.string(shown.module));
                    push_member(&mut rest, "offset", shown.offset);
                }
                if is_inexact {
                    rest.extend_from_slice(b",\"exact\":false");
                }
                rest.push(b'}');
            }
            sink.node(&Node {
                subtype: NODE_FRAME,
                id: plan.id(slot as u32),
                own: own.as_bytes(),
                heap: no_object(texts.string(shown.name)),
                rest: &rest,
                ..Node::default()
            })?;
        }
        Ok(())
    }

    fn write_rows(&self, loaded: &Loaded, heap: &Heap, plan: &Plan, sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, classes, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let class_of = |class: u32| {
            texts.string(match class {
                OTHER => self.fixed.other,
                ty => classes.name(ty),
            })
        };
        if self.folds {
            for Total { first, class, count, size } in totals(&heap.rows) {
                let (class, size, count) = (class_of(class), Some(size), Some(count));
                let heap = HeapFields { size, class, count, ..HeapFields::default() };
                let id = plan.row_id(first);
                sink.node(&Node { subtype: NODE_ALLOCATION, id, heap, ..Node::default() })?;
            }
            return Ok(());
        }
        let mut rest = self.namespace(loaded, heap);
        let prefix = rest.len();
        let allocator = texts.string(heap.allocator);
        for (i, row) in heap.rows.iter().enumerate() {
            if self.wants.full_nodes() {
                rest.truncate(prefix);
                if row.class < OTHER {
                    match dict.type_key(row.class) {
                        Some(Key::Number(n)) => push_member(&mut rest, "type_id", n),
                        Some(Key::Text(text)) => push_string(&mut rest, "type_key", texts.string(text)),
                        None => {}
                    }
                }
                rest.push(b'}');
            }
            let name = match plan.shown.get(row.slot as usize) {
                Some(shown) => texts.string(shown.name),
                None => allocator,
            };
            sink.node(&Node {
                subtype: NODE_ALLOCATION,
                id: plan.row_id(i),
                heap: HeapFields {
                    size: Some(row.size),
                    class: class_of(row.class),
                    name,
                    count: (row.count != NO_COUNT).then_some(row.count),
                    ..HeapFields::default()
                },
                rest: if self.wants.full_nodes() { &rest } else { b"" },
                ..Node::default()
            })?;
        }
        Ok(())
    }

    /// The dump's own data beside nodes: where it comes from, types, totals, regions, cells.
    fn write_others(&mut self, loaded: &Loaded, process: &[Plan], sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, classes, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let dump = &self.trace.index.dumps[loaded.dump];
        let process_name = self.process_name(dump.pid);
        let mut members = Members::new();
        let members = &mut members;
        let string = |members: &mut Members, key: &str, text: TextId| {
            if let Some(string) = texts.string(text) {
                members.int(key, string);
            }
        };

        members.clear();
        members.int("pid", dump.pid);
        string(members, "process", process_name);
        string(members, "dump_id", dump.id);
        string(members, "trigger", dump.trigger);
        string(members, "level_of_detail", dump.members.level);
        members.float("ts", dump.ts);
        sink.extension(&Extension { kind: "chrome.dump", body: members.as_bytes(), ..Extension::default() })?;

        for total in &loaded.totals {
            members.clear();
            members.int("pid", dump.pid);
            string(members, "allocator", total.allocator);
            string(members, "attribute", total.attribute);
            string(members, "units", total.units);
            members.uint("value", total.value);
            sink.extension(&Extension {
                kind: "chrome.total",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }

        let mut types = classes.used().to_vec();
        // By id: another trace with the same tables may name them in another order.
        types.sort_by_key(|&ty| dict.type_key(ty));
        for ty in types {
            let class = classes.name(ty);
            members.clear();
            members.int("pid", dump.pid);
            push_key(members, "type_id", "type_key", dict.type_key(ty), texts);
            string(members, "class", class);
            let recorded = dict.type_recorded(ty);
            if recorded != class {
                string(members, "recorded", recorded);
            }
            sink.extension(&Extension {
                kind: "chrome.type",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }

        let mut files: Vec<TextId> =
            process.iter().flat_map(|plan| plan.shown.iter().map(|shown| shown.module)).collect();
        files.sort_unstable();
        files.dedup();
        for region in &loaded.regions.list {
            if region.file == NONE || files.binary_search(&region.file).is_err() {
                continue;
            }
            members.clear();
            members.int("pid", dump.pid);
            members.uint("start", region.start).uint("size", region.size);
            members.uint("protection", region.protection.into());
            string(members, "file", region.file);
            sink.extension(&Extension {
                kind: "chrome.region",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }
        Ok(())
    }

    /// The entries of the previous format and of v1, as in the file.
    fn write_cells(&self, loaded: &Loaded, process: &[Plan], sink: &mut dyn Sink) -> Result {
        let Some(Names { dict, classes, .. }) = self.trace.names(loaded) else { return Ok(()) };
        let texts = &self.trace.texts;
        let mut members = Members::new();
        for (heap, plan) in loaded.heaps.iter().zip(process) {
            // Where a heap has no own values, cells stand in for nodes.
            if !(self.wants.extensions || self.wants.any_nodes() && heap.format == Format::V1) {
                continue;
            }
            for cell in &heap.cells {
                members.clear();
                members.int("frame", plan.id(cell.slot));
                if let Some(class) = texts.string(classes.name(cell.class)) {
                    members.int("class", class);
                }
                members.uint("size", cell.size);
                if cell.count != NO_COUNT {
                    members.uint("count", cell.count);
                }
                push_key(&mut members, "type_id", "type_key", dict.type_key(cell.class), texts);
                sink.extension(&Extension {
                    kind: "chrome.cell",
                    body: members.as_bytes(),
                    ..Extension::default()
                })?;
            }
        }
        Ok(())
    }
}

/// What a root or a frame has in common with other nodes. It is no object of the heap, so its count is 0: then
/// counts add up to what the dump tells.
pub(crate) fn no_object(name: Option<StringId>) -> HeapFields<'static> {
    HeapFields { size: Some(0), name, count: Some(0), ..HeapFields::default() }
}

/// The text that an identifier is, if it is one.
fn key_text(key: Option<Key>) -> Option<TextId> {
    match key {
        Some(Key::Text(text)) => Some(text),
        _ => None,
    }
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

fn push_key(members: &mut Members, number: &str, text: &str, key: Option<Key>, texts: &Texts) {
    match key {
        Some(Key::Number(n)) => {
            members.uint(number, n);
        }
        Some(Key::Text(t)) => {
            if let Some(string) = texts.string(t) {
                members.int(text, string);
            }
        }
        None => {}
    }
}

fn write_edges(heap: &Heap, plan: &Plan, sink: &mut dyn Sink) -> Result {
    for (slot, &parent) in heap.parents.iter().enumerate() {
        sink.edge(&Edge {
            subtype: EDGE_CALLS,
            source: plan.id(parent),
            dest: Some(plan.id(slot as u32)),
            ..Edge::default()
        })?;
    }
    for (i, &slot) in heap.rows.slots.iter().enumerate() {
        sink.edge(&Edge {
            subtype: EDGE_ALLOCATED,
            source: plan.id(slot),
            dest: Some(plan.row_id(i)),
            ..Edge::default()
        })?;
    }
    Ok(())
}
