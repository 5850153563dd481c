//! A profile as records.

use std::borrow::Cow;

use heap_base::{Error, Members, Result};
use heap_base::{Map, json::push_text};
use heap_record::{
    Data, Declared, Edge, EdgeBatch, Extension, FieldKind, Fields, Heap, IdRule, Node, NodeBatch, Retains,
    Role, Sink, SnapshotSelector, Str, StringId, head, index_id,
};

use crate::profile::{Function, Location, Profile, Sample, ValueType};
use crate::prune::{Pruned, lines};
use crate::text::Origin;

/// Numbers of the declared subtypes.
const ROOT: u32 = 1;
const FRAME: u32 = 2;
const ALLOCATION: u32 = 3;
const CALLS: u32 = 1;
const ALLOCATED: u32 = 2;

/// A node of the tree of stacks. The root has no place.
struct Frame {
    parent: u32,
    /// Position of its location, and which of its lines it is.
    place: Option<(u32, u32)>,
}

/// The tree of stacks: frames by number, 0 is the root; and the samples.
struct Tree {
    frames: Vec<Frame>,
    leaves: Vec<Leaf>,
}

/// A sample.
struct Leaf {
    sample: u32,
    /// The frame that it counts for, and the one where it was taken, which may have been dropped.
    frame: u32,
    taken_at: u32,
}

/// Which samples of a profile make a snapshot. Those of a difference are told apart by their signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    size: usize,
    count: Option<usize>,
    sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Any,
    Minus,
    Plus,
}

impl Side {
    /// The snapshots of a profile: one, or of a difference what went and what came.
    pub(crate) fn all(profile: &Profile, size: usize, count: Option<usize>) -> Vec<Self> {
        let side = |sign| Self { size, count, sign };
        let minus = side(Sign::Minus);
        if profile.samples.iter().any(|sample| minus.has(sample)) {
            vec![minus, side(Sign::Plus)]
        } else {
            vec![side(Sign::Any)]
        }
    }

    /// Whether a sample is of this side: its bytes say it, and its objects if it has no bytes.
    pub(crate) fn has(self, sample: &Sample) -> bool {
        let value = |at: usize| sample.values.get(at).copied().filter(|&n| n != 0);
        let sign = value(self.size).or_else(|| value(self.count?)).unwrap_or(0);
        match self.sign {
            Sign::Any => true,
            Sign::Minus => sign < 0,
            Sign::Plus => sign >= 0,
        }
    }

    /// What its sizes are; nothing where they are all of the profile.
    fn name(self) -> Option<&'static str> {
        match self.sign {
            Sign::Any => None,
            Sign::Minus => Some("went"),
            Sign::Plus => Some("came"),
        }
    }

    /// The sum of its sizes.
    pub(crate) fn total(self, profile: &Profile) -> u64 {
        let samples = profile.samples.iter().filter(|sample| self.has(sample));
        samples.fold(0, |sum: u64, sample| sum.saturating_add(self.value(sample, self.size).unwrap_or(0)))
    }

    /// A value of a sample without its sign; `None` if there is none, or it has the other sign.
    pub(crate) fn value(self, sample: &Sample, at: usize) -> Option<u64> {
        let value = *sample.values.get(at)?;
        let minus = self.sign == Sign::Minus;
        (value == 0 || (value < 0) == minus).then_some(value.unsigned_abs())
    }
}

/// Which sample types are the bytes, by this name if there is one, and the number of objects. Of a profile that is not whole,
/// that it lacks them is no fault.
pub(crate) fn values(
    profile: &Profile,
    wanted: Option<&str>,
    whole: bool,
) -> Result<Option<(usize, Option<usize>)>> {
    let Some(name) = wanted else { return Ok(profile.heap_values()) };
    match profile.named_values(name) {
        Ok(values) => Ok(Some(values)),
        Err(others) if whole => {
            let what = format!("this profile has no value '{name}' in bytes, but {}", others.join(", "));
            Err(Error::refused(what))
        }
        Err(_) => Ok(None),
    }
}

/// Emits the chosen snapshots of a profile. Returns what is wrong with it, if anything. Where it was cut off, what refers to
/// nothing is no fault of its own.
pub(crate) fn emit(
    profile: &Profile,
    origin: Option<&Origin>,
    wanted: Option<&str>,
    whole: bool,
    pick: SnapshotSelector,
    sink: &mut dyn Sink,
) -> Result<Option<Error>> {
    let Some((size, count)) = values(profile, wanted, whole)? else {
        if !whole {
            return Ok(None);
        }
        let types: Vec<_> = profile.sample_types.iter().map(|t| text(profile, t.name)).collect();
        let what = format!("this profile measures no bytes, but {}: no heap", types.join(", "));
        return Err(Error::refused(what));
    };
    let sides = Side::all(profile, size, count);
    let chosen = pick.range(sides.len() as u64)?;
    let several = sides.len() > 1 && pick == SnapshotSelector::All;
    let fields = value_fields(profile);
    let functions = profile.functions.iter().map(|f| (f.id, f)).collect();
    let pruned = Pruned::of(profile);
    let (mut fault, mut first) = (None, true);
    for number in chosen {
        let side = sides[number as usize];
        let (tree, wrong) = Tree::new(profile, side, pruned.as_ref(), whole);
        let emitter = Emitter {
            profile,
            tree: &tree,
            functions: &functions,
            fields: &fields,
            side,
            prunes: pruned.is_some(),
        };
        if first {
            emitter.head(origin, sides.len() > 1, sink)?;
        }
        if several {
            let value = &number.to_string();
            head::metadata(sink, "heap.snapshot", value)?;
        }
        if let Some(sizes) = side.name() {
            head::metadata(sink, "heap.sizes", sizes)?;
        }
        if sides.len() > 1 && pick == SnapshotSelector::Last {
            head::metadata(sink, "profile.note", &choice(profile, &sides))?;
        }
        if first {
            emitter.strings(sink)?;
        }
        emitter.frames(sink)?;
        emitter.allocations(sink)?;
        emitter.edges(sink)?;
        if first {
            emitter.rest(sink)?;
        }
        (fault, first) = (fault.or(wrong), false);
    }
    Ok(fault)
}

/// Says which side of a difference is the last one, that was chosen, and what the other is.
fn choice(profile: &Profile, sides: &[Side]) -> String {
    let of = |side: Option<&Side>| side.map_or(0, |side| side.total(profile));
    let (went, came) = (of(sides.first()), of(sides.last()));
    format!(
        "the difference of two profiles: this is what came, {came} bytes; what went, {went} bytes, is @0, and \
         heap-diff FILE@0 FILE@1 compares them"
    )
}

fn text(profile: &Profile, text: u64) -> Cow<'_, str> {
    String::from_utf8_lossy(profile.text(text))
}

/// The field of each sample type in the namespace `pprof`: its name, or its position where that is no name for a field.
pub(crate) fn value_fields(profile: &Profile) -> Vec<String> {
    let mut fields: Vec<String> = Vec::new();
    for (i, t) in profile.sample_types.iter().enumerate() {
        let name = text(profile, t.name);
        let good =
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        let taken =
            ["labels", "location", "inline", "frame"].contains(&&*name) || fields.iter().any(|f| *f == name);
        fields.push(if good && !taken { name.into_owned() } else { format!("value_{i}") });
    }
    fields
}

/// Go's own packages, by the first part of their path.
const GO: &[&str] = &[
    "archive",
    "bufio",
    "bytes",
    "cmp",
    "compress",
    "container",
    "context",
    "crypto",
    "database",
    "debug",
    "embed",
    "encoding",
    "errors",
    "expvar",
    "flag",
    "fmt",
    "go",
    "hash",
    "html",
    "image",
    "index",
    "internal",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "mime",
    "net",
    "os",
    "path",
    "plugin",
    "reflect",
    "regexp",
    "runtime",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "syscall",
    "testing",
    "text",
    "time",
    "unicode",
    "unique",
    "vendor",
    "weak",
];

/// Names of files that came with Go: those in the folder that its package `runtime` is in. Builds with `-trimpath` have no such
/// folder, but the packages alone.
fn runtime_files(profile: &Profile) -> Vec<String> {
    let in_runtime = |f: &&Function| {
        let (name, file) = (profile.text(f.names[0]), profile.text(f.names[2]));
        name.starts_with(b"runtime.") && file.ends_with(b".go")
    };
    let Some(function) = profile.functions.iter().find(in_runtime) else { return Vec::new() };
    let file = text(profile, function.names[2]);
    match file.rsplit_once("runtime/") {
        Some(("", _)) => GO.iter().map(|package| format!("{package}/*")).collect(),
        Some((folder, _)) => vec![format!("{folder}*")],
        None => Vec::new(),
    }
}

impl Tree {
    /// The stacks of all samples before the first faulty one, and what is wrong with that.
    fn new(profile: &Profile, side: Side, pruned: Option<&Pruned>, whole: bool) -> (Self, Option<Error>) {
        let mut numbers: Map<u64, u32> = Map::default();
        for (number, location) in (0..).zip(&profile.locations) {
            numbers.entry(location.id).or_insert(number);
        }
        let mut tree = Self { frames: vec![Frame { parent: 0, place: None }], leaves: Vec::new() };
        let mut children: Map<(u32, u32, u32), u32> = Map::default();
        let (mut stack, mut left) = (Vec::new(), Vec::new());
        for (at, sample) in (0..).zip(&profile.samples) {
            if !side.has(sample) {
                continue;
            }
            if let Some(what) = fault(profile, sample) {
                return (tree, Some(Error::input(format!("sample {at}: {what}"))));
            }
            stack.clear();
            for id in sample.locations.iter().rev() {
                match numbers.get(id) {
                    Some(&number) => stack.push(number),
                    None if whole => {
                        let what = format!("sample {at}: there is no location {id}");
                        return (tree, Some(Error::input(what)));
                    }
                    None => {}
                }
            }
            let mut add = |frames: &[(u32, u32)]| {
                frames.iter().fold(0, |parent, &place| {
                    let next = tree.frames.len() as u32;
                    *children.entry((parent, place.0, place.1)).or_insert_with(|| {
                        tree.frames.push(Frame { parent, place: Some(place) });
                        next
                    })
                })
            };
            let frame = pruned.map(|pruned| {
                pruned.left(profile, &stack, &mut left);
                add(&left)
            });
            left.clear();
            left.extend(stack.iter().flat_map(|&number| {
                let lines = lines(&profile.locations[number as usize]);
                (0..lines).rev().map(move |line| (number, line))
            }));
            let taken_at = add(&left);
            tree.leaves.push(Leaf { sample: at, frame: frame.unwrap_or(taken_at), taken_at });
        }
        (tree, None)
    }
}

/// What is wrong with the values of a sample.
fn fault(profile: &Profile, sample: &Sample) -> Option<String> {
    let (types, values) = (profile.sample_types.len(), sample.values.len());
    (types != values).then(|| format!("{values} values for {types} sample types"))
}

struct Emitter<'a> {
    profile: &'a Profile,
    tree: &'a Tree,
    functions: &'a Map<u64, &'a Function>,
    fields: &'a [String],
    side: Side,
    /// Frames may be dropped.
    prunes: bool,
}

impl Emitter<'_> {
    fn head(&self, origin: Option<&Origin>, difference: bool, sink: &mut dyn Sink) -> Result {
        let p = self.profile;
        head::begin(sink, origin.map_or("pprof", |origin| origin.source), IdRule::Index)?;
        let mut emit = |key: &str, value: &str| head::metadata(sink, key, value);
        emit("heap.root", "1")?;
        emit("pprof.sample_types", &self.types(&p.sample_types))?;
        emit("heap.value", &self.fields[self.side.size])?;
        // What was allocated since the program began, in use or not.
        if !difference && text(p, p.sample_types[self.side.size].name).starts_with("alloc_") {
            emit("heap.sizes", "allocated")?;
        }
        for names in runtime_files(p) {
            emit("heap.runtime", &names)?;
        }
        if p.functions.iter().any(|function| p.text(function.names[2]).ends_with(b".go")) {
            emit("heap.packages", "paths")?;
        }
        if difference {
            emit("profile.delta", "true")?;
        }
        for (key, value) in origin.iter().flat_map(|origin| &origin.metadata) {
            emit(key, value)?;
        }
        if let Some(period) = p.period_type {
            emit("pprof.period_type", &self.types(&[period]))?;
            // A text has said it already.
            if origin.is_none() && text(p, period.unit) == "bytes" && p.period > 1 {
                emit("heap.sampled", &p.period.to_string())?;
            }
        }
        let numbers = [
            ("pprof.period", p.period),
            ("pprof.time_nanos", p.time[0]),
            ("pprof.duration_nanos", p.time[1]),
        ];
        for (key, n) in numbers.into_iter().filter(|(_, n)| *n != 0) {
            emit(key, &n.to_string())?;
        }
        let texts = [
            ("pprof.drop_frames", p.frames[0]),
            ("pprof.keep_frames", p.frames[1]),
            ("pprof.default_sample_type", p.default_type),
            ("pprof.doc_url", p.doc_url),
        ];
        let comments = p.comments.iter().map(|&comment| ("pprof.comment", comment));
        for (key, n) in texts.into_iter().filter(|(_, n)| *n != 0).chain(comments) {
            emit(key, &text(p, n))?;
        }
        self.declare(sink)
    }

    /// Names and units as JSON.
    fn types(&self, types: &[ValueType]) -> String {
        let mut out = vec![b'['];
        for t in types {
            out.extend_from_slice(if out.len() > 1 { b",[" } else { b"[" });
            push_text(&mut out, &text(self.profile, t.name));
            out.push(b',');
            push_text(&mut out, &text(self.profile, t.unit));
            out.push(b']');
        }
        out.push(b']');
        String::from_utf8(out).unwrap_or_default()
    }

    fn declare(&self, sink: &mut dyn Sink) -> Result {
        use FieldKind::{Address, Integer, String, Text, Value};
        let mut record =
            |name: &str, fields: Fields<'_>| sink.declare(&Declared::Record { name, fields }.into());
        let own = |name: &'static str, kind| (Cow::Borrowed(name), kind);
        let mut node = vec![
            own("subtype", Integer),
            own("identifier", Value),
            own("heap.size", Integer),
            own("heap.class", String),
            own("heap.name", String),
            own("heap.count", Integer),
            own("pprof.location", Integer),
            own("pprof.inline", Integer),
        ];
        node.extend(self.fields.iter().map(|f| (Cow::Owned(format!("pprof.{f}")), Integer)));
        node.push(own("pprof.labels", Text));
        if self.prunes {
            node.push(own("pprof.frame", Value));
        }
        record("node", &node)?;
        record("edge", &[own("subtype", Integer), own("source", Value), own("dest", Value)])?;
        record(
            "pprof.mapping",
            &[
                own("id", Integer),
                own("start", Address),
                own("limit", Address),
                own("offset", Integer),
                own("file", String),
                own("build_id", String),
                own("has", Integer),
            ],
        )?;
        let location = [own("id", Integer), own("mapping", Integer), own("address", Address)];
        record("pprof.location", &[&location[..], &[own("folded", Integer)]].concat())?;
        let line = [own("location", Integer), own("function", Integer), own("line", Integer)];
        record("pprof.line", &[&line[..], &[own("column", Integer)]].concat())?;
        let names = [own("name", String), own("system_name", String), own("file", String)];
        record(
            "pprof.function",
            &[&[own("id", Integer)][..], &names, &[own("start_line", Integer)]].concat(),
        )?;
        let frame = [
            own("function", String),
            own("script_name", String),
            own("line", Integer),
            own("column", Integer),
        ];
        let nodes: [(u32, &str, Option<&str>, Fields<'_>); 3] = [
            (ROOT, "heap.root", None, &[]),
            (FRAME, "heap.frame", Some("heap_frame"), &frame),
            (ALLOCATION, "heap.allocation", Some("heap_allocation"), &frame),
        ];
        for (id, name, table, fields) in nodes {
            sink.declare(&Declared::Node { id, name, table, fields }.into())?;
        }
        for (id, name) in [(CALLS, "heap.calls"), (ALLOCATED, "heap.allocated")] {
            sink.declare(
                &Declared::Edge { id, name, retains: Retains::Yes, role: Some(Role::Inner), rest: b"" }
                    .into(),
            )?;
        }
        Ok(())
    }

    /// The strings of the profile under their own numbers, and behind them the names of locations without lines.
    fn strings(&self, sink: &mut dyn Sink) -> Result {
        if !sink.wants().any_strings() {
            return Ok(());
        }
        let mut rest = Members::new();
        for (id, bytes) in (0..).zip(&self.profile.strings) {
            rest.clear();
            let text = String::from_utf8_lossy(bytes);
            if let Cow::Owned(_) = text {
                let digit = |n: u8| char::from_digit(n.into(), 16).unwrap_or('0');
                let hex: String = bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect();
                rest.open("heap").text("bytes", &hex).close();
            }
            sink.string(&Str { id, data: Data::Plain(&text), rest: rest.as_bytes(), ..Str::default() })?;
        }
        for (number, location) in (0..).zip(&self.profile.locations) {
            if location.lines.is_empty() {
                let name = self.place(location);
                let id = self.address_name(number);
                sink.string(&Str { id, data: Data::Plain(&name), ..Str::default() })?;
            }
        }
        let root = Str { id: self.address_name(self.profile.locations.len() as u32), ..Str::default() };
        sink.string(&Str { data: Data::Plain("(root)"), ..root })
    }

    /// What a location without lines is called: its place in its file, as `libc.so.6+0x2724a`, or its address.
    fn place(&self, location: &Location) -> String {
        let mapping = self.profile.mappings.iter().find(|m| m.id == location.mapping && m.id != 0);
        let file = mapping.map_or(Cow::Borrowed(""), |m| text(self.profile, m.file[0]));
        let name = file.rsplit('/').next().unwrap_or_default();
        match mapping.and_then(|m| location.address.checked_sub(m.range[0])?.checked_add(m.range[2])) {
            Some(offset) if !name.is_empty() => format!("{name}+{offset:#x}"),
            _ => format!("{:#x}", location.address),
        }
    }

    /// Number of the string that names a location without lines.
    fn address_name(&self, number: u32) -> StringId {
        (self.profile.strings.len() + number as usize) as StringId
    }

    /// The name of a frame's function; function, file and line become `own`.
    fn function(&self, frame: &Frame, own: &mut Members) -> StringId {
        own.clear();
        let Some((number, inline)) = frame.place else {
            return self.address_name(self.profile.locations.len() as u32);
        };
        let location: &Location = &self.profile.locations[number as usize];
        let line = location.lines.get(inline as usize);
        let function = line.and_then(|line| self.functions.get(&line.function));
        if let Some(function) = function {
            own.uint("function", function.names[0]).uint("script_name", function.names[2]);
        }
        for (key, n) in line.map_or([("line", 0); 2], |l| [("line", l.line), ("column", l.column)]) {
            if n != 0 {
                own.int(key, n);
            }
        }
        function.map_or_else(|| self.address_name(number), |f| f.names[0] as StringId)
    }

    fn frames(&self, sink: &mut dyn Sink) -> Result {
        let (mut own, mut rest) = (Members::new(), Members::new());
        for (number, frame) in (0..).zip(&self.tree.frames) {
            rest.clear();
            let name = Some(self.function(frame, &mut own));
            let (subtype, class) = match frame.place {
                None => (ROOT, None),
                Some((number, inline)) => {
                    rest.open("pprof").uint("location", self.profile.locations[number as usize].id);
                    if inline > 0 {
                        rest.uint("inline", inline.into());
                    }
                    rest.close();
                    (FRAME, name)
                }
            };
            let heap = Heap { size: Some(0), class, name, count: Some(0), ..Heap::default() };
            let (own, rest) = (own.as_bytes(), rest.as_bytes());
            let node = Node { subtype, id: index_id(number), own, heap, rest, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    fn allocations(&self, sink: &mut dyn Sink) -> Result {
        let (mut own, mut rest, mut labels) = (Members::new(), Members::new(), Vec::new());
        for (number, of) in (self.tree.frames.len() as u64..).zip(&self.tree.leaves) {
            let (sample, leaf) = (&self.profile.samples[of.sample as usize], of.frame);
            rest.clear();
            let name = Some(self.function(&self.tree.frames[leaf as usize], &mut own)).filter(|_| leaf > 0);
            rest.open("pprof");
            for (field, &value) in self.fields.iter().zip(&sample.values) {
                rest.int(field, value);
            }
            if !sample.labels.is_empty() {
                labels.clear();
                self.labels(sample, &mut labels);
                rest.text("labels", std::str::from_utf8(&labels).unwrap_or_default());
            }
            if of.taken_at != leaf {
                rest.int("frame", index_id(of.taken_at.into()));
            }
            rest.close();
            let value = |at: usize| Some(self.side.value(sample, at).unwrap_or(0));
            let (size, count) = (value(self.side.size), self.side.count.and_then(value));
            let heap = Heap { size, class: name, name, count, ..Heap::default() };
            let (id, own, rest) = (index_id(number), own.as_bytes(), rest.as_bytes());
            let node = Node { subtype: ALLOCATION, id, own, heap, rest, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    /// Labels as JSON: `[["bytes",1024,"bytes"],["thread","main"]]`.
    fn labels(&self, sample: &Sample, out: &mut Vec<u8>) {
        for label in &sample.labels {
            out.extend_from_slice(if out.is_empty() { b"[[" } else { b",[" });
            push_text(out, &text(self.profile, label.key));
            out.push(b',');
            if label.text == 0 {
                // Plain digits: no JSON reader but ours looks at this text.
                out.extend_from_slice(label.number.to_string().as_bytes());
                if label.unit != 0 {
                    out.push(b',');
                    push_text(out, &text(self.profile, label.unit));
                }
            } else {
                push_text(out, &text(self.profile, label.text));
            }
            out.push(b']');
        }
        out.push(b']');
    }

    fn edges(&self, sink: &mut dyn Sink) -> Result {
        if !sink.wants().any_edges() {
            return Ok(());
        }
        let calls = (0..).zip(&self.tree.frames).skip(1).map(|(at, frame)| (CALLS, frame.parent, at));
        let first = self.tree.frames.len() as u64;
        let allocated = (first..).zip(&self.tree.leaves).map(|(at, leaf)| (ALLOCATED, leaf.frame, at));
        for (subtype, source, dest) in calls.chain(allocated) {
            let (source, dest) = (index_id(source.into()), Some(index_id(dest)));
            sink.edges(&EdgeBatch::one(&Edge { subtype, source, dest, ..Edge::default() }))?;
        }
        Ok(())
    }

    /// What nodes do not hold.
    fn rest(&self, sink: &mut dyn Sink) -> Result {
        if !sink.wants().extensions {
            return Ok(());
        }
        let mut body = Members::new();
        let mut emit = |kind: &str, members: &[(&str, i128)]| {
            body.clear();
            for &(key, n) in members {
                match u64::try_from(n) {
                    Ok(n) => body.uint(key, n),
                    Err(_) => body.int(key, n as i64),
                };
            }
            sink.extension(&Extension { kind, body: body.as_bytes(), ..Extension::default() })
        };
        for m in &self.profile.mappings {
            let has = (0..).zip(m.has).fold(0, |has, (bit, flag)| has | u64::from(flag != 0) << bit);
            let [start, limit, offset] = m.range;
            let keys = ["id", "start", "limit", "offset", "file", "build_id", "has"];
            let values = [m.id, start, limit, offset, m.file[0], m.file[1], has];
            emit("pprof.mapping", &pairs(keys, values))?;
        }
        for l in &self.profile.locations {
            let keys = ["id", "mapping", "address", "folded"];
            emit("pprof.location", &pairs(keys, [l.id, l.mapping, l.address, l.folded]))?;
            for line in &l.lines {
                let [location, function] = [l.id, line.function].map(i128::from);
                let keys = ["location", "function", "line", "column"];
                emit("pprof.line", &pairs(keys, [location, function, line.line.into(), line.column.into()]))?;
            }
        }
        for f in &self.profile.functions {
            let [name, system, file] = f.names.map(i128::from);
            let keys = ["id", "name", "system_name", "file", "start_line"];
            emit("pprof.function", &pairs(keys, [f.id.into(), name, system, file, f.start_line.into()]))?;
        }
        Ok(())
    }
}

/// Keys with their values.
fn pairs<const N: usize>(keys: [&'static str; N], values: [impl Into<i128>; N]) -> [(&'static str, i128); N] {
    let mut values = values.into_iter();
    keys.map(|key| (key, values.next().map_or(0, Into::into)))
}
