//! Identifiers, which a file has in four or eight bytes, and numbers in its byte order.

use heap_base::Result;

use crate::window::Window;

/// The identifier at the beginning of `bytes`.
#[inline]
pub(super) fn id(bytes: &[u8], size: usize) -> u64 {
    if size == 8 { u64_at(bytes, 0) } else { u64::from(u32_at(bytes, 0)) }
}

/// The next identifier of a window.
pub(super) fn read_id(window: &mut Window<'_>, size: usize, what: &str) -> Result<u64> {
    if size == 8 { window.u64(what) } else { window.u32(what).map(u64::from) }
}

/// The number of 32 bits at `at`.
#[inline]
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |&b| u32::from_be_bytes(b))
}

#[inline]
fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |&b| u64::from_be_bytes(b))
}
