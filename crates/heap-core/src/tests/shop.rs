//! What `tests/data/core/shop.js` made must be found under each version.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::collections::HashMap;
use std::sync::LazyLock;

use heap_record::testing::{EdgeRecord, NodeRecord, Recorder};
use heap_record::wants::{Nodes, Strings, SumBy};
use heap_record::{SnapshotSelector, Value, Wants};

use super::{VERSIONS, dump, record, sample};

/// The records of a core by node.
pub(super) struct Graph<'a> {
    pub(super) recorder: &'a Recorder,
    pub(super) nodes: HashMap<Value, &'a NodeRecord>,
    pub(super) edges: HashMap<Value, Vec<&'a EdgeRecord>>,
    pub(super) texts: HashMap<i64, &'a str>,
    pub(super) node_types: HashMap<u32, &'a str>,
    pub(super) edge_types: HashMap<u32, &'a str>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(recorder: &'a Recorder) -> Self {
        let nodes = recorder.all_nodes().into_iter().map(|n| (n.id, n)).collect();
        let texts = recorder.all_strings().into_iter().map(|s| (s.id, s.data.as_str())).collect();
        let node_types = (0..64).map(|n| (n, recorder.node_type(n))).collect();
        let edge_types = (0..64).map(|n| (n, recorder.edge_type(n))).collect();
        let mut edges: HashMap<Value, Vec<&EdgeRecord>> = HashMap::new();
        for edge in recorder.all_edges() {
            edges.entry(edge.source).or_default().push(edge);
        }
        Self { recorder, nodes, edges, texts, node_types, edge_types }
    }

    /// The frames of the threads, innermost first: function, line, column and tier.
    pub(super) fn frames(&self) -> Vec<String> {
        let threads = self.nodes.values().filter(|n| self.node_types[&n.subtype] == "heap.thread");
        threads
            .flat_map(|thread| self.out(thread.id, "heap.frame"))
            .map(|(_, edge)| {
                let node = self.nodes[&edge.dest.unwrap()];
                let name = self.texts[&number(&field(node, "function").unwrap())];
                let at = |name| field(node, name).unwrap_or_default();
                let (_, tier) = node.rest.split_once("\"tier\":\"").unwrap();
                format!("{name} {}:{} {}", at("line"), at("column"), tier.split('"').next().unwrap())
            })
            .collect()
    }

    pub(super) fn class(&self, node: &NodeRecord) -> &'a str {
        node.heap.class.map_or("", |id| self.texts[&id])
    }

    pub(super) fn of_class(&self, class: &str) -> Vec<&'a NodeRecord> {
        let mut nodes: Vec<_> = self.nodes.values().copied().filter(|n| self.class(n) == class).collect();
        nodes.sort_by_key(|n| n.id);
        nodes
    }

    /// Objects of a class that have properties: Node 18 keeps an empty one of each class.
    pub(super) fn made(&self, class: &str) -> Vec<&'a NodeRecord> {
        let mut nodes = self.of_class(class);
        nodes.retain(|n| self.out(n.id, "object property").len() > 1);
        nodes
    }

    /// The edges of a subtype from a node: label and edge.
    pub(super) fn out(&self, id: Value, kind: &str) -> Vec<(&'a str, &'a EdgeRecord)> {
        let edges = self.edges.get(&id).into_iter().flatten();
        let of_kind = edges.filter(|e| self.edge_types[&e.subtype] == kind);
        of_kind.map(|e| (e.label.map_or("", |l| self.texts[&l]), *e)).collect()
    }

    pub(super) fn property(&self, id: Value, name: &str) -> Option<Value> {
        self.out(id, "object property").into_iter().find(|(label, _)| *label == name)?.1.dest
    }

    /// A value in short: a number, a text in quotes, else its class or subtype.
    pub(super) fn show(&self, value: Value) -> String {
        if value & 1 == 0 {
            return (value >> 1).to_string();
        }
        let Some(node) = self.nodes.get(&value) else { return "?".to_owned() };
        let subtype = self.node_types[&node.subtype];
        match subtype {
            "string_flat" | "string_cons" | "string_sliced" => format!("{:?}", self.text(value)),
            "heap_number" | "v8.bigint" => field(node, "value").unwrap_or_default(),
            "oddball" => self.texts[&field(node, "name").unwrap().parse::<i64>().unwrap()].to_owned(),
            _ if node.heap.class.is_some() => self.class(node).to_owned(),
            _ => format!("({subtype})"),
        }
    }

    /// The text of a string, joined without a stack: the samples' chains are short.
    pub(super) fn text(&self, value: Value) -> String {
        let node = self.nodes[&value];
        let value_of = |name: &str| field(node, name).map(|v| number(&v));
        match self.node_types[&node.subtype] {
            "string_cons" => self.text(value_of("s1").unwrap()) + &self.text(value_of("s2").unwrap()),
            "string_sliced" => {
                let (source, offset) = (value_of("source").unwrap(), value_of("offset").unwrap());
                let length = value_of("length").unwrap();
                self.text(source).chars().skip(offset as usize).take(length as usize).collect()
            }
            _ => value_of("data").map_or_else(String::new, |id| self.texts[&id].to_owned()),
        }
    }

    /// The object that the program keeps everything in.
    pub(super) fn shop(&self) -> Value {
        let mut found = self.nodes.keys().copied().filter(|&id| {
            self.property(id, "byCustomer").is_some() && self.property(id, "dictionary").is_some()
        });
        found.next().expect("the shop")
    }
}

/// The JSON text of a field of a node's own.
pub(super) fn field(node: &NodeRecord, name: &str) -> Option<String> {
    let key = format!("\"{name}\":");
    let at = node.own.find(&key)? + key.len();
    let rest = &node.own[at..];
    let text = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split(',').next()?,
    };
    Some(text.to_owned())
}

pub(super) fn number(text: &str) -> i64 {
    text.strip_prefix("0x").map_or_else(|| text.parse().unwrap(), |h| i64::from_str_radix(h, 16).unwrap())
}

/// The records of each version's core. Most tests look at all of them.
static RECORDERS: LazyLock<Vec<Recorder>> =
    LazyLock::new(|| VERSIONS.iter().map(|(version, ..)| record(sample(version))).collect());

static GRAPHS: LazyLock<Vec<Graph<'static>>> = LazyLock::new(|| RECORDERS.iter().map(Graph::new).collect());

/// Runs a test on each sample.
fn each(test: impl Fn(&str, &Graph<'_>)) {
    for ((version, ..), graph) in VERSIONS.iter().zip(&*GRAPHS) {
        assert_eq!(graph.recorder.error.as_ref().map(ToString::to_string), None, "Node {version}");
        test(version, graph);
    }
}

#[test]
fn objects_by_class_are_those_that_the_program_made() {
    each(|version, graph| {
        // `RushOrder.prototype` is an object of the parent class.
        let wanted = [("Item", 94), ("Order", 41), ("RushOrder", 7), ("Desk", 1)];
        for (class, count) in wanted {
            assert_eq!(graph.made(class).len(), count, "{class} of Node {version}");
        }
    });
}

#[test]
fn records_are_sound() {
    each(|version, graph| {
        assert_eq!(graph.recorder.problems(), Vec::<String>::new(), "Node {version}");
        let dangling = graph.recorder.all_edges().into_iter().filter(|e| {
            !graph.nodes.contains_key(&e.source)
                || e.dest.is_some_and(|d| d & 1 == 1 && !graph.nodes.contains_key(&d))
        });
        assert_eq!(dangling.count(), 0, "Node {version}");
        assert_eq!(graph.nodes.len(), graph.recorder.all_nodes().len(), "identifiers of Node {version}");
    });
}

#[test]
fn properties_have_names_and_values() {
    each(|version, graph| {
        for item in graph.made("Item") {
            let mut names: Vec<&str> =
                graph.out(item.id, "object property").iter().map(|(label, _)| *label).collect();
            names.sort_unstable();
            assert_eq!(names, ["__proto__", "price", "sku"], "Node {version}");
        }
        let rush = graph.made("RushOrder");
        let mut customers: Vec<String> =
            rush.iter().map(|o| graph.show(graph.property(o.id, "id").unwrap())).collect();
        customers.sort();
        assert_eq!(customers, ["100", "101", "102", "103", "104", "105", "106"], "Node {version}");
        let first = rush.iter().find(|o| graph.property(o.id, "id") == Some(2 * 100)).unwrap();
        let shown = ["customer", "total", "items", "rush", "#token"]
            .map(|name| graph.show(graph.property(first.id, name).unwrap()));
        assert_eq!(shown, ["\"rusher\"", "100.5", "Array", "true", "\"tok100\""], "Node {version}");
    });
}

#[test]
fn values_of_all_kinds_are_read() {
    each(|version, graph| {
        let shop = graph.shop();
        let at =
            |name: &str| graph.property(shop, name).unwrap_or_else(|| panic!("{name} of Node {version}"));
        assert_eq!(graph.show(at("big")), "123456789012345678901234567890", "Node {version}");
        let long = "All orders of this shop are kept in one array. ".repeat(40);
        assert_eq!(graph.text(at("long")), long, "Node {version}");
        assert_eq!(graph.text(at("slice")), long[5..45], "Node {version}");
        assert_eq!(graph.text(at("joined")), long.clone() + "!", "Node {version}");
        let greek = at("greek");
        assert_eq!(graph.text(greek), "αβ lone:\u{fffd}", "Node {version}");
        let id = number(&field(graph.nodes[&greek], "data").unwrap());
        let exact = graph.recorder.all_strings().into_iter().find(|s| s.id == id).unwrap();
        assert_eq!(exact.rest, r#""heap":{"utf16":"03b103b20020006c006f006e0065003ad800"}"#);
        let date = graph.nodes[&at("opened")];
        assert_eq!(field(date, "timestamp").as_deref(), Some("86400000.0"), "Node {version}");
        let pattern = graph.nodes[&at("pattern")];
        let text = |name: &str| graph.texts[&number(&field(pattern, name).unwrap())];
        assert_eq!((text("source"), text("flags")), (r"sku-(\d+)", "gi"), "Node {version}");
        let names = graph.out(at("dictionary"), "object property");
        assert_eq!(names.iter().filter(|(n, _)| n.starts_with('k')).count(), 199, "Node {version}");
    });
}

#[test]
fn elements_and_entries_are_those_that_are_there() {
    each(|version, graph| {
        let shop = graph.shop();
        let at = |name: &str| graph.property(shop, name).unwrap();
        let elements = |name: &str| -> Vec<String> {
            let edges = graph.out(at(name), "array element");
            let value = |e: &EdgeRecord| match e.dest {
                Some(dest) => graph.show(dest),
                None => e.rest.clone(),
            };
            edges.iter().map(|(label, e)| format!("{label}={}", value(e))).collect()
        };
        assert_eq!(
            elements("prices"),
            [r#"0="heap":{"value":0.5}"#, r#"2="heap":{"value":2.5}"#],
            "Node {version}"
        );
        assert_eq!(elements("holes"), [r#"0="a""#, r#"2="c""#], "Node {version}");
        assert_eq!(elements("sparse"), [r#"70000="far""#], "Node {version}");
        assert_eq!(elements("frozen"), ["0=1", r#"1="two""#], "Node {version}");
        let entries = |name: &str, kind: &str| -> Vec<String> {
            let edges = graph.out(at(name), kind);
            edges.iter().map(|(label, e)| format!("{label}={}", graph.show(e.dest.unwrap()))).collect()
        };
        assert_eq!(entries("byCustomer", "v8.key"), [r#"0="ann""#, r#"1="bob""#], "Node {version}");
        assert_eq!(entries("byCustomer", "v8.value"), ["0=1", "1=Object"], "Node {version}");
        assert_eq!(entries("tags", "v8.value"), [r#"0="new""#, "1=2.5", "2=null"], "Node {version}");
    });
}

#[test]
fn a_weak_map_keeps_its_values_through_their_keys() {
    each(|version, graph| {
        let notes = graph.property(graph.shop(), "notes").unwrap();
        let table = graph.out(notes, "v8.internal").into_iter().find(|(l, _)| *l == "table").unwrap().1.dest;
        let halves = graph.out(table.unwrap(), "v8.ephemeron");
        let [(_, half)] = halves[..] else { panic!("{} entries of Node {version}", halves.len()) };
        let orders = graph.property(graph.shop(), "orders").unwrap();
        let first = graph.out(orders, "array element")[0].1.dest.unwrap();
        assert_eq!(half.rest, format!("\"heap\":{{\"key\":{first}}}"), "Node {version}");
        let other = graph.out(first, "v8.internal").into_iter().find(|(_, e)| !e.rest.is_empty()).unwrap().1;
        assert_eq!((other.dest, other.rest.contains("\"table\":")), (half.dest, true), "Node {version}");
    });
}

#[test]
fn closures_have_metadata_and_variables_with_names() {
    each(|version, graph| {
        let closures = graph.property(graph.shop(), "closures").unwrap();
        for (n, (_, edge)) in (1..).zip(graph.out(closures, "array element")) {
            let closure = graph.nodes[&edge.dest.unwrap()];
            assert_eq!(graph.node_types[&closure.subtype], "closure");
            assert_eq!(graph.texts[&closure.heap.name.unwrap()], "count");
            let metadata =
                field(closure, "metadata").unwrap_or_else(|| panic!("{} of Node {version}", closure.own));
            let metadata = graph.nodes[&number(&metadata)];
            let script = graph.texts[&number(&field(metadata, "script_name").unwrap())];
            assert!(script.ends_with("shop.js"), "{script} of Node {version}");
            assert!(metadata.rest.contains("\"line\":25"), "{} of Node {version}", metadata.rest);
            let context = graph.out(closure.id, "v8.internal");
            let context = context.iter().find(|(l, _)| *l == "context").unwrap().1.dest.unwrap();
            let mut variables: Vec<String> = graph
                .out(context, "closure variable")
                .iter()
                .map(|(label, e)| format!("{label}={}", graph.show(e.dest.unwrap())))
                .collect();
            variables.sort();
            assert_eq!(variables, ["held=Object".to_owned(), format!("name=\"c{n}\"")], "Node {version}");
        }
    });
}

#[test]
fn frames_have_functions_places_and_arguments() {
    each(|version, graph| {
        let threads: Vec<_> =
            graph.nodes.values().filter(|n| graph.node_types[&n.subtype] == "heap.thread").collect();
        let thread = threads.iter().find(|t| !graph.out(t.id, "heap.frame").is_empty()).unwrap();
        let frame = |(_, edge): &(&str, &EdgeRecord)| {
            let id = edge.dest.unwrap();
            let node = graph.nodes[&id];
            let name = graph.texts[&number(&field(node, "function").unwrap())];
            let arguments: Vec<String> = graph
                .out(id, "heap.argument")
                .iter()
                .map(|(label, e)| format!("{label}={}", graph.show(e.dest.unwrap())))
                .collect();
            let place = field(node, "line").zip(field(node, "column"));
            let place = place.map_or(String::new(), |(line, column)| format!(" {line}:{column}"));
            let construct = if node.rest.contains("\"construct\":true") { "new " } else { "" };
            format!("{construct}{name}({}){place}", arguments.join(", "))
        };
        let frames: Vec<String> = graph.out(thread.id, "heap.frame").iter().map(frame).collect();
        assert_eq!(
            frames[..4],
            [
                "pay(order=RushOrder, amount=41, how=\"by card\", 3=Array) 27:72",
                "checkout(order=RushOrder) 28:35",
                "new Desk(order=RushOrder) 29:67",
                "open(desks=3) 30:42",
            ],
            "Node {version}"
        );
    });
}

#[test]
fn metadata_says_what_died_and_how() {
    for (version, node, v8) in VERSIONS {
        let recorder = record(sample(version));
        let values = |key: &str| recorder.values(key).join(" ");
        assert_eq!(values("target_source"), "core");
        assert_eq!(values("v8.node"), node);
        assert_eq!(values("v8.version"), v8);
        assert_eq!(values("target_signal_sig"), "SIGABRT");
        assert_eq!(values("target_psargs"), "./node --expose-gc shop.js");
        assert_eq!(values("heap.identifier"), "address");
        assert_eq!(values("core.roots"), "isolate handles stacks");
        assert_eq!(values("heap.root"), "1");
        // The difference between old copies in new space and objects was cut away with most of the process.
        let warned = recorder.values("core.warning").iter().any(|w| w.ends_with("belong to no object"));
        assert_eq!(warned, ["18", "20", "22"].contains(&version), "Node {version}");
        assert!(recorder.values("target_pid")[0].parse::<u32>().is_ok());
        let info = crate::info(&dump(sample(version))).unwrap();
        assert_eq!((info.version.as_deref(), info.format), (Some(node), "core"));
    }
}

#[test]
fn global_objects_are_the_roots_of_the_program() {
    each(|version, graph| {
        let globals = graph.recorder.values("heap.user_root");
        let [global] = &globals[..] else { panic!("{globals:?} of Node {version}") };
        let global: Value = global.parse().unwrap();
        assert_eq!(
            graph.out(1, "v8.shortcut").iter().map(|(_, e)| e.dest).collect::<Vec<_>>(),
            [Some(global)]
        );
        assert_eq!(graph.property(global, "shop"), Some(graph.shop()), "Node {version}");
        let parts: Vec<&str> = graph
            .out(1, "heap.reference")
            .iter()
            .map(|(_, e)| graph.node_types[&graph.nodes[&e.dest.unwrap()].subtype])
            .collect();
        assert_eq!(parts[..3], ["heap.root", "heap.root", "heap.thread"], "Node {version}");
    });
}

#[test]
fn only_what_the_program_made_refers_to_nothing() {
    each(|version, graph| {
        let nothing =
            |id: Value| graph.nodes.get(&id).is_some_and(|n| graph.node_types[&n.subtype] == "oddball");
        let mut kinds: Vec<&str> = graph
            .recorder
            .all_edges()
            .into_iter()
            .filter(|e| e.dest.is_some_and(nothing))
            .map(|e| graph.edge_types[&e.subtype])
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert!(kinds.contains(&"object property"), "Node {version}: {kinds:?}");
        assert!(!kinds.contains(&"v8.hidden") && !kinds.contains(&"v8.weak"), "Node {version}: {kinds:?}");
    });
}

#[test]
fn sums_are_those_of_the_nodes() {
    for (version, ..) in VERSIONS {
        let bytes = sample(version);
        let sums = Wants { strings: Strings::Classes, nodes: Nodes::Sums(SumBy::Class), ..Wants::HEAD };
        let added = |wants: Wants| {
            let dump = dump(bytes.clone());
            let recorder = Recorder::new(wants).with(|sink| crate::read(&dump, SnapshotSelector::Last, sink));
            let texts: HashMap<i64, &str> =
                recorder.all_strings().into_iter().map(|s| (s.id, s.data.as_str())).collect();
            let mut sums: HashMap<(u32, String), (u64, u64)> = HashMap::new();
            for node in recorder.all_nodes() {
                let class = node.heap.class.map_or("", |id| texts[&id]).to_owned();
                let sum = sums.entry((node.subtype, class)).or_default();
                sum.0 += node.heap.count.unwrap_or(1);
                sum.1 += node.heap.size.unwrap_or(0);
            }
            sums
        };
        assert_eq!(added(sums), added(Wants::NODES), "Node {version}");
    }
}
