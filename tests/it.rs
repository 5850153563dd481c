//! The one binary of end-to-end tests: the built tools, run as users run them.

#![allow(clippy::format_push_string, reason = "tests build text; nobody waits for them")]

mod agree;
mod answers;
mod bundle;
mod contract;
mod contributing;
mod devtools;
mod docs;
mod faults;
mod figures;
mod gates;
mod harness;
mod hostile;
mod large;
mod man;
mod pictures;
mod planted;
mod redact;
mod removal;
mod sums;
mod suspects;
mod systems;
mod terminal;
mod transcript;
