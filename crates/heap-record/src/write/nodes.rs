//! Node lines of the usual shape: subtype, identifier, perhaps fields of its own, size, and class or name.
//!
//! Put together in place like edge lines. [`node_line`](super::node_line) is the obvious twin, and takes every other
//! shape.

use std::slice::from_ref;

use super::block::{Block, PAD, brief, digits, put, put_digits, put_int};
use super::node_line;
use crate::batch::PlainNode;
use crate::model::{Heap, Node};

/// Room for a line: 42 bytes before the identifier, three numbers of up to 21, own members, keys, LF, and slack.
const ROOM: usize = 512 + PAD;

/// Room for the beginning, up to the identifier.
const START: usize = 56;

/// The most bytes of own members.
const OWN: usize = 64;

/// Most own members are no longer than this, and are copied with what follows them.
const SHORT: usize = 32;

/// What follows the identifier and the own fields, up to the size.
const HEAP: &[u8; 16] = b",\"heap\":{\"size\":";

/// Keys with the sign of their number and slack, and their lengths.
const CLASS: (&[u8; 16], usize) = (b",\"class\":-      ", 9);
const NAME: (&[u8; 16], usize) = (b",\"name\":-       ", 8);

/// Writes node lines.
#[derive(Debug)]
pub(super) struct NodeLines {
    /// `{"type":"node","subtype":3,"identifier":` and its length, by subtype, for the small numbers of real streams.
    starts: Vec<([u8; START], usize)>,
}

impl NodeLines {
    pub(super) fn new() -> Self {
        let start = |subtype: u32| {
            let text = format!("{{\"type\":\"node\",\"subtype\":{subtype},\"identifier\":-");
            let mut start = [b' '; START];
            start[..text.len()].copy_from_slice(text.as_bytes());
            (start, text.len() - 1)
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
            text: false,
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
            let (mut nodes, mut own) = (from_ref(&plain), node.own);
            while !nodes.is_empty() {
                (nodes, own) = self.lines(block, buf, nodes, own);
                if !nodes.is_empty() {
                    block.pass_on(buf);
                }
            }
        }
    }

    /// Appends lines of `nodes`, of which `own` are the own members, one after another: not all, if there is no room left
    /// in the block. Gives those that are left, and their own members.
    #[inline]
    pub(super) fn lines<'a, 'b>(
        &self,
        block: &mut Block,
        buf: &mut Vec<u8>,
        nodes: &'a [PlainNode],
        own: &'b [u8],
    ) -> (&'a [PlainNode], &'b [u8]) {
        let (nodes, own) = self.usual(block, nodes, own);
        let Some((node, rest)) = nodes.split_first().filter(|_| block.has_room::<ROOM>()) else {
            return (nodes, own);
        };
        block.pass_on(buf);
        let (members, behind) = own.split_at_checked(node.own).unwrap_or((own, b""));
        node_line(buf, &node.with(members));
        buf.push(b'\n');
        (rest, behind)
    }

    /// Writes the lines of nodes up to the first of a shape that is not usual; gives those that are left, and their own
    /// members.
    #[inline]
    fn usual<'a, 'b>(
        &self,
        block: &mut Block,
        nodes: &'a [PlainNode],
        mut own: &'b [u8],
    ) -> (&'a [PlainNode], &'b [u8]) {
        let nodes = block.fill::<ROOM, _>(nodes, |line, node| {
            let (start, length) = self.starts.get(node.subtype as usize)?;
            let [size, string] = digits([brief(node.size)?, brief(node.string.unsigned_abs())?]);
            put::<_, 48>(line, 0, start.first_chunk()?);
            let mut end = put_int(line, length % 64, node.id);
            if node.own > 0 {
                let (members, rest) = own.split_at_checked(node.own)?;
                put(line, end, b",");
                match own.first_chunk::<SHORT>() {
                    Some(first) if members.len() <= SHORT => put(line, end + 1, first),
                    _ if members.len() <= OWN => put_members(line, end + 1, members),
                    _ => return None,
                }
                end += 1 + members.len();
                own = rest;
            }
            // Nowhere near, which spares what follows the checks that it is in bounds.
            end %= 256;
            put(line, end, HEAP);
            let end = put_digits(line, end + HEAP.len(), false, size);
            let (key, length) = if node.class { CLASS } else { NAME };
            put(line, end, key);
            let end = put_digits(line, end + length, node.string < 0, string);
            put(line, end, b"}}\n");
            Some(end + 3)
        });
        (nodes, own)
    }
}

/// Writes own members that are long, or the last of a run.
#[inline(never)]
fn put_members(line: &mut [u8; ROOM], at: usize, members: &[u8]) {
    line[at..][..members.len()].copy_from_slice(members);
}

/// Whether a node is none of the usual shape.
#[inline]
fn further(node: &Node<'_>) -> bool {
    let Heap { size, class, name, external, count, retained, retained_from, idom, distance, reachable, rest } =
        node.heap;
    let more = external.is_some()
        || count.is_some()
        || retained.is_some()
        || retained_from.is_some()
        || idom.is_some()
        || distance.is_some()
        || reachable.is_some();
    let usual = size.is_some() && class.is_some() != name.is_some();
    more || !usual || !rest.is_empty() || !node.rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::block::tests::number;
    use super::*;

    #[test]
    fn lines_are_those_of_the_twin() {
        arbtest::arbtest(|u| {
            let (mut lines, mut block) = (NodeLines::new(), Block::new());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            for _ in 0..30 {
                let mut maybe = |often: u8| -> arbitrary::Result<Option<i64>> {
                    if u.ratio(often, 10)? { number(u).map(Some) } else { Ok(None) }
                };
                let heap = Heap {
                    size: maybe(9)?.map(|n| n as u64),
                    class: maybe(5)?,
                    name: maybe(5)?,
                    external: maybe(1)?.map(|n| n as u64),
                    count: maybe(1)?.map(|n| n as u64),
                    retained: maybe(1)?.map(|n| n as u64),
                    retained_from: maybe(1)?.map(|n| n as u64),
                    idom: maybe(1)?,
                    distance: maybe(1)?,
                    reachable: maybe(1)?.map(|n| n > 0),
                    ..Heap::default()
                };
                let node = Node {
                    subtype: u.int_in_range(0..=70)?,
                    id: number(u)?,
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
            let (lines, mut block) = (NodeLines::new(), Block::new());
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let (mut nodes, mut members) = (Vec::new(), Vec::new());
            for _ in 0..u.int_in_range(0..=200)? {
                let own: &[u8] = match u.int_in_range(0..=5)? {
                    0 => b"\"s1\":5,\"s2\":-70000000000",
                    1 => b"\"data\":5",
                    2 => b"\"first\":1234567,\"second\":1234567,\"third\":1234567,\"fourth\":1234567",
                    3 => &[b'x'; 65][..u.int_in_range(1..=65)?],
                    _ => b"",
                };
                let node = PlainNode {
                    subtype: u.int_in_range(0..=70)?,
                    own: own.len(),
                    id: number(u)?,
                    size: number(u)? as u64,
                    class: u.arbitrary()?,
                    text: false,
                    string: number(u)?,
                };
                node_line(&mut slow, &node.with(own));
                slow.push(b'\n');
                nodes.push(node);
                members.extend_from_slice(own);
            }
            let (mut rest, mut own) = (nodes.as_slice(), members.as_slice());
            while !rest.is_empty() {
                (rest, own) = lines.lines(&mut block, &mut fast, rest, own);
                if !block.has_room::<ROOM>() {
                    block.pass_on(&mut fast);
                }
            }
            block.pass_on(&mut fast);
            assert_eq!(String::from_utf8_lossy(&fast), String::from_utf8_lossy(&slow));
            Ok(())
        })
        .size_max(16 << 10);
    }
}
