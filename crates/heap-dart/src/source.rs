//! The bytes of a snapshot in order: a file as it is, or the messages of a service capture without their heads.

use std::sync::Arc;

use heap_base::{Blob, Result};
use memchr::memmem::Finder;

/// The first bytes of every snapshot.
pub(crate) const MAGIC: &[u8] = b"dartheap";

/// A message of the VM service begins with the offset of its payload and a JSON event; the VM's own offset
/// is 512, and no event needs more than this.
const MAX_HEAD: usize = 32 << 10;

/// What every event of the stream holds.
const STREAM: &[u8] = b"\"HeapSnapshot\"";

/// How many bytes of a message's start are the same in all messages of a capture: offset and `{"jsonrpc":`.
const COMMON: usize = 15;

/// The snapshot's bytes, wherever they lie in the file.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    blob: Blob,
    len: u64,
    pieces: Arc<[Piece]>,
}

/// One message's payload.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where it begins among the snapshot's bytes.
    start: u64,
    /// Where it begins in the file.
    at: u64,
}

impl Source {
    /// Looks whether `blob` is a capture of the VM service and takes its messages apart if so.
    pub(crate) fn open(blob: &Blob) -> Result<Self> {
        let mut head = vec![0; 64 << 10];
        let n = blob.read_at(&mut head, 0)?;
        head.truncate(n);
        let plain = Self { blob: blob.clone(), len: blob.len(), pieces: Arc::new([]) };
        match message_payload(&head) {
            Some(first) if head[first..].starts_with(MAGIC) => Self::unwrap(plain, &head),
            _ => Ok(plain),
        }
    }

    /// Finds the messages: nothing in the file says how long they are, so the next one is where the start of
    /// the first one is found again, followed by an event. A snapshot cannot hold that itself: the VM cuts
    /// strings to 128 characters, and the head of a message is longer.
    fn unwrap(plain: Self, head: &[u8]) -> Result<Self> {
        let blob = plain.blob;
        let needle = Finder::new(&head[..COMMON]);
        let mut pieces = Vec::new();
        let mut len = 0;
        let mut piece_end = 0;
        let mut buf = vec![0; 1 << 20];
        let mut base = 0;
        while base < blob.len() {
            let n = blob.read_at(&mut buf, base)?;
            let last = base + n as u64 >= blob.len();
            // Heads that begin in the second half of this piece are looked at in the next one.
            let sure = if last { n } else { n / 2 };
            for hit in needle.find_iter(&buf[..n]).take_while(|&hit| hit < sure) {
                let at = base + hit as u64;
                if at < piece_end {
                    continue;
                }
                let Some(payload) = message_payload(&buf[hit..n]) else { continue };
                if let Some(&Piece { at: previous, .. }) = pieces.last() {
                    len += at - previous;
                }
                piece_end = at + payload as u64;
                pieces.push(Piece { start: len, at: piece_end });
            }
            if last {
                break;
            }
            base += sure as u64;
        }
        if let Some(piece) = pieces.last() {
            len += blob.len().saturating_sub(piece.at);
        }
        Ok(Self { blob, len, pieces: pieces.into() })
    }

    /// How many bytes the snapshot has.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// How many messages it came in; 0 if it is a plain file.
    pub(crate) fn messages(&self) -> usize {
        self.pieces.len()
    }

    /// Where in the file the snapshot's byte `offset` lies.
    pub(crate) fn place(&self, offset: u64) -> u64 {
        match self.pieces.partition_point(|p| p.start <= offset).checked_sub(1) {
            Some(i) => self.pieces[i].at + (offset - self.pieces[i].start),
            None => offset,
        }
    }

    /// Reads at `offset` as much as fits and is there; short only at the end.
    pub(crate) fn read_at(&self, buf: &mut [u8], offset: u64) -> Result<usize> {
        if self.pieces.is_empty() {
            return self.blob.read_at(buf, offset);
        }
        let mut done = 0;
        let mut index = self.pieces.partition_point(|p| p.start <= offset).saturating_sub(1);
        while done < buf.len() && index < self.pieces.len() {
            let piece = self.pieces[index];
            let end = self.pieces.get(index + 1).map_or(self.len, |p| p.start);
            let from = offset + done as u64;
            let left = usize::try_from(end.saturating_sub(from)).unwrap_or(usize::MAX);
            let room = left.min(buf.len() - done);
            let n = self.blob.read_at(&mut buf[done..done + room], piece.at + (from - piece.start))?;
            done += n;
            if n < room {
                break;
            }
            index += 1;
        }
        Ok(done)
    }
}

/// Where the payload begins in bytes that begin with a message of the HeapSnapshot stream.
pub(crate) fn message_payload(bytes: &[u8]) -> Option<usize> {
    let offset = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
    if !(COMMON..=MAX_HEAD).contains(&offset) {
        return None;
    }
    let event = bytes.get(4..offset)?.trim_ascii_end();
    let is_event = event.starts_with(b"{") && event.ends_with(b"}");
    (is_event && memchr::memmem::find(event, STREAM).is_some()).then_some(offset)
}
