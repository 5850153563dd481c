//! Retained sizes of a real Java heap by removal: an object retains what no root reaches once it is gone. Slow and
//! obvious, so it is done for objects that a seeded draw names, and for those that retain most.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::harness::Scratch;

/// A heap as heap-dom has it.
#[derive(Default)]
struct Heap {
    /// Identifier, shallow size and retained size, if a root reaches the object.
    nodes: Vec<(i64, u64, Option<u64>)>,
    edges: Vec<Vec<usize>>,
    roots: Vec<usize>,
}

fn read(stream: &str) -> Heap {
    let mut heap = Heap::default();
    let (mut index, mut weak, mut roots) = (HashMap::new(), HashSet::new(), Vec::new());
    for line in stream.lines() {
        let record: Value = serde_json::from_str(line).expect("a record is JSON");
        let int = |key: &str| record[key].as_i64();
        match record["type"].as_str() {
            Some("metadata") if record["key"] == "heap.root" => {
                roots.extend(record["value"].as_str().and_then(|id| id.parse::<i64>().ok()));
            }
            Some("edge_type") if record["heap"]["retains"] == "no" => {
                weak.insert(int("edgetypeid"));
            }
            Some("node") => {
                let id = int("identifier").expect("a node has an identifier");
                let size = record["heap"]["size"].as_u64().unwrap_or(0);
                index.insert(id, heap.nodes.len());
                heap.nodes.push((id, size, record["heap"]["retained"].as_u64()));
                heap.edges.push(Vec::new());
            }
            Some("edge") if !weak.contains(&int("subtype")) => {
                let ends = [int("source"), int("dest")].map(|id| id.and_then(|id| index.get(&id)).copied());
                if let [Some(source), Some(dest)] = ends {
                    heap.edges[source].push(dest);
                }
            }
            _ => {}
        }
    }
    heap.roots = roots.iter().filter_map(|id| index.get(id)).copied().collect();
    heap
}

impl Heap {
    /// Bytes of what roots reach without an object.
    fn reached(&self, without: Option<usize>) -> u64 {
        let mut seen = vec![false; self.nodes.len()];
        if let Some(node) = without {
            seen[node] = true;
        }
        let mut stack = self.roots.clone();
        let mut bytes = 0;
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                bytes += self.nodes[node].1;
                stack.extend(&self.edges[node]);
            }
        }
        bytes
    }
}

#[test]
fn objects_of_a_java_heap_retain_what_goes_with_them() {
    let scratch = Scratch::new();
    for refs in ["all", "hard"] {
        let stream =
            scratch.run(&format!("heap-dom --java-refs {refs} data/java/shop.hprof.zst")).quiet(0).out;
        let heap = read(&stream);
        let all = heap.reached(None);
        let mut chosen: Vec<usize> = (0..heap.nodes.len()).collect();
        chosen.sort_by_key(|&node| std::cmp::Reverse(heap.nodes[node].2));
        chosen.truncate(40);
        let mut seed = 42_u64;
        chosen.extend((0..160).map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % heap.nodes.len()
        }));
        let (mut reached, mut large) = (0, 0);
        for node in chosen {
            let (id, size, retained) = heap.nodes[node];
            let expected = all - heap.reached(Some(node));
            assert_eq!(retained.unwrap_or(0), expected, "{refs}: {id}");
            reached += u64::from(retained.is_some());
            large += u64::from(expected > size);
        }
        // The draw would say little if it met garbage or leaves only.
        assert!(
            reached > 150 && large > 50,
            "{refs}: {reached} reached, {large} with more than their own size"
        );
    }
}
