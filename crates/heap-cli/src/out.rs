//! Standard output: buffered, checked at the end.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::fd::AsFd;

use heap_report::{Output, Screen, text};

use crate::progress;

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
        let file = File::from(stdout.as_fd().try_clone_to_owned()?);
        widen(&file);
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
        let size = rustix::termios::tcgetwinsize(self.inner.get_ref()).ok();
        let lines = size.map(|size| usize::from(size.ws_row)).filter(|&lines| lines > 0);
        Screen { columns: progress::columns(self.inner.get_ref()), lines }
    }

    fn at_least(&mut self, columns: &str) {
        crate::warn(&format!(
            "{columns}: a sum is beyond 2^63 or 2^64 and shown as that: it is at least so much"
        ));
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

/// Makes a pipe hold 1 MiB, which more than halves the cost of bulk copying. Anything else stays as it is, and
/// so does a pipe where the user's share of pipe memory is used up.
#[cfg(target_os = "linux")]
pub(crate) fn widen(file: &impl AsFd) {
    use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};
    if fcntl_getpipe_size(file).is_ok_and(|size| size < 1 << 20) {
        let _ = fcntl_setpipe_size(file, 1 << 20);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn widen(_: &impl AsFd) {}
