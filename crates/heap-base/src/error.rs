//! The one error type of readers, transforms and sinks.

use std::fmt;
use std::io;

/// `Result` with this crate's [`Error`].
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// Where in an input something was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Offset in bytes, from 0, in the dump after decompression.
    Byte(u64),
    /// Line number, from 1.
    Line(u64),
    /// The input as a whole.
    Whole,
}

/// What went wrong. Says neither the tool's nor the file's name; the caller adds both.
#[derive(Debug)]
pub enum Kind {
    /// The input is damaged or not what it claims to be.
    Input {
        /// Where.
        place: Place,
        /// What was expected or found: lower case, one line, no full stop.
        what: String,
    },
    /// Reading failed.
    Read(io::Error),
    /// Writing the output failed; a closed pipe is among these.
    Write(io::Error),
    /// Sound input that cannot be served as asked (`--snapshot 9` of 3, several snapshots for a graph tool).
    Refused(String),
    /// The sink has all it needs; the reader shall stop. Not a failure.
    Stop,
}

/// An error, boxed so that a `Result` stays one word wide.
#[derive(Debug)]
pub struct Error(Box<Kind>);

impl Error {
    /// Damage at byte `offset` (from 0) of the decompressed input.
    pub fn at_byte(offset: u64, what: impl Into<String>) -> Self {
        Kind::Input { place: Place::Byte(offset), what: what.into() }.into()
    }

    /// Damage in line `line` (from 1).
    pub fn at_line(line: u64, what: impl Into<String>) -> Self {
        Kind::Input { place: Place::Line(line), what: what.into() }.into()
    }

    /// Damage that has no single place.
    pub fn input(what: impl Into<String>) -> Self {
        Kind::Input { place: Place::Whole, what: what.into() }.into()
    }

    /// Reading failed.
    pub fn read(error: io::Error) -> Self {
        Kind::Read(error).into()
    }

    /// Writing failed.
    pub fn write(error: io::Error) -> Self {
        Kind::Write(error).into()
    }

    /// Writing to `place` failed, a file or a folder.
    pub fn write_to(place: &std::path::Path, error: io::Error) -> Self {
        Self::write(placed(place.display().to_string(), error))
    }

    /// The same error; if writing failed and it does not say where, it says that it was at `place`.
    #[must_use]
    pub fn at(self, place: &std::path::Path) -> Self {
        match *self.0 {
            Kind::Write(error) if error.get_ref().is_none_or(|e| !e.is::<Placed>()) => {
                Self::write_to(place, error)
            }
            other => other.into(),
        }
    }

    /// The file or folder that writing failed at, if the error says so.
    pub fn place(&self) -> Option<&str> {
        let Kind::Write(error) = self.kind() else { return None };
        error.get_ref()?.downcast_ref::<Placed>().map(|at| at.place.as_str())
    }

    /// The same error; of damage it also says how it came about.
    #[must_use]
    pub fn because(self, why: &str) -> Self {
        match *self.0 {
            Kind::Input { place, what } => Kind::Input { place, what: format!("{what}: {why}") }.into(),
            other => other.into(),
        }
    }

    /// Sound input that cannot be served as asked.
    pub fn refused(what: impl Into<String>) -> Self {
        Kind::Refused(what.into()).into()
    }

    /// The sink has all it needs.
    pub fn stop() -> Self {
        Kind::Stop.into()
    }

    /// What went wrong.
    pub fn kind(&self) -> &Kind {
        &self.0
    }

    /// True if the sink asked the reader to stop.
    pub fn is_stop(&self) -> bool {
        matches!(*self.0, Kind::Stop)
    }
}

impl From<Kind> for Error {
    #[cold]
    fn from(kind: Kind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Kind::Input { place: Place::Byte(n), what } => write!(f, "byte {n}: {what}"),
            Kind::Input { place: Place::Line(n), what } => write!(f, "line {n}: {what}"),
            Kind::Input { place: Place::Whole, what } | Kind::Refused(what) => f.write_str(what),
            Kind::Read(e) | Kind::Write(e) => f.write_str(&plain(e)),
            Kind::Stop => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Error {}

/// An I/O error and what it happened to.
#[derive(Debug)]
struct Placed {
    place: String,
    error: io::Error,
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, plain(&self.error))
    }
}

impl std::error::Error for Placed {}

/// The same error with the place it happened at.
pub fn placed(place: String, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), Placed { place, error })
}

/// An I/O error in the system's words, in lower case, without `(os error 28)`.
pub fn plain(error: &io::Error) -> String {
    if let Some(placed) = error.get_ref().and_then(|e| e.downcast_ref::<Placed>()) {
        return placed.to_string();
    }
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}
