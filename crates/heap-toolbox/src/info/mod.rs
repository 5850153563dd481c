//! What a dump is: heap-info.

mod options;
pub mod rows;

pub use options::TOOL;
