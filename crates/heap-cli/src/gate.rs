//! `--fail-on`, `--baseline` and `--report`: the gate of a tool, and how it ends.

use std::ffi::OsString;
use std::path::PathBuf;

use heap_ops::gate::Gate;
use heap_ops::select::condition::Columns;
use heap_report::gate::{GateFormat, results};
use heap_spool::Pending;

use crate::error::{note, raw, warn};
use crate::{Error, Inputs, Status};

/// The options of [`GATE`](crate::GATE), and `--fail-on`.
#[derive(Debug, Default)]
pub(crate) struct GateOptions {
    pub(crate) fail_on: Option<String>,
    pub(crate) baseline: Option<OsString>,
    pub(crate) reports: Vec<Report>,
}

/// A report to write, and the file it goes to; none: standard output.
type Report = (GateFormat, Option<PathBuf>);

impl GateOptions {
    /// What a value of `--report` asks for: `junit=FILE`.
    pub(crate) fn report(text: &str) -> Option<Report> {
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name, Some(PathBuf::from(path))),
            None => (text, None),
        };
        let format = GateFormat::named(name)?;
        let fits = match &path {
            Some(path) => !path.as_os_str().is_empty(),
            None => format == GateFormat::Github,
        };
        fits.then_some((format, path))
    }

    /// The gate that they ask for, for rows with these columns.
    pub(crate) fn open(&self, columns: &dyn Columns) -> Result<Option<Gate>, Error> {
        let Self { fail_on, baseline, reports } = self;
        let Some(text) = fail_on else {
            if baseline.is_some() || !reports.is_empty() {
                return Err(Error::usage("--baseline and --report say more of --fail-on, which is missing"));
            }
            return Ok(None);
        };
        let mut gate = Gate::new(text, columns).map_err(|e| Error::usage(format!("--fail-on: {e}")))?;
        if let Some(path) = baseline {
            let failed = |e| Error::Failed(Some(path.clone()), e);
            let text = std::fs::read_to_string(path).map_err(|e| failed(heap_base::Error::read(e)))?;
            gate.baseline(&text, columns)
                .map_err(|(line, what)| failed(heap_base::Error::at_line(line, what)))?;
        }
        Ok(Some(gate))
    }

    /// Says which rows are known and which entries of the baseline are of no use, writes the reports, and gives the exit
    /// status. If inputs `failed` in part, that no row fails is no answer: there is no report then. A gate that cannot be judged
    /// is an error.
    pub(crate) fn close(&self, gate: &Gate, inputs: &Inputs) -> Result<Status, Error> {
        let failed = !inputs.is_intact();
        for finding in gate.findings().iter().filter(|_| gate.refused().is_none()) {
            if let Some(reason) = &finding.known {
                note(None, &format!("known: {}: {reason}", finding.name));
            }
        }
        if failed && !gate.fails() {
            return Ok(Status::Failed);
        }
        if let Some(why) = gate.refused() {
            let text = self.fail_on.as_deref().unwrap_or_default();
            return Err(
                heap_base::Error::refused(format!("--fail-on '{text}' cannot be judged: {why}")).into()
            );
        }
        let baseline = self.baseline.as_deref().unwrap_or_default().to_string_lossy();
        for (line, condition) in gate.unused().filter(|_| !failed) {
            warn(&format!("{baseline}: line {line}: no row that fails meets '{condition}'"));
        }
        // The last file is the one that the rows are about.
        let file =
            inputs.name(inputs.len() - 1).map_or_else(|| "stdin".into(), |name| name.to_string_lossy());
        for (format, path) in &self.reports {
            let text = results(*format, gate, inputs.tool(), &file);
            match path {
                Some(path) => Pending::save(path, text.as_bytes())?,
                None => raw(&text),
            }
        }
        Ok(match () {
            () if failed => Status::Failed,
            () if gate.fails() => Status::No,
            () => Status::Done,
        })
    }
}
