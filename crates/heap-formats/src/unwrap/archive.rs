//! A file in a tar archive.

use std::io::{self, Read};

use super::damaged;
use crate::HEAD;
use crate::unpack::{BEHIND, LAYERS, is_dump};

/// Bytes of a header, and of what files are rounded up to.
const BLOCK: usize = 512;

/// What the header of a member says: whether it is a plain file, and its length. `None` of what is no header.
fn member(header: &[u8]) -> Option<(bool, u64)> {
    let header = header.get(..BLOCK).filter(|header| header[257..].starts_with(b"ustar"))?;
    let size = &header[124..136];
    let len = if size[0] & 0x80 != 0 {
        size[4..].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
    } else {
        let digits = size.iter().skip_while(|&&byte| byte == b' ').take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |sum, &byte| sum * 8 + u64::from(byte - b'0'))
    };
    Some((matches!(header[156], 0 | b'0'), len))
}

/// Bytes behind a file of this length, up to the next header.
fn padding(len: u64) -> u64 {
    len.wrapping_neg() % BLOCK as u64
}

/// Where the header of the first file is that is a dump, if its beginning is in `head`.
pub(super) fn dump(head: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let (plain, len) = member(head.get(at..)?)?;
        let data = at + BLOCK;
        let most = usize::try_from(len).unwrap_or(HEAD).min(HEAD);
        let text = head.get(data..)?;
        if plain && is_dump(&text[..text.len().min(most)], LAYERS) {
            return Some(at);
        }
        at = usize::try_from(len.checked_add(padding(len))?).ok()?.checked_add(data)?;
    }
}

/// Gives the file whose header is at an offset.
pub(super) struct Archived<R> {
    input: R,
    /// How much is to be passed over first.
    before: u64,
    /// What of the file is to be given, and what follows up to the next header.
    left: Option<u64>,
    padding: u64,
    /// Whether it was looked at what is behind the file.
    done: bool,
}

impl<R: Read> Archived<R> {
    pub(super) fn new(input: R, at: usize) -> Self {
        Self { input, before: at as u64, left: None, padding: 0, done: false }
    }

    fn pass(&mut self, bytes: u64) -> io::Result<()> {
        let passed = io::copy(&mut (&mut self.input).take(bytes), &mut io::sink())?;
        if passed == bytes { Ok(()) } else { Err(damaged("the tar archive ends early")) }
    }

    /// The next header; `None` at the end of the archive.
    fn header(&mut self) -> io::Result<Option<(bool, u64)>> {
        let mut header = Vec::new();
        (&mut self.input).take(BLOCK as u64).read_to_end(&mut header)?;
        Ok(member(&header))
    }

    /// Looks at what is behind the file: a second dump must not get lost without a word.
    fn behind(&mut self) -> io::Result<()> {
        self.pass(self.padding)?;
        while let Some((plain, len)) = self.header()? {
            let mut head = Vec::new();
            (&mut self.input).take(len.min(HEAD as u64)).read_to_end(&mut head)?;
            if plain && is_dump(&head, LAYERS) {
                return Err(damaged(BEHIND));
            }
            self.pass(len - head.len() as u64)?;
            self.pass(padding(len))?;
        }
        Ok(())
    }
}

impl<R: Read> Read for Archived<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = match self.left {
            Some(0) => {
                let first = !std::mem::replace(&mut self.done, true);
                return if first { self.behind().map(|()| 0) } else { Ok(0) };
            }
            Some(left) => left,
            None => {
                self.pass(self.before)?;
                let (_, len) = self.header()?.ok_or_else(|| damaged("the tar archive ends early"))?;
                self.padding = padding(len);
                len
            }
        };
        let n = (&mut self.input).take(left).read(buf)?;
        self.left = Some(left - n as u64);
        match (n, left) {
            (0, 1..) if !buf.is_empty() => Err(damaged("the tar archive ends early")),
            _ => Ok(n),
        }
    }
}
