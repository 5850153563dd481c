//! Tests of what does not need a process; the rest is in `tests/` of the workspace.

mod args;
mod progress;
