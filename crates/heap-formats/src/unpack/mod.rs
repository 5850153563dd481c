//! Unpacks zstd and gzip, several frames or members in a row, and the dump in a zip archive, within bounds.

mod zip;

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use flate2::bufread::GzDecoder;
use heap_base::blob::Meter;

use crate::ahead::Ahead;
use crate::peek::Peeked;
use crate::{HEAD, detect};
use zip::Zip;

/// What an input may cost before it is refused.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A packed input may expand to this many bytes whatever its ratio.
    pub free: u64,
    /// Beyond [`free`](Self::free), to this many times its packed size. Real dumps stay below 100.
    pub ratio: u64,
    /// Most bytes that are gathered.
    pub spool: u64,
    /// Most bytes that are gathered in memory.
    pub memory: usize,
}

impl Limits {
    /// No bound, but for the memory used.
    #[must_use]
    pub fn none() -> Self {
        Self { free: u64::MAX, spool: u64::MAX, ..Self::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { free: 1 << 30, ratio: 1000, spool: 64 << 30, memory: 32 << 20 }
    }
}

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Zstd,
    Gzip,
    Zip,
}

/// How many bytes [`packing`] needs.
pub(crate) const MAGIC: usize = 4;

/// How an input that begins with `head` is packed.
pub(crate) fn packing(head: &[u8]) -> Option<Packing> {
    match head {
        // A frame, or a skippable frame, which zstd allows anywhere, even first.
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Packing::Zstd),
        // 8 = deflate, the only method there is.
        [0x1f, 0x8b, 8, ..] => Some(Packing::Gzip),
        _ if head.starts_with(&zip::MAGIC) => Some(Packing::Zip),
        _ => None,
    }
}

/// Packings of one input at most, one around the other.
pub(crate) const LAYERS: usize = 2;

/// The unpacked bytes of `input`. `meter` counts the bytes read of the file: where damage is, and how far the data expands.
pub(crate) fn unpack(
    input: Peeked,
    packing: Packing,
    limits: Limits,
    meter: &Arc<Meter>,
) -> io::Result<Peeked> {
    let (name, inner) = decoder(Box::new(input), packing, (LAYERS - 1, false))?;
    let guard = Guard { inner, name, limits, meter: Arc::clone(meter), done: 0 };
    Ok(Peeked::new(Box::new(Ahead::new(Box::new(guard)))))
}

/// What unpacks `input`, and how that is called. Inside are up to so many packings; of an archive few files may be looked at.
fn decoder(
    input: Box<dyn Read + Send>,
    packing: Packing,
    (layers, few): (usize, bool),
) -> io::Result<(&'static str, Box<dyn Read + Send>)> {
    Ok(match packing {
        #[cfg(not(feature = "zstd"))]
        Packing::Zstd => return Err(io::Error::other(crate::absent::without("zstd"))),
        // Frames that need a window above 128 MiB (`zstd --long=28` and more) are refused, as `zstd -d` does.
        #[cfg(feature = "zstd")]
        Packing::Zstd => ("zstd", Box::new(zstd::stream::read::Decoder::new(input)?)),
        Packing::Gzip => ("gzip", Box::new(Members::new(BufReader::with_capacity(128 << 10, input)))),
        Packing::Zip => ("zip", Box::new(Zip::new(input, layers, few))),
    })
}

/// Members of gzip in a row. Zeros behind the last one are no data, as they fill blocks of tapes and devices.
struct Members<R> {
    /// `None` behind the last one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    fn new(input: R) -> Self {
        Self { member: Some(GzDecoder::new(input)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let n = member.read(buf)?;
            if n > 0 || buf.is_empty() {
                return Ok(n);
            }
            let Some(mut input) = self.member.take().map(GzDecoder::into_inner) else { break };
            loop {
                let rest = input.fill_buf()?;
                let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
                match rest.get(zeros) {
                    Some(0x1f) => {
                        input.consume(zeros);
                        self.member = Some(GzDecoder::new(input));
                        break;
                    }
                    Some(_) => {
                        return Err(Reworded::error("bytes behind the gzip data are none of it".to_owned()));
                    }
                    None if zeros == 0 => return Ok(0),
                    None => input.consume(zeros),
                }
            }
        }
        Ok(0)
    }
}

/// Another dump in an archive must not get lost without a word.
pub(crate) const BEHIND: &str = "another dump comes behind the first one, which alone is read";

/// Whether a file of an archive that begins with `head` is a dump, plain or packed up to so many times.
pub(crate) fn is_dump(head: &[u8], layers: usize) -> bool {
    match packing(head) {
        Some(how) => layers > 0 && is_dump(&beginning(head, how, layers - 1), layers - 1),
        None => detect(head).is_some(),
    }
}

/// The first bytes inside of a packed input that begins with `head`: as many as that has, and [`HEAD`] at most.
fn beginning(head: &[u8], packing: Packing, layers: usize) -> Vec<u8> {
    let mut inside = Vec::new();
    if let Ok((_, inner)) = decoder(Box::new(Cursor::new(head.to_vec())), packing, (layers, true)) {
        // The head may end anywhere; what came before that counts.
        let _ = inner.take(HEAD as u64).read_to_end(&mut inside);
    }
    inside
}

/// Bounds what a decoder gives, and rewords its errors.
struct Guard {
    inner: Box<dyn Read + Send>,
    name: &'static str,
    limits: Limits,
    meter: Arc<Meter>,
    done: u64,
}

/// An error that was reworded, so that an outer guard leaves it alone.
#[derive(Debug)]
struct Reworded(String);

impl Reworded {
    fn error(what: String) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, Self(what))
    }
}

impl std::fmt::Display for Reworded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Reworded {}

impl Guard {
    fn reword(&self, error: io::Error) -> io::Error {
        let ours = matches!(error.get_ref(), Some(inner) if inner.is::<Reworded>());
        if error.raw_os_error().is_some() || ours || error.kind() == io::ErrorKind::Interrupted {
            return error;
        }
        let name = self.name;
        let near = self.meter.done.load(Ordering::Relaxed);
        let text = error.to_string();
        let what = if error.kind() == io::ErrorKind::UnexpectedEof || text.contains("incomplete frame") {
            format!("{name} data ends early, after {near} bytes")
        } else if text.contains("too much memory") {
            "zstd data needs a window of more than 128 MiB: unpack it with zstd -d --long=31".to_owned()
        } else {
            format!("{name} data is damaged, within its first {near} bytes")
        };
        Reworded::error(what)
    }
}

impl Read for Guard {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf).map_err(|e| self.reword(e))?;
        self.done += n as u64;
        if self.done > self.limits.free {
            let packed = self.meter.done.load(Ordering::Relaxed);
            if self.done > packed.saturating_mul(self.limits.ratio) {
                let ratio = self.limits.ratio;
                let what =
                    format!("{} data expands more than {ratio} times: refused without --no-limit", self.name);
                return Err(Reworded::error(what));
            }
        }
        Ok(n)
    }
}
