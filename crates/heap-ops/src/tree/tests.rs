//! Trees against a slow twin, and the worked example of the heap dump proposal.
#![cfg(test)]
#![allow(clippy::format_push_string, reason = "tests build text; nobody waits for them")]

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result as Gen, Unstructured};
use heap_record::{
    Declared, Edge, EdgeBatch, Heap, Metadata, Node, NodeBatch, Retains, Sink, SnapshotSelector, index_id,
    read,
};

use super::{Axes, Axis, Cutoff, Line, Step, Table, TableSpec, TreeLoader, TreeOptions, View, walk};
use crate::select::Selection;

/// One allocation: where, of what type, bytes, objects.
type Row = (Vec<&'static str>, &'static str, u64, u64);
/// Path and type of a cell.
type Key = (Vec<String>, Option<String>);
type Cells = BTreeMap<Key, (u64, u64)>;

const FRAMES: &[&str] = &["a", "b", "c"];
const TYPES: &[&str] = &["T", "U", "V"];

/// The table of the proposal; sizes by type T, U, V, W.
const EXAMPLE: &[(&[&str], [u64; 4])] = &[
    (&[], [2, 3, 5, 7]),
    (&["BrMain"], [7, 11, 13, 2]),
    (&["BrMain", "Init"], [151, 5, 3, 83]),
    (&["BrMain", "MsgLp"], [307, 2, 281, 11]),
    (&["RdMain"], [3, 7, 17, 2]),
    (&["RdMain", "RTask"], [211, 3, 5, 337]),
    (&["RdMain", "FnA"], [2, 0, 7, 11]),
    (&["RdMain", "FnB"], [13, 3, 2, 5]),
    (&["ColdFn"], [2, 5, 7, 3]),
];

fn example() -> Vec<Row> {
    let mut rows = Vec::new();
    for (path, sizes) in EXAMPLE {
        for (ty, &size) in ["T", "U", "V", "W"].into_iter().zip(sizes).filter(|(_, size)| **size > 0) {
            rows.push((path.to_vec(), ty, size, 1));
        }
    }
    rows
}

/// A stream of frames and allocations. Every row has a stack of its own, as if frames differed by pointer.
fn frames(rows: &[Row]) -> String {
    let mut out = String::from(concat!(
        r#"{"type":"metadata","key":"version_major","value":"1"}"#,
        "\n",
        r#"{"type":"metadata","key":"heap.root","value":"1"}"#,
        "\n",
        r#"{"type":"node_type","nodetypeid":1,"name":"heap.root"}"#,
        "\n",
        r#"{"type":"node_type","nodetypeid":2,"name":"heap.frame"}"#,
        "\n",
        r#"{"type":"node_type","nodetypeid":3,"name":"heap.allocation"}"#,
        "\n",
        r#"{"type":"edge_type","edgetypeid":1,"name":"heap.calls"}"#,
        "\n",
        r#"{"type":"edge_type","edgetypeid":2,"name":"heap.allocated"}"#,
        "\n",
        r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":0}}"#,
        "\n",
    ));
    let mut next = 3;
    let mut edges = String::new();
    for (path, ty, size, count) in rows {
        let mut at = 1;
        for name in path {
            out += &format!(
                "{{\"type\":\"node\",\"subtype\":2,\"identifier\":{next},\"heap\":{{\"size\":0,\"name\":\"{name}\"}}}}\n"
            );
            edges += &format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{at},\"dest\":{next}}}\n");
            at = next;
            next += 2;
        }
        out += &format!(
            "{{\"type\":\"node\",\"subtype\":3,\"identifier\":{next},\"heap\":{{\"size\":{size},\"class\":\"{ty}\",\"count\":{count}}}}}\n"
        );
        edges += &format!("{{\"type\":\"edge\",\"subtype\":2,\"source\":{at},\"dest\":{next}}}\n");
        next += 2;
    }
    out + &edges
}

fn table(stream: &str, spec: TableSpec) -> Table {
    let mut load = TreeLoader::new(spec, Selection::default());
    read::read(stream.as_bytes(), SnapshotSelector::All, &mut load).expect("a sound stream");
    load.build().expect("a table")
}

const DEEP: u32 = 1000;

fn spec(axis: Axis, types: bool, selves: bool, cut: Cutoff) -> TableSpec {
    TableSpec { axis, types, selves, cut, depth: DEEP, labels: false, stacks: false }
}

fn view(types: bool, cut: Cutoff) -> View {
    View { cut, depth: DEEP, positions: true, types, once: true, others: false }
}

fn path(table: &Table, pos: u32) -> Vec<String> {
    let mut at = pos;
    let mut path = Vec::new();
    while let Some(parent) = table.parent(at) {
        path.insert(0, table.name(at).to_owned());
        at = parent;
    }
    path
}

fn lines(table: &Table, view: View) -> Vec<Line> {
    let mut lines = Vec::new();
    walk(table, view, |line| {
        lines.push(*line);
        Ok(true)
    })
    .expect("nothing fails here");
    lines
}

/// What is emitted; no cell twice.
fn entries(table: &Table, view: View) -> Cells {
    let mut cells = Cells::new();
    for line in lines(table, view) {
        let key = (path(table, line.pos), line.ty.map(|ty| table.type_name(ty).to_owned()));
        let before = cells.insert(key, (line.value.size, line.value.count().expect("all counts are known")));
        assert_eq!(before, None);
    }
    cells
}

/// The algorithm of the proposal word by word: all cumulative cells first, then the breaking down.
fn twin(rows: &[Row], types: bool, selves: bool, cut: Cutoff) -> Cells {
    let mut cells = Cells::new();
    let deeper = |path: &[&str]| rows.iter().any(|row| row.0.len() > path.len() && row.0.starts_with(path));
    for (path, ty, size, count) in rows {
        let mut full: Vec<String> = path.iter().map(ToString::to_string).collect();
        if selves && deeper(path) {
            full.push("<self>".to_owned());
        }
        for n in 0..=full.len() {
            for ty in [None, Some((*ty).to_owned())] {
                let cell = cells.entry((full[..n].to_vec(), ty)).or_default();
                *cell = (cell.0 + size, cell.1 + count);
            }
        }
    }
    let top: Key = (Vec::new(), None);
    cells.entry(top.clone()).or_default();
    let whole = cells[&top].0;
    let mut found = Cells::new();
    let mut open = vec![top];
    while let Some(key) = open.pop() {
        if found.insert(key.clone(), cells[&key]).is_some() {
            continue;
        }
        let children: Vec<&Key> = cells
            .keys()
            .filter(|k| k.0.len() == key.0.len() + 1 && k.0.starts_with(&key.0) && k.1 == key.1)
            .collect();
        let by_type: Vec<&Key> =
            cells.keys().filter(|k| types && key.1.is_none() && k.0 == key.0 && k.1.is_some()).collect();
        for mut list in [children, by_type] {
            list.sort_by_key(|k| std::cmp::Reverse(cells[k].0));
            let kept = cut.keep(whole, cells[&key].0, list.iter().map(|k| cells[*k].0));
            open.extend(list.into_iter().take(kept).cloned());
        }
    }
    found
}

#[test]
fn the_worked_example_has_its_entries() {
    let stream = frames(&example());
    let plain = table(&stream, spec(Axis::Frame, true, false, Cutoff::None));
    let selves = table(&stream, spec(Axis::Frame, true, true, Cutoff::None));
    let count = |table, cut| entries(table, view(true, cut)).len();
    let twenty: Vec<(u64, &str, &str)> = vec![
        (1538, "", "*"),
        (876, "BrMain", "*"),
        (628, "RdMain", "*"),
        (698, "", "T"),
        (340, "", "V"),
        (461, "", "W"),
        (242, "BrMain/Init", "*"),
        (601, "BrMain/MsgLp", "*"),
        (556, "RdMain/RTask", "*"),
        (465, "BrMain", "T"),
        (297, "BrMain", "V"),
        (96, "BrMain", "W"),
        (229, "RdMain", "T"),
        (355, "RdMain", "W"),
        (151, "BrMain/Init", "T"),
        (83, "BrMain/Init", "W"),
        (307, "BrMain/MsgLp", "T"),
        (281, "BrMain/MsgLp", "V"),
        (211, "RdMain/RTask", "T"),
        (337, "RdMain/RTask", "W"),
    ];
    let twenty: BTreeSet<(u64, String, String)> =
        twenty.into_iter().map(|(size, path, ty)| (size, path.to_owned(), ty.to_owned())).collect();
    assert_eq!(twenty.len(), 20);
    let rules = (40..=83)
        .map(Cutoff::Threshold)
        .chain((5..=8).flat_map(|n| [Cutoff::Ratio(1, n), Cutoff::Share(1, n)]));
    for cut in rules {
        for table in [&plain, &selves] {
            let found = entries(table, view(true, cut));
            let found: BTreeSet<_> = found
                .into_iter()
                .map(|((path, ty), (size, _))| (size, path.join("/"), ty.unwrap_or_else(|| "*".to_owned())))
                .collect();
            assert_eq!(found, twenty, "{cut:?}");
        }
    }
    for (cut, without, with) in [
        (Cutoff::Threshold(39), 21, 21),
        (Cutoff::Threshold(84), 19, 19),
        (Cutoff::Threshold(1024), 1, 1),
        (Cutoff::Ratio(1, 125), 44, 59),
        (Cutoff::None, 44, 59),
    ] {
        assert_eq!((count(&plain, cut), count(&selves, cut)), (without, with), "{cut:?}");
    }
}

#[test]
fn the_worked_example_has_its_others() {
    let table = table(&frames(&example()), spec(Axis::Frame, true, false, Cutoff::None));
    let view = View { once: false, others: true, ..view(true, Cutoff::Threshold(40)) };
    let mut others = BTreeMap::new();
    for line in lines(&table, view) {
        let by = match line.step {
            Step::OtherPositions => "frame",
            Step::OtherTypes => "type",
            _ => continue,
        };
        let ty = line.ty.map_or("*", |ty| table.type_name(ty));
        others.insert(format!("/{} {ty} by {by}", path(&table, line.pos).join("/")), line.value.size);
    }
    let expected = [
        ("/ * by frame", 34),
        ("/ * by type", 39),
        ("/ T by frame", 4),
        ("/ V by frame", 43),
        ("/ W by frame", 10),
        ("/BrMain * by frame", 33),
        ("/BrMain * by type", 18),
        ("/BrMain T by frame", 7),
        ("/BrMain V by frame", 16),
        ("/BrMain W by frame", 13),
        ("/BrMain/Init * by type", 8),
        ("/BrMain/MsgLp * by type", 13),
        ("/RdMain * by frame", 72),
        ("/RdMain * by type", 44),
        ("/RdMain T by frame", 18),
        ("/RdMain W by frame", 18),
        ("/RdMain/RTask * by type", 8),
    ];
    let expected: BTreeMap<_, _> = expected.into_iter().map(|(key, size)| (key.to_owned(), size)).collect();
    assert_eq!(others, expected);
}

fn rows(u: &mut Unstructured<'_>) -> Gen<Vec<Row>> {
    let mut rows = Vec::new();
    for _ in 0..u.int_in_range(0..=14)? {
        let mut path = Vec::new();
        for _ in 0..u.int_in_range(0..=4)? {
            path.push(*u.choose(FRAMES)?);
        }
        rows.push((path, *u.choose(TYPES)?, u.int_in_range(1..=60)?, u.int_in_range(1..=5)?));
    }
    Ok(rows)
}

fn cut(u: &mut Unstructured<'_>) -> Gen<Cutoff> {
    let under = u.int_in_range(2..=30)?;
    let over = u.int_in_range(1..=under)?;
    Ok(match u.int_in_range(0..=4)? {
        0 => Cutoff::None,
        1 => Cutoff::Threshold(u.int_in_range(0..=90)?),
        2 => Cutoff::Ratio(over, under),
        3 => Cutoff::Share(over, under),
        _ => Cutoff::Total(over, under),
    })
}

/// What is shown below a cell and what it leaves over make the cell, on every axis. Of one axis what is left over is shown
/// only if it passes the cut-off too.
fn conserves(table: &Table, view: View) {
    let view = View { once: false, others: true, ..view };
    let lines = lines(table, view);
    for (i, parent) in lines.iter().enumerate() {
        let below: Vec<_> = lines[i + 1..].iter().take_while(|line| line.indent > parent.indent).collect();
        for by_type in [false, true] {
            let of_axis = |line: &Line| matches!(line.step, Step::Type | Step::OtherTypes) == by_type;
            let parts: Vec<_> =
                below.iter().filter(|line| line.indent == parent.indent + 1 && of_axis(line)).collect();
            let sum = parts.iter().map(|line| line.value.size).sum::<u64>();
            let others =
                parts.iter().any(|line| matches!(line.step, Step::OtherPositions | Step::OtherTypes));
            if !parts.is_empty() && !view.types && !others {
                let (whole, rest) = (lines[0].value.size, parent.value.size - sum);
                assert!(rest == 0 || view.cut.keep(whole, parent.value.size, [rest]) == 0, "{rest}");
            } else if !parts.is_empty() {
                assert_eq!(sum, parent.value.size);
                let counts = parts.iter().map(|line| line.value.count());
                assert_eq!(counts.sum::<Option<u64>>(), parent.value.count());
            }
        }
    }
}

#[test]
fn backtraces_equal_the_twin() {
    arbtest::arbtest(|u| {
        let (rows, cut) = (rows(u)?, cut(u)?);
        let stream = frames(&rows);
        let selves = u.arbitrary()?;
        for types in [false, true] {
            let table = table(&stream, spec(Axis::Frame, types, selves, cut));
            assert_eq!(
                entries(&table, view(types, cut)),
                twin(&rows, types, selves, cut),
                "{rows:?} {cut:?}"
            );
            conserves(&table, view(types, cut));
        }
        Ok(())
    });
}

/// Objects in a tree, each held by the one before: the twin's paths are those of their classes.
fn objects(u: &mut Unstructured<'_>) -> Gen<(String, Vec<Row>)> {
    let mut out = String::from(concat!(
        r#"{"type":"metadata","key":"version_major","value":"1"}"#,
        "\n",
        r#"{"type":"metadata","key":"heap.root","value":"1"}"#,
        "\n",
        r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":5,"class":"T"}}"#,
        "\n",
    ));
    let mut rows: Vec<Row> = vec![(Vec::new(), "T", 5, 1)];
    for i in 1..=u.int_in_range(0..=25)? {
        let parent = u.int_in_range(0..=i - 1)?;
        let (ty, size) = (*u.choose(TYPES)?, u.int_in_range(1..=60)?);
        let mut path = rows[parent].0.clone();
        path.push(ty);
        rows.push((path, ty, size, 1));
        let (id, holder) = (2 * i + 1, 2 * parent + 1);
        // Edges before nodes now and then.
        out += &format!("{{\"type\":\"edge\",\"subtype\":1,\"source\":{holder},\"dest\":{id}}}\n");
        out += &format!(
            "{{\"type\":\"node\",\"subtype\":1,\"identifier\":{id},\"heap\":{{\"size\":{size},\"class\":\"{ty}\"}}}}\n"
        );
    }
    Ok((out, rows))
}

#[test]
fn dominators_equal_the_twin() {
    arbtest::arbtest(|u| {
        let (stream, rows) = objects(u)?;
        let cut = cut(u)?;
        let selves = u.arbitrary()?;
        for types in [false, true] {
            let table = table(&stream, spec(Axis::Dom, types, selves, cut));
            let found = entries(&table, view(types, cut));
            let mut expected = twin(&rows, types, selves, cut);
            // Where a threshold ends the tree the twin goes on, and both show the same.
            assert_eq!(found.keys().next(), expected.keys().next());
            assert_eq!(found, std::mem::take(&mut expected), "{rows:?} {cut:?}");
            conserves(&table, view(types, cut));
        }
        Ok(())
    });
}

#[test]
fn of_equal_children_a_cut_off_keeps_the_first_names() {
    let mut stream = String::from(concat!(
        r#"{"type":"metadata","key":"version_major","value":"1"}"#,
        "\n",
        r#"{"type":"metadata","key":"heap.root","value":"1"}"#,
        "\n",
        r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":0,"class":"T"}}"#,
        "\n",
    ));
    for (id, class) in [(3, "Z"), (5, "X"), (7, "Y")] {
        stream += &format!(
            "{{\"type\":\"node\",\"subtype\":1,\"identifier\":{id},\"heap\":{{\"size\":10,\"class\":\"{class}\"}}}}\n\
             {{\"type\":\"edge\",\"subtype\":1,\"source\":1,\"dest\":{id}}}\n"
        );
    }
    let cut = Cutoff::Ratio(1, 2);
    let table = table(&stream, spec(Axis::Dom, false, false, cut));
    let found: Vec<_> =
        entries(&table, view(false, cut)).into_keys().map(|(path, _)| path.join("/")).collect();
    assert_eq!(found, ["", "X", "Y"]);
}

/// A list of `n` objects, each held by the one before.
fn chain(n: u64, spec: TableSpec) -> Table {
    let mut load = TreeLoader::new(spec, Selection::default());
    load.metadata(&Metadata { key: "heap.root", value: "1", ..Metadata::default() }).expect("fits");
    load.declare(
        &Declared::Edge { id: 1, name: "next", retains: Retains::Yes, role: None, rest: b"" }.into(),
    )
    .expect("fits");
    for i in 0..n {
        let heap = Heap { size: Some(8), class: Some((i % 7) as i64), ..Heap::default() };
        let node = Node { id: index_id(i), heap, ..Node::default() };
        load.nodes(&NodeBatch::one(&node)).expect("fits");
    }
    for i in 1..n {
        let edge = Edge { subtype: 1, source: index_id(i - 1), dest: Some(index_id(i)), ..Edge::default() };
        load.edges(&EdgeBatch::one(&edge)).expect("fits");
    }
    load.build().expect("a table")
}

fn check_chain(n: u64) {
    for (axis, types, depth) in [(Axis::Dom, false, 20), (Axis::Dom, true, 20), (Axis::Dom, false, u32::MAX)]
    {
        let cut = Cutoff::Total(1, 100);
        let table =
            chain(n, TableSpec { axis, types, selves: true, cut, depth, labels: false, stacks: false });
        assert_eq!(table.all(0).size, n * 8);
        assert_eq!(table.all(0).count(), Some(n));
        let view = View { depth: depth.min(20), ..view(types, cut) };
        let shown = lines(&table, view).len();
        assert!(shown <= 21 * 8, "{shown} lines");
        if depth == u32::MAX {
            // All levels that hold one in a hundred, and what each has of its own.
            assert_eq!(u64::from(table.positions()), 2 * (n - n / 100 + 1));
        }
    }
}

#[test]
fn a_long_list_is_nothing_special() {
    check_chain(1_000_000);
}

#[test]
#[ignore = "a gigabyte of memory; .ci/run runs it"]
fn a_list_of_five_million_is_nothing_special() {
    check_chain(5_000_000);
}

#[test]
fn cuts_are_read() {
    let parse = |text| Cutoff::parse(text, |t| t.parse().ok());
    for (text, cut) in [
        ("none", Some(Cutoff::None)),
        ("threshold=40", Some(Cutoff::Threshold(40))),
        ("ratio=1/125", Some(Cutoff::Ratio(1, 125))),
        ("ratio=125", Some(Cutoff::Ratio(1, 125))),
        ("share=12.5%", Some(Cutoff::Share(125, 1000))),
        ("total=0.01", Some(Cutoff::Total(1, 100))),
        ("share=2", None),
        ("share=1/0", None),
        ("share=", None),
        ("share=-1", None),
        ("all", None),
        ("share=0.00000000000000000000000001", None),
    ] {
        assert_eq!(parse(text), cut, "{text}");
    }
}

#[test]
fn axes_are_read() {
    let axes = |axis, types| Some(Axes { axis, types });
    for (text, expected) in [
        ("dom", axes(Axis::Dom, false)),
        ("frame", axes(Axis::Frame, false)),
        ("class", axes(Axis::None, true)),
        ("dom,class", axes(Axis::Dom, true)),
        ("class,dom", axes(Axis::Dom, true)),
        ("frame,class", axes(Axis::Frame, true)),
        ("class,frame", axes(Axis::Frame, true)),
        ("dom,frame", None),
        ("class,class", None),
        ("dom,", None),
        ("Dom", None),
        ("", None),
    ] {
        assert_eq!(Axes::named(text), expected, "{text}");
    }
    assert_eq!(Some(Axes::default()), Axes::named("dom"));
}

#[test]
fn a_table_shows_less_and_names_what_it_leaves_out() {
    let options = TreeOptions::default();
    let (table, rows) = (options.plan(true).view, options.plan(false).view);
    assert_eq!((table.cut, table.depth, table.once, table.others), (Cutoff::Total(1, 100), 20, false, true));
    assert_eq!((rows.cut, rows.depth, rows.once, rows.others), (Cutoff::None, 200, true, false));
    // What is asked for holds in both.
    let options = TreeOptions { cut: Some(Cutoff::Threshold(7)), depth: Some(3), others: true, ..options };
    for view in [options.plan(true).view, options.plan(false).view] {
        assert_eq!((view.cut, view.depth, view.others), (Cutoff::Threshold(7), 3, true));
    }
}

#[test]
fn what_is_made_is_what_is_shown_and_a_level_more() {
    for axes in ["dom", "frame", "class", "dom,class", "frame,class"] {
        let axes = Axes::named(axes).expect("axes");
        for (depth, cut, selves) in [(None, None, false), (Some(0), Some(Cutoff::Share(1, 2)), true)] {
            let options = TreeOptions { axes, cut, depth, selves, ..TreeOptions::default() };
            let (plan, two) = (options.plan(false), axes.types && axes.axis != Axis::None);
            let (spec, view) = (plan.spec, plan.view);
            assert_eq!((spec.axis, spec.types, spec.cut), (axes.axis, axes.types, view.cut));
            assert_eq!((view.positions, view.types), (axes.axis != Axis::None, axes.types));
            assert_eq!(spec.depth, view.depth + 1);
            // Of types alone there is one level, and nothing beside it.
            assert_eq!(view.depth, if view.positions { depth.unwrap_or(200) } else { 0 });
            assert_eq!(spec.selves, view.positions && (selves || !two), "{axes:?} {selves}");
        }
    }
    let deepest = TreeOptions { depth: Some(u32::MAX), ..TreeOptions::default() }.plan(false);
    assert_eq!((deepest.view.depth, deepest.spec.depth), (u32::MAX, u32::MAX));
}

#[test]
fn a_default_depth_that_hides_levels_is_reported() {
    let too_deep = |options: TreeOptions, table| options.plan(table).too_deep();
    let none = TreeOptions::default();
    assert_eq!(
        too_deep(none, false).as_deref(),
        Some("there are more than 200 levels: --depth N shows more")
    );
    assert_eq!(too_deep(none, true), None);
    assert_eq!(too_deep(TreeOptions { others: true, ..none }, false), None);
    assert_eq!(too_deep(TreeOptions { depth: Some(200), ..none }, false), None);
}

#[test]
fn a_view_ends_where_something_is_deeper() {
    let rows: &[Row] = &[(vec!["a", "b", "c"], "T", 1, 1), (vec!["b"], "T", 2, 1)];
    let table = table(&frames(rows), spec(Axis::Frame, true, false, Cutoff::None));
    let ends = |depth| {
        let view = View { depth, others: true, ..view(true, Cutoff::None) };
        let lines = lines(&table, view);
        let ends: Vec<_> = lines.iter().filter(|line| view.ends_at(&table, line)).collect();
        assert!(ends.iter().all(|line| line.step == Step::Position));
        ends.into_iter().map(|line| path(&table, line.pos).join("/")).collect::<BTreeSet<_>>()
    };
    assert_eq!(ends(1), BTreeSet::from(["a".to_owned()]));
    assert_eq!(ends(2), BTreeSet::from(["a/b".to_owned()]));
    assert_eq!(ends(3), BTreeSet::new());
}

/// Frames that call each other in a circle, and one with two callers, lose no byte and end.
#[test]
fn strange_stacks_lose_nothing() {
    let mut stream = frames(&[(vec!["a"], "T", 1, 1), (vec!["b"], "T", 2, 1), (vec!["c"], "T", 4, 1)]);
    // Nodes 3, 7 and 11 are the frames.
    stream = stream.replace(r#""source":1,"dest":3}"#, r#""source":7,"dest":3}"#);
    stream = stream.replace(r#""source":1,"dest":7}"#, r#""source":3,"dest":7}"#);
    stream += "{\"type\":\"edge\",\"subtype\":1,\"source\":7,\"dest\":11}\n";
    let table = table(&stream, spec(Axis::Frame, true, true, Cutoff::None));
    assert_eq!(table.all(0).size, 7);
    conserves(&table, view(true, Cutoff::None));
}

/// Cumulative cells are taken as they are; a total that is left out is the least that it can be, and says so.
#[test]
fn cells_are_taken_as_they_are() {
    let cells = concat!(
        r#"{"type":"type","name":"chrome.cell","fields":{"frame":"value","class":"string","size":"integer"}}"#,
        "\n",
        r#"{"type":"chrome.cell","frame":3,"class":"T","size":70}"#,
        "\n",
        r#"{"type":"chrome.cell","frame":3,"size":90,"count":9}"#,
        "\n",
        r#"{"type":"chrome.cell","frame":7,"class":"U","size":5}"#,
        "\n",
    );
    // What the allocations say in such a dump is for others.
    let stream = frames(&[(vec!["a"], "T", 1, 1), (vec!["b"], "T", 2, 1)]) + cells;
    let table = table(&stream, spec(Axis::Frame, true, false, Cutoff::None));
    let found: BTreeSet<_> = lines(&table, view(true, Cutoff::None))
        .into_iter()
        .map(|line| {
            let ty = line.ty.map_or("*", |ty| table.type_name(ty));
            let bound = line.ty.is_none() && table.is_bound(line.pos);
            (path(&table, line.pos).join("/"), ty.to_owned(), line.value.size, line.value.count(), bound)
        })
        .collect();
    let expected = [
        ("", "*", 95, None, true),
        ("a", "*", 90, Some(9), false),
        ("a", "T", 70, None, false),
        ("b", "*", 5, None, true),
        ("b", "U", 5, None, false),
    ];
    let expected: BTreeSet<_> = expected.map(|(a, b, c, d, e)| (a.to_owned(), b.to_owned(), c, d, e)).into();
    assert_eq!(found, expected);
}

/// Four objects: two allocated by `f` below `main`, one by `main`, one at no known stack. `rest` are more records.
fn traced(rest: &str) -> String {
    let head = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"heap.stacks","value":"x.stack x.frame x.function"}
{"type":"type","name":"x.function","fields":{"name":"string","script_name":"string","line":"integer","column":"integer"}}
{"type":"node_type","nodetypeid":1,"name":"object"}
{"type":"x.function","name":"(root)"}
{"type":"x.function","name":"main","script_name":"a.js","line":3}
{"type":"x.function","name":"","script_name":"a.js"}
"#;
    let nodes = r#"
{"type":"node","subtype":1,"identifier":1,"heap":{"size":8,"class":"T"},"x":{"stack":3}}
{"type":"node","subtype":1,"identifier":3,"heap":{"size":16,"class":"U"},"x":{"stack":3}}
{"type":"node","subtype":1,"identifier":5,"heap":{"size":32,"class":"T"},"x":{"stack":2}}
{"type":"node","subtype":1,"identifier":7,"heap":{"size":64,"class":"T"}}
"#;
    format!("{head}{rest}{nodes}")
}

fn by_stack(rest: &str, types: bool) -> Vec<(String, u64, Option<u64>)> {
    let spec = TableSpec { axis: Axis::Frame, types, ..TableSpec::default() };
    let mut load = TreeLoader::new(spec, Selection::default());
    read::read(traced(rest).as_bytes(), SnapshotSelector::Last, &mut load).expect("a sound stream");
    let table = load.build().expect("there are stacks");
    assert_eq!(table.without_stack().size, 64);
    let row = |pos| (table.name(pos).to_owned(), table.all(pos).size, table.all(pos).count());
    (0..table.positions()).map(row).collect()
}

#[test]
fn objects_count_at_the_frames_that_allocated_them() {
    let frames = r#"{"type":"x.frame","id":1,"function":0}
{"type":"x.frame","id":2,"parent":1,"function":1}
{"type":"x.frame","id":3,"parent":2,"function":2}"#;
    let row = |name: &str, size, count| (name.to_owned(), size, Some(count));
    let rows = [row("(root)", 56, 3), row("main", 56, 3), row("(anonymous)", 24, 2)];
    assert_eq!(by_stack(frames, false), rows);
    assert_eq!(by_stack(frames, true), rows);
}

#[test]
fn frames_that_call_each_other_make_a_tree() {
    let circle = r#"{"type":"x.frame","id":2,"parent":3,"function":1}
{"type":"x.frame","id":3,"parent":2,"function":2}"#;
    let rows = by_stack(circle, false);
    assert_eq!((rows.len(), rows[0].1), (3, 56));
}
