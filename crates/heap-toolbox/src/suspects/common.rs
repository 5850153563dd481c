//! What holds a crowd together: the deepest object on the ways to its members, or where the dump lacks these ways, the one
//! table that is as large as theirs would be.

use heap_base::{BitSet, Map, Plus, Result};
use heap_graph::{Outline, Unreachable};
use heap_ops::place::{Name, Names, Sort, Step, Way, is_word, spell};
use heap_record::Role;

use super::holders::Shared;
use super::scene::Scene;

/// Members of a shared row that are asked for the common part of their paths.
const SAMPLES: usize = 40;
/// Bytes that a table takes for each of its entries: from a full set to a map that has just doubled.
const ENTRY: std::ops::RangeInclusive<u64> = 24..=176;
/// Tables that are looked at, at most, and bytes of the smallest.
const TABLES: usize = 64;
const TABLE: u64 = 256;
/// Steps from a holder to what it keeps, at most, and so many times as many objects at each step.
const FROM_HOLDER: usize = 6;
const MANY_MORE: usize = 16;
/// In front of a name that is a guess.
pub(super) const PERHAPS: &str = "perhaps ";

/// The deepest object on the ways to most members of a crowd.
pub(super) fn common(scene: &Scene<'_>, of: &Shared, names: &Names<'_>) -> Result<Option<Name>> {
    let nodes: Vec<u32> = samples(&of.ranks).map(|rank| scene.tree.node(rank)).collect();
    common_of(scene, &nodes, names)
}

/// The deepest object on the ways to most of some nodes.
fn common_of(scene: &Scene<'_>, nodes: &[u32], names: &Names<'_>) -> Result<Option<Name>> {
    let mut counts: Map<u32, (usize, usize)> = Map::default();
    let mut all = 0;
    for &node in nodes {
        let Some(steps) = names.steps(node)? else { continue };
        all += 1;
        for (depth, step) in steps[..steps.len().saturating_sub(1)].iter().enumerate() {
            counts.entry(step.node).or_insert((0, depth)).0 += 1;
        }
    }
    let most = counts.into_iter().filter(|(_, (count, _))| count * 10 >= all * 8);
    let deepest = most.max_by_key(|&(node, (_, depth))| (depth, std::cmp::Reverse(node)));
    let Some((node, _)) = deepest else { return Ok(None) };
    let Some(found) = names.name(node)? else { return Ok(None) };
    // What objects lead to by their classes, such as modules, they do not hold.
    let steps = names.steps(node)?.unwrap_or_default();
    let behind = steps.get(found.steps.len()..).unwrap_or_default();
    let holds = !behind.iter().any(|step| step.way == Way::Meta);
    Ok(Some(found).filter(|name| holds && name.named && !scene.is_root(name.node)))
}

/// Where the source says that objects are alive which no root reaches: tables that lead to nothing but what they are, the
/// largest first.
pub(super) fn bare_tables(scene: &Scene<'_>) -> Result<Vec<u32>> {
    let heap = &scene.loaded.heap;
    if heap.policy.unreachable != Unreachable::Root {
        return Ok(Vec::new());
    }
    let is_table = |&node: &u32| scene.own().sort(node) == Sort::Array && heap.sizes.get(node) >= TABLE;
    let mut tables: Vec<u32> = (0..scene.nodes()).filter(is_table).collect();
    if let Some(far) = scene.far {
        let mut full = BitSet::default();
        far.each(|source, edges| {
            if edges.len() > 1 {
                full.insert(source);
            }
        })?;
        tables.retain(|&node| !full.contains(node));
    } else {
        tables.retain(|&node| heap.graph.range(node).len() <= 1);
    }
    heap_base::sort_by_key(&mut tables, |&node| (std::cmp::Reverse(heap.sizes.get(node)), node));
    Ok(tables)
}

/// Bare tables of collections that one field of objects of one class leads to.
struct Tables<'a> {
    class: u64,
    field: &'a str,
    bytes: u64,
    nodes: Vec<u32>,
}

/// The holder of the tables of one field that are as large as those of a crowd to which no way leads, or that an object of
/// the crowd has itself, as the head of a tree has: a guess, which the name says.
pub(super) fn table_of(
    scene: &Scene<'_>,
    of: &Shared,
    tables: &[u32],
    names: &Names<'_>,
) -> Result<Option<Name>> {
    if tables.is_empty() {
        return Ok(None);
    }
    // A register may lead to one of them.
    let is_known = |rank: u32| names.last(scene.tree.node(rank)).is_some();
    if samples(&of.ranks).filter(|&rank| is_known(rank)).count() > SAMPLES / 10 {
        return Ok(None);
    }
    let known = tables.iter().filter(|&&table| names.last(table).is_some()).take(TABLES);
    let ways: Vec<Vec<Step>> =
        known.filter_map(|&table| names.steps(table).transpose()).collect::<Result<_>>()?;
    let mut fields: Vec<Tables<'_>> = Vec::new();
    for way in &ways {
        let [.., from, collection, table] = way.as_slice() else { continue };
        let class = scene.group(from.node);
        let bytes = scene.loaded.heap.sizes.get(table.node);
        match fields.iter_mut().find(|of| of.class == class && of.field == collection.label) {
            Some(of) => {
                of.bytes = of.bytes.plus(bytes);
                of.nodes.push(table.node);
            }
            None => fields.push(Tables { class, field: &collection.label, bytes, nodes: vec![table.node] }),
        }
    }
    let fits = |tables: &&Tables<'_>| ENTRY.contains(&(tables.bytes / of.ranks.len().max(1) as u64));
    let is_head = |tables: &&Tables<'_>| tables.class == of.group;
    let heads = fields.iter().any(|tables| is_head(&tables));
    let mut fitting = fields.iter().filter(|tables| if heads { is_head(tables) } else { fits(tables) });
    let (Some(tables), None) = (fitting.next(), fitting.next()) else { return Ok(None) };
    let mut found = names.name(tables.nodes[0])?;
    let of_one = |text: &str| found.as_ref().is_some_and(|name| name.text == text);
    if !tables
        .nodes
        .iter()
        .all(|&table| names.name(table).is_ok_and(|name| name.is_some_and(|name| of_one(&name.text))))
    {
        let field = spell::named(tables.field, Role::Member);
        let whole = common_of(scene, &tables.nodes, names)?;
        found = whole.map(|name| Name { text: format!("{}[*]{field}", name.text), ..name });
    }
    let found = found.filter(|name| name.named);
    Ok(found.map(|name| Name { text: format!("{PERHAPS}{}", name.text), certain: false, ..name }))
}

/// How many of a crowd its holders do not lead to, as the machine has a few of that class itself: no more than a fifth, else
/// nobody knows that these hold the crowd.
pub(super) fn strays(scene: &Scene<'_>, of: &Shared, holders: &[u32]) -> Result<u64> {
    let tree = scene.tree;
    let is_member = |node: u32| tree.rank(node).is_some_and(|at| of.ranks.binary_search(&at).is_ok());
    let all = of.ranks.len();
    let (mut seen, mut found): (BitSet, usize) = Default::default();
    let mut level: Vec<u32> = holders.to_vec();
    for _ in 0..FROM_HOLDER {
        let mut next = Vec::new();
        while let Some(node) = level.pop() {
            scene.edges(node, |(way, end, retains)| {
                let leads =
                    !matches!(way, Way::Meta | Way::Shared | Way::ModuleCache | Way::Process | Way::Previous);
                if !leads || !retains || !seen.insert(end) {
                    return;
                }
                if is_member(end) {
                    found += 1;
                } else if !matches!(scene.own().sort(end), Sort::Code | Sort::Synthetic | Sort::Class) {
                    // Entries of a table may stand behind each other.
                    let is_inner = scene.own().is_cell(end) && !scene.own().is_scope(end);
                    if is_inner { level.push(end) } else { next.push(end) }
                }
            })?;
        }
        if found == all || next.len() > all.saturating_mul(MANY_MORE) {
            break;
        }
        level = next;
    }
    Ok(if found * 5 >= all * 4 { (all - found) as u64 } else { 0 })
}

/// What the virtual machine calls the one list of its own that most of a crowd stand in: `end_proc`, what is to be called at the
/// end.
pub(super) fn root_of(scene: &Scene<'_>, of: &Shared) -> Result<Option<String>> {
    let tree = scene.tree;
    let mut roots = vec![Outline::ROOT];
    while let Some(rank) = roots.pop() {
        let node = tree.node(rank);
        roots.extend(tree.children(rank).filter(|&child| scene.is_root(tree.node(child))));
        let name = if node < scene.nodes() { scene.loaded.name(node)? } else { None };
        let Some(name) = name.filter(|name| is_word(name)) else { continue };
        let mut members = BitSet::default();
        scene.edges(node, |(_, end, retains)| {
            let is_member = tree.rank(end).is_some_and(|at| of.ranks.binary_search(&at).is_ok());
            if retains && is_member {
                members.insert(end);
            }
        })?;
        if members.count() as usize * 10 >= of.ranks.len() * 8 {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// What the virtual machine says of the references by which most of a crowd hang on its roots, behind their numbers: of `487 / DevTools
/// console` the part behind the stroke.
pub(super) fn reason_of(scene: &Scene<'_>, of: &Shared, names: &Names<'_>) -> Result<Option<String>> {
    let (mut reasons, mut all): (Map<String, usize>, usize) = Default::default();
    for rank in samples(&of.ranks) {
        all += 1;
        let steps = names.steps(scene.tree.node(rank))?.unwrap_or_default();
        let [.., root, last] = &steps[..] else { continue };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let reason = last.label.split_once(" / ").filter(|(number, _)| is_number(number));
        if let Some((_, reason)) = reason.filter(|_| scene.own().is_synthetic(root.node)) {
            *reasons.entry(reason.to_owned()).or_default() += 1;
        }
    }
    Ok(reasons.into_iter().find(|(_, count)| count * 10 >= all * 8).map(|(reason, _)| reason))
}

/// The class of the program that alone holds the node of a rank to which no name leads: what the machine calls such a reference
/// says nothing, as that to a module which a class includes.
pub(super) fn class_around(scene: &Scene<'_>, name: &Name, rank: u32) -> Option<u32> {
    let tree = scene.tree;
    let holds = |node: u32| {
        tree.rank(node).is_some_and(|class| class < rank && rank < tree.end(class))
            && scene.own().is_own_class(node)
    };
    let nameless = !name.named && name.text.is_empty();
    nameless.then(|| name.steps.iter().rev().map(|step| step.node).find(|&node| holds(node))).flatten()
}

/// The static field of a class of the runtime's that all of a crowd are in.
pub(super) fn field_of(scene: &Scene<'_>, holders: &[u32], names: &Names<'_>) -> Result<Option<String>> {
    for &holder in holders {
        let Some(found) = names.name(holder)? else { continue };
        let is_field = |pair: &[Step]| scene.own().is_class(pair[0].node) && pair[1].way == Way::Static;
        if !found.text.is_empty() && found.steps.windows(2).any(is_field) {
            return Ok(Some(found.text));
        }
    }
    Ok(None)
}

/// Some of many, at equal distances.
pub(super) fn samples(ranks: &[u32]) -> impl Iterator<Item = u32> + '_ {
    ranks.iter().copied().step_by(ranks.len().div_ceil(SAMPLES).max(1))
}
