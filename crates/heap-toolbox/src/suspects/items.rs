//! What a holder holds: how many of which class, and what of the program stands behind it.

use std::collections::VecDeque;

use heap_base::{BitSet, Map, Plus, Result, Set, sort_by};

use super::Holding;
use super::chunks;
use super::scene::Scene;
use heap_ops::place::{Sort, Way, is_inner, is_plain, is_shape};

/// How many classes of what is held are listed.
pub(super) const HOLDINGS: usize = 3;
/// Objects of the program are named first if they have this part of the bytes.
const FIRST: f64 = 0.3;
/// Objects of the runtime that people know are named before its inner parts if they have this part.
const KNOWN: f64 = 0.2;
/// Objects that are looked at for what stands behind them.
const SAMPLES: usize = 40;
/// Steps to what stands behind, at most, and nodes looked at on the way.
const BEHIND: u32 = 12;
const NEAR: usize = 200;
/// Fewer than this are few, and so many times as many inside of them are what piles up.
pub(super) const FEW: u64 = 10;
const MANY_MORE: u64 = 10;
/// So many of a class for each of what is held are parts of what stands behind, and not it.
const PARTS: u64 = 4;
/// What has this part of its bytes itself is what the row is about, not what hangs below it: a thread has its stack.
const ITSELF: f64 = 0.9;
/// What is a smaller part than one of so many is not what a holder is said to hold.
const TRIFLE: u64 = 20;
/// Objects that all functions of a list share, which are passed over to find what each has for itself.
const SURROUNDINGS: usize = 3;
/// Tables one in the other that are no tree yet.
const LEVELS: usize = 3;
/// Of the bytes of what holds things in things such a part is a good one: tables and links have the rest.
const GOOD_PART: u64 = 3;
/// Steps of a list in which one is looked for that has two of its links below it.
const BRANCHES: usize = 64;
/// Wrappers that are opened one in the other.
const WRAPPERS: usize = 4;

/// What a holder holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    /// Classes with their numbers, the one to speak of first.
    pub(super) holds: Vec<Holding>,
    /// What of the program stands behind it, where it is not the program's itself: `Heartbeat (app.js:28)`.
    pub(super) behind: Option<String>,
    /// Whether the class that is spoken of, or what stands behind it, is the program's.
    pub(super) own: bool,
    /// Nodes of the class that is spoken of.
    pub(super) nodes: Vec<u32>,
    /// If these are few: one of the many objects of the program's that pile up in them, and how many there are.
    pub(super) many: Option<(u32, u64)>,
    /// One of the many that the row says stand behind a few, though these are not most of the bytes.
    pub(super) in_few: Option<u32>,
    /// They are in chunks of one queue, see [`chunks`].
    pub(super) in_chunks: bool,
}

impl Items {
    /// An object of those that pile up, and how many there are: the many that are in a few tables, else what is spoken of.
    pub(super) fn piled(&self) -> Option<(u32, u64)> {
        self.many.or_else(|| Some((*self.nodes.first()?, self.holds.first()?.count)))
    }
}

/// Things of one class: one of them, how many they are, and what they retain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) node: u32,
    pub(super) count: u64,
    pub(super) bytes: u64,
}

/// What hangs directly below a rank, inner parts and the calls of threads opened, but for what stands `apart`.
pub(super) fn fan(scene: &Scene<'_>, rank: u32, apart: &[u32]) -> Vec<u32> {
    let tree = scene.tree;
    let (mut items, mut open) = (Vec::new(), vec![rank]);
    while let Some(cell) = open.pop() {
        for child in tree.children(cell).filter(|child| !apart.contains(child)) {
            let node = tree.node(child);
            let own = scene.own();
            let is_call = || own.sort(node) == Sort::Frame && own.is_thread(tree.node(rank));
            let is_open = own.is_cell(node) || is_call();
            if is_open { open.push(child) } else { items.push(child) }
        }
    }
    items
}

/// Ranks by class, the one with most bytes first.
pub(super) fn sums(scene: &Scene<'_>, ranks: &[u32]) -> Vec<Sum> {
    let mut by_group: Map<u64, Sum> = Map::default();
    for &rank in ranks {
        let node = scene.tree.node(rank);
        let sum = by_group.entry(scene.group(node)).or_insert(Sum { node, count: 0, bytes: 0 });
        *sum = Sum {
            node: sum.node.min(node),
            count: sum.count + 1,
            bytes: sum.bytes.plus(scene.tree.retained(rank)),
        };
    }
    let mut sums: Vec<Sum> = by_group.into_values().collect();
    sort_by(&mut sums, |a, b| b.bytes.cmp(&a.bytes).then(a.node.cmp(&b.node)));
    sums
}

/// What the node of a rank holds; `links` if it is a list of those.
pub(super) fn below(scene: &Scene<'_>, rank: u32, links: Option<u64>) -> Result<Items> {
    let tree = scene.tree;
    let largest = tree.children(rank).max_by_key(|&at| (tree.retained(at), std::cmp::Reverse(at)));
    if let Some(things) = largest.and_then(|largest| chunks::things(scene, rank, largest)) {
        return Ok(Items { in_chunks: true, ..within(scene, (&[rank], &[rank]), &things)? });
    }
    if let Some(group) = links {
        return chain(scene, rank, group);
    }
    let node = tree.node(rank);
    if scene.weights.get(node) as f64 >= tree.retained(rank) as f64 * ITSELF {
        return Ok(Items { own: scene.own().is_own(node), ..Items::default() });
    }
    let (inner, items) = opened(scene, rank);
    let bytes = |items: &[u32]| items.iter().fold(0u64, |sum, &item| sum.plus(tree.retained(item)));
    let is_little = bytes(&items) < tree.retained(rank) / 4;
    if is_little && let Some(shapes) = shapes(scene, rank)? {
        let mut found = within(scene, (&[rank], &[inner]), &items)?;
        found.holds.insert(0, shapes);
        found.holds.truncate(HOLDINGS);
        (found.behind, found.own) = (None, false);
        return Ok(found);
    }
    if !is_little {
        return within(scene, (&[rank], &[inner]), &items);
    }
    let entries = entries(scene, inner);
    if bytes(&entries) >= tree.retained(rank) / 2 {
        let mut found = within(scene, (&[rank], &[inner]), &entries)?;
        if let (Some(first), Some(&node)) = (found.holds.first_mut(), found.nodes.first()) {
            // Entries of one slot of a table lie below each other.
            first.count = first.count.max(count_of(scene, &[rank], scene.group(node))?);
            if first.count >= FEW {
                return Ok(found);
            }
        }
    }
    if bytes(&items).saturating_mul(TRIFLE) < tree.retained(rank) {
        // A table of numbers or of what others hold, too: a few things beside are not what it holds.
        return Ok(Items { own: scene.own().is_own(node), ..Items::default() });
    }
    within(scene, (&[rank], &[inner]), &items)
}

/// The objects directly below a rank and its arrays, inner parts too: entries in which nothing is, such as jobs that were
/// cancelled, are what is held.
fn entries(scene: &Scene<'_>, rank: u32) -> Vec<u32> {
    let (mut items, mut open) = (Vec::new(), vec![rank]);
    while let Some(of) = open.pop() {
        for child in scene.tree.children(of) {
            match scene.own().sort(scene.tree.node(child)) {
                Sort::Array => open.push(child),
                Sort::Object => items.push(child),
                _ => {}
            }
        }
    }
    items
}

/// What several ranks hold together.
pub(super) fn below_all(scene: &Scene<'_>, ranks: &[u32]) -> Result<Items> {
    let (mut inside, mut all) = (Vec::new(), Vec::new());
    for &rank in ranks {
        let (inner, items) = opened(scene, rank);
        inside.push(inner);
        let bytes = scene.weights.get(scene.tree.node(rank));
        // What has most of its bytes itself, such as a text, is what they hold.
        if items.is_empty() || bytes as f64 >= scene.tree.retained(rank) as f64 * ITSELF {
            all.push(rank);
        } else {
            all.extend(items);
        }
    }
    all.sort_unstable();
    within(scene, (ranks, &inside), &all)
}

/// What lies below some ranks.
fn inside<'a>(scene: &'a Scene<'_>, holders: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    holders.iter().flat_map(|&rank| rank + 1..scene.tree.end(rank))
}

/// How many of a group lie below some ranks, without what functions make these after.
fn count_of(scene: &Scene<'_>, holders: &[u32], group: u64) -> Result<u64> {
    let mut count = 0;
    for node in inside(scene, holders).map(|rank| scene.tree.node(rank)) {
        count += u64::from(scene.group(node) == group && !scene.own().is_prototype(node)?);
    }
    Ok(count)
}

/// Leaves out of `nodes` what functions make the others after, if there are others.
fn without_prototypes(scene: &Scene<'_>, nodes: &mut Vec<u32>) -> Result {
    let mut others = Vec::with_capacity(nodes.len());
    for &node in nodes.iter() {
        if !scene.own().is_prototype(node)? {
            others.push(node);
        }
    }
    if !others.is_empty() {
        *nodes = others;
    }
    Ok(())
}

/// What hangs directly below a rank, without wrappers of the runtime's around what matters, such as a set around its map; with
/// the innermost of these, or the rank itself.
pub(super) fn opened(scene: &Scene<'_>, rank: u32) -> (u32, Vec<u32>) {
    let tree = scene.tree;
    let (mut at, mut items) = (rank, fan(scene, rank, &[]));
    for _ in 0..WRAPPERS {
        let whole = tree.retained(at);
        let large = |&&item: &&u32| u128::from(tree.retained(item)) * 10 >= u128::from(whole) * 8;
        match items.iter().find(large) {
            // Where nobody says what is the runtime's, any object may be a wrapper.
            Some(&only)
                if matches!(scene.own().sort(tree.node(only)), Sort::Object | Sort::Array)
                    && !(scene.own().has_runtime() && scene.own().is_own(tree.node(only))) =>
            {
                let inner = fan(scene, only, &[]);
                if inner.is_empty() {
                    break;
                }
                (at, items) = (only, inner);
            }
            _ => break,
        }
    }
    (at, items)
}

/// What a set of ranks is, held by the nodes of `holders`, by class.
pub(super) fn of(scene: &Scene<'_>, holders: &[u32], items: &[u32]) -> Result<Items> {
    within(scene, (holders, holders), items)
}

/// The same of what lies in one part of each holder: what stands behind it does, too, but all in the holders are counted.
fn within(scene: &Scene<'_>, of: (&[u32], &[u32]), items: &[u32]) -> Result<Items> {
    speaking_of(scene, of, items, None)
}

/// The same, where that is of one group, of which it is known that it is what matters.
pub(super) fn speaking_of(
    scene: &Scene<'_>,
    (holders, parts): (&[u32], &[u32]),
    items: &[u32],
    group: Option<u64>,
) -> Result<Items> {
    let tree = scene.tree;
    let mut sums = sums(scene, items);
    let all = sums.iter().fold(0u64, |sum, of| sum.plus(of.bytes));
    let is_first = |of: &Sum| scene.own().is_own(of.node) && of.bytes as f64 >= all as f64 * FIRST;
    let given = group.and_then(|group| sums.iter().position(|of| scene.group(of.node) == group));
    let mut first = given.or_else(|| sums.iter().position(is_first));
    // A few of the program's, such as the cache that the timers of its entries lead to, are not what piles up beside them.
    let is_beside_many = given.is_none() && first.is_some_and(|first| is_beside_many(scene, &sums, first));
    if is_beside_many {
        first = None;
    } else if first.is_none() {
        first = with_parts(scene, items, &sums, all)?.or_else(|| beside_texts(scene, &sums));
    }
    let own = first.is_some_and(|first| given.is_none() || scene.own().is_own(sums[first].node));
    if first.is_none() && !is_beside_many {
        first = known_before_inner(scene, &sums, all)?.or_else(|| many_beside_few(scene, &sums, all));
    }
    if let Some(first) = first {
        sums[..=first].rotate_right(1);
    }
    let Some(&head) = sums.first() else { return Ok(Items::default()) };
    let group = scene.group(head.node);
    let mut nodes: Vec<u32> =
        items.iter().map(|&rank| tree.node(rank)).filter(|&node| scene.group(node) == group).collect();
    nodes.sort_unstable();
    if own {
        without_prototypes(scene, &mut nodes)?;
    }
    let mut holds = Vec::new();
    for (at, sum) in sums.iter().take(HOLDINGS).enumerate() {
        let mut count = sum.count;
        if at == 0 && own {
            // All of them, those that hang below others too.
            count = (nodes.len() as u64).max(count_of(scene, holders, group)?);
        }
        if at == 0 && !own && is_tree(scene, holders, group)? {
            // Not the few branches at its root.
            let all = count_of(scene, holders, group)?;
            count = if all >= count.saturating_mul(MANY_MORE) { all } else { count };
        }
        let own = scene.own().is_own(sum.node);
        holds.push(Holding { class: scene.class(sum.node)?, count, retained: sum.bytes, own });
    }
    let many = few(scene, (holders, head.node), &holds[0], head.count);
    let mut in_few = None;
    let mut behind = match many {
        Some((node, count)) => Some(format!("{count} {}", scene.own().class_with_place(node)?)),
        None if own => None,
        None => behind(scene, (holders, parts), &nodes, (&mut holds[0], &mut in_few))?,
    };
    if !own && behind.is_none() {
        behind = beside(scene, (holders, parts), items, &sums, (&mut holds, &mut nodes))?;
    }
    let own = own || is_beside_many || behind.is_some();
    // The class alone says nothing more of itself.
    let behind = behind.filter(|text| *text != holds[0].class);
    Ok(Items { holds, behind, own, nodes, many, in_few, in_chunks: false })
}

/// Whether a holder is itself one of what it holds, and nothing but a table, as the root of a tree of tables is: those below it lie
/// in more than a few levels, which a program that has one table in another does not write down.
fn is_tree(scene: &Scene<'_>, holders: &[u32], group: u64) -> Result<bool> {
    let [root] = holders else { return Ok(false) };
    let node = scene.tree.node(*root);
    let mut is_table = scene.group(node) == group && scene.own().sort(node) == Sort::Object;
    if is_table {
        scene.edges(node, |(way, ..)| is_table &= matches!(way, Way::Inner | Way::Meta | Way::Shared))?;
    }
    // Ends of the tables that the present one is in.
    let mut around: Vec<u32> = Vec::new();
    let is_deep = |rank: u32| {
        around.retain(|&end| end > rank);
        around.push(scene.tree.end(rank));
        around.len() > LEVELS
    };
    let of_group = |&rank: &u32| scene.group(scene.tree.node(rank)) == group;
    Ok(is_table && inside(scene, holders).filter(of_group).any(is_deep))
}

/// Shapes of objects, where these have most of what a rank retains: each copy of an object with names of its own in place of a
/// table has another one.
fn shapes(scene: &Scene<'_>, rank: u32) -> Result<Option<Holding>> {
    let tree = scene.tree;
    let mut sums: Map<u64, Sum> = Map::default();
    for node in (rank + 1..tree.end(rank)).map(|at| tree.node(at)) {
        if scene.own().sort(node) == Sort::Code {
            let sum = sums.entry(scene.group(node)).or_insert(Sum { node, count: 0, bytes: 0 });
            (sum.count, sum.bytes) = (sum.count + 1, sum.bytes.plus(scene.weights.get(node)));
        }
    }
    let Some(most) = sums.into_values().max_by_key(|of| (of.bytes, std::cmp::Reverse(of.node))) else {
        return Ok(None);
    };
    let subtype = scene.loaded.heap.subtypes.get(most.node);
    let is_shape = is_shape(&scene.loaded.context.types.node_name(subtype as u32));
    if !is_shape || most.bytes.saturating_mul(2) < tree.retained(rank) {
        return Ok(None);
    }
    let class = scene.class(most.node)?;
    Ok(Some(Holding { class, count: most.count, retained: most.bytes, own: false }))
}

/// Which class of the runtime's that people know stands before its inner parts, such as the sheets of a page before their rules.
fn known_before_inner(scene: &Scene<'_>, sums: &[Sum], all: u64) -> Result<Option<usize>> {
    let inner = |of: &Sum| scene.class(of.node).map(|class| is_inner(&class));
    if !scene.own().has_scripts() || !sums.first().map_or(Ok(false), inner)? {
        return Ok(None);
    }
    for (at, of) in sums.iter().enumerate().skip(1) {
        let is_much = of.bytes as f64 >= all as f64 * KNOWN && of.count >= FEW;
        if is_much && scene.own().sort(of.node) == Sort::Object && !inner(of)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Which class has many objects and much of the bytes beside a few of another, such as what several tables of one object have.
fn many_beside_few(scene: &Scene<'_>, sums: &[Sum], all: u64) -> Option<usize> {
    let few = sums.first().filter(|of| of.count < FEW)?.count;
    let is_many = |of: &Sum| {
        of.count >= few * MANY_MORE
            && of.bytes as f64 >= all as f64 * KNOWN
            && scene.own().sort(of.node) == Sort::Object
    };
    sums.iter().position(is_many)
}

/// Whether those of a class are few, and a hundred objects of one other class, or more, have more of the bytes.
fn is_beside_many(scene: &Scene<'_>, sums: &[Sum], few: usize) -> bool {
    let is_many = |of: &Sum| of.count >= FEW * MANY_MORE && scene.own().sort(of.node) == Sort::Object;
    few > 0 && sums[few].count < FEW && is_many(&sums[0])
}

/// Which class of the program has, with what else of the items its objects refer to, enough to be named first: a table of all
/// that was ever written has the parts of each object beside it.
fn with_parts(scene: &Scene<'_>, items: &[u32], sums: &[Sum], all: u64) -> Result<Option<usize>> {
    let tree = scene.tree;
    let owned = |of: &(usize, &Sum)| scene.own().is_own(of.1.node) && of.1.count >= FEW;
    let Some((at, most)) = sums.iter().enumerate().find(owned) else { return Ok(None) };
    let group = scene.group(most.node);
    let wanted: BitSet = items.iter().copied().collect();
    let nodes: Vec<u32> =
        items.iter().map(|&rank| tree.node(rank)).filter(|&node| scene.group(node) == group).collect();
    let (mut seen, mut looked, mut bytes) = (Set::default(), 0u64, 0u64);
    for node in samples(&nodes) {
        looked += 1;
        bytes = bytes.plus(tree.rank(node).map_or(0, |rank| tree.retained(rank)));
        scene.edges(node, |(way, end, retains)| {
            let part = tree.rank(end).filter(|&rank| retains && way != Way::Meta && wanted.contains(rank));
            // What several have is no part of one.
            if let Some(rank) = part.filter(|&rank| scene.group(end) != group && seen.insert(rank)) {
                bytes = bytes.plus(tree.retained(rank));
            }
        })?;
    }
    let each = bytes as f64 / looked.max(1) as f64;
    Ok((each * most.count as f64 >= all as f64 * FIRST).then_some(at))
}

/// Which class of the program has an object for each of the texts that are most of the bytes: these are the keys of a table, and
/// what stands there piles up.
fn beside_texts(scene: &Scene<'_>, sums: &[Sum]) -> Option<usize> {
    let texts = sums.first().filter(|of| scene.own().sort(of.node) == Sort::Text && of.count >= FEW)?;
    // A few keys may be of another sort of text.
    let is_alike = |of: &Sum| of.count.abs_diff(texts.count) <= texts.count / 10;
    sums.iter().position(|of| scene.own().is_own(of.node) && is_alike(of))
}

/// Of plain containers that lead to nothing of the program's: what is there as often, and does, such as the class of a program
/// that each of them is a variable of, is what piles up; with what stands behind it.
fn beside(
    scene: &Scene<'_>,
    (holders, parts): (&[u32], &[u32]),
    items: &[u32],
    sums: &[Sum],
    (holds, nodes): (&mut Vec<Holding>, &mut Vec<u32>),
) -> Result<Option<String>> {
    let Some((first, others)) = sums.split_first() else { return Ok(None) };
    let is_object = |of: &Sum| matches!(scene.own().sort(of.node), Sort::Object | Sort::Closure);
    if first.count < FEW || !is_object(first) || !is_plain(&scene.class(first.node)?) {
        return Ok(None);
    }
    let is_alike = |of: &&Sum| of.count.abs_diff(first.count) <= first.count / 10 && is_object(of);
    for of in others.iter().take(HOLDINGS).filter(is_alike) {
        let group = scene.group(of.node);
        let mut found: Vec<u32> = items.iter().map(|&rank| scene.tree.node(rank)).collect();
        found.retain(|&node| scene.group(node) == group);
        found.sort_unstable();
        let class = scene.class(of.node)?;
        let mut hold = Holding { class, count: of.count, retained: of.bytes, own: false };
        if let Some(text) = behind(scene, (holders, parts), &found, (&mut hold, &mut None))? {
            holds.retain(|known| known.class != hold.class);
            holds.insert(0, hold);
            holds.truncate(HOLDINGS);
            *nodes = found;
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// Of a few large objects, such as the connections of a pool, one of what of the program's piles up in them, and their number; of
/// the nodes of a tree, of which only `top` do not lie below others, what they lead to, if it is more.
fn few(scene: &Scene<'_>, (holders, first): (&[u32], u32), hold: &Holding, top: u64) -> Option<(u32, u64)> {
    let is_tree =
        scene.own().is_own(first) && hold.count >= FEW && hold.count >= top.saturating_mul(MANY_MORE);
    if !scene.own().has_runtime() || hold.count >= FEW && !is_tree {
        return None;
    }
    let head = scene.group(first);
    let is_other = |node: u32| scene.group(node) != head && scene.own().is_own(node);
    let most = most_inside(scene, holders, is_other);
    let least = if is_tree { hold.count + 1 } else { hold.count * MANY_MORE };
    let is_many = |sum: &Sum| sum.count >= least && sum.bytes.saturating_mul(2) >= hold.retained;
    most.filter(is_many).map(|sum| (sum.node, sum.count))
}

/// One of what some things, all of one class, hold most of: several in each, and a good part of the bytes of what holds them.
pub(super) fn most_in(scene: &Scene<'_>, holders: &[u32], things: &[u32]) -> Option<u32> {
    let head = scene.group(*things.first()?);
    let least = things.len() as u64 * MANY_MORE;
    let below = holders.iter().fold(0u64, |sum, &rank| sum + u64::from(scene.tree.end(rank) - rank));
    if below < least {
        return None;
    }
    let mut counts: Map<u64, u64> = Map::default();
    for rank in inside(scene, holders) {
        *counts.entry(scene.group(scene.tree.node(rank))).or_default() += 1;
    }
    let is_many = |node: u32| {
        let group = scene.group(node);
        group != head && counts[&group] >= least && !scene.own().is_cell(node)
    };
    let all = holders.iter().fold(0u64, |sum, &rank| sum.plus(scene.tree.retained(rank)));
    let most = most_inside(scene, holders, is_many)?;
    (most.bytes.saturating_mul(GOOD_PART) >= all).then_some(most.node)
}

/// What there is most of below some ranks, of the nodes that are counted.
fn most_inside(scene: &Scene<'_>, holders: &[u32], is_counted: impl Fn(u32) -> bool) -> Option<Sum> {
    let tree = scene.tree;
    // Of each class with the end of the last one: those below another of their class are in its bytes.
    let mut counts: Map<u64, (Sum, u32)> = Map::default();
    for rank in inside(scene, holders) {
        let node = tree.node(rank);
        if !is_counted(node) {
            continue;
        }
        let (sum, end) = counts.entry(scene.group(node)).or_insert((Sum { node, count: 0, bytes: 0 }, 0));
        sum.count += 1;
        if rank >= *end {
            sum.bytes = sum.bytes.plus(tree.retained(rank));
            *end = tree.end(rank);
        }
    }
    let counts = counts.into_values().map(|(sum, _)| sum);
    counts.max_by_key(|sum| (sum.bytes, std::cmp::Reverse(sum.node)))
}

/// The links of a list, counted along the dominator tree. Of a tree or a graph, which branches soon, that is one path alone: of the
/// program's own classes all below count.
fn chain(scene: &Scene<'_>, rank: u32, group: u64) -> Result<Items> {
    let tree = scene.tree;
    let (mut at, mut count, mut first) = (rank, 0u64, None);
    let (mut looked, mut branches) = (0, false);
    if scene.group(tree.node(rank)) == group {
        (count, first) = (1, Some(rank));
    }
    while let Some(next) =
        tree.children(at).max_by_key(|&child| (tree.retained(child), std::cmp::Reverse(child)))
    {
        if looked < BRANCHES && !branches {
            looked += 1;
            branches = tree.children(at).any(|of| of != next && scene.group(tree.node(of)) == group);
        }
        if scene.group(tree.node(next)) == group {
            count += 1;
            first = first.or(Some(next));
        }
        at = next;
    }
    let Some(first) = first else { return Ok(Items::default()) };
    let node = tree.node(first);
    let own = scene.own().is_own(node);
    if own && branches {
        let itself = u64::from(scene.group(tree.node(rank)) == group);
        count = count.max(count_of(scene, &[rank], group)? + itself);
    }
    let mut hold = Holding { class: scene.class(node)?, count, retained: tree.retained(first), own };
    let behind = if own { None } else { behind(scene, (&[rank], &[rank]), &[node], (&mut hold, &mut None))? };
    let own = own || behind.is_some();
    Ok(Items { own, holds: vec![hold], behind, nodes: vec![node], ..Items::default() })
}

/// What of the program stands behind objects that are not the program's: functions by name and place, else the class of the
/// program that is as frequent below the holder, else the nearest of the program's that most of them lead to.
fn behind(
    scene: &Scene<'_>,
    (holders, parts): (&[u32], &[u32]),
    nodes: &[u32],
    (hold, in_few): (&mut Holding, &mut Option<u32>),
) -> Result<Option<String>> {
    let tree = scene.tree;
    let Some(&first) = nodes.first() else { return Ok(None) };
    if scene.own().sort(first) == Sort::Closure {
        // What the functions keep, if it goes with them.
        let goes =
            |node: u32, of: u64| count_of(scene, holders, scene.group(node)).map(|count| is_most(count, of));
        let Some((function, count)) = function_of_most(scene, nodes)? else {
            // Of the runtime's functions those of one place are what piles up, if most are.
            let alike = alike(scene, nodes);
            hold.count = hold.count.saturating_sub((nodes.len() - alike.len()) as u64);
            // Without a name of theirs, an object of its own for each does as well; one for all is their surroundings.
            let mut around = Vec::new();
            while let Some((node, is_one)) = nearest(scene, &alike, true, &around)? {
                if !is_one || goes(node, hold.count)? {
                    return scene.own().with_place(node).map(Some);
                }
                if around.len() == SURROUNDINGS {
                    break;
                }
                around.push(node);
            }
            return Ok(None);
        };
        let kept = match nearest(scene, nodes, false, &[])? {
            Some((node, _)) if goes(node, hold.count)? => Some(node),
            _ => None,
        };
        // Of a list there is one here for all links.
        hold.count = hold.count.saturating_sub(nodes.len() as u64 - count);
        return Ok(Some(match kept {
            Some(node) => format!("{function} → {}", scene.class(node)?),
            None => function,
        }));
    }
    if scene.own().sort(first) == Sort::Text {
        hold.class = format!("{}{}", hold.class, beginning(scene, nodes)?);
        return Ok(None);
    }
    if let Some((call, count)) = call_of_most(scene, nodes)? {
        hold.count = count;
        return Ok(Some(call));
    }
    let ranks = inside(scene, parts);
    let mut counts: Map<u64, (u32, u64)> = Map::default();
    for node in ranks.map(|rank| tree.node(rank)).filter(|&node| scene.own().is_own(node)) {
        counts.entry(scene.group(node)).or_insert((node, 0)).1 += 1;
    }
    let most = counts.into_values().max_by_key(|&(node, count)| (count, std::cmp::Reverse(node)));
    let found = nearest(scene, nodes, true, &[])?;
    // Behind numbers stands nothing; but they may be what objects of the program have.
    let of_numbers = lead_nowhere(scene, nodes)?;
    let has_numbers = |node: u32| -> Result<bool> {
        let mut has = false;
        scene.edges(node, |(_, end, _)| has |= scene.group(end) == scene.group(first))?;
        Ok(has)
    };
    // In a few objects it is the number that says something.
    let mut number = |node: u32| {
        let is_many = |&(of, count): &(u32, u64)| {
            scene.group(of) == scene.group(node)
                && hold.count < FEW
                && count >= hold.count.saturating_mul(MANY_MORE)
        };
        match most.filter(is_many) {
            Some((of, _)) => {
                *in_few = Some(of);
                Ok(format!("{} ", count_of(scene, holders, scene.group(node))?))
            }
            None => Ok::<_, heap_base::Error>(String::new()),
        }
    };
    if let Some((node, count)) = most
        && is_most(count, hold.count)
        // Parts of what is nearer are many times as many.
        && !(count >= hold.count.saturating_mul(PARTS) && found.is_some_and(|(_, is_one)| !is_one))
        && (!of_numbers || has_numbers(node)?)
    {
        return Ok(Some(number(node)? + &scene.own().class_with_place(node)?));
    }
    found.map(|(node, _)| Ok(number(node)? + &scene.own().with_place(node)?)).transpose()
}

/// Whether some nodes refer to nothing but what describes them, as arrays of numbers do.
fn lead_nowhere(scene: &Scene<'_>, nodes: &[u32]) -> Result<bool> {
    let mut leads = false;
    for node in samples(nodes) {
        scene.edges(node, |(way, _, retains)| leads |= retains && way != Way::Meta)?;
    }
    Ok(!leads)
}

/// Whether what has this count stands behind most of so many: of the two ends of a connection one may be the program's.
fn is_most(count: u64, of: u64) -> bool {
    count.saturating_mul(5) >= of.saturating_mul(2)
}

/// Every so many of a list, [`SAMPLES`] at most.
fn samples(nodes: &[u32]) -> impl Iterator<Item = u32> + '_ {
    nodes.iter().copied().step_by(nodes.len().div_ceil(SAMPLES).max(1))
}

/// An object of the nearest class of the program that most of some nodes lead to, and whether it is the same for all; or a
/// function, if these are asked for. What stands `around` them is neither it nor on the way.
pub(super) fn nearest(
    scene: &Scene<'_>,
    nodes: &[u32],
    functions: bool,
    around: &[u32],
) -> Result<Option<(u32, bool)>> {
    let mut votes: Map<u64, (u32, u64, bool)> = Map::default();
    let mut all = 0u64;
    for start in samples(nodes) {
        all += 1;
        let mut seen: Set<u32> = around.iter().copied().chain([start]).collect();
        let mut queue = VecDeque::from([(start, 0)]);
        // A function of a library, which says less than what else is as near.
        let mut library: Option<(u32, u32)> = None;
        let mut found = None;
        while let Some((node, steps)) = queue.pop_front() {
            if library.is_some_and(|(_, near)| near < steps) {
                break;
            }
            let ours = scene.own().is_own(node) || functions && scene.own().is_own_function(node);
            // All of a program leads to its global object.
            if ours && steps > 0 && scene.clues.globals.contains(&scene.class(node)?) {
                continue;
            }
            if ours && steps > 0 {
                if scene.own().is_own_function(node) && scene.own().is_of_library(node)? {
                    library = library.or(Some((node, steps)));
                    continue;
                }
                found = Some(node);
                break;
            }
            let opaque = matches!(scene.own().sort(node), Sort::Code | Sort::Synthetic | Sort::Class);
            if steps == BEHIND || opaque || seen.len() > NEAR {
                continue;
            }
            scene.edges(node, |(way, end, retains)| {
                let leads =
                    !matches!(way, Way::Meta | Way::Shared | Way::ModuleCache | Way::Process | Way::Previous);
                if leads && retains && seen.insert(end) {
                    queue.push_back((end, steps + 1));
                }
            })?;
        }
        let Some(node) = found.or(library.map(|(node, _)| node)) else { continue };
        let key = if scene.own().is_own_function(node) {
            scene.loaded.heap.name(node).map_or(0, |name| name as u64) << 1 | 1
        } else {
            scene.group(node) << 1
        };
        let vote = votes.entry(key).or_insert((node, 0, true));
        (vote.1, vote.2) = (vote.1 + 1, vote.2 && vote.0 == node);
    }
    let most = votes.into_values().max_by_key(|&(node, votes, _)| (votes, std::cmp::Reverse(node)));
    Ok(most.filter(|&(_, votes, _)| is_most(votes, all)).map(|(node, votes, same)| (node, same && votes > 1)))
}

/// Of threads, the innermost function of the program that most of them are in, and how many are.
fn call_of_most(scene: &Scene<'_>, nodes: &[u32]) -> Result<Option<(String, u64)>> {
    let call_of = |node: u32| {
        let mut first = None;
        scene.edges(node, |(way, call, _)| {
            if way == Way::Frame && first.is_none() && scene.own().is_own_frame(call) {
                first = Some(call);
            }
        })?;
        let line =
            first.and_then(|call| scene.clues.line(call).map(|line| ((line.function, line.line), call)));
        Ok::<_, heap_base::Error>(line)
    };
    let mut votes: Map<(Option<i64>, i64), (u32, usize)> = Map::default();
    let mut all = 0;
    for node in samples(nodes) {
        all += 1;
        if let Some((line, call)) = call_of(node)? {
            votes.entry(line).or_insert((call, 0)).1 += 1;
        }
    }
    let most = votes.into_iter().max_by_key(|&(_, (call, votes))| (votes, std::cmp::Reverse(call)));
    let Some((line, (call, _))) = most.filter(|&(_, (_, votes))| votes * 2 >= all) else { return Ok(None) };
    let mut count = 0;
    for &node in nodes {
        count += u64::from(call_of(node)?.is_some_and(|(of, _)| of == line));
    }
    Ok(scene.own().source(call)?.map(|source| (source.short(), count)))
}

/// The function that most of some functions are, with its place, and how many are it; none if most are not the program's.
fn function_of_most(scene: &Scene<'_>, nodes: &[u32]) -> Result<Option<(String, u64)>> {
    // Many functions have no name.
    let key =
        |node: u32| (scene.clues.function(node).or(scene.loaded.heap.name(node)), scene.own().code(node));
    let mut votes: Map<(Option<i64>, Option<u32>), (u32, usize)> = Map::default();
    let mut own = 0;
    let mut all = 0;
    for node in samples(nodes) {
        all += 1;
        if scene.own().is_own_function(node) {
            own += 1;
            votes.entry(key(node)).or_insert((node, 0)).1 += 1;
        }
    }
    if own * 2 < all {
        return Ok(None);
    }
    let most = votes.into_iter().max_by_key(|&(_, (node, votes))| (votes, std::cmp::Reverse(node)));
    let Some((of, (first, votes))) = most else { return Ok(None) };
    // Others may be of other places; of many places no number is that of one.
    let same = nodes.iter().filter(|&&node| key(node) == of).count() as u64;
    let is_told = votes * 2 > all || is_most(same, nodes.len() as u64);
    let count = if is_told { same } else { nodes.len() as u64 };
    Ok(Some((scene.own().function(first)?, count)))
}

/// Those of some functions that are of one place, if most are; else all.
fn alike(scene: &Scene<'_>, nodes: &[u32]) -> Vec<u32> {
    let mut votes: Map<u32, usize> = Map::default();
    let mut all = 0;
    for code in samples(nodes).map(|node| scene.own().code(node)) {
        all += 1;
        if let Some(code) = code {
            *votes.entry(code).or_default() += 1;
        }
    }
    let most = votes.into_iter().max_by_key(|&(code, votes)| (votes, std::cmp::Reverse(code)));
    let Some((of, _)) = most.filter(|&(_, votes)| votes * 2 > all) else { return nodes.to_vec() };
    nodes.iter().copied().filter(|&node| scene.own().code(node) == Some(of)).collect()
}

/// What texts have in common at their beginning, in quotes.
fn beginning(scene: &Scene<'_>, nodes: &[u32]) -> Result<String> {
    let loaded = scene.loaded;
    // What a machine calls its numbers is no text.
    if let Some(&first) = nodes.first()
        && loaded.class(first)?.ends_with("number)")
    {
        return Ok(String::new());
    }
    let mut common: Option<String> = None;
    for node in samples(nodes) {
        let node = text_of(scene, node)?;
        let known = scene.clues.texts.text(&loaded.heap, node);
        let Some(id) = known.or(loaded.heap.name(node)) else { continue };
        let text = loaded.context.strings.text_or_number(id)?;
        if known.is_none() && text.starts_with('(') && text.ends_with(')') {
            // What the text is made of, in place of the text.
            continue;
        }
        let text: String = text.chars().take(40).collect();
        common = Some(match common {
            None => text,
            Some(known) => {
                known.chars().zip(text.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
            }
        });
    }
    Ok(common.filter(|text| text.chars().count() >= 3).map_or(String::new(), |text| format!(" \"{text}…\"")))
}

/// The string with the text of a symbol; a string itself.
fn text_of(scene: &Scene<'_>, node: u32) -> Result<u32> {
    let mut text = None;
    if scene.class(node)?.ends_with("symbol)") {
        scene.edges(node, |(_, end, _)| {
            if text.is_none() && scene.own().sort(end) == Sort::Text {
                text = Some(end);
            }
        })?;
    }
    Ok(text.unwrap_or(node))
}

/// Of what a node refers to by name, that by which `items` are reached from it: `byId, byUser`. Only inside of what it
/// retains, in few steps, and not through the items.
pub(super) fn listed(
    scene: &Scene<'_>,
    rank: u32,
    edges: &[(u32, String)],
    items: &[u32],
) -> Result<Vec<String>> {
    const STEPS: u32 = 7;
    const NAMES: usize = 5;
    let tree = scene.tree;
    let wanted: BitSet = items.iter().copied().collect();
    let inside = |node: u32| tree.rank(node).is_some_and(|at| at > rank && at < tree.end(rank));
    let mut hits: Vec<(bool, u64, &str)> = Vec::new();
    for (target, label) in edges {
        if !inside(*target) {
            continue;
        }
        let mut seen: Set<u32> = Set::from_iter([*target]);
        // Step by step, each in the order in which edges may lie in a file.
        let (mut level, mut reached) = (vec![*target], 0u64);
        for steps in 0..=STEPS {
            let mut next = Vec::new();
            level.sort_unstable();
            for node in level {
                // A variable that is one of the items and leads to others holds these.
                if wanted.contains(node) && node != *target {
                    reached += 1;
                } else if steps < STEPS && scene.own().sort(node) != Sort::Code {
                    scene.edges(node, |(_, end, retains)| {
                        if retains && inside(end) && seen.insert(end) {
                            next.push(end);
                        }
                    })?;
                }
            }
            level = next;
        }
        if reached > 0 {
            hits.push((scene.own().sort(*target) == Sort::Closure, reached, label));
        }
    }
    let most = hits.iter().map(|hit| hit.1).max().unwrap_or(0);
    let plain = hits.iter().any(|hit| !hit.0);
    hits.retain(|hit| hit.1 * 2 >= most && !(plain && hit.0));
    // Nor do symbols, which programs write for what is theirs alone, say as much as names.
    let is_symbol = |name: &str| name.starts_with("<symbol ");
    if hits.iter().any(|hit| !is_symbol(hit.2)) {
        hits.retain(|hit| !is_symbol(hit.2));
    }
    sort_by(&mut hits, |a, b| b.1.cmp(&a.1).then(a.2.cmp(b.2)));
    // Several references may have one name.
    let mut names: Vec<String> = Vec::new();
    for (.., name) in hits {
        if names.len() < NAMES && !names.iter().any(|of| of == name) {
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
