//! Is it a heap snapshot at all?

use heap_base::{Blob, Result, Window};

/// Whether a file that begins like this (`head`: its first up to 64 KiB) is a heap snapshot: a JSON object with
/// `snapshot`, `nodes`, `edges` or `strings` at its top level, in the shapes that these have here.
pub fn sniff(head: &[u8]) -> bool {
    // Before the bytes are copied: this is JSON, and not a record stream's line.
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    text.starts_with(b"{") && look(&Blob::from_bytes(text), text).unwrap_or(false)
}

fn look(blob: &Blob, text: &[u8]) -> Result<bool> {
    let mut win = Window::new(blob, 0);
    win.advance_in(1)?;
    loop {
        if win.blanks()? != Some(b'"') {
            return Ok(false);
        }
        let start = win.at() as usize;
        win.skip_string()?;
        let key = text.get(start + 1..win.at() as usize - 1).unwrap_or_default();
        if win.blanks()? != Some(b':') {
            return Ok(false);
        }
        win.advance(1);
        let Some(first) = win.blanks()? else { return Ok(false) };
        let second = text.get(win.at() as usize + 1..).and_then(|t| t.trim_ascii_start().first());
        match key {
            b"snapshot" => {
                let fields = memchr::memmem::find(text, b"\"node_fields\"").is_some();
                return Ok(first == b'{' && fields);
            }
            b"nodes" | b"edges" => {
                return Ok(first == b'[' && matches!(second, Some(b'0'..=b'9' | b']' | b'-')));
            }
            b"strings" => return Ok(first == b'[' && matches!(second, Some(b'"' | b']'))),
            // A line of a record stream, a trace, a sampling profile.
            b"type" | b"traceEvents" | b"head" => return Ok(false),
            _ => {}
        }
        win.skip_value()?;
        if win.blanks()? != Some(b',') {
            return Ok(false);
        }
        win.advance(1);
    }
}
