//! Node records.

use std::fmt::Write as _;

use heap_base::json::{push_float, push_int, push_uint};
use heap_base::{Result, sort_by_key};
use heap_record::{Heap as HeapFields, Node, NodeBatch, Sink, StringId};

use crate::heap::{Heap, Object, counted_size};
use crate::native::Native;
use crate::objects::{Kind, NameId, Names, Shape};
use crate::space::{Map, object_of};
use crate::stacks::{Call, Suspended, Wasm};

use super::Emitter;
use super::declare::NodeType;

/// Longest big integer that is written out, in words.
const LONGEST_BIGINT: u32 = 1 << 10;

/// Nodes of one subtype and class added up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    /// Identifier of the first.
    first: i64,
    count: u64,
    size: u64,
    /// Bytes outside the heap.
    external: Option<u64>,
}

/// The members of a node that are made anew for each.
#[derive(Debug, Default)]
struct Members {
    own: Vec<u8>,
    rest: Vec<u8>,
}

impl Members {
    fn key(&mut self, name: &str) -> &mut Vec<u8> {
        if !self.own.is_empty() {
            self.own.push(b',');
        }
        self.own.push(b'"');
        self.own.extend_from_slice(name.as_bytes());
        self.own.extend_from_slice(b"\":");
        &mut self.own
    }

    fn int(&mut self, name: &str, value: i64) {
        push_int(self.key(name), value);
    }

    fn float(&mut self, name: &str, value: f64) {
        push_float(self.key(name), value);
    }

    /// A reference to an object, if the word is one.
    fn object(&mut self, name: &str, word: u64) {
        if word & 3 == 1 {
            push_int(self.key(name), word as i64);
        }
    }

    /// Appends to the namespace `v8`.
    fn v8(&mut self, name: &str) -> &mut Vec<u8> {
        if self.rest.is_empty() {
            self.rest.extend_from_slice(b"\"v8\":{");
        } else {
            self.rest.pop();
            self.rest.push(b',');
        }
        self.rest.push(b'"');
        self.rest.extend_from_slice(name.as_bytes());
        self.rest.extend_from_slice(b"\":");
        &mut self.rest
    }

    fn v8_int(&mut self, name: &str, value: u64) {
        push_uint(self.v8(name), value);
        self.rest.push(b'}');
    }

    fn v8_text(&mut self, name: &str, value: &str) {
        heap_base::json::push_text(self.v8(name), value);
        self.rest.push(b'}');
    }

    fn v8_true(&mut self, name: &str) {
        self.v8(name).extend_from_slice(b"true}");
    }

    fn clear(&mut self) {
        self.own.clear();
        self.rest.clear();
    }
}

/// The class of an object: snapshots give one to scopes, too, and none to functions and regular expressions.
fn class_of(heap: &Heap, names: &Names, object: Object, kind: Kind) -> Option<NameId> {
    match kind {
        Kind::Context => Some(names.intern(SCOPE)),
        Kind::JsFunction | Kind::JsBoundFunction | Kind::JsRegExp => None,
        _ => kind.is_js().then(|| heap.class(names, object.address, object.id)),
    }
}

/// The bytes of a string whose text lies outside the heap.
fn text_outside(heap: &Heap, object: Object, kind: Kind, map: &Map) -> Option<u64> {
    let width = if map.kind & 8 == 0 { 2 } else { 1 };
    let outside = map.kind & 7 == 2 && kind == Kind::String;
    outside.then(|| u64::from(heap.string_length(object.address)) * width)
}

impl Emitter<'_> {
    /// Adds all nodes up by subtype and class.
    pub(super) fn add_up(&mut self) -> Vec<((NodeType, Option<NameId>), Sum)> {
        let mut sums: heap_base::Map<(NodeType, Option<NameId>), Sum> = heap_base::Map::default();
        let heap = self.heap;
        let mut natives = heap_base::Set::default();
        let mut generators = Vec::new();
        for (_, page) in heap.pages_of(self.isolate) {
            let Self { names, walked, globals, types, .. } = self;
            heap.walk_page(page, walked, &mut |object| {
                let map = heap.maps.map(object.id);
                let kind = heap.kind(&map);
                match kind {
                    Kind::JsGlobalObject => globals.push(object.address as i64 + 1),
                    Kind::JsGenerator => generators.push(object.address),
                    _ => {}
                }
                let class = class_of(heap, names, object, kind);
                let mut add = |key, id: u64, size, external: Option<u64>| {
                    let sum = sums.entry(key).or_insert(Sum { first: id as i64, ..Sum::default() });
                    sum.count += 1;
                    sum.size += size;
                    if let Some(more) = external {
                        sum.external = Some(sum.external.unwrap_or(0) + more);
                    }
                };
                let (key, size) = ((types.node_type(kind, &map), class), counted_size(object, kind));
                add(key, object.address + 1, size, text_outside(heap, object, kind, &map));
                if kind == Kind::JsArrayBuffer
                    && let Some((store, size)) = heap.backing_store(object.address)
                    && natives.insert(store)
                {
                    add((NodeType::Native, Some(names.intern(STORE))), store | 1, size, None);
                }
            });
        }
        for &(id, _) in self.roots.nodes() {
            let key = (NodeType::Root, None);
            sums.entry(key).or_insert(Sum { first: id, ..Sum::default() }).count += 1;
        }
        for thread in &self.roots.threads {
            let key = (NodeType::Thread, None);
            sums.entry(key).or_insert(Sum { first: thread.id, ..Sum::default() }).count += 1;
            for (id, _) in thread.calls() {
                let key = (NodeType::Frame, None);
                sums.entry(key).or_insert(Sum { first: id, ..Sum::default() }).count += 1;
            }
        }
        for call in heap.suspended(&generators).0 {
            let key = (NodeType::Frame, None);
            let first = suspended_id(call.generator);
            sums.entry(key).or_insert(Sum { first, ..Sum::default() }).count += 1;
        }
        let mut sums: Vec<_> = sums.into_iter().collect();
        sort_by_key(&mut sums, |((kind, class), _)| (*kind as u32, class.map(|c| c.0)));
        sums
    }

    pub(super) fn emit_sums(
        &mut self,
        sums: Vec<((NodeType, Option<NameId>), Sum)>,
        sink: &mut dyn Sink,
    ) -> Result {
        for ((kind, class), sum) in sums {
            let class = class.map(|c| self.id_of(c));
            let heap = HeapFields {
                size: Some(sum.size),
                class,
                count: Some(sum.count),
                external: sum.external,
                ..HeapFields::default()
            };
            let node = Node { subtype: kind as u32, id: sum.first, heap, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node))?;
        }
        Ok(())
    }

    /// All nodes: roots, threads and frames, then objects by address, then memory outside the heap.
    pub(super) fn emit_nodes(&mut self, sink: &mut dyn Sink) -> Result {
        let mut members = Members::default();
        self.root_nodes(&mut members, sink)?;
        let heap = self.heap;
        let mut natives: Vec<(u64, u64)> = Vec::new();
        let mut stores = heap_base::Set::default();
        let objects = std::mem::take(&mut self.objects);
        let mut outcome = Ok(());
        'pages: for (number, page) in heap.pages_of(self.isolate) {
            for address in objects.on_page(number, page) {
                let Some(id) = heap.map_of(address + 1) else { continue };
                let map = heap.maps.map(id);
                let (size, _) = heap.size(address, &map, page.end);
                let object = Object { address, size, id };
                if heap.kind(&map) == Kind::JsArrayBuffer
                    && let Some((store, size)) = heap.backing_store(address)
                    && stores.insert(store)
                {
                    natives.push((store, size));
                }
                outcome = self.node(object, &map, &mut members, sink);
                if outcome.is_err() {
                    break 'pages;
                }
            }
        }
        self.objects = objects;
        outcome?;
        let class = Some(self.intern(STORE));
        for (address, size) in natives {
            members.clear();
            push_uint(members.key("address"), address);
            let heap = HeapFields { size: Some(size), class, ..HeapFields::default() };
            self.give(NodeType::Native, (address | 1) as i64, heap, &members, sink)?;
        }
        Ok(())
    }

    fn give(
        &mut self,
        kind: NodeType,
        id: i64,
        heap: HeapFields<'_>,
        members: &Members,
        sink: &mut dyn Sink,
    ) -> Result {
        self.flush_names(sink)?;
        let node = Node {
            subtype: kind as u32,
            id,
            own: &members.own,
            heap,
            rest: &members.rest,
            ..Node::default()
        };
        sink.nodes(&NodeBatch::one(&node))
    }

    /// The node of an object.
    fn node(&mut self, object: Object, map: &Map, members: &mut Members, sink: &mut dyn Sink) -> Result {
        let heap = self.heap;
        let kind = heap.kind(map);
        let kind_of_node = self.types.node_type(kind, map);
        let size = Some(counted_size(object, kind));
        let mut fields = HeapFields { size, ..HeapFields::default() };
        let class = class_of(heap, self.names, object, kind);
        fields.class = class.map(|class| self.id_of(class));
        fields.name = self.name_of(object.address, kind, map);
        fields.external = text_outside(heap, object, kind, map);
        members.clear();
        if self.wants.node_details() {
            self.members(object.address, kind, map, members);
            if kind.is_js()
                && let Some(wrapper) = self.wrappers.iter().find(|wrapper| class == Some(wrapper.0))
                && let Some(fd) = heap.descriptor(object.address, object.size, wrapper.1)
            {
                members.v8_int("fd", fd.into());
            }
        }
        self.give(kind_of_node, object.address as i64 + 1, fields, members, sink)
    }

    /// What an object is called beside its class.
    fn name_of(&mut self, address: u64, kind: Kind, map: &Map) -> Option<StringId> {
        let heap = self.heap;
        match kind {
            Kind::String => match map.kind & 7 {
                0 | 2 | 5 => self.string_id(address + 1),
                _ if self.given.contains(&(address + 1)) => {
                    let text = heap.name(address + 1)?;
                    Some(self.intern(&text))
                }
                _ => None,
            },
            Kind::JsFunction => {
                let name = heap.function_name(address)?;
                self.text_id(name)
            }
            Kind::SharedFunctionInfo => {
                let name = heap.shared_name(address)?;
                self.text_id(name)
            }
            Kind::Symbol => {
                let text = heap.label(address + 1)?;
                Some(self.intern(&text))
            }
            Kind::JsRegExp => {
                let source = heap.memory.word(address + 32)?;
                self.text_id(source)
            }
            Kind::Oddball | Kind::Hole => self.oddball(address, kind),
            Kind::Script => {
                let name = heap.memory.word(address + heap.offsets.script_name)?;
                self.string_id(name)
            }
            _ if kind.is_js() => None,
            _ => {
                let name = self.types.name(map)?;
                Some(self.id_of(name))
            }
        }
    }

    fn oddball(&mut self, address: u64, kind: Kind) -> Option<StringId> {
        if kind == Kind::Hole || self.heap.known.is_hole(address + 1) {
            return Some(self.intern("the_hole"));
        }
        let text = self.heap.memory.word(address + 16).and_then(|w| self.heap.name(w))?;
        Some(self.intern(&text))
    }

    /// The fields that the draft gives the subtype.
    fn members(&mut self, address: u64, kind: Kind, map: &Map, members: &mut Members) {
        let heap = self.heap;
        let word = |at: u64| heap.memory.word(address + at).unwrap_or(0);
        match kind {
            Kind::String => self.string_members(address, map, members),
            Kind::HeapNumber => members.float("value", f64::from_bits(word(8))),
            Kind::BigInt => {
                if let Some(text) = bigint(address, &|at| heap.memory.word(at)) {
                    heap_base::json::push_text(members.key("value"), &text);
                }
            }
            Kind::Oddball | Kind::Hole => {
                if let Some(id) = self.oddball(address, kind) {
                    members.int("name", id);
                }
            }
            Kind::SharedFunctionInfo => self.function_members(address, members),
            Kind::JsFunction => {
                if let Some(shared) = heap.shared(address) {
                    members.object("metadata", shared + 1);
                }
            }
            Kind::JsArray => members.int("length", heap.js_array_length(address).into()),
            Kind::JsDate => {
                let value = word(24);
                let time =
                    if heap.offsets.date_raw { Some(f64::from_bits(value)) } else { heap.number(value) };
                if let Some(time) = time {
                    members.float("timestamp", time);
                }
            }
            Kind::JsRegExp => {
                if let Some(id) = self.text_id(word(32)) {
                    members.int("source", id);
                }
                if word(40) & 1 == 0 {
                    let flags = regexp_flags(word(40) >> 32);
                    let id = self.intern(&flags);
                    members.int("flags", id);
                }
            }
            Kind::JsBoundFunction => {}
            _ if kind.is_js() => {
                match kind {
                    Kind::JsTypedArray | Kind::JsDataView => {
                        members.v8_int("byte_offset", word(heap.offsets.view_offset));
                        members.v8_int("byte_length", word(heap.offsets.view_length));
                    }
                    Kind::JsArrayBuffer => members.v8_int("byte_length", word(heap.offsets.buffer_length)),
                    Kind::JsError => {
                        let (message, stack) = heap.error_texts(address, self.form);
                        for (key, text) in [("message", message), ("stack", stack)] {
                            if let Some(text) = text {
                                members.v8_text(key, &text);
                            }
                        }
                    }
                    Kind::JsPromise => {
                        let states = ["pending", "fulfilled", "rejected", "unknown"];
                        members.v8_text("state", states[(word(32) >> 32 & 3) as usize]);
                    }
                    _ => {}
                }
                if let Some(function) = heap.constructor(map) {
                    members.object("constructor", function + 1);
                }
            }
            _ => {}
        }
    }

    fn string_members(&mut self, address: u64, map: &Map, members: &mut Members) {
        let heap = self.heap;
        members.int("length", heap.string_length(address).into());
        match heap.string_shape(address, map) {
            Shape::Cons { first, second } => {
                members.object("s1", first);
                members.object("s2", second);
            }
            Shape::Sliced { parent, offset } => {
                members.object("source", parent);
                members.int("offset", offset as i64);
            }
            Shape::Flat { .. } | Shape::Thin { .. } => {
                if let Some(id) = self.string_id(address + 1) {
                    members.int("data", id);
                }
                if map.kind & 7 == 5 {
                    members.v8_true("thin");
                }
            }
        }
    }

    fn function_members(&mut self, shared: u64, members: &mut Members) {
        let heap = self.heap;
        if let Some(id) = heap.shared_name(shared).and_then(|name| self.text_id(name)) {
            members.int("name", id);
        }
        let script = heap.shared_script(shared);
        let name = script.and_then(|s| heap.memory.word(s + heap.offsets.script_name));
        if let Some(id) = name.and_then(|name| self.text_id(name)) {
            members.int("script_name", id);
        }
        if let Some((start, _)) = heap.shared_position(shared) {
            members.int("position", start.into());
            if let Some((line, column)) = script.and_then(|s| heap.lines(s).place(start)) {
                members.v8_int("line", line.into());
                members.v8_int("column", column.into());
            }
        }
    }

    /// Nodes of roots, threads and frames.
    fn root_nodes(&mut self, members: &mut Members, sink: &mut dyn Sink) -> Result {
        let size = Some(0);
        for &(id, name) in self.roots.nodes() {
            members.clear();
            let name = Some(self.intern(name));
            self.give(NodeType::Root, id, HeapFields { size, name, ..HeapFields::default() }, members, sink)?;
        }
        for thread in self.roots.threads.clone() {
            members.clear();
            let lwp = thread.stack.thread.lwp;
            members.v8_int("lwp", lwp.into());
            if thread.stack.scanned {
                members.v8_true("scanned");
            }
            let role = thread.stack.heap.and_then(|isolate| self.heap.role(isolate, self.stacks));
            let name = match role.filter(|_| self.heap.pages.heaps().len() > 1) {
                Some(role) if thread.stack.heap == Some(self.isolate) => format!("thread {lwp}, {role}"),
                Some(role) => format!("thread {lwp}, {role} (its objects are in another snapshot)"),
                None => format!("thread {lwp}"),
            };
            let name = Some(self.intern(&name));
            let fields = HeapFields { size, name, ..HeapFields::default() };
            self.give(NodeType::Thread, thread.id, fields, members, sink)?;
            for (id, call) in thread.calls() {
                members.clear();
                let name = match call {
                    Call::Script(frame) => {
                        let name =
                            self.place_members(self.heap.shared(frame.function), frame.offset, members);
                        members.v8_text("tier", frame.tier.name());
                        if frame.construct {
                            members.v8_true("construct");
                        }
                        if thread.stack.heap.is_some_and(|isolate| isolate != self.isolate) {
                            members.v8_true("partial");
                        }
                        name
                    }
                    Call::Inlined { shared, offset } => {
                        let name = self.place_members(Some(*shared), *offset, members);
                        members.v8_text("tier", "inlined");
                        // It has no frame with what it was given.
                        members.v8_true("partial");
                        name
                    }
                    Call::Native(native) => Some(self.native_members(native, members)),
                    Call::Wasm(wasm) => Some(self.wasm_members(wasm, members)),
                    Call::Gap(why) => Some(self.gap_members(why, members)),
                };
                let fields = HeapFields { size, name, ..HeapFields::default() };
                self.give(NodeType::Frame, id, fields, members, sink)?;
            }
        }
        for number in 0..self.suspended.len() {
            let Suspended { generator, function, offset, .. } = self.suspended[number];
            members.clear();
            let name = self.place_members(self.heap.shared(function), offset, members);
            members.v8_text("tier", "suspended");
            let fields = HeapFields { size, name, ..HeapFields::default() };
            self.give(NodeType::Frame, suspended_id(generator), fields, members, sink)?;
        }
        Ok(())
    }

    fn native_members(&mut self, native: &Native, members: &mut Members) -> StringId {
        let name = self.intern(&native.name());
        members.int("function", name);
        if let Some(file) = native.file() {
            let file = self.intern(file);
            members.int("script_name", file);
        }
        members.v8_text("tier", "native");
        members.v8_int("pc", native.pc);
        name
    }

    fn wasm_members(&mut self, wasm: &Wasm, members: &mut Members) -> StringId {
        let name = self.intern(wasm.name());
        members.int("function", name);
        if let Some(place) = &wasm.place {
            let place = self.intern(place);
            members.int("script_name", place);
        }
        members.v8_text("tier", "wasm");
        // What it was given is not known.
        members.v8_true("partial");
        name
    }

    fn gap_members(&mut self, why: &str, members: &mut Members) -> StringId {
        let name = self.intern(&format!("(calls missing: {why})"));
        members.int("function", name);
        members.v8_text("tier", "gap");
        name
    }

    /// What a function is called, and where it stands, else where it begins.
    fn place_members(
        &mut self,
        shared: Option<u64>,
        offset: Option<u32>,
        members: &mut Members,
    ) -> Option<StringId> {
        let heap = self.heap;
        let name = shared.and_then(|s| heap.shared_name(s)).and_then(|name| self.text_id(name));
        if let Some(id) = name {
            members.int("function", id);
        }
        let script = shared.and_then(|s| heap.shared_script(s));
        let script_name = script.and_then(|s| object_of(heap.memory.word(s + heap.offsets.script_name)?));
        if let Some(id) = script_name.and_then(|at| self.text_id(at + 1)) {
            members.int("script_name", id);
        }
        if let (Some(script), Some(offset)) = (script, offset)
            && let Some((line, column)) = heap.lines(script).place(offset)
        {
            members.int("line", line.into());
            members.int("column", column.into());
        } else if let (Some(script), Some((start, _))) =
            (script, shared.and_then(|s| heap.shared_position(s)))
            && let Some((line, _)) = heap.lines(script).place(start)
        {
            // Where the function begins is known at least.
            members.v8_int("line", line.into());
        }
        name
    }
}

/// The identifier of the frame of a call that waits: no object begins within another.
pub(super) const fn suspended_id(generator: u64) -> i64 {
    generator as i64 + 3
}

/// Class of scopes, as snapshots have it.
const SCOPE: &str = "system / Context";

/// Class of the memory of array buffers, as snapshots have it.
const STORE: &str = "system / JSArrayBufferData";

/// The letters of a regular expression's flags.
fn regexp_flags(bits: u64) -> String {
    let letters = [(1, 'g'), (2, 'i'), (4, 'm'), (8, 'y'), (16, 'u'), (32, 's'), (128, 'd'), (256, 'v')];
    let mut flags: Vec<char> = letters.iter().filter(|(bit, _)| bits & bit != 0).map(|&(_, c)| c).collect();
    heap_base::sort(&mut flags);
    flags.into_iter().collect()
}

/// Eighteen decimal digits.
const GROUP: u128 = 1_000_000_000_000_000_000;

/// The decimal digits of a big integer.
pub(crate) fn bigint(address: u64, word: &dyn Fn(u64) -> Option<u64>) -> Option<String> {
    let head = word(address + 8)? as u32;
    let count = head >> 1 & 0x3fff_ffff;
    if count > LONGEST_BIGINT {
        return None;
    }
    let mut digits: Vec<u64> =
        (0..u64::from(count)).map(|i| word(address + 16 + 8 * i)).collect::<Option<_>>()?;
    // Least first.
    let mut groups = Vec::new();
    while digits.iter().any(|&d| d != 0) {
        let mut rest = 0u128;
        for digit in digits.iter_mut().rev() {
            let value = rest << 64 | u128::from(*digit);
            *digit = (value / GROUP) as u64;
            rest = value % GROUP;
        }
        groups.push(rest as u64);
    }
    let mut text = String::new();
    if head & 1 == 1 && !groups.is_empty() {
        text.push('-');
    }
    text.push_str(&groups.pop().unwrap_or(0).to_string());
    for group in groups.iter().rev() {
        let _ = write!(text, "{group:018}");
    }
    Some(text)
}
