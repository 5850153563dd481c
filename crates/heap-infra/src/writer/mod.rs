//! Writes traces that Chromium's tools read: `heaps_v2` with own values, or v1 with cumulative cells.
//!
//! The object form of a trace, one event a line. Every snapshot becomes the dumps of its processes, in their order.
//! A v2 event has all the dictionaries that it needs, as Catapult wants it; those of v1 come at the end, as Chromium
//! writes them. Ids of the source are kept where they are unambiguous. A stream that was read from a trace is written so
//! that reading it gives the same stream.
//!
//! v1: cells that the source gave are written as they are, unless there is a cut-off. Where it has own values the
//! break-down of the proposal makes cells of them (`breakdown`); the previous format comes out as v1 in this way.
//! A stream without stacks, such as that of a heap snapshot, is added up by class below one frame.
//!
//! Memory: one snapshot (see `gather`), the stream's strings, and for v1 the dictionaries of all snapshots.

mod breakdown;
mod cells;
mod dict;
mod gather;
mod json;

use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;

use heap_base::{Cutoff, Error, Map, Result, Set};
use heap_record::{
    Declaration, EdgeBatch, Extension, LeftOut, Metadata, NodeBatch, Sink, Str, StringId, Target, Types,
    Wants,
};

use crate::texts::NONE;
use crate::trace::{SNAPSHOT, SNAPSHOTS};
use dict::{Dict, Entry, Id};
use gather::{Dump, Heap, Kinds, NO_PID, Snapshot, SourceKey, Ty};

/// How to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// v1, with cumulative values; else `heaps_v2`.
    pub v1: bool,
    /// v1: which cells are worth writing.
    pub cut: Cutoff,
    /// v1: what a frame has of its own beside deeper ones becomes a frame `<self>`.
    pub selves: bool,
}

/// Bytes gathered before they are written.
const FULL: usize = 256 << 10;

/// Writes a trace. See the module's description.
#[derive(Debug)]
pub struct TraceWriter<W: Write> {
    out: W,
    buf: Vec<u8>,
    config: Config,
    left_out: LeftOut,
    types: Types,
    kinds: Kinds,
    texts: Map<StringId, Rc<str>>,
    /// Texts of the writer's own among them.
    own_texts: Map<Rc<str>, StringId>,
    snapshot: Snapshot,
    /// Members of the container's `metadata`.
    product: BTreeMap<&'static str, String>,
    source: String,
    begun: bool,
    events: u64,
    snapshots: u64,
    /// Ids of dumps given so far.
    fresh: u64,
    /// Processes whose name is written; dumps that are.
    named: Set<i64>,
    dumped: Set<(i64, Rc<str>)>,
    /// v1: dictionaries by process.
    dicts: BTreeMap<i64, Dicts>,
}

/// What belongs to one process of a snapshot.
#[derive(Debug, Default)]
struct Parts {
    heaps: Vec<Heap>,
    totals: Vec<gather::Total>,
    regions: Vec<gather::Region>,
}

#[derive(Debug, Default)]
struct Dicts {
    frames: Dict,
    types: Dict,
}

/// A writer to `out`, which needs no buffer of its own.
pub fn writer<W: Write>(out: W, config: Config) -> TraceWriter<W> {
    TraceWriter {
        out,
        buf: Vec::new(),
        config,
        left_out: LeftOut::new(),
        types: Types::default(),
        kinds: Kinds::default(),
        texts: Map::default(),
        own_texts: Map::default(),
        snapshot: Snapshot::default(),
        product: BTreeMap::new(),
        source: String::new(),
        begun: false,
        events: 0,
        snapshots: 0,
        fresh: 0,
        named: Set::default(),
        dumped: Set::default(),
        dicts: BTreeMap::new(),
    }
}

impl<W: Write> TraceWriter<W> {
    /// Returns `out`. Call after [`Sink::finish`].
    pub fn into_inner(self) -> W {
        self.out
    }

    fn text(&self, id: Option<StringId>) -> Option<Rc<str>> {
        id.and_then(|id| self.texts.get(&id).cloned())
    }

    fn event(&mut self) {
        self.buf.extend_from_slice(if self.events == 0 { b"{\"traceEvents\":[\n" } else { b",\n" });
        self.events += 1;
    }

    fn drain(&mut self) -> Result {
        let result = self.out.write_all(&self.buf).map_err(Error::write);
        self.buf.clear();
        result
    }

    /// Writes the current snapshot.
    fn end_snapshot(&mut self) -> Result {
        let mut snapshot = std::mem::take(&mut self.snapshot);
        if !snapshot.any && snapshot.dumps.is_empty() {
            // Metadata that came before `heap.snapshot` holds on.
            self.snapshot = snapshot;
            return Ok(());
        }
        self.snapshot.target_pid = snapshot.target_pid;
        snapshot.place_deferred(&mut self.left_out);
        self.by_class(&mut snapshot);
        let mut parts: Map<i64, Parts> = Map::default();
        let mut dumps = std::mem::take(&mut snapshot.dumps);
        let with_dump: Set<i64> = dumps.iter().map(|dump| dump.pid).collect();
        for heap in std::mem::take(&mut snapshot.heaps) {
            let pid = heap.pid;
            let part = parts.entry(pid).or_default();
            if part.heaps.is_empty() && !with_dump.contains(&pid) {
                dumps.push(Dump { pid, ..Dump::default() });
            }
            part.heaps.push(heap);
        }
        for total in std::mem::take(&mut snapshot.totals) {
            parts.entry(total.pid).or_default().totals.push(total);
        }
        for region in std::mem::take(&mut snapshot.regions) {
            parts.entry(region.pid).or_default().regions.push(region);
        }
        for dump in dumps {
            let part = parts.remove(&dump.pid).unwrap_or_default();
            self.dump(&dump, part, &snapshot);
            if self.buf.len() >= FULL {
                self.drain()?;
            }
        }
        self.snapshots += 1;
        Ok(())
    }

    /// Turns sums by class into one frame with a row for each class.
    fn by_class(&mut self, snapshot: &mut Snapshot) {
        let mut named: BTreeMap<Rc<str>, gather::Sum> = BTreeMap::new();
        for ((class, subtype), sum) in std::mem::take(&mut snapshot.classes) {
            let name =
                self.text(class).unwrap_or_else(|| format!("({})", self.types.node_name(subtype)).into());
            let all = named.entry(name).or_default();
            all.add((sum.count, sum.size, sum.external), sum.outside);
        }
        if named.is_empty() {
            return;
        }
        let pid = snapshot.target_pid.unwrap_or(NO_PID);
        let source: Rc<str> =
            if self.source.is_empty() { "heap".into() } else { self.source.as_str().into() };
        let frame = self.own_text(&source);
        for (allocator, of) in [
            ("heap", (|sum| (sum.count, sum.size)) as fn(&gather::Sum) -> (u64, u64)),
            ("external", |sum: &gather::Sum| (sum.outside, sum.external)),
        ] {
            if allocator == "external" && named.values().all(|sum| sum.external == 0) {
                continue;
            }
            let mut heap = Heap { pid, allocator: Some(self.own_text(&allocator.into())), ..Heap::default() };
            heap.frames.push(gather::Frame {
                name: Some(frame),
                category: None,
                key: None,
                script: None,
                parent: NONE,
            });
            for (name, sum) in &named {
                let (count, size) = of(sum);
                if size > 0 || allocator == "heap" {
                    let ty = Ty { name: Some(self.own_text(name)), key: None };
                    heap.rows.push(gather::Row { frame: 0, ty, size, count: Some(count) });
                }
            }
            snapshot.heaps.push(heap);
        }
    }

    /// A string id for a text of the writer's own.
    fn own_text(&mut self, text: &Rc<str>) -> StringId {
        if let Some(&id) = self.own_texts.get(text) {
            return id;
        }
        // No stream has ids down here.
        let id = StringId::MIN + self.own_texts.len() as i64;
        self.own_texts.insert(text.clone(), id);
        self.texts.insert(id, text.clone());
        id
    }

    /// Writes the dump of one process.
    fn dump(&mut self, dump: &Dump, part: Parts, snapshot: &Snapshot) {
        let pid = dump.pid;
        if let Some(name) = self.text(dump.process)
            && self.named.insert(pid)
        {
            self.event();
            json::process_name(&mut self.buf, pid, &name);
        }
        let id = match self.text(dump.id).or_else(|| snapshot.dump_id.clone()) {
            Some(id) if self.dumped.insert((pid, id.clone())) => Some(id),
            // A dump without id stays so; a second one of the same id needs another.
            None if dump.ts.is_some() => None,
            _ => Some(self.fresh_id(pid)),
        };
        let ts = dump.ts.or(snapshot.ts).unwrap_or((self.snapshots + 1) as f64);
        let trigger = self.text(dump.trigger).unwrap_or_else(|| "explicitly_triggered".into());
        // Dumps of this writer's own have all there is.
        let level = self.text(dump.level).or_else(|| dump.ts.is_none().then(|| "detailed".into()));
        self.event();
        json::begin_dump(&mut self.buf, pid, ts, id.as_deref(), &trigger, level.as_deref());
        json::regions(&mut self.buf, &part.regions, &self.texts);
        json::totals(&mut self.buf, &part.totals, &self.texts);
        if self.config.v1 {
            self.v1(pid, part.heaps, snapshot);
        } else {
            self.v2(pid, part.heaps, snapshot);
        }
        self.buf.extend_from_slice(b"}}}");
    }

    /// An id for a dump that no dump of the process has had.
    fn fresh_id(&mut self, pid: i64) -> Rc<str> {
        loop {
            self.fresh += 1;
            let id: Rc<str> = format!("{:#x}", self.fresh).into();
            if self.dumped.insert((pid, id.clone())) {
                return id;
            }
        }
    }

    /// The entry that a type's id stands for, by the name that was recorded.
    fn type_entry(&self, pid: i64, ty: Ty, snapshot: &Snapshot) -> Entry {
        let recorded = ty.key.and_then(|key| snapshot.recorded.get(&(pid, key)).copied());
        let name = self.text(recorded).or_else(|| self.text(ty.name));
        Entry { name: Some(name.unwrap_or_else(|| "[unknown]".into())), parent: None, category: None }
    }

    /// An id of the source, if this kind of trace can have it.
    fn source_id(&self, key: Option<SourceKey>) -> Option<Id> {
        match key? {
            SourceKey::Number(n) => Some(Id::Number(n)),
            SourceKey::Text(text) if self.config.v1 => self.texts.get(&text).cloned().map(Id::Text),
            SourceKey::Text(_) => None,
        }
    }

    /// The id of a type in the source; that of no type is 0, as Chromium has it.
    fn type_id(&self, ty: Ty) -> Option<Id> {
        self.source_id(ty.key).or_else(|| ty.name.is_none().then_some(Id::Number(0)))
    }

    /// Ids of the frames of a heap, by frame.
    fn frame_ids(&self, heap: &mut Heap, dict: &mut Dict) -> Vec<Option<Id>> {
        let order = heap.order();
        // In v2 a frame 0 is the root for some readers. Where a v2 source has one it is up to them.
        let may_be_0 = self.config.v1 || self.is_format(heap, "v2");
        let numbers = heap.frames.iter().filter_map(|frame| match frame.key {
            Some(SourceKey::Number(n)) => Some(n),
            _ => None,
        });
        dict.reserve(numbers.max().unwrap_or(0));
        let mut ids: Vec<Option<Id>> = vec![None; heap.frames.len()];
        for at in order {
            let frame = &heap.frames[at as usize];
            let parent = if frame.parent == NONE { None } else { ids[frame.parent as usize].clone() };
            let entry = Entry { name: self.frame_name(frame), parent, category: self.text(frame.category) };
            let id = self.source_id(frame.key).filter(|id| may_be_0 || *id != Id::Number(0));
            ids[at as usize] = Some(dict.id(id, entry));
        }
        ids
    }

    /// The name of a frame, with its script if it has one, which distinguishes functions of one name.
    fn frame_name(&self, frame: &gather::Frame) -> Option<Rc<str>> {
        let name = self.text(frame.name);
        let Some((script, line, column)) = frame.script else { return name };
        let script = self.text(Some(script)).filter(|script| !script.is_empty());
        let Some(script) = script else { return name };
        let part = |n: Option<i64>| n.map_or_else(String::new, |n| format!(":{n}"));
        Some(format!("{} {script}{}{}", name.as_deref().unwrap_or(""), part(line), part(column)).into())
    }

    fn is_format(&self, heap: &Heap, format: &str) -> bool {
        self.text(heap.format).as_deref() == Some(format)
    }

    /// True if the frames `<self>` of this heap are not its own: the reader of the previous format made them.
    fn is_previous(&self, heap: &Heap) -> bool {
        self.is_format(heap, "previous")
    }

    /// Puts what hangs at frames `<self>` that a reader made on their callers.
    fn without_selves(&self, heap: &mut Heap) {
        let is_self =
            |frame: &gather::Frame| frame.key.is_none() && self.text(frame.name).as_deref() == Some("<self>");
        let mut kept = vec![NONE; heap.frames.len()];
        let mut frames = Vec::new();
        for (at, frame) in heap.frames.iter().enumerate() {
            if !is_self(frame) {
                kept[at] = frames.len() as u32;
                frames.push(*frame);
            }
        }
        let place = |at: u32, heap: &Heap| match at {
            NONE => NONE,
            at if is_self(&heap.frames[at as usize]) => heap.frames[at as usize].parent,
            at => at,
        };
        let to = |at: u32| if at == NONE { NONE } else { kept[at as usize] };
        let rows: Vec<u32> = heap.rows.iter().map(|row| to(place(row.frame, heap))).collect();
        for (row, frame) in heap.rows.iter_mut().zip(rows) {
            row.frame = frame;
        }
        // Only the sums over whole columns say what rows do not.
        heap.cells.retain(|cell| cell.frame == NONE);
        for frame in &mut frames {
            frame.parent = to(frame.parent);
        }
        heap.frames = frames;
    }

    /// The heaps of a process with own values.
    fn v2(&mut self, pid: i64, mut heaps: Vec<Heap>, snapshot: &Snapshot) {
        let mut dicts = Dicts::default();
        let mut tables = Vec::new();
        // Catapult wants types; only a source that had none at all comes out without.
        let typed = heaps.iter().any(|heap| !self.is_format(heap, "v2"))
            || heaps.iter().flat_map(|heap| &heap.rows).any(|row| row.ty != Ty::default());
        for heap in &mut heaps {
            if self.is_previous(heap) {
                self.without_selves(heap);
            }
            for frame in &heap.frames {
                self.left_out.add("chrome.category", u64::from(frame.category.is_some()));
            }
            self.left_out.add("chrome.cell records", heap.cells.len() as u64);
            for frame in &mut heap.frames {
                frame.category = None;
            }
            let frames = self.frame_ids(heap, &mut dicts.frames);
            let types: Vec<Id> = if typed {
                let id = |row: &gather::Row, dicts: &mut Dicts| {
                    dicts.types.id(self.type_id(row.ty), self.type_entry(pid, row.ty, snapshot))
                };
                heap.rows.iter().map(|row| id(row, &mut dicts)).collect()
            } else {
                Vec::new()
            };
            let unknown = heap.rows.iter().filter(|row| row.count.is_none()).count() as u64;
            self.left_out.add("unknown counts (written as 0)", unknown);
            tables.push((self.text(heap.allocator), frames, types));
        }
        let buf = &mut self.buf;
        json::maps(buf, &dicts.frames, &dicts.types);
        for (i, (heap, (allocator, frames, types))) in heaps.iter().zip(&tables).enumerate() {
            json::columns(buf, i == 0, allocator.as_deref().unwrap_or("heap"), heap, frames, types);
        }
        buf.extend_from_slice(b"}}");
    }

    /// The heaps of a process with cumulative values.
    fn v1(&mut self, pid: i64, mut heaps: Vec<Heap>, snapshot: &Snapshot) {
        json::begin_heaps(&mut self.buf);
        let mut dicts = self.dicts.remove(&pid).unwrap_or_default();
        for (i, heap) in heaps.iter_mut().enumerate() {
            let previous = self.is_previous(heap);
            if previous {
                self.without_selves(heap);
            }
            let given = !previous && !heap.cells.is_empty();
            let ty_id = |writer: &Self, ty: Ty, dicts: &mut Dicts| {
                dicts.types.id(writer.type_id(ty), writer.type_entry(pid, ty, snapshot))
            };
            let allocator = self.text(heap.allocator);
            json::begin_entries(&mut self.buf, i == 0, allocator.as_deref().unwrap_or("heap"));
            if given && self.config.cut == Cutoff::None {
                let frames = self.frame_ids(heap, &mut dicts.frames);
                for (i, cell) in heap.cells.iter().enumerate() {
                    let frame = if cell.frame == NONE { None } else { frames[cell.frame as usize].as_ref() };
                    let ty = cell.ty.map(|ty| ty_id(self, ty, &mut dicts));
                    json::entry(&mut self.buf, i == 0, frame, ty.as_ref(), cell.size, cell.count);
                }
            } else {
                self.broken_down(heap, given, &mut dicts, &ty_id);
            }
            self.buf.extend_from_slice(b"]}");
        }
        self.dicts.insert(pid, dicts);
        self.buf.extend_from_slice(b"}");
    }

    /// v1: what frames and types are called.
    fn dictionaries(&mut self) {
        for (pid, dicts) in std::mem::take(&mut self.dicts) {
            self.event();
            json::stack_frames(&mut self.buf, pid, &dicts.frames);
            self.event();
            json::type_names(&mut self.buf, pid, &dicts.types);
        }
    }
}

impl<W: Write> Sink for TraceWriter<W> {
    fn wants(&self) -> Wants {
        Wants::IN_ORDER
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let Metadata { key, value, .. } = *record;
        match key {
            "version_major" => {
                self.end_snapshot()?;
                self.snapshot = Snapshot::default();
                self.texts.clear();
                self.own_texts.clear();
                self.types.clear();
                self.begun = true;
            }
            "heap.snapshot" => {
                self.end_snapshot()?;
                self.snapshot = Snapshot::default();
            }
            "target_source" => value.clone_into(&mut self.source),
            "target_pid" => self.snapshot.target_pid = value.parse().ok(),
            "chrome.dump_id" => self.snapshot.dump_id = Some(value.into()),
            "chrome.ts" => self.snapshot.ts = value.parse().ok().filter(|ts: &f64| ts.is_finite()),
            "chrome.product" => drop(self.product.insert("product-version", value.to_owned())),
            "chrome.captured" => drop(self.product.insert("trace-capture-datetime", value.to_owned())),
            SNAPSHOT => drop(self.product.insert("heap-snapshot", value.to_owned())),
            SNAPSHOTS => drop(self.product.insert("heap-snapshots", value.to_owned())),
            _ if key.ends_with(".warning") => self.left_out.add("warnings of the source", 1),
            _ => {}
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.kinds = Kinds::of(&self.types);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.texts.insert(record.id, record.data.text().as_ref().into());
        Ok(())
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.iter().for_each(|node| self.snapshot.node(&node, self.kinds, &mut self.left_out));
        Ok(())
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.iter().for_each(|edge| self.snapshot.edge(&edge, self.kinds, &mut self.left_out));
        Ok(())
    }

    fn extension(&mut self, other: &Extension<'_>) -> Result {
        if !self.snapshot.extension(other) {
            self.left_out.add(&format!("{} records", other.kind), 1);
        }
        Ok(())
    }

    fn finish(&mut self, _intact: bool) -> Result {
        self.end_snapshot()?;
        if !self.begun && self.events == 0 {
            return Ok(());
        }
        self.dictionaries();
        if self.events == 0 {
            self.buf.extend_from_slice(b"{\"traceEvents\":[");
        }
        json::end(&mut self.buf, &self.product);
        self.drain()?;
        self.out.flush().map_err(Error::write)
    }
}

impl<W: Write> Target for TraceWriter<W> {
    fn left_out(&self) -> &LeftOut {
        &self.left_out
    }
}
