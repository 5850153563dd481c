//! Comparisons, duplicate strings, searches and work on the graph against slow twins.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result as Gen, Unstructured};
use heap_graph::Keep;
use heap_record::{Sink, SnapshotSelector, Writer, read};
use serde_json::{Value as Json, json};

use super::{HEAD, NAMES, drive, named, selection, shuffle, stream, text};
use crate::diff::{Census, Diff, Fate};
use crate::dom::Annotations;
use crate::grep::{Found, FoundIn, Grep, Search, patterns};
use crate::path::{MergeBy, Ways, each, merged};
use crate::show::{Most, Show, Sides};
use crate::strings::DuplicateStrings;
use crate::sum::{RetainedSum, Sum};
use crate::top::RetainedTop;
use crate::walk::{Way, walk};
use heap_ops::graph::{GraphLoader, NamedGraph};
use heap_ops::place::Clues;
use heap_ops::report::OnePass;
use heap_ops::select::{Glob, Selection};
use heap_ops::stream::IdSet;

/// A stream of a source whose identifiers last.
fn lasting(lines: &[Json]) -> String {
    let v8 = HEAD[1].replace("index", "v8");
    text(lines).replace(HEAD[1], &v8)
}

fn id(node: &Json) -> i64 {
    node["identifier"].as_i64().expect("an identifier")
}

fn class(node: &Json) -> String {
    node["heap"]["class"].as_str().unwrap_or("(string_flat)").to_owned()
}

fn size(node: &Json) -> u64 {
    node["heap"]["size"].as_u64().unwrap_or(0)
}

/// Sizes by identifier and class.
type Objects = BTreeMap<(i64, String), u64>;

#[test]
fn comparisons_agree_with_sets() {
    arbtest::arbtest(|u| {
        let files = u.int_in_range(2..=4)?;
        let mut streams = Vec::new();
        let mut nodes = Vec::new();
        for _ in 0..files {
            let mut lines = stream(u)?;
            // Not every object is in every file.
            for line in &mut lines {
                if line["type"] == "node" && u.ratio(1, 3)? {
                    *line = json!({"type":"other.gone"});
                }
            }
            nodes.push(named(&lines));
            shuffle(u, &mut lines)?;
            streams.push(lasting(&lines));
        }
        let census = |text: &String| {
            let mut census = Census::new(Selection::default(), true);
            drive(text, &mut census);
            census.into_report()
        };
        let diff = Diff::of(streams.iter().map(census).collect());
        assert!(diff.by_identity);

        // An object is its identifier and its class; one without size is none.
        let objects = |nodes: &Vec<Json>| -> Objects {
            nodes.iter().filter(|n| size(n) > 0).map(|n| ((id(n), class(n)), size(n))).collect()
        };
        let all: Vec<Objects> = nodes.iter().map(objects).collect();
        let (first, last) = (&all[0], &all[files - 1]);
        let sum = |of: Vec<(&(i64, String), &u64)>, class: &str| {
            let some: Vec<u64> = of.iter().filter(|(k, _)| k.1 == class).map(|(_, s)| **s).collect();
            (some.len() as u64, some.iter().sum::<u64>())
        };
        let pair = |t: crate::diff::ClassTotals| (t.count, t.size);
        let mut classes = BTreeSet::new();
        for row in &diff.rows {
            assert!(classes.insert(&row.class), "{} is there twice", row.class);
            for (i, totals) in row.totals.iter().enumerate() {
                let some: Vec<u64> = nodes[i].iter().filter(|n| class(n) == row.class).map(size).collect();
                assert_eq!(pair(*totals), (some.len() as u64, some.iter().sum()), "{}", row.class);
            }
            let new = last.iter().filter(|(k, _)| !first.contains_key(k)).collect();
            let gone = first.iter().filter(|(k, _)| !last.contains_key(k)).collect();
            let kept = last.iter().filter(|(k, _)| first.contains_key(k)).collect();
            assert_eq!(pair(row.new), sum(new, &row.class), "new {}", row.class);
            assert_eq!(pair(row.gone), sum(gone, &row.class), "gone {}", row.class);
            assert_eq!(pair(row.kept), sum(kept, &row.class), "kept {}", row.class);
            if files > 2 {
                let later = |k: &(i64, String)| all[1..].iter().all(|o| o.contains_key(k));
                let leaked = last.iter().filter(|(k, _)| !first.contains_key(k) && later(k)).collect();
                assert_eq!(pair(row.leaked), sum(leaked, &row.class), "leaked {}", row.class);
            }
        }
        let new = diff.ids(Fate::New);
        let expected: BTreeSet<i64> = last.keys().filter(|k| !first.contains_key(k)).map(|k| k.0).collect();
        assert_eq!(new.len(), expected.len() as u64);
        assert!(expected.iter().all(|&id| new.contains(id)));
        Ok(())
    });
}

#[test]
fn equal_strings_agree_with_a_map() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        // The same text under another number.
        lines.push(json!({"type":"string","stringid":90,"data":NAMES[0]}));
        lines
            .push(json!({"type":"node","subtype":5,"identifier":901,"data":90,"length":6,"heap":{"size":7}}));
        let nodes: Vec<Json> = lines.iter().filter(|l| l["type"] == "node").cloned().collect();
        if u.arbitrary()? {
            shuffle(u, &mut lines)?;
        }
        let mut equal = DuplicateStrings::new(Selection::default(), 1);
        drive(&text(&lines), &mut equal);
        let equal = equal.into_report();
        let got: BTreeMap<(String, u64), (u64, u64)> =
            equal.rows().iter().map(|r| ((r.text.clone(), r.length), (r.count, r.size))).collect();
        assert_eq!(got.len(), equal.rows().len(), "a text is there twice");
        let mut expected: BTreeMap<(String, u64), (u64, u64)> = BTreeMap::new();
        for node in nodes.iter().filter(|n| n.get("data").is_some()) {
            let data = node["data"].as_u64().expect("an id");
            let text = NAMES[if data == 90 { 0 } else { data as usize }].to_owned();
            let sums = expected.entry((text, node["length"].as_u64().expect("a length") / 2)).or_default();
            sums.0 += 1;
            sums.1 += size(node);
        }
        assert_eq!(got, expected);
        for row in equal.rows() {
            assert_eq!(row.cut, Some(row.length > row.text.encode_utf16().count() as u64));
            let first = nodes.iter().find(|n| id(n) == row.first).map(size);
            if row.count == 1 {
                assert_eq!(row.wasted, 0);
            }
            assert_eq!(row.wasted, row.size - first.expect("the first is a node"));
        }
        Ok(())
    });
}

#[test]
fn searches_agree_with_a_walk_over_everything() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        let nodes = named(&lines);
        let edges: Vec<Json> = lines.iter().filter(|l| l["type"] == "edge").cloned().collect();
        if u.arbitrary()? {
            shuffle(u, &mut lines)?;
        }
        for (pattern, fixed, case) in [("a", false, true), ("^.$|7", false, false), ("a\"b\\", true, false)] {
            let compiled = patterns(&[pattern.to_owned()], fixed, case).expect("a sound pattern");
            let holds = |text: &str| compiled.iter().any(|p| p.is_match(text));
            let places = vec![FoundIn::Value, FoundIn::Name, FoundIn::Class, FoundIn::Label];
            let mut got: Vec<(i64, &str, String)> = Vec::new();
            let found = |found: Found| got.push((found.id, found.place.name(), found.text));
            let selection = Selection::default();
            let search = Search { patterns: compiled.clone(), places, selection, most: None };
            let mut grep = Grep::new(search, found);
            drive(&text(&lines), &mut grep);
            drop(grep);
            let mut expected: Vec<(i64, &str, String)> = Vec::new();
            for node in &nodes {
                let value = [&node["data"], &node["v8"]["kind"]]
                    .into_iter()
                    .filter_map(Json::as_str)
                    .find(|t| holds(t));
                let name = node["heap"]["name"].as_str().filter(|n| holds(n) && value != Some(n));
                let class = node["heap"]["class"].as_str().filter(|n| holds(n));
                for (place, text) in [("value", value), ("name", name), ("class", class)] {
                    expected.extend(text.map(|text| (id(node), place, text.to_owned())));
                }
            }
            let ids: BTreeSet<i64> = nodes.iter().map(id).collect();
            for edge in &edges {
                let label = edge["label"].as_i64().expect("a label");
                let text = if label < 0 { "7" } else { NAMES[label as usize] };
                let source = edge["source"].as_i64().expect("a source");
                if holds(text) && ids.contains(&source) {
                    expected.push((source, "label", text.to_owned()));
                }
            }
            got.sort();
            expected.sort();
            assert_eq!(got, expected, "{pattern}");
        }
        Ok(())
    });
}

/// How many matches are counted and found if `most` are enough, and whether the reader was stopped.
fn grepped(text: &str, places: &str, most: Option<u64>) -> (u64, u64, bool) {
    let patterns = patterns(&["a".to_owned()], true, false).expect("a sound pattern");
    let places = FoundIn::list(places).expect("sound places");
    let mut found = 0;
    let mut grep =
        Grep::new(Search { patterns, places, selection: Selection::default(), most }, |_| found += 1);
    let read = read::read(text.as_bytes(), SnapshotSelector::All, &mut grep);
    let stopped = read.as_ref().is_err_and(heap_base::Error::is_stop);
    assert!(read.is_ok() || stopped, "{read:?}");
    grep.finish(true).expect("to have enough is no error");
    (grep.into_report().count(), found, stopped)
}

#[test]
fn a_search_stops_when_there_are_enough() {
    let strings = r#"{"type":"string","stringid":1,"data":"a"}
"#;
    let body = r#"{"type":"node","subtype":4,"identifier":1,"heap":{"size":8,"class":1}}
{"type":"node","subtype":4,"identifier":3,"heap":{"size":8,"class":1}}
{"type":"edge","subtype":3,"source":3,"dest":1,"label":1}
{"type":"edge","subtype":3,"source":1,"dest":3,"label":1}
"#;
    let head = HEAD.join("\n") + "\n";
    let in_order = [&head, strings, body].concat();
    // What comes before its string is held back until all has come.
    let held_back = [&head, body, strings].concat();
    for (most, count) in
        [(None, 4), (Some(0), 0), (Some(1), 1), (Some(2), 2), (Some(3), 3), (Some(4), 4), (Some(5), 4)]
    {
        let stops = most.is_some_and(|most| most <= 4);
        assert_eq!(grepped(&in_order, "class,label", most), (count, count, stops), "{most:?}");
        assert_eq!(grepped(&held_back, "class,label", most), (count, count, false), "{most:?}");
        // The next stream ends the wait.
        let twice = [&*held_back, &held_back].concat();
        let count = most.map_or(8, |most| most.min(8));
        assert_eq!(grepped(&twice, "class,label", most), (count, count, stops), "{most:?}");
    }
    assert_eq!(grepped(&in_order, "value,name", Some(1)), (0, 0, false));
}

#[test]
fn places_are_listed_by_their_words() {
    let all = [FoundIn::Label, FoundIn::Value, FoundIn::Name, FoundIn::Class];
    assert_eq!(FoundIn::list("label,value,name,class"), Ok(all.to_vec()));
    assert_eq!(FoundIn::list("value,values"), Err("values"));
    assert_eq!(FoundIn::list("value,,name"), Err(""));
}

#[test]
fn an_object_is_shown_with_all_its_edges() {
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        let nodes = named(&lines);
        let wanted = id(u.choose(&nodes)?);
        let edges: Vec<Json> = lines.iter().filter(|l| l["type"] == "edge").cloned().collect();
        if u.arbitrary()? {
            shuffle(u, &mut lines)?;
        }
        let mut show = Show::new(selection(&[("id", &wanted.to_string())]), Sides::default());
        drive(&text(&lines), &mut show);
        let [shown] = show.report().rows() else { panic!("{:?}", show.report().rows()) };
        assert_eq!(shown.id, wanted);
        let of = |id: i64| nodes.iter().find(|n| n["identifier"] == id).map(class);
        let mut out: Vec<_> =
            shown.out.iter().map(|e| (e.end.id, e.end.class.as_deref().map(str::to_owned))).collect();
        let mut into: Vec<_> =
            shown.into.iter().map(|e| (e.end.id, e.end.class.as_deref().map(str::to_owned))).collect();
        let ends = |from: &str, to: &str| -> Vec<_> {
            let mut ends: Vec<_> = edges
                .iter()
                .filter(|e| e[from] == wanted)
                .map(|e| (e[to].as_i64(), e[to].as_i64().filter(|i| i & 1 == 1).and_then(of)))
                .collect();
            ends.sort();
            ends
        };
        out.sort();
        into.sort();
        assert_eq!(out, ends("source", "dest"));
        assert_eq!(into, ends("dest", "source"));
        Ok(())
    });
}

#[test]
fn what_is_beyond_the_most_is_counted() {
    let mut left_out = 0;
    arbtest::arbtest(|u| {
        let mut lines = stream(u)?;
        if u.arbitrary()? {
            shuffle(u, &mut lines)?;
        }
        let most = Most { nodes: Some(u.int_in_range(1..=9)?), edges: None, labels: None };
        let shown = |most| {
            let mut show = Show::with_most(selection(&[("min-size", "8")]), Sides::default(), most);
            drive(&text(&lines), &mut show);
            (show.report().rows().to_vec(), show.report().more())
        };
        let (all, (some, more)) = (shown(Most::default()).0, shown(most));
        let count = all.len().min(most.nodes.unwrap_or_default());
        assert_eq!(some, all[..count]);
        assert_eq!(more, all.len() - count);
        left_out += more;
        Ok(())
    });
    assert!(left_out > 0);
}

pub(super) fn load(text: &str, selection: Selection, labels: bool) -> NamedGraph {
    let keep = Keep {
        ids: true,
        classes: true,
        names: true,
        subtypes: true,
        labels,
        kinds: labels,
        weak: true,
        ..Keep::default()
    };
    let mut load = GraphLoader::new(selection, keep, true);
    read::read(text.as_bytes(), SnapshotSelector::All, &mut load).expect("a sound stream");
    load.build().expect("a sound graph")
}

/// A stream whose first node is the root.
pub(super) fn rooted(u: &mut Unstructured<'_>) -> Gen<(Vec<Json>, String)> {
    let lines = stream(u)?;
    let root = r#"{"type":"metadata","key":"heap.root","value":"1"}"#;
    let text = text(&lines).replacen(HEAD[1], &format!("{}\n{root}", HEAD[1]), 1);
    Ok((lines, text))
}

#[test]
fn retained_sums_are_the_same_from_a_graph_and_from_an_annotated_stream() {
    arbtest::arbtest(|u| {
        let (lines, text) = rooted(u)?;
        let rows = |sum: &OnePass<Sum>| {
            let mut rows: Vec<String> = sum.report().rows().iter().map(|r| format!("{r:?}")).collect();
            rows.sort();
            rows
        };
        let mut direct = RetainedSum::new(Sum::new(Vec::new(), Selection::default()), None);
        read::read(text.as_bytes(), SnapshotSelector::All, &mut direct).expect("a sound stream");
        let mut direct = direct.build().expect("a sound graph");
        direct.finish(true).expect("memory takes everything");

        let known = Annotations::of(load(&text, Selection::default(), false).heap, None);
        let mut annotate = known.to(Writer::new(Vec::new())).expect("no file");
        read::read(text.as_bytes(), SnapshotSelector::All, &mut annotate).expect("a sound stream");
        annotate.finish(true).expect("memory takes everything");
        let annotated =
            String::from_utf8(annotate.into_inner().into_inner()).expect("the writer writes UTF-8");
        let mut piped = Sum::new(Vec::new(), Selection::default());
        drive(&annotated, &mut piped);
        assert_eq!(rows(&piped), rows(&direct), "{annotated}");

        // The root retains what it reaches, and nothing else has a retained size.
        let nodes: Vec<Json> = annotated
            .lines()
            .map(|l| serde_json::from_str(l).expect("JSON"))
            .filter(|r: &Json| r["type"] == "node")
            .collect();
        let reached = nodes.iter().filter(|n| n["heap"]["reachable"] == true);
        assert_eq!(nodes[0]["heap"]["retained"], reached.map(size).sum::<u64>());
        assert!(nodes.iter().all(|n| n["heap"]["reachable"] == n["heap"].get("retained").is_some()));
        assert_eq!(nodes.len(), lines.iter().filter(|l| l["type"] == "node").count());
        Ok(())
    });
}

#[test]
fn the_top_by_retained_size_is_that_of_an_annotated_stream() {
    arbtest::arbtest(|u| {
        let (_, text) = rooted(u)?;
        let known = Annotations::of(load(&text, Selection::default(), false).heap, None);
        let mut annotate = known.to(Writer::new(Vec::new())).expect("no file");
        read::read(text.as_bytes(), SnapshotSelector::All, &mut annotate).expect("a sound stream");
        annotate.finish(true).expect("memory takes everything");
        let annotated =
            String::from_utf8(annotate.into_inner().into_inner()).expect("the writer writes UTF-8");
        let limit = u.int_in_range(0..=6)?;
        let top = |text: &str| -> Vec<(u64, i64)> {
            let mut top = RetainedTop::new(Selection::default(), None);
            read::read(text.as_bytes(), SnapshotSelector::All, &mut top).expect("a sound stream");
            let rows = top.build(limit).expect("a sound graph");
            rows.iter().map(|row| (row.heap.retained.unwrap_or(0), row.id)).collect()
        };
        let mut expected: Vec<(u64, i64)> = annotated
            .lines()
            .map(|line| serde_json::from_str::<Json>(line).expect("JSON"))
            .filter(|record| record["type"] == "node")
            .filter_map(|node| Some((node["heap"]["retained"].as_u64()?, id(&node))))
            .filter(|&(retained, _)| retained > 0)
            .collect();
        expected.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        expected.truncate(limit);
        assert_eq!(top(&text), expected);
        assert_eq!(top(&annotated), expected);
        Ok(())
    });
}

#[test]
fn paths_lead_from_the_root_over_edges_that_are_there() {
    arbtest::arbtest(|u| {
        let (lines, text) = rooted(u)?;
        let nodes = named(&lines);
        let target = id(u.choose(&nodes)?);
        let loaded = load(&text, selection(&[("id", &target.to_string())]), true);
        let edges: BTreeSet<(i64, i64)> = lines
            .iter()
            .filter(|l| l["type"] == "edge")
            .filter_map(|e| Some((e["source"].as_i64()?, e["dest"].as_i64()?)))
            .collect();
        // The shortest distances, the slow way.
        let mut distance: BTreeMap<i64, usize> = BTreeMap::from([(1, 0)]);
        for _ in &nodes {
            for (from, to) in &edges {
                if let (Some(&d), true) = (distance.get(from), nodes.iter().any(|n| id(n) == *to)) {
                    let best = distance.entry(*to).or_insert(usize::MAX);
                    *best = (*best).min(d + 1);
                }
            }
        }
        let mut lengths = Vec::new();
        each((&loaded, &Clues::default()), Ways::Shortest, &[], |found| {
            for steps in found.paths {
                assert_eq!((steps[0].id, steps[steps.len() - 1].id), (1, target));
                assert!(steps.windows(2).all(|w| edges.contains(&(w[0].id, w[1].id))));
                lengths.push(steps.len() - 1);
            }
            Ok(true)
        })
        .expect("memory takes everything");
        assert_eq!(lengths, distance.get(&target).copied().into_iter().collect::<Vec<_>>());

        let all = load(&text, Selection::default(), false);
        let mut all = all;
        all.chosen = (0..all.heap.graph.nodes()).collect();
        for by in [MergeBy::Class, MergeBy::Label] {
            let merged = merged(&all, &[], by).expect("memory takes everything");
            let branches = merged.branches;
            let ends: u64 = branches.iter().map(|b| b.ends).sum();
            assert_eq!(ends, distance.len() as u64);
            assert_eq!(merged.lost, nodes.len() as u64 - ends);
            assert_eq!(branches.iter().filter(|b| b.depth == 0).map(|b| b.count).sum::<u64>(), ends);
        }
        Ok(())
    });
}

#[test]
fn walks_agree_with_steps_over_all_edges() {
    arbtest::arbtest(|u| {
        let (lines, text) = rooted(u)?;
        let nodes: BTreeSet<i64> = named(&lines).iter().map(id).collect();
        let start = *u.choose(&nodes.iter().copied().collect::<Vec<_>>())?;
        let way = Way {
            depth: u.int_in_range(0..=3)?,
            back: u.arbitrary()?,
            via: if u.arbitrary()? { vec![Glob::new("A*"), Glob::new("7")] } else { Vec::new() },
            with_path: u.arbitrary()?,
        };
        let mut reached = BTreeSet::from([start]);
        for _ in 0..way.depth {
            let mut next = reached.clone();
            for edge in lines.iter().filter(|l| l["type"] == "edge") {
                let (Some(from), Some(to)) = (edge["source"].as_i64(), edge["dest"].as_i64()) else {
                    continue;
                };
                let label = edge["label"].as_i64().expect("a label");
                let label = if label < 0 { "7" } else { NAMES[label as usize] };
                let passes = way.via.is_empty() || way.via.iter().any(|g| g.matches(label));
                let (a, b) = if way.back { (to, from) } else { (from, to) };
                if passes && reached.contains(&a) && nodes.contains(&b) && nodes.contains(&a) {
                    next.insert(b);
                }
            }
            reached = next;
        }
        let loaded = load(&text, selection(&[("id", &start.to_string())]), true);
        let (got, _): (IdSet, bool) = walk(&loaded, &way).expect("memory takes everything");
        if way.with_path {
            each((&loaded, &Clues::default()), Ways::Shortest, &[], |found| {
                reached.extend(found.paths.iter().flatten().map(|step| step.id));
                Ok(true)
            })
            .expect("memory takes everything");
        }
        assert_eq!(got.len(), reached.len() as u64, "{way:?}");
        assert!(reached.iter().all(|&id| got.contains(id)));
        Ok(())
    });
}

#[test]
fn objects_with_a_hash_are_the_same_only_in_the_same_class() {
    // Two classes of one name, as two libraries may have, and an object that takes no space.
    let file = |nodes: &[(i64, i64, u64)]| {
        let mut text = HEAD.join("\n") + "\n";
        text.push_str(concat!(
            r#"{"type":"metadata","key":"heap.identity","value":"dart.hash dart.class"}"#,
            "\n",
            r#"{"type":"string","stringid":0,"data":"Node"}"#,
            "\n"
        ));
        for (i, (class, hash, size)) in nodes.iter().enumerate() {
            let id = 2 * i + 1;
            let (heap, dart) = (json!({"size":size,"class":0}), json!({"class":class,"hash":hash}));
            let node = json!({"type":"node","subtype":4,"identifier":id,"heap":heap,"dart":dart});
            text.push_str(&node.to_string());
            text.push('\n');
        }
        let mut census = Census::new(Selection::default(), true);
        drive(&text, &mut census);
        census.into_report()
    };
    let diff = Diff::of(vec![
        file(&[(1, 77, 16), (2, 78, 16), (1, 80, 0)]),
        file(&[(2, 77, 16), (2, 78, 16), (1, 80, 0), (1, 81, 8)]),
    ]);
    assert!(diff.by_identity);
    let [row] = &diff.rows[..] else { panic!("{} rows", diff.rows.len()) };
    assert_eq!((row.new.count, row.gone.count, row.kept.count), (2, 1, 2));
    assert_eq!((row.new.size, row.gone.size, row.kept.size), (24, 16, 16));
}
