//! Folded stacks, one a line: names from the outermost on, parted by semicolons, a blank, bytes. Read by
//! inferno-flamegraph, flamegraph.pl and speedscope.

use std::io::Write;

use heap_base::{Error, Result};

use crate::stacks::Stacks;

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 16;

/// Writes stacks with their bytes, or with their objects.
pub(crate) fn write(stacks: &Stacks, count: bool, out: &mut dyn Write) -> Result {
    let (mut lines, mut digits) = (Vec::with_capacity(BUFFER), itoa::Buffer::new());
    stacks.each(|path, value| {
        let value = if count { value.count } else { value.size };
        if value == 0 {
            return Ok(());
        }
        for (i, name) in path.iter().enumerate() {
            if i > 0 {
                lines.push(b';');
            }
            push_name(&mut lines, name);
        }
        lines.push(b' ');
        lines.extend_from_slice(digits.format(value).as_bytes());
        lines.push(b'\n');
        if lines.len() >= BUFFER {
            out.write_all(&lines).map_err(Error::write)?;
            lines.clear();
        }
        Ok(())
    })?;
    out.write_all(&lines).map_err(Error::write)
}

/// A name without what parts names and lines.
fn push_name(out: &mut Vec<u8>, name: &str) {
    out.extend(name.bytes().map(|b| match b {
        b';' => b',',
        0..0x20 | 0x7F => b' ',
        _ => b,
    }));
}
