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
        unless_it_goes_on(self.inner.write_all(buf))
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_it_goes_on(self.inner.flush())
    }
}

/// What came of writing, but for a closed pipe that does not end the run.
fn unless_it_goes_on(result: io::Result<()>) -> io::Result<()> {
    result.or_else(|e| if crate::error::goes_on(&e) { Ok(()) } else { Err(e) })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_answers_outlives_its_reader() {
        let (reader, writer) = io::pipe().expect("there are pipes");
        drop(reader);
        let inner = File::from(std::os::fd::OwnedFd::from(writer));
        let mut out = Out { inner: BufWriter::with_capacity(8, inner), terminal: false };
        let closed = |result: io::Result<()>| result.is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe);
        assert!(closed(out.write_all(b"longer than the buffer")));
        crate::answers();
        out.write_all(b"short").expect("it goes on");
        out.write_all(b"longer than the buffer").expect("it goes on");
        out.flush().expect("it goes on");
    }
}
