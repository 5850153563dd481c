//! What all tools share: arguments, help, inputs, output, messages, progress.
//!
//! A tool is a table ([`Tool`]) with a function that [`run`] runs:
//!
//! ```text
//! pub const TOOL: Tool = Tool { name: "heap-filter", about: "keep the records that match", …, run };
//!
//! fn run(args: &mut Args, out: &mut Out) -> Result<Status, Error> {
//!     let mut deepest = None;
//!     while let Some(option) = args.next()? {
//!         match option {
//!             "depth" => deepest = Some(args.parse("a number")?),
//!             _ => return Err(args.unexpected()),
//!         }
//!     }
//!     let inputs = args.inputs()?;
//!     inputs.pump(&mut Writer::new(out).provenance(args.provenance(), false))
//! }
//! ```
//!
//! Only this crate and the tools touch arguments, standard streams, colour and exit status.

mod args;
mod completions;
mod error;
mod gate;
mod help;
mod input;
mod mdoc;
mod notes;
mod out;
pub mod progress;
mod spelling;
mod sys;
#[cfg(test)]
mod tests;
mod tool;

pub use args::Args;
pub use completions::script as completions;
pub use error::{Error, Status, answers, complain, note, warn};
pub use heap_formats::{Input, Operand, pick};
pub use input::{InputOptions, Inputs, Outcome};
pub use out::Out;
pub use spelling::nearest;
pub use tool::{EXIT, Example, Flag, GATE, Group, INPUT, Kind, OUTPUT, SELECTION, Tool, output, own, switch};

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// What to say where a tool needs a selection and has none.
pub const WHICH: &str =
    "which objects? Say --id @N, a number that heap-top or heap-grep shows, or --class NAME";

/// Runs a tool with these arguments, the first of which is its name: calls its function, flushes, reports errors, gives the
/// exit status. `--version` names the `commit`, if there is one.
pub fn run(tool: &'static Tool, args: Vec<OsString>, commit: Option<&'static str>) -> ExitCode {
    error::set_tool(tool.name);
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |l| format!(" ({}:{})", l.file(), l.line()));
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let what = text.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic");
        error::line(&format!("internal error: {what}{place}"));
        // The release profile would abort with a signal next; the contract says 2.
        #[allow(clippy::exit, reason = "nothing is open yet, and there is nobody to return to")]
        std::process::exit(2);
    }));
    let mut out = match Out::stdout() {
        Ok(out) => out,
        Err(e) => {
            complain(None, &heap_base::Error::write(e));
            return Status::Failed.into();
        }
    };
    sys::widen_input();
    let mut args = Args::new(tool, args).built_from(commit);
    let result = match (tool.run)(&mut args, &mut out) {
        Err(Error::Answer(text)) => {
            out.write_all(text.as_bytes()).map(|()| Status::Done).map_err(Error::from)
        }
        other => other,
    };
    end(result, &mut out).into()
}

fn end(result: Result<Status, Error>, out: &mut Out) -> Status {
    progress::stop();
    error::any_at_least();
    let failed_write =
        |e: &Error| matches!(e, Error::Failed(_, e) if matches!(e.kind(), heap_base::error::Kind::Write(_)));
    let result = match result {
        // The intact part is written before the message. A write that failed is not tried again.
        Err(e) if failed_write(&e) => Err(e),
        other => match out.flush() {
            Ok(()) => other,
            Err(e) => {
                // A closed pipe is no reason to change the answer.
                let closed = e.kind() == io::ErrorKind::BrokenPipe;
                if closed && other.is_ok() { other } else { other.and(Err(e.into())) }
            }
        },
    };
    match result {
        Ok(status) if error::said_error() => status.max(Status::Failed),
        Ok(status) => status,
        Err(e) if e.is_closed_pipe() => {
            if error::said_error() {
                Status::Failed
            } else {
                Status::Done
            }
        }
        Err(Error::Failed(None, e)) if error::is_consequence(&e) => Status::Failed,
        Err(Error::Failed(file, e)) => {
            complain(file.as_deref(), &e);
            Status::Failed
        }
        Err(Error::Usage(what)) => {
            let name = error::tool_name();
            error::line(&format!("{what}; try '{name} --help'"));
            Status::Failed
        }
        Err(Error::Answer(_)) => Status::Done,
    }
}
