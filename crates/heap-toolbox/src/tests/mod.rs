//! The one-pass tools against slow twins, on streams in any order and spelling.
#![cfg(test)]

mod graph;
mod selector;
mod sum;
mod view;
mod wrappers;

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result as Gen, Unstructured};
use heap_record::{IdRule, Sink, SnapshotSelector, Writer, read};
use serde_json::{Value as Json, json};

use crate::filter::{Edges, Filter};
use crate::names::Names;
use crate::sum::{By, Sum};
use crate::top::Top;
use heap_ops::select::condition::bytes;
use heap_ops::select::{Content, Id, Selection};

const HEAD: &[&str] = &[
    r#"{"type":"metadata","key":"version_major","value":"1"}"#,
    r#"{"type":"metadata","key":"heap.identifier","value":"index"}"#,
    r#"{"type":"type","name":"node","fields":{"v8.kind":"string","v8.weight":"integer"}}"#,
    r#"{"type":"node_type","nodetypeid":4,"name":"object","table_name":"object"}"#,
    r#"{"type":"node_type","nodetypeid":5,"name":"string_flat","fields":{"data":"string","length":"value"}}"#,
    r#"{"type":"edge_type","edgetypeid":3,"name":"object property"}"#,
    r#"{"type":"type","name":"v8.location","fields":{"object":"value","line":"integer","file":"string"}}"#,
];
const NAMES: &[&str] = &["Array", "Map", "a\"b\\", "é\n", "17", ""];

/// A stream as JSON values: strings, nodes, edges, locations, in stream order.
fn stream(u: &mut Unstructured<'_>) -> Gen<Vec<Json>> {
    let mut lines: Vec<Json> = Vec::new();
    for (id, name) in NAMES.iter().enumerate() {
        lines.push(json!({"type":"string","stringid":id,"data":name}));
    }
    lines.push(json!({"type":"string","stringid":-8,"data":"7"}));
    let n = u.int_in_range(1..=12i64)?;
    let string = |u: &mut Unstructured<'_>| u.int_in_range(0..=NAMES.len() - 1);
    for i in 0..n {
        let mut node =
            json!({"type":"node","subtype":4,"identifier":2*i+1,"heap":{"size":u.int_in_range(0..=40)?}});
        if u.ratio(2, 3)? {
            node["heap"]["class"] = string(u)?.into();
        } else {
            node["subtype"] = 5.into();
            node["data"] = string(u)?.into();
            node["length"] = (2 * u.int_in_range(0..=9)?).into();
            node["heap"]["name"] = string(u)?.into();
        }
        if u.ratio(1, 4)? {
            node["v8"] = json!({"kind": string(u)?, "weight": u.int_in_range(-3..=3)?});
        }
        lines.push(node);
    }
    for _ in 0..u.int_in_range(0..=20)? {
        let label: i64 = if u.ratio(1, 4)? { -8 } else { string(u)? as i64 };
        let dest = u.int_in_range(0..=n)? * 2 + i64::from(u.ratio(7, 8)?);
        let source = u.int_in_range(0..=n)? * 2 + 1;
        lines.push(json!({"type":"edge","subtype":3,"source":source,"dest":dest,"label":label}));
    }
    for _ in 0..u.int_in_range(0..=3)? {
        let object = u.int_in_range(0..=n)? * 2 + 1;
        lines.push(json!({"type":"v8.location","object":object,"line":3,"file":string(u)?}));
    }
    Ok(lines)
}

fn shuffle(u: &mut Unstructured<'_>, lines: &mut [Json]) -> Gen<()> {
    for i in (1..lines.len()).rev() {
        lines.swap(i, u.int_in_range(0..=i)?);
    }
    Ok(())
}

fn text(lines: &[Json]) -> String {
    HEAD.iter().map(|l| (*l).to_owned()).chain(lines.iter().map(Json::to_string)).map(|l| l + "\n").collect()
}

fn drive(text: &str, sink: &mut dyn Sink) {
    read::read(text.as_bytes(), SnapshotSelector::All, sink).unwrap_or_else(|e| panic!("{e}\n{text}"));
    sink.finish(true).expect("memory takes everything");
}

fn selection(flags: &[(&str, &str)]) -> Selection {
    let mut selection = Selection::default();
    for (name, value) in flags {
        assert!(selection.flag(name, value).expect("a sound value"), "{name}");
    }
    selection
}

/// The selections that twins are compared under, each with its meaning on a JSON node with names written out.
type Meaning = fn(&Json) -> bool;
fn selections() -> Vec<(Selection, Meaning)> {
    fn class(node: &Json) -> &str {
        node["heap"]["class"].as_str().unwrap_or("(string_flat)")
    }
    vec![
        (selection(&[]), |_| true),
        (selection(&[("type", "Array")]), |n| class(n) == "Array"),
        (selection(&[("type", "Ma*"), ("type", "string_flat")]), |n| {
            ["Map", "(string_flat)"].contains(&class(n))
        }),
        (selection(&[("class", "A*"), ("min-size", "20")]), |n| {
            class(n) == "Array" && n["heap"]["size"].as_u64() >= Some(20)
        }),
        (selection(&[("subtype", "object"), ("invert", "")]), |n| n["subtype"] != "object"),
        (selection(&[("name", "?\"b*"), ("max-size", "30")]), |n| {
            n["heap"]["name"] == "a\"b\\" && n["heap"]["size"].as_u64() <= Some(30)
        }),
        (selection(&[("id", "@2"), ("id", "1")]), |n| n["identifier"] == 5 || n["identifier"] == 1),
        (selection(&[("where", "v8.weight >= 0")]), |n| n["v8"]["weight"].as_i64().is_some_and(|w| w >= 0)),
        (selection(&[("where", "v8.kind = Map or data ~ A*"), ("where", "not heap.class = nosuch")]), |n| {
            n["v8"]["kind"] == "Map" || n["data"] == "Array"
        }),
        (selection(&[("where", "length < 5")]), |n| n["length"].as_i64().is_some_and(|l| l / 2 < 5)),
    ]
}

/// Nodes of a stream with names written out, the slow way.
fn named(lines: &[Json]) -> Vec<Json> {
    let name = |id: &Json| NAMES[id.as_u64().expect("an id") as usize].into();
    let mut nodes: Vec<Json> = lines.iter().filter(|l| l["type"] == "node").cloned().collect();
    for node in &mut nodes {
        node["subtype"] = if node["subtype"] == 4 { "object" } else { "string_flat" }.into();
        for pointer in ["/heap/class", "/heap/name", "/data", "/v8/kind"] {
            if let Some(id) = node.pointer_mut(pointer) {
                *id = name(id);
            }
        }
    }
    nodes
}

#[test]
fn sums_agree_with_a_map() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        let nodes = named(&lines);
        if u.arbitrary()? {
            shuffle(u, &mut lines)?;
        }
        let text = text(&lines);
        for (selection, meaning) in selections() {
            for by in ["class", "subtype", "name", "v8.weight", "class,v8.kind"] {
                let keys: Vec<&str> = by.split(',').collect();
                let mut sum = Sum::new(keys.iter().map(|k| By::named(k)).collect(), selection.clone());
                drive(&text, &mut sum);
                let key = |content: &Option<Content>| content.as_ref().map(|c| c.text().into_owned());
                let got: BTreeMap<Vec<Option<String>>, (u64, u64)> = sum
                    .report()
                    .rows()
                    .iter()
                    .map(|r| (r.keys.iter().map(key).collect(), (r.totals.count, r.totals.size)))
                    .collect();
                let mut expected: BTreeMap<Vec<Option<String>>, (u64, u64)> = BTreeMap::new();
                for node in nodes.iter().filter(|n| meaning(n)) {
                    let field = |key: &&str| match *key {
                        "class" => Some(node["heap"]["class"].as_str().unwrap_or("(string_flat)").to_owned()),
                        "subtype" => node["subtype"].as_str().map(str::to_owned),
                        "name" => node["heap"]["name"].as_str().map(str::to_owned),
                        "v8.kind" => node["v8"]["kind"].as_str().map(str::to_owned),
                        _ => node["v8"]["weight"].as_i64().map(|n| n.to_string()),
                    };
                    let totals = expected.entry(keys.iter().map(field).collect()).or_default();
                    totals.0 += 1;
                    totals.1 += node["heap"]["size"].as_u64().unwrap_or(0);
                }
                assert_eq!(got, expected, "{by} {selection:?}\n{text}");
            }
        }
        Ok(())
    });
}

#[test]
fn filters_agree_with_a_walk_over_everything() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        let nodes = named(&lines);
        if u.arbitrary()? {
            shuffle(u, &mut lines)?;
        }
        let text = text(&lines);
        let all = selections();
        let (selection, meaning) = &all[u.choose_index(all.len())?];
        let kept: BTreeSet<i64> =
            nodes.iter().filter(|n| meaning(n)).filter_map(|n| n["identifier"].as_i64()).collect();
        let edges = *u.choose(&[Edges::Inner, Edges::Out, Edges::In, Edges::Touching, Edges::None])?;
        let mut filter = Filter::new(selection.clone(), edges, Writer::new(Vec::new()));
        drive(&text, &mut filter);
        let out = String::from_utf8(filter.into_inner().into_inner()).expect("the writer writes UTF-8");
        let out: Vec<Json> = out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();

        let has = |id: &Json| id.as_i64().is_some_and(|id| kept.contains(&id));
        let wanted = |record: &Json| match record["type"].as_str() {
            Some("node") => has(&record["identifier"]),
            Some("edge") => {
                let (from, to) = (has(&record["source"]), has(&record["dest"]));
                // A small integer belongs to its source, and no edge to it leads to a node.
                let (node, to) = (to, to || from && record["dest"].as_i64().is_some_and(|d| d & 1 == 0));
                match edges {
                    Edges::Inner => from && to,
                    Edges::Out => from,
                    Edges::In => node,
                    Edges::Touching => from || to,
                    Edges::None => false,
                }
            }
            Some("v8.location") => has(&record["object"]),
            _ => false,
        };
        let sorted = |records: Vec<&Json>| {
            let mut lines: Vec<String> = records.into_iter().map(Json::to_string).collect();
            lines.sort();
            lines
        };
        let records: Vec<&Json> = lines.iter().filter(|r| wanted(r)).collect();
        let mut ids: BTreeSet<i64> = BTreeSet::new();
        for record in &records {
            for pointer in ["/heap/class", "/heap/name", "/data", "/v8/kind", "/label", "/file"] {
                ids.extend(record.pointer(pointer).and_then(Json::as_i64));
            }
        }
        let strings = lines.iter().filter(|r| r["stringid"].as_i64().is_some_and(|id| ids.contains(&id)));
        let expected = sorted(strings.chain(records).collect());
        let types = ["string", "node", "edge", "v8.location"];
        let got = out.iter().filter(|r| types.contains(&r["type"].as_str().unwrap_or(""))).collect();
        assert_eq!(sorted(got), expected, "{edges:?} {selection:?}\n{text}");

        // A string comes before the first record that refers to it.
        let mut seen = BTreeSet::new();
        for record in &out {
            seen.extend(record["stringid"].as_i64());
            for pointer in ["/heap/class", "/heap/name", "/data", "/v8/kind", "/label", "/file"] {
                if let Some(id) = record.pointer(pointer).and_then(Json::as_i64) {
                    assert!(seen.contains(&id), "string {id} comes late\n{out:?}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn names_written_out_are_the_same_records() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        let expected = named(&lines);
        let shuffled = u.arbitrary()?;
        if shuffled {
            shuffle(u, &mut lines)?;
        }
        let mut names = Names::new(Writer::new(Vec::new()));
        drive(&text(&lines), &mut names);
        let view = String::from_utf8(names.into_inner().into_inner()).expect("the writer writes UTF-8");
        let mut nodes: Vec<Json> = view
            .lines()
            .map(|l| serde_json::from_str::<Json>(l).expect("JSON"))
            .filter(|r| r["type"] == "node")
            .collect();
        // Records that were deferred come after the others.
        nodes.sort_by_key(|n| n["identifier"].as_i64());
        assert_eq!(nodes, expected);
        assert!(!view.contains("stringid"));
        let total = |text: &str| {
            let mut sum = Sum::new(Vec::new(), selection(&[("type", "*a*")]));
            drive(text, &mut sum);
            let mut rows: Vec<String> = sum.report().rows().iter().map(|r| format!("{r:?}")).collect();
            rows.sort();
            rows
        };
        assert_eq!(total(&view), total(&text(&lines)));
        Ok(())
    });
}

#[test]
fn the_top_is_the_end_of_the_sorted_list() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        let mut nodes = named(&lines);
        shuffle(u, &mut lines)?;
        let limit = u.int_in_range(0..=5)?;
        let mut top = Top::new("size", limit, Selection::default());
        drive(&text(&lines), &mut top);
        nodes.sort_by_key(|n| (std::cmp::Reverse(n["heap"]["size"].as_u64()), n["identifier"].as_i64()));
        let expected: Vec<_> =
            nodes.iter().take(limit).map(|n| n["identifier"].as_i64().expect("an id")).collect();
        assert_eq!(top.report().rows().iter().map(|r| r.id).collect::<Vec<_>>(), expected);
        Ok(())
    });
}

#[test]
fn a_key_that_is_no_number_is_said_to_be_none() {
    let lines = [
        HEAD[0],
        HEAD[3],
        r#"{"type":"string","stringid":1,"data":"A"}"#,
        r#"{"type":"node","subtype":4,"identifier":1,"heap":{"size":8,"class":1}}"#,
    ];
    let missing = |key: &str| {
        let mut top = Top::new(key, 3, Selection::default());
        drive(&(lines.join("\n") + "\n"), &mut top);
        assert_eq!(top.report().rows().len(), usize::from(key == "size"));
        top.missing()
    };
    assert_eq!(missing("size"), Vec::<String>::new());
    assert_eq!(missing("class"), ["the field 'class' is no number in any of these nodes"]);
    assert_eq!(missing("name"), ["none of these nodes has a field 'name'"]);
}

#[test]
fn snapshots_are_added_up_apart() {
    let text = [
        HEAD[0],
        HEAD[3],
        r#"{"type":"metadata","key":"heap.snapshot","value":"0"}"#,
        r#"{"type":"string","stringid":1,"data":"A"}"#,
        r#"{"type":"node","subtype":4,"identifier":1,"heap":{"size":8,"class":1}}"#,
        r#"{"type":"metadata","key":"heap.snapshot","value":"1"}"#,
        r#"{"type":"node","subtype":4,"identifier":1,"heap":{"size":16,"class":1}}"#,
        r#"{"type":"node","subtype":4,"identifier":3,"heap":{"size":4,"count":5}}"#,
    ]
    .join("\n");
    let rows = |by: &[&str]| {
        let mut sum = Sum::new(by.iter().map(|b| By::named(b)).collect(), Selection::default());
        drive(&text, &mut sum);
        let key = |k: &Option<Content>| k.as_ref().map_or(String::new(), |k| k.text().into_owned());
        let mut rows: Vec<_> = sum
            .report()
            .rows()
            .iter()
            .map(|r| (r.keys.iter().map(key).collect::<Vec<_>>().join("/"), r.totals.count, r.totals.size))
            .collect();
        rows.sort();
        (sum.report().columns().join("/"), rows)
    };
    let row = |key: &str, count, size| (key.to_owned(), count, size);
    let expected = vec![row("0/A", 1, 8), row("1/(object)", 5, 4), row("1/A", 1, 16)];
    assert_eq!(rows(&[]), ("snapshot/class".to_owned(), expected.clone()));
    assert_eq!(rows(&["snapshot", "class"]), ("snapshot/class".to_owned(), expected));
    assert_eq!(rows(&["snapshot"]), ("snapshot".to_owned(), vec![row("0", 1, 8), row("1", 6, 20)]));
}

#[test]
fn identifiers_as_people_write_them() {
    assert_eq!(Id::parse("@6163"), Ok(Id::Source(6163)));
    assert_eq!(Id::parse("@0x7f"), Ok(Id::Source(0x7f)));
    assert_eq!(Id::parse("-5"), Ok(Id::Plain(-5)));
    assert_eq!(Id::parse("0x7F"), Ok(Id::Hex(0x7f)));
    assert_eq!(Id::parse("@-3"), Ok(Id::Source(-3)));
    assert_eq!(Id::parse("@18446744073709551613"), Ok(Id::Source(-3)));
    assert!(Id::parse("@36893488147419103229").is_err());
    assert!(Id::parse("x").is_err());
    for (rule, number, id) in [
        (IdRule::V8, 6163, 6163),
        (IdRule::V8, 2, -3),
        (IdRule::V8, 0, -1),
        (IdRule::Index, 7, 15),
        (IdRule::Address, 0x1000, 0x1001),
        // Nodes that a reader made up have negative identifiers.
        (IdRule::Index, -2, -3),
        (IdRule::Address, -3, -3),
    ] {
        assert_eq!(rule.identifier(number), id);
        if rule != IdRule::Address {
            assert_eq!(rule.number(id), number);
        }
    }
}

#[test]
fn numbers_of_bytes() {
    for (text, expected) in [
        ("0", Some(0)),
        ("4096", Some(4096)),
        ("10K", Some(10 << 10)),
        ("1.5m", Some(3 << 19)),
        ("2G", Some(2 << 30)),
        ("K", None),
        ("-1", None),
        ("1X", None),
        ("", None),
        ("99999999999999T", None),
    ] {
        assert_eq!(bytes(text), expected, "{text}");
    }
}
