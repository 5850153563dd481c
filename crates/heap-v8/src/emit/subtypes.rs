//! Numbers of the edge subtypes: those of the file in its order, then `v8.ephemeron`, then those that the file does not
//! declare.

use heap_base::Result;
use heap_record::{Declared, Sink};

use crate::layout::Header;
use crate::layout::types::EdgeType;

/// Number of the subtype `v8.ephemeron`: behind the types that the file declares.
pub(super) fn ephemeron(header: &Header) -> u32 {
    header.edge_types.len() as u32 + 1
}

/// Number of the subtype of edges with this type code.
pub(super) fn subtype(header: &Header, code: u64) -> u32 {
    let number = code as u32 + 1;
    if number < ephemeron(header) { number } else { number + 1 }
}

/// The type code of a subtype; none for `v8.ephemeron`.
pub(super) fn code_of(header: &Header, subtype: u32) -> Option<u64> {
    match subtype.cmp(&ephemeron(header)) {
        std::cmp::Ordering::Less => Some(u64::from(subtype) - 1),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(u64::from(subtype) - 2),
    }
}

/// Declares the edge types from `known` on.
pub(super) fn declare(header: &Header, types: &[EdgeType], known: usize, sink: &mut dyn Sink) -> Result {
    types.iter().enumerate().skip(known).try_for_each(|(code, t)| {
        let id = subtype(header, code as u64);
        sink.declare(
            &Declared::Edge { id, name: &t.name, retains: t.retains, role: Some(t.role), rest: &[] }.into(),
        )
    })
}
