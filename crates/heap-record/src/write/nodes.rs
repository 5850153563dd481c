//! Node lines of the usual shape: subtype, identifier, perhaps fields of its own, size, and class or name.
//!
//! Put together in place like edge lines. [`node_line`](super::node_line) is the obvious twin, and takes every other
//! shape.

use super::node_line;
use super::place::{Block, put, put_int};
use crate::json::MAX_EXACT;
use crate::model::{Heap, Node, PlainNode};

/// Room for a line: 42 bytes before the identifier, three numbers of up to 21, own members, keys, LF, and slack.
const ROOM: usize = 256;

/// Room for the beginning, up to the identifier.
const START: usize = 48;

/// Room for own members.
const OWN: usize = 64;

/// What follows the identifier and the own fields, up to the size.
const HEAP: &[u8; 16] = b",\"heap\":{\"size\":";

/// Keys with slack, and their lengths.
const CLASS: (&[u8; 16], usize) = (b",\"class\":       ", 9);
const NAME: (&[u8; 16], usize) = (b",\"name\":        ", 8);

/// Writes node lines.
#[derive(Debug)]
pub(super) struct NodeLines {
    /// `{"type":"node","subtype":3,"identifier":` and its length, by subtype, for the small numbers of real streams.
    starts: Vec<([u8; START], usize)>,
}

impl NodeLines {
    pub(super) fn new() -> Self {
        let start = |subtype: u32| {
            let text = format!("{{\"type\":\"node\",\"subtype\":{subtype},\"identifier\":");
            let mut start = [b' '; START];
            start[..text.len()].copy_from_slice(text.as_bytes());
            (start, text.len())
        };
        Self { starts: (0..64).map(start).collect() }
    }

    /// Appends the line of `node` to `block`, whose lines come behind those of `buf`.
    #[inline]
    pub(super) fn line(&mut self, block: &mut Block, buf: &mut Vec<u8>, node: &Node<'_>) {
        let usual = |size, class, string| PlainNode {
            subtype: node.subtype,
            own: node.own.len(),
            id: node.id,
            size,
            class,
            string,
        };
        let plain = match node.heap {
            Heap { size: Some(size), class: Some(class), name: None, .. } => usual(size, true, class),
            Heap { size: Some(size), class: None, name: Some(name), .. } => usual(size, false, name),
            _ => PlainNode::default(),
        };
        if further(node) {
            block.pass_on(buf);
            node_line(buf, node);
            buf.push(b'\n');
        } else {
            self.lines(block, buf, &[plain], node.own);
        }
    }

    /// Appends the lines of `nodes`, of which `own` are the own members, one after another.
    #[inline]
    pub(super) fn lines(
        &mut self,
        block: &mut Block,
        buf: &mut Vec<u8>,
        nodes: &[PlainNode],
        mut own: &[u8],
    ) {
        for node in nodes {
            let (members, rest) = own.split_at_checked(node.own).unwrap_or((own, b""));
            if let (Some((start, length)), true, Some(line)) = (
                self.starts.get(node.subtype as usize),
                members.len() <= OWN && node.size <= MAX_EXACT,
                block.room::<ROOM>(buf),
            ) {
                put(line, 0, start);
                let mut end = put_int(line, *length, node.id);
                if !members.is_empty() {
                    line[end] = b',';
                    match own.first_chunk::<32>() {
                        Some(first) if members.len() <= 32 => put(line, end + 1, first),
                        _ => line[end + 1..][..members.len()].copy_from_slice(members),
                    }
                    end += 1 + members.len();
                }
                put(line, end, HEAP);
                end = put_int(line, end + HEAP.len(), node.size as i64);
                let (key, length) = if node.class { CLASS } else { NAME };
                put(line, end, key);
                end = put_int(line, end + length, node.string);
                put(line, end, b"}}\n");
                block.add(end + 3);
            } else {
                block.pass_on(buf);
                node_line(buf, &node.whole(members));
                buf.push(b'\n');
            }
            own = rest;
        }
    }
}

/// Whether a node is none of the usual shape.
#[inline]
fn further(node: &Node<'_>) -> bool {
    let Heap { size, class, name, external, count, retained, idom, distance, reachable, rest } = node.heap;
    let more = external.is_some()
        || count.is_some()
        || retained.is_some()
        || idom.is_some()
        || distance.is_some()
        || reachable.is_some();
    let usual = size.is_some() && class.is_some() != name.is_some();
    more || !usual || !rest.is_empty() || !node.rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let (mut lines, mut block) = (NodeLines::new(), Block::new());
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
                lines.line(&mut block, &mut fast, &node);
                node_line(&mut slow, &node);
                slow.push(b'\n');
            }
            block.pass_on(&mut fast);
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        });
    }

    #[test]
    fn a_run_is_its_nodes_one_by_one() {
        arbtest::arbtest(|u| {
            let (mut lines, mut block) = (NodeLines::new(), Block::new());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let (mut nodes, mut members) = (Vec::new(), Vec::new());
            for _ in 0..u.int_in_range(0..=200)? {
                let any = |u: &mut arbitrary::Unstructured<'_>| -> arbitrary::Result<i64> {
                    Ok(u.arbitrary::<i64>()? >> u.int_in_range(0..=63)?)
                };
                let own: &[u8] = match u.int_in_range(0..=4)? {
                    0 => b"\"s1\":5,\"s2\":-70000000000",
                    1 => b"\"data\":5",
                    2 => b"\"first\":1234567,\"second\":1234567,\"third\":1234567,\"fourth\":1234567",
                    _ => b"",
                };
                let node = PlainNode {
                    subtype: u.int_in_range(0..=70)?,
                    own: own.len(),
                    id: any(u)?,
                    size: any(u)? as u64,
                    class: u.arbitrary()?,
                    string: any(u)?,
                };
                node_line(&mut slow, &node.whole(own));
                slow.push(b'\n');
                nodes.push(node);
                members.extend_from_slice(own);
            }
            lines.lines(&mut block, &mut fast, &nodes, &members);
            block.pass_on(&mut fast);
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        })
        .size_max(16 << 10);
    }
}
