//! A dump with the files that explain it.

use std::ops::Deref;

use crate::Blob;

/// A dump as a reader takes it: its bytes, and the files beside it that the reader needs. A reader that needs none takes a
/// [`Blob`], which a dump is, too.
///
/// ```
/// # use heap_base::{Blob, Dump};
/// let core = Dump::from(Blob::from_bytes(*b"core")).with_companion(Blob::from_bytes(*b"node"));
/// assert_eq!((core.len(), core.companions[0].len()), (4, 4));
/// ```
#[derive(Clone, Debug)]
pub struct Dump {
    /// The bytes of the dump itself.
    pub blob: Blob,
    /// The executable of a core, the javacore of an IBM dump, the other tables of a partition.
    pub companions: Vec<Blob>,
}

impl Dump {
    /// The same with another file that explains it.
    #[must_use]
    pub fn with_companion(mut self, companion: Blob) -> Self {
        self.companions.push(companion);
        self
    }

    /// The first file that explains it, if there is one.
    pub fn companion(&self) -> Option<&Blob> {
        self.companions.first()
    }
}

impl From<Blob> for Dump {
    fn from(blob: Blob) -> Self {
        Self { blob, companions: Vec::new() }
    }
}

impl Deref for Dump {
    type Target = Blob;

    fn deref(&self) -> &Blob {
        &self.blob
    }
}
