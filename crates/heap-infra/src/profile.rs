//! V8 sampling heap profiles: `v8.heapprofile`, what DevTools' "Allocation sampling" and Node's `--heap-prof` write.
//!
//! `{"head":{"callFrame":{…},"selfSize":0,"id":1,"children":[…]},"samples":[{"size":…,"nodeId":…,"ordinal":…}]}`
//!
//! The tree of calls becomes frames, a node's `selfSize` becomes an allocation below its frame. The class of both is the
//! function, as the profile knows no types. V8 scales sizes up
//! from its samples; the number of samples is the count. Lines and columns, which the file counts from 0, are
//! counted from 1 as people and stack traces do. A profile is held whole: about 60 bytes per node, 24 per sample.

use heap_base::{Blob, Members, Result};
use heap_record::{
    Declared, Extension, Fact, FieldKind, Heap, IdRule, Info, Node, NodeBatch, Sink, SnapshotSelector, Wants,
    head, index_id,
};

use crate::declare::{
    EDGE_ALLOCATED, EDGE_CALLS, NODE_ALLOCATION, NODE_FRAME, NODE_ROOT, declare_stacks, fields,
};
use crate::dict::is_number;
use crate::emit::{emit_edges, no_object};
use crate::ids::{Ids, Key};
use crate::scan::Scanner;
use crate::texts::{NONE, TextId, Texts};

/// A node of the call tree.
#[derive(Clone, Copy, Debug)]
struct Call {
    parent: u32,
    function: TextId,
    url: TextId,
    script_id: Option<i64>,
    /// From 0 as in the file, −1 = unknown.
    line: i32,
    column: i32,
    id: Option<u64>,
    self_size: Option<u64>,
    /// Samples that name this node.
    n_samples: u64,
}

const EMPTY: Call = Call {
    parent: NONE,
    function: NONE,
    url: NONE,
    script_id: None,
    line: -1,
    column: -1,
    id: None,
    self_size: None,
    n_samples: 0,
};

impl Call {
    /// Whether it has an allocation.
    fn allocates(&self) -> bool {
        self.self_size.is_some_and(|size| size > 0) || self.n_samples > 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Sample {
    size: u64,
    node: u32,
    ordinal: u64,
}

#[derive(Debug, Default)]
struct Profile {
    /// Callers before callees; the first is the head.
    calls: Vec<Call>,
    ids: Ids,
    /// By dense id: index in `calls`.
    calls_by_id: Vec<u32>,
    samples: Vec<Sample>,
    has_samples: bool,
    /// Samples of nodes that the tree does not have.
    lost: u64,
}

/// True if this is how a sampling heap profile begins.
pub fn sniff(head: &[u8]) -> bool {
    let matches = |scanner: &mut Scanner| -> Result<bool> {
        if scanner.peek()? != Some(b'{') {
            return Ok(false);
        }
        scanner.enter(b'{')?;
        let mut first = true;
        let key = scanner.member(&mut first, &["head", "samples"])?;
        let inside = match key {
            Some("head") => scanner.enter(b'{')?,
            Some("samples") => scanner.enter(b'[')? && scanner.enter(b'{')?,
            _ => false,
        };
        let known = ["callFrame", "selfSize", "children", "nodeId", "ordinal", "size", "id"];
        let mut first = true;
        Ok(inside && scanner.member(&mut first, &known)?.is_some_and(|key| !key.is_empty()))
    };
    matches(&mut Scanner::over_head(head)).unwrap_or(false)
}

/// Reads a profile; there is one in a file.
pub fn read(blob: &Blob, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    pick.range(1)?;
    let mut texts = Texts::default();
    let mut profile = Profile::default();
    let damage = profile.parse(blob, &mut texts).err();
    profile.count_samples();

    let wants = sink.wants();
    head::begin(sink, "v8.heapprofile", IdRule::Index)?;
    head::metadata(sink, "heap.runtime", "node:*")?;
    if !profile.calls.is_empty() {
        head::metadata(sink, "heap.root", &index_id(0).to_string())?;
    }
    if let Some(bytes) = profile.bytes_a_sample() {
        head::metadata(sink, "heap.sampled", &bytes.to_string())?;
    }
    if profile.lost > 0 {
        head::metadata(
            sink,
            "v8.warning",
            &format!("{} samples of nodes that the tree lacks", profile.lost),
        )?;
    }
    declare_stacks(sink, &[("v8.node_id", FieldKind::Integer), ("v8.script_id", FieldKind::Integer)])?;
    let sample =
        fields(&[("frame", FieldKind::Value), ("size", FieldKind::Integer), ("ordinal", FieldKind::Integer)]);
    sink.declare(&Declared::Record { name: "v8.sample", fields: &sample }.into())?;
    profile.emit(wants, &mut texts, sink)?;
    damage.map_or(Ok(()), Err)
}

/// Counts and sums of a profile; reads it whole.
pub fn info(blob: &Blob) -> Result<Info> {
    let mut profile = Profile::default();
    let damage = profile.parse(blob, &mut Texts::default()).err();
    let total = profile.calls.iter().fold(0u64, |sum, call| sum.saturating_add(call.self_size.unwrap_or(0)));
    let mut info = Info { format: "v8.heapprofile", producer: Some("V8".to_owned()), ..Info::default() };
    info.facts.push(("nodes", Fact::Int(profile.calls.len() as i64)));
    info.facts.push(("samples", Fact::Int(profile.samples.len() as i64)));
    info.facts.push(("size", Fact::Bytes(total)));
    if let Some(damage) = damage {
        info.facts.push(("damage", Fact::Text(damage.to_string())));
    }
    Ok(info)
}

/// A node whose end has not been read yet.
#[derive(Debug)]
struct Open {
    call: u32,
    first: bool,
    /// Inside `children`; true before the first of them.
    children: Option<bool>,
}

impl Profile {
    fn parse(&mut self, blob: &Blob, texts: &mut Texts) -> Result {
        let mut scanner = Scanner::new(blob, 0, blob.len());
        scanner.expect(b'{', "a sampling profile, an object")?;
        let mut first = true;
        while let Some(key) = scanner.member(&mut first, &["head", "samples"])? {
            match key {
                "head" if self.calls.is_empty() => self.parse_tree(&mut scanner, texts)?,
                "samples" => self.parse_samples(&mut scanner)?,
                _ => scanner.skip()?,
            }
        }
        match scanner.peek()? {
            None => Ok(()),
            Some(_) => Err(scanner.damage("something follows the end of the profile")),
        }
    }

    /// Reads the tree with a stack of its own: calls nest deeper than this program's may.
    fn parse_tree(&mut self, scanner: &mut Scanner, texts: &mut Texts) -> Result {
        scanner.expect(b'{', "the head of the tree, an object")?;
        let mut open = vec![self.push(NONE)];
        while let Some(level) = open.last_mut() {
            if let Some(first) = &mut level.children {
                if !scanner.element(first, b']')? {
                    level.children = None;
                } else if scanner.enter(b'{')? {
                    let parent = level.call;
                    open.push(self.push(parent));
                }
                continue;
            }
            let names = ["callFrame", "selfSize", "id", "children"];
            let Some(member) = scanner.member(&mut level.first, &names)? else {
                open.pop();
                continue;
            };
            let Some(call) = self.calls.get_mut(level.call as usize) else { break };
            match member {
                "callFrame" => parse_frame(call, scanner, texts)?,
                "selfSize" if is_number(scanner)? => call.self_size = scanner.number()?.amount(),
                "id" if is_number(scanner)? => {
                    let id = scanner.number()?.id();
                    call.id = Some(id);
                    let dense = self.ids.dense(Key::Number(id)) as usize;
                    if dense >= self.calls_by_id.len() {
                        self.calls_by_id.push(level.call);
                    }
                }
                "children" if scanner.enter(b'[')? => level.children = Some(true),
                // Anything but an array was skipped by the attempt to enter it.
                "children" => {}
                _ => scanner.skip()?,
            }
        }
        Ok(())
    }

    fn push(&mut self, parent: u32) -> Open {
        let call = self.calls.len() as u32;
        self.calls.push(Call { parent, ..EMPTY });
        Open { call, first: true, children: None }
    }

    fn parse_samples(&mut self, scanner: &mut Scanner) -> Result {
        if !scanner.enter(b'[')? {
            return Ok(());
        }
        self.has_samples = true;
        let mut first = true;
        while scanner.element(&mut first, b']')? {
            if !scanner.enter(b'{')? {
                continue;
            }
            let (mut size, mut node, mut ordinal) = (0, None, 0);
            let mut first = true;
            while let Some(member) = scanner.member(&mut first, &["size", "nodeId", "ordinal"])? {
                if member.is_empty() || !is_number(scanner)? {
                    scanner.skip()?;
                    continue;
                }
                let n = scanner.number()?;
                match member {
                    "size" => size = n.amount().unwrap_or(0),
                    "nodeId" => node = Some(n.id()),
                    _ => ordinal = n.id(),
                }
            }
            // Samples may come before the tree, so ids are numbered here and looked up at the end.
            match node {
                Some(id) => {
                    let node = self.ids.dense(Key::Number(id));
                    if node as usize >= self.calls_by_id.len() {
                        self.calls_by_id.push(NONE);
                    }
                    self.samples.push(Sample { size, node, ordinal });
                }
                None => self.lost += 1,
            }
        }
        Ok(())
    }

    /// Turns the samples' dense ids into calls, and counts them there.
    fn count_samples(&mut self) {
        for (i, call) in self.calls.iter().enumerate() {
            if let Some(dense) = call.id.and_then(|id| self.ids.find(Key::Number(id)))
                && let Some(place) = self.calls_by_id.get_mut(dense as usize)
                && *place == NONE
            {
                *place = i as u32;
            }
        }
        let before = self.samples.len();
        self.samples.retain_mut(|sample| {
            sample.node = self.calls_by_id.get(sample.node as usize).copied().unwrap_or(NONE);
            match self.calls.get_mut(sample.node as usize) {
                Some(call) => {
                    call.n_samples += 1;
                    true
                }
                None => false,
            }
        });
        self.lost += (before - self.samples.len()) as u64;
    }

    /// For how many bytes of allocations there is a sample. The file does not say it, but V8 scales the size of each sample up so
    /// that a sample stands for so many bytes on average. `None` without samples.
    fn bytes_a_sample(&self) -> Option<u64> {
        let bytes = self.samples.iter().fold(0u64, |sum, sample| sum.saturating_add(sample.size));
        bytes.checked_div(self.samples.len() as u64).filter(|&bytes| bytes > 0)
    }

    fn emit(&self, wants: Wants, texts: &mut Texts, sink: &mut dyn Sink) -> Result {
        let names = CallNames { root: texts.id("(root)"), anonymous: texts.id("(anonymous)") };
        for call in &self.calls {
            for text in [names.of(call, texts), call.function, call.url] {
                texts.emit(text, wants.any_strings(), sink)?;
            }
        }
        if wants.any_nodes() {
            self.emit_frames(wants, names, texts, sink)?;
            self.emit_allocations(wants, names, texts, sink)?;
        }
        if wants.any_edges() {
            let n_calls = self.calls.len() as u64;
            let callees = (0..).zip(&self.calls).skip(1);
            let calls = callees.map(|(i, call)| (index_id(call.parent.into()), index_id(i)));
            emit_edges(EDGE_CALLS, calls, sink)?;
            let allocating = (0..).zip(&self.calls).filter(|(_, call)| call.allocates());
            let allocated = allocating.zip(n_calls..).map(|((frame, _), i)| (index_id(frame), index_id(i)));
            emit_edges(EDGE_ALLOCATED, allocated, sink)?;
        }
        if wants.extensions { self.emit_samples(sink) } else { Ok(()) }
    }

    fn emit_frames(&self, wants: Wants, names: CallNames, texts: &Texts, sink: &mut dyn Sink) -> Result {
        let (mut own, mut rest) = (Members::new(), Members::new());
        for (i, call) in (0..).zip(&self.calls) {
            own.clear();
            rest.clear();
            if wants.node_details() {
                if i > 0 {
                    frame_members(call, texts, &mut own);
                }
                rest.open("v8");
                if let Some(id) = call.id {
                    rest.uint("node_id", id);
                }
                if let Some(id) = call.script_id {
                    rest.int("script_id", id);
                }
                rest.close();
            }
            let name = texts.string(names.of(call, texts));
            let node = Node {
                subtype: if i == 0 { NODE_ROOT } else { NODE_FRAME },
                id: index_id(i),
                own: own.as_bytes(),
                heap: Heap { class: name.filter(|_| i > 0), ..no_object(name) },
                rest: rest.as_bytes(),
                ..Node::default()
            };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    fn emit_allocations(&self, wants: Wants, names: CallNames, texts: &Texts, sink: &mut dyn Sink) -> Result {
        let mut own = Members::new();
        let allocating = self.calls.iter().filter(|call| call.allocates());
        for (i, call) in (self.calls.len() as u64..).zip(allocating) {
            own.clear();
            if wants.node_details() && call.parent != NONE {
                frame_members(call, texts, &mut own);
            }
            let name = texts.string(names.of(call, texts));
            let heap = Heap {
                size: Some(call.self_size.unwrap_or(0)),
                class: name,
                name,
                count: self.has_samples.then_some(call.n_samples),
                ..Heap::default()
            };
            let (id, own) = (index_id(i), own.as_bytes());
            let node = Node { subtype: NODE_ALLOCATION, id, own, heap, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    fn emit_samples(&self, sink: &mut dyn Sink) -> Result {
        let mut members = Members::new();
        for sample in &self.samples {
            members.clear();
            members.int("frame", index_id(sample.node.into()));
            members.uint("size", sample.size).uint("ordinal", sample.ordinal);
            sink.extension(&Extension {
                kind: "v8.sample",
                body: members.as_bytes(),
                ..Extension::default()
            })?;
        }
        Ok(())
    }
}

/// Names for calls whose function has none.
#[derive(Clone, Copy, Debug)]
struct CallNames {
    root: TextId,
    anonymous: TextId,
}

impl CallNames {
    fn of(self, call: &Call, texts: &Texts) -> TextId {
        match texts.get(call.function) {
            "" if call.parent == NONE => self.root,
            "" => self.anonymous,
            _ => call.function,
        }
    }
}

/// The draft's fields of a frame.
fn frame_members(call: &Call, texts: &Texts, own: &mut Members) {
    for (key, text) in [("function", call.function), ("script_name", call.url)] {
        if let Some(string) = texts.string(text) {
            own.int(key, string);
        }
    }
    for (key, n) in [("line", call.line), ("column", call.column)] {
        if n >= 0 {
            own.int(key, i64::from(n) + 1);
        }
    }
}

fn parse_frame(call: &mut Call, scanner: &mut Scanner, texts: &mut Texts) -> Result {
    if !scanner.enter(b'{')? {
        return Ok(());
    }
    let mut first = true;
    let names = ["functionName", "scriptId", "url", "lineNumber", "columnNumber"];
    while let Some(member) = scanner.member(&mut first, &names)? {
        let text = scanner.next_token()? == b'"';
        let number = is_number(scanner)?;
        match member {
            "functionName" if text => call.function = texts.id_of_bytes(scanner.string()?),
            "url" if text => call.url = texts.id_of_bytes(scanner.string()?),
            "scriptId" if text => call.script_id = scanner.text()?.parse().ok(),
            "scriptId" if number => call.script_id = Some(scanner.number()?.signed()),
            "lineNumber" if number => call.line = i32::try_from(scanner.number()?.signed()).unwrap_or(-1),
            "columnNumber" if number => call.column = i32::try_from(scanner.number()?.signed()).unwrap_or(-1),
            _ => scanner.skip()?,
        }
    }
    Ok(())
}
