//! Records out of tables: what is the same for all versions of the format.

use std::borrow::Cow;

use heap_record::json::push_uint;
use heap_record::{
    Data, Declaration, Edge, Error, FieldKind, Members, Metadata, Node, Other, Pick, Result, Retains, Sink,
    Str, StringId, Value, Wants, index_id, index_string,
};

use crate::damage::{Counts, Damage};
use crate::ranges::{Owner, Owners, Ranges};
use crate::rows::{Columns, Refs, Rows, Snapshot};

/// Names of the collectable kinds, by number.
const KINDS: [&str; 12] = [
    "",
    "moar.object",
    "moar.type_object",
    "moar.stable",
    "moar.frame",
    "moar.permanent_roots",
    "moar.instance_roots",
    "moar.cstack_roots",
    "moar.thread_roots",
    "moar.root",
    "moar.intergen_roots",
    "moar.callstack_roots",
];
const OBJECT: u64 = 1;
const STABLE: u64 = 3;
const FRAME: u64 = 4;
/// Kinds are 16-bit numbers.
const MAX_KIND: u64 = 0xffff;
/// Edge subtypes.
const REFERENCE: u32 = 1;
const INTERGEN: u32 = 2;
/// Types and static frames are kept while the file is read; a real file has hundreds to some ten thousand.
/// The limit keeps a file of zeros, a thousandth of its size on disk, from filling the memory.
const MAX_TABLE: usize = 1 << 22;

/// Longest string that is read. The table holds names of types, files and lexicals, not a program's texts.
pub(crate) const MAX_STRING: usize = 64 << 20;

/// Drives the sink: numbers of strings, types and frames run over the whole file.
pub(crate) struct Stream<'a> {
    sink: &'a mut dyn Sink,
    wants: Wants,
    pub(crate) damage: Damage,
    strings: u64,
    /// String ids of REPR name and name.
    types: Vec<[u64; 2]>,
    /// String ids of name and cuid, line, string id of file.
    frames: Vec<[u64; 4]>,
    /// How many types and frames have been delivered as records.
    told: (usize, usize),
    indexes: Indexes,
    kinds: Vec<u16>,
    counts: Counts,
    /// Row counts of the snapshot in work.
    rows: u64,
    members: Members,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(sink: &'a mut dyn Sink) -> Self {
        Self {
            wants: sink.wants(),
            sink,
            damage: Damage::default(),
            strings: 0,
            types: Vec::new(),
            frames: Vec::new(),
            told: (0, 0),
            indexes: Indexes::default(),
            kinds: Vec::new(),
            counts: Counts::default(),
            rows: 0,
            members: Members::new(),
        }
    }

    pub(crate) fn wants(&self) -> Wants {
        self.wants
    }

    /// True if names are needed by anything the sink listens to.
    pub(crate) fn wants_tables(&self) -> bool {
        let Wants { strings, nodes, edges, others, .. } = self.wants;
        strings || nodes || edges || others
    }

    pub(crate) fn metadata(&mut self, key: &str, value: &str) -> Result {
        self.sink.metadata(&Metadata { key, value, ..Metadata::default() })
    }

    /// The first metadata of every stream.
    pub(crate) fn head(&mut self, pick: Pick, version: &str) -> Result {
        self.metadata("target_source", "moarvm.mvmheap")?;
        self.metadata("heap.identifier", "index")?;
        self.metadata("heap.order", "strings nodes edges")?;
        if pick != Pick::All {
            self.metadata("heap.root", "1")?;
        }
        self.metadata("moar.version", version)
    }

    /// Says which of several snapshots this is: in the head for a single one, before each otherwise.
    pub(crate) fn snapshot(&mut self, pick: Pick, index: usize, of: usize) -> Result {
        if pick == Pick::All {
            self.metadata("heap.snapshot", &index.to_string())?;
            // Identifiers before `heap.snapshot` are void, so the root is told again.
            return self.metadata("heap.root", "1");
        }
        if of > 1 {
            self.metadata("moar.snapshot", &index.to_string())?;
            self.metadata("moar.snapshots", &of.to_string())?;
        }
        Ok(())
    }

    pub(crate) fn declare(&mut self) -> Result {
        use FieldKind::{Integer, String, Text, Value};
        let record = |stream: &mut Self, name: &str, fields: &[(&'static str, FieldKind)]| {
            let fields: Vec<_> = fields.iter().map(|&(n, k)| (Cow::Borrowed(n), k)).collect();
            stream.sink.declare(&Declaration::Record { name, fields: &fields })
        };
        record(
            self,
            "node",
            &[
                ("subtype", Integer),
                ("identifier", Value),
                ("heap.size", Integer),
                ("heap.class", String),
                ("heap.name", String),
                ("heap.external", Integer),
                ("moar.type", Integer),
                ("moar.frame", Integer),
                ("moar.type_or_frame", Integer),
            ],
        )?;
        record(
            self,
            "edge",
            &[
                ("subtype", Integer),
                ("source", Value),
                ("dest", Value),
                ("label", String),
                ("moar.index", Integer),
                ("moar.description", Integer),
            ],
        )?;
        record(self, "moar.type", &[("index", Integer), ("repr", String), ("name", String)])?;
        let frame =
            [("index", Integer), ("name", String), ("cuid", String), ("line", Integer), ("file", String)];
        record(self, "moar.static_frame", &frame)?;
        let highscore = [("order", Text), ("rank", Integer), ("id", Integer), ("score", Integer)];
        record(self, "moar.highscore", &highscore)?;
        for (id, name) in (1..).zip(&KINDS[1..]) {
            self.sink.declare(&Declaration::Node { id, name, table: None, fields: &[] })?;
        }
        for (id, name) in [(REFERENCE, "moar.reference"), (INTERGEN, "moar.intergen")] {
            self.sink.declare(&Declaration::Edge { id, name, retains: Retains::Yes, rest: b"" })?;
        }
        Ok(())
    }

    /// The next string of the file.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result {
        let id = self.strings as StringId;
        self.strings += 1;
        if !self.wants.strings {
            return Ok(());
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
            self.members.clear();
            self.members.open("heap").text("bytes", &hex).close();
            let text = String::from_utf8_lossy(bytes);
            let rest = self.members.as_bytes();
            return self.sink.string(&Str { id, data: Data::Plain(&text), rest, ..Str::default() });
        };
        self.sink.string(&Str { id, data: Data::Plain(text), ..Str::default() })
    }

    /// The next type of the file: string ids of REPR name and name. False if the table is full.
    pub(crate) fn add_type(&mut self, row: [u64; 2]) -> bool {
        let room = self.types.len() < MAX_TABLE;
        if room {
            self.types.push(row);
        }
        room
    }

    /// The next static frame of the file: name, cuid, line, file. False if the table is full.
    pub(crate) fn add_frame(&mut self, row: [u64; 4]) -> bool {
        let room = self.frames.len() < MAX_TABLE;
        if room {
            self.frames.push(row);
        }
        room
    }

    /// The tables of one snapshot: nodes, edges.
    pub(crate) fn graph(&mut self, index: u64, snapshot: &dyn Snapshot) -> Result {
        self.counts = Counts::default();
        self.rows = 0;
        if self.wants.nodes || self.wants.edges {
            let ranges = self.nodes(snapshot)?;
            if self.wants.edges {
                self.edges(snapshot, ranges)?;
            }
        }
        self.damage.count(index, self.counts);
        Ok(())
    }

    fn nodes(&mut self, snapshot: &dyn Snapshot) -> Result<Ranges> {
        let mut source = snapshot.rows(Columns { facts: self.wants.nodes, ranges: self.wants.edges })?;
        let mut ranges = Ranges::new(snapshot.plausible());
        let mut batch = Rows::default();
        let mut scratch = Scratch::default();
        loop {
            source.next(&mut batch)?;
            if batch.kind.is_empty() {
                break;
            }
            let bad = batch.kind.iter().position(|&k| k > MAX_KIND);
            if let Some(bad) = bad {
                let what =
                    format!("row {} has the impossible kind {}", self.rows + bad as u64, batch.kind[bad]);
                self.damage.note(Some(Error::input(what)));
                batch.kind.truncate(bad);
            }
            if self.wants.edges {
                ranges.add(&batch);
            }
            if self.wants.nodes {
                self.node_batch(&batch, &mut scratch)?;
            }
            self.rows += batch.kind.len() as u64;
            if bad.is_some() {
                return Ok(ranges);
            }
        }
        self.damage.note(source.damage());
        Ok(ranges)
    }

    fn node_batch(&mut self, batch: &Rows, scratch: &mut Scratch) -> Result {
        let details = self.wants.details;
        let strings = self.strings;
        let mut node: Node<'static> = Node::default();
        for (i, &kind) in batch.kind.iter().enumerate() {
            if kind >= KINDS.len() as u64 || kind == 0 {
                self.declare_kind(kind as u16)?;
            }
            let owner = batch.owner.get(i).copied();
            // String id of what the row's type or static frame is called.
            let named = match (kind, owner) {
                (OBJECT..=STABLE, Some(o)) => self.types.get(o as usize).map(|t| t[1]),
                (FRAME, Some(o)) => self.frames.get(o as usize).map(|f| f[0]),
                _ => Some(u64::MAX),
            };
            let id = match named {
                Some(s) if s < strings => Some(s as StringId),
                _ => {
                    self.counts.names += u64::from(kind <= FRAME && owner.is_some());
                    None
                }
            };
            node.subtype = kind as u32;
            node.id = index_id(self.rows + i as u64);
            node.heap.size = batch.size.get(i).copied();
            node.heap.external = batch.external.get(i).copied();
            (node.heap.class, node.heap.name) = if kind == OBJECT { (id, None) } else { (None, id) };
            if details {
                self.sink.node(&Node { rest: scratch.owner(kind, owner), ..node })?;
            } else {
                self.sink.node(&node)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn declare_kind(&mut self, kind: u16) -> Result {
        let Err(at) = self.kinds.binary_search(&kind) else { return Ok(()) };
        self.kinds.insert(at, kind);
        let name = format!("moar.kind_{kind}");
        self.sink.declare(&Declaration::Node { id: kind.into(), name: &name, table: None, fields: &[] })
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
            edge.label = match descr & 3 {
                2 if index < self.strings => Some(index as StringId),
                1 if index <= u64::from(u32::MAX) => Some(self.index_label(index as u32)?),
                0 if index == 0 => None,
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
        if self.wants.strings && self.indexes.is_new(index) {
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

    /// Types and static frames that were not delivered yet, as extension records.
    pub(crate) fn tables(&mut self) -> Result {
        if !self.wants.others {
            return Ok(());
        }
        for (i, row) in self.types.iter().enumerate().skip(self.told.0) {
            self.members.clear();
            self.members.uint("index", i as u64);
            text_members(&mut self.members, self.strings, &["repr", "name"], row);
            let body = self.members.as_bytes();
            self.sink.other(&Other { kind: "moar.type", body, ..Other::default() })?;
        }
        for (i, &[name, cuid, line, file]) in self.frames.iter().enumerate().skip(self.told.1) {
            self.members.clear();
            self.members.uint("index", i as u64);
            text_members(&mut self.members, self.strings, &["name", "cuid"], &[name, cuid]);
            self.members.uint("line", line);
            text_members(&mut self.members, self.strings, &["file"], &[file]);
            let body = self.members.as_bytes();
            self.sink.other(&Other { kind: "moar.static_frame", body, ..Other::default() })?;
        }
        self.told = (self.types.len(), self.frames.len());
        Ok(())
    }

    /// One line of the high scores.
    pub(crate) fn highscore(&mut self, order: Option<&str>, rank: u64, id: u64, score: u64) -> Result {
        self.members.clear();
        if let Some(order) = order {
            self.members.text("order", order);
        }
        self.members.uint("rank", rank).uint("id", id).uint("score", score);
        let body = self.members.as_bytes();
        self.sink.other(&Other { kind: "moar.highscore", body, ..Other::default() })
    }
}

/// Members that are string ids, where they are.
fn text_members(members: &mut Members, strings: u64, keys: &[&str], ids: &[u64]) {
    for (key, &id) in keys.iter().zip(ids) {
        if id < strings {
            members.uint(key, id);
        }
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
struct Scratch {
    text: Vec<u8>,
    /// Kind group and number that `text` says.
    says: Option<(&'static [u8], u64)>,
}

impl Scratch {
    #[inline]
    fn owner(&mut self, kind: u64, owner: Option<u64>) -> &[u8] {
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

/// Which index strings were declared: a bit each, in pages of 1024 that exist where an index was used.
#[derive(Debug, Default)]
struct Indexes {
    pages: Vec<Option<Box<[u64; 16]>>>,
}

impl Indexes {
    /// True the first time.
    #[inline]
    fn is_new(&mut self, index: u32) -> bool {
        let (page, word, bit) = (index >> 10, index >> 6 & 15, 1 << (index & 63));
        if let Some(Some(page)) = self.pages.get_mut(page as usize) {
            let word = &mut page[word as usize];
            let new = *word & bit == 0;
            *word |= bit;
            return new;
        }
        self.add_page(page as usize)[word as usize] |= bit;
        true
    }

    #[cold]
    fn add_page(&mut self, page: usize) -> &mut [u64; 16] {
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        self.pages[page].get_or_insert_default()
    }
}
