//! Standard output: buffered, checked at the end.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

use heap_report::{Output, Screen, text};

use crate::{progress, sys};

/// Standard output. Data only; nothing else may write there.
///
/// On a closed or full target every write fails, and so does the last flush that heap-cli does: no error is
/// lost in a buffer. Rust opens `/dev/null` in place of a standard output that was closed (`>&-`), so that
/// case ends in 0.
#[derive(Debug)]
pub struct Out {
    inner: BufWriter<File>,
    terminal: bool,
}

impl Out {
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    pub(crate) fn stdout() -> io::Result<Self> {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        // Past std's line buffer, which flushes at every LF.
        let file = heap_base::sys::duplicate(&stdout)?;
        sys::widen(&file);
        Ok(Self { inner: BufWriter::with_capacity(64 << 10, file), terminal })
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }
}

impl Output for Out {
    fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// As `COLUMNS` says, else the terminal, if it is one. Ends the line of progress.
    fn screen(&self) -> Screen {
        progress::stop();
        let (columns, lines) = sys::screen(self.inner.get_ref()).unwrap_or_default();
        Screen { columns: progress::columns(columns), lines: Some(lines).filter(|&lines| lines > 0) }
    }

    fn at_least(&mut self, columns: &str) {
        crate::error::at_least(Some(columns));
    }

    fn has_failed(&self) -> bool {
        crate::error::said_error()
    }
}

impl Write for Out {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.write_all(buf).map(|()| buf.len())
    }

    fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
        if self.terminal {
            progress::stop();
            return self.inner.write_all(&text::tame(buf));
        }
        self.inner.write_all(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
