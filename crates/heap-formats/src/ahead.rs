//! Reads on a thread of its own, so that unpacking and parsing go on at the same time.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Bytes in a piece; more than a zstd block, so that a thread is woken once a block.
const PIECE: usize = 256 << 10;
/// How many pieces may wait to be taken: the bound on memory.
const PIECES: usize = 4;

/// Bytes that another thread reads.
pub(crate) struct Ahead {
    pieces: Receiver<io::Result<Piece>>,
    /// Pieces to be filled again.
    used: SyncSender<Vec<u8>>,
    piece: Piece,
    at: usize,
}

/// A buffer and how much of it is filled.
type Piece = (Vec<u8>, usize);

impl Ahead {
    /// Starts to read `inner`. Each piece that `inner` gives is handed on at once, so a live pipe stays live.
    /// The thread ends with `inner`, or when this is dropped.
    pub(crate) fn new(mut inner: Box<dyn Read + Send>) -> Self {
        let (send, pieces) = sync_channel(PIECES);
        let (used, again) = sync_channel::<Vec<u8>>(PIECES + 2);
        thread::spawn(move || {
            loop {
                let mut bytes = again.try_recv().unwrap_or_default();
                bytes.resize(PIECE, 0);
                let result = match inner.read(&mut bytes) {
                    Ok(0) => return,
                    Ok(n) => Ok((bytes, n)),
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                    Err(e) => Err(e),
                };
                let failed = result.is_err();
                if send.send(result).is_err() || failed {
                    return;
                }
            }
        });
        Self { pieces, used, piece: (Vec::new(), 0), at: 0 }
    }
}

impl Read for Ahead {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.1 {
            // The sender is gone at the end, and after a failure.
            let Ok(next) = self.pieces.recv() else { return Ok(0) };
            let done = std::mem::replace(&mut self.piece, next?);
            self.at = 0;
            let _ = self.used.try_send(done.0);
        }
        let (bytes, filled) = &self.piece;
        let n = buf.len().min(filled - self.at);
        buf[..n].copy_from_slice(&bytes[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}
