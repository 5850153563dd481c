//! Lists of numbers by key in a temporary file: blocks that can be read one by one, forwards, backwards or by key.

use std::fs::File;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use heap_base::spool::{no_room, push_varint, temporary, unzigzag, zigzag};
use heap_base::{Error, Result, sys};

/// Numbers of a list that stand together at most; a longer list is several, one behind the other.
const PIECE: usize = if cfg!(test) { 3 } else { 1 << 10 };

/// Lists of numbers by key. Numbers are coded by their distance from the one before, the first by that from the key.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// Lowest bits of a number that are coded as they are: the class of an edge.
    low: u32,
    store: Arc<Store>,
    marks: Vec<Mark>,
    /// Blocks that are not in the file yet: the last ones, and the open one behind them.
    waiting: Vec<u8>,
    /// How many blocks these are, and where the open one begins among them.
    closed: usize,
    start: usize,
    first: u32,
    last: u32,
    /// Bytes from which on a block is full.
    block: usize,
}

/// Keys and place of a block.
#[derive(Clone, Copy, Debug)]
struct Mark {
    first: u32,
    last: u32,
    /// Offset in the file; while the block waits, among those that do.
    at: u64,
    len: u32,
}

/// A file that several lists share, so that joining them moves nothing.
#[derive(Debug, Default)]
pub(crate) struct Store {
    file: Mutex<Option<Arc<File>>>,
    end: AtomicU64,
}

impl Store {
    fn file(&self) -> Result<Arc<File>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(match &mut *file {
            Some(file) => file,
            none => none.insert(Arc::new(temporary().map_err(Error::write)?)),
        }))
    }
}

/// Blocks that are written at a time.
const BLOCKS: usize = 32;

/// A block that has been read.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Each key with the end of its numbers.
    keys: Vec<(u32, u32)>,
    values: Vec<u64>,
    bytes: Vec<u8>,
}

impl Block {
    /// How many lists it has.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// List number `at`.
    #[inline]
    pub(crate) fn list(&self, at: usize) -> (u32, &[u64]) {
        let from = at.checked_sub(1).map_or(0, |before| self.keys[before].1 as usize);
        let (key, end) = self.keys[at];
        (key, &self.values[from..end as usize])
    }

    /// The first list of `key`, if keys ascend; `near` is a guess.
    #[inline]
    pub(crate) fn find(&self, key: u32, near: usize) -> usize {
        if self.keys.get(near).is_some_and(|list| list.0 == key)
            && near.checked_sub(1).is_none_or(|before| self.keys[before].0 < key)
        {
            return near;
        }
        self.keys.partition_point(|list| list.0 < key)
    }
}

impl Lists {
    /// None yet. Blocks have `block` bytes.
    pub(crate) fn new(low: u32, block: usize) -> Self {
        Self::within(Arc::default(), low, block)
    }

    /// None yet, in this file.
    pub(crate) fn within(store: Arc<Store>, low: u32, block: usize) -> Self {
        let (marks, waiting) = (Vec::new(), Vec::new());
        Self { low, store, marks, waiting, closed: 0, start: 0, first: 0, last: 0, block }
    }

    /// Bytes that they take in the file.
    pub(crate) fn bytes(&self) -> u64 {
        self.marks.iter().map(|mark| u64::from(mark.len)).sum()
    }

    /// Adds a list.
    pub(crate) fn push(&mut self, key: u32, mut values: impl Iterator<Item = u64> + Clone) -> Result {
        loop {
            let count = values.clone().take(PIECE).count();
            if count == 0 {
                return Ok(());
            }
            if self.waiting.len() == self.start {
                (self.first, self.last) = (key, 0);
            }
            push_varint(&mut self.waiting, zigzag(i64::from(key) - i64::from(self.last)));
            push_varint(&mut self.waiting, count as u64);
            let mut before = i64::from(key);
            for value in values.by_ref().take(count) {
                let high = (value >> self.low) as i64;
                let low = value & ((1 << self.low) - 1);
                push_varint(&mut self.waiting, zigzag(high - before) << self.low | low);
                before = high;
            }
            self.last = key;
            if self.waiting.len() - self.start >= self.block {
                self.end_block();
                if self.closed == BLOCKS {
                    self.write()?;
                }
            }
        }
    }

    /// Ends the open block.
    fn end_block(&mut self) {
        let len = (self.waiting.len() - self.start) as u32;
        self.marks.push(Mark { first: self.first, last: self.last, at: self.start as u64, len });
        self.start = self.waiting.len();
        self.closed += 1;
    }

    /// Writes the blocks that wait.
    fn write(&mut self) -> Result {
        let at = self.store.end.fetch_add(self.waiting.len() as u64, Relaxed);
        sys::write_all_at(&*self.store.file()?, &self.waiting, at).map_err(no_room)?;
        let from = self.marks.len() - self.closed;
        self.marks[from..].iter_mut().for_each(|mark| mark.at += at);
        self.waiting.clear();
        (self.closed, self.start) = (0, 0);
        Ok(())
    }

    /// Writes what is left. Call before anything is read.
    pub(crate) fn close(&mut self) -> Result {
        if self.waiting.len() > self.start {
            self.end_block();
        }
        if self.closed > 0 { self.write() } else { Ok(()) }
    }

    /// Adds those of another one in the same file, which is closed.
    pub(crate) fn append(&mut self, other: &Self) -> Result {
        self.close()?;
        self.marks.extend_from_slice(&other.marks);
        Ok(())
    }

    /// The first key.
    pub(crate) fn first(&self) -> Option<u32> {
        self.marks.first().map(|mark| mark.first)
    }

    /// How many blocks there are.
    pub(crate) fn blocks(&self) -> usize {
        self.marks.len()
    }

    /// Reads block number `at`.
    pub(crate) fn read(&self, at: usize, block: &mut Block) -> Result {
        let Block { keys, values, bytes } = block;
        keys.clear();
        values.clear();
        let mark = self.marks[at];
        bytes.resize(mark.len as usize, 0);
        sys::read_exact_at(&*self.store.file()?, bytes, mark.at).map_err(Error::read)?;
        let mut left = &bytes[..];
        let mut key = 0i64;
        while !left.is_empty() {
            key += unzigzag(varint(&mut left)?);
            let count = varint(&mut left)?;
            let mut value = key;
            for _ in 0..count {
                let code = varint(&mut left)?;
                value += unzigzag(code >> self.low);
                values.push((value as u64) << self.low | code & ((1 << self.low) - 1));
            }
            keys.push((key as u32, values.len() as u32));
        }
        Ok(())
    }

    /// The blocks that have lists of `key`, if keys ascend.
    pub(crate) fn find(&self, key: u32) -> Range<usize> {
        let end = self.marks.partition_point(|mark| mark.first <= key);
        let mut from = end;
        while from > 0 && self.marks[from - 1].last >= key {
            from -= 1;
        }
        from..end
    }

    /// The last block with its keys, if it is the only one that may have lists of `key`.
    #[inline]
    pub(crate) fn is_only(&self, at: usize, key: u32) -> bool {
        self.marks.get(at).is_some_and(|mark| mark.first < key && key < mark.last)
    }

    /// All lists in their order, or in the opposite one.
    pub(crate) fn each(&self, forwards: bool, mut each: impl FnMut(u32, &[u64]) -> Result) -> Result {
        let mut block = Block::default();
        for at in 0..self.blocks() {
            self.read(if forwards { at } else { self.blocks() - 1 - at }, &mut block)?;
            for at in 0..block.len() {
                let (key, values) = block.list(if forwards { at } else { block.len() - 1 - at });
                each(key, values)?;
            }
        }
        Ok(())
    }
}

/// The next number of a block.
#[inline]
fn varint(bytes: &mut &[u8]) -> Result<u64> {
    let (mut n, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            return Ok(n);
        }
    }
    Err(cut())
}

#[cold]
fn cut() -> Error {
    Error::read(std::io::ErrorKind::UnexpectedEof.into())
}
