//! Gathers an input that can only be read in order into a blob that can be read anywhere.

use std::io::{self, Read, Write};

use heap_base::{Blob, Error, Result, error::plain};

use crate::Limits;

/// Reads `input` to its end: in memory while it is small, else into a spool file without a name in `TMPDIR`. The second
/// value is what ended the reading early; what came before it is kept.
pub(crate) fn gather(input: &mut dyn Read, limits: Limits) -> Result<(Blob, Option<Error>)> {
    let mut bytes = Vec::new();
    let result = input.take(limits.memory as u64 + 1).read_to_end(&mut bytes);
    let trouble = result.err().map(Error::read);
    if trouble.is_some() || bytes.len() <= limits.memory {
        return Ok((Blob::from_bytes(bytes), trouble));
    }

    let mut spool = tempfile::tempfile().map_err(no_room)?;
    let mut piece = vec![0; 256 << 10];
    let mut done = bytes.len() as u64;
    spool.write_all(&bytes).map_err(no_room)?;
    drop(bytes);
    let trouble = loop {
        match input.read(&mut piece) {
            Ok(0) => break None,
            Ok(n) => {
                done += n as u64;
                if done > limits.spool {
                    let bound = limits.spool >> 30;
                    return Err(Error::refused(format!(
                        "more than {bound} GiB to be spooled: unpack it to a file, or use --no-limit"
                    )));
                }
                spool.write_all(&piece[..n]).map_err(no_room)?;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => break Some(Error::read(e)),
        }
    };
    Ok((Blob::from_file(spool)?, trouble))
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn no_room(error: io::Error) -> Error {
    Error::refused(format!("spool file in {}: {}", std::env::temp_dir().display(), plain(&error)))
}
