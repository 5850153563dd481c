//! Why a report is not written.

use std::io;

/// Why a report is not written.
#[derive(Debug)]
pub enum Error {
    /// It was asked for something it does not have, such as a column to sort by: lower case, one line, no full stop.
    Usage(String),
    /// The output fails, or what the rows are made of cannot be read.
    Failed(heap_base::Error),
}

impl From<heap_base::Error> for Error {
    fn from(error: heap_base::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Failed(heap_base::Error::write(error))
    }
}
