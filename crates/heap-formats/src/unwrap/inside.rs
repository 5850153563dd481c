//! An object that stands between other text.

use std::io::{self, Read};

use super::{ENOUGH, damaged};

/// Bytes read at a time.
const PIECE: usize = 64 << 10;

/// Where objects with members may begin in `head`, ascending.
pub(super) fn candidates(head: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(b'{', head).filter(|at| {
        let behind = head[at + 1..].iter().find(|b| !b.is_ascii_whitespace());
        behind == Some(&b'"')
    })
}

/// Gives the object that begins at an offset, and what is behind it no more.
pub(super) struct Inside<R> {
    input: R,
    /// How much is to be passed over first.
    before: usize,
    raw: Vec<u8>,
    /// What of `raw` is to be given.
    at: usize,
    end: usize,
    /// Brackets that are open, and whether it is within a string, behind a backslash.
    depth: u64,
    string: bool,
    escaped: bool,
    done: bool,
    /// What is wrong with what is behind it.
    failed: Option<io::Error>,
}

impl<R: Read> Inside<R> {
    pub(super) fn new(input: R, before: usize) -> Self {
        let raw = vec![0; PIECE];
        Self {
            input,
            before,
            raw,
            at: 0,
            end: 0,
            depth: 0,
            string: false,
            escaped: false,
            done: false,
            failed: None,
        }
    }

    fn pass(&mut self) -> io::Result<()> {
        while self.before > 0 {
            let most = self.before.min(PIECE);
            match self.input.read(&mut self.raw[..most])? {
                0 => return Err(damaged("the text ends before the dump")),
                n => self.before -= n,
            }
        }
        Ok(())
    }

    /// How much of the first `n` bytes belongs to the object.
    fn own(&mut self, n: usize) -> usize {
        let mut at = 0;
        while at < n {
            let rest = &self.raw[at..n];
            if self.escaped {
                self.escaped = false;
                at += 1;
            } else if self.string {
                let Some(i) = memchr::memchr2(b'"', b'\\', rest) else { return n };
                self.escaped = rest[i] == b'\\';
                self.string = self.escaped;
                at += i + 1;
            } else {
                let marks = |b: &u8| matches!(b, b'"' | b'{' | b'}' | b'[' | b']');
                let Some(i) = rest.iter().position(marks) else { return n };
                at += i + 1;
                match rest[i] {
                    b'"' => self.string = true,
                    b'{' | b'[' => self.depth += 1,
                    _ => {
                        self.depth = self.depth.saturating_sub(1);
                        if self.depth == 0 {
                            self.done = true;
                            return at;
                        }
                    }
                }
            }
        }
        n
    }

    /// Looks at what is behind the object: a second one must not get lost without a word.
    fn behind(&mut self, from: usize, to: usize) -> io::Result<()> {
        let mut rest = self.raw[from..to].to_vec();
        (&mut self.input).take(PIECE as u64).read_to_end(&mut rest)?;
        let second = candidates(&rest).take(super::TRIES).any(|at| {
            let head = &rest[at..rest.len().min(at + ENOUGH)];
            crate::document(head).is_some()
        });
        if second {
            Err(damaged("another dump comes behind the first one, which alone is read"))
        } else {
            Ok(())
        }
    }
}

impl<R: Read> Read for Inside<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.end && !self.done {
            self.pass()?;
            let n = self.input.read(&mut self.raw)?;
            (self.at, self.end) = (0, self.own(n));
            if self.done {
                self.failed = self.behind(self.end, n).err();
            }
        }
        if self.at == self.end {
            return self.failed.take().map_or(Ok(0), Err);
        }
        let n = (&self.raw[self.at..self.end]).read(buf)?;
        self.at += n;
        Ok(n)
    }
}
