//! What is near a place and says more than it: its fields, those of what it holds, the element around it.

use heap_base::{BitSet, Map, Result};
use heap_graph::NONE;
use heap_ops::place::{Name, Sort, Way, file_of, is_element, is_plain, spell};
use heap_record::Role;

use super::common::samples;
use super::finder::Finder;
use super::items::{self, Items};
use crate::cells;

/// Any of several objects, in a name.
const ANY: &str = "[*]";
/// Fields that are gone down from a few objects, at most; and what these have each, so that it says more than their number.
const FIELDS: usize = 4;
const MANY_EACH: u64 = 10;
/// Of objects that have not grown themselves, more than so many are no few.
const FEW: usize = 20;
/// Nearly all of so many bytes.
fn most_of(bytes: u64) -> u64 {
    bytes / 10 * 8
}

/// What a few objects have by the same fields, or themselves.
pub(super) struct Within {
    /// `[*].connection.statements`.
    pub(super) fields: String,
    /// What is there in each.
    pub(super) ranks: Vec<u32>,
    pub(super) items: Items,
    /// They are containers, without a field between.
    pub(super) tables: bool,
}

/// Of which objects what is in them is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among<'a> {
    /// Those that are no more than they were, where their holder is found again by a key.
    Key(&'a String),
    /// All, to be known in later dumps.
    Any,
}

impl Finder<'_> {
    /// Elements of a page lead to those beside them as well as to those in them: the element on the way to `holder` in which
    /// both this and most of its `items` are.
    pub(super) fn parent_of_siblings(&self, name: &Name, holder: u32, items: &Items) -> Result<Option<u32>> {
        let scene = self.scene;
        let is_element = |node: u32| Ok::<_, heap_base::Error>(is_element(&scene.class(node)?));
        if name.node != holder || items.nodes.is_empty() || !is_element(holder)? {
            return Ok(None);
        }
        let leads = |node: u32, to: u32| {
            let mut found = false;
            scene.edges(node, |(_, end, _)| found |= end == to)?;
            Ok::<_, heap_base::Error>(found)
        };
        for step in name.steps.iter().rev().skip(1) {
            if !is_element(step.node)? {
                break;
            }
            if !leads(holder, step.node)? {
                continue;
            }
            let some: Vec<u32> = samples(&items.nodes).collect();
            let mut beside = 0;
            for &node in &some {
                beside += usize::from(is_element(node)? && leads(node, step.node)?);
            }
            return Ok((beside * 10 >= some.len() * 8).then_some(step.node));
        }
        Ok(None)
    }

    /// The variables or fields by which a scope, a class or an object holds its items.
    pub(super) fn fields(&self, node: u32, items: &Items) -> Result<Vec<String>> {
        let scene = self.scene;
        let (graph, own) = (&scene.loaded.heap.graph, scene.own());
        let listable = own.is_own_scope(node) || own.is_own_class(node) || own.is_own(node);
        if !listable || items.nodes.is_empty() {
            return Ok(Vec::new());
        }
        let mut edges = Vec::new();
        for edge in graph.range(node).map(|edge| edge as u32) {
            if matches!(scene.way(edge), Way::Variable | Way::Static | Way::Member) {
                edges.push((graph.link(edge).end(), scene.loaded.label(edge)?.unwrap_or_default()));
            }
        }
        let rank = scene.tree.rank(node).unwrap_or(NONE);
        items::listed(scene, rank, &edges, &items.nodes)
    }

    /// Of a scope, a class or an object that holds by several of its variables or fields, puts these into its name.
    pub(super) fn list(&self, name: &mut Name, node: u32, items: &Items) -> Result {
        let (scene, own) = (self.scene, self.scene.own());
        let fields = self.fields(node, items)?;
        // One field of an object is on the way to what it holds, and says nothing more.
        if fields.is_empty() || fields.len() < 2 && !own.is_scope(node) && !own.is_class(node) {
            return Ok(());
        }
        let list = fields.join(", ");
        // The program's name for what a library made says more than the file of the library.
        let is_given = own.is_scope(node) && !name.text.is_empty() && own.is_library(node)? && name.certain;
        name.text = if is_given {
            format!("{} ({list})", name.text)
        } else if own.is_scope(node) {
            let file = match own.function_of(node) {
                Some(function) => own.script(function)?,
                None => None,
            };
            match file.as_deref().map(file_of) {
                Some(file) => format!("{file}: {list}"),
                None => list,
            }
        } else {
            let head = if name.text.is_empty() { scene.class(node)? } else { name.text.clone() };
            let class = if own.is_class(node) { "class " } else { "" };
            format!("{class}{head} ({list})")
        };
        name.named |= own.is_own_scope(node) || own.is_own_class(node) || own.is_own(node);
        Ok(())
    }

    /// Objects that some ranks hold and that have nearly all of what these have, if they are no more than they were and have grown,
    /// or are as large each as a row; and whether they have grown.
    fn members(&self, ranks: &[u32], items: &Items, among: Among<'_>) -> Option<(Vec<u32>, bool)> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let inside = |&at: &u32| {
            let next = ranks.partition_point(|&rank| rank < at);
            next > 0 && at < tree.end(ranks[next - 1])
        };
        let mut members: Vec<u32> =
            items.nodes.iter().filter_map(|&node| tree.rank(node)).filter(inside).collect();
        members.sort_unstable();
        let (all, whole) = (self.bytes(&members), self.bytes(ranks));
        if members.len() < 2 || all < most_of(whole) {
            return None;
        }
        let grows = match (&self.growth, among) {
            (_, Among::Any) => return Some((members, true)),
            (Some(growth), _) => {
                let new = members.iter().filter(|&&rank| self.is_new(rank)).count();
                if new * 10 > members.len() {
                    return None;
                }
                cells::sum(ranks.iter().map(|&rank| growth.of(rank))) >= self.floor
            }
            (None, Among::Key(key)) if let Some(first) = self.earlier.first() => {
                // Objects that cannot be known again: by their number.
                let held = items.holds.first()?;
                let before = self.number_before(std::slice::from_ref(key), held)?;
                let grown = whole.saturating_sub(first.places.of_largest(key, 1, scene.floor));
                if held.count.saturating_sub(before) * 10 > held.count || grown < self.floor {
                    return None;
                }
                true
            }
            (None, Among::Key(_)) => false,
        };
        let are_large = all / members.len() as u64 >= scene.floor;
        let are_few = grows || members.len() <= FEW;
        (are_few && (grows || are_large)).then_some((members, grows))
    }

    /// What some ranks retain.
    pub(super) fn bytes(&self, ranks: &[u32]) -> u64 {
        cells::sum(ranks.iter().map(|&rank| self.scene.tree.retained(rank)))
    }

    /// Whether what some ranks have in common is that they are containers, which say nothing of what is in them: arrays, maps, plain
    /// objects.
    fn are_tables(&self, ranks: &[u32]) -> Result<bool> {
        let (tree, own) = (self.scene.tree, self.scene.own());
        let Some(&first) = ranks.first() else { return Ok(false) };
        let node = tree.node(first);
        let is_table = matches!(own.sort(node), Sort::Object | Sort::Array)
            && !(own.is_own(node) || own.is_scope(node) || own.is_thread(node));
        Ok(is_table && !is_element(&self.scene.class(node)?))
    }

    /// What is in such [`members`](Self::members) of a rank, where they have nearly all by the same fields, or are containers: then
    /// in those of these, too.
    pub(super) fn within(&self, rank: u32, items: &Items, among: Among<'_>) -> Result<Option<Within>> {
        let mut found: Option<Within> = None;
        for _ in 0..FIELDS {
            let of_tables = found.as_ref().is_none_or(|of| of.tables);
            let next = match &found {
                None => self.within_members(&[rank], items, (among, true))?,
                Some(of) => self.within_members(&of.ranks, &of.items, (among, of_tables))?,
            };
            let Some(next) = next else { break };
            let before = found.map_or(String::new(), |of| of.fields);
            let fields = format!("{before}{ANY}{}", next.fields);
            found = Some(Within { fields, tables: of_tables && next.tables, ..next });
        }
        Ok(found)
    }

    /// Puts what is [`within`](Self::within) the objects of a holder into its name.
    pub(super) fn name_within(
        &self,
        name: &mut Name,
        (holder, items): (u32, &Items),
        inner: &Within,
    ) -> Result {
        let (scene, own) = (self.scene, self.scene.own());
        let mut fields = self.fields(holder, items)?.into_iter();
        let field = fields.next();
        if own.is_scope(holder) && !inner.tables {
            // Several variables may have them.
            self.list(name, holder, items)?;
            let class = items.holds.first().map_or("", |of| of.class.as_str());
            name.text = format!("{} ({class}{})", name.text, inner.fields);
        } else if own.is_scope(holder) || inner.tables && fields.next().is_some() {
            self.list(name, holder, items)?;
        } else {
            let field = field.map_or(String::new(), |field| spell::named(&field, Role::Member));
            let head = if name.text.is_empty() { scene.class(holder)? } else { name.text.clone() };
            name.text = format!("{head}{field}{}", inner.fields);
        }
        name.named |= own.is_own(holder);
        Ok(())
    }

    fn within_members(
        &self,
        holders: &[u32],
        items: &Items,
        (among, fields): (Among<'_>, bool),
    ) -> Result<Option<Within>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let Some((members, grows)) = self.members(holders, items, among) else { return Ok(None) };
        let (each, whole) = (members.len() as u64, self.bytes(holders));
        let may_have = fields && (self.growth.is_some() || self.earlier.is_empty() && among != Among::Any);
        let (mut above, mut ranks, mut fields) = (Vec::new(), members, String::new());
        let mut are_links = false;
        for _ in 0..if may_have { FIELDS } else { 0 } {
            let mut by_field: Map<String, Vec<u32>> = Map::default();
            for &rank in &ranks {
                if let Some((field, end)) = self.main_field(rank)? {
                    by_field.entry(field).or_default().push(end);
                }
            }
            let next = by_field
                .into_iter()
                .max_by(|a, b| self.bytes(&a.1).cmp(&self.bytes(&b.1)).then(b.0.cmp(&a.0)));
            let is_most = |ends: &[u32]| ends.len() > 1 && self.bytes(ends) >= most_of(whole);
            let Some((field, mut ends)) = next.filter(|(_, ends)| is_most(ends)) else { break };
            let (link, end) = (tree.node(ranks[0]), tree.node(ends[0]));
            are_links = scene.own().is_own(end) && scene.group(link) == scene.group(end);
            if are_links {
                // Lists begin here.
                break;
            }
            fields.push_str(&spell::named(&field, Role::Member));
            ends.sort_unstable();
            above = std::mem::replace(&mut ranks, ends);
        }
        let tables = fields.is_empty();
        if tables && !self.are_tables(&ranks)? {
            return Ok(None);
        }
        let items = match (tables, are_links) {
            (true, _) => self.in_tables(&ranks)?,
            (false, true) => items::of(scene, &above, &ranks)?,
            (false, false) => items::below_all(scene, &ranks)?,
        };
        // One object in each says no more than those themselves.
        let count = items.holds.first().map_or(0, |of| of.count);
        let is_more = among == Among::Any || grows && !tables || count >= MANY_EACH * each;
        Ok(is_more.then_some(Within { fields, ranks, items, tables }))
    }

    /// What containers have; of plain objects those alone to which they lead: what several of these share hangs beside them.
    fn in_tables(&self, ranks: &[u32]) -> Result<Items> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let mut items = items::below_all(scene, ranks)?;
        let Some(held) = items.holds.first_mut().filter(|of| is_plain(&of.class)) else { return Ok(items) };
        let (mut seen, mut open) = (BitSet::default(), Vec::new());
        open.extend(ranks.iter().map(|&rank| tree.node(rank)));
        while let Some(node) = open.pop() {
            scene.edges(node, |(way, end, retains)| {
                let leads = retains && way != Way::Meta && way != Way::Shared && seen.insert(end);
                if leads && scene.own().is_cell(end) && !scene.own().is_scope(end) {
                    open.push(end);
                }
            })?;
        }
        let led: Vec<u32> = items.nodes.iter().copied().filter(|&node| seen.contains(node)).collect();
        if led.len() as u64 * 3 >= held.count && (led.len() as u64) < held.count {
            (held.count, items.nodes) = (led.len() as u64, led);
        }
        Ok(items)
    }

    /// The nodes whose fields [`within`](Self::within) asks for.
    pub(super) fn asked_within(&self, rank: u32, items: &Items) -> Result<Vec<u32>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let mut asked = Vec::new();
        if self.needs_names() {
            return Ok(asked);
        }
        let (mut holders, mut found) = (vec![rank], None);
        for _ in 0..FIELDS {
            let items = found.as_ref().unwrap_or(items);
            let Some((members, _)) = self.members(&holders, items, Among::Key(&String::new())) else { break };
            for mut rank in members.iter().copied() {
                for _ in 0..FIELDS {
                    asked.push(tree.node(rank));
                    let mut main = None;
                    scene.edges(tree.node(rank), |(way, end, _)| {
                        if main.is_none() && way == Way::Member {
                            main = tree.rank(end).filter(|&end| self.is_main(rank, end));
                        }
                    })?;
                    let Some(next) = main else { break };
                    rank = next;
                }
            }
            if !self.are_tables(&members)? {
                break;
            }
            found = Some(self.in_tables(&members)?);
            holders = members;
        }
        Ok(asked)
    }

    /// Whether a rank has nearly all of what another one retains.
    fn is_main(&self, rank: u32, end: u32) -> bool {
        let (tree, own) = (self.scene.tree, self.scene.own());
        let is_value = matches!(own.sort(tree.node(end)), Sort::Object | Sort::Array | Sort::Text);
        end > rank && end < tree.end(rank) && is_value && tree.retained(end) >= most_of(tree.retained(rank))
    }

    /// The field by which an object has nearly all that it retains, and what is there.
    fn main_field(&self, rank: u32) -> Result<Option<(String, u32)>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let node = tree.node(rank);
        let (graph, own) = (&scene.loaded.heap.graph, scene.own());
        if own.sort(node) != Sort::Object || !own.names_members(node) {
            return Ok(None);
        }
        for edge in graph.range(node).map(|edge| edge as u32).filter(|&edge| scene.way(edge) == Way::Member) {
            if let Some(end) = tree.rank(graph.link(edge).end()).filter(|&end| self.is_main(rank, end)) {
                return Ok(scene
                    .loaded
                    .label(edge)?
                    .filter(|label| !label.is_empty())
                    .map(|label| (label, end)));
            }
        }
        Ok(None)
    }
}
