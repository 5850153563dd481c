//! What is near a place and says more than it: its fields, those of what it holds, the element around it.

use heap_base::{Map, Result};
use heap_graph::NONE;
use heap_ops::place::{Name, Sort, Way, file_of, is_element, spell};
use heap_record::Role;

use super::common::samples;
use super::finder::Finder;
use super::items::{self, Items};
use crate::cells;

/// Any of several objects, in a name.
pub(super) const ANY: &str = "[*]";
/// Fields that are gone down from a few objects, at most; and what these have each, so that it says more than their number.
const FIELDS: usize = 4;
const MANY_EACH: u64 = 10;
/// Of objects that have not grown themselves, more than so many are no few.
const FEW: usize = 20;
/// Nearly all of so many bytes.
fn most_of(bytes: u64) -> u64 {
    bytes / 10 * 8
}

/// What a few objects have by the same fields.
pub(super) struct Within {
    /// `.connection.statements`.
    pub(super) fields: String,
    /// What is there in each.
    pub(super) ranks: Vec<u32>,
    pub(super) items: Items,
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

    /// Objects that a rank holds and that have nearly all of what it has, if they are no more than they were and have grown, or
    /// are as large each as a row; and whether they have grown.
    fn members(&self, rank: u32, items: &Items) -> Option<(Vec<u32>, bool)> {
        let (scene, tree) = (self.scene, self.scene.tree);
        if self.growth.is_none() && !self.earlier.is_empty() {
            // Objects that cannot be known again are found by the names of their places.
            return None;
        }
        let inside = |&at: &u32| at > rank && at < tree.end(rank);
        let members: Vec<u32> =
            items.nodes.iter().filter_map(|&node| tree.rank(node)).filter(inside).collect();
        let all = cells::sum(members.iter().map(|&rank| tree.retained(rank)));
        if members.len() < 2 || all < most_of(tree.retained(rank)) {
            return None;
        }
        let new = members.iter().filter(|&&rank| self.growth.is_some() && self.is_new(rank)).count();
        let grows = self.growth.as_ref().is_some_and(|growth| growth.of(rank) >= self.floor);
        let are_large = all / members.len() as u64 >= scene.floor;
        let are_few = grows || members.len() <= FEW;
        (new * 10 <= members.len() && are_few && (grows || are_large)).then_some((members, grows))
    }

    /// By which fields such [`members`](Self::members) have nearly all.
    pub(super) fn within(&self, rank: u32, items: &Items) -> Result<Option<Within>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let Some((members, grows)) = self.members(rank, items) else { return Ok(None) };
        let bytes = |ranks: &[u32]| cells::sum(ranks.iter().map(|&rank| tree.retained(rank)));
        let (each, mut ranks, mut fields) = (members.len() as u64, members, String::new());
        for _ in 0..FIELDS {
            let mut by_field: Map<String, Vec<u32>> = Map::default();
            for &rank in &ranks {
                if let Some((field, end)) = self.main_field(rank)? {
                    by_field.entry(field).or_default().push(end);
                }
            }
            let next = by_field.into_iter().max_by(|a, b| bytes(&a.1).cmp(&bytes(&b.1)).then(b.0.cmp(&a.0)));
            let is_most = |ends: &[u32]| ends.len() > 1 && bytes(ends) >= most_of(tree.retained(rank));
            let Some((field, ends)) = next.filter(|(_, ends)| is_most(ends)) else { break };
            fields.push_str(&spell::named(&field, Role::Member));
            ranks = ends;
        }
        if fields.is_empty() {
            return Ok(None);
        }
        ranks.sort_unstable();
        let items = items::below_all(scene, &ranks)?;
        // One object in each says no more than those themselves.
        let count = items.holds.first().map_or(0, |of| of.count);
        let is_more = grows || count >= MANY_EACH * each;
        Ok(is_more.then_some(Within { fields, ranks, items }))
    }

    /// The nodes whose fields [`within`](Self::within) asks for.
    pub(super) fn asked_within(&self, rank: u32, items: &Items) -> Result<Vec<u32>> {
        let (scene, tree) = (self.scene, self.scene.tree);
        let mut asked = Vec::new();
        for mut rank in self.members(rank, items).map_or(Vec::new(), |(members, _)| members) {
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
