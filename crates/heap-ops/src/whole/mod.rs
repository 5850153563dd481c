//! What needs the whole graph: annotations, paths, walks. The graph itself is heap-graph's.

pub mod annotate;
pub mod load;
pub mod path;
pub mod sum;
pub mod walk;
