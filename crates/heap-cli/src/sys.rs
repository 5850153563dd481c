//! What terminals and pipes can do beyond what all systems have.

#[cfg(not(unix))]
pub(crate) use plain::{messages, screen, terminal, widen, widen_input};
#[cfg(unix)]
pub(crate) use unix::{messages, screen, terminal, widen, widen_input};

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::ffi::OsStrExt as _;

    use rustix::termios::{tcgetwinsize, ttyname};

    /// Columns and lines of a terminal; 0 for what it does not say.
    pub(crate) fn screen(terminal: &impl AsFd) -> Option<(usize, usize)> {
        let size = tcgetwinsize(terminal).ok()?;
        Some((size.ws_col.into(), size.ws_row.into()))
    }

    /// The same of the terminal that messages go to.
    pub(crate) fn messages() -> Option<(usize, usize)> {
        screen(&io::stderr())
    }

    /// That terminal, opened once more.
    pub(crate) fn terminal() -> Option<File> {
        let name = ttyname(io::stderr(), Vec::new()).ok()?;
        File::open(OsStr::from_bytes(name.to_bytes())).ok()
    }

    /// Makes a pipe on standard input larger; see [`widen`].
    pub(crate) fn widen_input() {
        widen(&io::stdin());
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

    /// Pipes are as large as they are.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn widen(_: &impl AsFd) {}
}

/// Nothing is known of a terminal: it has 80 columns, unless `COLUMNS` says something else.
#[cfg(not(unix))]
mod plain {
    use std::fs::File;

    pub(crate) fn screen(_: &File) -> Option<(usize, usize)> {
        None
    }

    pub(crate) fn messages() -> Option<(usize, usize)> {
        None
    }

    pub(crate) fn terminal() -> Option<File> {
        None
    }

    pub(crate) fn widen_input() {}

    pub(crate) fn widen(_: &File) {}
}
