//! One snapshot's nodes, counted and listed.

use std::collections::BTreeMap;

use heap_base::{Error, Plus, Result};
use heap_base::{Map, json::member};
use heap_record::wants::{Edges, Nodes, Strings};
use heap_record::{Declaration, Edge, Extension, Metadata, Node, Str, Value, Wants};

use super::retained::Retained;
use crate::sum::package;
use heap_ops::place::Sources;
use heap_ops::report::{OnePass, Report};
use heap_ops::select::Field;
use heap_ops::select::field::{bracketed, int_field};
use heap_ops::select::{Selection, Selector};
use heap_ops::series::{Identity, Origin};
use heap_ops::stream::Context;
use heap_ops::stream::cells::Uncounted;

/// One snapshot's nodes, counted by type name and listed by identity.
///
/// Memory: the stream's strings; with objects, 32 bytes for each; with what they retain, 24 bytes a node.
#[derive(Debug, Default)]
pub struct Census {
    by: Grouping,
    places: Option<Box<Places>>,
    pub(super) with_objects: bool,
    pub(super) origin: Origin,
    /// It has all objects, and not a selection of them.
    pub(super) whole: bool,
    /// Of a selection: one in [`SAMPLED`] objects of all of the dump.
    pub(super) sample: Option<Box<Self>>,
    /// The highest identifier of an object that takes space, selected or not, and the bytes of all.
    pub(super) highest: Option<Value>,
    pub(super) bytes: u64,
    groups: Map<Group, u32>,
    pub(super) totals: Vec<ClassTotals>,
    keys: Vec<Group>,
    pub(super) objects: Vec<Object>,
    /// Groups whose objects are not counted.
    uncounted: Uncounted,
    /// Names of `totals`, once they are complete; equal names share one number from then on.
    pub(super) names: Vec<String>,
    /// Warnings about fields in conditions that no node had, once complete.
    pub(super) missing: Vec<String>,
    pub(super) retained: Retained,
}

/// Objects and shallow bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassTotals {
    /// Objects.
    pub count: u64,
    /// True if the source does not say how many some of its nodes stand for.
    pub uncounted: bool,
    /// Shallow bytes.
    pub size: u64,
}

impl ClassTotals {
    pub(super) fn add(&mut self, count: u64, size: u64) {
        self.count = self.count.plus(count);
        self.size = self.size.plus(size);
    }
}

/// So many objects that were not selected have one that tells processes apart.
const SAMPLED: u64 = 64;

/// Whether an object is in each dump's sample.
fn is_sampled(id: Value) -> bool {
    (id as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) < u64::MAX / SAMPLED
}

/// What nodes are counted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// The type name.
    #[default]
    Class,
    /// What stands before the last dot of the type name.
    Package,
    /// The function with its line; see [`Sources`].
    Location,
}

impl Grouping {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Class, Self::Package, Self::Location];

    /// The name of the grouping and of its column.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Package => "package",
            Self::Location => "location",
        }
    }
}

/// What the nodes of a group have in common, before strings are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Group {
    Class(i64),
    /// Subtype of nodes without a class.
    Subtype(u32),
    /// A function at its line: number of a text.
    Line(u32),
    /// The function made of this code.
    Code(Value),
    None,
}

/// Where nodes stand, for [`Grouping::Location`].
#[derive(Debug, Default)]
struct Places {
    sources: Sources,
    lines: Vec<String>,
    numbers: Map<String, u32>,
}

impl Places {
    fn group(&mut self, node: &Node<'_>, context: &Context) -> Result<Group> {
        let Some(content) = Field::new("location").of(node, context)? else {
            // Where stacks say what allocated a node, others were allocated at no known place.
            let code = self.sources.code(node.id).filter(|_| !context.stacks.are_there());
            return Ok(code.map_or(Group::None, Group::Code));
        };
        let text = content.text().into_owned();
        let next = self.lines.len() as u32;
        let number = *self.numbers.entry(text.clone()).or_insert(next);
        if number == next {
            self.lines.push(text);
        }
        Ok(Group::Line(number))
    }
}

/// An object with an identity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    pub(super) key: i64,
    pub(super) id: Value,
    pub(super) size: u64,
    pub(super) group: u32,
    /// Its place in what is known of retained sizes.
    pub(super) place: u32,
}

impl Census {
    /// Counts the selected nodes; lists the objects too if asked.
    pub fn new(selection: Selection, with_objects: bool) -> OnePass<Self> {
        Self::grouped(selection, with_objects, Grouping::Class)
    }

    /// The same by another grouping.
    pub fn grouped(selection: Selection, with_objects: bool, by: Grouping) -> OnePass<Self> {
        let places = (by == Grouping::Location).then(Box::default);
        let whole = selection.is_all();
        let sample = (with_objects && !whole).then(|| Box::new(Self { with_objects, ..Self::default() }));
        OnePass::new(Self { by, places, with_objects, whole, sample, ..Self::default() }, selection)
    }

    /// The number of a node's group.
    fn group(&mut self, node: &Node<'_>, context: &Context) -> Result<u32> {
        let group = match &mut self.places {
            Some(places) => places.group(node, context)?,
            None => node.heap.class.map_or(Group::Subtype(node.subtype), Group::Class),
        };
        let next = self.totals.len() as u32;
        let number = *self.groups.entry(group).or_insert(next);
        if number == next {
            self.totals.push(ClassTotals::default());
            self.keys.push(group);
        }
        Ok(number)
    }

    /// Counts a node.
    fn count(&mut self, node: &Node<'_>, context: &Context) -> Result {
        let number = self.group(node, context)?;
        let size = node.heap.size.unwrap_or(0);
        let place = self.retained.push(node, number);
        self.totals[number as usize].add(node.heap.count.unwrap_or(1), size);
        self.uncounted.node(number, node, context);
        if self.with_objects {
            let key = match &self.origin.identity {
                // What takes no space is no object: V8 makes such nodes anew for each snapshot.
                Identity::Identifier if size > 0 => Some(node.id),
                Identity::None | Identity::Identifier => None,
                Identity::Fields(fields) => key(node, fields),
            };
            if let Some(key) = key {
                self.objects.push(Object { key, id: node.id, size, group: number, place });
            }
        }
        Ok(())
    }

    /// Looks up the names of the groups since the last call.
    fn name_groups(&mut self, context: &Context) -> Result {
        for group in self.uncounted.take() {
            self.totals[group as usize].uncounted = true;
        }
        for key in &self.keys[self.names.len()..] {
            let strings = &context.strings;
            let line = |number: u32| self.places.as_ref()?.lines.get(number as usize).cloned();
            let name = match *key {
                Group::Class(id) if self.by == Grouping::Package => {
                    package(&strings.text_or_number(id)?, context.paths).to_owned()
                }
                Group::Subtype(_) if self.by == Grouping::Package => String::new(),
                Group::Class(id) => strings.text_or_number(id)?,
                Group::Subtype(n) => bracketed(&context.types.node_name(n)),
                Group::Line(number) => line(number).unwrap_or_default(),
                Group::Code(code) => {
                    let source = self.places.as_ref().map(|places| places.sources.of_code(code, strings));
                    source.transpose()?.flatten().map_or(String::new(), |source| source.whole())
                }
                Group::None => String::new(),
            };
            self.names.push(name);
        }
        if let Some(places) = &mut self.places {
            places.sources.clear();
        }
        // The numbers of classes and subtypes hold in one stream.
        self.groups.clear();
        Ok(())
    }

    /// What nodes are counted by.
    pub(super) fn by(&self) -> Grouping {
        self.by
    }

    /// Forgets what single nodes retain: only the last snapshot of a comparison needs it.
    pub fn forget_nodes(&mut self) {
        self.add_up();
        self.retained.forget_nodes();
    }

    /// Adds up what groups retain, once all snapshots are there.
    pub(super) fn add_up(&mut self) {
        self.retained.add_up(&self.names);
    }

    /// Gives equal names one number, in the order of `numbers`, and sorts the objects by identity.
    pub(super) fn number_names(&mut self, numbers: &mut BTreeMap<String, u32>) {
        let mut map = Vec::with_capacity(self.names.len());
        for name in &self.names {
            let next = numbers.len() as u32;
            map.push(*numbers.entry(name.clone()).or_insert(next));
        }
        for object in &mut self.objects {
            object.group = map[object.group as usize];
        }
        // With fields, the class is part of the identity.
        let by_field = matches!(self.origin.identity, Identity::Fields(_));
        self.objects.sort_unstable_by_key(|o| (if by_field { o.group } else { 0 }, o.key, o.group, o.id));
    }
}

/// The identity that fields of a node make, its identifier among them. Hashes, class ids and generations are small, so two
/// fields fit side by side.
fn key(node: &Node<'_>, fields: &[String]) -> Option<i64> {
    let field = |name: &String| match name.as_str() {
        "identifier" => Some(node.id),
        name => member(node.own, name).or_else(|| member(node.rest, name)).and_then(int_field),
    };
    let (first, others) = fields.split_first()?;
    let fold = |key: i64, name| key ^ field(name).unwrap_or(0).rotate_left(32);
    Some(others.iter().fold(field(first)?, fold))
}

impl Report for Census {
    fn wants(&self, selection: &Selection) -> Wants {
        let places = self.places.is_some();
        let full = self.with_objects || selection.needs_details() || places;
        Wants {
            strings: if selection.needs_names() || places { Strings::All } else { Strings::Classes },
            nodes: if full { Nodes::Full } else { Nodes::Brief },
            edges: if places { Edges::ById } else { Edges::None },
            extensions: places,
            ..Wants::HEAD
        }
    }

    fn ready(&self, node: &Node<'_>, selector: &Selector) -> bool {
        let context = &selector.context;
        let has = || context.has_strings_of(node) && context.has_stack_of(node);
        selector.ready(node) && (self.places.is_none() || has())
    }

    fn fold_edge(&mut self, edge: &Edge<'_>, _: bool, selector: &Selector) -> Result<bool> {
        if let Some(places) = &mut self.places {
            places.sources.edge(edge, &selector.context.types);
        }
        Ok(true)
    }

    fn begin_stream(&mut self) {
        self.origin = Origin::default();
        self.uncounted.begin_stream();
        if let Some(places) = &mut self.places {
            places.sources.begin_stream();
        }
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        let before = self.origin.identity.clone();
        self.origin.metadata(record);
        if let Some(sample) = &mut self.sample {
            sample.origin.clone_from(&self.origin);
        }
        if self.with_objects && !self.totals.is_empty() && before != self.origin.identity {
            let what = format!("{} comes after the first node that it is about", record.key);
            return Err(Error::at_line(record.line.number, what));
        }
        match record.key {
            "heap.snapshot" if !self.totals.is_empty() => {
                return Err(Error::refused("several snapshots: choose one with --snapshot or FILE@N"));
            }
            _ => {}
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) {
        self.uncounted.declare(record);
    }

    fn string(&mut self, record: &Str<'_>) {
        if let Some(places) = &mut self.places {
            places.sources.string(record);
        }
    }

    fn arrived(&mut self, node: &Node<'_>, _number: u32, selector: &Selector) -> Result {
        if let Some(places) = &mut self.places {
            places.sources.node(node, &selector.context.types);
        }
        let size = node.heap.size.unwrap_or(0);
        self.bytes = self.bytes.plus(size);
        if size > 0 {
            self.highest = self.highest.max(Some(node.id));
        }
        match &mut self.sample {
            Some(sample) if is_sampled(node.id) => sample.count(node, &selector.context),
            _ => Ok(()),
        }
    }

    fn fold(&mut self, node: &Node<'_>, _number: u32, selector: &mut Selector) -> Result {
        if selector.selects(node)? { self.count(node, &selector.context) } else { Ok(()) }
    }

    fn extension(&mut self, record: &Extension<'_>, _: &mut Selector) -> Result {
        if let Some(places) = &mut self.places {
            places.sources.extension(record);
        }
        Ok(())
    }

    fn end_snapshot(&mut self, selector: &mut Selector) -> Result {
        self.name_groups(&selector.context)?;
        if let Some(sample) = &mut self.sample {
            sample.name_groups(&selector.context)?;
        }
        self.missing = selector.missing();
        Ok(())
    }
}
