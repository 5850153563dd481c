//! heap-view: nothing is lost on the way from a graph to cells, and its tables are those of the other tools.

use std::collections::BTreeSet;

use arbitrary::Unstructured;
use heap_record::{Sink, SnapshotSelector, read};
use serde_json::{Value as Json, json};

use super::graph::{load, rooted};
use super::{HEAD, NAMES, drive, shuffle, text};
use crate::path::{MergeBy, merged};
use crate::strings::DuplicateStrings;
use crate::sum::{RetainedSum, Sum};
use crate::suspects::{Limits, loader, suspects};
use crate::view::{CellKind, Extent, HeapView, Shape, ViewLoader};
use heap_ops::graph::Written;
use heap_ops::select::{Content, Selection};

const ALL: Shape = Shape { cells: 1000, children: 100, depth: 100, grain: u64::MAX };

fn extent(shape: Shape) -> Extent {
    Extent { shape, classes: 1000, strings: 1000, picture: false }
}

fn view(text: &str, extent: Extent) -> HeapView {
    let mut load = ViewLoader::new(extent);
    read::read(text.as_bytes(), SnapshotSelector::All, &mut load).expect("a sound stream");
    load.finish().and_then(|loaded| loaded.build(extent, &[])).expect("a sound graph")
}

fn shape(u: &mut Unstructured<'_>) -> arbitrary::Result<Shape> {
    Ok(Shape {
        cells: u.int_in_range(1..=12)?,
        children: u.int_in_range(1..=4)?,
        depth: u.int_in_range(0..=5)?,
        grain: u.int_in_range(1..=60)?,
    })
}

/// Runs `property` on inputs that are the same every time.
fn check(mut property: impl FnMut(&mut Unstructured<'_>) -> arbitrary::Result<()>) {
    for seed in 0..300u64 {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let bytes: Vec<u8> = (0..800)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 24) as u8
            })
            .collect();
        property(&mut Unstructured::new(&bytes)).expect("enough bytes");
    }
}

/// A stream of objects most of which an earlier one refers to.
fn grown(u: &mut Unstructured<'_>) -> arbitrary::Result<String> {
    let mut lines: Vec<Json> = Vec::new();
    for (id, name) in NAMES.iter().enumerate() {
        lines.push(json!({"type":"string","stringid":id,"data":name}));
    }
    let n = u.int_in_range(1..=40i64)?;
    for i in 0..n {
        let (size, class) = (u.int_in_range(0..=40)?, u.int_in_range(0..=3)?);
        lines.push(json!({"type":"node","subtype":4,"identifier":2*i+1,"heap":{"size":size,"class":class}}));
    }
    for i in 1..n {
        for _ in 0..u.int_in_range(0..=4)?.min(2) {
            let source = u.int_in_range(0..=i - 1)?;
            lines.push(json!({"type":"edge","subtype":3,"source":2*source+1,"dest":2*i+1,"label":1}));
        }
    }
    let root = r#"{"type":"metadata","key":"heap.root","value":"1"}"#;
    Ok(text(&lines).replacen(HEAD[1], &format!("{}\n{root}", HEAD[1]), 1))
}

#[test]
fn bytes_of_cells_add_up_to_those_of_the_heap() {
    let (mut closed, mut others) = (0, 0);
    check(|u| {
        let text = grown(u)?;
        let view = view(&text, extent(shape(u)?));
        let tree = &view.tree;
        for (cell, below) in tree.cells.iter().zip(tree.children()) {
            let sum: u64 = below.iter().map(|&child| tree.cells[child as usize].size).sum();
            if cell.closed {
                closed += 1;
                assert!(below.is_empty() && cell.own <= cell.size, "{cell:?}");
            } else {
                assert_eq!(cell.size, cell.own + sum, "{cell:?} in {text}");
            }
            if cell.kind == CellKind::Other {
                others += 1;
                assert!(cell.count > 0 && tree.name(cell) == "<other>");
            }
        }
        let unreached = view.totals.unreached;
        let apart = if unreached.share.is_some() { 0 } else { unreached.size };
        assert_eq!(tree.cells[0].size + apart, view.totals.size, "{text}");
        Ok(())
    });
    assert!(closed > 100 && others > 20, "{closed} closed, {others} others");
}

#[test]
fn an_unbounded_tree_counts_every_object_once() {
    check(|u| {
        let text = grown(u)?;
        let view = view(&text, extent(ALL));
        // Objects without bytes have no cells.
        let bytes: u64 = view.tree.cells.iter().map(|cell| cell.own).sum();
        assert_eq!(bytes, view.tree.cells[0].size);
        assert!(view.tree.cells.iter().all(|cell| cell.kind == CellKind::Named));
        Ok(())
    });
}

#[test]
fn tables_are_those_of_the_other_tools() {
    arbtest::arbtest(|u| {
        let (mut lines, _) = rooted(u)?;
        if u.arbitrary()? {
            // Some texts may be cut, and have no length that says so.
            lines.insert(0, json!({"type":"metadata","key":"heap.string_limit","value":"3"}));
            for members in lines.iter_mut().filter_map(|line| line.as_object_mut()) {
                if u.arbitrary()? {
                    members.remove("length");
                }
            }
        }
        if u.ratio(1, 3)? {
            shuffle(u, &mut lines)?;
        }
        let text = text(&lines);
        let view = view(&text, extent(ALL));

        let mut sum = RetainedSum::new(Sum::new(Vec::new(), Selection::default()), None);
        read::read(text.as_bytes(), SnapshotSelector::All, &mut sum).expect("a sound stream");
        let mut sum = sum.build().expect("a sound graph");
        sum.finish(true).expect("memory takes everything");
        let wanted: BTreeSet<_> = sum
            .report()
            .rows()
            .iter()
            .map(|row| {
                let Some(Content::Text(class)) = &row.keys[0] else { panic!("no class: {row:?}") };
                (class.clone(), row.totals.count, row.totals.size, row.totals.retained)
            })
            .collect();
        let rows = view.classes.rows.iter();
        let found: BTreeSet<_> = rows.map(|r| (r.class.clone(), r.count, r.size, r.retained)).collect();
        assert_eq!(found, wanted, "{text}");

        let mut strings = DuplicateStrings::new(Selection::default(), 2);
        drive(&text, &mut strings);
        let key = |row: &crate::strings::DuplicateString| format!("{row:?}");
        let wanted: BTreeSet<_> = strings.report().rows().iter().map(key).collect();
        assert_eq!(view.strings.rows.iter().map(key).collect::<BTreeSet<_>>(), wanted);

        let mut load = loader();
        read::read(text.as_bytes(), SnapshotSelector::All, &mut load).expect("a sound stream");
        let (loaded, clues) = load.build().expect("a sound graph");
        let wanted = suspects(loaded, &clues, &[], Limits::default()).expect("strings in memory").suspects;
        assert_eq!(format!("{:?}", view.findings.suspects), format!("{wanted:?}"));
        Ok(())
    });
}

#[test]
fn labels_that_were_put_aside_are_the_same() {
    arbtest::arbtest(|u| {
        let (_, text) = rooted(u)?;
        let mut kept = load(&text, Selection::default(), true);
        let mut aside = load(&text, Selection::default(), true);
        let written = Written::of(&aside.heap.graph).expect("room for a file");
        let (graph, edges) = aside.lend(written);
        for edge in 0..kept.heap.graph.edges() {
            assert_eq!(aside.label(edge).expect("a file"), kept.label(edge).expect("memory"));
            assert_eq!(aside.kind(edge).expect("a file"), kept.kind(edge).expect("memory"));
        }
        aside.take_back(edges.read().expect("a file"));
        for edge in 0..kept.heap.graph.edges() {
            assert_eq!(aside.heap.graph.link(edge), kept.heap.graph.link(edge));
            assert_eq!(graph.link(edge), kept.heap.graph.link(edge));
        }
        (kept.chosen, aside.chosen) = ((0..graph.nodes()).collect(), (0..graph.nodes()).collect());
        let paths = |loaded| format!("{:?}", merged(loaded, &[], MergeBy::Label).expect("a file"));
        assert_eq!(paths(&aside), paths(&kept));
        Ok(())
    });
}

#[test]
fn what_has_no_row_is_counted() {
    arbtest::arbtest(|u| {
        let (_, text) = rooted(u)?;
        let all = view(&text, extent(ALL));
        let few = view(&text, Extent { classes: 1, strings: 1, ..extent(ALL) });
        let classes = all.classes.rows.len() as u64;
        assert_eq!(few.classes.rows.len() as u64 + few.classes.others, classes);
        let size = |view: &HeapView| {
            view.classes.rows.iter().map(|row| row.size).sum::<u64>() + view.classes.rest.size
        };
        assert_eq!((size(&few), size(&all)), (all.totals.size, all.totals.size));
        let wasted = |view: &HeapView| {
            view.strings.rows.iter().map(|row| row.wasted).sum::<u64>() + view.strings.others_wasted
        };
        assert_eq!(wasted(&few), wasted(&all));
        Ok(())
    });
}

#[test]
fn a_long_list_is_a_few_cells() {
    let mut lines = vec![r#"{"type":"string","stringid":0,"data":"Link"}"#.to_owned()];
    for i in 0..5000 {
        let id = 2 * i + 1;
        lines.push(format!(
            r#"{{"type":"node","subtype":4,"identifier":{id},"heap":{{"size":10,"class":0}}}}"#
        ));
        if i > 0 {
            lines.push(format!(r#"{{"type":"edge","subtype":3,"source":{},"dest":{id}}}"#, id - 2));
        }
    }
    let head = text(&[]) + r#"{"type":"metadata","key":"heap.root","value":"1"}"# + "\n";
    let view = view(&(head + &lines.join("\n") + "\n"), extent(ALL));
    assert_eq!(view.tree.cells[0].size, 50_000);
    assert!(view.tree.cells.len() < 10, "{}", view.tree.cells.len());
    let deepest = view.tree.cells.iter().map(|cell| cell.depth).max();
    assert!(deepest < Some(9), "{deepest:?}");
}
