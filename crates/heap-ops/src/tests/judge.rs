//! Verdicts hold as long as what they rest on, and nodes that were held back come back as they were.

use heap_base::Result;
use heap_record::{Metadata, Node, Sink, SnapshotSelector, Str, read};

use super::{drive, selection};
use crate::field::Content;
use crate::held::{Held, Numbered};
use crate::judge::Judge;
use crate::select::Selection;
use crate::sum::{By, Sum};
use crate::whole::load::Load;

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
    judge: Judge,
    told: Vec<Option<bool>>,
}

impl Sink for Verdicts {
    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        self.judge.metadata(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        self.judge.context.string(record)
    }

    fn node(&mut self, node: &Node<'_>) -> Result {
        let ready = self.judge.ready(node);
        self.told.push(if ready { Some(self.judge.selects(node)?) } else { None });
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
    let judge = Judge::new(selection(&[("type", "A")]));
    let mut verdicts = Verdicts { judge, told: Vec::new() };
    drive(&(stream("A") + &stream("B") + &stream("A")), &mut verdicts);
    let told =
        [[None, Some(true), Some(true)], [None, Some(false), Some(false)], [None, Some(true), Some(true)]];
    assert_eq!(verdicts.told, told.concat());
}

/// More than memory takes: part of it comes back from a file.
#[test]
fn what_is_held_back_comes_back_in_order() {
    struct Hold(Held, Numbered, u32);
    impl Sink for Hold {
        fn node(&mut self, node: &Node<'_>) -> Result {
            self.0.node(node)?;
            // Every other number.
            self.2 += 2;
            self.1.node(node, self.2)
        }
    }
    let long = "x".repeat(1 << 10);
    let text: String = (0..20_000).map(|i| node(i, i % 7, &format!(r#","note":"{long}""#)) + "\n").collect();
    let mut hold = Hold(Held::default(), Numbered::default(), 0);
    read::read(text.as_bytes(), SnapshotSelector::All, &mut hold).expect("records");
    let same = |node: &Node<'_>, i: u32| {
        let class = i64::from(i % 7);
        node.id == i64::from(2 * i + 1) && node.heap.class == Some(class) && node.heap.rest.len() > long.len()
    };
    let mut next = 0;
    hold.0
        .nodes(|node| {
            assert!(same(node, next), "node {next}: {node:?}");
            next += 1;
            Ok(())
        })
        .expect("a file takes everything");
    assert_eq!(next, 20_000);
    next = 0;
    hold.1
        .nodes(|node, number| {
            next += 1;
            assert!(same(node, next - 1) && number == 2 * next, "node {next}: {number}");
            Ok(())
        })
        .expect("a file takes everything");
    assert_eq!(next, 20_000);
    // Nothing comes of nothing.
    Held::default().nodes(|_| unreachable!()).expect("nothing");
    Numbered::default().nodes(|_, _| unreachable!()).expect("nothing");
}

/// Each stream has its own early nodes, and what they retain counts where they stand.
#[test]
fn early_nodes_of_two_annotated_streams_are_kept_apart() {
    // A list whose last two nodes are of class A, which has no string before them.
    let stream = |n: u32| {
        let list = (0..n).map(|i| {
            let more = format!(r#","retained":{},"idom":{}"#, 8 * (n - i), (2 * i).max(2) - 1);
            node(i, if i + 2 < n { 6 } else { 5 }, &more)
        });
        let head = [VERSION.to_owned(), string(6, "B")].into_iter();
        head.chain(list).chain([string(5, "A")]).map(|line| line + "\n").collect::<String>()
    };
    let mut sum = Sum::new(vec![By::Class], selection(&[("type", "A")]));
    drive(&(stream(9) + &stream(3)), &mut sum);
    let rows = sum.rows();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(row.keys, [Some(Content::Text("A".to_owned()))]);
    assert_eq!((row.totals.count, row.totals.size, row.totals.retained), (4, 32, Some(32)));
}

/// A field is missing if no node has it, those that waited for their strings included.
#[test]
fn fields_of_early_nodes_are_not_missing() {
    let declared = r#"{"type":"type","name":"node","fields":{"v8.text":"string"}}"#;
    let early = r#"{"type":"node","subtype":1,"identifier":1,"heap":{"size":8},"v8":{"text":1,"a":1}}"#;
    let text = [VERSION, declared, &node(1, 1, ""), early, &node(2, 1, ""), &string(1, "T"), &node(3, 1, "")]
        .map(|line| line.to_owned() + "\n")
        .concat();
    let missing = |selection: Selection| {
        let mut load = Load::new(selection.clone(), heap_graph::Keep::default(), false);
        drive(&text, &mut load);
        let shape = crate::tree::Shape::default();
        let mut tree = crate::tree::Load::new(shape, selection);
        drive(&text, &mut tree);
        let told = load.missing().expect("judged");
        assert_eq!(tree.missing().expect("judged"), told);
        (told, load.build().expect("a graph").chosen)
    };
    assert_eq!(missing(selection(&[("where", "v8.a=1")])), (Vec::new(), vec![1]));
    let (told, chosen) = missing(selection(&[("where", "v8.b=1")]));
    assert_eq!((told, chosen), (vec!["no node has a field 'v8.b'".to_owned()], Vec::new()));
    // Early and other nodes together come in the order of their records.
    assert_eq!(missing(selection(&[("where", "heap.size=8")])).1, [0, 1, 2, 3]);
}
