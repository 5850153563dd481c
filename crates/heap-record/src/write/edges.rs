//! Edge lines, the bulk of every stream: put together in place from pieces of fixed length.
//!
//! A line grows by writes of 8, 16 or 64 bytes whatever the lengths of its numbers are, each over the slack of the
//! one before: no call, no loop, and no branch that depends on a length. What a line says before its destination is
//! kept ready, as edges come grouped by source, and differs in the subtype alone: one digit in real streams.
//! [`edge_line`](super::edge_line) is the obvious twin, and takes what does not fit.

use std::slice::from_ref;

use super::block::{Block, PAD, brief, digits, exact, put, put_digits, put_exact, put_int};
use super::edge_line;
use crate::batch::PlainEdge;
use crate::model::{Edge, Value};

/// Room for a line: three numbers of up to 21, keys, braces, LF, and slack.
const ROOM: usize = 256 + PAD;

/// How much of a beginning is copied: all but those of sources that are written in hexadecimal fit.
const READY: usize = 64;

/// The beginning up to the source.
const START: &[u8; SOURCE] = b"{\"type\":\"edge\",\"subtype\":0,\"source\":";

/// Where the subtype is in it, and where the source.
const SUBTYPE: usize = 25;
const SOURCE: usize = 36;

/// What follows the source, with the sign of the destination and slack.
const DEST: &[u8; 16] = b",\"dest\":-       ";

/// What follows the destination, with the sign of the label and slack.
const LABEL: &[u8; 16] = b",\"label\":-      ";

/// Writes edge lines.
#[derive(Debug)]
pub(super) struct EdgeLines {
    /// The source last written.
    source: Value,
    /// `{"type":"edge","subtype":0,"source":6163,"dest":-`, and its length without the sign.
    ready: [u8; ROOM],
    length: usize,
}

impl EdgeLines {
    pub(super) fn new() -> Self {
        let mut this = Self { source: 0, ready: [b' '; ROOM], length: 0 };
        put(&mut this.ready, 0, START);
        this.begin(0);
        this
    }

    /// Prepares the beginning of lines from `source`.
    #[inline]
    fn begin(&mut self, source: Value) {
        self.source = source;
        put(&mut self.ready, SOURCE, b"-");
        let end = put_int(&mut self.ready, SOURCE, source);
        put(&mut self.ready, end, DEST);
        self.length = end + 8;
    }

    /// Appends the line of `edge` to `block`, whose lines come behind those of `buf`.
    #[inline]
    pub(super) fn line(&mut self, block: &mut Block, buf: &mut Vec<u8>, edge: &Edge<'_>) {
        let &Edge { subtype, source, dest, label, rest, .. } = edge;
        if let (Some(dest), Some(label), true) = (dest, label, rest.is_empty()) {
            let edge = PlainEdge { subtype, dest, label };
            let mut edges = from_ref(&edge);
            while !edges.is_empty() {
                edges = self.lines(block, buf, source, edges);
                if !edges.is_empty() {
                    block.pass_on(buf);
                }
            }
        } else {
            block.pass_on(buf);
            edge_line(buf, edge);
            buf.push(b'\n');
        }
    }

    /// Appends lines of a run of edges from `source`: not all, if there is no room left in the block. Gives those that
    /// are left.
    #[inline]
    pub(super) fn lines<'a>(
        &mut self,
        block: &mut Block,
        buf: &mut Vec<u8>,
        source: Value,
        edges: &'a [PlainEdge],
    ) -> &'a [PlainEdge] {
        if source != self.source {
            self.begin(source);
        }
        let left = self.usual(block, edges);
        let Some((edge, rest)) = left.split_first().filter(|_| block.has_room::<ROOM>()) else { return left };
        self.unusual(block, buf, edge);
        rest
    }

    /// Writes the lines of edges up to the first that is not usual, as long as there is room; gives those that are
    /// left.
    #[inline]
    fn usual<'a>(&self, block: &mut Block, edges: &'a [PlainEdge]) -> &'a [PlainEdge] {
        let (Some(ready), true) = (self.ready.first_chunk::<READY>(), self.length < READY) else {
            return edges;
        };
        let length = self.length;
        block.fill::<ROOM, _>(edges, |line, &PlainEdge { subtype, dest, label }| {
            if subtype > 9 {
                return None;
            }
            let (to, name) = (exact(dest)?, brief(label.unsigned_abs())?);
            put(line, 0, ready);
            line[SUBTYPE] = b'0' + subtype as u8;
            // Identifiers are either small numbers or addresses, and the labels small.
            let (end, name) = match brief(to) {
                Some(to) => {
                    let [to, name] = digits([to, name]);
                    (put_digits(line, length, dest < 0, to), name)
                }
                None => (put_exact(line, length, dest < 0, to), digits([name, 0])[0]),
            };
            put(line, end, LABEL);
            let end = put_digits(line, end + 9, label < 0, name);
            put(line, end, b"}\n");
            Some(end + 2)
        })
    }

    /// Appends the line of an edge with a long number or subtype, to a block that has room.
    #[inline(never)]
    fn unusual(&self, block: &mut Block, buf: &mut Vec<u8>, edge: &PlainEdge) {
        let &PlainEdge { subtype, dest, label } = edge;
        let left = block.fill::<ROOM, _>(from_ref(edge), |line, _| {
            if subtype > 9 {
                return None;
            }
            line.copy_from_slice(&self.ready);
            line[SUBTYPE] = b'0' + subtype as u8;
            let end = put_int(line, self.length, dest);
            put(line, end, LABEL);
            let end = put_int(line, end + 9, label);
            put(line, end, b"}\n");
            Some(end + 2)
        });
        if !left.is_empty() {
            block.pass_on(buf);
            let (source, dest, label) = (self.source, Some(dest), Some(label));
            edge_line(buf, &Edge { subtype, source, dest, label, ..Edge::default() });
            buf.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::number;
    use super::*;

    /// A subtype, most often of one digit.
    fn subtype(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<u32> {
        if u.ratio(7, 8)? { u.int_in_range(0..=10) } else { Ok(number(u)? as u32) }
    }

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let (mut lines, mut block) = (EdgeLines::new(), Block::new());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let mut source = 0;
            for _ in 0..50 {
                if u.ratio(1, 3)? {
                    source = number(u)?;
                }
                let edge = Edge {
                    subtype: subtype(u)?,
                    source,
                    dest: if u.ratio(9, 10)? { Some(number(u)?) } else { None },
                    label: if u.ratio(9, 10)? { Some(number(u)?) } else { None },
                    rest: if u.ratio(1, 10)? { b"\"v8\":{\"a\":1}" } else { b"" },
                    ..Edge::default()
                };
                lines.line(&mut block, &mut fast, &edge);
                edge_line(&mut slow, &edge);
                slow.push(b'\n');
            }
            block.pass_on(&mut fast);
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        });
    }

    #[test]
    fn a_run_is_its_edges_one_by_one() {
        arbtest::arbtest(|u| {
            let (mut lines, mut block) = (EdgeLines::new(), Block::new());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            for _ in 0..u.int_in_range(1..=3)? {
                let source = number(u)?;
                let mut edges = Vec::new();
                for _ in 0..u.int_in_range(0..=400)? {
                    let dest = if u.ratio(9, 10)? { u.arbitrary::<u16>()?.into() } else { number(u)? };
                    let label = if u.ratio(9, 10)? { u.arbitrary::<i16>()?.into() } else { number(u)? };
                    edges.push(PlainEdge { subtype: subtype(u)?, dest, label });
                }
                let mut rest = edges.as_slice();
                while !rest.is_empty() {
                    rest = lines.lines(&mut block, &mut fast, source, rest);
                    if !block.has_room::<ROOM>() {
                        block.pass_on(&mut fast);
                    }
                }
                for &PlainEdge { subtype, dest, label } in &edges {
                    let (dest, label) = (Some(dest), Some(label));
                    edge_line(&mut slow, &Edge { subtype, source, dest, label, ..Edge::default() });
                    slow.push(b'\n');
                }
            }
            block.pass_on(&mut fast);
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        })
        .size_max(16 << 10);
    }
}
