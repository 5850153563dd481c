//! The dumps of a file. Virtual machines write one; an agent adds one whenever it is asked.
//!
//! Names, classes, frames and traces hold for all dumps that follow them. A dump is one HEAP DUMP record, or the HEAP DUMP
//! SEGMENT records up to a HEAP DUMP END.

use heap_base::{Blob, Result};

use super::header::Header;
use crate::window::Window;

/// A dump of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Where its first record begins.
    pub(crate) start: u64,
    /// Where its last record ends; the end of the file for the last dump.
    pub(crate) end: u64,
    /// Microseconds from the time in the head of the file to this dump.
    pub(crate) elapsed: u64,
    /// Records that hold its objects, and bytes in them.
    pub(crate) segments: u64,
    pub(crate) bytes: u64,
    /// Whether its end is in the file.
    pub(crate) ended: bool,
    /// Whether there are frames before its end.
    pub(crate) frames: bool,
}

/// A record of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) tag: u8,
    /// Where its head begins.
    pub(crate) at: u64,
    /// Microseconds since the time in the head of the file, as the record says them.
    micros: u32,
    /// Where its body begins, and how long it is.
    pub(crate) start: u64,
    pub(crate) body: u64,
}

/// The record at the position of a window, which comes to stand at its body.
///
/// # Errors
/// The file ends before that; failures of reading.
pub(crate) fn record(window: &mut Window<'_>) -> Result<Record> {
    const WHAT: &str = "the head of a record";
    let at = window.position();
    let tag = window.u8(WHAT)?;
    let micros = window.u32(WHAT)?;
    let mut body = u64::from(window.u32(WHAT)?);
    let start = window.position();
    let len = window.blob().len();
    if tag == 0x0c && body == 0 && start < len && !(window.has(1)? && window.peek(1)[0] == 0x2c) {
        // Writers that cannot know the length leave it out.
        body = len - start;
    }
    Ok(Record { tag, at, micros, start, body })
}

/// The dumps of a file, by the heads of its records. A file without any has an empty one.
///
/// # Errors
/// Failures of reading. Damage ends the search.
pub(crate) fn parts(blob: &Blob, header: &Header) -> Result<Vec<Part>> {
    let mut window = Window::new(blob, header.records_at);
    let mut parts: Vec<Part> = Vec::new();
    let mut open = false;
    let (mut last, mut wraps, mut frames) = (0, 0_u64, false);
    while window.position() < blob.len() && window.has(9)? {
        let Record { tag, at, micros, start, body } = record(&mut window)?;
        // The count begins again every 71.6 minutes.
        wraps += u64::from(micros < last);
        last = micros;
        let end = start + body;
        match tag {
            0x04 => frames = true,
            0x0c | 0x1c => {
                if tag == 0x0c || !open {
                    let elapsed = wraps << 32 | u64::from(micros);
                    parts.push(Part { start: at, end, elapsed, segments: 0, bytes: 0, ended: false, frames });
                }
                open = tag == 0x1c;
                if let Some(part) = parts.last_mut() {
                    (part.end, part.segments, part.bytes) = (end, part.segments + 1, part.bytes + body);
                    // A heap in one record has no end mark.
                    part.ended |= tag == 0x0c && end <= blob.len();
                }
            }
            0x2c => {
                open = false;
                if let Some(part) = parts.last_mut() {
                    (part.end, part.ended) = (end, true);
                }
            }
            _ => {}
        }
        if end > blob.len() {
            break;
        }
        window.skip(body);
    }
    if let Some(part) = parts.last_mut() {
        part.end = blob.len();
    } else {
        let (start, end) = (header.records_at, blob.len());
        parts.push(Part { start, end, elapsed: 0, segments: 0, bytes: 0, ended: false, frames });
    }
    Ok(parts)
}
