//! Verdicts of selections hold for one stream, and deferred records come back as they were.

use heap_base::Result;
use heap_record::{
    Edge, EdgeBatch, Extension, Metadata, Node, NodeBatch, Sink, SnapshotSelector, Str, Wants, read,
};

use super::{drive, selection};
use crate::sum::{By, Sum};
use heap_ops::graph::GraphLoader;
use heap_ops::select::{Content, Selection, Selector};
use heap_ops::stream::{Deferred, TakeDeferred};

const VERSION: &str = r#"{"type":"metadata","key":"version_major","value":"1"}"#;

fn string(id: u32, data: &str) -> String {
    format!(r#"{{"type":"string","stringid":{id},"data":"{data}"}}"#)
}

fn node(number: u32, class: u32, more: &str) -> String {
    let id = 2 * number + 1;
    format!(r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":8,"class":{class}{more}}}}}"#)
}

/// Notes of each node whether it is selected; `None` if it is not ready to be judged.
struct Verdicts {
    selector: Selector,
    verdicts: Vec<Option<bool>>,
}

impl Sink for Verdicts {
    fn wants(&self) -> Wants {
        Wants { any_order: true, ..Wants::ALL }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.selector.metadata(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.selector.string(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| {
            let ready = self.selector.ready(node);
            self.verdicts.push(if ready { Some(self.selector.selects(node)?) } else { None });
            Ok(())
        })
    }

    fn edges(&mut self, _: &EdgeBatch<'_>) -> Result {
        Ok(())
    }
}

/// The same class id is another class in the next stream, whether or not that declares anything.
#[test]
fn a_verdict_does_not_outlive_its_stream() {
    let stream = |class: &str| {
        [VERSION.to_owned(), node(0, 1, ""), string(1, class), node(1, 1, ""), node(2, 1, "")].join("\n")
            + "\n"
    };
    let selector = Selector::new(selection(&[("type", "A")]));
    let mut verdicts = Verdicts { selector, verdicts: Vec::new() };
    drive(&(stream("A") + &stream("B") + &stream("A")), &mut verdicts);
    let expected =
        [[None, Some(true), Some(true)], [None, Some(false), Some(false)], [None, Some(true), Some(true)]];
    assert_eq!(verdicts.verdicts, expected.concat());
}

/// Defers all it gets.
#[derive(Default)]
struct DeferAll {
    deferred: Deferred,
    nodes: u32,
}

impl Sink for DeferAll {
    fn wants(&self) -> Wants {
        Wants::ALL
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| {
            self.nodes += 1;
            self.deferred.node(node, 2 * self.nodes)
        })
    }
    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        batch.try_for_each(|edge| self.deferred.edge(edge))
    }
    fn extension(&mut self, record: &Extension<'_>) -> Result {
        self.deferred.extension(record)
    }
}

/// Notes what is delivered: class, number and length of the rest of nodes, sources of edges, bodies of extensions.
#[derive(Debug, Default)]
struct Delivered {
    nodes: Vec<(i64, Option<i64>, u32, usize)>,
    others: Vec<String>,
}

impl TakeDeferred for Delivered {
    fn deferred_node(&mut self, node: &Node<'_>, number: u32) -> Result {
        assert!(self.others.is_empty(), "nodes come first");
        self.nodes.push((node.id, node.heap.class, number, node.heap.rest.len()));
        Ok(())
    }
    fn deferred_edge(&mut self, edge: &Edge<'_>) -> Result {
        self.others.push(edge.source.to_string());
        Ok(())
    }
    fn deferred_extension(&mut self, record: &Extension<'_>) -> Result {
        self.others.push(record.kind.to_owned());
        Ok(())
    }
}

/// More than memory takes: part of it comes back from a file.
#[test]
fn deferred_records_come_back_in_order() {
    let long = "x".repeat(1 << 10);
    let edge = |i: u32| format!(r#"{{"type":"edge","subtype":1,"source":{},"dest":1}}"#, 2 * i + 1);
    let line = |i: u32| match i % 10 {
        3 => edge(i),
        7 => r#"{"type":"x.y","a":1}"#.to_owned(),
        _ => node(i, i % 7, &format!(r#","note":"{long}""#)),
    };
    let text: String = (0..25_000).map(|i| line(i) + "\n").collect();
    let mut all = DeferAll::default();
    read::read(text.as_bytes(), SnapshotSelector::All, &mut all).expect("records");
    let mut delivered = Delivered::default();
    all.deferred.deliver(&mut delivered).expect("a file takes everything");
    let rest = format!(r#""note":"{long}""#).len();
    let nodes = (0..25_000u32).filter(|i| ![3, 7].contains(&(i % 10)));
    let nodes = nodes.zip(1..).map(|(i, nth)| (i64::from(2 * i + 1), Some(i64::from(i % 7)), 2 * nth, rest));
    assert_eq!(delivered.nodes, nodes.collect::<Vec<_>>());
    let others = (0..25_000u32).filter_map(|i| match i % 10 {
        3 => Some((2 * i + 1).to_string()),
        7 => Some("x.y".to_owned()),
        _ => None,
    });
    assert_eq!(delivered.others, others.collect::<Vec<_>>());
    let mut nothing = Delivered::default();
    Deferred::default().deliver(&mut nothing).expect("nothing");
    assert!(nothing.nodes.is_empty() && nothing.others.is_empty());
}

/// Each stream has its own deferred nodes, and what they retain counts in their own order.
#[test]
fn deferred_nodes_of_two_annotated_streams_are_kept_apart() {
    // A list whose last two nodes are of class A, which has no string before them.
    let stream = |n: u32| {
        let list = (0..n).map(|i| {
            let more = format!(
                r#","retained":{},"retained_from":{},"idom":{}"#,
                8 * (n - i),
                8 * i,
                (2 * i).max(2) - 1
            );
            node(i, if i + 2 < n { 6 } else { 5 }, &more)
        });
        let head = [VERSION.to_owned(), string(6, "B")].into_iter();
        head.chain(list).chain([string(5, "A")]).map(|line| line + "\n").collect::<String>()
    };
    let mut sum = Sum::new(vec![By::Class], selection(&[("type", "A")]));
    drive(&(stream(9) + &stream(3)), &mut sum);
    let rows = sum.report().rows();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(row.keys, [Some(Content::Text("A".to_owned()))]);
    assert_eq!((row.totals.count, row.totals.size, row.totals.retained), (4, 32, Some(32)));
}

/// A field is missing if no node has it, deferred ones included.
#[test]
fn fields_of_deferred_nodes_are_not_missing() {
    let declared = r#"{"type":"type","name":"node","fields":{"v8.text":"string"}}"#;
    let deferred = r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":8},"v8":{"text":1,"a":1}}"#;
    let text =
        [VERSION, declared, &node(1, 1, ""), deferred, &node(2, 1, ""), &string(1, "T"), &node(3, 1, "")]
            .map(|line| line.to_owned() + "\n")
            .concat();
    let missing = |selection: Selection| {
        let mut load = GraphLoader::new(selection.clone(), heap_graph::Keep::default(), false);
        drive(&text, &mut load);
        let spec = heap_ops::tree::TableSpec::default();
        let mut tree = heap_ops::tree::TreeLoader::new(spec, selection);
        drive(&text, &mut tree);
        let missing = load.missing().expect("judged");
        assert_eq!(tree.missing().expect("judged"), missing);
        (missing, load.build().expect("a graph").chosen)
    };
    assert_eq!(missing(selection(&[("where", "v8.a=1")])), (Vec::new(), vec![1]));
    let (warnings, chosen) = missing(selection(&[("where", "v8.b=1")]));
    assert_eq!((warnings, chosen), (vec!["no node has a field 'v8.b'".to_owned()], Vec::new()));
    // Deferred and other nodes together come in the order of their records.
    assert_eq!(missing(selection(&[("where", "heap.size=8")])).1, [0, 1, 2, 3]);
}

/// A pattern that no node matches is named, whatever the other conditions are; else that no node was selected.
#[test]
fn what_matches_nothing_is_named() {
    let text = [VERSION, &string(1, "A"), &node(1, 1, ""), &node(2, 1, "")]
        .map(|line| line.to_owned() + "\n")
        .concat();
    let unmatched = |flags: &[(&str, &str)]| {
        let selection = selection(flags);
        let mut sum = Sum::new(vec![By::Class], selection.clone());
        drive(&text, &mut sum);
        sum.finish(true).expect("finished");
        // Clones share what is known.
        assert_eq!(selection.unmatched(true), sum.selection().unmatched(true));
        selection.unmatched(true).unwrap_or_default()
    };
    assert_eq!(unmatched(&[("class", "A")]), "");
    assert_eq!(unmatched(&[("class", "B")]), "no node matches --class 'B'");
    assert_eq!(unmatched(&[("class", "A"), ("class", "B")]), "no node matches --class 'B'");
    assert_eq!(unmatched(&[("type", "B"), ("min-size", "1G")]), "no node matches --type 'B'");
    assert_eq!(unmatched(&[("id", "99"), ("name", "n")]), "no node matches --name 'n', --id '99'");
    assert_eq!(unmatched(&[("class", "A"), ("min-size", "1G")]), "no node meets all conditions");
    assert_eq!(unmatched(&[("min-size", "1G")]), "");
    assert_eq!(unmatched(&[("class", "B"), ("invert", "")]), "no node matches --class 'B'");
    assert_eq!(unmatched(&[]), "");
    // A condition that names a class, subtype or name is such a pattern, also where other conditions fail.
    assert_eq!(unmatched(&[("where", "class = A and size > 1G")]), "");
    assert_eq!(
        unmatched(&[("min-size", "1G"), ("where", "class in (A, B)")]),
        "no node matches --where 'class = B'"
    );
    assert_eq!(unmatched(&[("where", "class != B")]), "");
}

/// In a condition `class` is the column of reports, where a node without a class has its subtype in brackets.
#[test]
fn a_subtype_in_brackets_is_a_class_in_conditions() {
    let closure = r#"{"type":"node_type","nodetypeid":2,"name":"closure"}"#;
    let node_of_closure = r#"{"type":"node","subtype":2,"identifier":9,"heap":{"size":8}}"#;
    let text = [VERSION, closure, &string(1, "A"), &node(1, 1, ""), node_of_closure]
        .map(|line| line.to_owned() + "\n")
        .concat();
    let count = |condition: &str| {
        let mut sum = Sum::new(vec![By::Class], selection(&[("where", condition)]));
        drive(&text, &mut sum);
        sum.finish(true).expect("finished");
        sum.report().rows().iter().map(|row| row.totals.count).sum::<u64>()
    };
    for (condition, expected) in [
        ("class=(closure)", 1),
        ("class in ((closure), A)", 2),
        ("class != A", 1),
        ("not (class=(closure))", 1),
        ("class ~ '(c*'", 1),
        ("class =~ clos", 1),
        ("class = '(closure)' or class = A", 2),
        ("heap.class = '(closure)'", 0),
    ] {
        assert_eq!(count(condition), expected, "{condition}");
    }
}

/// Numbers that JSON lacks are texts in the stream, and numbers to conditions.
#[test]
fn fields_may_hold_what_json_lacks() {
    let node = |id: u32, x: &str| {
        format!(r#"{{"type":"node","subtype":1,"identifier":{id},"heap":{{"size":8}},"field":{{"x":{x}}}}}"#)
    };
    let numbers = ["1.5", "\"NaN\"", "\"Infinity\"", "\"-Infinity\""];
    let nodes = (0..).zip(numbers).map(|(at, x)| node(2 * at + 1, x) + "\n");
    let text = format!("{VERSION}\n{}", nodes.collect::<String>());
    for (condition, chosen) in [
        ("field.x < 0", vec![3]),
        ("field.x > 1", vec![0, 2]),
        ("field.x = NaN", vec![1]),
        ("field.x != 1.5", vec![1, 2, 3]),
    ] {
        let mut load =
            GraphLoader::new(selection(&[("where", condition)]), heap_graph::Keep::default(), false);
        drive(&text, &mut load);
        assert_eq!(load.missing().expect("judged"), Vec::<String>::new(), "{condition}");
        assert_eq!(load.build().expect("a graph").chosen, chosen, "{condition}");
    }
}
