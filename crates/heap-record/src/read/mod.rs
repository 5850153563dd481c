//! The stream's reader: canonical lines by a fast path, everything else by a general one.
//!
//! Both paths give the same records. Lines may have any key order, blanks, escapes and unknown keys, as jq or
//! Python print them, and names written out where numbers are usual (the view of heap-names): a name becomes
//! the number of its declaration, a text the id of a string record that is announced just before.
//! Edges that the sink passes over are not read closely (`passed`). The text comes as it is asked for, or is
//! read ahead by a second thread (`feed`).
//! Memory: one line, some pieces of text (2 MiB), the declarations, and the texts met in place of string ids.

mod extension;
mod fast;
mod feed;
mod general;
mod passed;
mod tests;

use std::io::{ErrorKind, Read};

use memchr::{memchr, memrchr};

use crate::model::{Metadata, StringId};
use crate::sink::{Sink, SnapshotSelector};
use extension::{Shape, other};
use feed::{Ahead, Feed, Plain, Text};
use general::General;
use heap_base::{Error, Result};
use passed::Passed;

/// String ids from here on were given to texts that stood in place of a string id. No reader of a dump uses
/// them, and a tool that copies lines need not copy these.
pub const INTERNED: StringId = 1 << 40;

/// True if `head` begins like a record stream: an object that has a `type` and, in its first line, nothing
/// that belongs to a dump written as JSON.
pub fn sniff(head: &[u8]) -> bool {
    let Some(line) = head.split(|&b| b == b'\n').find(|l| !l.trim_ascii().is_empty()) else { return false };
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"{") else { return false };
    // The first key alone would do for streams of ours; jq with -S puts another one first.
    let Some((key, _)) = heap_base::json::each(rest).next() else { return false };
    key == "type"
        || heap_base::json::each(rest).any(|(key, value)| key == "type" && value.first() == Some(&b'"'))
}

/// Reads a record stream that is at hand, in a file or in memory, to its end and drives `sink` with it. `pick`
/// chooses among several snapshots; the default, the last, cannot be known in one pass, so it passes all on as
/// [`SnapshotSelector::All`] does.
///
/// # Errors
/// A line that is not a record, with its number; failures of `input` and of the sink.
pub fn read(input: impl Read, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    records(&mut Plain(input), pick, sink)
}

/// The same of an `input` that may keep one waiting: it is read ahead by a thread of its own, which also unpacks
/// it if need be, and `sink` is asked to flush before the wait. Where reading ends early, the thread does so when
/// `input` next gives it something.
///
/// # Errors
/// Those of [`read`]; that no thread can be had.
pub fn read_ahead(input: Box<dyn Read + Send>, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    records(&mut Ahead::new(input)?, pick, sink)
}

fn records(feed: &mut dyn Feed, pick: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    let mut reader = Reader {
        sink,
        general: General::default(),
        line: 0,
        chosen: Chosen::new(pick),
        passed: Passed::default(),
        shape: Shape::default(),
        spare: Shape::default(),
    };
    let mut text = Text::default();
    loop {
        let seen = text.left().len();
        match feed.more(&mut text, &mut || reader.sink.flush())? {
            Ok(0) => break,
            Ok(_) => {}
            // What a decompressor says of damaged data; its lines so far were whole.
            Err(e) if matches!(e.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                return Err(Error::at_line(reader.line + 1, heap_base::error::plain(&e)));
            }
            Err(e) => return Err(Error::read(e)),
        }
        if let Some(last) = memrchr(b'\n', &text.left()[seen..]) {
            let end = seen + last + 1;
            reader.lines(&text.left()[..end])?;
            text.take(end);
        }
    }
    if !text.left().is_empty() {
        // A last line without LF is whole if it parses.
        reader.general_line(text.left())?;
    }
    reader.chosen.check()
}

struct Reader<'s> {
    sink: &'s mut dyn Sink,
    general: General,
    line: u64,
    chosen: Chosen,
    passed: Passed,
    /// That of the last extension record: many come in a row.
    shape: Shape,
    /// Room for the next one.
    spare: Shape,
}

impl Reader<'_> {
    /// Reads whole lines, each ending in LF.
    fn lines(&mut self, lines: &[u8]) -> Result {
        let mut at = 0;
        while at < lines.len() {
            if self.passed.is_over() {
                let (count, used) = self.passed.lines(&lines[at..], self.sink);
                self.line += count;
                at += used;
                if at == lines.len() {
                    break;
                }
            }
            let rest = &lines[at..];
            self.line += 1;
            let used = if let Some(used) = self.fast_line(rest)? {
                used
            } else {
                let end = memchr(b'\n', rest).unwrap_or(rest.len() - 1);
                self.line -= 1;
                self.general_line(&rest[..end])?;
                end + 1
            };
            at += used;
        }
        Ok(())
    }

    /// Reads the first of `lines` by the fast path; gives its length with LF, or `None` if it is for the general one.
    #[inline]
    fn fast_line(&mut self, lines: &[u8]) -> Result<Option<usize>> {
        let tells = !self.chosen.skips;
        // `{"type":"edge"`: the first letter of the type.
        Ok(Some(match lines.get(9) {
            Some(b'e') if let Some((mut edge, used)) = fast::edge(lines) => {
                edge.line.number = self.line;
                if tells && !self.passed.over(edge.source, lines, self.sink) {
                    self.sink.edge(&edge)?;
                }
                used
            }
            Some(b'n') if let Some(used) = self.plain_node(lines)? => used,
            Some(b'n') if let Some((mut node, used)) = fast::node(lines) => {
                node.line.number = self.line;
                if tells {
                    self.sink.node(&node)?;
                }
                used
            }
            Some(b's') if let Some((mut string, used)) = fast::string(lines) => {
                string.line.number = self.line;
                self.sink.string(&string)?;
                used
            }
            _ if let Some((mut other, used)) = other(lines, &self.shape) => {
                other.line.number = self.line;
                if tells {
                    self.sink.extension(&other)?;
                }
                if !self.shape.is_of(&other) {
                    self.spare.learn(&other);
                    std::mem::swap(&mut self.shape, &mut self.spare);
                }
                used
            }
            _ => return Ok(None),
        }))
    }

    /// Reads a node line of the usual shape; gives its length with LF. The node is put together where it is read:
    /// handed over in parts, it would be copied before these have reached the cache.
    #[inline(never)]
    fn plain_node(&mut self, lines: &[u8]) -> Result<Option<usize>> {
        let Some((mut node, used)) = fast::plain_node(lines) else { return Ok(None) };
        if !self.chosen.skips {
            node.line.number = self.line;
            self.sink.node(&node)?;
        }
        Ok(Some(used))
    }

    /// Reads one line, without LF, by the general path.
    #[cold]
    fn general_line(&mut self, line: &[u8]) -> Result {
        self.line += 1;
        // Where another snapshot begins, identifiers mean other nodes.
        self.passed = Passed::default();
        let Self { sink, general, chosen, .. } = self;
        general.line(line, self.line, chosen, *sink).map_err(|e| match e {
            general::Fault::Line(what) => Error::at_line(self.line, what),
            general::Fault::Sink(error) => error,
        })
    }
}

/// Which of several snapshots is passed on.
#[derive(Debug)]
struct Chosen {
    number: Option<u64>,
    seen: bool,
    /// True while records of another snapshot go by.
    skips: bool,
    any: bool,
}

impl Chosen {
    fn new(pick: SnapshotSelector) -> Self {
        let number = if let SnapshotSelector::Number(n) = pick { Some(n) } else { None };
        Self { number, seen: number.is_none_or(|n| n == 0), skips: false, any: false }
    }

    /// Takes note of a metadata record; false if it is not to be passed on.
    fn metadata(&mut self, record: &Metadata<'_>) -> bool {
        match (self.number, record.key) {
            (Some(_), "version_major") => self.skips = false,
            (Some(number), "heap.snapshot") => {
                if !self.any {
                    self.any = true;
                    self.seen = false;
                }
                self.skips = record.value.parse() != Ok(number);
                self.seen |= !self.skips;
                return false;
            }
            _ => {}
        }
        true
    }

    fn check(&self) -> Result {
        match self.number {
            Some(n) if !self.seen => Err(Error::refused(format!("no snapshot {n} in the stream"))),
            _ => Ok(()),
        }
    }
}
