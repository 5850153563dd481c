//! What a writer holds of one snapshot: stacks, allocations, cells, and the dump's own records.

use std::rc::Rc;

use heap_base::Plus;
use heap_base::json::{each, scalar};
use heap_base::{Map, member};
use heap_record::{Edge, Extension, LeftOut, Node, StringId, Types, Value};

use crate::texts::NONE;

/// The process of a stream that names none.
pub(super) const NO_PID: i64 = 1;

/// What one process has through one allocator.
#[derive(Debug, Default)]
pub(super) struct Heap {
    pub(super) pid: i64,
    pub(super) allocator: Option<StringId>,
    pub(super) format: Option<StringId>,
    pub(super) frames: Vec<Frame>,
    pub(super) rows: Vec<Row>,
    pub(super) cells: Vec<Cell>,
    /// How many rows at the root have a frame that the source could not find.
    pub(super) unresolved: u64,
}

/// A stack frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) name: Option<StringId>,
    pub(super) category: Option<StringId>,
    /// What the source calls it: a number, or a string id.
    pub(super) key: Option<SourceKey>,
    /// Script, line and column, where the source has these.
    pub(super) script: Option<(StringId, Option<i64>, Option<i64>)>,
    /// The frame that called it, or [`NONE`].
    pub(super) parent: u32,
}

/// The name that a source gives a frame or a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SourceKey {
    Number(u64),
    Text(StringId),
}

/// What was allocated at one frame with one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// A frame, or [`NONE`] for the root.
    pub(super) frame: u32,
    pub(super) ty: Ty,
    pub(super) size: u64,
    pub(super) count: Option<u64>,
}

/// A cumulative cell as the source has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) frame: u32,
    /// All types, or one.
    pub(super) ty: Option<Ty>,
    pub(super) size: u64,
    pub(super) count: Option<u64>,
}

/// A type: its name, and what the source calls it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Ty {
    pub(super) name: Option<StringId>,
    pub(super) key: Option<SourceKey>,
}

/// A process dump's own data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dump {
    pub(super) pid: i64,
    pub(super) process: Option<StringId>,
    pub(super) id: Option<StringId>,
    pub(super) trigger: Option<StringId>,
    pub(super) level: Option<StringId>,
    pub(super) ts: Option<f64>,
}

/// A total that an allocator reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total {
    pub(super) pid: i64,
    pub(super) allocator: StringId,
    pub(super) attribute: StringId,
    pub(super) units: Option<StringId>,
    pub(super) value: u64,
}

/// A mapped region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) pid: i64,
    pub(super) start: u64,
    pub(super) size: u64,
    pub(super) protection: u64,
    pub(super) file: Option<StringId>,
}

/// Objects and bytes of a class, where a stream has no stacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) size: u64,
    pub(super) external: u64,
    pub(super) count: u64,
    /// Those of them that have bytes outside the heap.
    pub(super) outside: u64,
}

impl Sum {
    /// Adds so many objects with bytes in the heap and outside of it.
    pub(super) fn add(&mut self, (count, size, external): (u64, u64, u64), outside: u64) {
        self.count = self.count.plus(count);
        self.size = self.size.plus(size);
        self.external = self.external.plus(external);
        self.outside = self.outside.plus(outside);
    }
}

#[derive(Clone, Copy, Debug)]
enum NodeRole {
    Root,
    Frame(u32),
    Row(u32),
}

/// One snapshot. Memory: 40 bytes a node in the table of identifiers, 32 to 56 in its list; or, of a stream without
/// stacks, a few words for each class.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    pub(super) heaps: Vec<Heap>,
    heap_of: Map<(i64, Option<StringId>), u32>,
    roles: Map<Value, (u32, NodeRole)>,
    /// Edges that came before their nodes.
    deferred_edges: Vec<(Value, Value)>,
    /// Cells, until all frames are known.
    deferred_cells: Vec<(Value, Cell)>,
    pub(super) dumps: Vec<Dump>,
    pub(super) totals: Vec<Total>,
    /// Names of types exactly as recorded.
    pub(super) recorded: Map<(i64, SourceKey), StringId>,
    pub(super) regions: Vec<Region>,
    /// By class and subtype.
    pub(super) classes: Map<(Option<StringId>, u32), Sum>,
    pub(super) target_pid: Option<i64>,
    pub(super) dump_id: Option<Rc<str>>,
    pub(super) ts: Option<f64>,
    pub(super) any: bool,
}

/// Numbers of the subtypes that stacks are made of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds {
    root: Option<u32>,
    frame: Option<u32>,
    allocation: Option<u32>,
    calls: Option<u32>,
    allocated: Option<u32>,
}

impl Kinds {
    pub(super) fn of(types: &Types) -> Self {
        Self {
            root: types.node_id("heap.root"),
            frame: types.node_id("heap.frame"),
            allocation: types.node_id("heap.allocation"),
            calls: types.edge_id("heap.calls"),
            allocated: types.edge_id("heap.allocated"),
        }
    }

    /// True if the stream has stacks.
    pub(super) fn stacks(self) -> bool {
        self.allocation.is_some()
    }
}

impl Snapshot {
    fn heap(&mut self, pid: i64, allocator: Option<StringId>) -> u32 {
        let next = self.heaps.len() as u32;
        let at = *self.heap_of.entry((pid, allocator)).or_insert(next);
        if at == next {
            self.heaps.push(Heap { pid, allocator, ..Heap::default() });
        }
        at
    }

    pub(super) fn node(&mut self, node: &Node<'_>, kinds: Kinds, left_out: &mut LeftOut) {
        self.any = true;
        let heap = &node.heap;
        if !kinds.stacks() {
            left_out.add("nodes by themselves (added up by class)", 1);
            let sum = self.classes.entry((heap.class, node.subtype)).or_default();
            let (count, external) = (heap.count.unwrap_or(1), heap.external.unwrap_or(0));
            let outside = if external > 0 { count } else { 0 };
            sum.add((count, heap.size.unwrap_or(0), external), outside);
            return;
        }
        if heap.retained.is_some()
            || heap.idom.is_some()
            || heap.distance.is_some()
            || heap.reachable.is_some()
        {
            left_out.add("annotations", 1);
        }
        let int = |path: &str| member(node.rest, path).and_then(scalar).and_then(|v| v.as_int());
        let pid = int("chrome.pid").or(self.target_pid).unwrap_or(NO_PID);
        let kind = Some(node.subtype);
        let allocator = int("chrome.allocator");
        let at = self.heap(pid, allocator);
        let into = &mut self.heaps[at as usize];
        let key = |number: &str, text: &str| {
            let number = int(number).map(|n| SourceKey::Number(n as u64));
            number.or_else(|| int(text).map(SourceKey::Text))
        };
        let role = if kind == kinds.root {
            into.format = int("chrome.format");
            into.unresolved = int("chrome.unresolved").unwrap_or(0) as u64;
            for what in ["chrome.skipped", "chrome.inconsistent"] {
                left_out.add(what, int(what).unwrap_or(0) as u64);
            }
            NodeRole::Root
        } else if kind == kinds.frame {
            let own = |name: &str| member(node.own, name).and_then(scalar).and_then(|v| v.as_int());
            let function = own("function");
            let script = own("script_name").map(|script| (script, own("line"), own("column")));
            let name = function.or(heap.name.filter(|_| int("chrome.module").is_none()));
            let category = int("chrome.category");
            let key = key("chrome.frame_id", "chrome.frame_key");
            into.frames.push(Frame { name, category, key, script, parent: NONE });
            NodeRole::Frame(into.frames.len() as u32 - 1)
        } else {
            left_out.add("heap.external", u64::from(heap.external.is_some_and(|n| n > 0)));
            if kind != kinds.allocation {
                left_out.add("subtypes of nodes", 1);
            }
            // What is called as its frame is has no type of its own.
            let class = heap.class.filter(|_| heap.class != heap.name);
            let ty = Ty { name: class, key: key("chrome.type_id", "chrome.type_key") };
            into.rows.push(Row { frame: NONE, ty, size: heap.size.unwrap_or(0), count: heap.count });
            NodeRole::Row(into.rows.len() as u32 - 1)
        };
        self.roles.insert(node.id, (at, role));
    }

    pub(super) fn edge(&mut self, edge: &Edge<'_>, kinds: Kinds, left_out: &mut LeftOut) {
        let kind = Some(edge.subtype);
        match edge.dest {
            Some(dest) if kind == kinds.calls || kind == kinds.allocated => {
                if !self.link(edge.source, dest) {
                    self.deferred_edges.push((edge.source, dest));
                }
            }
            _ => left_out.add("edges", 1),
        }
    }

    /// False if one of the two nodes is not known yet.
    fn link(&mut self, source: Value, dest: Value) -> bool {
        let (Some(&(above, from)), Some(&(at, to))) = (self.roles.get(&source), self.roles.get(&dest)) else {
            return false;
        };
        let NodeRole::Frame(caller) = from else { return true };
        if above != at {
            return true;
        }
        let heap = &mut self.heaps[at as usize];
        match to {
            NodeRole::Frame(frame) if heap.frames[frame as usize].parent == NONE && frame != caller => {
                heap.frames[frame as usize].parent = caller;
            }
            NodeRole::Row(row) if heap.rows[row as usize].frame == NONE => {
                heap.rows[row as usize].frame = caller;
            }
            _ => {}
        }
        true
    }

    /// An extension record; false if a trace has no place for it.
    pub(super) fn extension(&mut self, other: &Extension<'_>) -> bool {
        let mut fields: [Option<i64>; FIELDS.len()] = [None; FIELDS.len()];
        let mut ts = None;
        for (key, raw) in each(other.body) {
            let value = scalar(raw);
            if key == "ts" {
                ts = value.as_ref().and_then(heap_base::json::Json::as_float);
            } else if let Some(at) = FIELDS.iter().position(|name| *name == key) {
                fields[at] = value.and_then(|v| v.as_int());
            }
        }
        let field = |name: &str| FIELDS.iter().position(|f| *f == name).and_then(|at| fields[at]);
        let pid = field("pid").unwrap_or(NO_PID);
        let key = || {
            let number = field("type_id").map(|n| SourceKey::Number(n as u64));
            number.or_else(|| field("type_key").map(SourceKey::Text))
        };
        match other.kind {
            "chrome.dump" => self.dumps.push(Dump {
                pid,
                process: field("process"),
                id: field("dump_id"),
                trigger: field("trigger"),
                level: field("level_of_detail"),
                ts,
            }),
            "chrome.total" => {
                if let (Some(allocator), Some(attribute)) = (field("allocator"), field("attribute")) {
                    let value = field("value").unwrap_or(0) as u64;
                    self.totals.push(Total { pid, allocator, attribute, units: field("units"), value });
                }
            }
            "chrome.type" => {
                if let (Some(key), Some(name)) = (key(), field("recorded").or(field("class"))) {
                    self.recorded.insert((pid, key), name);
                }
            }
            "chrome.region" => self.regions.push(Region {
                pid,
                start: field("start").unwrap_or(0) as u64,
                size: field("size").unwrap_or(0) as u64,
                protection: field("protection").unwrap_or(0) as u64,
                file: field("file"),
            }),
            "chrome.cell" => {
                let name = field("class");
                let key = key();
                let ty = (name.is_some() || key.is_some()).then_some(Ty { name, key });
                let size = field("size").unwrap_or(0) as u64;
                let cell = Cell { frame: NONE, ty, size, count: field("count").map(|n| n as u64) };
                self.deferred_cells.push((field("frame").unwrap_or(0), cell));
            }
            _ => return false,
        }
        true
    }

    /// Places the deferred edges and cells. Call after the last record.
    pub(super) fn place_deferred(&mut self, left_out: &mut LeftOut) {
        for (source, dest) in std::mem::take(&mut self.deferred_edges) {
            if !self.link(source, dest) {
                left_out.add("edges to nodes that are not there", 1);
            }
        }
        for (frame, mut cell) in std::mem::take(&mut self.deferred_cells) {
            match self.roles.get(&frame) {
                Some(&(at, NodeRole::Root)) => self.heaps[at as usize].cells.push(cell),
                Some(&(at, NodeRole::Frame(frame))) => {
                    cell.frame = frame;
                    self.heaps[at as usize].cells.push(cell);
                }
                _ => left_out.add("chrome.cell records of frames that are not there", 1),
            }
        }
        self.roles = Map::default();
    }
}

/// Fields of the extension records that are whole numbers.
const FIELDS: [&str; 19] = [
    "pid",
    "process",
    "dump_id",
    "trigger",
    "level_of_detail",
    "allocator",
    "attribute",
    "units",
    "value",
    "type_id",
    "type_key",
    "class",
    "recorded",
    "start",
    "size",
    "protection",
    "file",
    "frame",
    "count",
];

impl Heap {
    /// Frames, callers first; those that call each other in a circle hang at the root.
    pub(super) fn order(&mut self) -> Vec<u32> {
        let n = self.frames.len();
        let mut order = Vec::with_capacity(n);
        // 0 = not seen, 1 = on the way, 2 = done.
        let mut state = vec![0u8; n];
        let mut way = Vec::new();
        for start in 0..n as u32 {
            let mut at = start;
            while at != NONE && state[at as usize] == 0 {
                state[at as usize] = 1;
                way.push(at);
                at = self.frames[at as usize].parent;
                if at != NONE && state[at as usize] == 1 {
                    self.frames[way[way.len() - 1] as usize].parent = NONE;
                    break;
                }
            }
            while let Some(frame) = way.pop() {
                state[frame as usize] = 2;
                order.push(frame);
            }
        }
        order
    }
}
