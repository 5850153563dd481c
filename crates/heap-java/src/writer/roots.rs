//! Roots, threads and their frames, in streams that come from Java.

use std::io::Write;

use heap_base::{Map, Result};
use heap_record::{StringId, Value};
use heap_spool::Texts;

use super::Input;
use super::classes::{Classes, machine_name, text};
use super::file::{File, Place, id};
use crate::hprof::RootKind;

/// A frame of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameNode {
    pub(super) function: Option<StringId>,
    pub(super) script: Option<StringId>,
    pub(super) signature: Option<StringId>,
    pub(super) line: i32,
}

impl FrameNode {
    /// Writes its record, unless its function is not known.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write<W: Write>(
        &self,
        number: u64,
        classes: &Classes,
        texts: &mut Texts,
        file: &mut File<W>,
    ) -> Result {
        let Some(function) = self.function else { return Ok(()) };
        let function = text(function, texts)?;
        let known = function
            .rsplit_once('.')
            .and_then(|(class, method)| Some((classes.known(&machine_name(class, None))? + 1, method)));
        let (class, method) = known.unwrap_or((0, &function));
        let method = file.name(method)?;
        let mut name = |text_id: Option<StringId>| match text_id {
            Some(text_id) => file.name(text(text_id, texts)?),
            None => Ok(0),
        };
        let (signature, script) = (name(self.signature)?, name(self.script)?);
        file.record(0x04, |out, size| {
            for value in [number, method, signature, script] {
                id(out, size, value);
            }
            out.extend(class.to_be_bytes());
            out.extend(self.line.to_be_bytes());
        })
    }
}

/// What holds objects from outside the heap.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// Sub-tag and object.
    pub(super) list: Vec<(u8, u64)>,
    /// Thread and frame, innermost frame first.
    pub(super) frames: Vec<(Value, Value)>,
    /// Thread or frame, and what it holds.
    pub(super) locals: Vec<(Value, u64)>,
    /// Serial number of thread, and how deep, by frame.
    places: Map<Value, (u32, u32)>,
    serials: Map<u64, u32>,
    /// Serial numbers of the traces of threads, by those of threads, which count from 1.
    traces: Vec<u32>,
}

/// The sub-tag of threads.
const THREAD: u8 = 0x08;

impl Roots {
    /// The sub-tag for a kind of roots.
    pub(super) fn tag(name: &str) -> u8 {
        RootKind::ALL.into_iter().find(|kind| kind.name() == name).map_or(0xff, RootKind::tag)
    }

    /// Writes the frames and traces of all threads. Returns the number of the next frame.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn traces<W: Write>(
        &mut self,
        input: &Input,
        address: impl Fn(Value) -> u64,
        classes: &Classes,
        texts: &mut Texts,
        file: &mut File<W>,
    ) -> Result<u64> {
        for &(_, object) in self.list.iter().filter(|root| root.0 == THREAD) {
            let next = self.serials.len() as u32 + 1;
            self.serials.entry(object).or_insert(next);
        }
        let mut traces: Map<u32, Vec<u64>> = Map::default();
        for (number, &(thread, node)) in (1_u64..).zip(&self.frames) {
            let Some(&serial) = self.serials.get(&address(thread)) else { continue };
            let frames = traces.entry(serial).or_default();
            self.places.insert(node, (serial, frames.len() as u32));
            frames.push(number);
            let Some(frame) = input.frames.get(&node) else { continue };
            frame.write(number, classes, texts, file)?;
        }
        let mut free = (1..=u32::MAX).filter(|&serial| !input.stacks.has(serial));
        for (thread, serial) in (1..=self.serials.len() as u32).zip(&mut free) {
            file.trace(serial, thread, &traces.remove(&thread).unwrap_or_default())?;
            self.traces.push(serial);
        }
        Ok(self.frames.len() as u64 + 1)
    }

    /// Writes the roots themselves.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write<W: Write>(&self, address: impl Fn(Value) -> u64, file: &mut File<W>) -> Result {
        for &(tag, object) in &self.list {
            file.sub(Place::Here, |out, size| {
                out.push(tag);
                id(out, size, object);
                match tag {
                    THREAD => {
                        let thread = self.serials.get(&object).copied().unwrap_or(0);
                        let trace = thread.checked_sub(1).and_then(|at| self.traces.get(at as usize));
                        out.extend(thread.to_be_bytes());
                        out.extend(trace.copied().unwrap_or(0).to_be_bytes());
                    }
                    0x01 => id(out, size, 0),
                    0x02 | 0x03 | 0x8e => {
                        out.extend([0; 4]);
                        out.extend([0xff; 4]);
                    }
                    0x04 | 0x06 => out.extend([0; 4]),
                    _ => {}
                }
            })?;
        }
        for &(holder, object) in &self.locals {
            let place = if let Some(&(serial, depth)) = self.places.get(&holder) {
                (0x03, serial, depth)
            } else {
                let Some(&serial) = self.serials.get(&address(holder)) else { continue };
                (0x02, serial, u32::MAX)
            };
            file.sub(Place::Here, |out, size| {
                out.push(place.0);
                id(out, size, object);
                out.extend(place.1.to_be_bytes());
                out.extend(place.2.to_be_bytes());
            })?;
        }
        Ok(())
    }
}
