//! The file, put together once all records are there.

use std::io::Write;
use std::ops::Range;

use heap_record::json::push_text;
use heap_record::{Error, LeftOut, Result, Retains, Value};

use super::head::{self, EdgeField, ID, NodeField, Totals};
use super::reach::Reach;
use super::spool::{Cursor, Wide, fixed};
use super::{EDGE, Graph, LATE, kinds};

/// How many edges out of order are sorted at a time: 24 bytes each.
const SORTED: u64 = 4 << 20;

/// How many bytes are gathered before they are written.
const FULL: usize = 256 << 10;

/// Where nodes of the stream stand in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Where they stood.
    Same,
    /// All behind a root that was made.
    Behind,
    /// This one first, the others in their order.
    First(u32),
}

impl Place {
    #[inline]
    fn of(self, ordinal: u32) -> u64 {
        let ordinal_wide = u64::from(ordinal);
        match self {
            Self::Same => ordinal_wide,
            Self::Behind => ordinal_wide + 1,
            Self::First(root) if ordinal == root => 0,
            Self::First(root) => ordinal_wide + u64::from(ordinal < root),
        }
    }
}

/// A node that the stream does not have.
#[derive(Clone, Copy, Debug)]
struct Made {
    code: u16,
    name: u32,
    id: u64,
    size: u64,
    edges: u64,
}

/// An edge in the file.
#[derive(Clone, Copy, Debug)]
struct Row<'a> {
    code: u16,
    name: u32,
    /// Ordinal in the file.
    to: u64,
    /// Fields that only this file has.
    slots: &'a [u8],
}

struct Emit<'a, W: Write> {
    graph: Graph,
    out: &'a mut W,
    buf: Vec<u8>,
    place: Place,
    /// Edges of each node, late ones too.
    counts: Vec<u32>,
    width: u64,
    /// True if edges are type, name, target, parted by commas.
    plain: bool,
    /// True if a record was written in this section.
    any: bool,
}

/// Writes the file.
pub(crate) fn emit<W: Write>(
    mut graph: Graph,
    roots: &[Value],
    extra: &[(String, String)],
    out: &mut W,
    left_out: &mut LeftOut,
    notes: &mut Vec<String>,
) -> Result {
    graph.ids.seal()?;
    let counts = with_late(&graph, left_out)?;
    let n = graph.ids.len() as u64;
    let edges: u64 = counts.iter().map(|&c| u64::from(c)).sum();
    let header = &graph.shape.header;
    let width = graph.shape.node_fields.len() as u64;

    // Whether anything is missing of the snapshot that this was.
    let kept_root = graph.root.map(|(root, _)| root);
    let whole = graph.shape.v8 && graph.shape.said == (Some(n), Some(edges));
    let in_place =
        kept_root.is_some_and(|r| graph.shape.original && u64::from(r) * width == header.root_index);
    let starts: Vec<u32> = roots.iter().filter_map(|&root| graph.ids.find(root)).collect();
    let made_root = starts.len() != 1 || kept_root.is_none();
    let place = match kept_root {
        _ if made_root => Place::Behind,
        Some(root) if root != 0 && !(whole && in_place) => Place::First(root),
        _ => Place::Same,
    };
    let hung = if whole && !made_root { Vec::new() } else { unheld(&graph, &counts, &starts, made_root)? };

    // Nodes that are made: their names first, for the strings come last.
    let mut fresh: Vec<u64> = graph.ids.fresh().take(3).collect();
    fresh.resize(3, 1);
    let renumbered = !graph.ids.is_narrow() && !graph.shape.v8;
    let beyond = (2 * n + 3) | 1;
    let code = |wanted: &str| {
        let types = &header.node_types;
        types.iter().position(|t| t == wanted).unwrap_or_else(|| {
            usize::from(kinds::code(kinds::newest_nodes(), wanted)).min(types.len().saturating_sub(1))
        }) as u16
    };
    let element = header.edge_types.iter().position(|t| t == "element").unwrap_or(1) as u16;
    let internal = header.edge_types.iter().position(|t| t == "internal").unwrap_or(3) as u16;
    let (synthetic, native) = (code("synthetic"), code("native"));
    let external = std::mem::take(&mut graph.external);
    let root_shift = u64::from(made_root);
    let hung_at = root_shift + n;
    let first_external = hung_at + u64::from(!hung.is_empty());
    let mut root_node = None;
    if made_root {
        let id = if renumbered { 1 } else { fresh.remove(0) };
        let edges = starts.len() as u64 + u64::from(!hung.is_empty());
        root_node = Some(Made { code: synthetic, name: graph.texts.make("")?, id, size: 0, edges });
        if graph.shape.v8 || n > 0 && roots.len() != 1 {
            notes.push(match starts.len() {
                0 => "the root is not among the nodes: one was made".to_owned(),
                n => format!("{n} roots: one was made to hold them"),
            });
        }
    }
    // 1 is for a root.
    fresh.retain(|&id| id != 1);
    let mut tail = Vec::new();
    if !hung.is_empty() {
        let filtered = graph.shape.v8 || starts.is_empty();
        let name = if filtered { "(filtered)" } else { "(unreachable)" };
        let why = if filtered { "that lost what held them" } else { "that no root reaches" };
        notes.push(format!("nodes {why}: {}, now held by {name}", hung.len()));
        let id = if renumbered { beyond } else { fresh.first().copied().unwrap_or(beyond) };
        let name = graph.texts.make(name)?;
        tail.push(Made { code: synthetic, name, id, size: 0, edges: hung.len() as u64 });
    }
    if !external.is_empty() {
        let name = graph.texts.make("(external)")?;
        let largest = (0..graph.ids.len()).map(|i| graph.ids.get(i)).max().unwrap_or(1).max(1) as u64;
        let past = if renumbered { beyond } else { (largest + 2) | 1 };
        for (i, &(_, size)) in (1..).zip(&external) {
            tail.push(Made { code: native, name, id: past + 2 * i, size, edges: 0 });
        }
    }
    let edge_name = if external.is_empty() { 0 } else { graph.texts.make("external")? };
    if graph.huge > 0 && !whole {
        notes.push(format!("nodes of 4 GiB and more, which Chrome DevTools shows too small: {}", graph.huge));
    }
    if renumbered {
        notes.push("identifiers are addresses, too large for a snapshot: nodes were numbered".to_owned());
    }

    let root_in_file = if made_root { 0 } else { kept_root.map_or(0, |r| place.of(r)) };
    let root_extra = made_root as u64 * starts.len() as u64 + u64::from(!hung.is_empty());
    let totals = Totals {
        nodes: n + root_shift + tail.len() as u64,
        edges: edges + root_extra + hung.len() as u64 + external.len() as u64,
        functions: (!(whole && graph.shape.original))
            .then(|| graph.lists.iter().find(|l| l.section == "trace_function_infos").map_or(0, |l| l.count)),
        root_index: root_in_file * width,
    };
    let head = head::text(header, &totals);
    let plain = graph.shape.edge_fields == [EdgeField::Kind, EdgeField::Name, EdgeField::To]
        && graph.shape.white.field == b",";
    let mut emit =
        Emit { plain, graph, out, buf: Vec::with_capacity(FULL + 4096), place, counts, width, any: false };
    let dropped = emit.unsound_lists(left_out)?;
    let white = emit.graph.shape.white;
    let sections = emit.graph.shape.sections.clone();
    let more = emit.graph.lists.iter().filter(|l| l.count > 0).map(|l| l.section.to_owned());
    let more: Vec<_> = more.filter(|section| !sections.contains(section)).collect();
    let last = sections.len() - 1;
    let keys = sections[..last].iter().chain(&more).chain(&sections[last..]);
    emit.buf.push(b'{');
    let mut first = true;
    for key in keys {
        let raw = extra.iter().find(|(k, _)| k == key).map(|(_, raw)| raw);
        let known = matches!(key.as_str(), "snapshot" | "nodes" | "edges" | "strings");
        let list = emit.graph.lists.iter().position(|l| l.section == key);
        if !known && list.is_none() && raw.is_none() {
            left_out.add(&format!("section {key}"), 1);
            continue;
        }
        if !first {
            emit.buf.extend_from_slice(white.section);
        }
        first = false;
        push_text(&mut emit.buf, key);
        emit.buf.push(b':');
        emit.any = false;
        match (key.as_str(), list) {
            ("snapshot", _) => emit.buf.extend_from_slice(&head),
            ("nodes", _) => emit.nodes(root_node, kept_root, &hung, &external, &tail, renumbered)?,
            ("edges", _) => {
                let root_edges = Extra { starts: &starts, made_root, hung: &hung, hung_at, element };
                emit.edges(&root_edges, kept_root, &external, first_external, (internal, edge_name))?;
            }
            ("strings", _) => emit.strings()?,
            (_, Some(list)) => emit.list(list, dropped.contains(&key.as_str()), left_out)?,
            (_, None) => emit.buf.extend_from_slice(raw.map_or(&b"null"[..], |r| r.as_bytes())),
        }
        emit.settle()?;
    }
    emit.buf.push(b'}');
    emit.drain()
}

/// Edges that the stream does not have.
struct Extra<'a> {
    starts: &'a [u32],
    made_root: bool,
    hung: &'a [u32],
    /// Ordinal of the node that holds them.
    hung_at: u64,
    element: u16,
}

/// Edges of each node with those that came late; edges to or from nowhere are left out.
fn with_late(graph: &Graph, left_out: &mut LeftOut) -> Result<Vec<u32>> {
    let mut counts = graph.counts.clone();
    let mut dangling = 0;
    each_late(graph, |source, dest, _| {
        match (source, dest) {
            (Some(source), Some(_)) => counts[source as usize] += 1,
            _ => dangling += 1,
        }
        Ok(())
    })?;
    left_out.add("edges to or from nodes that are not there", dangling);
    Ok(counts)
}

/// Hands over the late edges: source, target, and the record as it stands among those in order, but for the target.
fn each_late(graph: &Graph, mut edge: impl FnMut(Option<u32>, Option<u32>, &[u8]) -> Result) -> Result {
    let slots = graph.shape.edge_slots.len() * Wide::LEN;
    let mut cursor = graph.late.from(0);
    for _ in 0..graph.n_late {
        let bytes = cursor.take(LATE + slots)?;
        let source = Value::from_le_bytes(fixed(bytes));
        let dest = Value::from_le_bytes(fixed(&bytes[8..]));
        edge(graph.ids.find(source), graph.ids.find(dest), &bytes[16..])?;
    }
    Ok(())
}

/// Nodes that must be held for all to be reached.
fn unheld(graph: &Graph, counts: &[u32], starts: &[u32], made_root: bool) -> Result<Vec<u32>> {
    let retains = graph.retains();
    let root = starts.first().copied().filter(|_| !made_root);
    let mut reach = Reach::new(counts);
    let mut add = |source: u32, dest: u32, code: u16| {
        let keeps = match retains.get(usize::from(code)).copied().unwrap_or_default() {
            Retains::Yes => true,
            Retains::No => false,
            Retains::Root => Some(source) == root,
        };
        if keeps {
            reach.add(source, dest);
        }
    };
    let stride = EDGE + graph.shape.edge_slots.len() * Wide::LEN;
    let mut cursor = graph.edges.from(0);
    for (source, &count) in (0..).zip(&graph.counts) {
        for _ in 0..count {
            let bytes = cursor.take(stride)?;
            add(source, u32::from_le_bytes(fixed(&bytes[4..])), u16::from_le_bytes(fixed(&bytes[8..])));
        }
    }
    each_late(graph, |source, dest, bytes| {
        if let (Some(source), Some(dest)) = (source, dest) {
            add(source, dest, u16::from_le_bytes(fixed(&bytes[4..])));
        }
        Ok(())
    })?;
    Ok(reach.hang(starts))
}

impl<W: Write> Emit<'_, W> {
    #[inline]
    fn settle(&mut self) -> Result {
        if self.buf.len() < FULL { Ok(()) } else { self.drain() }
    }

    #[cold]
    fn drain(&mut self) -> Result {
        self.out.write_all(&self.buf).map_err(Error::write)?;
        self.buf.clear();
        Ok(())
    }

    /// Begins a record.
    #[inline]
    fn begin(&mut self) {
        if self.any {
            self.buf.extend_from_slice(self.graph.shape.white.record);
        }
        self.any = true;
    }

    fn close(&mut self) {
        if self.any {
            self.buf.extend_from_slice(self.graph.shape.white.last);
        }
        self.buf.push(b']');
    }

    /// Edges of a node with those that were made for it.
    fn edges_of(&self, ordinal: u32, root: Option<u32>, hung: &[u32]) -> u64 {
        let count = self.counts.get(ordinal as usize).copied().unwrap_or(0);
        u64::from(count) + u64::from(Some(ordinal) == root && !hung.is_empty())
    }

    fn nodes(
        &mut self,
        made_root: Option<Made>,
        root: Option<u32>,
        hung: &[u32],
        external: &[(u32, u64)],
        tail: &[Made],
        renumbered: bool,
    ) -> Result {
        self.buf.push(b'[');
        // Moved out for the time being, so that a cursor can read it while the buffer grows.
        let nodes = std::mem::take(&mut self.graph.nodes);
        let held_by_root = root.filter(|_| made_root.is_none());
        if let Some(made) = made_root {
            self.made(made);
        }
        let mut external = external.iter().peekable();
        if let (Place::First(root), Some((_, at))) = (self.place, self.graph.root) {
            let external = external.clone().filter(|e| e.0 == root).count();
            let edges = self.edges_of(root, held_by_root, hung) + external as u64;
            self.node(&mut nodes.from(at), root, edges, renumbered, true)?;
        }
        let mut cursor = nodes.from(0);
        for ordinal in 0..self.graph.ids.len() as u32 {
            let mut edges = self.edges_of(ordinal, held_by_root, hung);
            while external.next_if(|e| e.0 == ordinal).is_some() {
                edges += 1;
            }
            let moved = self.place == Place::First(ordinal);
            self.node(&mut cursor, ordinal, edges, renumbered, !moved)?;
            self.settle()?;
        }
        for &made in tail {
            self.made(made);
            self.settle()?;
        }
        self.close();
        self.graph.nodes = nodes;
        Ok(())
    }

    /// Reads a node, and writes it if it is `told` here.
    #[inline]
    fn node(
        &mut self,
        cursor: &mut Cursor<'_>,
        ordinal: u32,
        edges: u64,
        renumbered: bool,
        told: bool,
    ) -> Result {
        let bytes = cursor.take(16)?;
        let code = u16::from_le_bytes(fixed(bytes));
        let mask = u16::from_le_bytes(fixed(&bytes[2..]));
        let name = u32::from_le_bytes(fixed(&bytes[4..]));
        let size = u64::from_le_bytes(fixed(&bytes[8..]));
        let mut slots = [Wide::default(); 16];
        if mask != 0 {
            for (slot, value) in slots.iter_mut().enumerate() {
                if mask >> slot & 1 == 1 {
                    *value = Wide::read(cursor.take(Wide::LEN)?);
                }
            }
        }
        if !told {
            return Ok(());
        }
        let id = if mask >> ID & 1 == 1 {
            slots[ID].bits
        } else if renumbered {
            2 * self.place.of(ordinal) + 1
        } else {
            let id = self.graph.ids.get(ordinal as usize);
            (if id < 0 && self.graph.shape.v8 { !id } else { id }) as u64
        };
        self.fields(code, name, id, size, edges, &slots);
        Ok(())
    }

    fn made(&mut self, node: Made) {
        self.fields(node.code, node.name, node.id, node.size, node.edges, &[Wide::default(); 16]);
    }

    #[inline]
    fn fields(&mut self, code: u16, name: u32, id: u64, size: u64, edges: u64, slots: &[Wide; 16]) {
        self.begin();
        let mut digits = itoa::Buffer::new();
        let shape = &self.graph.shape;
        for (i, field) in shape.node_fields.iter().enumerate() {
            if i > 0 {
                self.buf.extend_from_slice(shape.white.field);
            }
            let text = match *field {
                NodeField::Kind => digits.format(code),
                NodeField::Name => digits.format(name),
                NodeField::Id => digits.format(id),
                NodeField::Size => digits.format(size),
                NodeField::Edges => digits.format(edges),
                NodeField::Slot(slot) => {
                    slots.get(slot).copied().unwrap_or_default().digits(&mut self.buf);
                    continue;
                }
            };
            self.buf.extend_from_slice(text.as_bytes());
        }
    }

    fn edges(
        &mut self,
        extra: &Extra<'_>,
        root: Option<u32>,
        external: &[(u32, u64)],
        first_external: u64,
        (internal, external_name): (u16, u32),
    ) -> Result {
        self.buf.push(b'[');
        if extra.made_root {
            for (i, &start) in (1..).zip(extra.starts) {
                self.row(Row { code: extra.element, name: i, to: self.place.of(start), slots: &[] });
            }
            self.hold(extra);
        }
        let mut tail = Tail {
            root: root.filter(|_| !extra.made_root && !extra.hung.is_empty()),
            extra,
            external,
            first_external,
            external_name,
            internal,
        };
        let n = self.graph.ids.len() as u32;
        match self.place {
            Place::First(first) => {
                self.range(first..first + 1, &mut tail)?;
                self.range(0..first, &mut tail)?;
                self.range(first + 1..n, &mut tail)?;
            }
            _ => self.range(0..n, &mut tail)?,
        }
        for (i, &held) in (1..).zip(extra.hung) {
            self.row(Row { code: extra.element, name: i, to: self.place.of(held), slots: &[] });
            self.settle()?;
        }
        self.close();
        Ok(())
    }

    /// The root's edge to the node that holds what nothing else holds.
    fn hold(&mut self, extra: &Extra<'_>) {
        if !extra.hung.is_empty() {
            let name = extra.starts.len() as u32 + 1;
            self.row(Row { code: extra.element, name, to: extra.hung_at, slots: &[] });
        }
    }

    /// Writes the edges of some nodes.
    fn range(&mut self, nodes: Range<u32>, tail: &mut Tail<'_>) -> Result {
        let stride = EDGE + self.graph.shape.edge_slots.len() * Wide::LEN;
        let before = |to: u32| self.graph.counts[..to as usize].iter().map(|&c| u64::from(c)).sum::<u64>();
        let start = before(nodes.start) * stride as u64;
        if self.graph.n_late == 0 {
            let edges = std::mem::take(&mut self.graph.edges);
            let mut cursor = edges.from(start);
            for source in nodes {
                for _ in 0..self.counts[source as usize] {
                    let bytes = cursor.take(stride)?;
                    self.stored(bytes);
                    self.settle()?;
                }
                self.after(source, tail)?;
            }
            self.graph.edges = edges;
            return Ok(());
        }
        let mut start = nodes.start;
        while start < nodes.end {
            let mut end = start;
            let mut sum = 0;
            while end < nodes.end && (end == start || sum + u64::from(self.counts[end as usize]) <= SORTED) {
                sum += u64::from(self.counts[end as usize]);
                end += 1;
            }
            self.sorted(start..end, stride, tail)?;
            start = end;
        }
        Ok(())
    }

    /// Writes the edges of some nodes, of which some come late.
    fn sorted(&mut self, nodes: Range<u32>, stride: usize, tail: &mut Tail<'_>) -> Result {
        let mut rows: Vec<(u32, u32)> = Vec::new();
        let mut bytes: Vec<u8> = Vec::new();
        let before: u64 = self.graph.counts[..nodes.start as usize].iter().map(|&c| u64::from(c)).sum();
        let mut cursor = self.graph.edges.from(before * stride as u64);
        for source in nodes.clone() {
            for _ in 0..self.graph.counts[source as usize] {
                rows.push((source, rows.len() as u32));
                bytes.extend_from_slice(cursor.take(stride)?);
            }
        }
        each_late(&self.graph, |source, dest, rest| {
            if let (Some(source), Some(dest)) = (source, dest)
                && nodes.contains(&source)
            {
                rows.push((source, rows.len() as u32));
                bytes.extend_from_slice(&rest[..4]);
                bytes.extend_from_slice(&dest.to_le_bytes());
                bytes.extend_from_slice(&rest[4..]);
            }
            Ok(())
        })?;
        rows.sort_unstable();
        let mut rows = rows.into_iter().peekable();
        for source in nodes {
            while let Some((_, at)) = rows.next_if(|r| r.0 == source) {
                let at = at as usize * stride;
                self.stored(&bytes[at..at + stride]);
                self.settle()?;
            }
            self.after(source, tail)?;
        }
        Ok(())
    }

    /// Writes what was made for a node behind its own edges.
    #[inline]
    fn after(&mut self, source: u32, tail: &mut Tail<'_>) -> Result {
        if tail.root == Some(source) {
            self.hold(tail.extra);
        }
        if !tail.external.is_empty() {
            let first = tail.external.partition_point(|e| e.0 < source);
            for at in (first..).take_while(|&at| tail.external.get(at).is_some_and(|e| e.0 == source)) {
                let to = tail.first_external + at as u64;
                self.row(Row { code: tail.internal, name: tail.external_name, to, slots: &[] });
            }
        }
        Ok(())
    }

    /// Writes an edge from the spool.
    #[inline]
    fn stored(&mut self, bytes: &[u8]) {
        let name = u32::from_le_bytes(fixed(bytes));
        let to = self.place.of(u32::from_le_bytes(fixed(&bytes[4..])));
        let code = u16::from_le_bytes(fixed(&bytes[8..]));
        self.row(Row { code, name, to, slots: &bytes[EDGE..] });
    }

    #[inline]
    fn row(&mut self, row: Row<'_>) {
        self.begin();
        let mut digits = itoa::Buffer::new();
        let shape = &self.graph.shape;
        let to = row.to * self.width;
        if self.plain {
            // What V8 writes: most types have one digit.
            match u8::try_from(row.code) {
                Ok(code @ 0..=9) => self.buf.extend_from_slice(&[b'0' + code, b',']),
                _ => {
                    self.buf.extend_from_slice(digits.format(row.code).as_bytes());
                    self.buf.push(b',');
                }
            }
            self.buf.extend_from_slice(digits.format(row.name).as_bytes());
            self.buf.push(b',');
            self.buf.extend_from_slice(digits.format(to).as_bytes());
            return;
        }
        for (i, field) in shape.edge_fields.iter().enumerate() {
            if i > 0 {
                self.buf.extend_from_slice(shape.white.field);
            }
            let text = match *field {
                EdgeField::Kind => digits.format(row.code),
                EdgeField::Name => digits.format(row.name),
                EdgeField::To => digits.format(to),
                EdgeField::Slot(slot) => {
                    Wide::read(row.slots.get(slot * Wide::LEN..).unwrap_or(&[])).digits(&mut self.buf);
                    continue;
                }
            };
            self.buf.extend_from_slice(text.as_bytes());
        }
    }

    fn strings(&mut self) -> Result {
        self.buf.push(b'[');
        self.drain()?;
        let out = &mut *self.out;
        self.graph.texts.spool.each(|piece| out.write_all(piece).map_err(Error::write))?;
        self.buf.push(b']');
        Ok(())
    }

    /// Index in the file of a node.
    fn index(&self, id: Value) -> Option<u64> {
        self.graph.ids.find(id).map(|ordinal| self.place.of(ordinal) * self.width)
    }

    /// Lists that are of no use any more: part of what they say of each other is missing.
    fn unsound_lists(&mut self, left_out: &mut LeftOut) -> Result<Vec<&'static str>> {
        let mut unsound = Vec::new();
        let list = |name: &str| self.graph.lists.iter().find(|l| l.section == name);
        if let (Some(scopes), Some(vars), Some(uses)) =
            (list("scopes"), list("scope_context_vars"), list("scope_uses"))
        {
            let gone = scopes.dangling(&|id| self.index(id))?;
            if gone > 0
                || scopes.sum("scope_context_vars_count")? != vars.count
                || scopes.sum("scope_uses_count")? != uses.count
            {
                unsound.extend(["scopes", "scope_context_vars", "scope_uses"]);
                left_out.add("v8.scope records", scopes.count);
            }
        }
        if let Some(tree) = list("trace_tree")
            && !tree.tree(b",", &mut |_| Ok(()))?
        {
            left_out.add("v8.trace_node records", tree.count);
            unsound.push("trace_tree");
        }
        Ok(unsound)
    }

    fn list(&mut self, at: usize, dropped: bool, left_out: &mut LeftOut) -> Result {
        self.buf.push(b'[');
        if dropped {
            self.buf.push(b']');
            return Ok(());
        }
        let lists = std::mem::take(&mut self.graph.lists);
        let white = self.graph.shape.white;
        if let Some(list) = lists.get(at) {
            if list.section == "trace_tree" {
                list.tree(white.field, &mut |text| {
                    self.buf.extend_from_slice(text);
                    self.settle()
                })?;
                self.buf.push(b']');
            } else {
                let (buf, out, ids) = (&mut self.buf, &mut *self.out, &self.graph.ids);
                let (place, width) = (self.place, self.width);
                let index = |id| ids.find(id).map(|ordinal| place.of(ordinal) * width);
                let mut any = false;
                let gone = list.flat(&index, &mut |ints| {
                    if any {
                        buf.extend_from_slice(white.record);
                    }
                    any = true;
                    for (i, int) in ints.iter().enumerate() {
                        if i > 0 {
                            buf.extend_from_slice(white.field);
                        }
                        int.digits(buf);
                    }
                    if buf.len() >= FULL {
                        out.write_all(buf).map_err(Error::write)?;
                        buf.clear();
                    }
                    Ok(())
                })?;
                self.any = any;
                self.close();
                left_out.add(&format!("{} of nodes that are not there", list.section), gone);
            }
        }
        self.graph.lists = lists;
        Ok(())
    }
}

/// What comes behind the edges of some nodes.
struct Tail<'a> {
    /// The root, if it gets an edge more.
    root: Option<u32>,
    extra: &'a Extra<'a>,
    external: &'a [(u32, u64)],
    first_external: u64,
    internal: u16,
    external_name: u32,
}
