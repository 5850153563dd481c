//! One module for each tool.

pub mod cat;
pub mod check;
pub mod diff;
pub mod dom;
pub mod filter;
pub mod grep;
pub mod names;
pub mod path;
pub mod redact;
pub mod show;
pub mod stack;
pub mod strings;
pub mod sum;
pub mod suspects;
pub mod top;
pub mod tree;
pub mod trend;
pub mod view;
pub mod walk;
