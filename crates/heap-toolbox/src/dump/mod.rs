//! Dumps of processes that run: where they go, and series of them. How they are taken is heap-live's business.

mod options;
mod rows;
mod series;

pub use options::TOOL;

use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use heap_base::blob::Meter;
use heap_base::spool::{in_temporary, temporary};
use heap_base::{Error, Result};
use heap_cli::progress;
use heap_live::{Clock, Taker, Thread, Watch};
use heap_spool::Pending;

use series::Series;

/// Bytes copied at a time.
const PIECE: usize = 1 << 20;

/// Shows how far a dump has come.
#[derive(Debug)]
struct Shown {
    name: String,
    progress: bool,
    meter: Arc<Meter>,
    /// Whether bytes are shown, and no longer what is done before they come.
    receiving: bool,
}

impl Shown {
    fn new(name: &str, progress: bool) -> Self {
        let shown =
            Self { name: name.to_owned(), progress, meter: Arc::new(Meter::default()), receiving: false };
        if progress {
            progress::watch(Arc::clone(&shown.meter), name);
        }
        shown
    }
}

impl Watch for Shown {
    fn note(&mut self, what: &str) {
        heap_cli::note(None, what);
    }

    fn warn(&mut self, what: &str) {
        heap_cli::warn(what);
    }

    fn building(&mut self, percent: u64) {
        if self.progress && !self.receiving {
            progress::stage(&format!("{}: building {percent} %", self.name));
        }
    }

    fn received(&mut self, bytes: u64) {
        self.meter.done.store(bytes, Ordering::Relaxed);
        if self.progress && !self.receiving {
            self.receiving = true;
            progress::watch(Arc::clone(&self.meter), &self.name);
        }
    }
}

/// Whose heap is taken: what the options say, or one of several threads, a worker or the main thread.
type Whose<'a> = Option<Option<&'a Thread>>;

/// Takes a dump.
fn take(taker: &mut Taker<'_>, whose: Whose<'_>, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result {
    match whose {
        None => taker.take(clock, out),
        Some(thread) => taker.take_of(thread, clock, out),
    }
    .map(drop)
}

/// Takes a dump into the file `path`, which has its name once the dump is whole, and is for its owner only.
fn to_file(taker: &mut Taker<'_>, whose: Whose<'_>, clock: &mut Clock<'_>, path: &Path) -> Result {
    let file = Pending::create_secret(path)?;
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        // Who reads a pipe may be slow.
        return to_stream(taker, whose, clock, &mut file.writer()?);
    }
    take(taker, whose, clock, &mut file.writer()?)?;
    file.persist()
}

/// Takes a dump into a file without a name and copies it from there to `out`, whose reader may be slow: the process does
/// not wait for it.
fn to_stream(taker: &mut Taker<'_>, whose: Whose<'_>, clock: &mut Clock<'_>, out: &mut dyn Write) -> Result {
    let mut file = temporary().map_err(Error::write)?;
    take(taker, whose, clock, &mut Spooled(&file))?;
    taker.close(clock);
    file.rewind().map_err(Error::read)?;
    let mut buf = vec![0; PIECE];
    loop {
        let n = file.read(&mut buf).map_err(Error::read)?;
        if n == 0 {
            return Ok(());
        }
        out.write_all(&buf[..n]).map_err(Error::write)?;
    }
}

/// A temporary file; errors say where it is.
struct Spooled<'a>(&'a File);

impl Write for Spooled<'_> {
    fn write(&mut self, buf: &[u8]) -> std::io::Result<usize> {
        self.0.write(buf).map_err(in_temporary)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
