//! Sizes of subtrees: heap-tree. The tree itself is [`heap_ops::tree`].

mod options;
pub mod rows;

pub use options::TOOL;
