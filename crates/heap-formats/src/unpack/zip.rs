//! The first file of a zip archive that is a dump.
//!
//! An archive is read in order, so from a pipe too: each file has a header before it. Where the lengths were not known when that
//! was written, they come behind the file, which ends by itself. The list of files at the end of the archive is not asked.
//!
//! ```text
//! header README.md bytes   header __MACOSX/.. bytes   header app.heapsnapshot bytes lengths   list of files
//!        passed over              passed over                given               compared   another dump? no
//! ```

use std::io::{self, BufRead, BufReader, Read};

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use super::{BEHIND, Reworded, is_dump};
use crate::HEAD;

/// What every file begins with.
pub(super) const MAGIC: [u8; 4] = *b"PK\x03\x04";

/// What the lengths behind a file may begin with.
const LENGTHS: [u8; 4] = *b"PK\x07\x08";

/// Names of files that an error lists.
const NAMES: usize = 3;

/// Files of an archive in an archive that are looked at.
const FEW: usize = 16;

/// An archive.
type Input = BufReader<Box<dyn Read + Send>>;

/// What is said before a file.
struct Header {
    name: String,
    method: u16,
    encrypted: bool,
    /// Checksum and lengths, packed and unpacked; unknown if they come behind the file.
    sums: Option<(u32, u64, u64)>,
}

impl Header {
    /// The next one; `None` where the files end.
    fn read(input: &mut Input) -> io::Result<Option<Self>> {
        let mut fixed = [0; 30];
        input.read_exact(&mut fixed[..4])?;
        if fixed[..4] != MAGIC {
            let is_end = fixed.starts_with(b"PK") && matches!(fixed[2..4], [1, 2] | [5 | 6, 6] | [6, 8]);
            return if is_end { Ok(None) } else { Err(damaged("no file begins where the last one ends")) };
        }
        input.read_exact(&mut fixed[4..])?;
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let long = |at: usize| u32::from_le_bytes([fixed[at], fixed[at + 1], fixed[at + 2], fixed[at + 3]]);
        let mut name = vec![0; short(26).into()];
        input.read_exact(&mut name)?;
        let mut extra = vec![0; short(28).into()];
        input.read_exact(&mut extra)?;
        let (flags, mut packed, mut size) = (short(6), u64::from(long(18)), u64::from(long(22)));
        // Lengths of 64 bits: of both, the unpacked one first.
        if let Some(wide) = field(&extra, 1) {
            let mut wide =
                wide.chunks_exact(8).map(|bytes| bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
            for length in [&mut size, &mut packed] {
                if *length == u64::from(u32::MAX) {
                    *length = wide.next().unwrap_or(*length);
                }
            }
        }
        Ok(Some(Self {
            name: String::from_utf8_lossy(&name).escape_debug().to_string(),
            method: short(8),
            encrypted: flags & 1 != 0,
            sums: (flags & 8 == 0).then(|| (long(14), packed, size)),
        }))
    }
}

/// The extra field of a header that has this number.
fn field(mut extra: &[u8], number: u16) -> Option<&[u8]> {
    loop {
        let (head, rest) = extra.split_at_checked(4)?;
        let len = usize::from(u16::from_le_bytes([head[2], head[3]]));
        let (field, rest) = rest.split_at_checked(len)?;
        if u16::from_le_bytes([head[0], head[1]]) == number {
            return Some(field);
        }
        extra = rest;
    }
}

/// The bytes of a file.
enum Body {
    Stored(io::Take<Input>),
    Deflated(DeflateDecoder<Input>),
}

/// A file that is read.
struct Member {
    header: Header,
    body: Body,
    crc: Crc,
    size: u64,
}

impl Member {
    /// The input back, if the file cannot be unpacked here.
    fn new(header: Header, input: Input) -> Result<Self, (Header, Input)> {
        let body = match (header.method, header.sums) {
            _ if header.encrypted => return Err((header, input)),
            (0, Some((_, packed, _))) => Body::Stored(input.take(packed)),
            (8, _) => Body::Deflated(DeflateDecoder::new(input)),
            _ => return Err((header, input)),
        };
        Ok(Self { header, body, crc: Crc::new(), size: 0 })
    }

    /// Bytes at the beginning, at most [`HEAD`].
    fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        self.take(HEAD as u64).read_to_end(&mut head)?;
        Ok(head)
    }

    /// Passes over what is left, which need not be unpacked where its length is known, and gives the input back.
    fn pass(mut self) -> io::Result<Input> {
        if let (Some((_, packed, _)), Body::Deflated(bytes)) = (&self.header.sums, &self.body) {
            let left = packed.saturating_sub(bytes.total_in());
            let mut input = self.into_input();
            skip(&mut input, left)?;
            Ok(input)
        } else {
            io::copy(&mut self, &mut io::sink())?;
            self.end()
        }
    }

    fn into_input(self) -> Input {
        match self.body {
            Body::Stored(bytes) => bytes.into_inner(),
            Body::Deflated(bytes) => bytes.into_inner(),
        }
    }

    /// Compares checksum and lengths with what was read to its end, and gives the input back.
    fn end(self) -> io::Result<Input> {
        let (crc, size) = (self.crc.sum(), self.size);
        let packed = match &self.body {
            Body::Stored(_) => size,
            Body::Deflated(bytes) => bytes.total_in(),
        };
        let sums = self.header.sums;
        let mut input = self.into_input();
        let known = match sums {
            Some(known) => known == (crc, packed, size),
            None => behind(&mut input, (crc, packed, size))?,
        };
        if known {
            Ok(input)
        } else if input.fill_buf()?.is_empty() {
            // Deflate does not say so.
            Err(io::ErrorKind::UnexpectedEof.into())
        } else {
            Err(damaged("a file is not what its checksum says"))
        }
    }
}

impl Read for Member {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = match &mut self.body {
            Body::Stored(bytes) => bytes.read(buf)?,
            Body::Deflated(bytes) => bytes.read(buf)?,
        };
        self.crc.update(&buf[..n]);
        self.size += n as u64;
        Ok(n)
    }
}

/// Whether the checksum and lengths behind a file are these. They may begin with a mark, and lengths have 32 or 64 bits, which
/// nothing says but they themselves.
fn behind(input: &mut Input, (crc, packed, size): (u32, u64, u64)) -> io::Result<bool> {
    let mut start = [0; 4];
    input.read_exact(&mut start)?;
    // A checksum may look like the mark; then the mark is before it.
    if start == LENGTHS {
        input.read_exact(&mut start)?;
    }
    let mut lengths = [0; 16];
    input.read_exact(&mut lengths[..8])?;
    let short = [(packed as u32).to_le_bytes(), (size as u32).to_le_bytes()].concat();
    // Of an empty file those of 64 bits begin like these.
    let is_short = lengths[..8] == short[..] && input.fill_buf()?.first() == Some(&MAGIC[0]);
    if !is_short {
        input.read_exact(&mut lengths[8..])?;
        if lengths != [packed.to_le_bytes(), size.to_le_bytes()].concat()[..] {
            return Ok(false);
        }
    }
    Ok(start == crc.to_le_bytes())
}

fn skip(input: &mut Input, bytes: u64) -> io::Result<()> {
    let passed = io::copy(&mut input.take(bytes), &mut io::sink())?;
    if passed == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn damaged(what: &str) -> io::Error {
    Reworded::error(format!("the zip archive is damaged: {what}"))
}

/// Gives the first file that is a dump.
pub(super) struct Zip {
    state: State,
    /// How many packings may be inside.
    layers: usize,
    /// How many files are looked at.
    tries: usize,
}

enum State {
    /// Before the first header.
    New(Input),
    /// The dump, the beginning that showed it, and how much of that was given.
    Inside(Box<Member>, Vec<u8>, usize),
    /// Behind the dump, or an error was given.
    Done,
}

impl Zip {
    /// Of an archive in an archive `few` files are looked at, so that many of such cost no more than their bytes.
    pub(super) fn new(input: Box<dyn Read + Send>, layers: usize, few: bool) -> Self {
        let (room, tries) = if few { (HEAD, FEW) } else { (128 << 10, usize::MAX) };
        Self { state: State::New(BufReader::with_capacity(room, input)), layers, tries }
    }

    /// Finds the dump.
    fn begin(&self, mut input: Input) -> io::Result<State> {
        let (mut names, mut others) = (Vec::new(), 0);
        let mut why = None;
        for _ in 0..self.tries {
            let Some(header) = Header::read(&mut input)? else { break };
            match names.len() {
                _ if header.name.ends_with('/') => {}
                0..NAMES => names.push(header.name.clone()),
                _ => others += 1,
            }
            input = match Member::new(header, input) {
                Ok(mut member) => {
                    let head = member.head()?;
                    if is_dump(&head, self.layers) {
                        return Ok(State::Inside(Box::new(member), head, 0));
                    }
                    member.pass()?
                }
                Err((header, mut input)) => {
                    why = Some(if header.encrypted {
                        "encrypted"
                    } else {
                        "packed in another way than deflate"
                    });
                    let Some((_, packed, _)) = header.sums else { break };
                    skip(&mut input, packed)?;
                    input
                }
            };
        }
        let what =
            why.map_or_else(|| "no dump that is known".to_owned(), |why| format!("{why}: unpack it first"));
        let more = if others > 0 { format!(" and {others} more") } else { String::new() };
        let names = names.join(", ");
        Err(Reworded::error(if names.is_empty() {
            "the zip archive is empty".to_owned()
        } else {
            format!("a zip archive of {names}{more}: {what}")
        }))
    }

    /// Looks at what is behind the dump: a second one must not get lost without a word.
    fn behind(&self, dump: Member) -> io::Result<()> {
        let mut input = dump.end()?;
        while let Some(header) = Header::read(&mut input)? {
            input = match Member::new(header, input) {
                Ok(mut member) => {
                    if is_dump(&member.head()?, self.layers) {
                        return Err(Reworded::error(format!("{BEHIND}: {}", member.header.name)));
                    }
                    member.pass()?
                }
                Err((header, mut input)) => {
                    let Some((_, packed, _)) = header.sums else { return Ok(()) };
                    skip(&mut input, packed)?;
                    input
                }
            };
        }
        Ok(())
    }
}

impl Read for Zip {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        loop {
            if let State::Inside(member, head, at) = &mut self.state {
                let n = if *at < head.len() {
                    let n = buf.len().min(head.len() - *at);
                    buf[..n].copy_from_slice(&head[*at..*at + n]);
                    *at += n;
                    n
                } else {
                    member.read(buf)?
                };
                if n > 0 {
                    return Ok(n);
                }
            }
            match std::mem::replace(&mut self.state, State::Done) {
                State::New(input) => self.state = self.begin(input)?,
                State::Inside(member, ..) => self.behind(*member)?,
                State::Done => return Ok(0),
            }
        }
    }
}
