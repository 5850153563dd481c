//! Node lines of the usual shape: subtype, identifier, perhaps fields of its own, size, and class or name.
//!
//! Put together in place like edge lines, in two parts, with the node's own fields between them.
//! [`node_line`](super::node_line) is the obvious twin, and takes every other shape.

use super::node_line;
use super::place::{brief, put, put_int};
use crate::model::{Heap, Node};

/// Room for either part: 44 bytes, and 8 of slack.
const ROOM: usize = 64;

/// What follows the identifier and the own fields, up to the size.
const HEAP: &[u8; ROOM] = b",\"heap\":{\"size\":                                                ";
const SIZE_AT: usize = 16;

/// Keys with slack, and their lengths.
const CLASS: (&[u8; 16], usize) = (b",\"class\":       ", 9);
const NAME: (&[u8; 16], usize) = (b",\"name\":        ", 8);

/// Writes node lines.
#[derive(Debug)]
pub(super) struct NodeLines {
    /// `{"type":"node","subtype":3,"identifier":` and its length, by subtype, for the small numbers of real streams.
    starts: Vec<([u8; ROOM], usize)>,
}

impl NodeLines {
    pub(super) fn new() -> Self {
        let start = |subtype: u32| {
            let mut line = Vec::new();
            node_line(&mut line, &Node { subtype, id: 0, ..Node::default() });
            let length = line.len() - b"0}".len();
            let mut text = [b' '; ROOM];
            text[..length].copy_from_slice(&line[..length]);
            (text, length)
        };
        Self { starts: (0..64).map(start).collect() }
    }

    /// Appends the line of `node`, without LF.
    #[inline]
    pub(super) fn line(&self, buf: &mut Vec<u8>, node: &Node<'_>) {
        let (size, (key, key_length), string) = match node.heap {
            Heap { size: Some(size), class: Some(class), name: None, .. } => (size, CLASS, class),
            Heap { size: Some(size), class: None, name: Some(name), .. } => (size, NAME, name),
            _ => return node_line(buf, node),
        };
        let (Some((start, length)), true) =
            (self.starts.get(node.subtype as usize), usual(node, size, string))
        else {
            return node_line(buf, node);
        };
        let begin = buf.len();
        buf.extend_from_slice(start);
        let Some(line) = buf[begin..].first_chunk_mut::<ROOM>() else { return };
        let end = put_int(line, *length, node.id);
        buf.truncate(begin + end);
        if !node.own.is_empty() {
            buf.push(b',');
            buf.extend_from_slice(node.own);
        }
        let begin = buf.len();
        buf.extend_from_slice(HEAP);
        let Some(line) = buf[begin..].first_chunk_mut::<ROOM>() else { return };
        let n = put_int(line, SIZE_AT, size as i64);
        put(line, n, key);
        let n = put_int(line, n + key_length, string);
        put(line, n, b"}}");
        buf.truncate(begin + n + 2);
    }
}

/// Whether a node says nothing further, in short numbers.
#[inline]
fn usual(node: &Node<'_>, size: u64, string: i64) -> bool {
    let Heap { external, count, retained, idom, distance, reachable, rest, .. } = node.heap;
    let further = external.is_some()
        || count.is_some()
        || retained.is_some()
        || idom.is_some()
        || distance.is_some()
        || reachable.is_some();
    let short = brief(node.id) && brief(size as i64) && brief(string) && (size as i64) >= 0;
    short && !further && rest.is_empty() && node.rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let lines = NodeLines::new();
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            for _ in 0..30 {
                let any = |u: &mut arbitrary::Unstructured<'_>| -> arbitrary::Result<i64> {
                    Ok(u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?)
                };
                let mut maybe = |often: u8| -> arbitrary::Result<Option<i64>> {
                    if u.ratio(often, 10)? { any(u).map(Some) } else { Ok(None) }
                };
                let heap = Heap {
                    size: maybe(9)?.map(|n| n as u64),
                    class: maybe(5)?,
                    name: maybe(5)?,
                    external: maybe(1)?.map(|n| n as u64),
                    count: maybe(1)?.map(|n| n as u64),
                    retained: maybe(1)?.map(|n| n as u64),
                    idom: maybe(1)?,
                    distance: maybe(1)?,
                    reachable: maybe(1)?.map(|n| n > 0),
                    ..Heap::default()
                };
                let node = Node {
                    subtype: u.int_in_range(0..=70)?,
                    id: any(u)?,
                    own: if u.ratio(1, 3)? { b"\"s1\":5,\"s2\":-70000000000" } else { b"" },
                    heap: Heap { rest: if u.ratio(1, 10)? { b"\"more\":1" } else { b"" }, ..heap },
                    rest: if u.ratio(1, 5)? { b"\"v8\":{\"a\":1}" } else { b"" },
                    ..Node::default()
                };
                lines.line(&mut fast, &node);
                node_line(&mut slow, &node);
            }
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        });
    }
}
