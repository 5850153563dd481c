//! The objects as the file has them: each with its references behind it.

use heap_base::Plus;
use heap_base::json::{Json, scalar, uint};
use heap_base::{Reader, Spool, push_varint};
use heap_base::{Result, member};
use heap_record::{LeftOut, Retains, StringId, Types, Value, index_id};
use heap_spool::{Form, Ids, Link, Links, Texts};

use super::fields::Fields;
use super::node::{DeferredNode, Sort, boolean};
use super::table::Table;
use crate::classes::{Class, Kind};

/// Slots whose edges are missing are filled up to this distance; beyond it the next edge just follows.
const MAX_GAP: u64 = 1 << 20;

/// What the end of a stream says of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    resaved: bool,
    narrow: bool,
    pub(super) hashes: Option<bool>,
    pub(super) padding: u64,
    pub(super) trailing: u64,
}

impl Layout {
    /// A `dart.layout` record.
    pub(super) fn of(body: &[u8]) -> Self {
        let dialect = member(body, "dialect").and_then(scalar);
        Self {
            resaved: matches!(dialect, Some(Json::Text(text)) if text == "re-saved"),
            narrow: uint(body, "word_bits") == Some(32),
            hashes: boolean(body, "hashes"),
            padding: uint(body, "padding").unwrap_or(0),
            trailing: uint(body, "trailing").unwrap_or(0),
        }
    }
}

/// What the stream says of the file's layout.
#[derive(Debug, Default)]
pub(super) struct Heap {
    pub(super) ids: Ids,
    pub(super) texts: Texts,
    pub(super) table: Table,
}

/// The section of objects, and what was found on the way.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) bytes: Spool,
    /// A root was made, so all other objects have moved by one.
    pub(super) added: bool,
    pub(super) size: u64,
    pub(super) references: u64,
    /// Any object has a hash, or bytes outside the heap.
    pub(super) hashes: bool,
    pub(super) external: bool,
    /// Slots filled with 0.
    pub(super) filled: u64,
}

impl Heap {
    /// The number of the object with this identifier.
    pub(super) fn place(&self, id: Value, added: bool) -> Option<u64> {
        match self.ids.find(id) {
            Some(node) => Some(u64::from(node) + 1 + u64::from(added)),
            // An object beyond the last one, as the file had it.
            None if self.ids.count_from(index_id(1)) && !added && id & 1 == 1 => Some(id as u64 >> 1),
            None => None,
        }
    }

    /// Writes all objects.
    #[expect(clippy::too_many_arguments, reason = "called once")]
    pub(super) fn objects(
        &mut self,
        native: bool,
        source: &str,
        nodes: &Spool,
        links: Links,
        roots: &[Value],
        types: &Types,
        layout: &Layout,
        left_out: &mut LeftOut,
    ) -> Result<Written> {
        let first = (!self.ids.is_empty()).then(|| self.ids.id(0));
        let has_root = native
            && (roots.is_empty() && first == Some(index_id(1))
                || first.is_some_and(|id| roots.contains(&id)));
        let mut written = Written { added: !has_root && first.is_some(), ..Written::default() };
        let mut fields = Fields::default();
        if native {
            self.table.add_declared(&mut self.texts)?;
        } else {
            let (classes, objects) = classes_of(nodes, &self.ids)?;
            fields = Fields::new(&links, &self.ids, types, &classes, &objects)?;
            self.table.add_made(source, types, &fields.labels, &mut self.texts)?;
        }
        let root_class = if written.added { self.table.root() } else { 0 };
        let kinds = Edges::new(types);
        let targets = if written.added { root_targets(&links, &self.ids, types, roots)? } else { Vec::new() };
        let (all, mut delivered) = (links.len(), 0);
        let sorted = links.by_source(&self.ids)?;
        let ids = std::mem::take(&mut self.ids);
        let mut maker = Maker {
            native,
            layout,
            left_out,
            fields,
            kinds,
            types,
            nodes: nodes.reader(),
            next: 0,
            slots: Vec::new(),
            node: None,
            buf: Vec::new(),
            written: &mut written,
            table: &mut self.table,
            texts: &mut self.texts,
            ids: &ids,
        };
        if maker.written.added {
            maker.root(root_class, &targets)?;
        }
        sorted.for_each(&ids, |node, link| {
            while maker.node.is_none() || maker.next <= node {
                maker.step()?;
            }
            maker.link(&link);
            delivered += 1;
            Ok(())
        })?;
        while maker.next < ids.len() {
            maker.step()?;
        }
        maker.end()?;
        let unnamed = maker.fields.unnamed;
        left_out.add("edges of nodes that are not there", all - delivered);
        left_out.add("labels of edges that few objects of a class have", unnamed);
        self.ids = ids;
        Ok(written)
    }
}

/// The class of each node, and how many nodes each class has.
fn classes_of(nodes: &Spool, ids: &Ids) -> Result<(Vec<u32>, Vec<u64>)> {
    let mut reader = nodes.reader();
    let (mut classes, mut objects) = (Vec::with_capacity(ids.len() as usize), Vec::new());
    for _ in 0..ids.len() {
        let class = DeferredNode::read(&mut reader)?.class as usize;
        if objects.len() <= class {
            objects.resize(class + 1, 0);
        }
        objects[class] += 1;
        classes.push(class as u32);
    }
    Ok((classes, objects))
}

/// What a root that is made refers to: the stream's roots, else all that nothing refers to.
fn root_targets(links: &Links, ids: &Ids, types: &Types, roots: &[Value]) -> Result<Vec<u32>> {
    let mut found: Vec<u32> = roots.iter().filter_map(|&id| ids.find(id)).collect();
    found.dedup();
    if !found.is_empty() {
        return Ok(found);
    }
    let mut targets = vec![0u64; ids.len().div_ceil(64) as usize];
    let mut all = links.in_order();
    while let Some(link) = all.next()? {
        if let Some(node) = link.dest.and_then(|dest| ids.find(dest))
            && types.retains(link.subtype) != Retains::No
        {
            targets[node as usize / 64] |= 1 << (node % 64);
        }
    }
    found.extend((0..ids.len()).filter(|&node| targets[node as usize / 64] & 1 << (node % 64) == 0));
    if found.is_empty() {
        found.push(0);
    }
    Ok(found)
}

/// Subtypes of edges of Dart.
#[derive(Debug)]
struct Edges {
    element: Option<u32>,
}

impl Edges {
    fn new(types: &Types) -> Self {
        Self { element: types.edge_id("dart.element") }
    }
}

/// Writes object after object.
struct Maker<'a> {
    native: bool,
    layout: &'a Layout,
    left_out: &'a mut LeftOut,
    fields: Fields,
    kinds: Edges,
    types: &'a Types,
    nodes: Reader<'a>,
    /// The node after the one in work.
    next: u32,
    /// References of the object in work.
    slots: Vec<u64>,
    node: Option<(DeferredNode, Class)>,
    buf: Vec<u8>,
    written: &'a mut Written,
    table: &'a mut Table,
    texts: &'a mut Texts,
    ids: &'a Ids,
}

impl Maker<'_> {
    fn root(&mut self, class: u64, targets: &[u32]) -> Result {
        self.written.references += targets.len() as u64;
        self.written.bytes.build(|out| {
            for n in [class, 0, 0, targets.len() as u64] {
                push_varint(out, n);
            }
            for &node in targets {
                push_varint(out, u64::from(node) + 2);
            }
        })
    }

    /// Ends the object in work and begins the next one.
    fn step(&mut self) -> Result {
        self.end()?;
        let mut node = DeferredNode::read(&mut self.nodes)?;
        self.next += 1;
        node.class = if self.native { self.table.place(node.class, self.texts)? } else { node.class };
        let class = self.table.class(node.class);
        let written = &mut *self.written;
        written.size = written.size.plus(node.size);
        written.hashes |= node.hash != 0;
        written.external |= node.external != 0;
        self.buf.clear();
        push_varint(&mut self.buf, node.class);
        push_varint(&mut self.buf, node.size);
        self.data(&node, class.kind)?;
        if !self.native {
            let named = self.fields.labels.get(node.class as usize).map_or(0, Vec::len);
            self.slots.resize(named, 0);
        }
        self.node = Some((node, class));
        Ok(())
    }

    fn end(&mut self) -> Result {
        if self.node.take().is_none() {
            return Ok(());
        }
        let (buf, slots) = (&self.buf, &mut self.slots);
        self.written.references += slots.len() as u64;
        self.written.bytes.build(|out| {
            out.extend_from_slice(buf);
            push_varint(out, slots.len() as u64);
            for &slot in slots.iter() {
                push_varint(out, slot);
            }
        })?;
        slots.clear();
        Ok(())
    }

    fn text(&mut self, id: StringId) -> Result<(Form, Vec<u8>)> {
        // Texts of objects are short.
        Ok(self.texts.get(id)?.map_or((Form::Utf8, Vec::new()), |text| (text.form, text.bytes.to_vec())))
    }

    /// What an object holds besides references, by the rules of the crate's description.
    fn data(&mut self, node: &DeferredNode, kind: Kind) -> Result {
        let usual = match node.sort {
            Sort::Oddball => 1,
            Sort::Number if node.int.is_some() => 3,
            Sort::Number if node.value.is_some() => 4,
            Sort::String if self.layout.resaved => 8,
            Sort::String if node.text.is_some() => 5,
            _ if node.text.is_some() => 8,
            _ if node.length.is_some() => 7,
            _ => 0,
        };
        match node.tag.unwrap_or(usual) {
            1 | 2 if node.oddball.is_some() => {
                let (_, name) = self.text(node.oddball.unwrap_or_default())?;
                match (&name[..], node.int) {
                    (b"null", _) => self.buf.push(1),
                    (_, Some(n)) => self.number(2, n as u64),
                    (b"true", None) => self.number(2, 1),
                    (b"false", None) => self.number(2, 0),
                    _ => self.name(&name),
                }
            }
            1 => self.buf.push(1),
            3 => {
                let n = node.int.unwrap_or(0);
                match kind {
                    Kind::Mint if !self.layout.resaved => {
                        self.buf.push(3);
                        push_signed(&mut self.buf, n);
                    }
                    Kind::Smi if self.layout.narrow && i32::try_from(n).is_ok() => {
                        self.number(3, u64::from(n as u32));
                    }
                    _ => self.number(3, n as u64),
                }
            }
            4 => {
                self.buf.push(4);
                self.buf.extend_from_slice(&node.value.unwrap_or(0).to_le_bytes());
            }
            tag @ (5 | 6) => self.string(tag == 5, node)?,
            7 => self.number(7, node.length.unwrap_or(0)),
            8 => {
                let name = match node.text {
                    Some(id) => self.texts.get(id)?.map(|t| t.utf8().into_owned()).unwrap_or_default(),
                    None => Vec::new(),
                };
                self.name(&name);
            }
            _ => self.buf.push(0),
        }
        Ok(())
    }

    fn number(&mut self, tag: u8, n: u64) {
        self.buf.push(tag);
        push_varint(&mut self.buf, n);
    }

    fn name(&mut self, name: &[u8]) {
        self.number(8, name.len() as u64);
        self.buf.extend_from_slice(name);
    }

    /// A string, one byte a character where that can be.
    fn string(&mut self, narrow: bool, node: &DeferredNode) -> Result {
        let (form, bytes) = match node.text {
            Some(id) => self.text(id)?,
            None => (Form::Utf8, Vec::new()),
        };
        let text = String::from_utf8_lossy(&bytes);
        if narrow && form == Form::Utf8 && text.chars().all(|c| u32::from(c) < 256) {
            let kept = text.chars().count() as u64;
            self.number(5, node.length.unwrap_or(kept));
            push_varint(&mut self.buf, kept);
            self.buf.extend(text.chars().map(|c| c as u8));
            return Ok(());
        }
        let units: Vec<u8> = match form {
            Form::Utf16 => bytes,
            _ => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        };
        let kept = units.len() as u64 / 2;
        self.number(6, node.length.unwrap_or(kept));
        push_varint(&mut self.buf, kept);
        self.buf.extend(units);
        Ok(())
    }

    /// An edge of the object in work.
    fn link(&mut self, link: &Link) {
        let added = self.written.added;
        let target = match (link.dest, link.extra) {
            (None, Some(raw)) => raw,
            (None, None) => 0,
            (Some(dest), _) if dest & 1 == 0 => {
                self.left_out.add("edges to small integers", 1);
                0
            }
            (Some(dest), _) => match self.ids.find(dest) {
                Some(node) => u64::from(node) + 1 + u64::from(added),
                None if self.ids.count_from(index_id(1)) && !added && self.native => dest as u64 >> 1,
                None => {
                    self.left_out.add("edges to nodes that are not there", 1);
                    0
                }
            },
        };
        let Some((node, class)) = &self.node else { return };
        if self.native {
            let at = self.slots.len() as u64;
            let slot = match link.label {
                Some(label @ 0..) => self.table.slot(class, at, label),
                Some(label) => {
                    let first = class.elements.filter(|_| self.kinds.element == Some(link.subtype));
                    (-(label + 1) as u64).checked_add(first.unwrap_or(0).into())
                }
                None => None,
            };
            if let Some(gap) = slot.and_then(|slot| slot.checked_sub(at)).filter(|&gap| gap <= MAX_GAP) {
                self.written.filled += gap;
                self.slots.resize(self.slots.len() + gap as usize, 0);
            }
            self.slots.push(target);
            return;
        }
        if self.types.retains(link.subtype) == Retains::No {
            self.left_out.add("weak edges", 1);
            return;
        }
        if target == 0 {
            if link.dest.is_none() {
                self.left_out.add("edges without a target", 1);
            }
            return;
        }
        if let Some(label @ 0..) = link.label {
            match self.fields.slot(node.class, label) {
                Some(slot) if self.slots[slot] == 0 => {
                    self.slots[slot] = target;
                    return;
                }
                _ => self.fields.unnamed += 1,
            }
        }
        self.slots.push(target);
    }
}

/// Appends a number in SLEB128.
fn push_signed(out: &mut Vec<u8>, mut n: i64) {
    loop {
        let byte = n as u8 & 0x7f;
        n >>= 7;
        if n == -i64::from(byte >> 6) {
            return out.push(byte);
        }
        out.push(byte | 0x80);
    }
}
