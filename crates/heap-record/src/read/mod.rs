//! The stream's reader: canonical lines by a fast path, everything else by a general one.
//!
//! Both paths give the same records. Lines may have any key order, blanks, escapes and unknown keys, as jq or
//! Python print them, and names in place of numbers (as heap-names writes them): a name becomes the number of its
//! declaration, a text the id of a string record that is delivered just before.
//! Edges that the sink skips are not read closely (`skip`). Text is read when it is needed, or ahead by a second thread
//! (`input`).
//! Memory: one line, some pieces of text (2 MiB), the declarations, and the texts that came in place of string ids.

mod extension;
mod fast;
mod general;
mod held;
mod input;
mod skip;
mod tests;

use std::io::{ErrorKind, Read};

use memchr::{memchr, memrchr};

use crate::batch::{EdgeBatch, NodeBatch};
use crate::model::{Metadata, StringId};
use crate::sink::{Sink, SnapshotSelector};
use crate::write::END_EXPECTED;
use extension::{Shape, other};
use general::General;
use heap_base::error::Kind;
use heap_base::{Error, Result};
use input::{Direct, Input, ReadAhead, Text};
use skip::EdgeSkipper;

/// String ids from here on were given to texts that came in place of a string id. No reader of a dump uses
/// them, and a tool that copies lines need not copy these.
pub const INTERNED: StringId = 1 << 40;

/// True if `head` begins like a record stream: an object that has a `type` and, in its first line, nothing
/// that belongs to a dump written as JSON.
pub fn sniff(head: &[u8]) -> bool {
    let Some(line) = head.split(|&b| b == b'\n').find(|l| !l.trim_ascii().is_empty()) else { return false };
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"{") else { return false };
    // The first key alone would do for streams of ours; jq with -S puts another one first.
    let is_type = |key: &str| heap_base::json::unescape(key) == "type";
    let Some((key, _)) = heap_base::json::each(rest).next() else { return false };
    is_type(key)
        || heap_base::json::each(rest).any(|(key, value)| is_type(key) && value.first() == Some(&b'"'))
}

/// Reads a record stream from a file or from memory to its end and delivers it to `sink`. `selector` chooses among several
/// snapshots. [`SnapshotSelector::Last`] delivers all of them: one pass cannot know which one is the last.
///
/// Records that come before the declarations they need are delivered at the end of their snapshot, unless the sink wants
/// [any order](crate::Wants::any_order); so are those that come before their strings, if it wants them
/// [after the strings](crate::Wants::after_strings).
///
/// # Errors
/// A line that is not a record, with its number; failures of `input` and of the sink.
pub fn read(input: impl Read, selector: SnapshotSelector, sink: &mut dyn Sink) -> Result {
    read_counted(input, selector, sink).map(drop)
}

/// The same. Gives how many streams followed each other.
///
/// # Errors
/// Those of [`read`].
pub fn read_counted(input: impl Read, selector: SnapshotSelector, sink: &mut dyn Sink) -> Result<u64> {
    Reader::new(selector, sink).read(&mut Direct(input))
}

/// The same of an `input` that may block: a thread of its own reads it ahead, and decompresses it if need be, and `sink`
/// is asked to flush before each wait. If reading ends early, the thread ends when `input` next returns.
///
/// # Errors
/// Those of [`read`]; that no thread can be started.
pub fn read_ahead(
    input: Box<dyn Read + Send>,
    selector: SnapshotSelector,
    sink: &mut dyn Sink,
) -> Result<u64> {
    Reader::new(selector, sink).read(&mut ReadAhead::new(input)?)
}

struct Reader<'s> {
    sink: &'s mut dyn Sink,
    general: General,
    /// Number of the current line, from 1.
    line: u64,
    chosen: Chosen,
    end: EndMark,
    skipper: EdgeSkipper,
    /// That of the last extension record: many of one kind come in a row.
    shape: Shape,
    /// Room for the next one.
    spare: Shape,
}

impl<'s> Reader<'s> {
    fn new(selector: SnapshotSelector, sink: &'s mut dyn Sink) -> Self {
        let wants = sink.wants();
        let any_order = wants.any_order;
        Self {
            general: General::new(wants),
            sink,
            line: 0,
            chosen: Chosen::new(selector),
            end: EndMark { lenient: any_order, ..EndMark::default() },
            skipper: EdgeSkipper::new(wants),
            shape: Shape::default(),
            spare: Shape::default(),
        }
    }

    /// Reads to the end. Gives how many streams there were.
    fn read(mut self, input: &mut dyn Input) -> Result<u64> {
        let result = self.all(input);
        // Of a damaged stream, too, what is intact is delivered.
        if result.as_ref().err().is_none_or(|e| matches!(e.kind(), Kind::Input { .. } | Kind::Read(_))) {
            self.held()?;
        }
        result?;
        self.end.check(self.line)?;
        self.chosen.check()?;
        Ok(self.end.streams)
    }

    fn all(&mut self, input: &mut dyn Input) -> Result {
        let mut text = Text::default();
        loop {
            let seen = text.left().len();
            match input.more(&mut text, &mut || self.sink.flush())? {
                Ok(0) => break,
                Ok(_) => {}
                // What a decompressor says of damaged data; its lines so far were intact.
                Err(e) if matches!(e.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                    return Err(Error::at_line(self.line + 1, heap_base::error::plain(&e)));
                }
                Err(e) => return Err(Error::read(e)),
            }
            if let Some(last) = memrchr(b'\n', &text.left()[seen..]) {
                let end = seen + last + 1;
                self.lines(&text.left()[..end])?;
                text.take(end);
            }
        }
        // A last line without LF is intact if it parses.
        if text.left().is_empty() { Ok(()) } else { self.general_line(text.left()) }
    }

    /// Delivers what was held back.
    fn held(&mut self) -> Result {
        let Self { sink, general, chosen, end, .. } = self;
        general.release(chosen, end, *sink).map_err(|fault| fault.error(self.line))
    }
}

impl Reader<'_> {
    /// Reads complete lines, each ending in LF.
    fn lines(&mut self, lines: &[u8]) -> Result {
        let mut at = 0;
        while at < lines.len() {
            if self.skipper.is_active() {
                let (count, length) = self.skipper.skip(&lines[at..], self.sink);
                self.line += count;
                self.end.edges += count;
                at += length;
                if at == lines.len() {
                    break;
                }
            }
            let rest = &lines[at..];
            self.line += 1;
            let length = if let Some(length) = self.fast_line(rest)? {
                length
            } else {
                let end = memchr(b'\n', rest).unwrap_or(rest.len() - 1);
                self.line -= 1;
                self.general_line(&rest[..end])?;
                end + 1
            };
            at += length;
        }
        Ok(())
    }

    /// Reads the first of `lines` by the fast path. Returns its length with LF, or `None` if it is for the general path.
    #[inline]
    fn fast_line(&mut self, lines: &[u8]) -> Result<Option<usize>> {
        if self.end.ended {
            return Ok(None);
        }
        let wanted = !self.chosen.skips;
        // `{"type":"edge"`: the first letter of the type.
        let is = |letter| lines.get(9) == Some(&letter);
        if is(b'e')
            && let Some((mut edge, length)) = fast::edge(lines)
        {
            self.end.edges += 1;
            edge.line.number = self.line;
            if wanted && !self.skipper.skips_all(edge.source, lines, self.sink) {
                if self.general.edge_may_pass(&edge) {
                    self.sink.edges(&EdgeBatch::one(&edge))?;
                } else {
                    self.general.hold(edge.line)?;
                }
            }
            return Ok(Some(length));
        }
        if is(b'n') {
            if let Some(length) = self.plain_node(lines)? {
                return Ok(Some(length));
            }
            if let Some((mut node, length)) = fast::node(lines) {
                self.end.nodes += 1;
                node.line.number = self.line;
                if wanted {
                    if self.general.node_may_pass(&node) {
                        self.sink.nodes(&NodeBatch::one(&node))?;
                    } else {
                        self.general.hold(node.line)?;
                    }
                }
                return Ok(Some(length));
            }
        }
        if is(b's')
            && let Some((mut string, length)) = fast::string(lines)
        {
            string.line.number = self.line;
            self.end.strings += 1;
            self.general.saw(string.id);
            if self.chosen.string(string.id) {
                self.sink.string(&string)?;
            }
            return Ok(Some(length));
        }
        let Some((mut other, length)) = other(lines, &self.shape) else { return Ok(None) };
        self.end.others += 1;
        other.line.number = self.line;
        if wanted {
            if self.general.extension_may_pass(&other) {
                self.sink.extension(&other)?;
            } else {
                self.general.hold(other.line)?;
            }
        }
        if !self.shape.is_of(&other) {
            self.spare.learn(&other);
            std::mem::swap(&mut self.shape, &mut self.spare);
        }
        Ok(Some(length))
    }

    /// Reads a node line of the usual shape; returns its length with LF. The node is built and delivered in one function:
    /// returned in parts, it would be copied before these have reached the cache.
    #[inline(never)]
    fn plain_node(&mut self, lines: &[u8]) -> Result<Option<usize>> {
        let Some((mut node, length)) = fast::plain_node(lines) else { return Ok(None) };
        self.end.nodes += 1;
        if !self.chosen.skips {
            node.line.number = self.line;
            if self.general.node_may_pass(&node) {
                self.sink.nodes(&NodeBatch::one(&node))?;
            } else {
                self.general.hold(node.line)?;
            }
        }
        Ok(Some(length))
    }

    /// Reads one line, without LF, by the general path.
    #[cold]
    fn general_line(&mut self, line: &[u8]) -> Result {
        self.line += 1;
        // Another snapshot may begin here.
        self.skipper.forget();
        let Self { sink, general, chosen, end, .. } = self;
        let result =
            general.line(line, self.line, chosen, end, *sink).map_err(|fault| fault.error(self.line));
        self.skipper.has_arrays(general.has_arrays());
        result
    }
}

/// Whether a stream keeps the promise of its head to say where it ends.
#[derive(Debug, Default)]
struct EndMark {
    due: bool,
    /// The sink judges marks itself, but for one that is missing.
    lenient: bool,
    /// The last stream said that it ended.
    ended: bool,
    /// How many streams have begun.
    streams: u64,
    /// How many records of the stream came. The mark says how many there were: a line that is missing between the head and
    /// the mark is as lost as one at the end.
    nodes: u64,
    edges: u64,
    strings: u64,
    /// Declarations and extensions: no mark counts them.
    others: u64,
    /// How a mark that has come differs from that.
    note: Option<String>,
}

impl EndMark {
    /// Takes note of a metadata record; says what is wrong if a stream begins before the one ahead of it has ended, or
    /// ends without having begun.
    fn metadata(&mut self, record: &Metadata<'_>) -> std::result::Result<(), &'static str> {
        match record.key {
            "heap.end" if record.value == END_EXPECTED => self.due = true,
            "heap.end" if self.lenient => self.due = false,
            "heap.end" if self.ended => return Err("a second end mark"),
            "heap.end" if self.streams == 0 => {
                return Err("the end mark of a stream whose head is missing");
            }
            "heap.end" => {
                (self.due, self.ended) = (false, true);
                let Self { nodes, edges, strings, .. } = self;
                let came = format!("nodes={nodes} edges={edges} strings={strings}");
                if record.value.starts_with("nodes=") && record.value != came {
                    let said = record.value;
                    self.note = Some(format!(
                        "the end mark says {said}, but {came} came: records are missing or were added"
                    ));
                }
            }
            "version_major" if self.due => {
                return Err("a stream begins before the end mark of the one ahead of it");
            }
            "version_major" => {
                // What has nodes and no version is a stream, too.
                self.streams += 1 + u64::from(self.streams == 0 && self.nodes + self.edges > 0);
                self.ended = false;
                (self.nodes, self.edges, self.strings) = (0, 0, 0);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a `version_major` that comes now is that of the stream at hand, which has begun without it: the draft lets
    /// metadata come later. Behind nodes it is the next stream's.
    fn is_late(&mut self) -> bool {
        let late = self.streams == 0 && self.strings + self.others > 0 && self.nodes + self.edges == 0;
        self.streams += u64::from(late);
        late
    }

    /// Takes note of a record of another type; says what is wrong with one that comes now.
    fn record(&mut self, kind: &str) -> std::result::Result<(), &'static str> {
        match kind {
            "node" => self.nodes += 1,
            "edge" => self.edges += 1,
            "string" => self.strings += 1,
            _ => self.others += 1,
        }
        if self.ended { Err("a record behind the end mark") } else { Ok(()) }
    }

    fn check(&self, lines: u64) -> Result {
        if self.due {
            Err(Error::at_line(
                lines + 1,
                "the stream was cut off: the end mark that its head promises is missing",
            ))
        } else {
            Ok(())
        }
    }
}

/// Which of several snapshots to deliver.
#[derive(Debug)]
struct Chosen {
    number: Option<u64>,
    /// The chosen snapshot came.
    seen: bool,
    /// The current snapshot is another one.
    skips: bool,
    /// The highest id of a string of the stream so far, up to the end of the chosen snapshot.
    highest: StringId,
    /// A snapshot came.
    any: bool,
}

impl Chosen {
    fn new(selector: SnapshotSelector) -> Self {
        let number = if let SnapshotSelector::Number(n) = selector { Some(n) } else { None };
        let seen = number.is_none_or(|n| n == 0);
        Self { number, seen, skips: false, highest: StringId::MIN, any: false }
    }

    /// Notes a metadata record; false if it is not to be delivered.
    fn metadata(&mut self, record: &Metadata<'_>) -> bool {
        match (self.number, record.key) {
            (Some(_), "version_major") => {
                (self.skips, self.highest) = (false, StringId::MIN);
            }
            (Some(number), "heap.snapshot") => {
                if !self.any {
                    self.any = true;
                    self.seen = false;
                }
                self.skips = record.value.parse() != Ok(number);
                self.seen |= !self.skips;
                return false;
            }
            // What is said of another snapshot, such as its roots, is not true of this one.
            (Some(_), key) if self.skips => {
                return matches!(key, "heap.end" | "heap.pipeline") || key.starts_with("heap.tag.");
            }
            _ => {}
        }
        true
    }

    /// Notes a string; false if it is not to be delivered. Those of snapshots before hold in the chosen one, too, but behind it ids
    /// may mean other texts.
    #[inline]
    fn string(&mut self, id: StringId) -> bool {
        if self.seen && self.skips {
            return id > self.highest;
        }
        self.highest = self.highest.max(id);
        true
    }

    fn check(&self) -> Result {
        match self.number {
            Some(n) if !self.seen => Err(Error::refused(format!("no snapshot {n} in the stream"))),
            _ => Ok(()),
        }
    }
}
