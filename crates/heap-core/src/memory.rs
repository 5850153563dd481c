//! The memory of the process: words at addresses, out of the segments of a core.
//!
//! Blocks that were read last are kept: 32 MiB at most, however large the core is.

use std::cell::RefCell;

use heap_base::{Blob, Result, sort_by_key};

use crate::elf::Segment;

/// Bytes in a block.
const BLOCK: usize = 16 << 10;
/// Blocks that are kept, a power of two.
const BLOCKS: usize = 2048;
/// A block that is not there.
const NONE: u64 = u64::MAX;

/// Memory of a process that can be read at any address that the core holds.
#[derive(Debug)]
pub(crate) struct Memory {
    /// The core, and files that were mapped and are at hand.
    blobs: Vec<Blob>,
    segments: Vec<Range>,
    cache: RefCell<Cache>,
}

/// A segment, and which blob has its bytes.
#[derive(Clone, Copy, Debug)]
struct Range {
    segment: Segment,
    blob: usize,
}

#[derive(Debug)]
struct Cache {
    /// Number of the block in each slot.
    tags: Vec<u64>,
    bytes: Vec<u8>,
    /// First failure of reading, reported at the end of a pass.
    failed: Option<heap_base::Error>,
}

impl Memory {
    /// The memory that these segments of `blob` hold, which are in order.
    pub(crate) fn new(blob: Blob, segments: &[Segment]) -> Self {
        let segments = segments.iter().map(|&segment| Range { segment, blob: 0 }).collect();
        let cache = Cache { tags: vec![NONE; BLOCKS], bytes: vec![0; BLOCKS * BLOCK], failed: None };
        Self { blobs: vec![blob], segments, cache: RefCell::new(cache) }
    }

    /// Adds what a mapped file holds, where the core does not have it.
    pub(crate) fn add_file(&mut self, blob: Blob, ranges: impl Iterator<Item = Segment>) {
        self.blobs.push(blob);
        let number = self.blobs.len() - 1;
        for mut range in ranges {
            // From each gap between segments that are there.
            let mut gaps = Vec::new();
            for there in self.segments.iter().map(|r| r.segment) {
                if there.end <= range.start || there.start >= range.end {
                    continue;
                }
                if there.start > range.start {
                    gaps.push(Segment { end: there.start, ..range });
                }
                range.offset = range.offset.saturating_add(there.end.min(range.end) - range.start);
                range.start = there.end.min(range.end);
            }
            gaps.push(range);
            let gaps = gaps.into_iter().filter(|g| g.start < g.end);
            self.segments.extend(gaps.map(|segment| Range { segment, blob: number }));
            sort_by_key(&mut self.segments, |r| r.segment.start);
        }
        self.cache.borrow_mut().tags.fill(NONE);
    }

    /// The segments of the core itself.
    pub(crate) fn segments(&self) -> impl Iterator<Item = Segment> {
        self.segments.iter().filter(|r| r.blob == 0).map(|r| r.segment)
    }

    /// Reads as much as is there from `address` on, across segments that touch. Returns the number of bytes.
    pub(crate) fn read(&self, address: u64, buf: &mut [u8]) -> usize {
        // Most are short strings, and each would cost a system call.
        if self.copy(address, buf) {
            return buf.len();
        }
        let mut done = 0;
        let mut at = self.segments.partition_point(|r| r.segment.end <= address);
        while done < buf.len() {
            let here = address.saturating_add(done as u64);
            let Some(Range { segment, blob }) = self.segments.get(at).filter(|r| r.segment.start <= here)
            else {
                break;
            };
            let n = usize::try_from(segment.end - here).unwrap_or(usize::MAX).min(buf.len() - done);
            let offset = segment.offset.saturating_add(here - segment.start);
            match self.blobs[*blob].read_at(&mut buf[done..done + n], offset) {
                Ok(read) => {
                    done += read;
                    if read < n {
                        break;
                    }
                }
                Err(e) => {
                    self.cache.borrow_mut().failed.get_or_insert(e);
                    break;
                }
            }
            at += 1;
        }
        done
    }

    /// The bytes from an address on, as many as are there: a length is believed piece by piece.
    pub(crate) fn bytes(&self, address: u64, length: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < length {
            let done = bytes.len();
            let want = (length - done as u64).min(BLOCK as u64) as usize;
            bytes.resize(done + want, 0);
            let n = self.read(address.saturating_add(done as u64), &mut bytes[done..]);
            bytes.truncate(done + n);
            if n < want {
                break;
            }
        }
        bytes
    }

    /// Reads what lies in one block, by way of the blocks that are kept; false if it does not, or is not there.
    #[inline]
    fn copy(&self, address: u64, buf: &mut [u8]) -> bool {
        let (block, at) = (address / BLOCK as u64, (address % BLOCK as u64) as usize);
        if at + buf.len() > BLOCK {
            return false;
        }
        let slot = slot(block);
        if self.cache.borrow().tags[slot] != block && !self.fill(block, slot) {
            return false;
        }
        let start = slot * BLOCK + at;
        buf.copy_from_slice(&self.cache.borrow().bytes[start..start + buf.len()]);
        true
    }

    /// The word at an address; `None` if the core does not hold all of it.
    #[inline]
    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        self.fixed(address).map(u64::from_le_bytes)
    }

    /// The 32-bit number at an address.
    #[inline]
    pub(crate) fn u32(&self, address: u64) -> Option<u32> {
        self.fixed(address).map(u32::from_le_bytes)
    }

    /// The 16-bit number at an address.
    #[inline]
    pub(crate) fn u16(&self, address: u64) -> Option<u16> {
        self.fixed(address).map(u16::from_le_bytes)
    }

    /// The byte at an address.
    #[inline]
    pub(crate) fn byte(&self, address: u64) -> Option<u8> {
        self.fixed::<1>(address).map(|[b]| b)
    }

    #[inline]
    fn fixed<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let (block, at) = (address / BLOCK as u64, (address % BLOCK as u64) as usize);
        if at + N > BLOCK {
            return self.slowly(address);
        }
        let slot = slot(block);
        {
            let cache = self.cache.borrow();
            if cache.tags[slot] == block {
                let start = slot * BLOCK + at;
                return cache.bytes.get(start..start + N).and_then(|b| b.try_into().ok());
            }
        }
        if self.fill(block, slot) { self.fixed(address) } else { self.slowly(address) }
    }

    /// Brings a block in; false if the core does not hold all of it.
    #[cold]
    fn fill(&self, block: u64, slot: usize) -> bool {
        let start = block * BLOCK as u64;
        let at = self.segments.partition_point(|r| r.segment.end <= start);
        let Some(&Range { segment, blob }) = self.segments.get(at) else { return false };
        if segment.start > start || segment.end - start < BLOCK as u64 {
            return false;
        }
        let mut cache = self.cache.borrow_mut();
        cache.tags[slot] = NONE;
        let offset = segment.offset.saturating_add(start - segment.start);
        let bytes = &mut cache.bytes[slot * BLOCK..(slot + 1) * BLOCK];
        match self.blobs[blob].read_at(bytes, offset) {
            Ok(BLOCK) => {
                cache.tags[slot] = block;
                true
            }
            Ok(_) => false,
            Err(e) => {
                cache.failed.get_or_insert(e);
                false
            }
        }
    }

    #[cold]
    fn slowly<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        (self.read(address, &mut bytes) == N).then_some(bytes)
    }

    /// The first failure of reading so far.
    ///
    /// # Errors
    /// That failure.
    pub(crate) fn check(&self) -> Result {
        self.cache.borrow_mut().failed.take().map_or(Ok(()), Err)
    }
}

/// Where a block is kept.
#[inline]
fn slot(block: u64) -> usize {
    // Pages lie 256 KiB apart: the bits above must spread them.
    (block ^ (block >> 11).wrapping_mul(0x9E37_79B9)) as usize & (BLOCKS - 1)
}
