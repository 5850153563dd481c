//! Writes other formats: heap-to.

mod options;

pub use options::TOOL;
