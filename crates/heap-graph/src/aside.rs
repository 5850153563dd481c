//! Labels and kinds of edges in a file without a name in `TMPDIR`: for who asks for few of them, and needs memory for more.
//!
//! The file has chunks in any order, so that several builders can write to it at a time, and joining them moves nothing.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use heap_base::spool::temporary;
use heap_base::sys;

/// Edges of a chunk at most: 320 KiB.
const CHUNK: usize = if cfg!(test) { 3 } else { 1 << 16 };

/// Labels and kinds by edge, 5 bytes each.
#[derive(Clone, Debug, Default)]
pub struct Aside {
    shared: Arc<Shared>,
    /// Where each chunk begins in the file, and the first edge behind it.
    chunks: Vec<(u64, u64)>,
    bytes: Vec<u8>,
}

/// The file of several builders.
#[derive(Debug, Default)]
struct Shared {
    file: Mutex<Option<Arc<File>>>,
    end: AtomicU64,
    pages: Mutex<Pages>,
}

/// Parts of the file that were read last: labels of neighbours are asked for together.
#[derive(Debug, Default)]
struct Pages {
    /// Which page is in each place, from 1 on; 0 for none.
    numbers: Vec<u64>,
    bytes: Vec<u8>,
}

/// Reads labels and kinds in the order of the edges.
pub(crate) struct NamesReader<'a> {
    aside: &'a Aside,
    chunk: usize,
    at: usize,
    labels: Vec<u32>,
    kinds: Vec<u8>,
}

impl NamesReader<'_> {
    /// Those of the next edge.
    pub(crate) fn next(&mut self) -> io::Result<(u32, u8)> {
        if self.at == self.labels.len() {
            let first = self.chunk.checked_sub(1).map_or(0, |before| self.aside.chunks[before].1);
            let (_, end) = *self.aside.chunks.get(self.chunk).ok_or(io::ErrorKind::UnexpectedEof)?;
            self.labels.clear();
            self.kinds.clear();
            self.aside.names(first, (end - first) as usize, &mut self.labels, &mut self.kinds)?;
            (self.at, self.chunk) = (0, self.chunk + 1);
        }
        self.at += 1;
        Ok((self.labels[self.at - 1], self.kinds[self.at - 1]))
    }
}

/// Bytes of a page, and how many there are at most: 4 MiB in all.
const PAGE: usize = if cfg!(test) { 8 } else { 1 << 10 };
const PAGES: usize = if cfg!(test) { 2 } else { 1 << 12 };

impl Pages {
    /// Bytes of the file at an offset, through the pages where they lie in one that is full.
    fn read(&mut self, file: &File, at: u64, out: &mut [u8]) -> io::Result<()> {
        let (page, from) = (at / PAGE as u64, at as usize % PAGE);
        if from + out.len() > PAGE {
            return sys::read_exact_at(file, out, at);
        }
        if self.numbers.is_empty() {
            (self.numbers, self.bytes) = (vec![0; PAGES], vec![0; PAGES * PAGE]);
        }
        let place = (page % PAGES as u64) as usize;
        let bytes = &mut self.bytes[place * PAGE..][..PAGE];
        if self.numbers[place] != page + 1 {
            self.numbers[place] = 0;
            if sys::read_at(file, bytes, page * PAGE as u64)? < PAGE {
                return sys::read_exact_at(file, out, at);
            }
            self.numbers[place] = page + 1;
        }
        out.copy_from_slice(&bytes[from..][..out.len()]);
        Ok(())
    }
}

impl Aside {
    /// Puts as many labels and kinds there.
    ///
    /// # Errors
    /// The file cannot be made or written.
    pub fn of(labels: &[u32], kinds: &[u8]) -> io::Result<Self> {
        let mut aside = Self::default();
        aside.push(labels, kinds)?;
        Ok(aside)
    }

    /// An empty one in the same file.
    pub(crate) fn fork(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), ..Self::default() }
    }

    /// How many edges are in it.
    pub(crate) fn len(&self) -> u64 {
        self.chunks.last().map_or(0, |&(_, end)| end)
    }

    /// Whether so many edges are worth a chunk.
    #[inline]
    pub(crate) fn takes(edges: usize) -> bool {
        edges >= CHUNK
    }

    fn file(&self) -> io::Result<Arc<File>> {
        let mut file = self.shared.file.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(match &mut *file {
            Some(file) => file,
            none => none.insert(Arc::new(temporary()?)),
        }))
    }

    /// Adds the labels and kinds of as many edges.
    pub(crate) fn push(&mut self, labels: &[u32], kinds: &[u8]) -> io::Result<()> {
        for (labels, kinds) in labels.chunks(CHUNK).zip(kinds.chunks(CHUNK)) {
            self.bytes.resize(labels.len() * 5, 0);
            let (words, of_kinds) = self.bytes.split_at_mut(labels.len() * 4);
            for (slot, label) in words.as_chunks_mut().0.iter_mut().zip(labels) {
                *slot = label.to_le_bytes();
            }
            of_kinds.copy_from_slice(kinds);
            let end = self.len() + labels.len() as u64;
            let at = self.shared.end.fetch_add(self.bytes.len() as u64, Relaxed);
            sys::write_all_at(&*self.file()?, &self.bytes, at)?;
            self.chunks.push((at, end));
        }
        Ok(())
    }

    /// Whether another one is in the same file.
    pub(crate) fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Labels and kinds from the first edge on.
    pub(crate) fn reader(&self) -> NamesReader<'_> {
        NamesReader { aside: self, chunk: 0, at: 0, labels: Vec::new(), kinds: Vec::new() }
    }

    /// Adds those of another one in the same file.
    pub(crate) fn append(&mut self, other: &Self) {
        let before = self.len();
        self.chunks.extend(other.chunks.iter().map(|&(at, end)| (at, before + end)));
    }

    /// Reads the labels and kinds of all edges back.
    pub(crate) fn gather(&self) -> io::Result<(Vec<u32>, Vec<u8>)> {
        let (mut labels, mut kinds, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for &(at, end) in &self.chunks {
            bytes.resize((end - first) as usize * 5, 0);
            sys::read_exact_at(&*self.file()?, &mut bytes, at)?;
            let (words, of_kinds) = bytes.split_at((end - first) as usize * 4);
            labels.extend(words.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)));
            kinds.extend_from_slice(of_kinds);
            first = end;
        }
        Ok((labels, kinds))
    }

    /// Offset of the chunk of an edge, its first edge and the first behind it.
    fn chunk(&self, edge: u64) -> io::Result<(u64, u64, u64)> {
        let place = self.chunks.partition_point(|&(_, end)| end <= edge);
        let first = place.checked_sub(1).map_or(0, |before| self.chunks[before].1);
        let chunk = self.chunks.get(place).map(|&(at, end)| (at, first, end));
        chunk.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Appends the labels of so many edges from `edge` on to `out`.
    ///
    /// # Errors
    /// The file cannot be read; there are not so many edges.
    pub(crate) fn labels(&self, mut edge: u64, mut count: usize, out: &mut Vec<u32>) -> io::Result<()> {
        let mut bytes = Vec::new();
        while count > 0 {
            let (at, first, end) = self.chunk(edge)?;
            let here = count.min((end - edge) as usize);
            bytes.resize(here * 4, 0);
            sys::read_exact_at(&*self.file()?, &mut bytes, at + (edge - first) * 4)?;
            out.extend(bytes.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word)));
            (edge, count) = (edge + here as u64, count - here);
        }
        Ok(())
    }

    /// Appends labels and kinds of so many edges from `edge` on.
    ///
    /// # Errors
    /// As [`labels`](Self::labels).
    pub(crate) fn names(
        &self,
        mut edge: u64,
        mut count: usize,
        labels: &mut Vec<u32>,
        kinds: &mut Vec<u8>,
    ) -> io::Result<()> {
        self.labels(edge, count, labels)?;
        while count > 0 {
            let (at, first, end) = self.chunk(edge)?;
            let here = count.min((end - edge) as usize);
            let from = kinds.len();
            kinds.resize(from + here, 0);
            let start = at + (end - first) * 4 + (edge - first);
            sys::read_exact_at(&*self.file()?, &mut kinds[from..], start)?;
            (edge, count) = (edge + here as u64, count - here);
        }
        Ok(())
    }

    fn read(&self, at: u64, out: &mut [u8]) -> io::Result<()> {
        let file = self.file()?;
        self.shared.pages.lock().unwrap_or_else(PoisonError::into_inner).read(&file, at, out)
    }

    /// The label of an edge.
    ///
    /// # Errors
    /// The file cannot be read; there is no such edge.
    pub fn label(&self, edge: u32) -> io::Result<u32> {
        let edge = u64::from(edge);
        let (at, first, _) = self.chunk(edge)?;
        let mut bytes = [0; 4];
        self.read(at + (edge - first) * 4, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// The kind of an edge.
    ///
    /// # Errors
    /// The file cannot be read; there is no such edge.
    pub fn kind(&self, edge: u32) -> io::Result<u8> {
        let edge = u64::from(edge);
        let (at, first, end) = self.chunk(edge)?;
        let mut byte = [0];
        self.read(at + (end - first) * 4 + (edge - first), &mut byte)?;
        Ok(byte[0])
    }
}
