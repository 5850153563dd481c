//! The survey of `nodes`: what is whole, and the five bytes of each node that edges ask for.

use std::iter;
use std::ops::Range;

use heap_base::{Blob, Error, Result, WorkQueue, join};
use heap_record::{Value, index_id};

use crate::bits::Bits;
use crate::columns::{Columns, More};
use crate::edges;
use crate::fold::Fold;
use crate::header::Header;
use crate::ids::Ids;
use crate::ints::{Batch, Ints, Section, worth_a_thread};
use crate::rows::{self, Row};
use crate::shape::PARTS;
use crate::sources::{Owners, Shapes, Sources, Special};
use crate::text::Strings;
use crate::types::{self, MOST_CODE, NodeType, Own, Role};
use crate::weak::Mark;

/// Bytes that are looked at to find a place where the list can be cut: a record takes at most 150.
const CUT: usize = 256;

/// How identifiers are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// From V8's ids: an odd one as it is, an even one e as −(e + 1).
    V8,
    /// From the ordinal, because ids repeat or do not fit.
    Index,
}

/// What a survey of the nodes keeps of each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keep {
    /// What edges ask of their sources: one byte.
    pub(crate) edges: bool,
    /// What will be asked of the nodes themselves.
    pub(crate) nodes: KeepNodes,
    /// Which strings are classes, if the strings are known.
    pub(crate) classes: bool,
}

impl Keep {
    /// Nothing but what edges ask for.
    pub(crate) const EDGES: Self = Self { edges: true, nodes: KeepNodes::No, classes: false };
}

/// What a survey keeps of the nodes themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeepNodes {
    /// Nothing: nobody will ask, or they will be lexed again.
    No,
    /// Totals by type and class.
    Totals,
    /// Type, name and size: six bytes a node.
    Columns,
    /// All that they say, if columns can say it; else nothing.
    Whole,
}

/// What is asked of which nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) section: &'a Section,
    pub(crate) header: &'a Header,
    pub(crate) strings: &'a Strings,
    pub(crate) keep: Keep,
}

impl<'a> Ask<'a> {
    /// Ordinal that the root would have.
    fn root(self) -> Option<u64> {
        edges::Divide::by(self.header.node.width).exact(self.header.root_index)
    }

    /// The list in parts of about the same length, cut where a record seems to begin: each of V8's has a line. There is
    /// one only if no other is seen, or does not pay.
    pub(crate) fn cut(self) -> Result<Vec<Section>> {
        let Section { start, end, closed, .. } = *self.section;
        let mut parts = vec![*self.section];
        // Totals are for one thread.
        if self.keep.nodes == KeepNodes::Totals || !closed || !worth_a_thread(self.section) {
            return Ok(parts);
        }
        let mut text = [0; CUT];
        for part in 1..PARTS {
            let at = start + (end - start) / PARTS * part;
            let n = self.blob.read_at(&mut text, at)?;
            let Some(line) = memchr::memmem::find(&text[..n], b"\n,") else { continue };
            let comma = at + line as u64 + 1;
            if let Some(last) = parts.last_mut()
                && (last.start + 1..end).contains(&comma)
            {
                last.end = comma;
                parts.push(Section { start: comma + 1, ..*self.section });
            }
        }
        Ok(parts)
    }

    /// A survey that has not begun, with room for all nodes of `section`. It knows the root by its ordinal.
    fn survey(self, section: &Section, root: Option<u64>) -> Survey<'a> {
        let Self { header, strings, keep, .. } = self;
        let fields = &header.node;
        // The count in the header is a hint; a node takes at least two bytes per field.
        let room = (section.end - section.start) / (2 * fields.width as u64) + 1;
        let hint =
            header.number("node_count").and_then(|n| u64::try_from(n).ok()).unwrap_or(0).min(room) as usize;
        let whole = keep.nodes == KeepNodes::Whole;
        Survey {
            name_limit: strings.limit(),
            edges: keep.edges,
            whole,
            root,
            strings,
            header,
            nodes: Nodes {
                count: 0,
                rule: Rule::V8,
                ids: Ids::with_capacity(hint),
                shapes: Shapes::with_capacity(if keep.edges { hint } else { 0 }),
                columns: (keep.nodes == KeepNodes::Columns || whole && fields.others.is_empty())
                    .then(|| Columns::with_capacity(hint)),
                fold: (keep.nodes == KeepNodes::Totals).then(Fold::default),
                // Names are only bounded where the strings are known.
                classes: (keep.classes && strings.whole).then(Bits::default),
                root_edges: 0..0,
                edges: 0,
                types: types::node_types(&header.node_types),
                synthetic: Bits::default(),
                unnamed: Vec::new(),
                largest_name: 0,
                dom_trees: Bits::default(),
                slots: 0,
                damage: None,
                damaged: false,
            },
        }
    }
}

/// What is known of the nodes.
#[derive(Debug)]
pub(crate) struct Nodes {
    /// How many stand whole.
    pub(crate) count: u32,
    /// How identifiers are made, once it is known what is [possible](Self::possible_rule).
    pub(crate) rule: Rule,
    ids: Ids,
    /// What edges ask for.
    shapes: Shapes,
    /// All that is asked for, if they say it.
    pub(crate) columns: Option<Columns>,
    /// Totals, if these are asked for.
    pub(crate) fold: Option<Fold>,
    /// Which strings are classes, if that was asked for.
    pub(crate) classes: Option<Bits>,
    /// Which edges are the root's.
    pub(crate) root_edges: Range<u64>,
    /// Edges that the nodes claim.
    pub(crate) edges: u64,
    /// The node types, with all codes that occur.
    pub(crate) types: Vec<NodeType>,
    /// Ordinals of synthetic nodes.
    pub(crate) synthetic: Bits,
    /// Ordinals and names of synthetic nodes, while strings are not known.
    unnamed: Vec<(u32, u32)>,
    /// The largest name.
    largest_name: u64,
    /// Ordinals of synthetic nodes called `(Document DOM trees)`.
    pub(crate) dom_trees: Bits,
    /// Targets of edges that nodes take as fields of their own.
    pub(crate) slots: usize,
    /// Where the nodes stop being whole.
    pub(crate) damage: Option<Error>,
    /// Whether there is or was such a place.
    pub(crate) damaged: bool,
}

impl Nodes {
    /// Goes over all nodes, and keeps what edges or a later telling of nodes will ask for; does `other`, too. With `two`,
    /// or where there are many nodes, two threads share both; anything odd in the nodes is left to one of them, which says
    /// where it is.
    pub(crate) fn survey<T: Send>(
        ask: Ask<'_>,
        two: bool,
        other: impl FnOnce() -> Result<T> + Send,
    ) -> Result<(Self, T)> {
        let parts = ask.cut()?;
        if parts.len() < 2 {
            let (nodes, other) = join(two, || Self::survey_alone(ask), other);
            return Ok((nodes?, other?));
        }
        // Nobody takes the first part away from the first thread: it asks where the root is.
        let left = WorkQueue::new(1..parts.len());
        let (nodes, other) = Self::survey_parts(ask, &parts, [&left, &left], other)?;
        Ok((nodes.map_or_else(|| Self::survey_alone(ask), Ok)?, other))
    }

    /// The survey by two threads, one of the first part and what it finds `left` from there on, the other, which does
    /// `other` before, of what it finds left from the last on; no nodes if something is odd.
    pub(crate) fn survey_parts<T: Send>(
        ask: Ask<'_>,
        parts: &[Section],
        left: [&WorkQueue; 2],
        other: impl FnOnce() -> Result<T> + Send,
    ) -> Result<(Option<Self>, T)> {
        let front = || -> Result<Self> {
            let mut survey = ask.survey(ask.section, ask.root());
            for at in iter::once(0).chain(iter::from_fn(|| left[0].first())) {
                if !survey.run(ask.blob, &parts[at], false)? {
                    left[0].end();
                    break;
                }
            }
            Ok(survey.nodes)
        };
        let back = || -> Result<(T, Vec<Self>)> {
            let other = other()?;
            let mut nodes = Vec::new();
            while let Some(at) = left[1].last() {
                let mut survey = ask.survey(&parts[at], None);
                let whole = survey.run(ask.blob, &parts[at], false)?;
                nodes.push(survey.nodes);
                if !whole {
                    left[1].end();
                    break;
                }
            }
            Ok((other, nodes))
        };
        let (first, back) = join(true, front, back);
        let (mut first, (other, back)) = (first?, back?);
        // A part ends with a whole record only if the next one begins with one.
        let sound = !first.damaged && back.iter().all(|nodes| !nodes.damaged);
        let rooted = ask.root().is_none_or(|root| root < first.count.into());
        let whole = sound && rooted && back.into_iter().rev().all(|nodes| first.append(nodes));
        Ok((whole.then_some(first), other))
    }

    /// The survey by one thread, lexed ahead by a second one.
    pub(crate) fn survey_alone(ask: Ask<'_>) -> Result<Self> {
        let mut survey = ask.survey(ask.section, ask.root());
        survey.run(ask.blob, ask.section, true)?;
        Ok(survey.nodes)
    }

    /// Takes up the nodes that come behind; false if they do not fit.
    fn append(&mut self, next: Self) -> bool {
        let (Some(count), Some(edges)) =
            (self.count.checked_add(next.count), self.edges.checked_add(next.edges))
        else {
            return false;
        };
        let first = self.count;
        self.ids.append(next.ids);
        self.shapes.append(next.shapes);
        self.columns = self.columns.take().zip(next.columns).map(|(mut mine, next)| {
            mine.append(first, next);
            mine
        });
        let mut classes = Bits::default();
        for (mine, next, shift) in [
            (self.classes.as_mut().unwrap_or(&mut classes), next.classes.unwrap_or_default(), 0),
            (&mut self.synthetic, next.synthetic, first),
            (&mut self.dom_trees, next.dom_trees, first),
        ] {
            for i in next.iter() {
                mine.insert(shift as usize + i);
            }
        }
        self.unnamed.extend(next.unnamed.iter().map(|&(ordinal, name)| (first + ordinal, name)));
        self.largest_name = self.largest_name.max(next.largest_name);
        if next.types.len() > self.types.len() {
            self.types = next.types;
        }
        self.slots += next.slots;
        (self.count, self.edges) = (count, edges);
        true
    }

    /// How identifiers must be made.
    pub(crate) fn possible_rule(&self) -> Rule {
        let usable = self.ids.largest() <= 1 << 62 && self.ids.all_different();
        if usable { Rule::V8 } else { Rule::Index }
    }

    /// Takes up the names of a survey that was made before the strings were known; false if one of them is none.
    pub(crate) fn name(&mut self, strings: &Strings) -> bool {
        for &(ordinal, name) in &self.unnamed {
            if strings.marks.get(name.into()) == Mark::DomTrees {
                self.dom_trees.insert(ordinal as usize);
            }
        }
        self.named_below(strings.limit())
    }

    /// Whether all names are below `limit`.
    pub(crate) fn named_below(&self, limit: u64) -> bool {
        self.count == 0 || self.largest_name < limit
    }

    /// The id of a node, if there is such a node.
    #[inline]
    pub(crate) fn id(&self, ordinal: usize) -> Option<u64> {
        self.ids.get(ordinal)
    }

    /// The identifier of a node that exists.
    #[inline]
    pub(crate) fn identifier(&self, ordinal: usize) -> Value {
        match self.rule {
            Rule::V8 => v8_identifier(self.id(ordinal).unwrap_or(0)),
            Rule::Index => index_id(ordinal as u64),
        }
    }

    /// All ids, by ordinal.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + '_ {
        self.ids.iter()
    }

    /// Goes over the sources of edges.
    pub(crate) fn sources(&self) -> Sources<'_> {
        self.shapes.iter()
    }

    /// Goes over edges, by their sources.
    pub(crate) fn owners(&self) -> Owners<'_> {
        Owners::new(self.sources())
    }
}

/// The identifier that V8's id gives: both kinds are odd, and no two are equal.
#[inline]
pub(crate) const fn v8_identifier(id: u64) -> Value {
    if id & 1 == 1 { id as Value } else { -(id as Value) - 1 }
}

struct Survey<'a> {
    header: &'a Header,
    strings: &'a Strings,
    name_limit: u64,
    /// Whether it is kept what edges ask for.
    edges: bool,
    /// Whether columns must say all.
    whole: bool,
    /// Ordinal that the root would have.
    root: Option<u64>,
    nodes: Nodes,
}

/// Record in the batch, field, and what is wrong with it.
type Fault = (usize, usize, String);

impl Survey<'_> {
    /// Takes up the nodes in `section`; false if they do not all stand whole.
    fn run(&mut self, blob: &Blob, section: &Section, ahead: bool) -> Result<bool> {
        let fields = &self.header.node;
        Ints::new(blob, section, fields.width).nodes(rows::Plain::new(fields)).batches(ahead, |batch| {
            self.nodes.damage = match self.batch(batch) {
                Some((record, field, what)) => Some(batch.damage(blob, section, record, field, what)),
                None => batch.stopped(section),
            };
            Ok(self.nodes.damage.is_none())
        })?;
        self.nodes.damaged = self.nodes.damage.is_some();
        Ok(!self.nodes.damaged)
    }

    fn batch(&mut self, batch: &Batch) -> Option<Fault> {
        for (record, row) in batch.rows.as_slice().iter().enumerate() {
            if let Err((field, what)) = self.node(row, More::default()) {
                return Some((record, field, what));
            }
        }
        let f = &self.header.node;
        let known = |field| {
            [f.kind, f.name, f.id, f.size, f.edges].contains(&field)
                || [f.trace, f.detachedness].contains(&Some(field))
        };
        let negative = batch.negatives.iter().map(|&at| (at as usize / f.width, at as usize % f.width));
        let negative = negative.into_iter().find(|&(_, field)| known(field));
        let most = negative.map_or(usize::MAX, |n| n.0);
        for (record, ints) in batch.records().enumerate().take(most) {
            let value = |field: Option<usize>| field.map_or(0, |at| ints[at]);
            let more = More { trace: value(f.trace), detachedness: value(f.detachedness) };
            let [kind, name, id, size, edges] = [f.kind, f.name, f.id, f.size, f.edges].map(|at| ints[at]);
            if let Err((field, what)) = self.node(&Row { kind, name, id, size, edges }, more) {
                return Some((record, field, what));
            }
        }
        let (record, field) = negative?;
        // A record that is cut off is no record.
        (record < batch.records().len())
            .then(|| (record, field, format!("{} is negative", batch.shown(record, field))))
    }

    #[inline]
    fn node(&mut self, row: &Row, more: More) -> Result<(), (usize, String)> {
        let f = &self.header.node;
        let &Row { kind, name, id, size, edges } = row;
        let (own, role, class) = match self.nodes.types.get(kind as usize) {
            Some(t) => (t.own, t.role, t.class),
            None => self.undeclared(kind)?,
        };
        if name >= self.name_limit {
            return Err(self.bad_name(name));
        }
        let (sum, false) = self.nodes.edges.overflowing_add(edges) else {
            return Err((f.edges, "the edge counts add up to more than 64 bits".into()));
        };
        if self.nodes.count == u32::MAX {
            return Err((f.kind, "more nodes than 32 bits count".into()));
        }
        let special = match own {
            Own::Metadata => Special::Closure,
            Own::Parts => Special::Cons,
            Own::Parent => Special::Sliced,
            _ if role != Role::None => self.named(role, name),
            _ => Special::None,
        };
        let nodes = &mut self.nodes;
        nodes.ids.push(id);
        nodes.largest_name = nodes.largest_name.max(name);
        if let Some(fold) = &mut nodes.fold {
            fold.add(nodes.count, kind as u32, class.then_some(name), size);
        }
        if let Some(columns) = &mut nodes.columns {
            columns.push(kind, name, size);
            if self.whole && more != More::default() && !columns.add(nodes.count, more) {
                nodes.columns = None;
            }
        }
        if class && let Some(classes) = &mut nodes.classes {
            classes.insert(name as usize);
        }
        if self.edges {
            nodes.shapes.push(special, edges);
        }
        if self.root == Some(nodes.count.into()) {
            nodes.root_edges = nodes.edges..sum;
        }
        nodes.edges = sum;
        nodes.slots += special.slots();
        nodes.count += 1;
        Ok(())
    }

    /// What a node of a type that DevTools' rules ask for is by its name.
    fn named(&mut self, role: Role, name: u64) -> Special {
        let nodes = &mut self.nodes;
        match (role, self.strings.marks.get(name)) {
            (Role::Hidden, Mark::NativeContext) => return Special::NativeContext,
            (Role::Array, Mark::MapDescriptors) => return Special::MapDescriptors,
            (Role::Synthetic, mark) => {
                nodes.synthetic.insert(nodes.count as usize);
                if mark == Mark::DomTrees {
                    nodes.dom_trees.insert(nodes.count as usize);
                }
                if !self.strings.whole {
                    nodes.unnamed.push((nodes.count, name as u32));
                }
            }
            _ => {}
        }
        Special::None
    }

    #[cold]
    fn undeclared(&mut self, kind: u64) -> Result<(Own, Role, bool), (usize, String)> {
        if kind > MOST_CODE {
            return Err((self.header.node.kind, format!("type code {kind} is beyond {MOST_CODE}")));
        }
        types::add_node_types(&mut self.nodes.types, kind);
        Ok(self
            .nodes
            .types
            .get(kind as usize)
            .map_or((Own::None, Role::None, false), |t| (t.own, t.role, t.class)))
    }

    #[cold]
    fn bad_name(&self, name: u64) -> (usize, String) {
        let what = if self.strings.whole {
            format!("name {name} is not below {}, the number of strings", self.name_limit)
        } else {
            format!("name {name} is beyond 32 bits")
        };
        (self.header.node.name, what)
    }
}
