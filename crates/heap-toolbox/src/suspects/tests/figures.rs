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
        self.labelled(&[])
    }

    /// The heap, its strong edges labelled by `labels` in turn, as far as there are some; then nodes of class `E` are classes.
    fn labelled(&self, labels: &[&str]) -> Heap {
        let id = |node: usize| 2 * node as u32 + 1;
        let mut heap = Heap::default();
        for (node, &size) in self.sizes.iter().enumerate() {
            let class = char::from(self.classes[node]).to_string();
            if class == "E" && !labels.is_empty() {
                let (id, name) = (id(node), heap.string(&format!("E{node}")));
                heap.named(6, (id, size), name);
            } else {
                heap.object(id(node), size as u32, &class, None);
            }
        }
        for (at, &(from, to)) in self.strong.iter().enumerate() {
            let label = format!("p{at}");
            heap.edge(Some((id(from), labels.get(at % labels.len().max(1)).unwrap_or(&&*label))), id(to));
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
fn heaps_of_other_threads_are_said_to_be_unseen() {
    let unseen = |elsewhere: &[u64]| {
        let (last, before) = elsewhere.split_last().expect("a dump");
        let heap = |workers: u64| {
            let mut heap = ordinary();
            heap.fact("heap.elsewhere", &workers.to_string());
            heap.load("identifier")
        };
        let earlier: Vec<Earlier> = before.iter().map(|&workers| remembered(heap(workers))).collect();
        let (graph, clues) = heap(*last);
        suspects(graph, &clues, &earlier, LIMITS).expect("strings can be read").unseen()
    };
    assert_eq!(unseen(&[3, 2, 0]), None);
    let one = "1 worker has a heap of its own, which is not in the dump";
    assert_eq!(unseen(&[1]).as_deref(), Some(one));
    assert_eq!(unseen(&[1, 1]).as_deref(), Some(one));
    let many = "24 workers (8 → 16 → 24) have heaps of their own, which are not in the dump";
    assert_eq!(unseen(&[8, 16, 24]).as_deref(), Some(many));
}

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

/// The dominator tree ends searches sooner and changes no way.
#[test]
fn ways_are_the_same_with_the_dominator_tree_and_without() {
    use heap_ops::place::Names;
    use std::cell::Cell;
    let labels = ["var:a", "shared", "p", "context", "exports", "table", "previous", "source"];
    let (cases, steps, classes) = (Cell::new(0), Cell::new(0), Cell::new(0));
    while cases.get() < 2000 {
        arbtest::arbtest(|u| {
            let random = Random::new(u)?;
            let (mut graph, clues) = random.labelled(&labels).load("none");
            let nodes = graph.heap.graph.nodes();
            let (analysed, _) = with_texts(&mut graph, false).expect("strings can be read");
            let mut targets = heap_base::BitSet::new(nodes);
            for _ in 0..u.int_in_range(1..=4)? {
                targets.insert(u.int_in_range(0..=nodes - 1)?);
            }
            let naming = || Naming::new(&graph, &clues, &analysed.rules).expect("strings can be read");
            let (plain, within) = (naming(), naming().within(&analysed.outline));
            let [plain, within] = [&plain, &within].map(|naming| {
                let names = Names::new(naming, &targets).expect("strings can be read");
                let way = |node| {
                    let steps = names.steps(node).expect("strings can be read");
                    steps.map(|steps| steps.iter().map(|step| (step.node, step.edge)).collect::<Vec<_>>())
                };
                targets.iter().map(way).collect::<Vec<_>>()
            });
            assert_eq!(within, plain, "{:?} of {random:?}", targets.iter().collect::<Vec<_>>());
            steps.set(steps.get() + plain.iter().flatten().map(Vec::len).sum::<usize>());
            let firsts = plain.iter().flatten().map(|way| way[0].0);
            classes.set(classes.get() + firsts.filter(|&first| first != 0).count());
            cases.set(cases.get() + 1);
            Ok(())
        });
    }
    assert!(steps.get() > 4000 && classes.get() > 100, "{steps:?} steps, {classes:?} ways from classes");
}

/// What `root` holds of each of three classes, without identifiers that last, and the histories of rows by class.
fn histories(rootless: bool, counts: [u32; 3]) -> Vec<(String, Vec<u64>)> {
    let heap = |count: u32| {
        let mut heap = Heap { rootless, ..Heap::default() };
        heap.object(1, 0, "(root)", None);
        for i in 0..3 * count {
            let class = ["Session", "Order", "Cart"][i as usize % 3];
            heap.object(3 + 2 * i, 1000, class, Some((1, class)));
        }
        heap.load("none")
    };
    let earlier = [counts[0], counts[1]].map(|count| remembered(heap(count)));
    let (graph, clues) = heap(counts[2]);
    let found = found(graph, &clues, &earlier);
    found.into_iter().map(|row| (row.class, row.history)).collect()
}

/// Three objects of 1000 bytes are large in a heap of 9000, and a few among many later.
#[test]
fn what_was_large_in_a_small_dump_is_one_of_many_later() {
    let found = histories(false, [3, 23, 43]);
    for class in ["Session", "Order", "Cart"] {
        assert!(found.contains(&(class.to_owned(), vec![3000, 23_000, 43_000])), "{found:?}");
    }
}

#[test]
fn a_holder_without_a_name_is_not_taken_for_what_it_holds() {
    let found = histories(true, [600, 800, 1000]);
    for (class, each) in [("(root)", 3), ("Session", 1), ("Cart", 1)] {
        let history = [600, 800, 1000].map(|count| each * 1000 * count).to_vec();
        assert!(found.contains(&(class.to_owned(), history)), "{found:?}");
    }
}

/// The way to the only cache is another one in each dump, as the dump of some machines lacks references.
#[test]
fn a_place_that_has_another_name_in_each_dump_is_known_by_its_class() {
    let heap = |count: u32, above: u32, label: &str| {
        let mut heap = ordinary();
        heap.object(5001, 10, "Service", Some((1, "service")));
        heap.object(5003, 10, "Cache", Some((above, label)));
        items(&mut heap, 5003, count);
        heap.load("none")
    };
    let earlier = [remembered(heap(20, 3, "cache")), remembered(heap(40, 1, "spare"))];
    let (graph, clues) = heap(60, 5001, "entries");
    let found = found(graph, &clues, &earlier);
    let row = at(&found, "root.service.entries");
    assert_eq!((row.history.as_slice(), row.level), (&[2010, 4010, 6010][..], Level::Leak), "{row:?}");
}

/// A heap in which services have a list of items each in their field `done`: for each what leads to it, and how many.
fn services(of: &[(&str, u32)]) -> (NamedGraph, Clues) {
    let mut heap = ordinary();
    heap.fact("heap.runtime", "java.*");
    for (at, &(label, count)) in (0..).zip(of) {
        let id = 5001 + 10 * at;
        heap.object(id, 10, "Service", Some((1, label)));
        heap.object(id + 2, 10, "java.List", Some((id, "done")));
        for i in 0..count {
            heap.object(20_001 + 2000 * at + 2 * i, 100, "Item", Some((id + 2, &format!("item{i}"))));
        }
    }
    // Another list.
    heap.object(6001, 10, "java.List", Some((3, "lists")));
    for i in 0..10 {
        heap.object(6003 + 2 * i, 100, "Item", Some((6001, &format!("item{i}"))));
    }
    heap.load("none")
}

/// A local variable leads to the service at first, and then what waits in a queue.
#[test]
fn a_place_that_has_another_name_in_each_dump_is_known_by_its_field() {
    let earlier = [remembered(services(&[("main", 20)])), remembered(services(&[("worker", 40)]))];
    let (graph, clues) = services(&[("task", 60)]);
    let found = found(graph, &clues, &earlier);
    let row = at(&found, "root.task.done");
    assert_eq!((row.history.as_slice(), row.level), (&[2010, 4010, 6010][..], Level::Leak), "{row:?}");
}

#[test]
fn of_several_that_have_gone_nobody_knows_which_one_it_was() {
    let two = || remembered(services(&[("one", 20), ("other", 20)]));
    let (graph, clues) = services(&[("third", 60)]);
    let found_later = found(graph, &clues, &[two(), two()]);
    let row = at(&found_later, "root.third.done");
    assert_eq!((row.history.as_slice(), row.growth), (&[][..], None), "{row:?}");
    // Those that are still there are none of them.
    let (graph, clues) = services(&[("one", 20), ("other", 20), ("third", 60)]);
    let found = found(graph, &clues, &[two(), two()]);
    let row = at(&found, "root.third.done");
    assert_eq!(row.history, [0, 0, 6010], "{row:?}");
}

/// A pool whose threads end and are replaced, each with a number of its own, and lead to the one queue.
#[test]
fn numbers_in_the_names_of_threads_are_no_part_of_a_place() {
    let heap = |name: &str, count: u32| {
        let mut heap = ordinary();
        heap.fact("heap.runtime", "root");
        heap.fact("heap.runtime", "java.*");
        heap.fact("heap.thread", "java.Thread");
        heap.object(5001, 10, "java.Thread", Some((1, "thread")));
        let text = heap.string(name);
        heap.named(3, (5003, 10), text);
        heap.edge(Some((5001, "name")), 5003);
        heap.object(5005, 10, "java.Queue", Some((5001, "target")));
        items(&mut heap, 5005, count);
        heap.load("none")
    };
    let history = |names: [&str; 3]| {
        let earlier = [remembered(heap(names[0], 20)), remembered(heap(names[1], 40))];
        let (graph, clues) = heap(names[2], 60);
        let found = found(graph, &clues, &earlier);
        let row = found.iter().find(|row| row.place.contains(names[2])).expect("a row of the thread");
        row.history.clone()
    };
    let grown = history(["pool-1-thread-9", "pool-1-thread-84", "pool-1-thread-122"]);
    assert_eq!(grown[1..].iter().zip(&grown).map(|(now, then)| now - then).collect::<Vec<_>>(), [2000, 2000]);
    // Nobody knows whether it is the same.
    assert!(history(["reader-1", "reader-2", "writer-1"]).is_empty());
}
