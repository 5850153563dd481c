//! The flat lists of integers, batch by batch: whole records, lexed ahead by a second thread where it pays.
//!
//! Of edges and nodes those that are plain come as such (`plain`, `rows`), the others as integers, a few at a time.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};

use heap_base::{Blob, Error, Result};

use super::edges::{EdgeRun, PlainEdges};
use super::ints::{self, Expect, INTS, Out, Slots, TEXT, Text};
use super::nodes::{NodeRun, PlainNodes, WINDOW};
use super::{Piece, Section};

/// Integers of whole records, or plain ones.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Plain edges. If there are any, there are no integers.
    pub(crate) edges: EdgeRun,
    /// Plain nodes, likewise.
    pub(crate) nodes: NodeRun,
    ints: Box<Slots>,
    n: usize,
    most: usize,
    width: usize,
    /// Positions of negative numbers in the batch, ascending.
    pub(crate) negatives: Vec<u32>,
    /// Offset in the file where the batch begins, maybe at a comma.
    start: u64,
    /// Number of the first record.
    pub(crate) first: u64,
    /// Where and why the list stops before its end.
    stop: Option<(u64, &'static str)>,
    /// No batch follows.
    end: bool,
    /// Offset where the list ends.
    end_at: u64,
}

impl Batch {
    fn new(width: usize) -> Self {
        Self {
            edges: EdgeRun::default(),
            nodes: NodeRun::default(),
            ints: ints::boxed(0),
            n: 0,
            most: INTS / width * width,
            width,
            negatives: Vec::new(),
            start: 0,
            first: 0,
            stop: None,
            end: false,
            end_at: 0,
        }
    }

    /// The whole records.
    #[inline]
    pub(crate) fn records(&self) -> std::slice::ChunksExact<'_, u64> {
        self.ints[..self.n].chunks_exact(self.width)
    }

    /// The integers of some of the whole records.
    #[inline]
    pub(crate) fn part(&self, records: std::ops::Range<usize>) -> &[u64] {
        &self.ints[records.start * self.width..records.end * self.width]
    }

    /// True if the integer at `field` of the `record`-th record of the batch is negative.
    #[cold]
    pub(crate) fn negative(&self, record: usize, field: usize) -> bool {
        u32::try_from(record * self.width + field).is_ok_and(|at| self.negatives.binary_search(&at).is_ok())
    }

    /// An integer as it stands in the file.
    #[cold]
    pub(crate) fn shown(&self, record: usize, field: usize) -> String {
        let value = self.ints.get(record * self.width + field).copied().unwrap_or(0);
        if self.negative(record, field) { (value as i64).to_string() } else { value.to_string() }
    }

    /// Damage at `field` of the `record`-th record of the batch.
    #[cold]
    pub(crate) fn damage(
        &self,
        blob: &Blob,
        section: &Section,
        record: usize,
        field: usize,
        what: impl std::fmt::Display,
    ) -> Error {
        let byte = match locate(blob, self.start, section.end, record * self.width + field) {
            Ok(byte) => byte,
            Err(e) => return e,
        };
        section.damage(byte, format_args!("record {}: {what}", self.first + record as u64))
    }

    /// What keeps the list from going on after this batch's records, if anything.
    #[cold]
    pub(crate) fn stopped(&self, section: &Section) -> Option<Error> {
        let record = self.first + (self.n / self.width) as u64;
        match self.stop {
            Some((byte, what)) => Some(section.damage(byte, format_args!("record {record}: {what}"))),
            None if self.end && !self.n.is_multiple_of(self.width) => {
                Some(section.damage(self.end_at, format_args!("record {record}: ends early")))
            }
            None => None,
        }
    }
}

/// Offset of the `index`-th integer from `start` on, in text that was lexed before.
#[cold]
fn locate(blob: &Blob, start: u64, end: u64, index: usize) -> Result<u64> {
    let mut buf = vec![0; 64 << 10];
    let (mut at, mut seen, mut inside) = (start, 0, false);
    while at < end {
        let n = blob.read_at(&mut buf, at)?;
        if n == 0 {
            break;
        }
        for (i, b) in buf[..n].iter().enumerate() {
            let digit = matches!(b, b'-' | b'0'..=b'9');
            if digit && !inside {
                if seen == index {
                    return Ok(at + i as u64);
                }
                seen += 1;
            }
            inside = digit;
        }
        at += n as u64;
    }
    Ok(end)
}

/// Which records come as such, not as integers.
#[derive(Clone, Copy, Debug)]
enum Plain<'a> {
    Edges(&'a PlainEdges<'a>),
    Nodes(PlainNodes),
}

impl Plain<'_> {
    /// Makes room in `batch`.
    fn clear(self, batch: &mut Batch) {
        match self {
            Plain::Edges(_) => batch.edges.clear(),
            Plain::Nodes(_) => batch.nodes.clear(),
        }
    }

    /// Takes records at the beginning of `text`; gives the bytes they took.
    fn take(self, text: &[u8], batch: &mut Batch) -> usize {
        match self {
            Plain::Edges(plain) => plain.take(text, &mut batch.edges),
            Plain::Nodes(plain) => plain.take(text, &mut batch.nodes),
        }
    }

    /// How many there are, and whether there is no room for more.
    fn taken(self, batch: &Batch) -> (usize, bool) {
        match self {
            Plain::Edges(_) => (batch.edges.len(), batch.edges.is_full()),
            Plain::Nodes(_) => (batch.nodes.len(), batch.nodes.is_full()),
        }
    }
}

/// Reads a section batch by batch.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    blob: Blob,
    section: Section,
    width: usize,
    plain: Option<Plain<'a>>,
    /// How many records come as integers before it is seen whether further ones are plain.
    odd: usize,
    text: Box<Text>,
    /// Offset in the file of the buffer's first byte.
    base: u64,
    /// Bytes of the buffer that hold text.
    len: usize,
    pos: usize,
    expect: Expect,
    record: u64,
}

impl<'a> Lexer<'a> {
    /// `section` as records of `width` integers.
    pub(crate) fn new(blob: &Blob, section: &Section, width: usize) -> Self {
        Self {
            blob: blob.clone(),
            section: *section,
            width: width.clamp(1, INTS),
            plain: None,
            odd: 1,
            text: ints::boxed(0),
            base: section.start,
            len: 0,
            pos: 0,
            expect: Expect::First,
            record: 0,
        }
    }

    /// The records of `piece`, counted from its first one.
    pub(crate) fn piece(blob: &Blob, piece: &Piece, width: usize) -> Self {
        Self { record: piece.first, ..Self::new(blob, &piece.section, width) }
    }

    /// Records that are plain edges come as such.
    pub(crate) fn edges(self, plain: Option<&'a PlainEdges<'a>>) -> Self {
        Self { plain: plain.map(Plain::Edges), ..self }
    }

    /// Records that are plain nodes come as such.
    pub(crate) fn nodes(self, plain: Option<PlainNodes>) -> Self {
        Self { plain: plain.map(Plain::Nodes), ..self }
    }

    /// Fills `batch` with plain records; false if the next record is none, or not seen to be one.
    fn fill_plain(&mut self, plain: Plain<'_>, batch: &mut Batch) -> Result<bool> {
        plain.clear(batch);
        loop {
            let text = &self.text[self.pos..self.len];
            let comma = match text {
                _ if self.expect != Expect::Comma => Some(0),
                [b',', ..] => Some(1),
                [b'\n', b',', ..] => Some(2),
                _ => None,
            };
            if let Some(comma) = comma {
                let taken = plain.take(&text[comma..], batch);
                if taken > 0 {
                    self.pos += comma + taken;
                    self.expect = Expect::Int;
                }
            }
            // A window of nodes, the longer one, and a separator.
            let near_end = self.len - self.pos < WINDOW + 2;
            if plain.taken(batch).1 || !near_end || self.base + self.len as u64 >= self.section.end {
                break;
            }
            self.refill()?;
        }
        let (n, _) = plain.taken(batch);
        self.record += n as u64;
        Ok(n > 0)
    }

    /// Fills `batch` with the next whole records.
    fn fill(&mut self, batch: &mut Batch) -> Result {
        batch.start = self.base + self.pos as u64;
        batch.first = self.record;
        batch.negatives.clear();
        batch.stop = None;
        batch.end = false;
        let mut most = batch.most;
        if let Some(plain) = self.plain {
            batch.n = 0;
            if self.fill_plain(plain, batch)? {
                self.odd = 1;
                return Ok(());
            }
            // A list that is not plain at all comes in batches as large as any.
            most = most.min(self.odd * self.width);
            self.odd = self.odd.saturating_mul(2).min(INTS);
        }
        let mut out = Out { ints: &mut batch.ints, n: 0, most, negatives: &mut batch.negatives };
        loop {
            let before = self.pos;
            self.pos = ints::fast(&self.text, self.len, self.pos, &mut self.expect, &mut out);
            let at_end = self.base + self.len as u64 >= self.section.end;
            let text = &self.text[..self.len];
            let last = at_end && self.section.closed;
            match ints::slow(text, self.pos, self.pos + 64, last, &mut self.expect, &mut out) {
                Ok(pos) => self.pos = pos,
                Err(bad)
                    if text.get(bad.at) == Some(&b']')
                        && self.expect != Expect::Int
                        && !self.section.closed =>
                {
                    // The end of a section whose end was not known.
                    self.pos = bad.at;
                    batch.end = true;
                    batch.end_at = self.base + bad.at as u64;
                    break;
                }
                Err(bad) => {
                    batch.stop = Some((self.base + bad.at as u64, bad.what));
                    break;
                }
            }
            if out.n == out.most {
                break;
            }
            if self.pos == before || self.pos == self.len {
                if !at_end {
                    self.refill()?;
                } else if !self.section.closed {
                    batch.stop = Some((self.section.end, "ends early"));
                    break;
                } else {
                    if self.expect == Expect::Int {
                        batch.stop = Some((self.section.end, "expected an integer"));
                    }
                    batch.end = true;
                    batch.end_at = self.section.end;
                    break;
                }
            }
        }
        batch.n = out.n;
        batch.end |= batch.stop.is_some();
        self.record += (batch.n / self.width) as u64;
        Ok(())
    }

    /// Moves what is left to the front of the buffer and reads on.
    fn refill(&mut self) -> Result {
        self.text.copy_within(self.pos..self.len, 0);
        self.base += self.pos as u64;
        self.len -= self.pos;
        self.pos = 0;
        let from = self.base + self.len as u64;
        let left = usize::try_from(self.section.end - from).unwrap_or(TEXT).min(TEXT - self.len);
        let n = self.blob.read_at(&mut self.text[self.len..self.len + left], from)?;
        if n < left {
            // The file shrank since it was scanned.
            self.section.end = from + n as u64;
            self.section.closed = false;
        }
        self.len += n;
        Ok(())
    }

    /// Hands every batch to `each` until it returns false, or the list ends. With `ahead`, long lists are lexed
    /// by a second thread, a few batches ahead.
    pub(crate) fn batches(mut self, ahead: bool, mut each: impl FnMut(&mut Batch) -> Result<bool>) -> Result {
        if self.section.closed && self.section.start == self.section.end {
            return Ok(());
        }
        if !(ahead && self.section.worth_a_thread()) {
            let mut batch = Batch::new(self.width);
            loop {
                self.fill(&mut batch)?;
                if !each(&mut batch)? || batch.end {
                    return Ok(());
                }
            }
        }
        std::thread::scope(|scope| {
            let (full_tx, full_rx) = sync_channel::<Result<Batch>>(3);
            let (empty_tx, empty_rx) = channel::<Batch>();
            for _ in 0..5 {
                let _ = empty_tx.send(Batch::new(self.width));
            }
            scope.spawn(move || self.run(&full_tx, &empty_rx));
            while let Ok(batch) = full_rx.recv() {
                let mut batch = batch?;
                if !each(&mut batch)? || batch.end {
                    break;
                }
                let _ = empty_tx.send(batch);
            }
            Ok(())
        })
    }

    /// Lexes until the list ends or nobody takes batches any more.
    fn run(mut self, full: &SyncSender<Result<Batch>>, empty: &Receiver<Batch>) {
        while let Ok(mut batch) = empty.recv() {
            let filled = self.fill(&mut batch);
            let end = batch.end || filled.is_err();
            if full.send(filled.map(|()| batch)).is_err() || end {
                break;
            }
        }
    }
}
