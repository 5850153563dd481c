//! Where much hangs together: the places of the dominator tree that a row may name.

use std::cmp::Reverse;
use std::ops::Range;

use heap_base::{BitSet, Map, Plus, Result, Set, join, sort_by};
use heap_graph::Outline;

use super::chunks;
use super::scene::Scene;
use heap_ops::place::{Sort, THREAD_FROM};

/// A place of the dominator tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) rank: u32,
    /// Bytes below it that no point further down accounts for.
    pub(super) bytes: u64,
    /// Below it is a list of links, each held by the one before: class and subtype of the links, see [`Scene::group`].
    pub(super) links: Option<u64>,
    /// Ranks directly below it that are places of their own; if there are some, the place is what they leave over.
    pub(super) apart: Vec<u32>,
}

/// So many of one class on the way down make a list.
const LINKS: usize = 8;
/// One link is so many steps below the one before, at most.
const BETWEEN: usize = 4;
/// So many large ones of one class are one crowd, below one place.
const CROWD: usize = 3;
/// The same, of any class and anywhere.
const CROWD_OF_ANY: usize = 8;
/// What keeps so many things is no entry of a collection.
const THINGS: usize = 3;
/// So many large threads below the roots are one crowd.
const CROWD_OF_THREADS: u64 = 20;

/// Goes down from the root, by the `bytes` of ranks, into all that has `floor` and is no place itself. A place is where the
/// way ends or spreads:
///
/// ```text
///   v ── b (most of v)              go on into b
///   v ┬─ small ones, half of v      v is a place
///     └─ b                          (b is a part of it)
///   v ┬─ b ┬─ b                     v is a place and the b are its crowd, if they are of one class of the program
///     ├─ b └─ b                     or lie in one table
///   v ── a ── b ── a ── b ── a      a list: its first link is a place, or v if links are inner parts
///   v ── b ── b                     v is a place, if the b are chunks of a queue: see [`chunks`]
///   v ┬─ b                          the small ones are a place, and the way goes on into b
///     └─ small ones, floor
/// ```
///
/// Roots are always gone through, but what is a crowd of theirs belongs to [`shared`]. O(children of what has `floor`).
pub(super) fn points(scene: &Scene<'_>, bytes: impl Fn(u32) -> u64, floor: u64) -> Vec<Point> {
    let tree = scene.tree;
    let crowds = crowds(scene, &bytes, floor);
    let mut found = Vec::new();
    let mut open: Vec<(u32, Vec<(u64, u32)>)> =
        if tree.is_empty() { Vec::new() } else { vec![(Outline::ROOT, Vec::new())] };
    while let Some((rank, mut above)) = open.pop() {
        let node = tree.node(rank);
        let (mut large, mut rest) = (Vec::new(), bytes(rank));
        for child in tree.children(rank) {
            let size = bytes(child);
            if size >= floor {
                rest = rest.saturating_sub(size);
                large.push(child);
            }
        }
        if scene.is_root(node) {
            large.retain(|&child| !crowds.contains(&scene.group(tree.node(child))));
        } else {
            let whole = bytes(rank);
            let largest = large.iter().copied().max_by_key(|&at| (tree.retained(at), Reverse(at)));
            let is_queue = largest.is_some_and(|at| chunks::things(scene, rank, at).is_some());
            if is_queue || large.is_empty() || rest >= whole - rest.min(whole) {
                found.push(Point { rank, bytes: whole, links: None, apart: Vec::new() });
                continue;
            }
            // Of which none is most of it.
            let most = large.iter().any(|&child| bytes(child).saturating_mul(2) > whole);
            if !most && (is_crowd(scene, node, &large) || is_tree(scene, node, &large)) {
                found.push(Point { rank, bytes: whole, links: None, apart: Vec::new() });
                continue;
            }
            if let [only] = large[..] {
                let group = scene.group(tree.node(only));
                if let Some(first) = first_link(scene, &above, group) {
                    // Links that are inner parts belong to the object above: a queue holds what they lead to.
                    let is_inner = scene.own().is_cell(tree.node(only));
                    let object = |&(_, rank): &(u64, u32)| {
                        let node = tree.node(rank);
                        !scene.is_root(node) && !scene.own().is_cell(node)
                    };
                    let queue = above[..first].iter().rfind(|of| object(of)).filter(|_| is_inner);
                    let head = queue.map_or(above[first].1, |of| of.1);
                    let links = (!is_inner).then_some(group);
                    if !is_inner || queue.is_some() {
                        found.push(Point { rank: head, bytes: bytes(head), links, apart: Vec::new() });
                        continue;
                    }
                }
            }
            if rest >= floor {
                found.push(Point { rank, bytes: rest, links: None, apart: large.clone() });
            }
        }
        above.push((scene.group(node), rank));
        for child in large {
            open.push((child, above.clone()));
        }
    }
    sort_by(&mut found, |a, b| b.bytes.cmp(&a.bytes).then(a.rank.cmp(&b.rank)));
    found
}

/// The topmost link of a list whose links are the last of `above` that are of `group`, if these are enough. What is of their
/// class too, and further above them than any link is above the next, is no link: it holds the list. So does what leads to them
/// by another function than any link does to the next, or by none, where links do by functions of few places.
fn first_link(scene: &Scene<'_>, above: &[(u64, u32)], group: u64) -> Option<usize> {
    let codes = |of: &[(u64, u32)]| -> Vec<u32> {
        let functions = of.iter().map(|&(_, rank)| scene.tree.node(rank));
        let functions = functions.filter(|&node| scene.own().sort(node) == Sort::Closure);
        functions.filter_map(|node| scene.own().code(node)).collect()
    };
    let mut seen: Set<Vec<u32>> = Set::default();
    let (mut first, mut links, mut longest) = (above.len(), 0, 0);
    while let Some(at) =
        above[..first].iter().rposition(|of| of.0 == group).filter(|at| at + BETWEEN >= first)
    {
        if links >= LINKS / 2 && first - at > longest {
            break;
        }
        let between = codes(&above[at + 1..first]);
        if links >= LINKS / 2 && seen.len() * 2 <= links && !seen.contains(&between) {
            break;
        }
        seen.insert(between);
        longest = longest.max(first - at);
        (first, links) = (at, links + 1);
    }
    (links >= LINKS).then_some(first)
}

/// The links of lists behind the first, as far as some ranks are links.
pub(super) fn later_links(scene: &Scene<'_>, ranks: &[u32]) -> BitSet {
    let mut ascending = ranks.to_vec();
    ascending.sort_unstable();
    let mut found = BitSet::default();
    for rank in ascending {
        if found.contains(rank) {
            continue;
        }
        if let Some(group) = list_at(scene, rank) {
            links_behind(scene, rank, group).for_each(|link| {
                found.insert(link);
            });
        }
    }
    found
}

fn links_behind<'a>(scene: &'a Scene<'_>, rank: u32, group: u64) -> impl Iterator<Item = u32> + 'a {
    std::iter::successors(next_link(scene, rank, group), move |&at| next_link(scene, at, group))
}

/// Class and subtype of the links of a list that begins at a rank, or goes on there.
pub(super) fn list_at(scene: &Scene<'_>, rank: u32) -> Option<u64> {
    let group = scene.group(scene.tree.node(rank));
    (links_behind(scene, rank, group).take(LINKS).count() == LINKS).then_some(group)
}

/// The link behind that of a rank.
pub(super) fn next_link(scene: &Scene<'_>, rank: u32, group: u64) -> Option<u32> {
    let tree = scene.tree;
    let most = |at: u32| tree.children(at).max_by_key(|&child| (tree.retained(child), Reverse(child)));
    let below = std::iter::successors(most(rank), |&at| most(at));
    below.take(BETWEEN).find(|&at| scene.group(tree.node(at)) == group)
}

/// Whether the large ones below a node are one crowd: of one class of the program, or in one table. Classes with their static
/// fields are one only if they have one name, as those that were loaded again and again: what a loader has loaded is no list.
fn is_crowd(scene: &Scene<'_>, node: u32, large: &[u32]) -> bool {
    let key = |node: u32| {
        let name = if scene.own().is_class(node) { scene.loaded.heap.name(node) } else { None };
        (scene.group(node), name)
    };
    let mut groups: Map<(u64, Option<i64>), usize> = Map::default();
    for &rank in large {
        *groups.entry(key(scene.tree.node(rank))).or_default() += 1;
    }
    let is_table = scene.own().is_cell(node) && !scene.own().is_scope(node);
    let of_crowd = |&rank: &u32| {
        let node = scene.tree.node(rank);
        let many = groups[&key(node)];
        many >= CROWD_OF_ANY || many >= CROWD && (is_table || scene.own().is_own(node))
    };
    large.iter().any(of_crowd)
}

/// Whether several of the large ones below a node are of its class, as the nodes of a tree are, and all of them hold mostly
/// objects of one class of the program: by words in place of numbers, such as `topics.order.north`, what piles up is the same.
fn is_tree(scene: &Scene<'_>, node: u32, large: &[u32]) -> bool {
    let tree = scene.tree;
    let group = scene.group(node);
    let is_node = |&rank: &u32| scene.group(tree.node(rank)) == group;
    if large.len() < CROWD || scene.own().sort(node) != Sort::Object || !large.iter().all(is_node) {
        return false;
    }
    let mut kinds = large.iter().map(|&rank| main_class(scene, rank));
    let first = kinds.next().flatten();
    first.is_some() && kinds.all(|kind| kind == first)
}

/// The class of the program whose objects have most below a rank: at least a quarter of it.
fn main_class(scene: &Scene<'_>, rank: u32) -> Option<u64> {
    let tree = scene.tree;
    // Of each class the bytes and the end of the last: those below another of their class are in its bytes.
    let mut sums: Map<u64, (u64, u32)> = Map::default();
    for at in rank + 1..tree.end(rank) {
        let node = tree.node(at);
        if scene.own().is_own(node) {
            let (bytes, end) = sums.entry(scene.group(node)).or_default();
            if at >= *end {
                (*bytes, *end) = (bytes.plus(tree.retained(at)), tree.end(at));
            }
        }
    }
    let most = sums.into_iter().max_by_key(|&(group, (bytes, _))| (bytes, Reverse(group)));
    most.filter(|&(_, (bytes, _))| bytes.saturating_mul(4) >= tree.retained(rank)).map(|(group, _)| group)
}

/// Objects of one class directly below the roots, each too small for a row of its own: what several places hold together.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    pub(super) group: u64,
    /// Their ranks, ascending.
    pub(super) ranks: Vec<u32>,
    pub(super) bytes: u64,
    /// Those that are large enough for a row of their own, and so are none of them.
    pub(super) large: Vec<u32>,
}

impl Shared {
    fn new(group: u64) -> Self {
        Self { group, ranks: Vec::new(), bytes: 0, large: Vec::new() }
    }
}

/// Fewer than this are no crowd, if they are not of the program's classes.
pub(super) const MANY: usize = 10;

/// Classes of threads of which many of a row's size hang directly below the roots and none stands out, such as those that all
/// wait at one place: no thread of them is a place.
fn crowds(scene: &Scene<'_>, bytes: impl Fn(u32) -> u64, floor: u64) -> Set<u64> {
    let tree = scene.tree;
    let mut groups: Map<u64, Vec<u64>> = Map::default();
    let mut roots = if tree.is_empty() { Vec::new() } else { vec![Outline::ROOT] };
    while let Some(root) = roots.pop() {
        for child in tree.children(root) {
            let (node, size) = (tree.node(child), bytes(child));
            if scene.is_root(node) {
                roots.push(child);
            } else if size >= floor && scene.own().is_thread(node) {
                groups.entry(scene.group(node)).or_default().push(size);
            }
        }
    }
    let is_crowd = |of: &(u64, Vec<u64>)| is_crowd_of_threads(of.1.iter().copied());
    groups.into_iter().filter(is_crowd).map(|(group, _)| group).collect()
}

/// Whether none of what so many threads have stands out.
pub(super) fn is_crowd_of_threads(sizes: impl Iterator<Item = u64>) -> bool {
    let (many, most, sum) =
        sizes.fold((0u64, 0u64, 0u64), |(many, most, sum), size| (many + 1, most.max(size), sum.plus(size)));
    many >= CROWD_OF_THREADS && most.saturating_mul(CROWD_OF_THREADS) <= sum.saturating_mul(2)
}

/// What hangs directly below the roots by class, if it has `floor` together; largest first. What is large itself is no part
/// of it, but for [`crowds`].
pub(super) fn shared(scene: &Scene<'_>, bytes: impl Fn(u32) -> u64, floor: u64) -> Vec<Shared> {
    let mut found = below_roots(scene, &bytes, floor);
    found.retain(|of| {
        let Some(&first) = of.ranks.first() else { return false };
        let many = if scene.own().is_own(scene.tree.node(first)) { CROWD } else { MANY };
        of.bytes >= floor && of.ranks.len() >= many
    });
    sort_by(&mut found, |a, b| b.bytes.cmp(&a.bytes).then(a.ranks[0].cmp(&b.ranks[0])));
    found
}

/// All that hangs directly below the roots by class; what is less than `floor` together may have prototypes among it. The classes
/// have no order.
pub(super) fn below_roots(scene: &Scene<'_>, bytes: impl Fn(u32) -> u64, floor: u64) -> Vec<Shared> {
    let tree = scene.tree;
    let least = scene.floor.max(floor);
    let crowds = crowds(scene, &bytes, least);
    let mut groups: Map<u64, Shared> = Map::default();
    let mut inner: Map<u64, bool> = Map::default();
    let mut roots = if tree.is_empty() { Vec::new() } else { vec![Outline::ROOT] };
    while let Some(root) = roots.pop() {
        let of_scope = scene.own().is_own_scope(tree.node(root));
        for child in tree.children(root) {
            let node = tree.node(child);
            if scene.is_root(node) {
                roots.push(child);
                continue;
            }
            let (size, group) = (bytes(child), scene.group(node));
            if of_scope && !scene.own().is_own(node) || size == 0 {
                continue;
            }
            if size >= least && !crowds.contains(&group) {
                groups.entry(group).or_insert_with(|| Shared::new(group)).large.push(child);
                continue;
            }
            if scene.own().is_cell(node) {
                // A table of nothing: what it leads to hangs here, unless the source says what is the runtime's own, as tables are
                // that a script or a class made.
                let own = scene.own();
                let is_made = own.has_scripts() || scene.loaded.heap.class(node).is_some();
                // Nor is a scope of the program a thing: an object of the program hangs here that its constructor's functions have,
                // which a timer and a table keep.
                let is_table = own.sort(node) == Sort::Array && !(own.has_runtime() && is_made);
                if is_table || !of_scope && own.is_own_scope(node) {
                    roots.push(child);
                }
                if *inner.entry(group).or_insert_with(|| is_entry(scene, child)) {
                    continue;
                }
            }
            let of = groups.entry(group).or_insert_with(|| Shared::new(group));
            of.ranks.push(child);
            of.bytes = of.bytes.plus(size);
        }
    }
    let mut found: Vec<Shared> = groups.into_values().collect();
    for of in found.iter_mut().filter(|of| of.bytes >= floor) {
        of.ranks.retain(|&rank| {
            let is_prototype = scene.own().is_prototype(tree.node(rank)).unwrap_or(false);
            of.bytes = of.bytes.saturating_sub(if is_prototype { bytes(rank) } else { 0 });
            !is_prototype
        });
        of.ranks.sort_unstable();
    }
    found
}

/// Whether the inner part of a rank is one of a collection, as far as the source says which are: what another class inside of one
/// of the runtime's is for, such as the open file behind each archive, is a thing of its own. So is in a heap with scripts, whose
/// source does not say it, what alone keeps several things, such as a module.
fn is_entry(scene: &Scene<'_>, rank: u32) -> bool {
    let (own, node) = (scene.own(), scene.tree.node(rank));
    let entries = &scene.clues.entries;
    if own.sort(node) != Sort::Object || own.is_scope(node) {
        return true;
    }
    if entries.is_empty() {
        return !own.has_scripts() || scene.tree.children(rank).take(THINGS).count() < THINGS;
    }
    let class = scene.loaded.class(node).unwrap_or_default();
    entries.iter().any(|glob| glob.matches(&class))
}

/// How many members of a row a node is, has, or leads to through inner parts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    node: u32,
    row: u32,
    members: u32,
}

/// Steps back from shared objects to what holds them, at most: a table and its entries lie between.
const BACK: usize = 3;
/// Holders that a row names, at most.
const HOLDERS: usize = 5;

/// For each of `all` the objects that refer, in a few steps through inner parts, to at least half of its members; those with
/// the most first. One pass over the edges for each step back.
pub(super) fn holders(scene: &Scene<'_>, all: &[Shared]) -> Result<Vec<Vec<u32>>> {
    let mut counts: Vec<Count> = Vec::new();
    for (row, of) in (0..).zip(all) {
        counts.extend(of.ranks.iter().map(|&rank| Count { node: scene.tree.node(rank), row, members: 1 }));
    }
    heap_base::sort(&mut counts);
    let members: BitSet = counts.iter().map(|count| count.node).collect();
    let mut found: Vec<Vec<(u32, u32)>> = vec![Vec::new(); all.len()];
    for _ in 0..BACK {
        let mut next = referrers(scene, &counts, &members)?;
        let is_inner = |node| scene.own().is_cell(node) && !scene.own().is_scope(node);
        for count in next.iter().filter(|count| !is_inner(count.node)) {
            let row = count.row as usize;
            if count.members as usize * 2 >= all[row].ranks.len() {
                found[row].push((count.node, count.members));
            }
        }
        next.retain(|count| is_inner(count.node));
        counts = next;
        if counts.is_empty() || found.iter().all(|found| !found.is_empty()) {
            break;
        }
    }
    let most = |mut found: Vec<(u32, u32)>| {
        // One that is there after several steps has its largest count first.
        heap_base::sort_by_key(&mut found, |&(node, count)| (node, Reverse(count)));
        found.dedup_by_key(|of| of.0);
        heap_base::sort_by_key(&mut found, |&(node, count)| (Reverse(count), node));
        found.into_iter().take(HOLDERS).map(|(node, _)| node).collect()
    };
    Ok(found.into_iter().map(most).collect())
}

/// What objects, arrays and classes that are none of `members` have of the nodes of `counts` by references that retain, each
/// pair of nodes once. Both ascending.
fn referrers(scene: &Scene<'_>, counts: &[Count], members: &BitSet) -> Result<Vec<Count>> {
    let (graph, rules) = (&scene.loaded.heap.graph, scene.rules);
    let mut wanted = BitSet::new(graph.nodes());
    for count in counts {
        wanted.insert(count.node);
    }
    // Adds what a source has, which refers to `ends`.
    let add = |source: u32, ends: &mut Vec<u32>, found: &mut Vec<Count>| {
        if ends.is_empty() || members.contains(source) {
            ends.clear();
            return;
        }
        ends.sort_unstable();
        ends.dedup();
        let first = found.len();
        for end in ends.drain(..) {
            let from = counts.partition_point(|count| count.node < end);
            for &Count { row, members, .. } in counts[from..].iter().take_while(|of| of.node == end) {
                match found[first..].iter_mut().find(|count| count.row == row) {
                    Some(sum) => sum.members = sum.members.saturating_add(members),
                    None => found.push(Count { node: source, row, members }),
                }
            }
        }
        found[first..].sort_unstable();
    };
    let part = |sources: Range<u32>| {
        let (mut found, mut ends): (Vec<Count>, Vec<u32>) = Default::default();
        for source in sources {
            for link in graph.links_at(graph.range(source)) {
                // Hardly any node refers to one that is wanted, so nothing else is looked at before.
                if wanted.contains(link.end()) && rules.gate(source).retains(link) {
                    ends.push(link.end());
                }
            }
            if !ends.is_empty() {
                add(source, &mut ends, &mut found);
            }
        }
        found
    };
    let nodes = graph.nodes();
    let mut found = Vec::new();
    if let Some(far) = scene.far {
        let mut ends = Vec::new();
        far.each(|source, edges| {
            ends.extend(edges.iter().filter(|of| of.2 && wanted.contains(of.1)).map(|of| of.1));
            add(source, &mut ends, &mut found);
        })?;
    } else {
        let second;
        (found, second) = join(nodes >= THREAD_FROM, || part(0..nodes / 2), || part(nodes / 2..nodes));
        found.extend(second);
    }
    found.retain(|of| matches!(scene.own().sort(of.node), Sort::Object | Sort::Array | Sort::Class));
    Ok(found)
}
