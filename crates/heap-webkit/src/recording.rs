//! A timeline recording that Web Inspector exported: snapshots as texts inside another document.

use heap_base::error::Kind;
use heap_base::{Blob, Error, Place, Result, Unescape, Window};
use heap_record::{Fact, Facts, SnapshotSelector};

use crate::document::{Step, begin, damage, expected, members, text};
use crate::emit::Emitter;

/// A snapshot in a recording.
#[derive(Debug, Default)]
struct Entry {
    title: Option<String>,
    /// Offset behind the quote that its text begins with.
    start: u64,
    end: u64,
}

/// The snapshots of a recording.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    entries: Vec<Entry>,
    /// Where it stops being a recording.
    pub(crate) damage: Option<Error>,
}

impl Recording {
    pub(crate) fn scan(blob: &Blob) -> Result<Self> {
        let mut this = Self::default();
        let mut win = Window::new(blob, 0);
        let outcome = begin(&mut win).and_then(|()| {
            members(blob, &mut win, &mut |win, key| match key {
                b"recording" => {
                    begin(win)?;
                    members(blob, win, &mut |win, key| match key {
                        b"records" => this.records(blob, win).map(|()| Step::Taken),
                        _ => Ok(Step::Pass),
                    })?;
                    Ok(Step::Taken)
                }
                _ => Ok(Step::Pass),
            })
        });
        this.damage = damage(outcome)?.err();
        Ok(this)
    }

    /// The list of records.
    fn records(&mut self, blob: &Blob, win: &mut Window<'_>) -> Result {
        match win.peek()? {
            Some(b'[') => win.advance(1),
            other => return Err(expected(win, other, "a list of records")),
        }
        let mut next = win.blanks()?;
        while next != Some(b']') {
            if next == Some(b'{') {
                self.record(blob, win)?;
            } else {
                win.skip_value()?;
            }
            next = match win.blanks()? {
                Some(b',') => {
                    win.advance(1);
                    win.blanks()?
                }
                Some(b']') => break,
                other => return Err(expected(win, other, "a comma or the end of the list")),
            };
        }
        win.advance(1);
        Ok(())
    }

    /// One record; most are of other kinds. A text that is cut off is a snapshot as well.
    fn record(&mut self, blob: &Blob, win: &mut Window<'_>) -> Result {
        let mut entry = Entry::default();
        win.advance(1);
        let outcome = members(blob, win, &mut |win, key| {
            match key {
                b"title" if win.peek()? == Some(b'"') => {
                    let raw = text(blob, win)?;
                    entry.title =
                        Some(heap_base::json::unescape(&String::from_utf8_lossy(&raw)).into_owned());
                }
                b"snapshotStringData" if win.peek()? == Some(b'"') => {
                    entry.start = win.at() + 1;
                    entry.end = blob.len();
                    win.skip_string()?;
                    entry.end = win.at() - 1;
                }
                _ => return Ok(Step::Pass),
            }
            Ok(Step::Taken)
        });
        if entry.start > 0 {
            self.entries.push(entry);
        }
        outcome
    }

    /// Reads the chosen snapshots.
    pub(crate) fn read(mut self, blob: &Blob, pick: SnapshotSelector, out: &mut Emitter<'_>) -> Result {
        let count = self.entries.len() as u64;
        if count == 0 {
            return Err(self.damage.unwrap_or_else(|| Error::input("no heap snapshot in this recording")));
        }
        let chosen = pick.range(count)?;
        out.head()?;
        let mut trouble = None;
        for n in chosen {
            let entry = &self.entries[n as usize];
            if pick == SnapshotSelector::All {
                out.metadata("heap.snapshot", &n.to_string())?;
            }
            if let Some(title) = &entry.title {
                out.metadata("jsc.title", title)?;
            }
            let (inner, cut) = Unescape::new(blob, entry.start).into_blob()?;
            let result = match (out.document(&inner), cut) {
                (Err(e), _) if !matches!(e.kind(), Kind::Input { .. }) => return Err(e),
                (_, Some(e)) => Err(e),
                (Err(e), None) => Err(match e.kind() {
                    Kind::Input { place: Place::Byte(byte), what } => {
                        let what = format!("snapshot {n}: byte {byte} of its text: {what}");
                        Error::at_byte(entry.start, what)
                    }
                    _ => e,
                }),
                (Ok(()), None) => Ok(()),
            };
            trouble = trouble.or(result.err());
        }
        trouble.or(self.damage.take()).map_or(Ok(()), Err)
    }

    /// What is known of each snapshot.
    pub(crate) fn facts(&self) -> Vec<Facts> {
        let facts = |entry: &Entry| {
            let title = entry.title.clone().map(|title| ("title", Fact::Text(title)));
            title.into_iter().chain([("bytes", Fact::Bytes(entry.end - entry.start))]).collect()
        };
        self.entries.iter().map(facts).collect()
    }
}
