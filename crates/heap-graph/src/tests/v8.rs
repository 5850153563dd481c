//! V8 snapshots under four policies, against figures that an independent program worked out.
//!
//! The snapshots are read here with a general JSON parser into records as the stream has them; classes and
//! groups follow Chrome DevTools, because that is what the expected figures are given by.

use std::collections::{BTreeMap, HashMap};

use heap_record::{
    Declared, Edge, EdgeBatch, Heap as HeapFields, Metadata, Node, NodeBatch, Retains, Sink, Value as Id,
};
use serde_json::{Map, Value, json};

use heap_base::BitSet;

use crate::{
    Analysis, Class, Config, DomTree, GraphSink, HeapGraph, Keep, NONE, analyse, attribute, group_retained,
};

/// Which edges retain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// As Chrome DevTools, sizes re-attributed.
    DevTools,
    /// All but weak ones.
    NonWeak,
    /// And shortcuts only from the root.
    Shortcut,
    /// And the user roots own what they reach.
    Page,
}

/// A parsed snapshot.
pub(crate) struct Snapshot {
    pub(crate) nodes: Vec<V8Node>,
    /// Source, type, name, target.
    edges: Vec<(usize, String, String, usize)>,
    root: usize,
    /// Position of the source text by node.
    locations: HashMap<usize, String>,
}

#[derive(Clone)]
pub(crate) struct V8Node {
    kind: String,
    name: String,
    pub(crate) id: u64,
    size: u64,
    detached: u64,
}

impl Snapshot {
    pub(crate) fn parse(text: &str) -> Self {
        let json: Value = serde_json::from_str(text).unwrap();
        let meta = &json["snapshot"]["meta"];
        let place =
            |fields: &str, name: &str| meta[fields].as_array().unwrap().iter().position(|f| f == name);
        let strings = json["strings"].as_array().unwrap();
        let string = |i: &Value| strings[i.as_u64().unwrap() as usize].as_str().unwrap().to_string();
        let n_fields = meta["node_fields"].as_array().unwrap().len();
        let field = |name| place("node_fields", name);
        let type_at = field("type").unwrap();
        let flat = json["nodes"].as_array().unwrap();
        let mut edge_counts = Vec::new();
        let nodes: Vec<V8Node> = flat
            .chunks(n_fields)
            .map(|record| {
                let number = |name| field(name).map_or(0, |at| record[at].as_u64().unwrap());
                edge_counts.push(number("edge_count") as usize);
                let kind = &meta["node_types"][type_at][number("type") as usize];
                V8Node {
                    kind: kind.as_str().unwrap_or("symbol").to_string(),
                    name: string(&record[field("name").unwrap()]),
                    id: number("id"),
                    size: number("self_size"),
                    detached: number("detachedness"),
                }
            })
            .collect();
        let mut records = json["edges"].as_array().unwrap().chunks(3);
        let mut edges = Vec::new();
        for (source, &count) in edge_counts.iter().enumerate() {
            for record in records.by_ref().take(count) {
                let kind = meta["edge_types"][0][record[0].as_u64().unwrap() as usize].as_str().unwrap();
                let name = if matches!(kind, "element" | "hidden") {
                    record[1].to_string()
                } else {
                    string(&record[1])
                };
                edges.push((source, kind.to_string(), name, record[2].as_u64().unwrap() as usize / n_fields));
            }
        }
        let mut locations = HashMap::new();
        if let Some(fields) = meta["location_fields"].as_array() {
            for record in json["locations"].as_array().unwrap().chunks(fields.len()) {
                let at = |name| &record[place("location_fields", name).unwrap()];
                let node = at("object_index").as_u64().unwrap() as usize / n_fields;
                locations.insert(node, format!("{},{},{}", at("script_id"), at("line"), at("column")));
            }
        }
        let root = json["snapshot"]["root_index"].as_u64().unwrap_or(0) as usize / n_fields;
        Self { nodes, edges, root, locations }
    }

    fn id(&self, node: usize) -> Id {
        let id = self.nodes[node].id as i64;
        if id & 1 == 1 { id } else { -(id + 1) }
    }

    /// Children of the root that belong to the program: with all edges, and with shortcuts alone.
    fn user_roots(&self, shortcuts: bool) -> Vec<usize> {
        let of_root = self.edges.iter().filter(|edge| edge.0 == self.root);
        of_root
            .filter(|&(_, kind, _, to)| {
                let node = &self.nodes[*to];
                let documents = node.name == "(Document DOM trees)" && kind == "element";
                documents || if shortcuts { kind == "shortcut" } else { node.kind != "synthetic" }
            })
            .map(|edge| edge.3)
            .collect()
    }

    /// The records of this snapshot, as a reader gives them.
    pub(crate) fn feed(&self, rule: Rule, sink: &mut dyn Sink) {
        let mut metadata =
            |key: &str, value: &str| sink.metadata(&Metadata { key, value, ..Metadata::default() }).unwrap();
        metadata("version_major", "1");
        metadata("heap.root", &self.id(self.root).to_string());
        metadata("heap.unreachable", "root");
        if matches!(rule, Rule::DevTools | Rule::Page) {
            for node in self.user_roots(true) {
                metadata("heap.user_root", &self.id(node).to_string());
            }
        }
        for node in self.user_roots(false) {
            metadata("heap.distance_root", &self.id(node).to_string());
        }
        let shortcut = if rule == Rule::NonWeak { Retains::Yes } else { Retains::Root };
        for (id, name, retains) in [
            (0, "object property", Retains::Yes),
            (5, "v8.shortcut", shortcut),
            (6, "v8.weak", Retains::No),
            (7, "v8.ephemeron", Retains::No),
        ] {
            sink.declare(&Declared::Edge { id, name, retains, role: None, rest: b"" }.into()).unwrap();
        }
        for (i, node) in self.nodes.iter().enumerate() {
            let heap = HeapFields { size: Some(node.size), ..HeapFields::default() };
            let node = Node { id: self.id(i), heap, ..Node::default() };
            sink.nodes(&NodeBatch::one(&node)).unwrap();
        }
        for (source, kind, name, to) in &self.edges {
            let mut rest = String::new();
            let mut subtype = match kind.as_str() {
                "shortcut" => 5,
                "weak" => 6,
                _ => 0,
            };
            if let Some((key, table)) = pair(name).filter(|_| kind == "internal" && rule == Rule::DevTools) {
                if self.nodes[*source].id == table {
                    subtype = 7;
                    rest = format!(r#""heap":{{"key":{key}}}"#);
                } else {
                    rest = format!(r#""heap":{{"table":{table}}}"#);
                }
            }
            let (from, name_of) = (&self.nodes[*source], name.as_str());
            let index: u64 = name.parse().unwrap_or(0);
            let descriptor =
                from.kind == "array" && from.name == "(map descriptors)" && index >= 2 && index % 3 == 1;
            let context = from.kind == "hidden" && from.name == "system / NativeContext";
            if descriptor || context && name_of == "sloppy_function_map" {
                rest = r#""heap":{"distance":false}"#.to_string();
            }
            let (source, dest) = (self.id(*source), Some(self.id(*to)));
            let edge = Edge { subtype, source, dest, rest: rest.as_bytes(), ..Edge::default() };
            sink.edges(&EdgeBatch::one(&edge)).unwrap();
        }
    }

    /// Names, some with `Detached ` before them.
    fn names(&self) -> Vec<String> {
        let native = |node: usize| self.nodes[node].kind == "native";
        let mut state: Vec<u64> = self.nodes.iter().map(|node| node.detached).collect();
        let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
        for (source, kind, _, to) in &self.edges {
            if kind != "hidden" && kind != "weak" {
                out.entry(*source).or_default().push(*to);
            }
        }
        for wanted in [1, 2] {
            let mut stack: Vec<usize> =
                (0..self.nodes.len()).filter(|&node| native(node) && state[node] == wanted).collect();
            while let Some(node) = stack.pop() {
                for &to in out.get(&node).into_iter().flatten() {
                    if native(to) && state[to] == 0 {
                        state[to] = wanted;
                        stack.push(to);
                    }
                }
            }
        }
        let name = |(node, state): (&V8Node, &u64)| match state {
            2 if node.kind == "native" => format!("Detached {}", node.name),
            _ => node.name.clone(),
        };
        self.nodes.iter().zip(&state).map(name).collect()
    }

    /// Class by node.
    pub(crate) fn classes(&self) -> Vec<String> {
        let mut classes: Vec<String> = self
            .names()
            .iter()
            .zip(&self.nodes)
            .map(|(name, node)| match node.kind.as_str() {
                "hidden" => "(system)".to_string(),
                "code" => "(compiled code)".to_string(),
                "closure" => "Function".to_string(),
                "regexp" => "RegExp".to_string(),
                "object" | "native" => {
                    let skip = if name.starts_with("Detached <") { 10 } else { 0 };
                    match name[skip..].find(' ') {
                        Some(end) if skip > 0 || name.starts_with('<') => format!("{}>", &name[..skip + end]),
                        _ => name.clone(),
                    }
                }
                other => format!("({other})"),
            })
            .collect();
        self.interfaces(&mut classes);
        classes
    }

    /// Plain objects get their properties as class.
    fn interfaces(&self, classes: &mut [String]) {
        let plain = |node: usize| self.nodes[node].kind == "object" && self.nodes[node].name == "Object";
        let mut properties: BTreeMap<usize, Vec<&str>> =
            (0..self.nodes.len()).filter(|&node| plain(node)).map(|node| (node, Vec::new())).collect();
        for (source, kind, name, _) in &self.edges {
            if let Some(list) = properties.get_mut(source).filter(|_| kind == "property") {
                list.push(name);
            }
        }
        // Name, properties, how often, in the order they are met.
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut kept: Vec<(String, Vec<&str>, usize)> = Vec::new();
        for list in properties.values() {
            let mut text = "{".to_string();
            let mut names = Vec::new();
            for &name in list.iter().filter(|name| **name != "__proto__") {
                let shown = if name.contains([',', '\'', '"', '{', '}']) {
                    json!(name).to_string()
                } else {
                    name.to_string()
                };
                if text.len() > 1 && text.encode_utf16().count() + shown.encode_utf16().count() > 120 {
                    break;
                }
                if text.len() > 1 {
                    text += ", ";
                }
                text += &shown;
                names.push(name);
            }
            text.push('}');
            if !names.is_empty() {
                let at = *seen.entry(text.clone()).or_insert_with(|| {
                    kept.push((text, names, 0));
                    kept.len() - 1
                });
                kept[at].2 += 1;
            }
        }
        kept.sort_by_key(|interface| std::cmp::Reverse(interface.2));
        let least = (properties.len() as f64 / 1000.0).max(2.0);
        kept.retain(|interface| interface.2 as f64 >= least);
        for (&node, list) in &properties {
            let times = |names: &[&str], name: &str| names.iter().filter(|n| **n == name).count();
            let mut best: Option<&(String, Vec<&str>, usize)> = None;
            for interface in &kept {
                let fits = interface.1.iter().all(|name| times(list, name) >= times(&interface.1, name));
                if fits && best.is_none_or(|best| best.1.len() < interface.1.len()) {
                    best = Some(interface);
                }
            }
            if let Some(best) = best {
                classes[node].clone_from(&best.0);
            }
        }
    }

    /// The whole analysis; sizes are re-attributed if the rule says so.
    pub(crate) fn analyse(&self, rule: Rule) -> (HeapGraph, Analysis) {
        let mut sink = GraphSink::new(Keep { ids: true, weak: true, ..Keep::default() });
        self.feed(rule, &mut sink);
        let mut heap = sink.build().unwrap();
        assert_eq!((heap.graph.nodes() as usize, heap.stats.dangling), (self.nodes.len(), 0));
        if rule == Rule::DevTools && !self.user_roots(false).is_empty() {
            let chosen = |is: &dyn Fn(usize, &V8Node) -> bool| -> BitSet {
                (0..self.nodes.len()).filter(|&i| is(i, &self.nodes[i])).map(|i| i as u32).collect()
            };
            let ownerless = chosen(&|_, node| {
                matches!(node.kind.as_str(), "hidden" | "array")
                    || node.kind == "native" && node.name == "system / ExternalStringData"
            });
            let barred = chosen(&|i, node| node.kind == "synthetic" || i == self.root);
            attribute(&heap.graph, &mut heap.sizes, &ownerless, &barred);
        }
        let config = Config { distance: true, retained: true, ..Config::default() };
        let analysis = analyse(heap.graph.clone(), &heap.sizes, &heap.policy, config);
        (heap, analysis)
    }

    /// Class, count, size, retained size and distance by group, as Chrome DevTools groups.
    pub(crate) fn aggregates(&self, heap: &HeapGraph, analysis: &Analysis) -> Map<String, Value> {
        let classes = self.classes();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut rows: Vec<(String, String, u64, u64, i64)> = Vec::new();
        let groups: Vec<Option<u32>> = (0..self.nodes.len())
            .map(|node| {
                let size = heap.sizes.get(node as u32);
                if size == 0 {
                    return None;
                }
                let location = self.locations.get(&node).filter(|_| self.nodes[node].kind == "object");
                let class = &classes[node];
                let key = format!("{},{class}", location.map_or("", String::as_str));
                let distance = match analysis.distance[node] {
                    NONE => -5,
                    distance => i64::from(distance),
                };
                let group = *numbers.entry(key.clone()).or_insert_with(|| {
                    rows.push((key, class.clone(), 0, 0, i64::MAX));
                    rows.len() as u32 - 1
                });
                let row = &mut rows[group as usize];
                (row.2, row.3, row.4) = (row.2 + 1, row.3 + size, row.4.min(distance));
                Some(group)
            })
            .collect();
        let tree = DomTree::new(analysis.root, &analysis.idom);
        let of = |node: u32| groups[node as usize];
        let retained = group_retained(&tree, &analysis.retained, rows.len() as u32, of);
        rows.into_iter()
            .zip(retained)
            .map(|((key, class, count, size, distance), retained)| {
                (key, json!([class, count, size, retained, distance]))
            })
            .collect()
    }
}

/// Key and table in the name of an edge that is half of an ephemeron.
fn pair(name: &str) -> Option<(u64, u64)> {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix(" / part of key (").filter(|_| rest.len() < name.len())?;
    let rest = rest.strip_suffix(')').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest);
    let (pair, table) = rest.rsplit_once(" pair in WeakMap (table @")?;
    let (key, _) = pair.split_once(") -> value (")?;
    let id = |text: &str| text.rsplit_once('@').map_or(text, |(_, id)| id).parse().ok();
    Some((id(key)?, table.trim_end_matches(')').parse().ok()?))
}

fn data(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../tests/data/v8/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn figures_of_chrome_devtools_and_of_simpler_policies() {
    let all = ["", ".nonweak", ".page", ".shortcut"];
    let files = [
        ("minimal", &all[..1]),
        ("one-node", &all[..1]),
        ("root-last", &all[..1]),
        ("devtools-rules", &all),
        ("orphans-cycles", &all),
        ("random-1", &all[..1]),
        ("random-2", &all[..1]),
        ("random-3", &all[..1]),
        ("random-4", &all[..1]),
        ("random-5", &all),
        ("random-6", &all[..1]),
    ];
    for (file, policies) in files {
        let snapshot = Snapshot::parse(&data(&format!("edge/{file}.heapsnapshot")));
        for policy in policies {
            let expected: Value =
                serde_json::from_str(&data(&format!("expected/edge-{file}{policy}.json"))).unwrap();
            let rule = match *policy {
                ".nonweak" => Rule::NonWeak,
                ".page" => Rule::Page,
                ".shortcut" => Rule::Shortcut,
                _ => Rule::DevTools,
            };
            let (heap, mut analysis) = snapshot.analyse(rule);
            // The simpler rules know no ephemerons; distances were worked out as ever.
            analysis.distance = snapshot.analyse(Rule::DevTools).1.distance;
            let root = analysis.retained[snapshot.root];
            assert_eq!(json!(root), expected["root_retained"], "{file}{policy}");
            let found = Value::Object(snapshot.aggregates(&heap, &analysis));
            assert_eq!(found, expected["aggregates"], "{file}{policy}");
        }
    }
}

#[test]
fn sizes_beyond_what_a_double_holds() {
    let snapshot = Snapshot::parse(&data("edge/big-numbers.heapsnapshot"));
    let (_, analysis) = snapshot.analyse(Rule::DevTools);
    assert_eq!(analysis.retained[0], (1 << 53) - 1 + (1 << 40), "Chrome DevTools has one byte more");
}

#[test]
fn one_half_of_an_ephemeron_measures_and_the_other_retains() {
    let snapshot = Snapshot::parse(&data("edge/devtools-rules.heapsnapshot"));
    let (heap, analysis) = snapshot.analyse(Rule::DevTools);
    let node = |name: &str| snapshot.nodes.iter().position(|node| node.name == name).unwrap();
    let (key, value) = (node("Key"), node("Value"));
    assert_eq!(analysis.idom[value], key as u32);
    // Key is at 2, the table at 3.
    assert_eq!((analysis.distance[key], analysis.distance[value]), (2, 4));
    let classes: Vec<Class> = (0..heap.graph.edges())
        .map(|edge| heap.graph.link(edge))
        .filter(|link| link.end() == value as u32)
        .map(crate::Link::class)
        .collect();
    assert_eq!(classes, [Class::Table, Class::Key]);
}
