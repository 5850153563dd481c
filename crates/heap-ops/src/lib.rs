//! Work on records: what the tools do, as sinks. All but [`whole`] is one-pass work.
//!
//! A transform takes records and passes records on to another sink; a report takes records and is asked for
//! its rows afterwards. All of them give the right answer in any order of records; one-pass work needs memory for
//! the stream's strings, not for its nodes and edges. They know no virtual machine and no command line.

pub mod cells;
pub mod check;
pub mod compare;
pub mod context;
pub mod diff;
pub mod equal;
pub mod field;
pub mod filter;
pub mod glob;
pub mod grep;
pub mod held;
pub mod ids;
mod judge;
pub mod names;
pub mod only;
pub mod redact;
pub mod roster;
pub mod select;
pub mod show;
pub mod strings;
pub mod sum;
mod tests;
pub mod top;
pub mod tree;
pub mod whole;
