//! What a snapshot declares: its fields and types, and which strings have a meaning for a reader.

pub(crate) mod header;
pub(crate) mod marks;
pub(crate) mod types;

pub(crate) use header::Header;
