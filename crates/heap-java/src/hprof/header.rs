//! The first bytes of an HPROF file.

use heap_base::{Blob, Error, Result};

use crate::window::Window;

/// What every version begins with.
const MAGIC: &[u8] = b"JAVA PROFILE 1.0.";

/// The head of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    /// The last digit of the version: 1, 2 or 3.
    pub(crate) version: u8,
    /// Bytes of an identifier: 4 or 8.
    pub(crate) id_size: u8,
    /// Milliseconds since 1970, of the file or of one of its dumps.
    pub(crate) time: u64,
    /// Where the first record begins.
    pub(crate) records_at: u64,
}

/// True if `head` begins an HPROF file of a version that is known.
pub(crate) fn sniff(head: &[u8]) -> bool {
    matches!(head.strip_prefix(MAGIC), Some([b'1'..=b'3', 0, ..]))
}

impl Header {
    /// The head as that of a dump so many microseconds later.
    pub(crate) fn after(self, elapsed: u64) -> Self {
        Self { time: self.time.saturating_add(elapsed / 1000), ..self }
    }

    pub(crate) fn read(blob: &Blob) -> Result<Self> {
        let mut window = Window::new(blob, 0);
        if !window.has(MAGIC.len() + 2)? {
            return Err(window.early("the head of the file"));
        }
        let magic = window.peek(MAGIC.len() + 2);
        if !sniff(magic) {
            return Err(Error::at_byte(0, "expected JAVA PROFILE 1.0.1, 1.0.2 or 1.0.3"));
        }
        let version = magic[MAGIC.len()] - b'0';
        window.advance(MAGIC.len() + 2);
        let size = window.u32("the head of the file")?;
        if size != 4 && size != 8 {
            return Err(Error::at_byte(19, format!("identifiers of {size} bytes; expected 4 or 8")));
        }
        let time = window.u64("the head of the file")?;
        Ok(Self { version, id_size: size as u8, time, records_at: window.position() })
    }
}
