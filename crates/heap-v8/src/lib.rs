//! Placeholder of the crate; see Cargo.toml.
