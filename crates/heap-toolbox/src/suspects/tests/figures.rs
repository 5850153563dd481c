//! Figures of suspects in random heaps are those of brute force.

use super::*;

/// A random heap as lists: strong edges, weak ones, entries of weak tables (key, table, value).
#[derive(Debug)]
struct Random {
    sizes: Vec<u64>,
    classes: Vec<u8>,
    strong: Vec<(usize, usize)>,
    weak: Vec<(usize, usize)>,
    entries: Vec<(usize, usize, usize)>,
}

impl Random {
    fn new(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        let nodes = u.int_in_range(4..=24usize)?;
        let any = |u: &mut arbitrary::Unstructured<'_>| u.int_in_range(0..=nodes - 1);
        let list =
            |u: &mut arbitrary::Unstructured<'_>, most: usize| -> arbitrary::Result<Vec<(usize, usize)>> {
                (0..u.int_in_range(0..=most)?).map(|_| Ok((any(u)?, any(u)?))).collect()
            };
        let (strong, weak, pairs) = (list(u, nodes * 2)?, list(u, nodes / 2)?, list(u, 6)?);
        let entries = pairs.into_iter().map(|(key, table)| Ok((key, table, any(u)?)));
        let entries = entries.collect::<arbitrary::Result<_>>()?;
        let sizes = (0..nodes).map(|_| u.int_in_range(1..=500)).collect::<arbitrary::Result<_>>()?;
        let classes = (0..nodes).map(|_| u.int_in_range(b'A'..=b'E')).collect::<arbitrary::Result<_>>()?;
        Ok(Self { sizes, classes, strong, weak, entries })
    }

    fn heap(&self) -> Heap {
        let id = |node: usize| 2 * node as u32 + 1;
        let mut heap = Heap::default();
        for (node, &size) in self.sizes.iter().enumerate() {
            heap.object(id(node), size as u32, &char::from(self.classes[node]).to_string(), None);
        }
        for (at, &(from, to)) in self.strong.iter().enumerate() {
            heap.edge(Some((id(from), &format!("p{at}"))), id(to));
        }
        for &(from, to) in &self.weak {
            let (from, to) = (id(from), id(to));
            let _ = writeln!(heap.edges, r#"{{"type":"edge","subtype":2,"source":{from},"dest":{to}}}"#);
        }
        for &(key, table, value) in &self.entries {
            let (key, table, value) = (id(key), id(table), id(value));
            let _ = writeln!(
                heap.edges,
                r#"{{"type":"edge","subtype":2,"source":{table},"dest":{value},"heap":{{"key":{key}}}}}"#
            );
            let _ = writeln!(
                heap.edges,
                r#"{{"type":"edge","subtype":1,"source":{key},"dest":{value},"heap":{{"table":{table}}}}}"#
            );
        }
        heap
    }

    /// Bytes that are alive without `removed`: again and again over all edges and entries, until nothing more is reached.
    fn alive(&self, removed: Option<usize>) -> u64 {
        let mut alive = vec![false; self.sizes.len()];
        alive[0] = removed != Some(0);
        loop {
            let strong = self.strong.iter().filter(|edge| alive[edge.0]).map(|edge| edge.1);
            let values =
                self.entries.iter().filter(|(key, table, _)| alive[*key] && alive[*table]).map(|e| e.2);
            let met: Vec<usize> =
                strong.chain(values).filter(|&node| !alive[node] && removed != Some(node)).collect();
            if met.is_empty() {
                return alive
                    .iter()
                    .zip(&self.sizes)
                    .filter(|(alive, _)| **alive)
                    .map(|(_, size)| size)
                    .sum();
            }
            for node in met {
                alive[node] = true;
            }
        }
    }
}

/// What a row says of its holder is what goes with it, by taking it out; of a note no more than that.
#[test]
fn figures_are_what_goes_with_the_holder() {
    use std::cell::Cell;
    let (cases, rows, by_entries) = (Cell::new(0), Cell::new(0), Cell::new(0));
    while cases.get() < 500 {
        arbtest::arbtest(|u| {
            let random = Random::new(u)?;
            let (graph, clues) = random.heap().load("none");
            let all = random.alive(None);
            let findings = suspects(graph, &clues, &[], LIMITS).expect("strings can be read");
            // Where no root reaches most of the heap, all is judged, and the roots hold what is lost.
            if findings.totals != [all] {
                let (totals, size) = (&findings.totals, random.sizes.iter().sum::<u64>());
                assert!(totals[0] > all && 2 * all <= size, "{totals:?}, {all} of {size}: {random:?}");
                return Ok(());
            }
            for row in &findings.suspects {
                let (Some((id, _)), Kind::Accumulation) = (row.id, row.kind) else { continue };
                let gone = all - random.alive(Some((id / 2) as usize));
                let exact = row.level != Level::Note || random.entries.is_empty();
                assert!(
                    row.retained == gone || !exact && row.retained <= gone,
                    "{row:#?} retains {gone}: {random:?}"
                );
                rows.set(rows.get() + 1);
                by_entries.set(by_entries.get() + u32::from(exact && !random.entries.is_empty()));
            }
            cases.set(cases.get() + 1);
            Ok(())
        });
    }
    assert!(rows.get() > 500 && by_entries.get() > 100, "{rows:?} rows, {by_entries:?} beside entries");
}
