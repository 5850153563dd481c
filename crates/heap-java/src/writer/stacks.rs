//! Stacks at which objects were allocated: their numbers become serial numbers of traces, and their functions frames.

use std::io::Write;

use heap_base::{BitSet, Result, Set, sort};
use heap_record::{Extension, LeftOut, Node, Stacks, StringId};
use heap_spool::Texts;

use super::classes::Classes;
use super::file::File;
use super::node;
use super::roots::FrameNode;

/// Frames of one trace, and of all together. In the stream stacks share their outer frames, in the file each trace has its own.
const MAX_DEPTH: usize = 1 << 16;
const MAX_FRAMES: usize = 1 << 24;

/// What is kept of stacks until the end. Memory: some 50 bytes for each frame, function and stack.
#[derive(Debug, Default)]
pub(super) struct ObjectStacks {
    pub(super) stacks: Stacks,
    /// By function.
    signatures: Vec<Option<StringId>>,
    /// Those of objects.
    used: Set<u32>,
    /// Objects whose stack is no serial number.
    too_high: u64,
}

impl ObjectStacks {
    /// Takes an extension record in; true if it is one of stacks.
    pub(super) fn extension(&mut self, record: &Extension<'_>) -> bool {
        let taken = self.stacks.extension(record);
        if self.stacks.functions().len() > self.signatures.len() {
            self.signatures.push(node::int(record.body, "signature"));
        }
        taken
    }

    /// The serial number of the trace of a node's allocation; 0 if it has none.
    pub(super) fn serial(&mut self, node: &Node<'_>) -> u32 {
        let Some(stack) = self.stacks.of(node) else { return 0 };
        let Ok(serial) = u32::try_from(stack) else {
            self.too_high += 1;
            return 0;
        };
        self.used.insert(serial);
        serial
    }

    /// Whether objects have traces with this serial number.
    pub(super) fn has(&self, serial: u32) -> bool {
        self.used.contains(&serial)
    }

    /// Writes the frames, whose numbers begin at `first`, and the traces. A stack without a frame has no record.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write<W: Write>(
        &self,
        first: u64,
        classes: &Classes,
        texts: &mut Texts,
        file: &mut File<W>,
        left_out: &mut LeftOut,
    ) -> Result {
        let mut serials: Vec<u32> = self.used.iter().copied().collect();
        sort(&mut serials);
        let (mut written, mut total, mut dropped) = (BitSet::default(), 0, 0);
        let mut trace = Vec::new();
        for serial in serials {
            let most = MAX_DEPTH.min(MAX_FRAMES - total);
            trace.clear();
            for frame in self.stacks.frames(serial.into()) {
                if trace.len() == most {
                    dropped += 1;
                    break;
                }
                let Some(function) = self.stacks.function_number(frame) else { continue };
                trace.push(first + u64::from(function));
                if written.insert(function) {
                    self.frame(function).write(first + u64::from(function), classes, texts, file)?;
                }
            }
            total += trace.len();
            if !trace.is_empty() {
                file.trace(serial, 0, &trace)?;
            }
        }
        left_out.add("outer frames of stacks", dropped);
        left_out.add("stacks of objects", self.too_high);
        Ok(())
    }

    /// What is known of a function.
    fn frame(&self, function: u32) -> FrameNode {
        let of = self.stacks.functions().get(function as usize).copied().unwrap_or_default();
        let signature = self.signatures.get(function as usize).copied().flatten();
        let line = i32::try_from(of.line).unwrap_or(0);
        FrameNode { function: of.name, script: of.script, signature, line }
    }
}
