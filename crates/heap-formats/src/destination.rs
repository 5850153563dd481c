//! Where a format is written to.

use std::io::Write;
use std::path::Path;

use heap_base::Result;
use heap_record::{LeftOut, Sink, Target};
use heap_spool::Pending;

use crate::targets::{Format, Options};
use crate::writers::{to_file, to_stream};

/// Standard output or a file, and the writer of a format. A file gets its name in [`finish`](Self::finish). Dropped before
/// that, it leaves nothing behind, and a file of the same name stays.
pub struct Destination<'a> {
    target: Box<dyn Target + 'a>,
    /// The file that still needs its name, unless the target names it itself.
    file: Option<Pending>,
}

impl<'a> Destination<'a> {
    /// Begins to write `format` to the file `path`, or to `out` if there is none.
    ///
    /// # Errors
    /// The options do not go together, or the file cannot be made. Tools check [`Format::takes`] and [`Format::goes_to`]
    /// before, which are errors of usage.
    pub fn open(
        format: &Format,
        path: Option<&Path>,
        out: impl Write + 'a,
        options: &Options,
    ) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self { target: to_stream(format.kind, Box::new(out), options)?, file: None });
        };
        if let Some(target) = to_file(format.kind, path, options)? {
            return Ok(Self { target, file: None });
        }
        let file = Pending::create(path)?;
        let target = to_stream(format.kind, Box::new(file.writer()?), options)?;
        Ok(Self { target, file: Some(file) })
    }

    /// The next input begins.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn begin_input(&mut self, name: Option<&str>) -> Result {
        self.target.begin_input(name)
    }

    /// The input has ended; `intact` is false if it was damaged or refused.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn end_input(&mut self, intact: bool) -> Result {
        self.target.end_input(intact)
    }

    /// The writer itself. Call [`finish`](Self::finish) of the destination, not of this sink.
    pub fn sink(&mut self) -> &mut dyn Sink {
        self.target.as_mut()
    }

    /// Ends the output and gives a file its name, if the input was `intact` or anything was written before the damage: no
    /// file is better than an empty one.
    ///
    /// # Errors
    /// The output cannot be written.
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
