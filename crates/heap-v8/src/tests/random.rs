//! Random graphs, written as snapshots in many layouts, are read back equal.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use arbtest::arbitrary::{Result, Unstructured};
use heap_base::Blob;
use heap_record::wants::{self, SumBy};
use heap_record::{Heap, NodeBatch, Sink, Str, Wants};

use super::{GRAPH, Recorded, record, sound};
use crate::emit::Snapshot;
use crate::emit::ahead::Ahead;
use crate::layout::marks::Entries;
use crate::nodes::{Keep, Nodes, Request};
use crate::scan::Scan;
use crate::scan::count::count;

#[derive(Debug, Default)]
struct Graph {
    nodes: Vec<Node>,
    strings: Vec<String>,
    /// Nodes have a field that nobody knows.
    extra: bool,
}

#[derive(Debug, Default)]
struct Node {
    kind: usize,
    name: usize,
    id: u64,
    size: u64,
    trace: u64,
    edges: Vec<(usize, i64, usize)>,
}

const KINDS: [&str; 15] = [
    "v8.hidden",
    "v8.array",
    "string_flat",
    "object",
    "code",
    "closure",
    "regular_expression",
    "heap_number",
    "native",
    "v8.synthetic",
    "string_cons",
    "string_sliced",
    "v8.symbol",
    "v8.bigint",
    "v8.object_shape",
];

fn graph(u: &mut Unstructured<'_>) -> Result<Graph> {
    let n_strings = u.int_in_range(1..=12)?;
    let texts =
        ["", "Array", "shared", "first", "a\"b\\", "line\nend", "é", "7", "second", "parent", "\u{1}"];
    let strings = (0..n_strings).map(|_| Ok((*u.choose(&texts)?).to_owned())).collect::<Result<_>>()?;
    let n_nodes = u.int_in_range(1..=40)?;
    let wide = u.ratio(1, 6)?;
    let traced = u.ratio(1, 2)?;
    // Newer files write the upper half of the indexes as negative numbers.
    let indexes = [0, 1, 77, 2_147_483_647, 4_294_967_295, -1, -2_147_483_648];
    let indexes = if u.ratio(1, 2)? { &indexes[..] } else { &indexes[..5] };
    let mut ids = BTreeSet::new();
    let mut nodes = Vec::new();
    for i in 0..n_nodes {
        let id = if wide { u.arbitrary::<u64>()? >> 2 } else { u.int_in_range(0..=3 * n_nodes as u64)? };
        let id = if ids.insert(id) { id } else { 1_000_000 + i as u64 };
        ids.insert(id);
        let mut edges = Vec::new();
        // Now and then more edges than fit beside the kind in a byte.
        let most = if u.ratio(1, 12)? { 40 } else { 4 };
        for _ in 0..u.int_in_range(0..=most)? {
            let kind = u.int_in_range(0..=6)?;
            let name = match kind {
                1 | 4 => *u.choose(indexes)?,
                _ => u.int_in_range(0..=n_strings - 1)?,
            };
            edges.push((kind, name, u.int_in_range(0..=n_nodes - 1)?));
        }
        nodes.push(Node {
            kind: u.int_in_range(0..=14)?,
            name: u.int_in_range(0..=n_strings as usize - 1)?,
            id,
            size: *u.choose(&[0, 16, 4_294_967_295, 1 << 50, u64::MAX])?,
            trace: if traced { u.int_in_range(0..=3)? } else { 0 },
            edges,
        });
    }
    Ok(Graph { nodes, strings, extra: u.ratio(1, 2)? })
}

fn shuffled<T: Copy, const N: usize>(u: &mut Unstructured<'_>, mut items: [T; N]) -> Result<[T; N]> {
    for i in (1..N).rev() {
        items.swap(i, u.int_in_range(0..=i)?);
    }
    Ok(items)
}

/// Writes the graph with its fields and keys in any order and white space anywhere.
fn written(u: &mut Unstructured<'_>, graph: &Graph) -> Result<String> {
    let plain = u.ratio(1, 2)?;
    let last = if graph.extra { "extra" } else { "detachedness" };
    let mut node_fields = ["type", "name", "id", "self_size", "edge_count", "trace_node_id", last];
    let mut edge_fields = ["type", "name_or_index", "to_node", "more"];
    let mut keys = ["snapshot", "nodes", "edges", "strings"];
    if !plain {
        node_fields = shuffled(u, node_fields)?;
        edge_fields = shuffled(u, edge_fields)?;
        keys = shuffled(u, keys)?;
    }
    let edge_fields = &edge_fields[..if plain { 3 } else { 4 }];
    let styles = if plain && u.ratio(2, 3)? { 1 } else { 3 };
    let style = u.int_in_range(0..=styles)?;
    let list = |records: &[Vec<String>]| {
        let (inner, outer) = match style {
            0 => (",", ","),
            1 => (",", "\n,"),
            2 => (", ", ",\n  "),
            _ => ("\t,", " , \r\n"),
        };
        format!("[{}]", records.iter().map(|r| r.join(inner)).collect::<Vec<_>>().join(outer))
    };
    let nodes: Vec<Vec<String>> = graph
        .nodes
        .iter()
        .map(|n| {
            let value = |f: &&str| match *f {
                "type" => n.kind.to_string(),
                "name" => n.name.to_string(),
                "id" => n.id.to_string(),
                "self_size" => n.size.to_string(),
                "edge_count" => n.edges.len().to_string(),
                "trace_node_id" => n.trace.to_string(),
                "detachedness" => "0".to_owned(),
                _ => "-9".to_owned(),
            };
            node_fields.iter().map(value).collect()
        })
        .collect();
    let edges: Vec<Vec<String>> = graph
        .nodes
        .iter()
        .flat_map(|n| &n.edges)
        .map(|(kind, name, to)| {
            let value = |f: &&str| match *f {
                "type" => kind.to_string(),
                "name_or_index" => name.to_string(),
                "to_node" => (to * node_fields.len()).to_string(),
                _ => "18446744073709551615".to_owned(),
            };
            edge_fields.iter().map(value).collect()
        })
        .collect();
    let strings: Vec<Vec<String>> = graph
        .strings
        .iter()
        .map(|s| {
            let mut literal = String::from("\"");
            for c in s.chars() {
                match c {
                    '"' | '\\' => write!(literal, "\\{c}"),
                    '\n' if style == 0 => write!(literal, "\\n"),
                    c if c < ' ' || c > '~' && style < 2 => write!(literal, "\\u{:04X}", c as u32),
                    c => write!(literal, "{c}"),
                }
                .expect("memory");
            }
            vec![literal + "\""]
        })
        .collect();
    let quoted = |fields: &[&str]| fields.iter().map(|f| format!("\"{f}\"")).collect::<Vec<_>>().join(",");
    let kinds = |fields: &[&str], names: &str| {
        let kind = |f: &&str| if *f == "type" { format!("[{names}]") } else { "\"number\"".into() };
        fields.iter().map(kind).collect::<Vec<_>>().join(",")
    };
    let v8 = r#""hidden","array","string","object","code","closure","regexp","number","native","synthetic","concatenated string","sliced string""#;
    let links = r#""context","element","property","internal","hidden","shortcut","weak""#;
    let snapshot = format!(
        "{{\"meta\":{{\"node_fields\":[{}],\"node_types\":[{}],\"edge_fields\":[{}],\"edge_types\":[{}]}},\"node_count\":0}}",
        quoted(&node_fields),
        kinds(&node_fields, v8),
        quoted(edge_fields),
        kinds(edge_fields, links),
    );
    let gap = if style < 2 { "" } else { " \n" };
    let sections = keys.map(|key| {
        let value = match key {
            "snapshot" => snapshot.clone(),
            "nodes" => list(&nodes),
            "edges" => list(&edges),
            _ => list(&strings),
        };
        format!("{gap}\"{key}\"{gap}:{gap}{value}{gap}")
    });
    Ok(format!("{{{}}}{gap}", sections.join(",")))
}

#[test]
fn random_graphs_are_read_back_equal() {
    let mut left_out = 0;
    arbtest::arbtest(|u| {
        let graph = graph(u)?;
        let snapshot = written(u, &graph)?;
        let recorded = sound(snapshot.as_bytes());
        let ids: BTreeSet<u64> = graph.nodes.iter().map(|n| n.id).collect();
        let v8 = ids.len() == graph.nodes.len() && ids.last().is_none_or(|&id| id <= 1 << 62);
        assert_eq!(recorded.all("heap.identifier"), [if v8 { "v8" } else { "index" }]);
        let id = |i: usize| match graph.nodes[i].id {
            _ if !v8 => 2 * i as i64 + 1,
            id if id % 2 == 1 => id as i64,
            id => -(id as i64) - 1,
        };
        let strings: Vec<_> = recorded.strings.iter().filter(|s| s.0 >= 0).map(|s| s.1.clone()).collect();
        assert_eq!(strings, graph.strings);
        assert_eq!(recorded.nodes.len(), graph.nodes.len());
        for (i, (node, got)) in graph.nodes.iter().zip(&recorded.nodes).enumerate() {
            let kind = recorded.node_types.iter().find(|t| t.0 == got.subtype).map(|t| t.1.as_str());
            assert_eq!((kind, got.id, got.size), (Some(KINDS[node.kind]), id(i), node.size));
            let name = Some(node.name as i64);
            let class = matches!(KINDS[node.kind], "object" | "native");
            assert_eq!((got.class, got.name), if class { (name, None) } else { (None, name) });
            let trace =
                if node.trace > 0 { format!("\"trace_node_id\":{},", node.trace) } else { String::new() };
            let exact = if node.id >= 1 << 53 { format!("\"0x{:x}\"", node.id) } else { node.id.to_string() };
            let own_id = if v8 { String::new() } else { format!("\"id\":{exact},") };
            let extra = if graph.extra { "\"extra\":-9" } else { "" };
            let members = format!("{own_id}{trace}{extra}");
            let members = members.trim_end_matches(',');
            let rest = if members.is_empty() { String::new() } else { format!("\"v8\":{{{members}}}") };
            assert_eq!(got.rest, rest);
            let target = |name: &str| {
                let found = node.edges.iter().find(|e| e.0 == 3 && graph.strings[e.1 as usize] == name);
                found.map(|e| id(e.2))
            };
            let own: Vec<(&str, Option<i64>)> = match KINDS[node.kind] {
                "string_flat" => vec![("data", name)],
                "regular_expression" => vec![("source", name)],
                "closure" => vec![("metadata", target("shared"))],
                "string_cons" => vec![("s1", target("first")), ("s2", target("second"))],
                "string_sliced" => vec![("source", target("parent"))],
                _ => vec![],
            };
            let value = |n: i64| if n.unsigned_abs() < 1 << 53 { n.to_string() } else { hex(n) };
            let own: Vec<_> =
                own.iter().filter_map(|o| Some(format!("\"{}\":{}", o.0, value(o.1?)))).collect();
            assert_eq!(got.own, own.join(","));
        }
        let edges = graph.nodes.iter().enumerate().flat_map(|(i, n)| n.edges.iter().map(move |e| (i, e)));
        let mut got = recorded.edges.iter();
        for (source, &(kind, name, to)) in edges {
            let got = got.next().expect("as many edges");
            let label = if matches!(kind, 1 | 4) { -i64::from(name as u32) - 1 } else { name };
            assert_eq!((got.subtype, got.source, got.dest), (kind as u32 + 1, id(source), id(to)));
            assert_eq!(got.label, Some(label));
            assert_eq!(recorded.strings.iter().filter(|s| s.0 == label).count(), 1);
            assert!(matches!(got.rest.as_str(), "" | "\"v8\":{\"more\":\"0xffffffffffffffff\"}"));
        }
        assert_eq!(got.next(), None);
        let (sums, error) = record(snapshot.as_bytes(), Wants::NODES);
        assert_eq!((error, &sums.metadata), (None, &recorded.metadata));
        let (plain, error) = record(snapshot.as_bytes(), GRAPH);
        assert_eq!((error, &plain.metadata), (None, &recorded.metadata));
        assert_eq!(plain.plain(), recorded.plain());
        let (classes, error) =
            record(snapshot.as_bytes(), Wants { strings: wants::Strings::Classes, ..GRAPH });
        assert_eq!((error, classes.plain()), (None, recorded.plain()));
        let known = |all: &Recorded, class| all.strings.iter().find(|s| s.0 == class).cloned();
        for class in recorded.nodes.iter().filter_map(|node| node.class) {
            assert!(known(&classes, class).is_some());
        }
        for string in &classes.strings {
            assert_eq!(known(&recorded, string.0).as_ref(), Some(string));
        }
        left_out += usize::from(classes.strings.len() < plain.strings.len());
        let mut totals = Totals::default();
        crate::read(&Blob::from_bytes(snapshot.as_bytes()), heap_record::SnapshotSelector::Last, &mut totals)
            .expect("sound");
        assert_eq!(totals.nodes, Totals::of(&recorded).nodes);
        Ok(())
    })
    .size_min(512)
    .size_max(8192)
    .budget_ms(2500);
    assert!(left_out > 0, "who asks for classes got all strings");
}

/// Nodes by subtype and class: how many, and their size.
#[derive(Debug, Default)]
struct Totals {
    nodes: BTreeMap<(u32, Option<String>), (u64, u64)>,
    strings: BTreeMap<i64, String>,
}

impl Totals {
    /// The same from nodes one by one.
    fn of(recorded: &Recorded) -> Self {
        let mut totals = Self::default();
        for node in &recorded.nodes {
            let class = node.class.map(|class| recorded.text(Some(class)).to_owned());
            totals.add(node.subtype, class, 1, node.size);
        }
        totals
    }

    fn add(&mut self, subtype: u32, class: Option<String>, count: u64, size: u64) {
        let total = self.nodes.entry((subtype, class)).or_default();
        *total = (total.0 + count, total.1.saturating_add(size));
    }
}

impl Sink for Totals {
    fn wants(&self) -> Wants {
        Wants { nodes: wants::Nodes::Sums(SumBy::Class), ..Wants::NODES }
    }
    fn string(&mut self, record: &Str<'_>) -> heap_base::Result {
        self.strings.insert(record.id, record.data.text().into_owned());
        Ok(())
    }
    fn nodes(&mut self, batch: &NodeBatch<'_>) -> heap_base::Result {
        batch.try_for_each(|node| {
            let Heap { size, class, count, .. } = node.heap;
            let class = class.map(|class| self.strings.get(&class).expect("emitted before").clone());
            self.add(node.subtype, class, count.expect("added up"), size.expect("always there"));
            Ok(())
        })
    }
}

/// What must be known of edges ahead is the same by counting commas as by a pass over all edges. Whether they could be
/// counted.
pub(super) fn reached(snapshot: &[u8]) -> bool {
    let blob = &Blob::from_bytes(snapshot);
    let mut scan = Scan::to_edges(blob).expect("sound");
    scan.finish(None).expect("sound");
    let header = &scan.take_header().expect("sound");
    let (section, edges_at) = (&scan.section("nodes"), scan.section("edges"));
    let request =
        Request { blob, section, header, keep: Keep::new(Wants::ALL), name_limit: scan.strings.limit() };
    let nodes = &Nodes::read_alone(request).expect("sound");
    let (root, _) = crate::root(header, nodes);
    let entries = &Entries::default();
    let snapshot = Snapshot { blob, scan: &scan, header, nodes, root, entries, traced: false };
    let counted = count(blob, &edges_at, header.edge.width).expect("memory never fails");
    let Some(pieces) = counted.map(|counted| counted.pieces()) else { return false };
    let lists = |ahead: &Ahead| {
        [&ahead.shortcuts, &ahead.elements, &ahead.children].map(|set| set.iter().collect::<Vec<_>>())
    };
    let (all, intact) = snapshot.check_edges(true).expect("sound");
    assert_eq!((intact.count, intact.damage.is_none()), (nodes.edges, true));
    let reached = snapshot.reach(&pieces, true).expect("sound");
    assert_eq!((&reached.slots, lists(&reached)), (&all.slots, lists(&all)));
    let of_root = snapshot.reach(&pieces, false).expect("sound");
    assert_eq!((of_root.slots.len(), lists(&of_root)), (0, lists(&all)));
    true
}

/// Runs `property` so often, on input that is the same in every run, however busy the machine is.
pub(super) fn often(times: u32, mut property: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    for i in 1..=times {
        // Random bits above, the number of bytes below.
        arbtest::arbtest(&mut property).seed(u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 4096);
    }
}

#[test]
fn edges_are_reached_by_counting_commas() {
    let mut counted = 0;
    often(400, |u| {
        let graph = graph(u)?;
        counted += usize::from(reached(written(u, &graph)?.as_bytes()));
        Ok(())
    });
    assert!(counted > 100, "only {counted} graphs");
}

/// Long lists, damaged or not: edges by identifier, by index, and by two threads are the same.
#[test]
fn long_lists_are_the_same_in_every_way() {
    let (mut damaged, mut joined) = (0, 0);
    often(300, |u| {
        let mut graph = graph(u)?;
        // The same nodes over and over.
        let (count, times) = (graph.nodes.len(), u.int_in_range(2..=6)?);
        for i in count..count * times {
            let Node { kind, name, size, trace, ref edges, .. } = graph.nodes[i % count];
            let (id, edges) = (10_000_000 + i as u64, edges.clone());
            graph.nodes.push(Node { kind, name, id, size, trace, edges });
        }
        let mut text = written(u, &graph)?.into_bytes();
        for _ in 0..u.int_in_range(0..=2)? {
            let at = u.choose_index(text.len())?;
            text[at] = *u.choose(b"][\"{}0,\n x")?;
        }
        if u.ratio(1, 8)? {
            text.truncate(u.choose_index(text.len())?);
        }
        for wants in [Wants::ALL, GRAPH] {
            let wants = Wants { memory: if u.ratio(1, 4)? { 0 } else { u64::MAX }, ..wants };
            let (by_id, error) = record(&text, wants);
            let wants = Wants { edges: wants::Edges::ByIndex, ..wants };
            let mut sharded = Recorded { sharded: true, ..Recorded::new(wants) };
            let blob = Blob::from_bytes(text.as_slice());
            let outcome = crate::read(&blob, heap_record::SnapshotSelector::Last, &mut sharded);
            joined += sharded.joined;
            assert_eq!(outcome.err().map(|e| e.to_string()), error, "{}", String::from_utf8_lossy(&text));
            assert_eq!(sharded.into_by_id().without_indexes(), by_id.without_indexes());
            damaged += usize::from(error.is_some());
        }
        Ok(())
    });
    assert!(damaged > 100 && joined > 50, "{damaged} times damage, {joined} shards");
}

fn hex(n: i64) -> String {
    format!("\"{}0x{:x}\"", if n < 0 { "-" } else { "" }, n.unsigned_abs())
}
