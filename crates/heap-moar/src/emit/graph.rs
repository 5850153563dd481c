//! Nodes and edges out of the two big tables.

use heap_base::json::push_uint;
use heap_base::{Error, Result};
use heap_record::{Data, Declaration, Declared, Edge, Node, Str, StringId, Value, index_id, index_string};

use super::fold::Folds;
use super::{INTERGEN, KINDS, REFERENCE, Stream};
use crate::damage::Counts;
use crate::ranges::{Owner, Owners, Ranges};
use crate::rows::{Columns, Refs, Rows, Snapshot};

pub(super) const OBJECT: u64 = 1;
const STABLE: u64 = 3;
const FRAME: u64 = 4;
/// Kinds are 16-bit numbers.
const MAX_KIND: u64 = 0xffff;

impl Stream<'_> {
    /// The tables of one snapshot: nodes, edges.
    pub(crate) fn graph(&mut self, index: u64, snapshot: &dyn Snapshot) -> Result {
        self.counts = Counts::default();
        self.rows = 0;
        if self.wants.any_nodes() || self.wants.any_edges() {
            let ranges = self.nodes(snapshot)?;
            if self.wants.any_edges() {
                self.edges(snapshot, ranges)?;
            }
        }
        self.damage.count(index, self.counts);
        Ok(())
    }

    fn nodes(&mut self, snapshot: &dyn Snapshot) -> Result<Ranges> {
        let mut source =
            snapshot.rows(Columns { facts: self.wants.any_nodes(), ranges: self.wants.any_edges() })?;
        let mut ranges = Ranges::new(snapshot.plausible());
        let mut batch = Rows::default();
        let mut namespace = Namespace::default();
        let mut folds = (self.sink.folds() != heap_record::Folds::No).then(|| Folds::new(self.types.len()));
        loop {
            if let Some(folds) = &mut folds {
                while let Some(rows) = source.objects()? {
                    folds.objects(self, rows);
                    self.rows += rows.size.len() as u64;
                }
            }
            source.next(&mut batch)?;
            if batch.kind.is_empty() {
                break;
            }
            // Nearly all batches hold objects only; that is seen at a glance, without a branch per row.
            let objects = batch.kind.iter().fold(0, |bits, &kind| bits | (kind ^ OBJECT)) == 0;
            let impossible = !objects && self.odd_kinds(&mut batch.kind)?;
            if self.wants.any_edges() {
                ranges.add(&batch);
            }
            if self.wants.any_nodes() {
                let folded = folds.as_mut().is_some_and(|folds| folds.add(self, &batch));
                if !folded {
                    self.node_batch(&batch, &mut namespace)?;
                }
            }
            self.rows += batch.kind.len() as u64;
            if impossible {
                break;
            }
        }
        if let Some(folds) = folds {
            folds.deliver(self)?;
        }
        self.damage.note(source.damage());
        Ok(ranges)
    }

    fn node_batch(&mut self, batch: &Rows, namespace: &mut Namespace) -> Result {
        // Built once: a record has thirty words, and most of them are the same for all rows.
        let mut node: Node<'static> = Node::default();
        for (i, &kind) in batch.kind.iter().enumerate() {
            let owner = batch.owner.get(i).copied();
            let name = self.name(kind, owner);
            (node.heap.class, node.heap.name) = if kind == OBJECT { (name, None) } else { (None, name) };
            node.subtype = kind as u32;
            node.id = index_id(self.rows + i as u64);
            node.heap.size = batch.size.get(i).copied();
            node.heap.external = batch.external.get(i).copied();
            if self.wants.full_nodes() {
                self.sink.node(&Node { rest: namespace.of(kind, owner), ..node })?;
            } else {
                self.sink.node(&node)?;
            }
        }
        Ok(())
    }

    /// What a row's type or static frame is called. The name of an object's type is its class.
    #[inline]
    pub(super) fn name(&mut self, kind: u64, owner: Option<u64>) -> Option<StringId> {
        let owner = owner? as usize;
        let name = match kind {
            OBJECT..=STABLE => self.types.get(owner).map(|t| t[1]),
            FRAME => self.frames.get(owner).map(|f| f[0]),
            _ => return None,
        };
        let name = name.filter(|&n| n < self.strings);
        self.counts.names += u64::from(name.is_none());
        name.map(|n| n as StringId)
    }

    /// Declares the kinds that nobody knows. One that does not fit the format ends the table: true.
    fn odd_kinds(&mut self, kinds: &mut Vec<u64>) -> Result<bool> {
        let end = kinds.iter().position(|&k| k > MAX_KIND);
        if let Some(end) = end {
            let what = format!("row {} has the impossible kind {}", self.rows + end as u64, kinds[end]);
            self.damage.note(Some(Error::input(what)));
            kinds.truncate(end);
        }
        for &kind in kinds.iter().filter(|&&k| k >= KINDS.len() as u64 || k == 0) {
            if let Err(at) = self.kinds.binary_search(&kind) {
                self.kinds.insert(at, kind);
                let (id, name) = (kind as u32, format!("moar.kind_{kind}"));
                self.sink.declare(&Declared::Node { id, name: &name, table: None, fields: &[] }.into())?;
            }
        }
        Ok(end.is_some())
    }

    fn edges(&mut self, snapshot: &dyn Snapshot, ranges: Ranges) -> Result {
        if let Some(why) = ranges.hopeless() {
            self.damage.note(Some(Error::input(why)));
            return Ok(());
        }
        let counts = if ranges.tile() {
            None
        } else {
            self.damage.note(Some(Error::input("the rows' ranges of references overlap or leave gaps")));
            Some(counts(snapshot, ranges.rows())?)
        };
        let mut owners = ranges.sort(counts);
        let mut source = snapshot.refs()?;
        let mut batch = Refs::default();
        let mut at = 0;
        loop {
            source.next(&mut batch)?;
            if batch.target.is_empty() {
                break;
            }
            self.edge_batch(&batch, at, &mut owners)?;
            at += batch.target.len() as u64;
        }
        self.damage.note(source.damage());
        if at < owners.total() {
            let what = format!("{} references are missing", owners.total() - at);
            self.damage.note(Some(Error::input(what)));
        }
        Ok(())
    }

    fn edge_batch(&mut self, batch: &Refs, first: u64, owners: &mut Owners) -> Result {
        let n = batch.target.len();
        let mut i = 0;
        while i < n {
            let (owner, until) = owners.at(first + i as u64);
            let stop = usize::try_from(until - first).unwrap_or(n).min(n);
            match owner {
                Some(owner) => self.edges_of(owner, batch, i..stop)?,
                None => self.counts.unclaimed += (stop - i) as u64,
            }
            i = stop;
        }
        Ok(())
    }

    #[inline]
    fn edges_of(&mut self, owner: Owner, batch: &Refs, range: std::ops::Range<usize>) -> Result {
        let mut edge = Edge {
            subtype: if owner.intergen { INTERGEN } else { REFERENCE },
            source: index_id(owner.row),
            ..Edge::default()
        };
        for i in range {
            let target = batch.target[i];
            if target >= self.rows {
                self.counts.targets += 1;
                if target >> 62 != 0 {
                    continue;
                }
            }
            edge.dest = Some(index_id(target) as Value);
            // Without a description all that is known is that there is a reference, which is what 0 says.
            let descr = batch.descr.get(i).copied().unwrap_or(0);
            let index = descr >> 2;
            edge.label = match (descr & 3, u32::try_from(index)) {
                (2, _) if index < self.strings => Some(index as StringId),
                (1, Ok(index)) => Some(self.index_label(index)?),
                (0, Ok(0)) => None,
                _ => {
                    self.odd_edge(edge, descr)?;
                    continue;
                }
            };
            self.sink.edge(&edge)?;
        }
        Ok(())
    }

    /// The label of an index; the first use of each declares its string.
    #[inline]
    fn index_label(&mut self, index: u32) -> Result<StringId> {
        let id = index_string(index);
        if self.wants.any_strings() && self.indexes.is_new(index) {
            let mut digits = itoa::Buffer::new();
            self.sink.string(&Str { id, data: Data::Plain(digits.format(index)), ..Str::default() })?;
        }
        Ok(id)
    }

    /// An edge whose description no label can say: an index beyond 32 bits, a string past the table, nonsense.
    #[cold]
    fn odd_edge(&mut self, edge: Edge<'_>, descr: u64) -> Result {
        self.counts.labels += u64::from(descr & 3 == 2);
        self.members.clear();
        self.members.open("moar");
        if descr & 3 == 1 {
            self.members.uint("index", descr >> 2)
        } else {
            self.members.uint("description", descr)
        };
        self.members.close();
        self.sink.edge(&Edge { label: None, rest: self.members.as_bytes(), ..edge })
    }
}

/// Counts of references by row, for files whose ranges do not tile.
fn counts(snapshot: &dyn Snapshot, rows: u64) -> Result<Vec<u32>> {
    let mut counts = Vec::new();
    let mut source = snapshot.rows(Columns { facts: false, ranges: true })?;
    let mut batch = Rows::default();
    while (counts.len() as u64) < rows {
        source.next(&mut batch)?;
        if batch.kind.is_empty() {
            break;
        }
        counts.extend(batch.count.iter().map(|&n| u32::try_from(n).unwrap_or(u32::MAX)));
    }
    Ok(counts)
}

/// The `moar` namespace of a node, written anew only where the number changes.
#[derive(Debug, Default)]
struct Namespace {
    text: Vec<u8>,
    /// Kind group and number that `text` says.
    says: Option<(&'static [u8], u64)>,
}

impl Namespace {
    #[inline]
    fn of(&mut self, kind: u64, owner: Option<u64>) -> &[u8] {
        let key: &[u8] = match kind {
            OBJECT..=STABLE => b"\"moar\":{\"type\":",
            FRAME => b"\"moar\":{\"frame\":",
            _ => b"\"moar\":{\"type_or_frame\":",
        };
        match owner {
            // Roots have no type and say 0.
            None => return b"",
            Some(0) if !(OBJECT..=FRAME).contains(&kind) => return b"",
            Some(number) if self.says != Some((key, number)) => {
                self.says = Some((key, number));
                self.text.clear();
                self.text.extend_from_slice(key);
                push_uint(&mut self.text, number);
                self.text.push(b'}');
            }
            Some(_) => {}
        }
        &self.text
    }
}
