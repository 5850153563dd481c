//! Edge lines, the bulk of every stream: put together in place from pieces of fixed length.
//!
//! A line grows by writes of 8, 16 or 48 bytes whatever the lengths of its numbers are, each over the slack of the
//! one before: no call, no loop, and no branch that depends on a length. [`edge_line`](super::edge_line) is the
//! obvious twin, and takes what does not fit.

use super::edge_line;
use super::place::{Block, put, put_int};
use crate::model::{Edge, PlainEdge, Value};

/// Room for a line: 26 bytes before the source, three numbers of up to 21, keys, a brace, LF, and slack.
const ROOM: usize = 128;

/// Room for `,"source":`, a number, and `,"dest":`.
const SOURCE: usize = 48;

/// Room for the beginning, up to the subtype.
const START: usize = 32;

/// `,"label":` with slack.
const LABEL: &[u8; 16] = b",\"label\":       ";

/// Writes edge lines.
#[derive(Debug)]
pub(super) struct EdgeLines {
    /// `{"type":"edge","subtype":3` and its length by subtype, for the small numbers that real streams use.
    starts: Vec<([u8; START], usize)>,
    /// The source last written, and what a line says of it: edges come grouped by source.
    source: Value,
    piece: [u8; SOURCE],
    length: usize,
}

impl EdgeLines {
    pub(super) fn new() -> Self {
        let start = |subtype: u32| {
            let text = format!("{{\"type\":\"edge\",\"subtype\":{subtype}");
            let mut start = [b' '; START];
            start[..text.len()].copy_from_slice(text.as_bytes());
            (start, text.len())
        };
        let mut this =
            Self { starts: (0..64).map(start).collect(), source: 0, piece: [b' '; SOURCE], length: 0 };
        this.begin(0);
        this
    }

    /// Prepares what lines say of their source.
    fn begin(&mut self, source: Value) {
        self.source = source;
        put(&mut self.piece, 0, b",\"source\":");
        let end = put_int(&mut self.piece, 10, source);
        put(&mut self.piece, end, b",\"dest\":");
        self.length = end + 8;
    }

    /// Appends the line of `edge` to `block`, whose lines come behind those of `buf`.
    #[inline]
    pub(super) fn line(&mut self, block: &mut Block, buf: &mut Vec<u8>, edge: &Edge<'_>) {
        let &Edge { subtype, source, dest, label, rest, .. } = edge;
        if let (Some(dest), Some(label), true) = (dest, label, rest.is_empty()) {
            self.lines(block, buf, source, &[PlainEdge { subtype, dest, label }]);
        } else {
            block.pass_on(buf);
            edge_line(buf, edge);
            buf.push(b'\n');
        }
    }

    /// Appends the lines of a run of edges from `source`.
    #[inline]
    pub(super) fn lines(&mut self, block: &mut Block, buf: &mut Vec<u8>, source: Value, edges: &[PlainEdge]) {
        if source != self.source {
            self.begin(source);
        }
        for &PlainEdge { subtype, dest, label } in edges {
            if let (Some((start, length)), Some(line)) =
                (self.starts.get(subtype as usize), block.room::<ROOM>(buf))
            {
                put(line, 0, start);
                put(line, *length, &self.piece);
                let end = put_int(line, length + self.length, dest);
                put(line, end, LABEL);
                let end = put_int(line, end + 9, label);
                put(line, end, b"}\n");
                block.add(end + 2);
            } else {
                block.pass_on(buf);
                let edge = Edge { subtype, source, dest: Some(dest), label: Some(label), ..Edge::default() };
                edge_line(buf, &edge);
                buf.push(b'\n');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let (mut lines, mut block) = (EdgeLines::new(), Block::new());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let mut source = 0;
            for _ in 0..50 {
                let any = |u: &mut arbitrary::Unstructured<'_>| -> arbitrary::Result<i64> {
                    let n: i64 = u.arbitrary()?;
                    Ok(n >> u.int_in_range(0..=63)?)
                };
                if u.ratio(1, 3)? {
                    source = any(u)?;
                }
                let edge = Edge {
                    subtype: u.int_in_range(0..=70)?,
                    source,
                    dest: if u.ratio(9, 10)? { Some(any(u)?) } else { None },
                    label: if u.ratio(9, 10)? { Some(any(u)?) } else { None },
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
                let source = u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?;
                let mut edges = Vec::new();
                for _ in 0..u.int_in_range(0..=300)? {
                    let number = u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?;
                    edges.push(PlainEdge {
                        subtype: u.int_in_range(0..=70)?,
                        dest: number,
                        label: u.arbitrary::<i16>()?.into(),
                    });
                }
                lines.lines(&mut block, &mut fast, source, &edges);
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
