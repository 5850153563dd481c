//! Edge records: of each object, then of weak tables, then of roots and frames.

use heap_base::json::{push_float, push_int};
use heap_base::{Result, Set};
use heap_record::{Edge, EdgeBatch, Ends, PlainEdge, Sink, Skip, Value, index_string, small};

use crate::heap::Object;
use crate::objects::{Label, Link, Reference, Target};
use crate::space::object_of;

use super::Emitter;
use super::declare::{
    EDGE_ARGUMENT, EDGE_AWAITS, EDGE_FRAME, EDGE_GLOBAL, EDGE_LOCAL, EDGE_RECEIVER, EDGE_ROOT, edge_type,
};
use super::nodes::suspended_id;
use super::roots::ROOT;

/// Edges that are gathered before they are delivered.
const RUN: usize = 4096;

/// The key's half of an entry of a WeakMap, which waits until all edges of objects were delivered.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Value,
    value: Value,
    table: Value,
}

/// Edges of one node that wait to be delivered.
struct Run<'s> {
    sink: &'s mut dyn Sink,
    source: Value,
    /// Whether the sink is asked about each edge.
    ask: bool,
    edges: Vec<PlainEdge>,
    entries: Vec<Entry>,
    rest: Vec<u8>,
}

impl Run<'_> {
    /// Begins the edges of a node; false if none are of use.
    fn begin(&mut self, source: Value) -> bool {
        self.source = source;
        let skip = self.sink.edge_filter().map_or(Skip::None, |filter| filter.skip_edges_of(source));
        self.ask = skip == Skip::Some;
        skip != Skip::All
    }

    fn skips(&mut self, dest: Value) -> bool {
        self.ask && self.sink.edge_filter().is_some_and(|filter| filter.skip_edges_to(dest))
    }

    fn flush(&mut self) -> Result {
        if self.edges.is_empty() {
            return Ok(());
        }
        let batch = EdgeBatch::plain(Ends::Identifiers, self.source, &self.edges);
        let result = self.sink.edges(&batch);
        self.edges.clear();
        result
    }
}

impl Emitter<'_> {
    /// Delivers all edges.
    pub(super) fn emit_edges(&mut self, sink: &mut dyn Sink) -> Result {
        let heap = self.heap;
        let mut run =
            Run { sink, source: 0, ask: false, edges: Vec::new(), entries: Vec::new(), rest: Vec::new() };
        self.root_edges(&mut run)?;
        for (number, page) in heap.pages_of(self.isolate) {
            let addresses: Vec<u64> = self.objects.on_page(number, page).collect();
            for address in addresses {
                let Some(id) = heap.map_of(address + 1) else { continue };
                let (size, _) = heap.size(address, &heap.maps.map(id), page.end);
                if !run.begin(address as i64 + 1) {
                    continue;
                }
                let mut outcome = Ok(());
                heap.each_reference(Object { address, size, id }, &mut |reference| {
                    if outcome.is_ok() {
                        outcome = self.reference(reference, &mut run);
                    }
                });
                outcome?;
                run.flush()?;
            }
        }
        let entries = std::mem::take(&mut run.entries);
        entries.into_iter().try_for_each(|entry| self.entry(entry, &mut run))
    }

    /// The value of a tagged word, if it is a small integer or an object of this isolate.
    fn value(&self, word: u64) -> Option<Value> {
        if word & 1 == 0 {
            return Some(small((word as i64) >> 32));
        }
        let at = object_of(word)?;
        self.objects.contains(&self.heap.pages, at).then_some(at as i64 + 1)
    }

    fn reference(&mut self, reference: Reference, run: &mut Run<'_>) -> Result {
        let subtype = edge_type(reference.link);
        let dest = match reference.target {
            Target::Word(word) => match self.value(word) {
                Some(value) => value,
                // To what is no object: of a dead one, or another isolate's.
                None => return Ok(()),
            },
            Target::Native(address) => (address | 1) as i64,
            Target::Double(value) => return self.double(reference, value, run),
        };
        if run.skips(dest) {
            return Ok(());
        }
        let label = self.label(reference.label, run.sink)?;
        self.flush_names(run.sink)?;
        if let Some(key) = reference.key {
            return self.ephemeron(key, dest, label, run);
        }
        run.edges.push(PlainEdge { subtype, dest, label });
        if run.edges.len() >= RUN { run.flush() } else { Ok(()) }
    }

    /// A float that has no node of its own.
    fn double(&mut self, reference: Reference, value: f64, run: &mut Run<'_>) -> Result {
        let label = self.label(reference.label, run.sink)?;
        self.flush_names(run.sink)?;
        run.flush()?;
        run.rest.clear();
        run.rest.extend_from_slice(b"\"heap\":{\"value\":");
        push_float(&mut run.rest, value);
        run.rest.push(b'}');
        let edge = Edge {
            subtype: edge_type(reference.link),
            source: run.source,
            label: Some(label),
            rest: &run.rest,
            ..Edge::default()
        };
        run.sink.edges(&EdgeBatch::one(&edge))
    }

    /// The table's half of an entry of a WeakMap.
    fn ephemeron(&mut self, key: u64, value: Value, label: i64, run: &mut Run<'_>) -> Result {
        let Some(key) = self.value(key).filter(|k| k & 1 == 1) else { return Ok(()) };
        run.flush()?;
        run.entries.push(Entry { key, value, table: run.source });
        run.rest.clear();
        run.rest.extend_from_slice(b"\"heap\":{\"key\":");
        push_int(&mut run.rest, key);
        run.rest.push(b'}');
        let edge = Edge {
            subtype: edge_type(Link::Ephemeron),
            source: run.source,
            dest: Some(value),
            label: Some(label),
            rest: &run.rest,
            ..Edge::default()
        };
        run.sink.edges(&EdgeBatch::one(&edge))
    }

    /// The key's half.
    fn entry(&mut self, entry: Entry, run: &mut Run<'_>) -> Result {
        if !run.begin(entry.key) || run.skips(entry.value) {
            return Ok(());
        }
        let label = self.label(Label::Fixed("value in WeakMap"), run.sink)?;
        self.flush_names(run.sink)?;
        run.rest.clear();
        run.rest.extend_from_slice(b"\"heap\":{\"table\":");
        push_int(&mut run.rest, entry.table);
        run.rest.push(b'}');
        let edge = Edge {
            subtype: edge_type(Link::Internal),
            source: entry.key,
            dest: Some(entry.value),
            label: Some(label),
            rest: &run.rest,
            ..Edge::default()
        };
        run.sink.edges(&EdgeBatch::one(&edge))
    }

    /// Edges of roots, of threads to their frames, and of frames to what they work with.
    fn root_edges(&mut self, run: &mut Run<'_>) -> Result {
        if run.begin(ROOT) {
            for global in self.globals.clone() {
                self.stack_edge(EDGE_GLOBAL, global, Label::Fixed("global"), run)?;
            }
            for (number, part) in (0u32..).zip(self.roots.parts()) {
                self.stack_edge(EDGE_ROOT, part, Label::Index(number), run)?;
            }
            run.flush()?;
        }
        for id in self.roots.parts() {
            if !run.begin(id) {
                continue;
            }
            let thread = self.roots.threads.iter().find(|t| t.id == id).copied();
            for (number, (frame, _)) in (0u32..).zip(thread.iter().flat_map(super::roots::RootThread::calls))
            {
                self.stack_edge(EDGE_FRAME, frame, Label::Index(number), run)?;
            }
            let words = self.roots.words(id);
            let dests: Vec<Value> = words.into_iter().filter_map(|word| self.value(word)).collect();
            for (number, dest) in (0u32..).zip(dests) {
                let owned = self.owned.has(dest as u64);
                let subtype = if owned { edge_type(Link::Weak) } else { EDGE_ROOT };
                self.stack_edge(subtype, dest, Label::Index(number), run)?;
            }
            run.flush()?;
        }
        for thread in self.roots.threads.clone() {
            for (id, call) in thread.calls() {
                let Some(frame) = call.script() else { continue };
                if !run.begin(id) {
                    continue;
                }
                self.frame_edges(frame, run)?;
                run.flush()?;
            }
        }
        self.suspended_edges(run)
    }

    /// Edges of calls that wait: what they work with, and from each that waits for another to that one.
    fn suspended_edges(&mut self, run: &mut Run<'_>) -> Result {
        let known: Set<u64> = self.suspended.iter().map(|call| call.generator).collect();
        for number in 0..self.suspended.len() {
            let call = self.suspended[number].clone();
            let id = suspended_id(call.generator);
            if run.begin(id) {
                let internal = edge_type(Link::Internal);
                let fixed = [
                    (internal, "function", call.function + 1),
                    (internal, "context", call.context),
                    (internal, "generator", call.generator + 1),
                    (EDGE_RECEIVER, "this", call.receiver),
                ];
                for (subtype, label, word) in fixed {
                    if let Some(dest) = self.value(word) {
                        self.stack_edge(subtype, dest, Label::Fixed(label), run)?;
                    }
                }
                let (arguments, locals) = self.heap.variables(&call, self.form);
                for (subtype, variables) in [(EDGE_ARGUMENT, arguments), (EDGE_LOCAL, locals)] {
                    for (place, (name, word)) in (0u32..).zip(variables) {
                        let Some(dest) = self.value(word) else { continue };
                        self.named_edge(subtype, dest, &name, place, run)?;
                    }
                }
                run.flush()?;
            }
            for &waiter in call.waiters.iter().filter(|waiter| known.contains(waiter)) {
                if run.begin(suspended_id(waiter)) {
                    self.stack_edge(EDGE_AWAITS, id, Label::Fixed("await"), run)?;
                    run.flush()?;
                }
            }
        }
        Ok(())
    }

    /// An edge with a name, or with a number where there is none.
    fn named_edge(
        &mut self,
        subtype: u32,
        dest: Value,
        name: &str,
        number: u32,
        run: &mut Run<'_>,
    ) -> Result {
        if name.is_empty() {
            return self.stack_edge(subtype, dest, Label::Index(number), run);
        }
        if run.skips(dest) {
            return Ok(());
        }
        let label = self.intern(name);
        self.flush_names(run.sink)?;
        run.edges.push(PlainEdge { subtype, dest, label });
        Ok(())
    }

    fn frame_edges(&mut self, frame: &crate::stacks::Frame, run: &mut Run<'_>) -> Result {
        let internal = edge_type(Link::Internal);
        let fixed = [
            (internal, "function", frame.function + 1),
            (internal, "context", frame.context),
            (EDGE_RECEIVER, "this", frame.receiver),
        ];
        for (subtype, label, word) in fixed {
            if let Some(dest) = self.value(word) {
                self.stack_edge(subtype, dest, Label::Fixed(label), run)?;
            }
        }
        let parameters = self.heap.parameters(frame.function);
        for (number, &word) in (0u32..).zip(&frame.arguments) {
            let Some(dest) = self.value(word) else { continue };
            let name = parameters.get(number as usize).map_or("", String::as_str);
            self.named_edge(EDGE_ARGUMENT, dest, name, number, run)?;
        }
        Ok(())
    }

    fn stack_edge(&mut self, subtype: u32, dest: Value, label: Label, run: &mut Run<'_>) -> Result {
        if run.skips(dest) {
            return Ok(());
        }
        let label = match label {
            Label::Index(index) => {
                self.index(index, run.sink)?;
                index_string(index)
            }
            other => self.label(other, run.sink)?,
        };
        self.flush_names(run.sink)?;
        run.edges.push(PlainEdge { subtype, dest, label });
        Ok(())
    }
}
