//! Stacks at which objects were allocated, as agents and Android record them.
//!
//! Every object has the serial number of a trace. Virtual machines by themselves give all objects one without frames, of which
//! nothing is delivered. To the stream a stack is its innermost frame, and frames name the one that called them: so the
//! innermost frame of a trace has the serial number as its own, and frames further out, which traces share, have the numbers above
//! all of those.

use heap_base::{Map, Members, Result, sort};

use super::scan::Scan;
use super::threads::Method;
use crate::emit::Out;
use crate::strings::Strings;

/// The serial number of the trace without frames that virtual machines write, and that others name without writing it.
const USUAL: u32 = 1;

/// A frame, in the tree of all stacks.
#[derive(Clone, Copy, Debug)]
struct StackFrame {
    id: i64,
    /// The frame that called it.
    parent: Option<i64>,
    /// Place of its method among all.
    method: u32,
}

/// The stacks of a dump. Memory: some 100 bytes for each frame and each method.
#[derive(Debug, Default)]
pub(crate) struct Stacks {
    methods: Vec<Method>,
    frames: Vec<StackFrame>,
    /// Serial numbers of traces without frames that objects have, ascending.
    empty: Vec<u32>,
    there: bool,
}

impl Stacks {
    /// The stacks of the traces that objects have; none if no such trace has frames. Unless `wanted`, only whether there are some.
    pub(crate) fn new(scan: &mut Scan, strings: &mut Strings, wanted: bool) -> Self {
        let mut used: Vec<u32> = std::mem::take(&mut scan.used).into_iter().collect();
        sort(&mut used);
        let frames = |serial: &u32| scan.traces.get(serial).map(Vec::as_slice);
        if !used.iter().any(|serial| frames(serial).map_or(*serial > USUAL, |frames| !frames.is_empty())) {
            return Self::default();
        }
        if !wanted {
            return Self { there: true, ..Self::default() };
        }
        let mut tree = Tree { next: used.last().map_or(0, |&last| i64::from(last) + 1), ..Tree::default() };
        for serial in &used {
            if let Some((&innermost, outer)) = frames(serial).and_then(<[u64]>::split_first) {
                tree.add(*serial, innermost, outer, |id| Method::of(scan, id, strings));
            }
        }
        used.retain(|serial| frames(serial).is_some_and(<[u64]>::is_empty));
        Self { methods: tree.methods, frames: tree.frames, empty: used, there: true }
    }

    /// Whether the dump says at which stacks objects were allocated.
    pub(crate) fn are_there(&self) -> bool {
        self.there
    }

    /// The stack of objects with a trace, by its serial number.
    pub(crate) fn of(&self, trace: u32) -> Option<i64> {
        let is_stack = self.there && trace != 0 && self.empty.binary_search(&trace).is_err();
        is_stack.then_some(trace.into())
    }

    /// Delivers methods and frames.
    ///
    /// # Errors
    /// Those of the sink.
    pub(crate) fn deliver(&self, out: &mut Out<'_>) -> Result {
        let mut body = Members::new();
        for method in &self.methods {
            body.clear();
            let Method { function, script, signature, line } = *method;
            let line = Some(i64::from(line)).filter(|&line| line > 0);
            let members =
                [("name", function), ("script_name", script), ("line", line), ("signature", signature)];
            for (key, value) in members.into_iter().filter_map(|(key, value)| Some((key, value?))) {
                body.int(key, value);
            }
            out.extension("java.trace_function", body.as_bytes())?;
        }
        for &StackFrame { id, parent, method } in &self.frames {
            body.clear();
            body.int("id", id);
            if let Some(parent) = parent {
                body.int("parent", parent);
            }
            body.uint("function", method.into());
            out.extension("java.trace_node", body.as_bytes())?;
        }
        Ok(())
    }
}

/// The tree of all stacks, in work.
#[derive(Default)]
struct Tree {
    methods: Vec<Method>,
    frames: Vec<StackFrame>,
    /// Places of methods, and those of the frames of the file.
    of_methods: Map<Method, u32>,
    of_frames: Map<u64, u32>,
    /// Frames that are innermost in no trace, by the frame that called them and their method.
    outer: Map<(Option<i64>, u32), i64>,
    /// The number of the next of those.
    next: i64,
}

impl Tree {
    /// Adds a trace: its innermost frame, and the others from the inside outwards.
    fn add(&mut self, serial: u32, innermost: u64, outer: &[u64], mut of: impl FnMut(u64) -> Method) {
        let mut parent = None;
        for &frame in outer.iter().rev() {
            let method = self.method(frame, &mut of);
            let id = *self.outer.entry((parent, method)).or_insert(self.next);
            if id == self.next {
                self.next += 1;
                self.frames.push(StackFrame { id, parent, method });
            }
            parent = Some(id);
        }
        let method = self.method(innermost, &mut of);
        self.frames.push(StackFrame { id: serial.into(), parent, method });
    }

    /// The place of a frame's method. Frames of one line may have several records.
    fn method(&mut self, frame: u64, of: &mut impl FnMut(u64) -> Method) -> u32 {
        let Self { methods, of_methods, of_frames, .. } = self;
        *of_frames.entry(frame).or_insert_with(|| {
            let method = of(frame);
            *of_methods.entry(method).or_insert_with(|| {
                methods.push(method);
                methods.len() as u32 - 1
            })
        })
    }
}
