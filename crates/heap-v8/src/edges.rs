//! The survey of `edges`: what is whole, and what must be known of them before the first node is told.

use std::ops::Range;

use heap_base::{Blob, Error, Result, join};

use crate::bits::{Bits, Indexes};
use crate::header::{EdgeFields, Header};
use crate::ints::{Batch, Ints, Section, worth_a_thread};
use crate::nodes::Nodes;
use crate::plain::Plain;
use crate::shape::{self, Piece};
use crate::skim::Skim;
use crate::sources::{Owners, Special};
use crate::text::Strings;
use crate::types::{self, EdgeRole, EdgeType, Label, MOST_CODE};

/// No target.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What is known of the edges.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    /// How many stand whole, or seem to.
    pub(crate) count: u64,
    /// Their ends were not looked at: whoever tells them does.
    pub(crate) unread: bool,
    /// Nor were their types: others may come.
    pub(crate) open: bool,
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
    /// The section in two, if somebody has seen where it can be cut.
    pub(crate) halves: Option<[Piece; 2]>,
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

    /// The ordinal of the node, of `count`, that begins at `index`.
    #[inline]
    pub(crate) const fn node(self, index: u64, count: u32) -> Option<u32> {
        match self.exact(index) {
            Some(n) if n < count as u64 => Some(n as u32),
            _ => None,
        }
    }
}

/// The three known fields of an edge record.
#[inline]
pub(crate) fn triple(f: &EdgeFields, ints: &[u64]) -> (u64, u64, u64) {
    (ints[f.kind], ints[f.name], ints[f.to])
}

/// Whether records have the three known fields, in the order that every version of V8 writes, and no others.
pub(crate) fn plain(f: &EdgeFields) -> bool {
    f.width == 3 && f.kind == 0 && f.name == 1 && f.to == 2
}

/// A label that is a number: indexes above 2^31 − 1 are negative in newer files.
#[inline]
pub(crate) const fn index(name: u64) -> u32 {
    name as u32
}

impl Edges {
    /// What must be known of the edges of `nodes` before they are told. Plain ones are skimmed; others are gone over
    /// one by one.
    pub(crate) fn survey(plan: Plan<'_>, nodes: &Nodes, root: Option<usize>) -> Result<Self> {
        match Self::skimmed(plan, nodes)? {
            Some(edges) => Ok(edges),
            None => Self::survey_closely(plan, nodes, root),
        }
    }

    /// Goes over all edges of `nodes`: two threads take a half each where that pays. Anything odd is left to one of
    /// them, which says where it is.
    pub(crate) fn survey_closely(plan: Plan<'_>, nodes: &Nodes, root: Option<usize>) -> Result<Self> {
        match Self::survey_halves(plan, nodes, root)? {
            Some(edges) => Ok(edges),
            None => Self::survey_alone(plan, nodes, root),
        }
    }

    /// What two threads see by skimming; `None` if something is not plain.
    pub(crate) fn skimmed(plan: Plan<'_>, nodes: &Nodes) -> Result<Option<Self>> {
        let known = types::edge_types(&plan.header.edge_types);
        let edges = Self::by_halves(plan, nodes, &|section, first| {
            Skim::new(plan, nodes, &known, first).map_or(Ok(None), |skim| skim.run(section))
        })?;
        let Some(edges) = edges else { return Ok(None) };
        let Self { shortcuts, elements, children, damage, .. } = Self::survey_root(plan, nodes)?;
        Ok(damage.is_none().then_some(Self { types: known, shortcuts, elements, children, ..edges }))
    }

    /// The survey by two threads; `None` if something is odd.
    pub(crate) fn survey_halves(plan: Plan<'_>, nodes: &Nodes, root: Option<usize>) -> Result<Option<Self>> {
        let known = types::edge_types(&plan.header.edge_types).len();
        Self::by_halves(plan, nodes, &|section, first| {
            let mut survey = Survey::new(Plan { section, ..plan }, nodes.count);
            if plan.slots {
                survey.edges.slots = vec![NOWHERE; nodes.slots];
            }
            let mut owners = nodes.owners();
            owners.skip(first);
            survey.run(false, Source::Each(owners, root), &|_| true)?;
            let plain = survey.edges.damage.is_none() && survey.edges.types.len() == known;
            Ok(plain.then_some(survey.edges))
        })
    }

    /// What `look` finds in either half of a long section, each given with the number of its first edge; `None` if it
    /// does not find what the nodes claim.
    fn by_halves(
        plan: Plan<'_>,
        nodes: &Nodes,
        look: &(dyn Fn(&Section, u64) -> Result<Option<Self>> + Sync),
    ) -> Result<Option<Self>> {
        if nodes.damaged || !plan.section.closed || !worth_a_thread(plan.section) {
            return Ok(None);
        }
        let halves = match plan.halves {
            None => shape::middle(plan.blob, plan.section, plan.header.edge.width)?.halves(),
            halves => halves,
        };
        let Some([before, Piece { section: after, first }]) = halves else { return Ok(None) };
        let (mine, other) = join(true, || look(&before.section, 0), || look(&after, first));
        let (Some(mut edges), Some(other)) = (mine?, other?) else { return Ok(None) };
        let whole = edges.count == first;
        edges.add(other);
        Ok((whole && edges.count == nodes.edges).then_some(edges))
    }

    /// Takes up what was found in the second half.
    fn add(&mut self, second: Self) {
        self.count += second.count;
        second.indexes.iter().for_each(|i| self.indexes.insert(i));
        for (slot, other) in self.slots.iter_mut().zip(second.slots) {
            // The first edge that names a field counts.
            if *slot == NOWHERE {
                *slot = other;
            }
        }
        for (mine, other) in [
            (&mut self.shortcuts, second.shortcuts),
            (&mut self.elements, second.elements),
            (&mut self.children, second.children),
        ] {
            for i in other.iter() {
                mine.insert(i);
            }
        }
    }

    /// The survey by one thread, lexed ahead by a second one.
    pub(crate) fn survey_alone(plan: Plan<'_>, nodes: &Nodes, root: Option<usize>) -> Result<Self> {
        let mut survey = Survey::new(plan, nodes.count);
        survey.silent = nodes.damaged;
        if plan.slots {
            survey.edges.slots = vec![NOWHERE; nodes.slots];
        }
        survey.run(true, Source::Each(nodes.owners(), root), &|_| true)?;
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

    /// What metadata speak of, if the shape of the list is sound; else the survey. Only for those who need neither
    /// the array indexes that occur nor nodes' own fields.
    pub(crate) fn glance(
        plan: Plan<'_>,
        nodes: &Nodes,
        root: Option<usize>,
        ints: Option<u64>,
    ) -> Result<Self> {
        if !nodes.damaged && ints.is_some() && ints == nodes.edges.checked_mul(plan.header.edge.width as u64)
        {
            let edges = Self::survey_root(plan, nodes)?;
            if edges.damage.is_none() {
                return Ok(Self { count: nodes.edges, unread: true, open: true, ..edges });
            }
        }
        Self::survey(plan, nodes, root)
    }

    /// Goes over the edges as far as those of the root.
    pub(crate) fn survey_root(plan: Plan<'_>, nodes: &Nodes) -> Result<Self> {
        let root = nodes.root_edges.clone();
        let mut survey = Survey::new(plan, nodes.count);
        survey.limit = u64::MAX;
        if !root.is_empty() {
            let end = root.end;
            survey.run(false, Source::RootOnly(root), &|seen| seen < end)?;
        }
        Ok(survey.edges)
    }
}

/// Where edges come from.
enum Source<'a> {
    /// Nobody asks for any but the root's, which have these numbers.
    RootOnly(Range<u64>),
    /// Each has an owner; the root's ordinal.
    Each(Owners<'a>, Option<usize>),
}

/// What the hot loops ask of an edge type.
#[derive(Clone, Copy, Debug)]
struct Quick {
    /// What names must stay below.
    limit: u64,
    /// All bits if names are indexes of strings, else none.
    string: u64,
    role: EdgeRole,
}

/// Field and what is wrong with it.
type Fault = (usize, String);

struct Survey<'a> {
    plan: Plan<'a>,
    edges: Edges,
    divide: Divide,
    /// How many nodes there are.
    n_nodes: u32,
    /// What ordinals must stay below.
    limit: u64,
    /// What names of string indexes must stay below.
    name_limit: u64,
    /// What the hot loops ask of a type, by code.
    quick: Vec<Quick>,
    /// The nodes are damaged: an edge that points past them ends the edges, but is no damage of its own.
    silent: bool,
}

impl<'a> Survey<'a> {
    fn new(plan: Plan<'a>, n_nodes: u32) -> Self {
        let mut this = Self {
            edges: Edges::default(),
            divide: Divide::by(plan.header.node.width),
            n_nodes,
            limit: n_nodes.into(),
            name_limit: plan.strings.limit(),
            quick: Vec::new(),
            silent: false,
            plan,
        };
        this.edges.types = types::edge_types(&plan.header.edge_types);
        this.know();
        this
    }

    /// Takes up the types that are new.
    fn know(&mut self) {
        let quick = |t: &EdgeType| match t.label {
            Label::String => Quick { limit: self.name_limit, string: u64::MAX, role: t.role },
            Label::Index => Quick { limit: 1 << 32, string: 0, role: t.role },
        };
        self.quick.extend(self.edges.types[self.quick.len()..].iter().map(quick));
    }

    fn run(&mut self, ahead: bool, mut source: Source<'_>, on: &dyn Fn(u64) -> bool) -> Result {
        let plan = self.plan;
        let Header { node, edge, .. } = plan.header;
        let usual = plain(edge).then(|| {
            Plain::new(
                &self.edges.types[..plan.header.edge_types.len()],
                plan.strings,
                self.n_nodes,
                node.width,
            )
        });
        Ints::new(plan.blob, plan.section, edge.width).edges(usual.as_ref()).batches(ahead, |batch| {
            self.edges.damage = match self.batch(batch, usual.as_ref(), &mut source) {
                Ok(true) => batch.stopped(plan.section),
                Ok(false) => return Ok(false),
                Err((record, (field, what))) => {
                    Some(batch.damage(plan.blob, plan.section, record, field, what))
                }
            };
            Ok(self.edges.damage.is_none() && on(self.edges.count))
        })
    }

    /// Takes the edges of a batch; false if they end here without being damaged.
    fn batch(
        &mut self,
        batch: &mut Batch,
        plain: Option<&Plain<'_>>,
        source: &mut Source<'_>,
    ) -> Result<bool, (usize, Fault)> {
        if let Some(plain) = plain {
            for &mut edge in batch.run.parts().0 {
                let (kind, name, dest) = plain.fields(edge);
                if !self.take(self.quick[kind as usize], name, dest.into(), source) {
                    return Ok(false);
                }
            }
        }
        let fields = &self.plan.header.edge;
        for (record, ints) in batch.records().enumerate() {
            let (kind, name, to) = triple(fields, ints);
            let quick = match self.quick.get(kind as usize) {
                Some(&quick) if name < quick.limit => quick,
                _ => self.check(kind, name, batch, record).map_err(|fault| (record, fault))?,
            };
            let dest = match self.divide.exact(to) {
                Some(dest) if dest < self.limit => dest,
                Some(_) if self.silent => return Ok(false),
                other => return Err((record, self.bad_dest(other, batch, record))),
            };
            if !self.take(quick, name, dest, source) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes an edge whose fields were looked at; false if the edges end before it.
    #[inline]
    fn take(&mut self, quick: Quick, name: u64, dest: u64, source: &mut Source<'_>) -> bool {
        let at_root = match source {
            Source::RootOnly(edges) => edges.contains(&self.edges.count),
            Source::Each(owner, root) => {
                if !owner.advance() {
                    // More edges than the nodes claim.
                    self.edges.count += u64::from(!self.silent);
                    return !self.silent;
                }
                if quick.string == 0 && self.plan.indexes {
                    self.edges.indexes.insert(index(name));
                }
                if owner.special != Special::None && self.plan.slots && quick.role == EdgeRole::Internal {
                    self.fill_slot(owner, name, dest);
                }
                *root == Some(owner.ordinal)
            }
        };
        self.edges.count += 1;
        if at_root && dest < u64::from(self.n_nodes) {
            self.root(quick.role, dest as usize);
        }
        true
    }

    fn fill_slot(&mut self, owner: &Owners<'_>, name: u64, dest: u64) {
        if let Some(slot) = owner.special.slot(self.plan.strings.marks.get(name))
            && let Some(slot) = self.edges.slots.get_mut(owner.slot + slot)
            && *slot == NOWHERE
        {
            *slot = dest as u32;
        }
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

    /// Looks closer at an edge whose type is not known yet, or whose name is too large for its type.
    #[cold]
    fn check(&mut self, kind: u64, name: u64, batch: &Batch, record: usize) -> Result<Quick, Fault> {
        let fields = &self.plan.header.edge;
        if kind > MOST_CODE {
            return Err((fields.kind, format!("type code {} is not one", batch.shown(record, fields.kind))));
        }
        if kind as usize >= self.quick.len() {
            types::add_edge_types(&mut self.edges.types, kind);
            self.know();
        }
        let quick = self.quick[kind as usize];
        let negative = || batch.negative(record, fields.name) && name as i64 >= i64::from(i32::MIN);
        if name < quick.limit || quick.string == 0 && negative() {
            return Ok(quick);
        }
        Err(if quick.string == 0 {
            (fields.name, format!("index {} is beyond 32 bits", batch.shown(record, fields.name)))
        } else {
            self.bad_name(batch, record)
        })
    }

    #[cold]
    fn bad_dest(&self, dest: Option<u64>, batch: &Batch, record: usize) -> Fault {
        let field = self.plan.header.edge.to;
        let to = batch.shown(record, field);
        let what = match dest {
            None => format!("to_node {to} is not a multiple of {}", self.plan.header.node.width),
            Some(_) => format!("to_node {to} is beyond the {} nodes", self.n_nodes),
        };
        (field, what)
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
