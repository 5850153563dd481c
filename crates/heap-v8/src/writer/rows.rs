//! Records of nodes, edges and lists as text.

use std::io::Write;
use std::ops::Range;

use heap_base::Reader;
use heap_base::{Error, Result};
use heap_record::{LeftOut, Value};

use super::emit::{Emit, Extra, FULL, Made, Place, Row, SORTED, Tail, each_deferred};
use super::graph::EDGE;
use super::head::{EdgeField, ID, NodeField, SLOTS};
use super::wide::{Wide, fixed};

impl<W: Write> Emit<'_, W> {
    #[inline]
    pub(super) fn write_if_full(&mut self) -> Result {
        if self.buf.len() < FULL { Ok(()) } else { self.drain() }
    }

    #[cold]
    pub(super) fn drain(&mut self) -> Result {
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

    pub(super) fn nodes(
        &mut self,
        made_root: Option<Made>,
        root: Option<u32>,
        hung: &[u32],
        external: &[(u32, u64)],
        tail: &[Made],
        renumbered: bool,
    ) -> Result {
        self.buf.push(b'[');
        // Moved out for the time being, so that it can be read while the buffer grows.
        let nodes = std::mem::take(&mut self.graph.nodes);
        let held_by_root = root.filter(|_| made_root.is_none());
        if let Some(made) = made_root {
            self.made(made);
        }
        let mut external = external.iter().peekable();
        if let (Place::First(root), Some((_, at))) = (self.place, self.graph.root) {
            let external = external.clone().filter(|e| e.0 == root).count();
            let edges = self.edges_of(root, held_by_root, hung) + external as u64;
            self.node(&mut nodes.reader_at(at), root, edges, renumbered, true)?;
        }
        let mut reader = nodes.reader();
        for ordinal in 0..self.graph.ids.len() as u32 {
            let mut edges = self.edges_of(ordinal, held_by_root, hung);
            while external.next_if(|e| e.0 == ordinal).is_some() {
                edges += 1;
            }
            let moved = self.place == Place::First(ordinal);
            self.node(&mut reader, ordinal, edges, renumbered, !moved)?;
            self.write_if_full()?;
        }
        for &made in tail {
            self.made(made);
            self.write_if_full()?;
        }
        self.close();
        self.graph.nodes = nodes;
        Ok(())
    }

    /// Reads a node, and writes it if it belongs `here`.
    #[inline]
    fn node(
        &mut self,
        reader: &mut Reader<'_>,
        ordinal: u32,
        edges: u64,
        renumbered: bool,
        here: bool,
    ) -> Result {
        let bytes = reader.bytes(16)?;
        let code = u16::from_le_bytes(fixed(bytes));
        let mask = u16::from_le_bytes(fixed(&bytes[2..]));
        let name = u32::from_le_bytes(fixed(&bytes[4..]));
        let size = u64::from_le_bytes(fixed(&bytes[8..]));
        let mut slots = [Wide::default(); SLOTS];
        if mask != 0 {
            for (slot, value) in slots.iter_mut().enumerate() {
                if mask >> slot & 1 == 1 {
                    *value = Wide::read(reader.bytes(Wide::LEN)?);
                }
            }
        }
        if !here {
            return Ok(());
        }
        let id = if mask >> ID & 1 == 1 {
            slots[ID].bits
        } else if renumbered {
            2 * self.place.of(ordinal) + 1
        } else {
            // A negative one stands for an even number, of which other nodes have none.
            let id = self.graph.ids.get(ordinal as usize);
            (if id < 0 { !id } else { id }) as u64
        };
        self.fields(code, name, id, size, edges, &slots);
        Ok(())
    }

    fn made(&mut self, node: Made) {
        self.fields(node.code, node.name, node.id, node.size, node.edges, &[Wide::default(); SLOTS]);
    }

    #[inline]
    fn fields(&mut self, code: u16, name: u32, id: u64, size: u64, edges: u64, slots: &[Wide; SLOTS]) {
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

    pub(super) fn edges(
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
            self.write_if_full()?;
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
        if self.graph.n_deferred == 0 {
            let edges = std::mem::take(&mut self.graph.edges);
            let mut reader = edges.reader_at(start);
            for source in nodes {
                for _ in 0..self.counts[source as usize] {
                    let bytes = reader.bytes(stride)?;
                    self.stored(bytes);
                    self.write_if_full()?;
                }
                self.after(source, tail);
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

    /// Writes the edges of some nodes, some of which are deferred.
    fn sorted(&mut self, nodes: Range<u32>, stride: usize, tail: &mut Tail<'_>) -> Result {
        let mut rows: Vec<(u32, u32)> = Vec::new();
        let mut bytes: Vec<u8> = Vec::new();
        let before: u64 = self.graph.counts[..nodes.start as usize].iter().map(|&c| u64::from(c)).sum();
        let mut reader = self.graph.edges.reader_at(before * stride as u64);
        for source in nodes.clone() {
            for _ in 0..self.graph.counts[source as usize] {
                rows.push((source, rows.len() as u32));
                bytes.extend_from_slice(reader.bytes(stride)?);
            }
        }
        each_deferred(&self.graph, |source, dest, rest| {
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
                self.write_if_full()?;
            }
            self.after(source, tail);
        }
        Ok(())
    }

    /// Writes what was made for a node behind its own edges.
    #[inline]
    fn after(&mut self, source: u32, tail: &mut Tail<'_>) {
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
            if let Ok(code @ 0..=9) = u8::try_from(row.code) {
                self.buf.extend_from_slice(&[b'0' + code, b',']);
            } else {
                self.buf.extend_from_slice(digits.format(row.code).as_bytes());
                self.buf.push(b',');
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

    pub(super) fn strings(&mut self) -> Result {
        self.buf.push(b'[');
        self.drain()?;
        self.graph.texts.spool.copy_to(&mut self.out)?;
        self.buf.push(b']');
        Ok(())
    }

    /// Index in the file of a node.
    fn index(&self, id: Value) -> Option<u64> {
        self.graph.ids.find(id).map(|ordinal| self.place.of(ordinal) * self.width)
    }

    /// Lists that are of no use any more: part of what they say of each other is missing.
    pub(super) fn unsound_lists(&mut self, left_out: &mut LeftOut) -> Result<Vec<&'static str>> {
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

    pub(super) fn list(&mut self, at: usize, dropped: bool, left_out: &mut LeftOut) -> Result {
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
                    self.write_if_full()
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
