//! The tables that grow with the file, and the high scores: string and extension records.

use heap_base::{Members, Result};
use heap_record::{Extension, StringId};

use super::Emitter;

/// Types and static frames are kept while the file is read; a real file has hundreds to some ten thousand.
/// The limit keeps a file of zeros, a thousandth of its size on disk, from filling the memory.
pub(crate) const MAX_TABLE: usize = 1 << 22;

/// Longest string that is read. The table holds names of types, files and lexicals, not a program's texts.
pub(crate) const MAX_STRING: usize = 64 << 20;

impl Emitter<'_> {
    /// The next string of the file.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result {
        let id = self.strings as StringId;
        self.strings += 1;
        if !self.wants.any_strings() {
            return Ok(());
        }
        self.texts.utf8(id, bytes, self.sink)
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

    /// Emits types and static frames that were not emitted yet, as extension records.
    pub(crate) fn tables(&mut self) -> Result {
        if !self.wants.extensions {
            return Ok(());
        }
        for (i, row) in self.types.iter().enumerate().skip(self.emitted.0) {
            self.members.clear();
            self.members.uint("index", i as u64);
            push_strings(&mut self.members, self.strings, &["repr", "name"], row);
            let body = self.members.as_bytes();
            self.sink.extension(&Extension { kind: "moar.type", body, ..Extension::default() })?;
        }
        for (i, &[name, cuid, line, file]) in self.frames.iter().enumerate().skip(self.emitted.1) {
            self.members.clear();
            self.members.uint("index", i as u64);
            push_strings(&mut self.members, self.strings, &["name", "cuid"], &[name, cuid]);
            self.members.uint("line", line);
            push_strings(&mut self.members, self.strings, &["file"], &[file]);
            let body = self.members.as_bytes();
            self.sink.extension(&Extension { kind: "moar.static_frame", body, ..Extension::default() })?;
        }
        self.emitted = (self.types.len(), self.frames.len());
        Ok(())
    }

    /// Emits one line of the high scores.
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

/// Appends members that are string ids, but for ids that the file does not have.
fn push_strings(members: &mut Members, strings: u64, keys: &[&str], ids: &[u64]) {
    for (key, &id) in keys.iter().zip(ids) {
        if id < strings {
            members.uint(key, id);
        }
    }
}
