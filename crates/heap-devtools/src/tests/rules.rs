//! The rules one by one, on streams written by hand.

use std::collections::BTreeMap;

use heap_base::error::Kind;
use heap_record::SnapshotSelector;

use crate::{ComparisonRow, NO_DISTANCE, View, compare};

const HEAD: &str = r#"{"type":"metadata","key":"version_major","value":"1"}
{"type":"metadata","key":"target_source","value":"v8.heapsnapshot"}
{"type":"metadata","key":"heap.identifier","value":"v8"}
{"type":"metadata","key":"heap.root","value":"1"}
{"type":"metadata","key":"heap.user_root","value":"3"}
{"type":"metadata","key":"heap.unreachable","value":"root"}
"#;

/// A stream with names in place of numbers, as heap-names writes it.
#[derive(Default)]
struct Heap {
    lines: Vec<String>,
}

impl Heap {
    fn new() -> Self {
        let mut heap = Self::default();
        heap.node(1, "v8.synthetic", "", 0);
        heap.node(3, "object", "Window", 10);
        heap.edge(1, "v8.shortcut", "1", 3);
        heap
    }

    fn node(&mut self, id: i64, subtype: &str, class: &str, size: u64) -> &mut Self {
        self.detached(id, subtype, class, size, 0)
    }

    fn detached(&mut self, id: i64, subtype: &str, class: &str, size: u64, state: u8) -> &mut Self {
        let member = if matches!(subtype, "object" | "native") { "class" } else { "name" };
        self.lines.push(format!(
            r#"{{"type":"node","subtype":"{subtype}","identifier":{id},"heap":{{"size":{size},"{member}":{class:?}}},"v8":{{"detachedness":{state}}}}}"#
        ));
        self
    }

    fn edge(&mut self, source: i64, subtype: &str, label: &str, dest: i64) -> &mut Self {
        self.lines.push(format!(
            r#"{{"type":"edge","subtype":"{subtype}","source":{source},"dest":{dest},"label":{label:?}}}"#
        ));
        self
    }

    fn location(&mut self, object: i64, line: i64) -> &mut Self {
        self.lines.push(format!(
            r#"{{"type":"v8.location","object":{object},"script_id":7,"line":{line},"column":2}}"#
        ));
        self
    }

    /// A plain object with these properties, held by the window.
    fn plain(&mut self, id: i64, properties: &[&str]) -> &mut Self {
        self.node(id, "object", "Object", 16).edge(3, "object property", "x", id);
        for name in properties {
            self.edge(id, "object property", name, 3);
        }
        self
    }

    fn text(&self, backwards: bool) -> String {
        let types =
            ["object", "native", "v8.synthetic", "v8.array", "v8.hidden", "closure", "regular_expression"];
        let mut text = HEAD.to_owned();
        for (i, name) in types.iter().enumerate() {
            text += &format!("{{\"type\":\"node_type\",\"nodetypeid\":{},\"name\":\"{name}\"}}\n", i + 1);
        }
        for (i, (name, retains)) in [
            ("object property", "yes"),
            ("v8.internal", "yes"),
            ("v8.hidden", "yes"),
            ("v8.weak", "no"),
            ("v8.shortcut", "root"),
        ]
        .iter()
        .enumerate()
        {
            text += &format!(
                "{{\"type\":\"edge_type\",\"edgetypeid\":{},\"name\":\"{name}\",\"heap\":{{\"retains\":\"{retains}\"}}}}\n",
                i + 1
            );
        }
        // Edges may come before nodes, but those of one node keep their order.
        let (nodes, others): (Vec<&String>, Vec<&String>) =
            self.lines.iter().partition(|line| line.contains("\"type\":\"node\""));
        let lines = if backwards { [others, nodes] } else { [nodes, others] };
        for line in lines.concat() {
            text += line;
            text.push('\n');
        }
        text
    }

    fn view(&self, backwards: bool) -> View {
        let mut view = View::new();
        heap_record::read::read(self.text(backwards).as_bytes(), SnapshotSelector::Last, &mut view)
            .expect("a sound stream");
        view
    }

    /// Class of each node by identifier, with records in the usual order and with edges first.
    fn classes(&self) -> BTreeMap<i64, String> {
        let [one, two] = [false, true].map(|backwards| {
            let built = self.view(backwards).build().expect("sound");
            let nodes = 0..built.grouped().nodes();
            nodes.map(|node| (built.grouped().id(node), built.class(node).to_owned())).collect()
        });
        assert_eq!(one, two, "the order of records changes the classes");
        one
    }
}

#[test]
fn classes_by_type_and_name() {
    let mut heap = Heap::new();
    let cases = [
        ("object", "Account", "Account"),
        ("object", "<b id=\"x\">", "<b>"),
        ("native", "<div class=\"a b\">", "<div>"),
        ("native", "<div>", "<div>"),
        ("native", "Detached <p lang=\"en\">", "Detached <p>"),
        ("native", "Plain text node", "Plain text node"),
        ("closure", "main", "Function"),
        ("regular_expression", "a+", "RegExp"),
        ("v8.hidden", "system / Foo", "(system)"),
        ("v8.array", "", "(array)"),
    ];
    for (i, (subtype, name, _)) in cases.iter().enumerate() {
        heap.node(5 + 2 * i as i64, subtype, name, 8);
    }
    let found = heap.classes();
    for (i, (_, name, class)) in cases.iter().enumerate() {
        assert_eq!(found[&(5 + 2 * i as i64)], *class, "{name}");
    }
}

#[test]
fn detached_spreads_over_natives_alone() {
    let mut heap = Heap::new();
    heap.detached(5, "native", "<div id=\"x\">", 8, 2).detached(7, "native", "<p>", 8, 0);
    heap.node(9, "native", "Attached", 8).detached(11, "native", "Document", 8, 1);
    heap.node(13, "object", "Wrapper", 8).node(15, "native", "Behind", 8).node(17, "native", "Hidden", 8);
    heap.edge(5, "v8.internal", "1", 7).edge(7, "v8.internal", "1", 9).edge(11, "v8.internal", "1", 9);
    heap.edge(5, "v8.internal", "2", 13).edge(13, "v8.internal", "1", 15).edge(5, "v8.hidden", "3", 17);
    heap.edge(5, "v8.weak", "4", 15);
    let found = heap.classes();
    let of = |id: i64| found[&id].as_str();
    assert_eq!((of(5), of(7)), ("Detached <div>", "Detached <p>"));
    assert_eq!((of(9), of(11)), ("Attached", "Document"), "attached wins");
    assert_eq!((of(13), of(15), of(17)), ("Wrapper", "Behind", "Hidden"));
}

#[test]
fn plain_objects_are_named_after_their_properties() {
    let long = "p".repeat(118);
    let full = "f".repeat(119);
    let longer = "q".repeat(300);
    let mut heap = Heap::new();
    heap.plain(5, &["a", "b", "__proto__"]).plain(7, &["a", "b"]).plain(9, &["b", "a"]);
    heap.plain(11, &["a"]).plain(13, &["a", "z"]);
    heap.plain(15, &["b", "c", "a"]).plain(17, &["alone"]).plain(19, &[]);
    heap.plain(21, &["it's", "x,y"]).plain(23, &["it's", "x,y"]);
    heap.plain(25, &[&long, "r"]).plain(27, &[&long, "r"]);
    heap.plain(41, &[&full, "r"]).plain(43, &[&full, "s"]).plain(29, &[&longer, "t"]).plain(31, &[&longer]);
    heap.plain(33, &["e", "e"]).plain(35, &["e", "e"]).plain(37, &["e"]).plain(39, &["e"]);
    let found = heap.classes();
    let of = |id: i64| found[&id].as_str();
    assert_eq!((of(5), of(7)), ("{a, b}", "{a, b}"));
    assert_eq!(of(9), "{a, b}", "the order of properties does not matter");
    // {a}, {a, z} and {b, c, a} were each met once only.
    assert_eq!((of(11), of(13), of(15)), ("Object", "Object", "{a, b}"));
    assert_eq!((of(17), of(19)), ("Object", "Object"));
    assert_eq!(of(21), r#"{"it's", "x,y"}"#);
    assert_eq!(of(25), format!("{{{long}, r}}"), "119 units and one more are 120");
    assert_eq!((of(41), of(43)), (&*format!("{{{full}}}"), &*format!("{{{full}}}")), "121 are too many");
    assert_eq!(of(29), format!("{{{longer}}}"), "one property at least");
    assert_eq!((of(33), of(37)), ("{e, e}", "{e}"), "a property met twice is wanted twice");
}

#[test]
fn an_interface_needs_one_in_a_thousand() {
    for (many, named) in [(2998, true), (2999, false)] {
        let mut heap = Heap::new();
        heap.plain(5, &["rare"]).plain(7, &["rare"]).plain(9, &["rare"]);
        for i in 0..many - 1 {
            heap.plain(11 + 2 * i, &[]);
        }
        let class = if named { "{rare}" } else { "Object" };
        assert_eq!(heap.classes()[&5], class, "three of {}", many + 2);
    }
}

#[test]
fn locations_part_groups_and_sizes_move() {
    let mut heap = Heap::new();
    for id in [5, 7, 9] {
        heap.node(id, "object", "Item", 20).edge(3, "object property", "x", id);
    }
    heap.node(11, "closure", "f", 8).edge(3, "object property", "f", 11);
    heap.node(13, "v8.array", "", 100).edge(5, "v8.internal", "elements", 13);
    heap.node(15, "v8.array", "", 50).edge(7, "v8.internal", "elements", 15);
    heap.edge(9, "v8.internal", "elements", 15).node(17, "object", "Empty", 0);
    heap.location(5, 1).location(7, 1).location(9, 4).location(11, 1).location(17, 9).location(999, 1);
    heap.node(19, "object", "Loop", 4).edge(19, "v8.internal", "self", 21);
    heap.node(21, "object", "Loop", 4).edge(21, "v8.internal", "self", 19);
    for backwards in [false, true] {
        let rows = heap.view(backwards).build().expect("sound").aggregates();
        let found: Vec<_> =
            rows.iter().map(|r| (r.key.as_str(), r.count, r.size, r.retained, r.distance)).collect();
        assert_eq!(
            found,
            [
                (",Window", 1, 10, 228, 1),
                ("7,1,2,Item", 2, 140, 140, 2),
                ("7,4,2,Item", 1, 20, 20, 2),
                (",Function", 1, 8, 8, 2),
                (",(array)", 1, 50, 50, 3),
                (",Loop", 2, 8, 8, NO_DISTANCE),
            ]
        );
    }
}

#[test]
fn comparison_is_by_identifier_and_group() {
    let mut base = Heap::new();
    base.plain(5, &["a"]).plain(7, &["a", "b"]).node(9, "object", "Gone", 3).node(13, "object", "Void", 0);
    let mut new = Heap::new();
    new.plain(5, &["a"]).plain(7, &["a"]).plain(11, &["a"]).node(9, "object", "Born", 4);
    let new = new.view(false).group(None).expect("sound");
    let base = base.view(false).group(Some(new.interfaces())).expect("sound");
    let mut rows = compare(&base, &new).expect("they share identifiers");
    rows.sort_by(|one, two| one.key.cmp(&two.key));
    let row = |class: &str, added, removed, added_size, removed_size| ComparisonRow {
        key: format!(",{class}"),
        class: class.to_owned(),
        added,
        removed,
        added_size,
        removed_size,
    };
    // {a} was met once in the base, but the new snapshot's names count.
    assert_eq!(rows, [row("Born", 1, 0, 4, 0), row("Gone", 0, 1, 0, 3), row("{a}", 1, 0, 16, 0)]);
}

#[test]
fn what_is_no_v8_snapshot_is_refused() {
    let text = Heap::new().text(false).replace("v8.heapsnapshot", "dart.heapsnapshot");
    let mut view = View::new();
    heap_record::read::read(text.as_bytes(), SnapshotSelector::Last, &mut view).expect("a sound stream");
    let error = view.build().expect_err("no V8 snapshot");
    assert!(matches!(error.kind(), Kind::Refused(_)), "{error}");

    let text = Heap::new().text(false).replace("\"value\":\"v8\"", "\"value\":\"index\"");
    let mut view = View::new();
    heap_record::read::read(text.as_bytes(), SnapshotSelector::Last, &mut view).expect("a sound stream");
    let grouped = view.group(None).expect("sound");
    assert!(compare(&grouped, &grouped).is_err(), "identifiers that only count");
}

#[test]
fn an_empty_stream_is_an_empty_view() {
    let built = View::new().build().expect("nothing is sound");
    assert_eq!(built.aggregates(), []);
}

/// The view asks the source for what its graph takes, shards included.
#[test]
fn what_the_view_asks_for_is_what_its_graph_takes() {
    use heap_record::wants::{Edges, Nodes, Strings};
    use heap_record::{Sink, Wants};
    let graph = Wants {
        strings: Strings::All,
        nodes: Nodes::Brief,
        edges: Edges::ByIndex,
        references: true,
        ..Wants::HEAD
    };
    let mut sizes = View::of_sizes(heap_graph::Keep::default());
    assert_eq!(sizes.wants(), graph);
    assert!(sizes.sharded().is_some());
    let mut all = View::new();
    assert_eq!(all.wants(), Wants { nodes: Nodes::Full, extensions: true, ..graph });
    assert!(all.sharded().is_some());
}
