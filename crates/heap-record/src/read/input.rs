//! Where the text of a stream comes from: read when it is needed, or read ahead by a thread of its own.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};

use heap_base::{Error, Result};

/// Bytes read at a time: few enough that they lie in the cache, and that whoever writes to the pipe can go on soon.
const CHUNK: usize = if cfg!(test) { 700 } else { 256 << 10 };

/// Room in front of what is read ahead, for the line whose beginning came before it.
const LEAD: usize = if cfg!(test) { 90 } else { 4 << 10 };

/// Buffers that go round between the thread that reads ahead and the one that reads records.
const BUFFERS: usize = 8;

/// Text that was read.
#[derive(Debug, Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// Where the text that was not taken yet begins and ends.
    from: usize,
    to: usize,
}

impl Text {
    /// What was not taken yet.
    pub(super) fn left(&self) -> &[u8] {
        &self.bytes[self.from..self.to]
    }

    /// Takes the first `n` bytes of it.
    pub(super) fn take(&mut self, n: usize) {
        self.from += n;
    }
}

/// A source of text.
pub(super) trait Input {
    /// Appends more to what is left of `text`; returns how much, 0 at the end. Calls `idle` before it waits.
    ///
    /// # Errors
    /// The outer one is that of `idle`.
    fn more(&mut self, text: &mut Text, idle: &mut dyn FnMut() -> Result) -> Result<io::Result<usize>>;
}

/// Reads when text is needed.
#[derive(Debug)]
pub(super) struct Direct<R>(pub(super) R);

impl<R: Read> Input for Direct<R> {
    fn more(&mut self, text: &mut Text, _: &mut dyn FnMut() -> Result) -> Result<io::Result<usize>> {
        text.bytes.copy_within(text.from..text.to, 0);
        text.to -= text.from;
        text.from = 0;
        if text.to == text.bytes.len() {
            text.bytes.resize((text.to * 2).max(CHUNK), 0);
        }
        let read = read_once(&mut self.0, &mut text.bytes[text.to..]);
        text.to += read.as_ref().map_or(0, |&n| n);
        Ok(read)
    }
}

/// Reads ahead.
#[derive(Debug)]
pub(super) struct ReadAhead {
    full: Receiver<(Vec<u8>, io::Result<usize>)>,
    empty: Sender<Vec<u8>>,
}

impl ReadAhead {
    /// Starts to read `input` ahead. The thread ends with the input, or at the first read after this is dropped.
    pub(super) fn new(input: Box<dyn Read + Send>) -> Result<Self> {
        let (full_tx, full) = sync_channel(BUFFERS);
        let (empty, empty_rx) = channel();
        for _ in 0..BUFFERS {
            let _ = empty.send(Vec::new());
        }
        std::thread::Builder::new().spawn(move || run(input, &full_tx, &empty_rx)).map_err(Error::read)?;
        Ok(Self { full, empty })
    }
}

/// Fills empty buffers behind their lead until the input ends, or nobody receives them.
fn run(mut input: impl Read, full: &SyncSender<(Vec<u8>, io::Result<usize>)>, empty: &Receiver<Vec<u8>>) {
    while let Ok(mut bytes) = empty.recv() {
        bytes.resize(LEAD + CHUNK, 0);
        // It may have held a long line.
        bytes.shrink_to(LEAD + CHUNK);
        let read = read_once(&mut input, &mut bytes[LEAD..]);
        let end = !matches!(read, Ok(1..));
        if full.send((bytes, read)).is_err() || end {
            break;
        }
    }
}

impl Input for ReadAhead {
    fn more(&mut self, text: &mut Text, idle: &mut dyn FnMut() -> Result) -> Result<io::Result<usize>> {
        let next = match self.full.try_recv() {
            Err(TryRecvError::Empty) => {
                idle()?;
                self.full.recv().ok()
            }
            next => next.ok(),
        };
        // The thread sends how the input ended before it ends itself.
        let Some((mut bytes, read)) = next else {
            return Ok(Err(io::Error::other("the thread that reads ahead has ended")));
        };
        let n = *read.as_ref().unwrap_or(&0);
        let left = text.left();
        if let Some(from) = LEAD.checked_sub(left.len()) {
            bytes[from..LEAD].copy_from_slice(left);
            std::mem::swap(&mut text.bytes, &mut bytes);
            (text.from, text.to) = (from, LEAD + n);
        } else {
            // A long line grows where it is: copied once, however many pieces it has.
            text.bytes.truncate(text.to);
            text.bytes.drain(..text.from);
            text.bytes.extend_from_slice(&bytes[LEAD..LEAD + n]);
            (text.from, text.to) = (0, text.bytes.len());
        }
        let _ = self.empty.send(bytes);
        Ok(read)
    }
}

/// Reads once, again after an interruption.
fn read_once(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(bytes) {
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its bytes in pieces of these lengths, with an interruption before each; may fail at the end.
    struct Pieces {
        bytes: Vec<u8>,
        lengths: Vec<usize>,
        interrupted: bool,
        fails: bool,
    }

    impl Read for Pieces {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(ErrorKind::Interrupted.into());
            }
            if self.bytes.is_empty() && self.fails {
                return Err(ErrorKind::InvalidData.into());
            }
            let n = self.lengths.pop().unwrap_or(usize::MAX).min(to.len()).min(self.bytes.len());
            to[..n].copy_from_slice(&self.bytes[..n]);
            self.bytes.drain(..n);
            Ok(n)
        }
    }

    /// All text, taken line by line, and how it ends.
    fn taken(mut input: impl Input) -> (Vec<u8>, Option<ErrorKind>) {
        let (mut text, mut taken) = (Text::default(), Vec::new());
        loop {
            let read = input.more(&mut text, &mut || Ok(())).expect("idling never fails");
            if let Some(last) = memchr::memrchr(b'\n', text.left()) {
                taken.extend_from_slice(&text.left()[..=last]);
                text.take(last + 1);
            }
            match read {
                Ok(1..) => {}
                end => {
                    taken.extend_from_slice(text.left());
                    return (taken, end.err().map(|e| e.kind()));
                }
            }
        }
    }

    #[test]
    fn all_comes_in_order_whatever_the_pieces() {
        let mut long = 0;
        // So many cases on any machine, the same in every run: random bits above, the number of bytes below.
        for i in 1..=300u32 {
            let seed = u64::from(i.wrapping_mul(0x9E37_79B9)) << 32 | 1024;
            arbtest::arbtest(|u| {
                let mut bytes = Vec::new();
                for _ in 0..u.int_in_range(0..=12)? {
                    let length =
                        if u.ratio(1, 4)? { u.int_in_range(0..=3000)? } else { u.int_in_range(0..=99)? };
                    long += usize::from(length > LEAD + CHUNK);
                    bytes.extend((0..length).map(|i| b'a' + (i % 26) as u8));
                    bytes.push(b'\n');
                }
                bytes.truncate(bytes.len().saturating_sub(u.int_in_range(0..=1)?));
                let mut lengths = Vec::new();
                for _ in 0..u.int_in_range(0..=40)? {
                    lengths.push(u.int_in_range(1..=200)?);
                }
                let fails = u.arbitrary()?;
                let pieces =
                    || Pieces { bytes: bytes.clone(), lengths: lengths.clone(), interrupted: false, fails };
                let expected = (bytes.clone(), fails.then_some(ErrorKind::InvalidData));
                assert_eq!(taken(Direct(pieces())), expected);
                assert_eq!(taken(ReadAhead::new(Box::new(pieces())).expect("a thread")), expected);
                Ok(())
            })
            .seed(seed);
        }
        assert!(long > 10, "{long}");
    }

    #[test]
    fn buffers_are_small_again_after_a_long_line() {
        let mut bytes = vec![b'a'; 100 * CHUNK];
        bytes.push(b'\n');
        bytes.extend(b"short\n".repeat(BUFFERS * CHUNK));
        let mut input = ReadAhead::new(Box::new(io::Cursor::new(bytes))).expect("a thread");
        let (mut text, mut largest) = (Text::default(), 0);
        while input.more(&mut text, &mut || Ok(())).expect("idling never fails").expect("it can be read") > 0
        {
            largest = largest.max(text.bytes.capacity());
            let complete = memchr::memrchr(b'\n', text.left()).map_or(0, |last| last + 1);
            text.take(complete);
        }
        assert!(largest >= 100 * CHUNK, "{largest}");
        assert_eq!(text.bytes.capacity(), LEAD + CHUNK);
    }
}
