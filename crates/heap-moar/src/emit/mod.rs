//! Records out of tables: what is the same for all versions of the format.

mod fold;
mod graph;

use std::borrow::Cow;

use heap_base::{Members, Result};
use heap_record::{
    Data, Declaration, Declared, Extension, FieldKind, Metadata, Retains, Sink, SnapshotSelector, Str,
    StringId, Wants,
};

use rustc_hash::FxHashMap;

use crate::damage::{Counts, Damage};

/// Names of the collectable kinds, by number.
pub(crate) const KINDS: [&str; 12] = [
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
/// Edge subtypes.
const REFERENCE: u32 = 1;
const INTERGEN: u32 = 2;
/// Types and static frames are kept while the file is read; a real file has hundreds to some ten thousand.
/// The limit keeps a file of zeros, a thousandth of its size on disk, from filling the memory.
pub(crate) const MAX_TABLE: usize = 1 << 22;

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
    /// Kinds declared besides the known ones, sorted.
    kinds: Vec<u64>,
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
    pub(crate) fn head(&mut self, pick: SnapshotSelector, version: &str) -> Result {
        self.metadata("target_source", crate::FORMAT)?;
        self.metadata("heap.identifier", "index")?;
        self.metadata("heap.order", "strings nodes edges")?;
        if pick != SnapshotSelector::All {
            self.metadata("heap.root", "1")?;
        }
        self.metadata("moar.version", version)
    }

    /// Says which of several snapshots this is: in the head for a single one, before each otherwise.
    pub(crate) fn snapshot(&mut self, pick: SnapshotSelector, index: usize, of: usize) -> Result {
        if pick == SnapshotSelector::All {
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
            stream.sink.declare(&Declared::Record { name, fields: &fields }.into())
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
            self.sink.declare(&Declared::Node { id, name, table: None, fields: &[] }.into())?;
        }
        for (id, name) in [(REFERENCE, "moar.reference"), (INTERGEN, "moar.intergen")] {
            self.sink.declare(&Declared::Edge { id, name, retains: Retains::Yes, rest: b"" }.into())?;
        }
        Ok(())
    }

    /// The next string of the file.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result {
        let id = self.strings as StringId;
        self.strings += 1;
        if !self.wants.any_strings() {
            return Ok(());
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            let mut hex = String::with_capacity(2 * bytes.len());
            for nibble in bytes.iter().flat_map(|b| [b >> 4, b & 15]) {
                hex.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
            }
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

    /// Types and static frames that were not delivered yet, as extension records.
    pub(crate) fn tables(&mut self) -> Result {
        if !self.wants.extensions {
            return Ok(());
        }
        for (i, row) in self.types.iter().enumerate().skip(self.told.0) {
            self.members.clear();
            self.members.uint("index", i as u64);
            text_members(&mut self.members, self.strings, &["repr", "name"], row);
            let body = self.members.as_bytes();
            self.sink.extension(&Extension { kind: "moar.type", body, ..Extension::default() })?;
        }
        for (i, &[name, cuid, line, file]) in self.frames.iter().enumerate().skip(self.told.1) {
            self.members.clear();
            self.members.uint("index", i as u64);
            text_members(&mut self.members, self.strings, &["name", "cuid"], &[name, cuid]);
            self.members.uint("line", line);
            text_members(&mut self.members, self.strings, &["file"], &[file]);
            let body = self.members.as_bytes();
            self.sink.extension(&Extension { kind: "moar.static_frame", body, ..Extension::default() })?;
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
        self.sink.extension(&Extension { kind: "moar.highscore", body, ..Extension::default() })
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

/// Which index strings were declared: a bit each, in pages of 1024 that exist where an index was used.
#[derive(Debug, Default)]
struct Indexes {
    pages: FxHashMap<u32, [u64; 16]>,
}

impl Indexes {
    /// True the first time.
    #[inline]
    fn is_new(&mut self, index: u32) -> bool {
        let word = &mut self.pages.entry(index >> 10).or_default()[(index >> 6 & 15) as usize];
        let bit = 1 << (index & 63);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
