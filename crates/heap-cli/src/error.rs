//! How a run ends: exit status, errors, and one line on standard error for each.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use heap_base::error::Kind;

use heap_report::text;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// 0: done.
    Done,
    /// 1: a question was asked and the answer is no.
    No,
    /// 2: something went wrong, and a message was written.
    Failed,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a run ended before its time.
#[derive(Debug)]
pub enum Error {
    /// The command line is wrong.
    Usage(String),
    /// Something went wrong; with the FILE, if it is one file's fault.
    Failed(Option<OsString>, heap_base::Error),
    /// No error: a text to print and be done, such as the help.
    Answer(String),
}

impl Error {
    /// The command line is wrong: lower case, one line, no full stop.
    pub fn usage(what: impl Into<String>) -> Self {
        Self::Usage(what.into())
    }

    /// Something went wrong: lower case, one line, no full stop.
    pub fn failed(what: impl Into<String>) -> Self {
        heap_base::Error::refused(what).into()
    }

    /// The output was closed by its reader, which is no failure.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Failed(_, e) if matches!(e.kind(), Kind::Write(io) if io.kind() == io::ErrorKind::BrokenPipe))
    }
}

impl From<heap_base::Error> for Error {
    fn from(error: heap_base::Error) -> Self {
        Self::Failed(None, error)
    }
}

impl From<heap_report::Error> for Error {
    fn from(error: heap_report::Error) -> Self {
        match error {
            heap_report::Error::Usage(what) => Self::Usage(what),
            heap_report::Error::Failed(error) => error.into(),
        }
    }
}

/// Writing to [`Out`](crate::Out) failed.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        heap_base::Error::write(error).into()
    }
}

impl From<lexopt::Error> for Error {
    fn from(error: lexopt::Error) -> Self {
        use lexopt::Error as E;
        Self::Usage(match error {
            E::MissingValue { option: Some(option) } => format!("option '{option}' needs a value"),
            E::UnexpectedOption(option) => format!("invalid option '{option}'"),
            E::UnexpectedValue { option, .. } => format!("option '{option}' takes no value"),
            other => other.to_string(),
        })
    }
}

static TOOL: OnceLock<&'static str> = OnceLock::new();
static SAID: AtomicBool = AtomicBool::new(false);
/// Whether the status is an answer.
static ANSWERS: AtomicBool = AtomicBool::new(false);
/// Whether it was said that sums have stopped where numbers do.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Whether an error of the input that was opened last was written.
static DAMAGED: AtomicBool = AtomicBool::new(false);

/// Sets the name that messages begin with.
pub(crate) fn set_tool(name: &'static str) {
    let _ = TOOL.set(name);
}

/// The name that messages begin with.
pub(crate) fn tool_name() -> &'static str {
    TOOL.get().copied().unwrap_or("heap")
}

/// Says that the status of this run is an answer: a reader that closes the pipe changes nothing about it, so the run goes
/// on to its end.
pub fn answers() {
    ANSWERS.store(true, Ordering::Relaxed);
}

/// True if a failure to write is no reason to end.
pub(crate) fn goes_on(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe && ANSWERS.load(Ordering::Relaxed)
}

/// True if an error was written; then the status cannot be 0.
pub(crate) fn said_error() -> bool {
    SAID.load(Ordering::Relaxed)
}

/// Notes that the next input is read, or that an error of the present one was written.
pub(crate) fn set_damaged(damaged: bool) {
    DAMAGED.store(damaged, Ordering::Relaxed);
}

/// True for an error of what was read of an input of which an error was written: its consequence, or the same again.
pub(crate) fn is_consequence(error: &heap_base::Error) -> bool {
    matches!(error.kind(), Kind::Input { .. }) && DAMAGED.load(Ordering::Relaxed)
}

/// Writes an error to standard error, in one line: `heap-cat: FILE: byte 8016: column colkind ends early`.
pub fn complain(file: Option<&OsStr>, error: &heap_base::Error) {
    SAID.store(true, Ordering::Relaxed);
    line(&of_file(file, error));
}

/// The error with its file. One of writing may name it already.
fn of_file(file: Option<&OsStr>, error: &heap_base::Error) -> String {
    let what = match error.kind() {
        Kind::Write(_) => format!("write: {error}"),
        _ => error.to_string(),
    };
    match file.map(OsStr::to_string_lossy) {
        Some(file) if error.place() != Some(&file) => format!("{file}: {what}"),
        _ => what,
    }
}

/// Writes a warning to standard error: `heap-cat: warning: …`.
pub fn warn(what: &str) {
    line(&format!("warning: {what}"));
}

/// Says that sums have stopped where numbers do, in these columns of a report where that is known.
pub(crate) fn at_least(columns: Option<&str>) {
    STOPPED.store(true, Ordering::Relaxed);
    let columns = columns.map_or_else(String::new, |columns| format!("{columns}: "));
    warn(&format!(
        "{columns}a sum is beyond 2^63 or 2^64 and shown as that: it is at least so much, and shares of it may be smaller"
    ));
}

/// The same at the end of a tool, unless it has said so.
pub(crate) fn any_at_least() {
    if heap_base::sums::any_stopped() && !STOPPED.load(Ordering::Relaxed) {
        at_least(None);
    }
}

/// Writes an answer that is no row to standard error, and leaves the exit status alone: `heap-path: FILE: no such object`.
pub fn note(file: Option<&OsStr>, what: &str) {
    line(&match file {
        Some(file) => format!("{}: {what}", file.to_string_lossy()),
        None => what.to_owned(),
    });
}

/// Writes lines for another program to standard error, as they are: `::error title=…::…`.
pub(crate) fn raw(lines: &str) {
    crate::progress::erase();
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Writes one line to standard error, whatever the text holds.
pub(crate) fn line(what: &str) {
    // Another process of the pipeline may have drawn its bar here.
    let begin = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let mut line = format!("{begin}{}: ", tool_name());
    text::visible(&mut line, what);
    line.push('\n');
    crate::progress::erase();
    // There is no place left to report a failure of this.
    let _ = io::stderr().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::of_file;
    use heap_base::Error;
    use std::ffi::OsStr;
    use std::io;
    use std::path::Path;

    #[test]
    fn an_error_names_its_file_once() {
        let full = || io::Error::other("no space left");
        let file = Some(OsStr::new("app-2"));
        assert_eq!(of_file(file, &Error::at_byte(7, "ends early")), "app-2: byte 7: ends early");
        assert_eq!(
            of_file(file, &Error::write_to(Path::new("app-2"), full())),
            "write: app-2: no space left"
        );
        let spool = Error::write_to(Path::new("temporary file in /var"), full());
        assert_eq!(of_file(file, &spool), "app-2: write: temporary file in /var: no space left");
        assert_eq!(of_file(None, &Error::write(full())), "write: no space left");
    }
}
