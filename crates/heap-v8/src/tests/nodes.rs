//! The survey of nodes by two threads is the survey by one.

use std::fmt::Write;

use arbtest::arbitrary::{self, Unstructured};
use heap_base::{Blob, WorkQueue};

use crate::ints::Section;
use crate::nodes::{Ask, Keep, KeepNodes, Nodes};
use crate::scan::Scan;
use crate::text::Strings;

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
fn told(nodes: &Nodes) -> String {
    let Nodes { count, edges, root_edges, synthetic, dom_trees, slots, types, classes, .. } = nodes;
    let ids: Vec<_> = nodes.ids().collect();
    let sources: Vec<_> = nodes.sources().collect();
    let columns = nodes.columns.as_ref().map(|columns| columns.iter().collect::<Vec<_>>());
    let sets = [Some(synthetic), Some(dom_trees), classes.as_ref()]
        .map(|set| set.map(|s| s.iter().collect::<Vec<_>>()));
    let rule = nodes.possible_rule();
    let names: Vec<_> = (0..9).map(|limit| nodes.named_below(limit)).collect();
    format!(
        "{count} {edges} {root_edges:?} {slots} {types:?} {ids:?} {sources:?} {columns:?} {sets:?} {rule:?} {names:?}"
    )
}

#[test]
fn nodes_are_surveyed_in_parts_as_by_one_thread() {
    let (mut both, mut odd) = (0, 0);
    arbtest::arbtest(|u| {
        let text = snapshot(u)?;
        let blob = Blob::from_bytes(text.as_bytes());
        let scan = Scan::new(&blob, false, &mut |_, _, _| Ok(None)).expect("memory never fails");
        let (Some(header), Some(section)) = (&scan.header, scan.section("nodes")) else { return Ok(()) };
        let unknown = Strings::default();
        let strings = if u.arbitrary()? { &scan.strings } else { &unknown };
        let nodes = *u.choose(&[KeepNodes::No, KeepNodes::Columns, KeepNodes::Whole])?;
        let keep = Keep { edges: u.arbitrary()?, nodes, classes: u.arbitrary()? };
        let ask = Ask { blob: &blob, section, header, strings, keep };
        let mut alone = Nodes::survey_alone(ask).expect("memory never fails");
        let parts = ask.cut().expect("memory never fails");
        if parts.len() < 2 {
            return Ok(());
        }
        let (all, cut) = (parts.len(), u.int_in_range(1..=parts.len())?);
        let left = [&WorkQueue::new(1..cut), &WorkQueue::new(cut..all)];
        match Nodes::survey_parts(ask, &parts, left, || Ok(7)).expect("memory never fails") {
            (None, _) => odd += 1,
            (Some(mut halves), other) => {
                assert_eq!(other, 7);
                assert!(!alone.damaged, "{text}");
                assert_eq!(halves.name(&scan.strings), alone.name(&scan.strings), "{text}");
                assert_eq!(told(&halves), told(&alone), "{text}");
                both += 1;
            }
        }
        Ok(())
    })
    .size_min(4096)
    .budget_ms(2000);
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
    let scan = Scan::new(&blob, false, &mut |_, _, _| Ok(None)).expect("memory never fails");
    let header = scan.header.as_ref().expect("a header");
    let section: &Section = scan.section("nodes").expect("nodes");
    let keep = Keep { edges: true, nodes: KeepNodes::Columns, classes: false };
    let ask = Ask { blob: &blob, section, header, strings: &scan.strings, keep };
    let parts = ask.cut().expect("memory never fails");
    assert!(parts.len() > 10, "{}", parts.len());
    let left = [&WorkQueue::new(1..3), &WorkQueue::new(3..parts.len())];
    let (halves, ()) = Nodes::survey_parts(ask, &parts, left, || Ok(())).expect("memory never fails");
    let (nodes, ()) = Nodes::survey(ask, false, || Ok(())).expect("memory never fails");
    assert_eq!((nodes.count, nodes.damaged, halves.is_some()), (100, false, false));
}
