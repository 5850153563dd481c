//! Plain edges and plain nodes, taken as such, against the integers that they are made of.

use std::fmt::Write as _;

use arbtest::arbitrary::{Result, Unstructured};
use heap_base::{Blob, Window};

use crate::layout::header::NodeFields;
use crate::layout::marks::Mark;
use crate::layout::types::{EdgeType, edge_types};
use crate::lex::edges::PlainEdges;
use crate::lex::nodes::PlainNodes;
use crate::lex::{Divide, Lexer, Section};
use crate::scan::Strings;

const WIDTH: usize = 6;
const NODES: u32 = 90_000_000;

/// Types and strings: every third string is a WeakMap entry.
fn names() -> (Vec<EdgeType>, Strings) {
    let types = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"];
    let pair = "\"1 / part of key (a @3) -> value (b @5) pair in WeakMap (table @7)\"";
    let strings: Vec<_> = (0..2000).map(|n| if n % 3 == 2 { pair } else { "\"a\"" }).collect();
    let blob = Blob::from_bytes((strings.join(",") + "]").as_bytes());
    let (strings, damage) = Strings::scan(&mut Window::new(&blob, 0)).expect("memory can be read");
    assert!(damage.is_none() && strings.count == 2000);
    (edge_types(&types.map(str::to_owned)), strings)
}

/// Records, as type, name and target, those of them that are taken as halves of WeakMap entries, how many came as plain
/// edges, and what stopped the list.
#[derive(Debug, PartialEq)]
struct Listed {
    records: Vec<(u64, u64, u64)>,
    pairs: Vec<usize>,
    plain: usize,
    stopped: Option<String>,
}

fn listed(text: &[u8], closed: bool, plain: Option<&PlainEdges<'_>>) -> Listed {
    let blob = Blob::from_bytes(text);
    let section = Section { name: "edges", start: 0, end: text.len() as u64, closed };
    let mut listed = Listed { records: Vec::new(), pairs: Vec::new(), plain: 0, stopped: None };
    Lexer::new(&blob, &section, 3)
        .edges(plain)
        .batches(true, |batch| {
            assert_eq!(batch.first, listed.records.len() as u64);
            listed.plain += batch.edges.len();
            if batch.edges.len() > 0 {
                assert_eq!(batch.records().len(), 0);
            }
            let (edges, pairs) = batch.edges.parts();
            listed.pairs.extend(pairs.iter().map(|&at| listed.records.len() + at as usize));
            for &mut edge in edges {
                let (kind, name, dest) = plain.expect("no other way to a run").fields(edge);
                listed.records.push((kind, name, u64::from(dest) * WIDTH as u64));
            }
            listed.records.extend(batch.records().map(|ints| (ints[0], ints[1], ints[2])));
            listed.stopped = batch.stopped(&section).map(|e| e.to_string());
            Ok(true)
        })
        .expect("memory can be read");
    listed
}

/// How many edges of `text` came as such: the records are the same as from integers alone, and those are plain that
/// the rules say.
fn compared((types, strings): &(Vec<EdgeType>, Strings), text: &[u8], closed: bool) -> usize {
    let plain = PlainEdges::new(types, strings, NODES, WIDTH);
    let (fast, slow) = (listed(text, closed, Some(&plain)), listed(text, closed, None));
    let shown = String::from_utf8_lossy(text);
    assert_eq!((&fast.records, &fast.stopped), (&slow.records, &slow.stopped), "{shown:?}");
    for &at in &fast.pairs {
        let (kind, name, _) = slow.records[at];
        assert!(kind == 3 && strings.marks.get(name) == Mark::Pair, "{shown:?}");
    }
    let internal = |&&(kind, name, _): &&(u64, u64, u64)| kind == 3 && strings.marks.get(name) == Mark::Pair;
    if fast.plain == slow.records.len() {
        assert_eq!(fast.pairs.len(), slow.records.iter().filter(internal).count(), "{shown:?}");
    }
    let divide = Divide::by(WIDTH);
    let good = |&&(kind, name, to): &&(u64, u64, u64)| {
        let index = kind == 1 || kind == 4;
        kind < 7
            && name < if index { 1 << 32 } else { 2000 }
            && divide.exact(to).is_some_and(|dest| dest < u64::from(NODES))
    };
    assert!(fast.plain <= slow.records.iter().filter(good).count(), "{shown:?}");
    fast.plain
}

/// Edges in the layouts that V8 writes, now and then with something odd in them.
fn edges(u: &mut Unstructured<'_>) -> Result<(String, bool)> {
    let newline = *u.choose(&["", "\n"])?;
    let odd = u.ratio(1, 2)?;
    let mut text = String::new();
    for i in 0..u.int_in_range(1..=200)? {
        if i > 0 {
            write!(text, "{newline},").expect("memory");
        }
        let mut number = |most: u64| -> Result<u64> {
            let bits = u.int_in_range(1..=64)?;
            Ok((u.arbitrary::<u64>()? >> (64 - bits)) % most)
        };
        let (most, limit) = if odd && number(20)? == 0 { (10, u64::MAX) } else { (7, NODES.into()) };
        let kind = number(most)?;
        let name = number(if kind == 1 || kind == 4 { 1 << 32 } else { 2000 }.max(limit >> 33))?;
        write!(text, "{kind},{name},{}", number(limit)?.wrapping_mul(WIDTH as u64)).expect("memory");
        if odd && u.ratio(1, 20)? {
            text +=
                u.choose(&["0", "-", "\n", ",", ",,", " ", "]", "x", ",1", ":", "\n,3", ",-3", ",1,2,3"])?;
        }
    }
    Ok((text, odd))
}

#[test]
fn plain_edges_are_those_that_their_integers_make() {
    let names = names();
    let (mut whole, mut parts) = (0, 0);
    super::random::often(400, |u| {
        let (text, odd) = edges(u)?;
        let plain = compared(&names, text.as_bytes(), u.arbitrary()?);
        whole += usize::from(!odd && plain > 30);
        parts += usize::from(odd && plain > 30);
        Ok(())
    });
    assert!(whole > 50 && parts > 20, "only {whole} and {parts} lists had many plain edges");
}

#[test]
fn any_byte_in_an_edge_is_seen() {
    let record = |n: u64| format!("{},{},{}", n % 7, n * n, n.pow(5) * WIDTH as u64);
    let names = names();
    let plain = (10..16).map(record).collect::<Vec<_>>();
    for separator in [",", "\n,"] {
        let plain = plain.join(separator);
        for at in 0..plain.len() {
            for byte in 0..=255 {
                let mut text = plain.clone().into_bytes();
                text[at] = byte;
                compared(&names, &text, true);
            }
        }
    }
}

#[test]
fn edges_that_are_cut_off_anywhere_keep_their_whole_records() {
    let record = |n: u64| format!("{},{},{}", n % 7, n * 9, n.pow(3) * WIDTH as u64);
    let text = (10..60).map(record).collect::<Vec<_>>().join("\n,");
    let names = names();
    let mut plain = 0;
    for end in 0..text.len() {
        for closed in [false, true] {
            plain += compared(&names, &text.as_bytes()[..end], closed);
        }
    }
    assert!(plain > 20_000, "{plain}");
}

/// Nodes as their first five integers, how many came as such, and what stopped the list.
fn nodes_listed(
    text: &[u8],
    width: usize,
    closed: bool,
    plain: Option<PlainNodes>,
) -> (Vec<[u64; 5]>, usize, Option<String>) {
    let blob = Blob::from_bytes(text);
    let section = Section { name: "nodes", start: 0, end: text.len() as u64, closed };
    let (mut nodes, mut taken, mut stopped) = (Vec::new(), 0, None);
    Lexer::new(&blob, &section, width)
        .nodes(plain)
        .batches(true, |batch| {
            assert_eq!(batch.first, nodes.len() as u64);
            taken += batch.nodes.len();
            assert!(batch.nodes.len() == 0 || batch.records().len() == 0);
            nodes.extend(batch.nodes.as_slice().iter().map(|r| [r.kind, r.name, r.id, r.size, r.edges]));
            nodes.extend(batch.records().map(|ints| [ints[0], ints[1], ints[2], ints[3], ints[4]]));
            stopped = batch.stopped(&section).map(|e| e.to_string());
            Ok(true)
        })
        .expect("memory can be read");
    (nodes, taken, stopped)
}

fn node_fields(width: usize) -> NodeFields {
    NodeFields {
        width,
        kind: 0,
        name: 1,
        id: 2,
        size: 3,
        edges: 4,
        trace: (width > 5).then_some(5),
        detachedness: (width > 6).then_some(6),
        others: Vec::new(),
    }
}

/// How many nodes of `text` came as such: the records are the same as from integers alone, and all others say 0 where
/// those must.
fn nodes_compared(text: &[u8], width: usize, closed: bool) -> usize {
    let plain = PlainNodes::new(&node_fields(width));
    assert!(plain.is_some());
    let (fast, taken, fast_stop) = nodes_listed(text, width, closed, plain);
    let (slow, none, slow_stop) = nodes_listed(text, width, closed, None);
    assert_eq!((fast, fast_stop, none), (slow, slow_stop, 0), "{:?}", String::from_utf8_lossy(text));
    taken
}

#[test]
fn plain_nodes_are_those_that_their_integers_make() {
    let (mut whole, mut parts) = (0, 0);
    super::random::often(400, |u| {
        let newline = *u.choose(&["", "\n"])?;
        let (odd, width) = (u.ratio(1, 2)?, u.int_in_range(5..=7)?);
        let mut text = String::new();
        for i in 0..u.int_in_range(1..=200)? {
            if i > 0 {
                write!(text, "{newline},").expect("memory");
            }
            let strange = odd && u.ratio(1, 20)?;
            let mut number =
                |bits: u32| -> Result<u64> { Ok(u.arbitrary::<u64>()? >> (64 - u.int_in_range(1..=bits)?)) };
            let bits = if strange { [64; 5] } else { [4, 20, 33, 24, 9] };
            let five =
                [number(bits[0])?, number(bits[1])?, number(bits[2])?, number(bits[3])?, number(bits[4])?];
            let five = five.map(|n| n.to_string()).join(",");
            text += &five;
            for _ in 5..width {
                let zero = if strange { *u.choose(&["0", "1", "00", "-0", " 0"])? } else { "0" };
                write!(text, ",{zero}").expect("memory");
            }
            if odd && u.ratio(1, 20)? {
                text += u.choose(&["0", "-", "\n", ",", ",,", " ", "]", "x", ",1", ":", "\n,3", ",-3"])?;
            }
        }
        let taken = nodes_compared(text.as_bytes(), width, u.arbitrary()?);
        whole += usize::from(!odd && taken > 30);
        parts += usize::from(odd && taken > 30);
        Ok(())
    });
    assert!(whole > 50 && parts > 20, "only {whole} and {parts} lists had many plain nodes");
}

#[test]
fn any_byte_in_a_node_is_seen() {
    for (width, zeros) in [(5, ""), (6, ",0"), (7, ",0,0")] {
        let record = |n: u64| format!("{n},{},{},{},{}{zeros}", n * n, n.pow(7), n * 8, n / 3);
        for separator in [",", "\n,"] {
            let plain = (8..14).map(record).collect::<Vec<_>>().join(separator);
            for at in 0..plain.len() {
                for byte in 0..=255 {
                    let mut text = plain.clone().into_bytes();
                    text[at] = byte;
                    nodes_compared(&text, width, true);
                }
                nodes_compared(&plain.as_bytes()[..at], width, false);
            }
        }
    }
}
