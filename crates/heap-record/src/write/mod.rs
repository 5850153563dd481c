//! The canonical writer: a sink that appends lines to one buffer.
//!
//! A record that was read from text is copied as it was read, so a tool that keeps a record changes no byte
//! of it; [`Form::Canonical`] copies only lines that are canonical already and writes the others anew.

mod block;
mod edges;
mod lines;
mod nodes;
mod strings;

use std::io::Write;

use crate::batch::{EdgeBatch, EdgeSlice, NodeBatch, PlainEdge, PlainNode};
use crate::model::{Declaration, Edge, Extension, Line, Metadata, Node, Str, Value};
use crate::sink::Sink;
use crate::wants::Wants;
use block::{Block, FULL};
use edges::EdgeLines;
use heap_base::{Error, Result};
pub use lines::{
    Numbers, Spelling, declaration_line, edge_line, edge_spelled, extension_line, metadata_line, node_line,
    node_spelled, string_line,
};
use nodes::NodeLines;

/// The value of `heap.end` in the head of a stream: it promises the mark at its end.
pub const END_EXPECTED: &str = "expected";

/// What happens to records that were read from text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Their lines are copied byte for byte.
    #[default]
    AsRead,
    /// Their lines are copied if they are canonical, else written anew.
    Canonical,
}

/// Writes the record stream. See the module's description.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    buf: Vec<u8>,
    form: Form,
    wants: Wants,
    provenance: Option<Provenance>,
    head: Head,
    counts: Counts,
    /// `version_major` came.
    versioned: bool,
    /// The stream at hand came with a mark that counts other records.
    lacks: bool,
    /// The first lines of the stream of a dump, which every reader begins with. They wait for the next record: if the
    /// dump is refused, nothing is written.
    waiting: Vec<u8>,
    edges: EdgeLines,
    nodes: NodeLines,
    /// Lines of nodes and edges behind those in the buffer.
    block: Block,
}

/// Metadata comes first; the provenance line goes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Head {
    /// Nothing written yet.
    Empty,
    /// Only metadata so far. `text`: the stream was read from text.
    Open { text: bool },
    /// Past it.
    Closed,
}

#[derive(Clone, Debug)]
struct Provenance {
    line: String,
    dumps_too: bool,
}

/// How many records of each kind were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Node records.
    pub nodes: u64,
    /// Edge records.
    pub edges: u64,
    /// String records.
    pub strings: u64,
}

impl<W: Write> Writer<W> {
    /// A writer to `out`, which needs no buffer of its own.
    pub fn new(out: W) -> Self {
        Self {
            out,
            buf: Vec::with_capacity(FULL + (64 << 10)),
            form: Form::AsRead,
            wants: Wants::ALL,
            provenance: None,
            head: Head::Empty,
            counts: Counts::default(),
            versioned: false,
            lacks: false,
            waiting: Vec::new(),
            edges: EdgeLines::new(),
            nodes: NodeLines::new(),
            block: Block::new(),
        }
    }

    /// Sets what happens to records that were read from text.
    #[must_use]
    pub fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Narrows what the writer asks of sources.
    #[must_use]
    pub fn wanting(mut self, wants: Wants) -> Self {
        self.wants = wants;
        self
    }

    /// Appends `heap.pipeline` = `line` to the metadata of each stream passed on; for a stream made from a dump
    /// in this process only if `dumps_too` (its `generator` says the same otherwise).
    #[must_use]
    pub fn provenance(mut self, line: impl Into<String>, dumps_too: bool) -> Self {
        self.provenance = Some(Provenance { line: line.into(), dumps_too });
        self
    }

    /// What was written so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// What it writes to, for outputs that have an end of their own.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives `out` back; call after [`Sink::finish`].
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Ends the line.
    #[inline]
    fn end_line(&mut self) -> Result {
        self.buf.push(b'\n');
        self.drain_if_full()
    }

    /// Writes all lines out if they are many.
    #[inline]
    fn drain_if_full(&mut self) -> Result {
        if self.buf.len() + self.block.lines().len() >= FULL { self.drain() } else { Ok(()) }
    }

    /// Writes all lines out at once. Lines of the block are written from where they are if no others come before them,
    /// so that a batch of nodes or edges is not copied.
    #[cold]
    fn drain(&mut self) -> Result {
        if !self.buf.is_empty() {
            self.block.pass_on(&mut self.buf);
        }
        let lines = if self.buf.is_empty() { self.block.lines() } else { &self.buf };
        let result = self.out.write_all(lines).map_err(Error::write);
        self.buf.clear();
        self.block.clear();
        result
    }

    /// Copies the line if the form allows; false if the record must be written anew.
    #[inline]
    fn copied(&mut self, line: Line<'_>) -> bool {
        let copy = !line.bytes.is_empty() && (line.canonical || self.form == Form::AsRead);
        if copy {
            self.block.pass_on(&mut self.buf);
            self.buf.extend_from_slice(line.bytes);
        }
        copy
    }

    #[inline]
    fn past_head(&mut self) {
        if self.head != Head::Closed {
            self.close_head();
        }
    }

    /// Moves the lines of the block into the buffer, so that the next line goes behind them.
    #[inline]
    fn behind_all(&mut self) {
        self.past_head();
        self.block.pass_on(&mut self.buf);
    }

    #[cold]
    fn close_head(&mut self) {
        let text = self.head == Head::Open { text: true };
        self.buf.append(&mut self.waiting);
        if let Some(p) = self.provenance.as_ref().filter(|p| text || p.dumps_too && self.head != Head::Empty)
        {
            metadata_line(&mut self.buf, "heap.pipeline", &p.line);
            self.buf.push(b'\n');
        }
        self.head = Head::Closed;
    }

    #[inline]
    fn node(&mut self, node: &Node<'_>) -> Result {
        if self.copied(node.line) {
            return self.end_line();
        }
        self.nodes.line(&mut self.block, &mut self.buf, node);
        self.drain_if_full()
    }

    fn plain_nodes(&mut self, mut nodes: &[PlainNode], mut own: &[u8]) -> Result {
        while !nodes.is_empty() {
            (nodes, own) = self.nodes.lines(&mut self.block, &mut self.buf, nodes, own);
            self.drain_if_full()?;
        }
        Ok(())
    }

    #[inline]
    fn edge(&mut self, edge: &Edge<'_>) -> Result {
        if self.copied(edge.line) {
            return self.end_line();
        }
        self.edges.line(&mut self.block, &mut self.buf, edge);
        self.drain_if_full()
    }

    fn plain_edges(&mut self, source: Value, mut edges: &[PlainEdge]) -> Result {
        while !edges.is_empty() {
            edges = self.edges.lines(&mut self.block, &mut self.buf, source, edges);
            self.drain_if_full()?;
        }
        Ok(())
    }

    /// Ends a stream. What lacks records that its own mark counted gets no mark that hides it.
    fn end_mark(&mut self) {
        self.behind_all();
        if std::mem::take(&mut self.lacks) {
            self.counts = Counts::default();
            return;
        }
        let Counts { nodes, edges, strings } = self.counts;
        metadata_line(&mut self.buf, "heap.end", &format!("nodes={nodes} edges={edges} strings={strings}"));
        self.buf.push(b'\n');
        self.counts = Counts::default();
    }
}

/// Metadata that the reader adds ahead of an end mark which counts other records than came; the value says how.
pub const END_NOTE: &str = "heap.end.note";

/// Appends the promise of an end mark. It comes second, so that no cut behind it is overlooked.
fn promise(buf: &mut Vec<u8>) {
    metadata_line(buf, "heap.end", END_EXPECTED);
    buf.push(b'\n');
}

impl<W: Write> Sink for Writer<W> {
    fn wants(&self) -> Wants {
        self.wants
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.block.pass_on(&mut self.buf);
        match record.key {
            "heap.end" => return Ok(()),
            END_NOTE => {
                self.lacks = true;
                return Ok(());
            }
            "version_major" => {
                // Metadata before the first version belongs to its stream: the prototype's order.
                if !self.waiting.is_empty() {
                    self.waiting.clear();
                } else if self.versioned {
                    self.end_mark();
                } else {
                    // What came ahead is a stream without a head: no mark counts it.
                    self.counts = Counts::default();
                }
                self.versioned = true;
                self.head = Head::Open { text: !record.line.bytes.is_empty() };
                if record.line.bytes.is_empty() {
                    metadata_line(&mut self.waiting, record.key, record.value);
                    self.waiting.push(b'\n');
                    promise(&mut self.waiting);
                    return Ok(());
                }
            }
            "generator" if !self.waiting.is_empty() => {
                metadata_line(&mut self.waiting, record.key, record.value);
                self.waiting.push(b'\n');
                return Ok(());
            }
            _ if self.head == Head::Empty => self.head = Head::Open { text: !record.line.bytes.is_empty() },
            _ => {}
        }
        self.buf.append(&mut self.waiting);
        if !self.copied(record.line) {
            metadata_line(&mut self.buf, record.key, record.value);
        }
        if record.key == "version_major" {
            self.buf.push(b'\n');
            promise(&mut self.buf);
            return self.drain_if_full();
        }
        self.end_line()
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.behind_all();
        if !self.copied(record.line) {
            declaration_line(&mut self.buf, record);
        }
        self.end_line()
    }

    #[inline]
    fn string(&mut self, record: &Str<'_>) -> Result {
        self.past_head();
        self.counts.strings += 1;
        if self.copied(record.line) {
            return self.end_line();
        }
        strings::line(&mut self.block, &mut self.buf, record);
        self.drain_if_full()
    }

    #[inline]
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        self.past_head();
        self.counts.nodes += batch.len() as u64;
        match *batch {
            NodeBatch::Records(nodes) => nodes.iter().try_for_each(|node| self.node(node)),
            NodeBatch::Plain { nodes, own } => self.plain_nodes(nodes, own),
        }
    }

    /// Edges come by identifier: it never asks for others.
    #[inline]
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        self.past_head();
        self.counts.edges += batch.len() as u64;
        match batch.edges {
            EdgeSlice::Records(edges) => edges.iter().try_for_each(|edge| self.edge(edge)),
            EdgeSlice::Plain { source, edges } => self.plain_edges(source, edges),
        }
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.behind_all();
        if !self.copied(record.line) {
            extension_line(&mut self.buf, record);
        }
        self.end_line()
    }

    fn flush(&mut self) -> Result {
        if !self.buf.is_empty() || !self.block.lines().is_empty() {
            self.drain()?;
        }
        self.out.flush().map_err(Error::write)
    }

    fn finish(&mut self, intact: bool) -> Result {
        // A stream without a head has promised no mark, and readers take one for the rest of a stream that lost its head. If
        // it is a part it promises one now, which never comes: so it is not taken for a whole one.
        match (intact, self.versioned) {
            (true, true) => self.end_mark(),
            (false, false) if self.head != Head::Empty => {
                self.behind_all();
                promise(&mut self.buf);
            }
            _ => {}
        }
        self.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Ends;
    use crate::model::{Data, Heap};

    /// The lengths of the pieces that were written, and all of them.
    #[derive(Debug, Default)]
    struct Pieces(Vec<usize>, Vec<u8>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.push(bytes.len());
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn batches_of_any_length_are_written_in_order_and_in_large_pieces() {
        let mut long = 0;
        for i in 1..=50u32 {
            // The same input in every run: random bits above, the number of bytes below.
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 4096;
            arbtest::arbtest(|u| {
                let (mut writer, mut lines) = (Writer::new(Pieces::default()), Vec::new());
                // Fewer kinds make longer runs.
                let kinds = u.int_in_range(0..=5)?;
                for _ in 0..u.int_in_range(1..=300)? {
                    match u.int_in_range(0..=kinds)? {
                        0 => {
                            let kind = u.choose(&["v8.location", "v8.locations", "x"])?;
                            let other = Extension { kind, body: b"\"a\":1", ..Extension::default() };
                            assert!(writer.extension(&other).is_ok());
                            extension_line(&mut lines, &other);
                        }
                        1 => {
                            let string = Str { id: 7, data: Data::Plain("text"), ..Str::default() };
                            assert!(writer.string(&string).is_ok());
                            string_line(&mut lines, &string);
                        }
                        2 => {
                            let edge =
                                PlainEdge { subtype: 1, dest: 1 << u.int_in_range(0..=40)?, label: -2 };
                            let edges = vec![edge; u.int_in_range(1..=9)?];
                            assert!(writer.edges(&EdgeBatch::plain(Ends::Identifiers, 5, &edges)).is_ok());
                            for PlainEdge { subtype, dest, label } in edges {
                                let (dest, label) = (Some(dest), Some(label));
                                edge_line(
                                    &mut lines,
                                    &Edge { subtype, source: 5, dest, label, ..Edge::default() },
                                );
                                lines.push(b'\n');
                            }
                            continue;
                        }
                        3 => {
                            let (dest, label) = (Some(u.arbitrary::<u8>()?.into()), Some(3));
                            let rest: &[u8] = if u.arbitrary()? { b"\"x\":{\"a\":1}" } else { b"" };
                            let edge = Edge { subtype: 2, source: 6, dest, label, rest, ..Edge::default() };
                            assert!(writer.edges(&EdgeBatch::one(&edge)).is_ok());
                            edge_line(&mut lines, &edge);
                        }
                        4 => {
                            let node = PlainNode {
                                subtype: 1,
                                id: u.arbitrary::<u32>()?.into(),
                                ..PlainNode::default()
                            };
                            let nodes = vec![node; u.int_in_range(1..=9)?];
                            assert!(writer.nodes(&NodeBatch::Plain { nodes: &nodes, own: b"" }).is_ok());
                            for node in nodes {
                                node_line(&mut lines, &node.with(b""));
                                lines.push(b'\n');
                            }
                            continue;
                        }
                        _ => {
                            let heap = Heap { count: Some(3), ..Heap::default() };
                            let node = Node { subtype: 70, id: 1, heap, ..Node::default() };
                            assert!(writer.nodes(&NodeBatch::one(&node)).is_ok());
                            node_line(&mut lines, &node);
                        }
                    }
                    lines.push(b'\n');
                }
                assert!(writer.flush().is_ok());
                let Pieces(lengths, written) = writer.into_inner();
                assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&lines));
                // All but the last are large; none is much larger.
                assert!(lengths.iter().all(|&length| length < 2 * FULL), "{lengths:?}");
                assert!(lengths.len() <= lines.len() / FULL + 1, "{lengths:?}");
                long += usize::from(lengths.len() > 3);
                Ok(())
            })
            .seed(seed);
        }
        assert!(long > 10, "only {long} had many pieces");
    }
}
