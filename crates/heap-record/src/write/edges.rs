//! Edge lines, the bulk of every stream: put together in place from pieces of fixed length.
//!
//! A line grows by writes of 8, 16 or 128 bytes whatever the lengths of its numbers are, each over the slack of the
//! one before: no call, no loop, and no branch that depends on a length. [`edge_line`](super::edge_line) is the
//! obvious twin, and takes what does not fit.

use super::edge_line;
use super::place::{exact, put, put_int};
use crate::model::{Edge, Value};

/// Room for a line: 36 bytes before the source, 17 digits and a sign three times, keys, a brace, and slack.
const ROOM: usize = 128;

/// `,"label":` with slack.
const LABEL: &[u8; 16] = b",\"label\":       ";

/// Writes edge lines.
#[derive(Debug)]
pub(super) struct EdgeLines {
    /// `{"type":"edge","subtype":3,"source":` by subtype, for the small numbers that real streams use.
    starts: Vec<Start>,
    /// The source last written, and its digits: edges come grouped by source.
    source: Value,
    digits: [u8; 24],
    length: usize,
}

#[derive(Debug)]
struct Start {
    text: [u8; ROOM],
    length: usize,
}

impl EdgeLines {
    pub(super) fn new() -> Self {
        let start = |subtype: u32| {
            let mut line = Vec::new();
            edge_line(&mut line, &Edge { subtype, source: 0, ..Edge::default() });
            let length = line.len() - b"0}".len();
            line.resize(ROOM, b' ');
            Start { text: line.try_into().unwrap_or([b' '; ROOM]), length }
        };
        let mut digits = [b' '; 24];
        digits[0] = b'0';
        Self { starts: (0..64).map(start).collect(), source: 0, digits, length: 1 }
    }

    /// Appends the line of `edge`, without LF.
    #[inline]
    pub(super) fn line(&mut self, buf: &mut Vec<u8>, edge: &Edge<'_>) {
        match (edge.dest, edge.label, self.starts.get(edge.subtype as usize)) {
            (Some(dest), Some(label), Some(start))
                if edge.rest.is_empty() && exact(edge.source) && exact(dest) && exact(label) =>
            {
                if edge.source != self.source {
                    self.source = edge.source;
                    self.length = put_int(&mut self.digits, 0, edge.source);
                }
                let begin = buf.len();
                buf.extend_from_slice(&start.text);
                let Some(line) = buf[begin..].first_chunk_mut::<ROOM>() else { return };
                let mut n = start.length;
                put(line, n, &self.digits);
                n += self.length;
                put(line, n, b",\"dest\":");
                n = put_int(line, n + 8, dest);
                put(line, n, LABEL);
                n = put_int(line, n + 9, label);
                line[n] = b'}';
                buf.truncate(begin + n + 1);
            }
            _ => edge_line(buf, edge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let mut lines = EdgeLines::new();
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
                lines.line(&mut fast, &edge);
                edge_line(&mut slow, &edge);
            }
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        });
    }
}
