//! Placeholder of the crate; see Cargo.toml.

use heap_record::{Blob, Info, Pick, Result, Sink};

/// Placeholder.
pub fn sniff(_head: &[u8]) -> bool {
    false
}

/// Placeholder.
pub fn read(_blob: &Blob, _pick: Pick, _sink: &mut dyn Sink) -> Result {
    Ok(())
}

/// Placeholder.
pub fn info(_blob: &Blob) -> Result<Info> {
    Ok(Info::default())
}
