//! Two threads read nodes as one does.

use std::fmt::Write;

use arbtest::arbitrary::{self, Unstructured};
use heap_base::{Blob, WorkQueue};

use crate::layout::marks::Marks;
use crate::lex::Section;
use crate::nodes::{Keep, Nodes, Request};
use crate::scan::Scan;

/// A snapshot without edges, whose nodes say anything, and seldom something that is wrong.
fn snapshot(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let mut text = String::from(
        r#"{"snapshot":{"meta":{"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","sliced string"],"string","number","number","number","number","number"],"edge_fields":["type","name_or_index","to_node"],"edge_types":[["context","element"],"string_or_number","node"]},"#,
    );
    let root = u.choose(&[0, 7, 14, 420, 3])?;
    let _ = write!(text, "\"node_count\":50,\"edge_count\":0,\"root_index\":{root}}},\n\"nodes\":[");
    let odd = u.ratio(1, 2)?;
    let separator = *u.choose(&["\n,", "\n,", ","])?;
    for i in 0..u.int_in_range(30..=90)? {
        if i > 0 {
            text.push_str(separator);
        }
        let kind = if u.ratio(1, 8)? { u.int_in_range(0..=14)? } else { *u.choose(&[3, 5, 8, 9])? };
        let id = u.arbitrary::<u64>()? >> *u.choose(&[32, 32, 50, 60, if odd { 2 } else { 30 }])?;
        let size = u.arbitrary::<u64>()? >> *u.choose(&[60, 55, 45, 3])?;
        let edges = u.arbitrary::<u64>()? >> *u.choose(&[63, 61, 58, if odd { 0 } else { 40 }])?;
        let (trace, detached) = if u.ratio(1, 20)? { (i % 3, i % 2) } else { (0, 0) };
        let name = if odd && u.ratio(1, 60)? { "7777777777" } else { *u.choose(&["0", "1", "2", "3"])? };
        let _ = write!(text, "{kind},{name},{id},{size},{edges},{trace},{detached}");
        if odd && u.ratio(1, 60)? {
            text.push_str(u.choose(&["x", ",", ",5", "-", "]", " \n"])?);
        }
    }
    text +=
        "],\n\"edges\":[],\n\"strings\":[\"\",\"(Document DOM trees)\",\"system / NativeContext\",\"a\"]}";
    Ok(text)
}

/// All that is known of nodes.
fn known(nodes: &Nodes) -> String {
    let Nodes { count, edges, root_edges, slots, types, classes, columns, complete, .. } = nodes;
    let ids: Vec<_> = nodes.ids().collect();
    let sources: Vec<_> = nodes.sources().collect();
    let columns: Vec<_> = columns.iter().collect();
    let classes: Vec<_> = classes.iter().collect();
    let marks = Marks::default();
    let synthetic: Vec<_> = (0..*count).filter(|&i| nodes.synthetic(i, &marks).is_some()).collect();
    let rule = nodes.possible_rule();
    let names: Vec<_> = (0..9).map(|limit| nodes.named_below(limit)).collect();
    format!(
        "{count} {edges} {root_edges:?} {slots} {types:?} {ids:?} {sources:?} {columns:?} {complete} {classes:?} {synthetic:?} {rule:?} {names:?}"
    )
}

#[test]
fn two_threads_read_nodes_as_one_does() {
    let (mut both, mut odd) = (0, 0);
    // So many cases on any machine, the same in every run: random bits above, the number of bytes below.
    for i in 1..=1500u32 {
        let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 16384;
        arbtest::arbtest(|u| {
            let text = snapshot(u)?;
            let blob = Blob::from_bytes(text.as_bytes());
            let mut scan = Scan::to_edges(&blob).expect("memory never fails");
            let Ok(header) = scan.take_header() else { return Ok(()) };
            let section = &scan.section("nodes");
            let sources = u.arbitrary()?;
            let keep = Keep {
                sources,
                columns: sources || u.arbitrary()?,
                details: u.arbitrary()?,
                classes: u.arbitrary()?,
                sums: false,
            };
            let name_limit = *u.choose(&[3, u32::MAX.into()])?;
            let request = Request { blob: &blob, section, header: &header, keep, name_limit };
            let alone = Nodes::read_alone(request).expect("memory never fails");
            let pieces = request.cut().expect("memory never fails");
            if pieces.len() < 2 {
                return Ok(());
            }
            let (all, cut) = (pieces.len(), u.int_in_range(1..=pieces.len())?);
            let left = [&WorkQueue::new(1..cut), &WorkQueue::new(cut..all)];
            match Nodes::read_pieces(request, &pieces, left, || Ok(7)).expect("memory never fails") {
                (None, _) => odd += 1,
                (Some(nodes), other) => {
                    assert_eq!(other, 7);
                    assert!(alone.damage.is_none(), "{text}");
                    // The limits of what columns keep are those of pieces.
                    let complete = nodes.complete && alone.complete;
                    if complete || !keep.details {
                        assert_eq!(known(&nodes), known(&alone), "{text}");
                    }
                    both += 1;
                }
            }
            Ok(())
        })
        .seed(seed);
    }
    assert!(both > 100 && odd > 100, "{both} by two threads, {odd} by one only");
}

#[test]
fn a_list_is_cut_only_where_a_record_begins() {
    // Lines of ten integers, of which each record takes seven.
    let ints: Vec<_> = (0..700).map(|i| (i % 3).to_string()).collect();
    let text = ints.chunks(10).map(|line| line.join(",")).collect::<Vec<_>>().join("\n,");
    let snapshot = snapshot(&mut Unstructured::new(&[0; 64])).expect("enough");
    let (head, rest) = snapshot.split_once("\"nodes\":[").expect("nodes");
    let (_, rest) = rest.split_once(']').expect("their end");
    let text = format!("{head}\"nodes\":[{text}]{rest}");
    let blob = Blob::from_bytes(text.as_bytes());
    let mut scan = Scan::to_edges(&blob).expect("memory never fails");
    let header = scan.take_header().expect("a header");
    let section: &Section = &scan.section("nodes");
    let keep = Keep { sources: true, columns: true, details: false, classes: false, sums: false };
    let request = Request { blob: &blob, section, header: &header, keep, name_limit: 9 };
    let pieces = request.cut().expect("memory never fails");
    assert!(pieces.len() > 10, "{}", pieces.len());
    let left = [&WorkQueue::new(1..3), &WorkQueue::new(3..pieces.len())];
    let (halves, ()) = Nodes::read_pieces(request, &pieces, left, || Ok(())).expect("memory never fails");
    let (nodes, ()) = Nodes::read(request, false, || Ok(())).expect("memory never fails");
    assert_eq!((nodes.count, nodes.damage.is_none(), halves.is_some()), (100, true, false));
}
