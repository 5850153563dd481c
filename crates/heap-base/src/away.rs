//! Numbers in a file without a name in `TMPDIR`: for columns that memory lacks room for.
//!
//! Most are asked for in order, or near each other, so some blocks of the file stay in memory.

use std::fs::File;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::spool::{in_temporary, no_room, temporary};
use crate::{Error, Result, sys};

/// Numbers of a block, and blocks in memory.
const BLOCK: usize = if cfg!(test) { 4 } else { 1 << 10 };
const PLACES: usize = if cfg!(test) { 2 } else { 1 << 6 };
/// Bytes that are written at a time.
const WRITTEN: usize = if cfg!(test) { 16 } else { 1 << 18 };

/// Numbers of so many bytes each.
#[derive(Debug)]
pub struct Away {
    file: File,
    len: usize,
    width: usize,
    blocks: Mutex<Blocks>,
    /// Why a block could not be read: who asked got zeros.
    failed: OnceLock<io::ErrorKind>,
}

/// Blocks that were read last, each in the place of its number.
#[derive(Debug, Default)]
struct Blocks {
    /// Which block is in each place, from 1 on; 0 for none.
    numbers: Vec<u64>,
    bytes: Vec<u8>,
}

/// Numbers on their way into a file.
#[derive(Debug)]
pub struct AwayWriter {
    file: File,
    at: u64,
    len: usize,
    width: usize,
    bytes: Vec<u8>,
}

/// Bytes of the largest number.
pub fn width_of(largest: u64) -> usize {
    (8 - largest.leading_zeros() as usize / 8).max(1)
}

#[inline]
fn number(bytes: &[u8]) -> u64 {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

impl AwayWriter {
    /// None yet, of so many bytes each.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn new(width: usize) -> Result<Self> {
        let file = temporary().map_err(Error::write)?;
        Ok(Self { file, at: 0, len: 0, width, bytes: Vec::with_capacity(WRITTEN + 8) })
    }

    /// Appends a number, which fits.
    ///
    /// # Errors
    /// The file cannot be written.
    #[inline]
    pub fn push(&mut self, n: u64) -> Result {
        self.len += 1;
        self.bytes.extend_from_slice(&n.to_le_bytes()[..self.width]);
        if self.bytes.len() >= WRITTEN { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result {
        sys::write_all_at(&self.file, &self.bytes, self.at).map_err(no_room)?;
        self.at += self.bytes.len() as u64;
        self.bytes.clear();
        Ok(())
    }

    /// All of them.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<Away> {
        self.write()?;
        let Self { file, len, width, .. } = self;
        Ok(Away { file, len, width, blocks: Mutex::default(), failed: OnceLock::new() })
    }
}

#[expect(clippy::len_without_is_empty, reason = "nobody asks")]
impl Away {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Reads the block of number `at`; zeros if that fails.
    fn read(&self, block: usize, out: &mut [u8]) {
        let from = block * BLOCK;
        let bytes = (self.len - from).min(BLOCK) * self.width;
        if let Err(error) = sys::read_exact_at(&self.file, &mut out[..bytes], (from * self.width) as u64) {
            out.fill(0);
            self.failed.get_or_init(|| error.kind());
        }
    }

    /// Number `at`.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn get(&self, at: usize) -> u64 {
        assert!(at < self.len, "no entry {at}");
        let (block, width) = (at / BLOCK, self.width);
        let place = block % PLACES;
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let Blocks { numbers, bytes } = &mut *blocks;
        if numbers.is_empty() {
            (*numbers, *bytes) = (vec![0; PLACES], vec![0; PLACES * BLOCK * width]);
        }
        let bytes = &mut bytes[place * BLOCK * width..][..BLOCK * width];
        if numbers[place] != block as u64 + 1 {
            self.read(block, bytes);
            numbers[place] = block as u64 + 1;
        }
        number(&bytes[at % BLOCK * width..][..width])
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        let mut bytes = vec![0; BLOCK * self.width];
        (0..self.len).map(move |at| {
            if at % BLOCK == 0 {
                self.read(at / BLOCK, &mut bytes);
            }
            number(&bytes[at % BLOCK * self.width..][..self.width])
        })
    }

    /// Says that the file could not be read.
    ///
    /// # Errors
    /// It could not.
    pub fn check(&self) -> Result {
        match self.failed.get() {
            Some(&kind) => Err(Error::read(in_temporary(kind.into()))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_were_pushed() {
        for (count, width) in [(0, 1), (1, 8), (4, 3), (5, 5), (100, 1), (1001, 4), (1001, 7)] {
            let of = |at: usize| (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - 8 * width);
            let mut writer = AwayWriter::new(width).unwrap();
            (0..count).for_each(|at| writer.push(of(at)).unwrap());
            let away = writer.finish().unwrap();
            assert_eq!(away.len(), count);
            assert!(away.iter().eq((0..count).map(of)));
            for at in (0..count).map(|at| at * 7 % count) {
                assert_eq!(away.get(at), of(at), "{at} of {count}");
            }
            away.check().unwrap();
        }
        for (largest, width) in [(0, 1), (255, 1), (256, 2), (1 << 32, 5), (u64::MAX, 8)] {
            assert_eq!(width_of(largest), width);
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_an_error_in_the_end() {
        let mut writer = AwayWriter::new(2).unwrap();
        (0..50).for_each(|n| writer.push(n).unwrap());
        let away = writer.finish().unwrap();
        away.file.set_len(20).unwrap();
        assert_eq!((away.get(3), away.get(49)), (3, 0));
        let error = away.check().unwrap_err().to_string();
        assert!(error.contains("temporary file in "), "{error}");
    }
}
