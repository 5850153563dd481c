//! The writer: a sink that makes a file of version 3.
//!
//! A stream that came from a MoarVM file goes back without loss: the same strings, types, static frames and high
//! scores under the same numbers, the same rows and references in the same order, the same texts about file and
//! snapshots. What versions 1 and 2 lack is worked out. If rows are missing, the others close up; if the root is, one
//! is made that refers to every row without references to it. Totals and high scores that no longer hold are
//! counted anew.
//!
//! A stream from elsewhere becomes rows of kind 1 under a root that is made: class and subtype are the type's name and
//! REPR, stack frames (`heap.frame`) are static frames and rows of kind 4, labels stay, `heap.external` is the
//! unmanaged size. Weak edges are left out, since MoarVM knows none: they would keep things alive.
//!
//! Columns are as wide as MoarVM's unless a number does not fit, packed with zstd at level 9.
//!
//! # Memory
//!
//! A snapshot is kept in spool files, 6 to 20 bytes a node and 5 to 10 an edge, until all of it is there. In memory: 12
//! bytes a node, 8 to 40 more if the identifiers do not count from 1, 4 more if the edges of a node do not come
//! together; strings of other sources 8 to 24 bytes each; types and static frames; and 40 MiB to pack.

mod file;
mod gather;
mod layout;
mod row;
mod scores;
mod tables;

use std::io::Write;

use heap_base::Plus;
use heap_base::json::uint;
use heap_base::{Error, Result};
use heap_base::{Spool, push_varint};
use heap_record::{
    Declaration, EdgeBatch, Extension, LeftOut, Metadata, Node, NodeBatch, Sink, Str, StringId, Target,
    Types, Wants,
};
use heap_spool::{BySubtype, Link, Lost, Texts, keeps_metadata, too_late};
use serde_json::Value;

use crate::kinds::ROOT;
use file::{File, width};
use gather::{Kind, Snapshot};
use layout::Layout;
use row::Row;
use scores::{FILEMETA, Scores, Totals};
use tables::{Frame, Name, Tables, Type};

/// Makes a MoarVM heap snapshot of a stream. Made by [`writer`].
#[derive(Debug)]
pub struct Writer<W: Write> {
    file: File<W>,
    types: Types,
    /// Kinds by subtype, as far as they were met.
    kinds: BySubtype<Kind>,
    source: String,
    /// True if the stream comes from MoarVM; known with the first string, node or edge.
    native: Option<bool>,
    /// A tool has passed the stream on, and may have left something out.
    passed_on: bool,
    version_3: bool,
    filemeta: Option<String>,
    streams: u32,
    /// Snapshots written.
    written: u64,
    snapshot: Snapshot,
    tables: Tables,
    /// Strings of a stream that comes from elsewhere.
    texts: Texts,
    /// A string record that is one of MoarVM's goes through here.
    lost: Lost,
    left_out: LeftOut,
    notes: Vec<String>,
    finished: bool,
}

/// Begins a file. `out` needs no buffer. The file is complete after [`Sink::finish`]; with several snapshots
/// (`heap.snapshot`) each is written when the next one begins.
pub fn writer<W: Write>(out: W) -> Writer<W> {
    Writer {
        file: File::new(out),
        types: Types::default(),
        kinds: BySubtype::default(),
        source: String::new(),
        native: None,
        passed_on: false,
        version_3: false,
        filemeta: None,
        streams: 0,
        written: 0,
        snapshot: Snapshot::default(),
        tables: Tables::default(),
        texts: Texts::default(),
        lost: Lost::default(),
        left_out: LeftOut::new(),
        notes: Vec::new(),
        finished: false,
    }
}

impl<W: Write> Writer<W> {
    /// True if the stream comes from MoarVM.
    #[inline]
    fn native(&mut self) -> bool {
        if let Some(native) = self.native {
            return native;
        }
        let native = self.source == crate::FORMAT;
        self.native = Some(native);
        self.tables.begin(native);
        native
    }

    fn kind(&mut self, subtype: u32, native: bool) -> Kind {
        match self.kinds.get(subtype) {
            Some(kind) => kind,
            None => self.kinds.keep(subtype, Kind::of(&self.types.node_name(subtype), native)),
        }
    }

    /// Writes what a file begins with.
    fn begin(&mut self, native: bool) -> Result {
        let filemeta = self.filemeta.take();
        let own = filemeta.as_deref().filter(|text| native && serde_json::from_str::<Value>(text).is_ok());
        self.file.begin(own.unwrap_or(FILEMETA))?;
        if !native {
            self.notes.push("row 0 is a root that the input does not have".to_owned());
        }
        Ok(())
    }

    /// Writes the snapshot that was gathered, if there is one.
    ///
    /// The file has columns, and each says its width and length ahead: so the rows are read once for what the widths and
    /// totals depend on, then once a column. Rows are numbered as [`Layout`] says: row 0 is the root, the others follow in
    /// the order in which they came. The references of row n are `counts[n]` entries of `refdescr` and `reftrget` from
    /// `starts[n]` on; those of a made root come first.
    fn flush_snapshot(&mut self) -> Result {
        if self.snapshot.is_empty() {
            return Ok(());
        }
        let native = self.native();
        if self.written == 0 {
            self.begin(native)?;
        }
        let mut snapshot = std::mem::take(&mut self.snapshot);
        self.left_out.add("nodes with the identifier of another", snapshot.ids.seal());
        if snapshot.unknown_sizes > 0 {
            self.notes.push(format!("{} nodes without a size have size 0", snapshot.unknown_sizes));
        }
        let layout = Layout::new(&snapshot, native, &self.types, &mut self.left_out)?;
        let (rows, refs) = (layout.rows, layout.refs);
        let moved = layout.moved.unwrap_or(u32::MAX);
        let made = Row { kind: ROOT, ..Row::default() };
        let first = layout.moved.and(snapshot.root).map_or(made, |(_, row)| row);

        // Pass 1: the largest values, and totals. Whose a row is (type object or frame) is dear to find: it waits in a spool.
        let (mut totals, mut scores) = (Totals { refs, ..Totals::default() }, Scores::default());
        let mut owners = Spool::new();
        let (mut max_kind, mut max_size, mut max_owner) = (0, 0, 0);
        snapshot.each_row(first, moved, |row| {
            let owner = if native { self.tables.owner(&row, &snapshot.names) } else { row.owner };
            owners.build(|out| push_varint(out, owner))?;
            let size = row.size.plus(row.external);
            totals.add(row.kind, size);
            scores.add(row.kind, owner, size);
            (max_kind, max_size, max_owner) =
                (row.kind.max(max_kind), row.size.max(max_size), owner.max(max_owner));
            Ok(())
        })?;

        // The totals of the original hold as long as they agree with the rows; else they are made anew.
        let snapmeta = snapshot.snapmeta.take();
        let meta = snapmeta.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let meta = meta.filter(|_| native);
        let holds = meta.as_ref().is_some_and(|meta| !self.passed_on || totals.agree(meta));
        let file = &mut self.file;
        match (&snapmeta, holds) {
            (Some(text), true) => file.snapmeta(text)?,
            _ => file.snapmeta(&totals.text(meta.as_ref(), self.written))?,
        }
        let mut column = |name, width, get: fn(&Row) -> u64| {
            file.column(name, width, rows, |out| snapshot.each_row(first, moved, |row| out.push(get(&row))))
        };
        column(*b"colkind\0", width(2, max_kind), |row| row.kind)?;
        column(*b"colsize\0", width(2, max_size), |row| row.size)?;
        file.column(*b"coltofi\0", width(4, max_owner), rows, |out| {
            let mut owners = owners.reader();
            (0..rows).try_for_each(|_| out.push(owners.varint()?))
        })?;
        file.column(*b"colrfcnt", 4, rows, |out| layout.counts.iter().try_for_each(|&n| out.push(n.into())))?;
        file.column(*b"colrfstr", 8, rows, |out| layout.starts.iter().try_for_each(|&n| out.push(n)))?;
        file.column(*b"colusize", 8, rows, |out| {
            snapshot.each_row(first, moved, |row| out.push(row.external))
        })?;

        // One pass over the edges writes the descriptions; the targets wait.
        let mut targets = Spool::new();
        let (tables, texts, types) = (&mut self.tables, &mut self.texts, &self.types);
        let mut unknown = 0;
        file.column(*b"refdescr", 8, refs, |out| {
            for (number, &row) in (0..).zip(&layout.roots) {
                targets.build(|out| push_varint(out, row))?;
                out.push(number << 2 | 1)?;
            }
            layout.each_ref(std::mem::take(&mut snapshot.links), &snapshot.ids, types, |link, row| {
                targets.build(|out| push_varint(out, row))?;
                let descr = description(link, native, tables, texts)?;
                unknown += u64::from(descr.is_none());
                out.push(descr.unwrap_or(0))
            })
        })?;
        self.left_out.add("labels whose string is not there", unknown);
        file.column(*b"reftrget", 8, refs, |out| {
            let mut targets = targets.reader();
            (0..refs).try_for_each(|_| out.push(targets.varint()?))
        })?;

        // Tables of names, and then the highest scores: the original's where nothing has changed.
        let texts = (!native).then_some(texts);
        tables.write(file, texts, types, &mut self.left_out)?;
        let kept = native && snapshot.score_count > 0 && holds && !tables.renumbered();
        if kept {
            let get = |file: &mut File<W>, name, which: usize| {
                file.column(name, 8, snapshot.score_count, |out| {
                    let mut scores = snapshot.scores.reader();
                    (0..snapshot.score_count).try_for_each(|_| {
                        let pair = [scores.varint()?, scores.varint()?];
                        out.push(pair[which])
                    })
                })
            };
            get(file, *b"topIDs\0\0", 0)?;
            get(file, *b"topscore", 1)?;
        } else if !(native && self.version_3 && !self.passed_on && holds) {
            let top = scores.top();
            file.column(*b"topIDs\0\0", 8, top.len() as u64, |out| {
                top.iter().try_for_each(|&(id, _)| out.push(id))
            })?;
            file.column(*b"topscore", 8, top.len() as u64, |out| {
                top.iter().try_for_each(|&(_, score)| out.push(score))
            })?;
        }
        self.written += 1;
        file.close()
    }

    fn node(&mut self, record: &Node<'_>) -> Result {
        let native = self.native();
        match self.kind(record.subtype, native) {
            Kind::Row(kind) => self.snapshot.native(record, kind, &mut self.lost),
            kind => self.snapshot.foreign(record, kind, &mut self.tables, &mut self.lost),
        }
    }

    /// A type or static frame of a stream from MoarVM.
    fn row(&mut self, record: &Extension<'_>) {
        let body = record.body;
        let text = |key| uint(body, key).map_or(Name::Unknown, |id| Name::String(id as StringId));
        let Some(index) = uint(body, "index") else { return };
        if record.kind == "moar.type" {
            self.tables.types.add_row(index, Type { repr: text("repr"), name: text("name") });
        } else {
            let line = uint(body, "line").unwrap_or(0);
            self.tables
                .frames
                .add_row(index, Frame { name: text("name"), cuid: text("cuid"), line, file: text("file") });
        }
    }
}

/// The description of a reference; none if its string has no record.
#[inline]
fn description(link: &Link, native: bool, tables: &mut Tables, texts: &mut Texts) -> Result<Option<u64>> {
    Ok(match (link.extra, link.label) {
        (Some(extra), _) => Some(extra),
        (None, None) => Some(0),
        (None, Some(label)) if label < 0 => Some((-(label + 1) as u64) << 2 | 1),
        (None, Some(label)) => {
            let at = if native { tables.added(label) } else { tables.used(label, texts)? };
            at.map(|at| u64::from(at) << 2 | 2)
        }
    })
}

impl<W: Write> Sink for Writer<W> {
    fn wants(&self) -> Wants {
        Wants::IN_ORDER
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Result {
        match record.key {
            "version_major" => {
                self.streams += 1;
                if self.streams > 1 && (self.native.is_some() || self.written > 0) {
                    return Err(Error::refused("a MoarVM file holds one stream; these are several"));
                }
            }
            "heap.snapshot" => {
                self.flush_snapshot()?;
                self.snapshot = Snapshot { open: true, ..Snapshot::default() };
            }
            "target_source" | "moar.version" | "moar.filemeta" if self.native.is_some() => {
                return Err(too_late(record));
            }
            "target_source" => record.value.clone_into(&mut self.source),
            "heap.pipeline" => self.passed_on = true,
            "heap.root" => self.snapshot.roots.extend(record.value.parse::<i64>()),
            "moar.version" => self.version_3 = record.value == "3",
            "moar.filemeta" => self.filemeta = Some(record.value.to_owned()),
            "moar.snapmeta" => self.snapshot.snapmeta = Some(record.value.to_owned()),
            key => {
                keeps_metadata(key, "moar", &mut self.left_out);
            }
        }
        Ok(())
    }

    fn declare(&mut self, record: &Declaration<'_>) -> Result {
        self.types.declare(record);
        self.kinds.declare_node(record);
        Ok(())
    }

    fn string(&mut self, record: &Str<'_>) -> Result {
        if !self.native() {
            return self.texts.add(record);
        }
        if record.id < 0 {
            return Ok(());
        }
        self.tables.add(record)
    }

    fn nodes(&mut self, batch: &NodeBatch<'_>) -> Result {
        batch.try_for_each(|node| self.node(node))
    }

    fn edges(&mut self, batch: &EdgeBatch<'_>) -> Result {
        let native = self.native();
        batch.try_for_each(|edge| self.snapshot.edge(edge, native, &mut self.lost))
    }

    fn extension(&mut self, record: &Extension<'_>) -> Result {
        let native = self.native();
        match record.kind {
            "moar.type" | "moar.static_frame" if native => self.row(record),
            "moar.highscore" if native => {
                let number = |key| uint(record.body, key).unwrap_or(0);
                let (id, score) = (number("id"), number("score"));
                self.snapshot.score_count += 1;
                self.snapshot.scores.build(|out| {
                    push_varint(out, id);
                    push_varint(out, score);
                })?;
            }
            kind => self.left_out.add(&format!("{kind} records"), 1),
        }
        Ok(())
    }

    /// Writes the last snapshot and ends the file. Damage does not matter: what came is in it.
    fn finish(&mut self, _: bool) -> Result {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        self.flush_snapshot()?;
        if self.written == 0 {
            let native = self.native();
            self.begin(native)?;
        }
        self.lost.move_to(&self.types, &mut self.left_out);
        self.file.finish()
    }
}

impl<W: Write> Target for Writer<W> {
    fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}
