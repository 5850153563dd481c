//! How a process becomes another program.

use std::io;
use std::process::{Command, ExitCode};

/// Becomes `command`, called as `tool`.
#[cfg(unix)]
pub(crate) fn started(command: &mut Command, tool: &str) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(command.arg0(tool).exec())
}

/// Waits for `command` and gives its status. The first word cannot be chosen here, so the tool's name is the first
/// argument.
#[cfg(not(unix))]
pub(crate) fn started(command: &mut Command, tool: &str) -> io::Result<ExitCode> {
    let program = Command::new(command.get_program()).arg(tool).args(command.get_args()).status()?;
    Ok(program.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::from(2), ExitCode::from))
}
