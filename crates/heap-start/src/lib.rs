//! Starts `heap-tools` as one of its tools.
//!
//! `heap-tools` holds all tools and is the tool that it is called as. The programs named after tools only start it, so a
//! build links the readers of all formats once and not once a tool. Where links can be made, a link to `heap-tools` does
//! the same; cargo installs no links.

mod sys;

use std::env;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const PROGRAM: &str = "heap-tools";

/// Starts the `heap-tools` that stands beside this program as `tool`, with the arguments of this process, and becomes it:
/// process number, standard streams and status are the tool's. Where a process cannot be replaced it waits for the tool and
/// gives its status. If `heap-tools` is missing: a line on standard error and status 2.
pub fn start(tool: &str) -> ExitCode {
    // Where the system does not say which file runs (no /proc), the search path has to do.
    let program = match env::current_exe() {
        Ok(own) => own.with_file_name(PROGRAM).with_extension(env::consts::EXE_EXTENSION),
        Err(_) => PathBuf::from(PROGRAM),
    };
    let mut command = Command::new(&program);
    match sys::started(command.args(env::args_os().skip(1)), tool) {
        Ok(status) => status,
        Err(e) => {
            let program = program.display();
            let _ = writeln!(
                io::stderr(),
                "{tool}: this tool is a part of {program}, which cannot be started: {e}"
            );
            ExitCode::from(2)
        }
    }
}
