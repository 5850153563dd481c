//! `--fail-on`, `--baseline` and `--report`: the gate of a tool, and how it ends.

use std::ffi::OsString;
use std::path::PathBuf;

use heap_ops::gate::Gate;
use heap_ops::select::condition::Columns;
use heap_report::gate::{GateFormat, results};
use heap_spool::Pending;

use crate::args::Args;
use crate::error::{note, raw, warn};
use crate::{Error, Inputs, Status};

/// What was said of a gate.
#[derive(Debug, Default)]
pub(crate) struct GateOptions {
    fail_on: Option<String>,
    baseline: Option<OsString>,
    reports: Vec<(GateFormat, Option<PathBuf>)>,
}

impl Args {
    /// Takes the value of `--fail-on`.
    ///
    /// # Errors
    /// There is none.
    pub fn fail_on(&mut self) -> Result<(), Error> {
        self.gate.fail_on = Some(self.text()?);
        Ok(())
    }

    pub(crate) fn gate_flag(&mut self, long: &str) -> Result<(), Error> {
        if long == "baseline" {
            self.gate.baseline = Some(self.value()?);
            return Ok(());
        }
        let text = self.text()?;
        let (name, path) = match text.split_once('=') {
            Some((name, path)) => (name, Some(PathBuf::from(path))),
            None => (text.as_str(), None),
        };
        let report = GateFormat::named(name).map(|format| (format, path));
        let fits = |(format, path): &(GateFormat, Option<PathBuf>)| match path {
            Some(path) => !path.as_os_str().is_empty(),
            None => *format == GateFormat::Github,
        };
        let expected = "junit=FILE, gitlab=FILE, github or github=FILE";
        let report = report.filter(fits).ok_or_else(|| self.invalid(&text, expected))?;
        self.gate.reports.push(report);
        Ok(())
    }

    /// The gate that the options ask for, for rows with these columns; `None` without `--fail-on`.
    ///
    /// # Errors
    /// A condition does not parse, the baseline cannot be read, or its options come without `--fail-on`.
    pub fn gate(&self, columns: &dyn Columns) -> Result<Option<Gate>, Error> {
        let GateOptions { fail_on, baseline, reports } = &self.gate;
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

    /// Ends the run of a gate: says which rows are known and which entries of the baseline are of no use, writes the
    /// reports, and gives the exit status.
    ///
    /// # Errors
    /// A report cannot be written.
    pub fn close(&self, gate: Option<&Gate>, inputs: &Inputs) -> Result<Status, Error> {
        let Some(gate) = gate else { return Ok(Status::Done) };
        for finding in gate.findings() {
            if let Some(reason) = &finding.known {
                note(None, &format!("known: {}: {reason}", finding.name));
            }
        }
        let baseline = self.gate.baseline.as_deref().unwrap_or_default().to_string_lossy();
        for (line, condition) in gate.unused() {
            warn(&format!("{baseline}: line {line}: no row that fails meets '{condition}'"));
        }
        // The last file is the one that the rows are about.
        let file =
            inputs.name(inputs.len() - 1).map_or_else(|| "stdin".into(), |name| name.to_string_lossy());
        for (format, path) in &self.gate.reports {
            let text = results(*format, gate, inputs.tool(), &file);
            match path {
                Some(path) => Pending::save(path, text.as_bytes())?,
                None => raw(&text),
            }
        }
        Ok(if gate.fails() { Status::No } else { Status::Done })
    }
}
