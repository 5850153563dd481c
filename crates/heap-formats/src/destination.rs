//! Where a format is written to.

use std::io::Write;
use std::path::Path;

use heap_base::{Error, Result};
use heap_record::{LeftOut, Sink, Target};
use heap_spool::Pending;

use crate::targets::{Format, Make, Options};

/// Standard output or a file, and the format that is written there. A file takes its name when it is finished; until
/// then what had the name stays, and without that nothing is left behind.
pub struct Destination<'a> {
    target: Box<dyn Target + 'a>,
    /// The file that is to have its name, where the target does not see to that itself.
    file: Option<Pending>,
}

impl<'a> Destination<'a> {
    /// Begins to write `format` to the file `path`, or to `out` if there is none.
    ///
    /// # Errors
    /// The options do not go together, or there is no place for the file. What [`Format::takes`] and
    /// [`Format::goes_to`] refuse, a tool tells as wrong usage before.
    pub fn open(
        format: &Format,
        path: Option<&Path>,
        out: impl Write + 'a,
        options: &Options,
    ) -> Result<Self> {
        let (target, file) = match (format.make, path) {
            (Make::File(make), Some(path)) => (make(path, options)?, None),
            (Make::File(_), None) => return Err(Error::refused("this format needs a file")),
            (Make::Stream(make), None) => (make(Box::new(out), options)?, None),
            (Make::Stream(make), Some(path)) => {
                let file = Pending::create(path)?;
                (make(Box::new(file.writer()?), options)?, Some(file))
            }
        };
        Ok(Self { target, file })
    }

    /// What hears the records. [`finish`](Self::finish) is for the destination.
    pub fn sink(&mut self) -> &mut dyn Sink {
        self.target.as_mut()
    }

    /// Ends the format, and gives a file its name: if the input was `intact`, or if anything stood before the damage. No
    /// file is better than an empty one.
    pub fn finish(&mut self, intact: bool) -> Result {
        self.target.finish(intact)?;
        match self.file.take() {
            Some(file) if intact || !file.is_empty()? => file.persist(),
            _ => Ok(()),
        }
    }

    /// What the format could not hold. Complete after [`finish`](Self::finish).
    pub fn left_out(&self) -> &LeftOut {
        self.target.left_out()
    }

    /// What else is worth a line. Complete after [`finish`](Self::finish).
    pub fn notes(&self) -> &[String] {
        self.target.notes()
    }
}
