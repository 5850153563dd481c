//! The FILE operands, opened one after the other and read into a sink.

use std::cell::{Cell, RefCell};
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use heap_base::Result as Read;
use heap_base::error::Kind;
use heap_formats::{Input, Operand, Options, Source};
use heap_ops::{OnePass, Report};
use heap_record::{Metadata, Sink, SnapshotSelector, Wants};

use crate::error::{self, complain, tool_name, warn};
use crate::notes::Noted;
use crate::tool::Tool;
use crate::{Error, Status, help, progress};

/// The options of [`INPUT`](crate::INPUT).
#[derive(Clone, Debug, Default)]
pub struct InputOptions {
    /// `--snapshot`, if given.
    pub pick: Option<SnapshotSelector>,
    /// `--format`, if given.
    pub format: Option<&'static heap_formats::Format>,
    /// `--executable`, if given: what a core is of.
    pub executable: Option<std::path::PathBuf>,
    /// `--javacore`, if given: what explains an IBM dump.
    pub javacore: Option<std::path::PathBuf>,
    /// False with `--no-progress`.
    pub progress: bool,
    /// What an input may cost; none of it is bounded with `--no-limit`.
    pub limits: heap_formats::Limits,
    /// How dumps are to be read: `--java-layout`, `--java-refs`, `--java-values`, `--value`.
    pub read: heap_formats::ReadOptions,
}

/// The inputs of a run.
#[derive(Debug)]
pub struct Inputs {
    operands: Vec<Operand>,
    options: InputOptions,
    generator: String,
    again: bool,
    /// The format whose inputs are read with all snapshots unless one is asked for.
    whole: Option<&'static str>,
    /// Notes that were written: some tools read an input more than once.
    said: RefCell<Vec<String>>,
    /// One of them could not be opened, or not be read to its end.
    failed: Cell<bool>,
}

/// How reading one input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was read.
    Whole,
    /// It could not be opened or is damaged; a message was written. Every intact record before the damage was read.
    Damaged,
    /// It is sound but cannot be read as asked; a message was written. What was read of it is no answer.
    Refused,
    /// The sink has all it needs.
    Stopped,
}

/// The number of the last snapshot of a stream.
#[derive(Debug, Default)]
struct LastSnapshot(Option<u64>);

impl Sink for LastSnapshot {
    fn wants(&self) -> Wants {
        Wants::HEAD
    }

    fn metadata(&mut self, record: &Metadata<'_>) -> Read {
        if record.key == "heap.snapshot" {
            self.0 = record.value.parse().ok();
        }
        Ok(())
    }
}

impl Inputs {
    /// The inputs that the operands name; none: standard input, unless that is a terminal.
    pub(crate) fn new(
        tool: &Tool,
        operands: Vec<OsString>,
        options: InputOptions,
        generator: String,
    ) -> Result<Self, Error> {
        let mut expanded = Vec::new();
        for operand in operands.into_iter().map(Operand::new) {
            let name = operand.name.clone();
            expanded.extend(operand.expand().map_err(|e| Error::Failed(name, e))?);
        }
        let mut operands = expanded;
        if operands.is_empty() {
            if io::stdin().is_terminal() {
                let usage = help::usage(tool);
                return Err(Error::usage(format!("no FILE, and standard input is a terminal; {usage}")));
            }
            operands.push(Operand::stdin());
        }
        Ok(Self {
            operands,
            options,
            generator,
            again: false,
            whole: None,
            said: RefCell::default(),
            failed: Cell::default(),
        })
    }

    /// Opens record streams from pipes so that they can be read more than once.
    #[must_use]
    pub fn again(mut self) -> Self {
        self.again = true;
        self
    }

    /// Unless a snapshot is asked for, reads all those of inputs in the format of this name.
    #[must_use]
    pub fn with_all_snapshots_of(mut self, format: &'static str) -> Self {
        self.whole = Some(format);
        self
    }

    /// How many there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.operands.len()
    }

    /// What a message or a report calls an input; `None` for standard input.
    pub fn name(&self, index: usize) -> Option<&OsStr> {
        self.operands[index].name.as_deref()
    }

    /// What is known of an input by the name of a grouping: its `file`, and for `tag.KEY` the folder `KEY=VALUE` that it is
    /// in.
    pub fn known(&self, index: usize, name: &str) -> Option<String> {
        let path = self.name(index);
        match name.strip_prefix("tag.") {
            None => Some(path.map_or_else(|| "stdin".to_owned(), |path| path.to_string_lossy().into_owned())),
            Some(key) => {
                let mut keys = heap_formats::keys_in(Path::new(path?)).into_iter();
                keys.find(|(k, _)| k == key).map(|(_, value)| value)
            }
        }
    }

    /// What a report calls an input, if there are several to distinguish.
    pub fn one_of_several(&self, index: usize) -> Option<String> {
        self.known(index, "file").filter(|_| self.len() > 1)
    }

    /// Which snapshot of an input is meant: `FILE@N` before `--snapshot`; `None` if neither was given.
    pub fn pick(&self, index: usize) -> Option<SnapshotSelector> {
        self.operands[index].pick.or(self.options.pick)
    }

    /// Which input is the file of an earlier one again, if any, and the same snapshot of it: nothing has grown between the two.
    pub fn repeated(&self) -> Option<String> {
        let file = |index: usize| {
            let path = std::fs::canonicalize(self.name(index)?).ok().filter(|path| path.is_file())?;
            Some((path, self.pick(index)))
        };
        let mut before = Vec::new();
        for index in 0..self.len() {
            let of = file(index);
            if let Some(other) = before.iter().position(|other| of.is_some() && *other == of) {
                return Some(format!("number {} is the file of number {} again", index + 1, other + 1));
            }
            before.push(of);
        }
        None
    }

    /// Whether all inputs so far were opened and read to their end; of each that was not a message was written.
    pub fn is_intact(&self) -> bool {
        !self.failed.get()
    }

    /// The same as a status: done or failed.
    pub fn status(&self) -> Status {
        if self.is_intact() { Status::Done } else { Status::Failed }
    }

    /// The inputs that open, with their indexes.
    pub fn opened(&self) -> impl Iterator<Item = (usize, Input)> + '_ {
        (0..self.len()).filter_map(|index| Some((index, self.open(index)?)))
    }

    /// Reads all inputs into one sink, and finishes it. Returns the [status](Self::status) after that.
    ///
    /// # Errors
    /// The output fails.
    pub fn pump(&self, sink: &mut dyn Sink) -> Result<Status, Error> {
        for index in 0..self.len() {
            if self.read(index, sink)? == Outcome::Stopped {
                break;
            }
        }
        sink.finish(self.is_intact())?;
        Ok(self.status())
    }

    /// Reads all inputs into one report, each as a stream of its own. `end` gets it after each of them, with what a report
    /// calls that input if there are several.
    ///
    /// # Errors
    /// The output fails, or a temporary file.
    pub fn together<R: Report>(
        &self,
        pass: &mut OnePass<R>,
        mut end: impl FnMut(&mut R, Option<String>),
    ) -> Result<(), Error> {
        for index in 0..self.len() {
            pass.begin_stream()?;
            self.read(index, pass)?;
            pass.end_snapshot()?;
            end(pass.report_mut(), self.one_of_several(index));
        }
        Ok(())
    }

    /// Reads each input into a sink of its own, from `make`. `take` gets those that were not refused, with what a report
    /// calls the input if there are several.
    ///
    /// # Errors
    /// The output fails, or those of `take`.
    pub fn apart<S: Sink>(
        &self,
        make: impl Fn() -> S,
        mut take: impl FnMut(S, Option<String>) -> heap_base::Result,
    ) -> Result<(), Error> {
        for index in 0..self.len() {
            let mut sink = make();
            if self.read(index, &mut sink)? != Outcome::Refused {
                take(sink, self.one_of_several(index))?;
            }
        }
        Ok(())
    }

    /// Reads one input into a sink, and does not finish it.
    ///
    /// # Errors
    /// The output fails. Other errors were written to standard error.
    pub fn read(&self, index: usize, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        match self.open(index) {
            Some(mut input) => self.read_open(index, &mut input, sink),
            None => Ok(Outcome::Damaged),
        }
    }

    /// Reads an input that [`open`](Self::open) gave.
    ///
    /// # Errors
    /// The output fails. Other errors were written to standard error.
    pub fn read_open(&self, index: usize, input: &mut Input, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        let result = self.try_read(index, input, sink);
        let outcome = self.outcome(index, result, sink)?;
        if input.streams() > 1 && outcome == Outcome::Whole {
            let name = self.name(index).map_or_else(|| "standard input".into(), OsStr::to_string_lossy);
            warn(&format!("{name}: {} streams follow each other; they are taken as one", input.streams()));
        }
        Ok(outcome)
    }

    /// Reads an input that [`open`](Self::open) gave, and says nothing of what is wrong with it.
    ///
    /// # Errors
    /// Those of the input, and of the sink.
    pub fn try_read(&self, index: usize, input: &mut Input, sink: &mut dyn Sink) -> Read {
        let mut pick = match &self.operands[index].isolate {
            Some(isolate) => input.isolate(isolate)?,
            None => self.pick(index).unwrap_or_else(|| {
                let whole = self.whole == Some(input.format().name);
                if whole { SnapshotSelector::All } else { SnapshotSelector::default() }
            }),
        };
        if self.reads_twice(index) && input.is_stream() {
            // Only the end of a stream shows which snapshot is the last. The next reading finds its damage again.
            let mut last = LastSnapshot::default();
            let _ = input.read(SnapshotSelector::All, &self.generator, &mut last);
            pick = last.0.map_or(pick, SnapshotSelector::Number);
        }
        // Of a dump that became a stream who wrote that has said what there is to say.
        let mut noted = Noted::new(sink, input.is_stored());
        let result = input.read(pick, &self.generator, &mut noted);
        let notes = noted.notes;
        for note in notes {
            let name = self.name(index).map_or_else(|| "standard input".into(), OsStr::to_string_lossy);
            let text = format!("{name}: {note}");
            let mut said = self.said.borrow_mut();
            if !said.contains(&text) {
                warn(&text);
                said.push(text);
            }
        }
        result
    }

    /// True if the last snapshot was asked for by name. Without a word a stream is read with all that it has.
    fn reads_twice(&self, index: usize) -> bool {
        self.pick(index) == Some(SnapshotSelector::Last)
    }

    /// Reads an input once more, after `first`: damage that was reported then is not reported again.
    ///
    /// # Errors
    /// The output fails.
    pub fn read_again(
        &self,
        index: usize,
        input: &mut Input,
        first: Outcome,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        let result = self.try_read(index, input, sink);
        self.judge(index, result, first, sink)
    }

    /// What a [`try_read`](Self::try_read) came to, after `first`: damage that was reported then is not reported again.
    ///
    /// # Errors
    /// The output fails.
    pub fn judge(
        &self,
        index: usize,
        result: Read,
        first: Outcome,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        match result {
            Err(e) if first == Outcome::Damaged && !matches!(e.kind(), Kind::Write(_) | Kind::Stop) => {
                Ok(Outcome::Damaged)
            }
            result => self.outcome(index, result, sink),
        }
    }

    /// Whether what was done with an input is accepted; if it was refused, a message was written.
    ///
    /// # Errors
    /// The output fails.
    pub fn accepts(&self, index: usize, done: Read) -> Result<bool, Error> {
        match done {
            Ok(()) => Ok(true),
            Err(e) if matches!(e.kind(), Kind::Refused(_)) => {
                self.fault(index, &e);
                Ok(false)
            }
            Err(e) => Err(e.into()),
        }
    }

    fn outcome(&self, index: usize, result: Read, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        match result {
            Ok(()) => Ok(Outcome::Whole),
            Err(e) if e.is_stop() => Ok(Outcome::Stopped),
            Err(e) if matches!(e.kind(), Kind::Write(_)) => Err(e.into()),
            Err(e) => {
                // The intact part is written before the message.
                sink.flush()?;
                self.fault(index, &e);
                error::set_damaged(true);
                let refused = matches!(e.kind(), Kind::Refused(_));
                Ok(if refused { Outcome::Refused } else { Outcome::Damaged })
            }
        }
    }

    /// Opens one input; says why and gives `None` if that fails.
    pub fn open(&self, index: usize) -> Option<Input> {
        self.try_open(index).map_err(|e| self.fault(index, &e)).ok()
    }

    /// Writes a message for an error of an input.
    fn fault(&self, index: usize, error: &heap_base::Error) {
        complain(self.name(index), error);
        self.failed.set(true);
    }

    /// Opens one input, and says nothing if that fails.
    ///
    /// # Errors
    /// The input cannot be opened.
    pub fn try_open(&self, index: usize) -> Read<Input> {
        error::set_damaged(false);
        let operand = &self.operands[index];
        let InputOptions { format, limits, .. } = self.options;
        let InputOptions { read, executable, javacore, .. } = self.options.clone();
        let again = self.again || self.reads_twice(index);
        let options = Options { format, again, limits, read, executable, javacore, ..Options::default() };
        if self.options.progress {
            let name = self.name(index).unwrap_or(OsStr::new("standard input"));
            progress::watch(Arc::clone(&options.meter), &name.to_string_lossy());
        }
        if operand.source == Source::Stdin {
            crate::sys::widen_input();
        }
        heap_formats::open(&operand.source, &options)
    }

    /// Calls `each` with every input that opens, and writes a message for each error.
    ///
    /// # Errors
    /// The output fails, or that of `each` is no fault of one input.
    pub fn each(&self, mut each: impl FnMut(usize, &mut Input) -> Result<(), Error>) -> Result<(), Error> {
        for (index, mut input) in self.opened() {
            match each(index, &mut input) {
                Ok(()) => {}
                Err(Error::Failed(None, e)) if !matches!(e.kind(), Kind::Write(_)) => {
                    if !error::is_consequence(&e) {
                        self.fault(index, &e);
                    }
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// The tool's name.
    pub fn tool(&self) -> &'static str {
        tool_name()
    }
}
