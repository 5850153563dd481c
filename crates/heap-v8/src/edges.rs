//! The survey of `edges`: what is whole, and what must be known of them before the first node is told.

use std::ops::Range;

use heap_record::{Blob, Error, Result};

use crate::bits::{Bits, Indexes};
use crate::header::{EdgeFields, Header};
use crate::ints::{Batch, Ints, Section};
use crate::nodes::{Nodes, Sources, Special};
use crate::text::Strings;
use crate::types::{self, EdgeRole, EdgeType, Label, MOST_CODE};

/// No target.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What is known of the edges.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    /// How many stand whole.
    pub(crate) count: u64,
    /// The edge types, with all codes that occur.
    pub(crate) types: Vec<EdgeType>,
    /// Array indexes that occur.
    pub(crate) indexes: Indexes,
    /// Targets that nodes take as their own fields, in node order; [`NOWHERE`] where there is none.
    pub(crate) slots: Vec<u32>,
    /// Targets of the root's edges, by ordinal: shortcuts, elements, all.
    pub(crate) shortcuts: Bits,
    pub(crate) elements: Bits,
    pub(crate) children: Bits,
    /// Where the edges stop being whole.
    pub(crate) damage: Option<Error>,
    /// One more than the largest ordinal pointed to.
    reach: u64,
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) blob: &'a Blob,
    pub(crate) section: &'a Section,
    pub(crate) header: &'a Header,
    pub(crate) strings: &'a Strings,
    /// Whether array indexes are asked for.
    pub(crate) indexes: bool,
    /// Whether nodes' own fields are asked for.
    pub(crate) slots: bool,
}

/// Exact division by the number of fields in a node: one multiplication, no division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divide {
    inverse: u64,
    shift: u32,
    most: u64,
}

impl Divide {
    /// By `width`, which is not 0.
    pub(crate) fn by(width: usize) -> Self {
        let width = width.max(1) as u64;
        let shift = width.trailing_zeros();
        let odd = width >> shift;
        // Newton's iteration doubles the number of right bits, from 3 to 96.
        let inverse = (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        Self { inverse, shift, most: u64::MAX / width }
    }

    /// `index` divided, if it is a multiple.
    #[inline]
    pub(crate) const fn exact(self, index: u64) -> Option<u64> {
        // A multiple's low bits are rotated away; any other number lands above all quotients.
        let n = index.wrapping_mul(self.inverse).rotate_right(self.shift);
        if n <= self.most { Some(n) } else { None }
    }
}

/// The three known fields of an edge record.
#[inline(always)]
pub(crate) fn triple<const PLAIN: bool>(f: &EdgeFields, ints: &[u64]) -> (u64, u64, u64) {
    match ints {
        // The order that every version of V8 writes.
        &[kind, name, to] if PLAIN => (kind, name, to),
        _ if PLAIN => (0, 0, 0),
        _ => (ints[f.kind], ints[f.name], ints[f.to]),
    }
}

/// Whether [`triple`] may take the fields as they come.
pub(crate) fn plain(f: &EdgeFields) -> bool {
    f.width == 3 && f.kind == 0 && f.name == 1 && f.to == 2
}

/// A label that is a number: indexes above 2^31 − 1 are negative in newer files.
#[inline]
pub(crate) const fn index(name: u64) -> u32 {
    name as u32
}

impl Edges {
    /// Goes over all edges of `nodes`.
    pub(crate) fn survey(plan: Plan<'_>, nodes: &Nodes, root: Option<usize>) -> Result<Self> {
        let mut survey = Survey::new(plan, u64::from(nodes.count));
        survey.silent = nodes.damaged;
        if plan.slots {
            survey.edges.slots = vec![NOWHERE; nodes.slots];
        }
        let owners = Owners {
            sources: nodes.sources(),
            ordinal: usize::MAX,
            left: 0,
            special: Special::None,
            slot: 0,
        };
        survey.run(true, Some(owners), 0..0, root, &|_| true)?;
        let mut edges = survey.edges;
        if edges.damage.is_none() && !nodes.damaged && edges.count != nodes.edges {
            let what =
                format!("{} records, but the nodes' edge_count add up to {}", edges.count, nodes.edges);
            edges.damage = Some(plan.section.damage(plan.section.end, what));
            // Which node claims too many or too few is not known, so no edge's source is.
            edges.count = 0;
            edges.slots.clear();
        }
        Ok(edges)
    }

    /// Goes over all edges without knowing the nodes, while `on`.
    pub(crate) fn survey_alone(plan: Plan<'_>, on: &dyn Fn() -> bool) -> Result<Self> {
        let mut survey = Survey::new(plan, 0);
        survey.alone = true;
        survey.run(false, None, 0..0, None, &|_| on())?;
        Ok(survey.edges)
    }

    /// Goes over the edges as far as those of the `root`.
    pub(crate) fn survey_root(plan: Plan<'_>, nodes: &Nodes, root: Option<usize>) -> Result<Self> {
        let mut first = 0u64;
        let mut last = 0;
        for (ordinal, (_, edges)) in nodes.sources().enumerate().take(root.map_or(0, |r| r + 1)) {
            if Some(ordinal) == root {
                last = first.saturating_add(edges);
            } else {
                first = first.saturating_add(edges);
            }
        }
        let mut survey = Survey::new(plan, nodes.count.into());
        survey.alone = true;
        survey.run(false, None, first..last, None, &|seen| seen < last)?;
        Ok(survey.edges)
    }

    /// Whether what [`survey_alone`](Self::survey_alone) found is all there is to say, now that the nodes are known.
    pub(crate) fn fits(&self, nodes: &Nodes) -> bool {
        nodes.damaged
            || self.reach <= u64::from(nodes.count) && (self.damage.is_some() || self.count == nodes.edges)
    }
}

/// Whose edge it is.
struct Owners<'a> {
    sources: Sources<'a>,
    ordinal: usize,
    left: u64,
    special: Special,
    slot: usize,
}

impl Owners<'_> {
    /// Goes to the owner of the next edge; false if no node is left.
    #[inline]
    fn advance(&mut self) -> bool {
        while self.left == 0 {
            self.slot += self.special.slots();
            let Some((special, edges)) = self.sources.next() else { return false };
            self.ordinal = self.ordinal.wrapping_add(1);
            self.special = special;
            self.left = edges;
        }
        self.left -= 1;
        true
    }
}

/// Field and what is wrong with it.
type Fault = (usize, String);

struct Survey<'a> {
    plan: Plan<'a>,
    edges: Edges,
    divide: Divide,
    /// How many nodes there are, or can be at most.
    n_nodes: u64,
    name_limit: u64,
    /// The nodes are not known yet.
    alone: bool,
    /// The nodes are damaged: an edge that points past them ends the edges, but is no damage of its own.
    silent: bool,
}

impl<'a> Survey<'a> {
    fn new(plan: Plan<'a>, n_nodes: u64) -> Self {
        Self {
            edges: Edges { types: types::edge_types(&plan.header.edge_types, None), ..Edges::default() },
            divide: Divide::by(plan.header.node.width),
            n_nodes,
            name_limit: plan.strings.limit(),
            alone: false,
            silent: false,
            plan,
        }
    }

    fn run(
        &mut self,
        ahead: bool,
        mut owners: Option<Owners<'_>>,
        root_edges: Range<u64>,
        root: Option<usize>,
        on: &dyn Fn(u64) -> bool,
    ) -> Result {
        let plan = self.plan;
        let ints = Ints::new(plan.blob, plan.section, plan.header.edge.width);
        ints.batches(ahead, |batch| {
            let outcome = if plain(&plan.header.edge) {
                self.batch::<true>(batch, &mut owners, &root_edges, root)
            } else {
                self.batch::<false>(batch, &mut owners, &root_edges, root)
            };
            self.edges.damage = match outcome {
                Ok(true) => batch.stopped(plan.section),
                Ok(false) => return Ok(false),
                Err((record, (field, what))) => {
                    Some(batch.damage(plan.blob, plan.section, record, field, what))
                }
            };
            Ok(self.edges.damage.is_none() && on(self.edges.count))
        })
    }

    /// Takes the records of a batch; false if the edges end here without being damaged.
    fn batch<const PLAIN: bool>(
        &mut self,
        batch: &Batch,
        owners: &mut Option<Owners<'_>>,
        root_edges: &Range<u64>,
        root: Option<usize>,
    ) -> Result<bool, (usize, Fault)> {
        let fields = &self.plan.header.edge;
        for (record, ints) in batch.records().enumerate() {
            let (kind, name, to) = triple::<PLAIN>(fields, ints);
            let (label, role) = match self.edges.types.get(kind as usize) {
                Some(t) => (t.label, t.role),
                None => self.undeclared(kind, batch, record).map_err(|f| (record, f))?,
            };
            if label == Label::String {
                if name >= self.name_limit {
                    return Err((record, self.bad_name(batch, record)));
                }
            } else {
                if name > u64::from(u32::MAX) {
                    self.far_index(name, batch, record).map_err(|f| (record, f))?;
                }
                if self.plan.indexes {
                    self.edges.indexes.insert(index(name));
                }
            }
            let Some(dest) = self.divide.exact(to) else {
                let what = format!(
                    "to_node {} is not a multiple of {}",
                    batch.shown(record, fields.to),
                    self.plan.header.node.width
                );
                return Err((record, (fields.to, what)));
            };
            if dest >= self.n_nodes && !self.alone {
                if self.silent {
                    return Ok(false);
                }
                let what = format!("to_node {to} is beyond the {} nodes", self.n_nodes);
                return Err((record, (fields.to, what)));
            }
            self.edges.reach = self.edges.reach.max(dest.saturating_add(1));
            let mut at_root = root_edges.contains(&self.edges.count);
            if let Some(owner) = owners {
                if owner.advance() {
                    if self.plan.slots
                        && role == EdgeRole::Internal
                        && let Some(slot) = owner.special.slot(self.plan.strings.marks.get(name))
                        && let Some(slot) = self.edges.slots.get_mut(owner.slot + slot)
                        && *slot == NOWHERE
                    {
                        *slot = dest as u32;
                    }
                    at_root = root == Some(owner.ordinal);
                } else if self.silent {
                    return Ok(false);
                } else {
                    at_root = false;
                }
            }
            if at_root && dest < self.n_nodes {
                self.root(role, dest as usize);
            }
            self.edges.count += 1;
        }
        Ok(true)
    }

    #[cold]
    fn root(&mut self, role: EdgeRole, dest: usize) {
        self.edges.children.insert(dest);
        match role {
            EdgeRole::Shortcut => self.edges.shortcuts.insert(dest),
            EdgeRole::Element => self.edges.elements.insert(dest),
            _ => false,
        };
    }

    #[cold]
    fn undeclared(&mut self, kind: u64, batch: &Batch, record: usize) -> Result<(Label, EdgeRole), Fault> {
        let field = self.plan.header.edge.kind;
        if kind > MOST_CODE {
            return Err((field, format!("type code {} is not one", batch.shown(record, field))));
        }
        self.edges.types = types::edge_types(&self.plan.header.edge_types, Some(kind as u32));
        let t = self.edges.types.get(kind as usize);
        Ok(t.map_or((Label::String, EdgeRole::None), |t| (t.label, t.role)))
    }

    #[cold]
    fn far_index(&self, name: u64, batch: &Batch, record: usize) -> Result<(), Fault> {
        let field = self.plan.header.edge.name;
        if batch.negative(record, field) && name as i64 >= i64::from(i32::MIN) {
            return Ok(());
        }
        Err((field, format!("index {} is beyond 32 bits", batch.shown(record, field))))
    }

    #[cold]
    fn bad_name(&self, batch: &Batch, record: usize) -> Fault {
        let field = self.plan.header.edge.name;
        let name = batch.shown(record, field);
        let what = if self.plan.strings.whole {
            format!("name {name} is not below {}, the number of strings", self.name_limit)
        } else {
            format!("name {name} is beyond 32 bits")
        };
        (field, what)
    }
}
