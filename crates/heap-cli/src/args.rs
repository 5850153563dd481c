//! The command line, read against the tool's table.

use std::ffi::OsString;
use std::fmt::Write as _;

use lexopt::Arg;

use crate::gate::GateOptions;
use crate::input::InputOptions;
use crate::tool::{Flag, Kind, Tool};
use crate::{Error, Inputs, Status, completions, help, mdoc, spelling};
use heap_ops::gate::Gate;
use heap_ops::select::Selection;
use heap_ops::select::condition::Columns;
use heap_report::{Color, Format, Layout};

/// The command line. The tool asks for its own options one by one; what all tools share is read here.
#[derive(Debug)]
pub struct Args {
    tool: &'static Tool,
    parser: lexopt::Parser,
    flag: Option<&'static Flag>,
    /// The FILE operands so far; complete once [`next`](Self::next) has returned `None`.
    pub operands: Vec<OsString>,
    /// How inputs are read.
    pub input: InputOptions,
    /// How a report is written.
    pub output: Layout,
    gate: GateOptions,
    provenance: String,
    commit: Option<&'static str>,
}

impl Args {
    pub(crate) fn new(
        tool: &'static Tool,
        args: impl IntoIterator<Item = OsString, IntoIter: 'static>,
    ) -> Self {
        Self {
            tool,
            parser: lexopt::Parser::from_iter(args),
            flag: None,
            operands: Vec::new(),
            input: InputOptions { progress: true, ..InputOptions::default() },
            output: Layout::default(),
            gate: GateOptions::default(),
            provenance: String::new(),
            commit: None,
        }
    }

    /// The same, of a program that was built from this commit.
    pub(crate) fn built_from(self, commit: Option<&'static str>) -> Self {
        Self { commit, ..self }
    }

    /// The tool whose arguments these are.
    pub fn tool(&self) -> &'static Tool {
        self.tool
    }

    /// The next option of the tool's own, by its long name; `None` at the end of the command line.
    ///
    /// # Errors
    /// An option that the tool does not have, a bad value, or a text to print instead of running.
    #[expect(clippy::should_implement_trait, reason = "an iterator could not lend itself to value()")]
    pub fn next(&mut self) -> Result<Option<&'static str>, Error> {
        loop {
            let (group, flag) = match self.parser.next()? {
                None => return Ok(None),
                Some(Arg::Value(operand)) => {
                    self.operands.push(operand);
                    continue;
                }
                Some(Arg::Long("mdoc")) => return Err(Error::Answer(mdoc::options(self.tool))),
                Some(Arg::Long("completions")) => {
                    let shell = self.parser.value()?;
                    let shell = shell.to_string_lossy();
                    return Err(completions::script(self.tool, &shell).map_or_else(
                        || Error::usage(format!("no completions for '{shell}': bash, zsh or fish")),
                        Error::Answer,
                    ));
                }
                Some(Arg::Long(long)) => {
                    let old = spelling::renamed(self.tool.name, long);
                    match self.tool.long(old.unwrap_or(long)) {
                        Some(found) => found,
                        None => return Err(Error::usage(spelling::invalid(self.tool, long))),
                    }
                }
                Some(Arg::Short('h')) => return Err(Error::Answer(help::short(self.tool))),
                Some(Arg::Short(short)) => match spelling::short(self.tool, short) {
                    Some(found) => found,
                    None => return Err(Error::usage(format!("invalid option '-{short}'"))),
                },
            };
            self.flag = Some(flag);
            match group.kind {
                Kind::Own | Kind::Selection => {
                    if !self.provenance.is_empty() {
                        self.provenance.push(' ');
                    }
                    let _ = write!(self.provenance, "--{}", flag.long);
                    return Ok(Some(flag.long));
                }
                Kind::Input => self.input_flag(flag.long)?,
                Kind::Output => self.output_flag(flag.long)?,
                Kind::Gate => self.gate_flag(flag.long)?,
                Kind::General => {
                    return Err(Error::Answer(match flag.long {
                        "version" => self.version(),
                        _ => help::long(self.tool),
                    }));
                }
            }
        }
    }

    fn input_flag(&mut self, long: &str) -> Result<(), Error> {
        match long {
            "snapshot" => {
                let text = self.text()?;
                let pick = heap_formats::pick(&text);
                self.input.pick = Some(pick.ok_or_else(|| self.invalid(&text, "a number, last or all"))?);
            }
            "format" => {
                let text = self.text()?;
                let format = heap_formats::format(&text);
                let names: Vec<_> = heap_formats::FORMATS.iter().map(|f| f.name).collect();
                let wrong = || match heap_formats::left_out(&text) {
                    Some(message) => Error::usage(message),
                    None => self.invalid(&text, &names.join(", ")),
                };
                self.input.format = Some(format.ok_or_else(wrong)?);
            }
            "java-layout" => {
                let text = self.text()?;
                if !self.input.read.java_layout(&text) {
                    let expected = "reference=4|8,header=8|12|16,align=8..256,fields=packed|inherited|mat";
                    return Err(self.invalid(&text, expected));
                }
            }
            "java-refs" => {
                let text = self.text()?;
                if !self.input.read.java_refs(&text) {
                    return Err(self.invalid(&text, "all, strong or hard"));
                }
            }
            "java-values" => self.input.read.java_values(),
            "value" => {
                let value = self.text()?;
                self.input.read.profile_value(value);
            }
            "executable" => self.input.executable = Some(self.value()?.into()),
            "javacore" => self.input.javacore = Some(self.value()?.into()),
            "no-limit" => self.input.limits = heap_formats::Limits::none(),
            _ => self.input.progress = false,
        }
        Ok(())
    }

    fn output_flag(&mut self, long: &str) -> Result<(), Error> {
        match long {
            "table" => self.output.format = Some(Format::Table),
            "json" => self.output.format = Some(Format::Json),
            "csv" => self.output.format = Some(Format::Csv),
            "tsv" => self.output.format = Some(Format::Tsv),
            "limit" => {
                let limit = |text: &str| if text == "all" { Some(usize::MAX) } else { text.parse().ok() };
                self.output.limit = Some(self.parse_with("a number or all", limit)?);
            }
            "wide" => self.output.wide = true,
            "sort" => self.output.sort = Some(self.text()?),
            "bytes" => self.output.plain = true,
            _ => {
                let text = self.text()?;
                self.output.color = match text.as_str() {
                    "auto" => Color::Auto,
                    "always" => Color::Always,
                    "never" => Color::Never,
                    _ => return Err(self.invalid(&text, "auto, always or never")),
                };
            }
        }
        Ok(())
    }

    fn gate_flag(&mut self, long: &str) -> Result<(), Error> {
        if long == "baseline" {
            self.gate.baseline = Some(self.value()?);
            return Ok(());
        }
        let report =
            self.parse_with("junit=FILE, gitlab=FILE, github or github=FILE", GateOptions::report)?;
        self.gate.reports.push(report);
        Ok(())
    }

    /// Takes the value of `--fail-on`.
    ///
    /// # Errors
    /// There is none.
    pub fn fail_on(&mut self) -> Result<(), Error> {
        self.gate.fail_on = Some(self.text()?);
        Ok(())
    }

    /// The gate that the options ask for, for rows with these columns; `None` without `--fail-on`.
    ///
    /// # Errors
    /// A condition does not parse, the baseline cannot be read, or its options come without `--fail-on`.
    pub fn gate(&self, columns: &dyn Columns) -> Result<Option<Gate>, Error> {
        let gate = self.gate.open(columns)?;
        if gate.is_some() {
            crate::answers();
        }
        Ok(gate)
    }

    /// Ends a run over `inputs` with its gate: says which rows are known and which entries of the baseline are
    /// of no use, writes the reports, and gives the exit status.
    ///
    /// # Errors
    /// A report cannot be written.
    pub fn close(&self, gate: Option<&Gate>, inputs: &Inputs) -> Result<Status, Error> {
        gate.map_or(Ok(inputs.status()), |gate| self.gate.close(gate, inputs))
    }

    /// The value of the option that [`next`](Self::next) gave, as it was written.
    ///
    /// # Errors
    /// There is no value.
    pub fn value(&mut self) -> Result<OsString, Error> {
        let value = self.parser.value()?;
        if self.flag.is_some_and(|f| self.tool.long(f.long).is_some_and(|(g, _)| in_provenance(g.kind))) {
            self.provenance.push(' ');
            self.provenance.push_str(&quoted(&value.to_string_lossy()));
        }
        Ok(value)
    }

    /// The value as text.
    ///
    /// # Errors
    /// There is no value, or it is not UTF-8.
    pub fn text(&mut self) -> Result<String, Error> {
        let value = self.value()?;
        value.into_string().map_err(|v| self.invalid(&v.to_string_lossy(), "text in UTF-8"))
    }

    /// The value as text that names fields of nodes. Whoever names one of the namespace `field` asks readers for it.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn fields(&mut self) -> Result<String, Error> {
        let text = self.text()?;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        if text.split(|c| !is_part(c)).any(|word| word.starts_with("field.")) {
            self.input.read.java_fields();
        }
        Ok(text)
    }

    /// The value as whatever can be parsed; `what` says what was expected: `a number`.
    ///
    /// # Errors
    /// There is no value, or it cannot be parsed.
    pub fn parse<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Error> {
        self.parse_with(what, |text| text.parse().ok())
    }

    /// The value as what `parse` makes of it; `what` says what was expected: `new, gone or leaked`.
    ///
    /// # Errors
    /// There is no value, or `parse` does not take it.
    pub fn parse_with<T>(&mut self, what: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        let text = self.text()?;
        parse(&text).ok_or_else(|| self.invalid(&text, what))
    }

    /// The value as a number of bytes: `4096`, `10K`, `1.5M`, `1G`.
    ///
    /// # Errors
    /// There is no value, or it is no number of bytes.
    pub fn size(&mut self) -> Result<u64, Error> {
        self.parse_with("a size such as 4096, 10K or 1.5M", heap_report::text::parse_size)
    }

    /// An error about the value of the current option.
    pub fn invalid(&self, value: &str, expected: &str) -> Error {
        let flag = self.flag.map_or("", |f| f.long);
        Error::usage(format!("invalid value '{value}' for --{flag}: expected {expected}"))
    }

    /// Takes a selection option in; complains about any other.
    ///
    /// # Errors
    /// It is no selection option, or its value is bad.
    pub fn select(&mut self, option: &str, selection: &mut Selection) -> Result<(), Error> {
        let takes_value = self.flag.is_some_and(|f| f.value.is_some());
        let value = match option {
            "where" => self.fields()?,
            _ if takes_value => self.text()?,
            _ => String::new(),
        };
        match selection.flag(option, &value) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.unexpected()),
            Err(what) => Err(Error::usage(format!("--{option}: {what}"))),
        }
    }

    /// An error about the current option: for the last arm of the tool's `match`.
    pub fn unexpected(&self) -> Error {
        let flag = self.flag.map_or("", |f| f.long);
        Error::usage(format!("invalid option '--{flag}'"))
    }

    /// The inputs that the operands name; none: standard input, unless that is a terminal.
    ///
    /// # Errors
    /// There is no operand, and standard input is a terminal.
    pub fn inputs(&mut self) -> Result<Inputs, Error> {
        let operands = std::mem::take(&mut self.operands);
        Inputs::new(self.tool, operands, self.input.clone(), self.generator())
    }

    /// `heap-filter 0.2.0 (1a2b3c4d5e 2026-11-25)`, without the brackets if no commit is known.
    fn version(&self) -> String {
        let commit = self.commit.map_or_else(String::new, |commit| format!(" ({commit})"));
        format!("{}{commit}\n", self.generator())
    }

    /// `heap-filter 0.2.0`: what `generator` says.
    pub fn generator(&self) -> String {
        format!("{} {}", self.tool.name, env!("CARGO_PKG_VERSION"))
    }

    /// `heap-filter 0.1.0 --type Array`: what `heap.pipeline` says. Operands and the options on input and
    /// output are left out, for they do not change what the records say.
    pub fn provenance(&self) -> String {
        let space = if self.provenance.is_empty() { "" } else { " " };
        format!("{}{space}{}", self.generator(), self.provenance)
    }
}

fn in_provenance(kind: Kind) -> bool {
    matches!(kind, Kind::Own | Kind::Selection)
}

/// The word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "@%+=:,./_-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
